/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/rules.h"

#include <math.h>
#include <stdio.h>

const char *const verdict_names[VERDICTS] = {"holds", "fails", "tie", "input",
                                             "cannot"};

/* Above 1 by more than the tie's width. */
static enum standing above(double ratio)
{
    return ratio > 1 + RULE_TIE ? RIGHT : ratio >= 1 - RULE_TIE ? EVEN : WRONG;
}

static enum standing below(double ratio)
{
    return ratio < 1 - RULE_TIE ? RIGHT : ratio <= 1 + RULE_TIE ? EVEN : WRONG;
}

static enum standing right_if(bool right)
{
    return right ? RIGHT : WRONG;
}

/* Rounding of the last digit does not decide at a rule's edge. */
static bool at_most(double x, double bound)
{
    return x <= bound + 1e-9 * fabs(bound);
}

static bool in_band(double ratio, double band)
{
    return at_most(1 / band, ratio) && at_most(ratio, band);
}

static bool within_points(double ours, double paper)
{
    return at_most(fabs(ours - paper), RULE_POINTS);
}

static bool comparable(double ratio)
{
    return at_most(fabs(ratio - 1), RULE_COMPARABLE);
}

double rule_ratio(enum rule rule, const struct value *v)
{
    if (rule == CHANGE)
        return (v->ours - 1) / (v->paper - 1);
    return rule == VALUE || rule == PERCENT ? v->ours / v->paper : NAN;
}

enum standing rule_standing(enum rule rule, const struct value *v, double band)
{
    double ours = v->ours, paper = v->paper, ratio = rule_ratio(rule, v);
    if (isnan(ours))
        return WRONG;
    switch (rule) {
    case LESS:
        return below(ours);
    case MORE:
        return above(ours);
    case NOT_LESS:
        return above(ours) == WRONG ? WRONG : RIGHT;
    case COMPARABLE:
        return right_if(comparable(ours));
    case CONTRAST:
        return right_if(comparable(ours) ||
                        at_most(fabs(ours - 1), fabs(paper - 1) / 2));
    case AT_LEAST:
        return right_if(at_most(paper, ours));
    case AT_MOST:
        return right_if(at_most(ours, paper));
    case EXACT:
        return right_if(at_most(ours, paper) && at_most(paper, ours));
    case CHANGE: /* the band is above 0: of the same sign */
        return right_if(in_band(ratio, band) ||
                        ((ratio > 0 || paper == 1) &&
                         within_points(100 * ours, 100 * paper)));
    case PERCENT:
        return right_if(in_band(ratio, band) || within_points(ours, paper));
    case VALUE:
        return right_if(in_band(ratio, band));
    default:
        return right_if(ours == 1);
    }
}

static enum verdict verdict_of(int right, int wrong, int count, int need)
{
    if (count > 0 && right >= need)
        return HOLDS;
    return count == 0 || count - wrong < need ? FAILS : TIE;
}

struct judgement rule_judge(enum rule rule, const struct value *v, int count,
                            int need)
{
    struct judgement j = {.of = count};
    int wrong = 0, close = 0;
    for (int i = 0; i < count; i++) {
        enum standing s = rule_standing(rule, &v[i], RULE_BAND);
        j.right += s == RIGHT;
        wrong += s == WRONG;
        close += rule_standing(rule, &v[i], RULE_CLOSE_BAND) == RIGHT;
    }
    need = need > 0 ? need : count;
    j.verdict = verdict_of(j.right, wrong, count, need);
    j.close = count > 0 && close >= need;
    return j;
}

void rule_text(enum rule rule, double number, char *out, size_t size)
{
    if (isnan(number))
        snprintf(out, size, "unknown");
    else if (rule == SHAPE)
        snprintf(out, size, "%s", number == 1 ? "yes" : "no");
    else if (rule == PERCENT)
        snprintf(out, size, "%.1f %%", number);
    else if (rule == EXACT || rule == VALUE)
        snprintf(out, size, "%.5g", number);
    else if (rule == AT_LEAST || rule == AT_MOST)
        snprintf(out, size, "%.4g", number);
    else
        snprintf(out, size, "%+.1f %%", 100 * (number - 1));
}
