/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every warp scheduler; the table is in table.c. */
#ifndef SAMPLER_POLICY_WARP_POLICIES_H
#define SAMPLER_POLICY_WARP_POLICIES_H

#include "sampler/policy/warp/warp_policy.h"

extern const struct warp_policy warp_lrr;
extern const struct warp_policy warp_gto;
extern const struct warp_policy warp_old;
extern const struct warp_policy warp_tlrr;
extern const struct warp_policy warp_tlgto;
extern const struct warp_policy warp_tlpaws;
extern const struct warp_policy warp_paws;
extern const struct warp_policy warp_gty;
extern const struct warp_policy warp_swl;
extern const struct warp_policy warp_ccws;
extern const struct warp_policy warp_caws;
extern const struct warp_policy warp_gcaws;
extern const struct warp_policy warp_kaws;
extern const struct warp_policy warp_kaws_k;
extern const struct warp_policy warp_kaws_s;
extern const struct warp_policy warp_cawa;

/* The oldest warp of a mask (not 0). */
int warp_oldest(const struct warp_table *table, uint64_t mask);
/* Order and (no) state of old, for policies that are old otherwise. */
void warp_old_init(void *state, const struct warp_context *context);
int warp_old_pick(void *state, const struct warp_table *table, uint64_t ready,
                  uint64_t cycle);
/* Whether warp a is nearer to the end of its phase than b, ties to the oldest
 * (paws Sec. IV-B2). */
bool warp_ends_phase_sooner(const struct warp_table *table, int a, int b);
/* The warp issued last (-1: none) if it is ready, else the oldest that is. */
int warp_greedy_oldest(const struct warp_table *table, uint64_t ready,
                       int last);

#endif
