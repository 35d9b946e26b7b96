/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An account of one point: where its cycles go, what limits it and what would
 * change it. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli/rules.h"
#include "cli/what_if.h"

#define USES_MAX   16 /* resources with a peak; more than there are */
#define ADVICE_MAX 32 /* rules; more than there are */

/* What stands in one line of the source, or at one address of a trace. */
struct source_line {
    uint32_t line, address; /* line 0: by address */
    uint32_t instructions, loads;
    double share; /* of a warp's time alone */
};

struct explanation {
    const struct options *options;
    const struct plan *plan;
    const struct plan_case *at; /* its only case */
    const struct estimate_results *results;
    const struct estimate_point *point;
    struct estimate_use use[USES_MAX]; /* the highest share first */
    size_t uses;
    struct estimate_occupancy fit;
    int warps, warps_most;
    uint32_t fewer_registers, fewer_shared; /* for one more block; 0: no way */
    struct estimate_code *code;             /* of the first launch */
    double *phase_share;
    size_t phases, heaviest;  /* heaviest: a phase */
    struct source_line *line; /* the heaviest first */
    size_t lines;
    double fact[FACTS];
    struct what_if_list what_if;
    /* The rules that hold: that of the limiter first, then by what their change
     * gains, then those that gain nothing. */
    const struct rule *advice[ADVICE_MAX];
    size_t advices;
};

/* Explain the only point of a plan that was run. explanation_free() in either
 * case. */
bool explanation_create(struct explanation *x, const struct plan *p,
                        const struct options *o,
                        const struct estimate_results *results,
                        struct estimate_error *e);
void explanation_free(struct explanation *x);

/* The changes that are shown: --top, or all. */
size_t explanation_changes(const struct explanation *x);
/* The change that a rule names, NULL where it was not tried. */
const struct what_if *explanation_change(const struct explanation *x,
                                         const char *key);

/* Advice i with what its change is worth. */
void explanation_advice(char *out, size_t size, const struct explanation *x,
                        size_t i);

/* A stall state's name as in CSV without "stall_", what it means, and the
 * point's share. False behind the last. */
struct stall_row {
    const char *name, *meaning;
    double share;
};
bool explanation_stall(struct stall_row *out, const struct estimate_point *p,
                       size_t i);

void write_explanation(FILE *f, const struct explanation *x, bool markdown);
void write_explanation_json(FILE *f, const struct explanation *x);

#endif
