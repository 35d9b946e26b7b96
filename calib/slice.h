/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one SM with its share of L2 and DRAM misses of the whole GPU (start-up,
 * shared lines, row buffers): a bias no interval of one run shows. It is
 * measured from runs of 1, 2 and 4 SMs and carried on to all of them. */
#ifndef CALIB_SLICE_H
#define CALIB_SLICE_H

#include "calib/sample.h"

#include <stddef.h>

#define SLICE_MAX_SMS 4

struct slice_bias {
    double log_shift; /* to add to a one-SM sample's log cycles */
    double variance;
    bool measured;
};

/* From those of `samples` that have the same point at several SM counts. */
void slice_bias_measure(struct slice_bias *out, const struct sample *sample,
                        size_t samples, int gpu_sms);

#endif
