/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One run of the parts of a sample: of a window, on the whole GPU or on a slice
 * of it. */
#ifndef CALIB_WINDOW_RUN_H
#define CALIB_WINDOW_RUN_H

#include "calib/progress.h"
#include "calib/sample.h"

struct sampler_run;

/* Run p->window, of which p hears. */
bool window_simulate(struct sampler_run *run, struct progress *p,
                     const struct sample_request *request, struct error *e);

/* Likewise, and set what the run says of the sample and, where it is done, how
 * fast the window advances. */
bool window_run(struct sample *out, struct steady *measured, struct progress *p,
                const struct sample_request *request, struct error *e);

/* The request on the window's slice, which is set. */
struct sample_request
window_request_on_slice(const struct sample_request *request,
                        const struct window *w, struct gpu *slice);

#endif
