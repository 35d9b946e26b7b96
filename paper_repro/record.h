/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of a point's run. */
#ifndef PAPER_REPRO_RECORD_H
#define PAPER_REPRO_RECORD_H

#include "sampler/sampler.h"

/* SM 0 at a moment; phases past LAB_PHASES are left out, and what comes after
 * LAB_MOMENTS moments. */
#define LAB_PHASES  64
#define LAB_MOMENTS 40000
struct lab_moment {
    uint64_t cycle;
    uint32_t active_warps, alu_in_flight, mem_in_flight, phases;
    uint32_t warps_in_phase[LAB_PHASES];
};

struct lab_record {
    struct sampler_run run;
    struct lab_moment *moment; /* [moments], in order of time */
    size_t moments;
    struct sampler_warp *warp; /* [warps], in the order of their ends */
    size_t warps;
    double seconds; /* of one core, to run it */
};

#endif
