/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sample says of the whole grid: its start, what its window leaves at
 * the rate that was measured there, and its end, where blocks run out. The rate
 * is another one where lines that are stored to begin to leave the L2. */
#ifndef CALIB_GRID_TIME_H
#define CALIB_GRID_TIME_H

#include "calib/job.h"

/* Log cycles of the grid. */
double grid_time_log(const struct job *job, const struct sample *s);

/* Deviation of that by when the L2 is full of stores. */
double grid_time_filled(const struct job *job, const struct sample *s);
/* ... and by how many blocks are the last of an SM, and when the last SM ends,
 * where a slice tells the rest. */
double grid_time_fuller(const struct job *job, const struct sample *s);
/* ... and by how much longer the GPU takes behind a brief start, and the SM
 * beside it does not; signed. */
double grid_time_carried(const struct job *job, const struct sample *s);
/* ... and by how much longer its longest blocks make its end. */
double grid_time_longest(const struct job *job, const struct sample *s);

#endif
