/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Re-reference interval prediction with 2 bits a line (Jaleel et al., ISCA
 * 2010, "hit priority"): what srrip, ship and cacp share. */
#ifndef SAMPLER_POLICY_L1_RRIP_H
#define SAMPLER_POLICY_L1_RRIP_H

#include <stdint.h>

/* Predicted distance to the next use. */
enum { RRIP_NEAR = 0, RRIP_LONG = 2, RRIP_DISTANT = 3 };

/* Among ways first..end-1 the first whose value is RRIP_DISTANT; the values of
 * all of them grow until there is one. Locked ways are not chosen; -1 when all
 * are. */
int rrip_victim(uint8_t *value, const uint8_t *locked, int first, int end);

#endif
