/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every thread-block scheduler in the order in which they are listed. A new one
 * is a line here: X(name) stands for the block_name of its file. */
#ifndef SAMPLER_POLICY_BLOCK_TABLE_H
#define SAMPLER_POLICY_BLOCK_TABLE_H

#include "sampler/policy/block/block_policy.h"

// clang-format off
#define BLOCK_POLICIES(X) \
    X(rr)                 \
    X(perfsat)            \
    X(chunk)              \
    X(reset)              \
    X(flip)               \
    X(steal)              \
    X(dyncta)             \
    X(lcs)

// clang-format on

#define DECLARE(name) extern const struct block_policy block_##name;
BLOCK_POLICIES(DECLARE)
#undef DECLARE

#endif
