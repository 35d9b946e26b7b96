/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a reference simulator: a trace on a configuration under a warp
 * scheduler and a limit of resident blocks, and what it said of them. */
#ifndef BENCH_CORRELATE_POINTS_H
#define BENCH_CORRELATE_POINTS_H

#include "base/error.h"

struct reference_point {
    char trace[40], config[40];
    char scheduler[48]; /* in the reference's words */
    int grid, arch;     /* the trace's blocks and sm_ number */
    int cta_limit;      /* resident blocks an SM may hold, as configured */
    int cta_per_core;   /* ... and that fit besides */
    double cycles;
    /* Shares of 1; NAN where the reference gives none. dram_util is over
     * `cycles`, which the file's is not for every configuration. */
    double l1_miss, l2_miss, dram_util;
    double warp_insts, warp_insts_per_s; /* how fast it ran; NAN likewise */
};

struct reference {
    struct reference_point *point;
    size_t count;
};

/* FOLDER/accelsim.csv, and vectoradd_a100 where FOLDER/real holds it. Only the
 * points that `only` (NULL: all) selects: words separated by commas, each of
 * which is the point's trace, configuration, scheduler up to its first colon,
 * limN (its block limit) or gN (its grid). */
bool reference_load(struct reference *out, const char *folder, const char *only,
                    struct error *e);
void reference_free(struct reference *r);

bool reference_selects(const struct reference_point *p, const char *only);

/* Our name of the reference's scheduler: gto, lrr, old and gty are what they
 * are called, two_level_active:N:... is tlrr:N, warp_limiting:P:N is swl:N. */
bool reference_scheduler(char *out, size_t size, const char *scheduler,
                         struct error *e);

/* Resident blocks the reference ran with. */
int reference_blocks(const struct reference_point *p);

#endif
