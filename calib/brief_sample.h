/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first wave of a grid whose waves are too heavy to run one: the GPU runs
 * its beginning, and one of its SMs a wave of that SM's own, which shows how
 * fast blocks go on behind it. */
#ifndef CALIB_BRIEF_START_H
#define CALIB_BRIEF_START_H

#include "calib/sample.h"

/* Run both for a sample whose window's start is brief (window_start_is_brief):
 * its start, first_wave, slower and lone_spread are set where it is done, and
 * its insts are those of both runs. False as sample_run. */
bool brief_start_run(struct sample *sample,
                     const struct sample_request *request, struct error *e);

#endif
