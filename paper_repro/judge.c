/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper claims: judges each claim on its paper's machine, where asked also on
 * the second one and by estimates, and writes what came of it. */
#include "paper_repro/ledger.h"
#include "paper_repro/machines.h"
#include "paper_repro/options.h"

#include <stdio.h>
#include <string.h>

#define IN_PARTS "on parts of the grids: "

struct judging {
    const struct options *options;
    struct lab *lab;
    struct ledger *ledger;
    struct ledger *parts; /* on whole grids: what came of parts of them */
    int judged, failed;   /* claims; those with a run that failed */
};

static bool holds_beside(const struct judging *j, const struct claim *c)
{
    return strcmp(ledger_get(j->ledger, c->id, COLUMN_SECOND_VERDICT),
                  verdict_names[HOLDS]) == 0;
}

/* What readings showed of parts of the grids, where the claim was open, too. */
static bool set_cause_of_parts(const struct judging *j, const struct claim *c)
{
    char cause[4200] = NOT_KNOWN;
    const char *shown = ledger_get(j->parts, c->id, COLUMN_CAUSE);
    if (shown[0] != '\0' && strncmp(shown, NOT_KNOWN, strlen(NOT_KNOWN)) != 0)
        snprintf(cause, sizeof(cause), IN_PARTS "%s", shown);
    return ledger_set(j->ledger, c->id, COLUMN_CAUSE, cause);
}

/* What its row says of a claim that fails, where no readings have said more
 * (causes.c). */
static bool set_cause(const struct judging *j, const struct claim *c,
                      const struct finding *f)
{
    bool open = f->verdict == FAILS || f->verdict == TIE;
    const char *known = ledger_get(j->ledger, c->id, COLUMN_CAUSE);
    if (open && c->cause != NULL &&
        (c->code || strncmp(known, c->cause, strlen(c->cause)) != 0))
        return ledger_set(j->ledger, c->id, COLUMN_CAUSE, c->cause);
    bool unknown = known[0] == '\0' || strstr(known, NOT_KNOWN) == known;
    if (open && unknown && holds_beside(j, c))
        return ledger_set(j->ledger, c->id, COLUMN_CAUSE,
                          "machine: holds with the second one");
    if (open && unknown)
        return set_cause_of_parts(j, c);
    return open || ledger_set(j->ledger, c->id, COLUMN_CAUSE, "");
}

/* On the paper's machine. */
static bool judge_plain(struct judging *j, const struct claim *c,
                        const char *gpu, struct error *e)
{
    const struct view v = {.lab = j->lab, .gpu = gpu};
    struct finding f;
    bool ran = claim_judge(&f, c, &v);
    if (lab_listening(j->lab))
        return true;
    j->failed += !ran;
    j->judged++;
    const char *machine = c->code ? "" : c->gpu != NULL ? c->gpu : gpu;
    const char *window = c->code ? "" : window_names[lab_window(j->lab)];
    return (ledger_set_finding(j->ledger, c, &f) && set_cause(j, c, &f) &&
            ledger_set(j->ledger, c->id, COLUMN_MACHINE, machine) &&
            ledger_set(j->ledger, c->id, COLUMN_WINDOW, window)) ||
           error_no_memory(e);
}

static bool judge_second(struct judging *j, const struct claim *c,
                         const char *gpu, struct error *e)
{
    const struct view v = {.lab = j->lab, .gpu = gpu};
    struct finding f;
    bool ran = claim_judge(&f, c, &v);
    if (lab_listening(j->lab))
        return true;
    j->failed += !ran;
    return (ledger_set_beside(j->ledger, c, &f, COLUMN_SECOND_OURS) &&
            ledger_set(j->ledger, c->id, COLUMN_SECOND, gpu)) ||
           error_no_memory(e);
}

/* Where all its points have estimates. */
static bool judge_estimate(struct judging *j, const struct claim *c,
                           const struct machine *m, struct error *e)
{
    const struct view v = {.lab = j->lab, .gpu = m->gpu, .study = m->study};
    struct finding f;
    bool ran = claim_judge(&f, c, &v);
    if (lab_listening(j->lab) || !ran)
        return true;
    return ledger_set_beside(j->ledger, c, &f, COLUMN_ESTIMATE) ||
           error_no_memory(e);
}

static bool judge_claim(struct judging *j, const struct claim *c,
                        const struct machine *m, struct error *e)
{
    bool runs =
        c->cannot == NULL && c->input == NULL && !c->code && lab_beside(j->lab);
    bool second = runs && m->second != NULL && c->gpu == NULL;
    bool estimate = runs && m->study != NULL &&
                    (c->cycles || (c->measure == NULL && c->metric == speed));
    return judge_plain(j, c, m->gpu, e) &&
           (!second || judge_second(j, c, m->second, e)) &&
           (!estimate || judge_estimate(j, c, m, e));
}

static bool judge_all(void *user, struct error *e)
{
    struct judging *j = user;
    bool ok = true;
    for (int p = 0; ok && p < CLAIM_PAPERS; p++) {
        const struct claims *s = all_claims[p];
        for (size_t i = 0; ok && i < s->count; i++)
            if (options_want(j->options, s->paper, s->claim[i].id))
                ok = judge_claim(j, &s->claim[i], machine_of(s->paper), e);
    }
    return ok;
}

static bool judge_and_write(struct judging *j, struct error *e)
{
    const char *folder = j->options->folder;
    bool whole = lab_window(j->lab) == WINDOW_FULL;
    if ((folder != NULL && !ledger_read(j->ledger, j->options, e)) ||
        (whole && !ledger_read_csv(j->parts, OPTIONS_PARTS "/claims.csv", e)) ||
        !lab_gather(j->lab, judge_all, j, e))
        return false;
    if (j->judged == 0)
        return error_set(e, STATUS_USAGE, "no such paper or claim");
    ledger_print(j->ledger, stdout, true);
    if (folder != NULL && !ledger_write(j->ledger, j->options, e))
        return false;
    return j->failed == 0 ||
           error_set(e, STATUS_FAILED, "runs of %d claims failed", j->failed);
}

bool claims_command(const struct options *o, struct lab *l, struct error *e)
{
    struct judging j = {.options = o,
                        .lab = l,
                        .ledger = ledger_create(),
                        .parts = ledger_create()};
    bool ok = j.ledger != NULL && j.parts != NULL ? judge_and_write(&j, e)
                                                  : error_no_memory(e);
    ledger_free(j.ledger);
    ledger_free(j.parts);
    return ok;
}
