/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which launches of an application are alike: of a kernel, block by block as
 * large, and of about as many blocks and warp instructions. */
#ifndef CALIB_LAUNCH_KINDS_H
#define CALIB_LAUNCH_KINDS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct kernel_list;

struct launch_kind {
    size_t stands; /* number of the launch in their middle, which finds the
                    * caches as most of them do */
    double times;  /* warp instructions of all, as a multiple of its */
};

struct launch_kinds {
    double *insts;            /* warp instructions of each launch */
    double all;               /* their sum */
    struct launch_kind *kind; /* [count], in the order of their first launches.
                               * The application's first launch, which finds
                               * the caches cold, is one by itself */
    size_t count;
};

/* False with e set when blocks cannot be counted; launch_kinds_free() is due in
 * either case. */
bool launch_kinds_of(struct launch_kinds *out, const struct kernel_list *a,
                     uint64_t seed, struct error *e);
void launch_kinds_free(struct launch_kinds *k);

#endif
