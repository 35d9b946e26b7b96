/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/warp/policies.h"

const struct warp_policy *const warp_policies[] = {
    &warp_lrr,   &warp_gto,    &warp_old,  &warp_tlrr,
    &warp_tlgto, &warp_tlpaws, &warp_paws, NULL,
};
