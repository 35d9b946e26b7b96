/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/warp/table.h"

#include "sampler/policy/registry.h"

#define ENTRY(name) &warp_##name,

const struct warp_policy *const warp_policies[] = {WARP_POLICIES(ENTRY) NULL};
