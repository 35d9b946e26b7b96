/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every thread-block scheduler; the table is in table.c. */
#ifndef SAMPLER_POLICY_BLOCK_POLICIES_H
#define SAMPLER_POLICY_BLOCK_POLICIES_H

#include "sampler/policy/block/block_policy.h"

extern const struct block_policy block_rr;
extern const struct block_policy block_perfsat;
extern const struct block_policy block_chunk;
extern const struct block_policy block_reset;
extern const struct block_policy block_flip;
extern const struct block_policy block_steal;
extern const struct block_policy block_dyncta;
extern const struct block_policy block_lcs;

#endif
