/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every warp scheduler in the order in which they are listed. A new one is a
 * line here: X(name) stands for the warp_name of its file. */
#ifndef SAMPLER_POLICY_WARP_TABLE_H
#define SAMPLER_POLICY_WARP_TABLE_H

#include "sampler/policy/warp/warp_policy.h"

// clang-format off
#define WARP_POLICIES(X) \
    X(lrr)               \
    X(gto)               \
    X(old)               \
    X(gty)               \
    X(tlrr)              \
    X(tlgto)             \
    X(tlpaws)            \
    X(paws)              \
    X(swl)               \
    X(ccws)              \
    X(kaws)              \
    X(kaws_k)            \
    X(kaws_s)            \
    X(caws)              \
    X(gcaws)             \
    X(cawa)

// clang-format on

#define DECLARE(name) extern const struct warp_policy warp_##name;
WARP_POLICIES(DECLARE)
#undef DECLARE

#endif
