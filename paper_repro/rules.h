/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How any claim is judged, decided before results and never for one claim:
 *
 * - sign: a value counts when it is on the right side of 1 by more than 1 %,
 *   within that it is even. A claim holds when enough values count, fails when
 *   so many are on the wrong side that it cannot hold any more, and else is a
 *   tie.
 * - comparable: within 2 % of 1. Where a paper has to say what still counts as
 *   an improvement, it is 2 % (perfsat Sec. V-B).
 * - contrast: "comparable" said of a change in contrast to another one for
 * which the paper gives a number (at another level, on another GPU): at most
 * half of that other change as it is here, or comparable.
 * - at least, at most: the stated bound. Exact: equal.
 * - change: ours against the paper's, each a ratio r that stands for a change
 * of r - 1. The sign is right, and the one change over the other is within
 *   [1/2, 2] or the two differ by at most 3 points of percent. Also told:
 *   whether it would hold with [1/1.5, 1.5].
 * - value: what is no change (cycles, a count): ours over the paper's within
 *   [1/2, 2], also told at 1.5.
 * - percent: a share in percent: likewise, or within 3 points.
 * - shape: a predicate that stands beside the row, decided before it is run: 1
 *   when it is met, else 0.
 *
 * A claim of several values holds when every one does, unless the paper says
 * how many do. What has no number (NAN) does not hold. */
#ifndef PAPER_REPRO_RULES_H
#define PAPER_REPRO_RULES_H

#include <stdbool.h>
#include <stddef.h>

#define RULE_TIE        0.01
#define RULE_COMPARABLE 0.02
#define RULE_BAND       2.0
#define RULE_CLOSE_BAND 1.5
#define RULE_POINTS     3.0

enum rule {
    LESS,
    MORE,
    NOT_LESS, /* the wrong side alone counts against it: "no worse than" */
    COMPARABLE,
    CONTRAST,
    AT_LEAST,
    AT_MOST,
    EXACT,
    CHANGE,
    VALUE,
    PERCENT,
    SHAPE
};

/* Input: read back from what a kernel file was made of, or what cannot fail; it
 * is no part of the score. */
enum verdict { HOLDS, FAILS, TIE, INPUT, CANNOT, VERDICTS };
extern const char *const verdict_names[VERDICTS];

/* `ours` and what the rule holds it against: signs, COMPARABLE: nothing, ours
 * is a ratio; CONTRAST: the other change, measured here; bounds: the bound;
 * else the paper's. */
struct value {
    char label[64];
    double ours, paper;
};

/* How a value stands under a rule with `band` for RULE_BAND. */
enum standing { RIGHT, EVEN, WRONG };
enum standing rule_standing(enum rule rule, const struct value *v, double band);

/* Ours over the paper's, of changes where the rule is CHANGE; NAN where there
 * is no such ratio. */
double rule_ratio(enum rule rule, const struct value *v);

struct judgement {
    enum verdict verdict; /* HOLDS, FAILS or TIE */
    bool close;           /* holds at RULE_CLOSE_BAND, too */
    int right, of;
};

/* need: so many values are enough, 0 = all. No value at all fails. */
struct judgement rule_judge(enum rule rule, const struct value *v, int count,
                            int need);

/* "+6.3 %", "0.987", "42", "yes": a number of that rule's kind, as text. */
void rule_text(enum rule rule, double number, char *out, size_t size);

#endif
