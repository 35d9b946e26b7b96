/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_overview.h"

#include "cli/columns.h"
#include "cli/figures.h"
#include "cli/grid.h"
#include "cli/hardware.h"
#include "cli/header.h"
#include "cli/names.h"
#include "cli/out_account.h"

#include <math.h>
#include <string.h>

#define LABEL        (NAME_BYTES + 256)
#define FACTS_MAX    512
#define HEADING_MAX  (LABEL + FACTS_MAX + 128)
#define FACTS_CASES  3   /* so few are each introduced */
#define LONG_US      1e4 /* times from here on are shown in milliseconds */
#define OVERVIEW_CUT 32  /* columns of a case's name in a table of many */
#define NAME_LEAST   20  /* that a kernel's name is cut to */

struct overview {
    const struct report *report;
    struct unit unit;
    bool intervals;
    bool ms;            /* times are in milliseconds, not microseconds */
    char place[LABEL];  /* " on m2090", where all points are there: it is said
                         * above the table alone; else empty */
    char shared[LABEL]; /* likewise "lud on m2090 " of designs, which the rest
                         * of their labels tells apart */
    int decimals;       /* of times, -1: four digits */
};

/* ---- what rows are called ------------------------------------------------
 */

/* Where the label's " on GPU ..." begins, or its end. */
static const char *place_of(const char *label)
{
    const char *found = NULL, *at = label;
    while ((at = strstr(at, " on ")) != NULL)
        found = at++;
    return found != NULL ? found : label + strlen(label);
}

/* The place that all cases share, where they are several. */
static void find_place(struct overview *v)
{
    char label[LABEL];
    const struct report *r = v->report;
    for (size_t i = 0; i < r->cases && r->cases > 1; i++) {
        report_case_label(label, sizeof(label), r, i);
        if (i == 0)
            snprintf(v->place, sizeof(v->place), "%s", place_of(label));
        else if (strcmp(v->place, place_of(label)) != 0)
            v->place[0] = '\0';
    }
}

/* Words that the labels of all cases begin with, where only what follows tells
 * them apart: the designs of a kernel. */
static void find_shared(struct overview *v)
{
    char label[LABEL];
    const struct report *r = v->report;
    size_t n = 0;
    for (size_t i = 0; i < r->cases && r->cases > 1; i++) {
        report_case_label(label, sizeof(label), r, i);
        if (i == 0) {
            snprintf(v->shared, sizeof(v->shared), "%s", label);
            n = (size_t)(place_of(label) - label);
        }
        size_t same = 0;
        while (label[same] != '\0' && label[same] == v->shared[same])
            same++;
        v->shared[same] = '\0';
    }
    size_t end = strlen(v->shared);
    while (end > 0 && v->shared[end - 1] != ' ')
        end--;
    v->shared[end > n ? end : 0] = '\0';
}

/* A name no wider than `width`: arguments of C++ go first. */
static void short_name(char *out, size_t size, const char *name, int width)
{
    size_t bare = strcspn(name, "(");
    if ((int)strlen(name) > width && name[bare] == '(' &&
        (int)bare + 4 <= width)
        snprintf(out, size, "%.*s(..)", (int)bare, name);
    else
        name_cut(out, size, name, width);
}

/* What tells a case from the others is never cut: its kernel's name is. */
static void row_label(struct cell *out, const struct overview *v, size_t i)
{
    char label[LABEL], place[LABEL], name[LABEL];
    report_case_label(label, sizeof(label), v->report, i);
    if (v->shared[0] != '\0') {
        snprintf(out->text, CELL_MAX, "%.*s", CELL_MAX - 1,
                 label + strlen(v->shared));
        return;
    }
    snprintf(place, sizeof(place), "%s", place_of(label));
    label[strlen(label) - strlen(place)] = '\0';
    if (v->place[0] != '\0')
        place[0] = '\0';
    int room = OVERVIEW_CUT - (int)strlen(place);
    short_name(name, sizeof(name), label,
               room > NAME_LEAST ? room : NAME_LEAST);
    snprintf(out->text, CELL_MAX, "%.200s%.300s", name, place);
}

static const char *row_heading(const struct overview *v)
{
    const char *of = v->shared;
    size_t n = strlen(of);
    return n == 0                                     ? "kernel"
           : n > 4 && strcmp(of + n - 4, " on ") == 0 ? "gpu"
                                                      : "design";
}

/* "lud on m2090" above a table of its designs, "lud" above one of GPUs. */
static void put_shared_heading(const struct page *page,
                               const struct overview *v)
{
    char text[LABEL];
    snprintf(text, sizeof(text), "%s", v->shared);
    size_t n = strlen(text) - 1;
    text[n] = '\0';
    if (n > 3 && strcmp(text + n - 3, " on") == 0)
        text[n - 3] = '\0';
    page_heading(page, text);
}

/* ---- cells ---------------------------------------------------------------
 */

static void put_column(struct cell *out, const char *name,
                       const struct estimate_point *p)
{
    char buffer[COLUMN_VALUE_MAX];
    snprintf(out->text, CELL_MAX, "%s",
             column_value(buffer, estimate_column_find(name), p));
}

static void put_cycles(struct cell *out, const struct overview *v,
                       const struct estimate_point *p)
{
    char number[FIGURE_MAX];
    out->style = p->partial ? STYLE_PARTIAL : STYLE_PLAIN;
    if (isnan(p->cycles)) {
        snprintf(out->text, CELL_MAX, "-");
        return;
    }
    figure_text(number, &v->unit, p->cycles);
    snprintf(out->text, CELL_MAX, "%s%s%s%s", p->partial ? "?" : "", number,
             v->unit.name[0] != '\0' ? " " : "", v->unit.name);
}

static void put_time(struct cell *out, const struct overview *v,
                     const struct estimate_point *p)
{
    double time = v->ms ? p->time_us * 1e-3 : p->time_us;
    if (v->decimals < 0)
        snprintf(out->text, CELL_MAX, "%.4g", time);
    else
        snprintf(out->text, CELL_MAX, "%.*f", v->decimals, time);
}

static void put_rest(struct cell *out, const struct overview *v, size_t column,
                     const struct estimate_point *p)
{
    switch (column) {
    case 1:
        snprintf(out->text, CELL_MAX, "%d", p->tb);
        return;
    case 2:
        put_column(out, "sched", p);
        return;
    case 4:
        half_width_text(out->text, half_width_pct(p));
        return;
    case 5:
        snprintf(out->text, CELL_MAX, "%.2f", p->ipc);
        return;
    case 6:
        put_time(out, v, p);
        return;
    default:
        snprintf(out->text, CELL_MAX, "%s", p->limiter);
    }
}

static void overview_cell(struct cell *out, const void *of, size_t row,
                          size_t column)
{
    const struct overview *v = of;
    const char *const heading[] = {row_heading(v),
                                   "tb",
                                   "sched",
                                   "cycles",
                                   v->intervals ? "interval" : "",
                                   "IPC",
                                   v->ms ? "ms" : "us",
                                   "limiter"};
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    const struct report_case *c = &v->report->at[row - 1];
    if (column == 0) {
        row_label(out, v, row - 1);
        return;
    }
    if (c->rows == 0)
        return;
    const struct estimate_point *p = v->report->row[c->first_row].point;
    if (column == 3)
        put_cycles(out, v, p);
    else
        put_rest(out, v, column, p);
}

/* Units and digits that all rows share; times have as many as the narrowest
 * interval leaves. */
static void look_at_rows(struct overview *v)
{
    struct figures seen = {0};
    double half = INFINITY;
    for (size_t i = 0; i < v->report->rows; i++) {
        const struct estimate_point *p = v->report->row[i].point;
        if (isnan(p->cycles))
            continue;
        figures_see(&seen, p);
        v->ms |= p->time_us >= LONG_US;
        if (half_width_pct(p) > 0)
            half = fmin(half, half_width_pct(p) / 100 * p->time_us);
    }
    v->intervals = isfinite(half);
    v->unit = figures_unit(&seen, v->report->options->exact);
    if (v->intervals)
        v->decimals =
            (int)fmax(0, 1 - floor(log10(v->ms ? half * 1e-3 : half)));
}

static void put_rows(const struct page *page, const struct report *r)
{
    struct overview v = {.report = r, .decimals = -1};
    look_at_rows(&v);
    find_shared(&v);
    if (v.shared[0] == '\0')
        find_place(&v);
    if (v.shared[0] != '\0' && r->cases > FACTS_CASES)
        put_shared_heading(page, &v);
    else if (v.place[0] != '\0' && r->cases > FACTS_CASES)
        page_heading(page, v.place + 1);
    const struct grid g = {.of = &v,
                           .rows = r->cases + 1,
                           .columns = 8,
                           .cell = overview_cell,
                           .left = 1};
    grid_put(&g, page);
    for (size_t i = 0; i < r->cases; i++)
        put_accounts(page->f, r, i);
}

/* What each case is about, where they are few. */
static void put_facts(const struct page *page, const struct report *r)
{
    char label[LABEL], facts[FACTS_MAX], text[HEADING_MAX];
    for (size_t i = 0; r->cases <= FACTS_CASES && i < r->cases; i++) {
        report_case_label(label, sizeof(label), r, i);
        case_facts(facts, sizeof(facts), r->at[i].at);
        snprintf(text, sizeof(text), "%s: %s", label, facts);
        page_heading(page, text);
    }
}

void put_overview(const struct page *page, const struct report *r)
{
    put_facts(page, r);
    put_hardware(page, r);
    put_rows(page, r);
}
