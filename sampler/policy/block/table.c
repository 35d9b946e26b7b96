/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/block/table.h"

#include "sampler/policy/registry.h"

#define ENTRY(name) &block_##name,

const struct block_policy *const block_policies[] = {BLOCK_POLICIES(ENTRY)
                                                         NULL};
