/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/block/policies.h"

const struct block_policy *const block_policies[] = {
    &block_rr,
    NULL,
};
