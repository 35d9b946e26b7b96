/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/warp/policies.h"

// clang-format off
const struct warp_policy *const warp_policies[] = {
    &warp_lrr,
    &warp_gto,
    &warp_old,
    &warp_gty,
    &warp_tlrr,
    &warp_tlgto,
    &warp_tlpaws,
    &warp_paws,
    &warp_swl,
    &warp_ccws,
    &warp_kaws,
    &warp_kaws_k,
    &warp_kaws_s,
    &warp_caws,
    &warp_gcaws,
    &warp_cawa,
    NULL,
};
// clang-format on
