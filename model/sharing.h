/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who shares the machine at a design point. */
#ifndef MODEL_SHARING_H
#define MODEL_SHARING_H

#include <stdbool.h>

struct sharing {
    double warps; /* resident on an SM */
    /* Those of them that reuse lines in the L1 at a time: not the ones that the
     * scheduler holds back nor, where the oldest go first, more than keep the
     * issue slots busy. */
    double live;
    /* ... nor more than keep the load/store unit busy: no others come by it as
     * long as these find their lines. Where they wait for them others go on,
     * and take the room of their lines: it may be either, by what a grid begins
     * with. Seen in full detail of K-means by rows under gto: where warps need
     * 1.5 times the lines of the L1 6 to 79 % of sectors miss (v100, a10, l4,
     * rtx4090, rtx2080ti, t4), where they need twice as many 24 and 58 % (v100,
     * t4). */
    double oldest;
    double blocks;       /* resident on an SM */
    double active_sms;   /* SMs that have work */
    bool aligned;        /* blocks advance together */
    double interference; /* exponent on live */
    double latency;      /* factor on waits for memory */
    double bandwidth;    /* factor on DRAM bandwidth */
    double stores_left;  /* of model_params (model.h) */
};

#endif
