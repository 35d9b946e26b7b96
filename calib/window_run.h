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

/* ... of one SM beside a sample's others, which has its share of the L2, or all
 * of it. */
bool window_run_on_sm(struct sample *out, struct progress *p,
                      const struct sample_request *request, bool all_of_l2,
                      struct error *e);

/* Add what a run beside the sample's took: false where that is the end of it.
 */
bool sample_take(struct sample *sample, const struct sample *beside);

/* The request on the window's slice, which is set. */
struct sample_request
window_request_on_slice(const struct sample_request *request,
                        const struct window *w, struct gpu *slice);

#endif
