/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a point's numbers advise: a table of conditions and texts. */
#ifndef CLI_RULES_H
#define CLI_RULES_H

#include <stddef.h>

/* What conditions are about, from 0 to 1 but the last two. NAN: not known. */
enum fact {
    FACT_ISSUE, /* shares of peak, in the order of estimate_point_use() */
    FACT_SP,
    FACT_INT,
    FACT_SFU,
    FACT_DP,
    FACT_TENSOR,
    FACT_L1,
    FACT_SHARED,
    FACT_L2,
    FACT_INTERCONNECT,
    FACT_DRAM,
    FACT_HIGHEST, /* of these */
    FACT_IDLE,    /* shares of issue slots */
    FACT_SB_MEM,
    FACT_SB_ALU,
    FACT_OCCUPANCY, /* warps that fit, of the SM's */
    FACT_L1_MISS,
    FACT_L2_MISS,
    FACT_WAVES,  /* blocks of the grid over those that the GPU holds at once */
    FACT_BLOCKS, /* blocks of the grid over SMs */
    FACTS
};

struct condition {
    enum fact fact;
    char sign; /* '>' or '<'; 0: holds always */
    double value;
};

#define CONDITIONS_MAX 3

struct rule {
    const char *name;
    struct condition when[CONDITIONS_MAX]; /* all of them */
    const char *text;
    const char *what_if; /* the change that shows what it is worth, or NULL */
};

/* Rule i of the table that holds for the facts; NULL behind the last. */
const struct rule *rule_holding(const double fact[FACTS], size_t i);
/* Rule i; NULL behind the last. */
const struct rule *rule_at(size_t i);

#endif
