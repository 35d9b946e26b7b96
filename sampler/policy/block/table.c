/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/block/policies.h"

const struct block_policy *const block_policies[] = {
    &block_rr,    &block_perfsat, &block_chunk, &block_reset, &block_flip,
    &block_steal, &block_dyncta,  &block_lcs,   NULL,
};
