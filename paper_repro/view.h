/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What claims and figures see of the lab: the machine they are judged on, and
 * what a reading of the paper changes in every point. */
#ifndef PAPER_REPRO_VIEW_H
#define PAPER_REPRO_VIEW_H

#include "paper_repro/lab.h"

/* All but lab may be unset. */
struct view {
    struct lab *lab;
    const char *gpu;    /* of points that name none */
    const char *keys;   /* of the GPU, after the point's own */
    const char *rename; /* of policies: "gto=old tlrr=tlrr:3" */
    /* Other files for kernels: "cfd=paper_repro/kernels/cfd-near.kernel" */
    const char *kernels;
    enum window window; /* of points that name none */
    const char *study;  /* estimates, see struct point */
};

/* The point as the view has it. The strings stay valid as long as `room`. */
#define VIEW_ROOM 768
struct point view_point(const struct view *v, const struct point *p,
                        char room[VIEW_ROOM]);

/* lab_record and lab_run of it. */
const struct lab_record *view_record(const struct view *v,
                                     const struct point *p, struct error *e);
const struct sampler_run *view_run(const struct view *v, const struct point *p,
                                   struct error *e);

#endif
