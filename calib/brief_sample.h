/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample of a grid whose waves are too heavy to run one: the GPU runs the
 * grid's beginning and a part of a wave in its middle, and one SM blocks of its
 * own there, which show how the rest goes: its share of the grid, or two waves
 * where that is many. */
#ifndef CALIB_BRIEF_SAMPLE_H
#define CALIB_BRIEF_SAMPLE_H

#include "calib/sample.h"

/* Run a sample whose window's start is brief (window_start_is_brief): where it
 * is done its start, first_wave, first_alone, later_wave, after_first, slower,
 * lone_spread and apart are set, too, and its insts are those of all runs.
 * False as sample_run. */
bool brief_sample_run(struct sample *sample,
                      const struct sample_request *request, struct error *e);

#endif
