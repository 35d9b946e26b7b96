/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured for the phase-aware scheduling paper (Awatramani et al.:
 * "paws") besides comparisons of runs. */
#ifndef PAPER_REPRO_PAWS_H
#define PAPER_REPRO_PAWS_H

#include "paper_repro/claim.h"

/* Types of Table II: GTO wins, RR wins; at a single level, at two. */
#define A_SINGLE                                                               \
    "bp-k1 bp-k2 bt-k1 bt-k2 kmeans lud srad dwt dxtc histogram "              \
    "montecarlo"
#define B_SINGLE "heartwall cfd fwt"
#define A_TWO    "bp-k2 bt-k1 bt-k2 srad dwt dxtc histogram montecarlo"
#define B_TWO    "bp-k1 heartwall kmeans lud cfd fwt"

typedef bool claim_measure(struct finding *f, const struct claim *c,
                           const struct view *v, struct error *e);

/* paws_phases.c: of the kernels' code. ---- */
/* Table II, each kernel's number; the paper's is that of the row. */
claim_measure measure_phases, measure_longest, measure_shortest, measure_blocks;
/* Fig. 4: the length of phase `c->kernels`, "1" or "2", of the vector add. */
claim_measure measure_vector_add;
/* Percent of all phases of Table II's kernels that are no longer than 512. */
claim_measure measure_cover;
/* Of c->kernels: static instructions; mean length of the phases; length of the
 * last one; whether the first one is the shortest. */
claim_measure measure_code, measure_mean_length, measure_last_phase,
    measure_first_shortest;

/* paws_time.c: over time, on one core. ---- */
/* Fig. 6: two predicates. Warps pile up under tlrr: the phase that holds most
 * of them holds more, on average over time, than under tlgto, and there is less
 * time in which ALU instructions are in flight. */
claim_measure measure_pile_up;
/* Fig. 7: two predicates. Under tlgto there is more time without any memory
 * instruction in flight than under tlrr, and the load varies more (its standard
 * deviation over its mean). */
claim_measure measure_memory_gaps;
/* Sec. V-E, Fig. 13: cycles for every six blocks of a core in which fewer warps
 * are active than fit, under c->subject. */
claim_measure measure_tail;

#endif
