/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper readings: judges the claims that do not hold under every reading of
 * their paper; writes readings.csv, and the causes into claims.csv. */
#include "paper_repro/ledger.h"
#include "paper_repro/machines.h"
#include "paper_repro/options.h"
#include "paper_repro/readings.h"
#include "paper_repro/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "id,kind of reading,reading,verdict then,"
                           "at 1.5 then,verdict,window,machine,ours";

struct explaining {
    const struct options *options;
    struct lab *lab;
    struct sheet *sheet;
    struct ledger *ledger;
};

static struct view plain_view(const struct explaining *x, const char *paper)
{
    return (struct view){.lab = x->lab, .gpu = machine_of(paper)->gpu};
}

static struct view reading_view(const struct explaining *x, const char *paper,
                                const struct reading *r)
{
    struct view v = plain_view(x, paper);
    if (r->gpu != NULL)
        v.gpu = r->gpu;
    v.keys = r->keys;
    v.rename = r->rename;
    v.kernels = r->kernels;
    v.window = r->window;
    return v;
}

static bool reads(const struct reading *r, const char *paper)
{
    return r->paper == NULL || strcmp(r->paper, paper) == 0;
}

static bool is_asked_for(const struct explaining *x, const struct reading *r)
{
    const char *name = x->options->reading;
    return name == NULL || strcmp(name, r->name) == 0;
}

/* Whether a claim is judged by runs, and does not hold. */
static bool is_open(const struct claim *c, const struct finding *f)
{
    return !c->code && (f->verdict == FAILS || f->verdict == TIE);
}

static bool add_line(struct explaining *x, const struct claim *c,
                     const struct finding *plain, const struct reading *r,
                     const struct view *v, const struct finding *f)
{
    char ours[8192];
    enum window window =
        v->window != WINDOW_UNSET ? v->window : lab_window(x->lab);
    finding_text(ours, sizeof(ours), c, f);
    const char *const cell[] = {
        r->group,
        r->name,
        verdict_names[f->verdict],
        f->verdict != CANNOT && f->judgement.close ? "yes" : "no",
        verdict_names[plain->verdict],
        window_names[window],
        c->gpu != NULL ? c->gpu : v->gpu,
        ours};
    return sheet_drop(x->sheet, c->id, cell, 2) &&
           sheet_add(x->sheet, c->id, cell, sizeof(cell) / sizeof(cell[0]));
}

/* The readings under which a claim holds, into `found`; how many did not. */
static int sum_up_readings(char *found, size_t size, const struct explaining *x,
                           const struct claim *c, const char *paper)
{
    int others = 0;
    found[0] = '\0';
    for (const struct reading *r = readings; r->name != NULL; r++) {
        if (!reads(r, paper))
            continue;
        const char *const cell[] = {r->group, r->name, verdict_names[HOLDS]};
        size_t used = strlen(found);
        if (sheet_has(x->sheet, c->id, cell, 3))
            snprintf(found + used, size - used, "%s%s: holds with %s",
                     used > 0 ? "; " : "", r->group, r->name);
        else
            others += sheet_has(x->sheet, c->id, cell, 2);
    }
    return others;
}

/* What its row says, and the readings under which a claim holds. */
static bool set_cause(const struct explaining *x, const struct claim *c,
                      const char *paper)
{
    char cause[4096], found[1024];
    int others = sum_up_readings(found, sizeof(found), x, c, paper);
    if (c->cause == NULL && found[0] == '\0')
        snprintf(cause, sizeof(cause),
                 NOT_KNOWN ": none of %d readings makes it hold", others);
    else
        snprintf(cause, sizeof(cause), "%s%s%s",
                 c->cause != NULL ? c->cause : "",
                 c->cause != NULL && found[0] != '\0' ? "; " : "", found);
    printf("%-10s %s\n", c->id, cause);
    return ledger_set(x->ledger, c->id, COLUMN_CAUSE, cause);
}

/* The claim as it is, then if it is open under each reading asked for. */
static bool explain(struct explaining *x, const struct claim *c,
                    const char *paper, struct error *e)
{
    struct view v = plain_view(x, paper);
    struct finding plain, f;
    bool listening = lab_listening(x->lab);
    claim_judge(&plain, c, &v);
    if (!listening && !is_open(c, &plain))
        return sheet_drop(x->sheet, c->id, NULL, 0) &&
               ledger_set(x->ledger, c->id, COLUMN_CAUSE, "");
    for (const struct reading *r = readings; r->name != NULL; r++) {
        if (!reads(r, paper) || !is_asked_for(x, r))
            continue;
        v = reading_view(x, paper, r);
        claim_judge(&f, c, &v);
        if (!listening && !add_line(x, c, &plain, r, &v, &f))
            return error_no_memory(e);
    }
    return listening || set_cause(x, c, paper) || error_no_memory(e);
}

/* Which claims are open is known from points that have run: those of others are
 * not asked for. */
static bool explain_open(void *user, struct error *e)
{
    struct explaining *x = user;
    bool ok = true;
    for (int p = 0; ok && p < CLAIM_PAPERS; p++) {
        const struct claims *s = all_claims[p];
        for (size_t i = 0; ok && i < s->count; i++) {
            const struct claim *c = &s->claim[i];
            const char *was = ledger_get(x->ledger, c->id, COLUMN_VERDICT);
            if (options_want(x->options, s->paper, c->id) && !c->code &&
                (strcmp(was, verdict_names[FAILS]) == 0 ||
                 strcmp(was, verdict_names[TIE]) == 0))
                ok = explain(x, c, s->paper, e);
        }
    }
    return ok;
}

static bool explain_and_write(struct explaining *x, struct error *e)
{
    char sheet[PATH_BYTES];
    options_path(sheet, x->options, "readings.csv");
    if (x->options->folder == NULL)
        return error_set(e, STATUS_USAGE, "readings: expected a folder");
    return ledger_read(x->ledger, x->options, e) &&
           sheet_read(x->sheet, sheet, e) &&
           lab_gather(x->lab, explain_open, x, e) &&
           sheet_write(x->sheet, sheet, e) &&
           ledger_write(x->ledger, x->options, e);
}

bool readings_command(const struct options *o, struct lab *l, struct error *e)
{
    struct explaining x = {.options = o,
                           .lab = l,
                           .sheet = sheet_create(head),
                           .ledger = ledger_create()};
    bool ok = x.sheet != NULL && x.ledger != NULL ? explain_and_write(&x, e)
                                                  : error_no_memory(e);
    sheet_free(x.sheet);
    ledger_free(x.ledger);
    return ok;
}
