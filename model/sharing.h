/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who shares the machine at a design point. */
#ifndef MODEL_SHARING_H
#define MODEL_SHARING_H

#include <stdbool.h>

struct sharing {
    double warps; /* resident on an SM */
    /* Those of them that reuse lines in the L1 at a time: not the ones that the
     * scheduler holds back. */
    double live;
    double blocks;       /* resident on an SM */
    double active_sms;   /* SMs that have work */
    bool aligned;        /* blocks advance together */
    double interference; /* exponent on live */
    double latency;      /* factor on waits for memory */
    double bandwidth;    /* factor on DRAM bandwidth */
    double stores_left;  /* of model_params (model.h) */
};

#endif
