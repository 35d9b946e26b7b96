/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Round-robin: one block to each SM in turn until all are full, then in grid
 * order to any SM that frees a slot. A following kernel starts from the
 * successor of the SM that finished last. This is what goes for every callback
 * that a policy leaves out. */
#include "sampler/policy/block/block_policy.h"

const struct block_policy block_rr = {
    .info = {.name = "rr",
             .summary =
                 "one block to each SM in turn, then to any SM with room",
             .paper = "paws Sec. II-B; perfsat Sec. II"},
};
