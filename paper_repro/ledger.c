/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/ledger.h"
#include "paper_repro/csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const heads[COLUMNS] = {"id",
                                           "kind",
                                           "what",
                                           "paper",
                                           "ours",
                                           "ratio",
                                           "verdict",
                                           "at 1.5",
                                           "window",
                                           "machine",
                                           "second",
                                           "second's ours",
                                           "second's verdict",
                                           "estimate",
                                           "estimate's verdict",
                                           "cause",
                                           "reason"};

struct row {
    const struct claim *claim;
    const char *paper;
    char *cell[COLUMNS]; /* NULL: nothing */
    bool set;            /* by a finding */
};

struct ledger {
    size_t rows;
    struct row row[];
};

struct ledger *ledger_create(void)
{
    size_t rows = 0;
    for (int p = 0; p < CLAIM_PAPERS; p++)
        rows += all_claims[p]->count;
    struct ledger *g = calloc(1, sizeof(*g) + rows * sizeof(g->row[0]));
    if (g == NULL)
        return NULL;
    for (int p = 0; p < CLAIM_PAPERS; p++)
        for (size_t i = 0; i < all_claims[p]->count; i++) {
            struct row *r = &g->row[g->rows++];
            r->claim = &all_claims[p]->claim[i];
            r->paper = all_claims[p]->paper;
        }
    return g;
}

void ledger_free(struct ledger *g)
{
    for (size_t i = 0; g != NULL && i < g->rows; i++)
        for (int c = 0; c < COLUMNS; c++)
            free(g->row[i].cell[c]);
    free(g);
}

static struct row *row_of(const struct ledger *g, const char *id)
{
    for (size_t i = 0; i < g->rows; i++)
        if (strcmp(g->row[i].claim->id, id) == 0)
            return (struct row *)&g->row[i];
    return NULL;
}

/* What the claim's own row says, whatever came of it. */
static const char *own_text(const struct claim *c, enum ledger_column column)
{
    switch (column) {
    case COLUMN_ID:
        return c->id;
    case COLUMN_KIND:
        return kind_names[c->kind];
    case COLUMN_WHAT:
        return c->what;
    case COLUMN_PAPER:
        return c->paper;
    default:
        return NULL;
    }
}

static const char *cell(const struct row *r, enum ledger_column column)
{
    const char *own = own_text(r->claim, column);
    const char *kept = r->cell[column] != NULL ? r->cell[column] : "";
    return own != NULL ? own : kept;
}

const char *ledger_get(const struct ledger *g, const char *id,
                       enum ledger_column column)
{
    const struct row *r = row_of(g, id);
    return r != NULL ? cell(r, column) : "";
}

bool ledger_set(struct ledger *g, const char *id, enum ledger_column column,
                const char *text)
{
    struct row *r = row_of(g, id);
    char *copy = r != NULL ? strdup(text) : NULL;
    if (copy == NULL)
        return false;
    free(r->cell[column]);
    r->cell[column] = copy;
    return true;
}

/* ---- findings --------------------------------------------------------------
 */

static size_t append(char *out, size_t size, size_t used, const char *text)
{
    int n = used < size ? snprintf(out + used, size - used, "%s", text) : 0;
    return used + (size_t)n;
}

/* A value with its mark and, where the rule holds it against one of its own,
 * the paper's. */
static size_t append_value(char *out, size_t size, size_t used,
                           const struct claim *c, const struct value *v,
                           bool several)
{
    static const char *const mark[] = {"", "=", "!"};
    char number[64], paper[64], text[256];
    rule_text(c->rule, v->ours, number, sizeof(number));
    rule_text(c->rule, v->paper, paper, sizeof(paper));
    bool against = c->rule == CONTRAST ||
                   (several && c->rule >= EXACT && c->rule != SHAPE);
    snprintf(text, sizeof(text), "%s%s %s%s%s%s",
             several ? mark[rule_standing(c->rule, v, RULE_BAND)] : "",
             v->label, number, against ? " (" : "", against ? paper : "",
             against ? ")" : "");
    return append(out, size, used, text);
}

void finding_text(char *out, size_t size, const struct claim *c,
                  const struct finding *f)
{
    size_t used = 0;
    out[0] = '\0';
    if (f->values > 1) {
        char head[64];
        snprintf(head, sizeof(head), "%d of %d: ", f->judgement.right,
                 f->judgement.of);
        used = append(out, size, used, head);
    }
    for (int i = 0; i < f->values; i++) {
        used = append(out, size, used, i > 0 ? ", " : "");
        used = append_value(out, size, used, c, &f->value[i], f->values > 1);
    }
}

/* Of the value furthest from the paper's, in whichever direction. */
static double worst_ratio(const struct claim *c, const struct finding *f)
{
    double worst = NAN, most = -1;
    for (int i = 0; i < f->values; i++) {
        double ratio = rule_ratio(c->rule, &f->value[i]);
        double off = ratio > 0 ? fabs(log(ratio)) : INFINITY;
        if (!isnan(ratio) && off > most) {
            most = off;
            worst = ratio;
        }
    }
    return worst;
}

bool ledger_set_beside(struct ledger *g, const struct claim *c,
                       const struct finding *f, enum ledger_column ours)
{
    char text[8192];
    finding_text(text, sizeof(text), c, f);
    return ledger_set(g, c->id, ours, text) &&
           ledger_set(g, c->id, (enum ledger_column)(ours + 1),
                      verdict_names[f->verdict]);
}

bool ledger_set_finding(struct ledger *g, const struct claim *c,
                        const struct finding *f)
{
    char text[8192], ratio[32] = "";
    double worst = worst_ratio(c, f);
    bool judged = f->values > 0;
    row_of(g, c->id)->set = true;
    finding_text(text, sizeof(text), c, f);
    if (!isnan(worst))
        snprintf(ratio, sizeof(ratio), "%.3g", worst);
    const char *reason = c->input != NULL ? c->input : f->note;
    const char *close = f->verdict == CANNOT || f->verdict == INPUT ? ""
                        : judged && f->judgement.close              ? "yes"
                                                                    : "no";
    bool open = f->verdict == FAILS || f->verdict == TIE;
    if (!open && !ledger_set(g, c->id, COLUMN_CAUSE, ""))
        return false;
    return ledger_set(g, c->id, COLUMN_OURS, text) &&
           ledger_set(g, c->id, COLUMN_RATIO, ratio) &&
           ledger_set(g, c->id, COLUMN_VERDICT, verdict_names[f->verdict]) &&
           ledger_set(g, c->id, COLUMN_CLOSE, close) &&
           ledger_set(g, c->id, COLUMN_REASON, reason);
}

/* ---- files -----------------------------------------------------------------
 */

bool ledger_write_csv(const struct ledger *g, const char *path, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    for (int c = 0; c < COLUMNS; c++)
        fprintf(f, "%s%s", c > 0 ? "," : "", heads[c]);
    fputc('\n', f);
    for (size_t i = 0; i < g->rows; i++)
        for (int c = 0; c < COLUMNS; c++) {
            csv_write(f, cell(&g->row[i], (enum ledger_column)c));
            fputc(c < COLUMNS - 1 ? ',' : '\n', f);
        }
    if (fclose(f) != 0)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    return true;
}

static bool read_line(struct ledger *g, char *line)
{
    char id[32];
    char *text = csv_next(&line);
    snprintf(id, sizeof(id), "%s", text);
    bool ok = true;
    for (int c = 1; ok && c < COLUMNS; c++) {
        text = csv_next(&line);
        if (text != NULL && row_of(g, id) != NULL)
            ok = ledger_set(g, id, (enum ledger_column)c, text);
    }
    return ok;
}

bool ledger_read_csv(struct ledger *g, const char *path, struct error *e)
{
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return true;
    char line[CSV_LINE];
    bool ok = true, head = true;
    while (ok && fgets(line, sizeof(line), f) != NULL) {
        ok = head || read_line(g, line);
        head = false;
    }
    fclose(f);
    return ok || error_no_memory(e);
}

struct totals {
    int verdict[VERDICTS], close, all;
};

static void add_row(struct totals *t, const struct row *r)
{
    t->all++;
    for (int v = 0; v < VERDICTS; v++)
        t->verdict[v] += strcmp(cell(r, COLUMN_VERDICT), verdict_names[v]) == 0;
    t->close += strcmp(cell(r, COLUMN_CLOSE), "yes") == 0;
}

static void print_totals(FILE *f, const char *name, const struct totals *t)
{
    int judged = t->verdict[HOLDS] + t->verdict[FAILS] + t->verdict[TIE];
    fprintf(f,
            "%s: %d of %d hold (%d at 1.5), %d ties, %d fail; %d inputs and "
            "%d that cannot be judged of %d\n",
            name, t->verdict[HOLDS], judged, t->close, t->verdict[TIE],
            t->verdict[FAILS], t->verdict[INPUT], t->verdict[CANNOT], t->all);
}

static void print_row(const struct row *r, FILE *f)
{
    fprintf(f, "%-10s %-6s  %s\n", r->claim->id, cell(r, COLUMN_VERDICT),
            r->claim->what);
    fprintf(f, "    paper:  %s\n", r->claim->paper);
    static const struct {
        enum ledger_column column;
        const char *name;
    } more[] = {{COLUMN_OURS, "ours"},
                {COLUMN_RATIO, "ratio"},
                {COLUMN_CAUSE, "cause"},
                {COLUMN_REASON, "note"}};
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
        if (cell(r, more[i].column)[0] != '\0')
            fprintf(f, "    %-7s %s\n", more[i].name, cell(r, more[i].column));
    if (cell(r, COLUMN_SECOND_VERDICT)[0] != '\0')
        fprintf(f, "    %s: %s: %s\n", cell(r, COLUMN_SECOND),
                cell(r, COLUMN_SECOND_VERDICT), cell(r, COLUMN_SECOND_OURS));
    if (cell(r, COLUMN_ESTIMATE_VERDICT)[0] != '\0')
        fprintf(f, "    estimate: %s: %s\n", cell(r, COLUMN_ESTIMATE_VERDICT),
                cell(r, COLUMN_ESTIMATE));
}

void ledger_print(const struct ledger *g, FILE *f, bool set_alone)
{
    struct totals all = {.all = 0};
    for (int p = 0; p < CLAIM_PAPERS; p++) {
        struct totals t = {.all = 0};
        for (size_t i = 0; i < g->rows; i++)
            if (strcmp(g->row[i].paper, all_claims[p]->paper) == 0 &&
                (set_alone ? g->row[i].set
                           : cell(&g->row[i], COLUMN_VERDICT)[0] != '\0')) {
                print_row(&g->row[i], f);
                add_row(&t, &g->row[i]);
                add_row(&all, &g->row[i]);
            }
        if (t.all > 0)
            print_totals(f, all_claims[p]->paper, &t);
    }
    print_totals(f, "all", &all);
}

bool ledger_read(struct ledger *g, const struct options *o, struct error *e)
{
    char path[PATH_BYTES];
    options_path(path, o, "claims.csv");
    return ledger_read_csv(g, path, e);
}

bool ledger_write(const struct ledger *g, const struct options *o,
                  struct error *e)
{
    char path[PATH_BYTES];
    options_path(path, o, "claims.csv");
    if (!ledger_write_csv(g, path, e))
        return false;
    options_path(path, o, "claims.txt");
    FILE *f = fopen(path, "w");
    if (f != NULL)
        ledger_print(g, f, false);
    return (f != NULL && fclose(f) == 0) ||
           error_set(e, STATUS_FAILED, "%s: cannot be written", path);
}
