/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a policy keeps the contract of its kind: a name that can be written
 * in lists of policies, defaults of parameters within their ranges, every
 * callback that is required, and none that would never be called. */
#ifndef SAMPLER_POLICY_CHECK_H
#define SAMPLER_POLICY_CHECK_H

#include "sampler/policy/policy.h"

/* STATUS_USAGE with one line that names the policy and the callback or the
 * parameter when not. */
bool policy_check(enum policy_kind kind, const struct policy_info *policy,
                  struct error *e);
bool policy_set_check(const struct policy_set *set, struct error *e);

#endif
