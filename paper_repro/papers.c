/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The papers in the order in which they are told of. */
#include "paper_repro/claim.h"

const struct claims *const all_claims[CLAIM_PAPERS] = {
    &paws_claims, &perfsat_claims, &kaws_claims, &cawa_claims, &ikra_claims};
