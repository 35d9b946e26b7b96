/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An explanation for people: a screen. */
#include "cli/explain.h"
#include "cli/figures.h"
#include "cli/grid.h"
#include "cli/hardware.h"
#include "cli/header.h"
#include "cli/names.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX     1600
#define BAR          24 /* columns of a bar that stands for all */
#define USES_SHOWN   0.02
#define USES_ROWS    7
#define PHASES_SHOWN 3
#define LINES_SHOWN  20
#define ADVICE       2 /* rules that are shown */
#define CHANGES      5 /* changes that are shown, unless more are asked for */

static void percent(struct cell *out, double share)
{
    if (isnan(share))
        snprintf(out->text, CELL_MAX, "-");
    else
        snprintf(out->text, CELL_MAX, "%.1f %%", 100 * share);
}

/* Three digits, all of those before the point. */
static void significant(struct cell *out, double value)
{
    snprintf(out->text, CELL_MAX, value < 1000 ? "%.3g" : "%.0f", value);
}

static void bar(struct cell *out, double share)
{
    int n = share > 0 ? (int)lround(BAR * fmin(share, 1)) : 0;
    memset(out->text, '#', (size_t)n);
    out->text[n] = '\0';
}

static void put_title(const struct page *page, const char *text)
{
    fprintf(page->f, page->markdown ? "\n### %s\n\n" : "\n%s\n", text);
}

/* ---- what it is, what limits it ------------------------------------------ */

static void put_header(const struct page *page, const struct explanation *x)
{
    char name[NAME_BYTES], facts[512];
    name_text(name, sizeof(name), case_kernel(x->at), x->options->mangled);
    case_facts(facts, sizeof(facts), x->at);
    char text[TEXT_MAX];
    snprintf(text, sizeof(text), "%s on %s: %s", name, case_gpu(x->at), facts);
    page_heading(page, text);
}

static void put_hardware_line(const struct page *page,
                              const struct explanation *x)
{
    char text[HARDWARE_TEXT];
    hardware_text(text, sizeof(text), x->at, x->options);
    page_put(page, 2, "%s.", text);
}

static void put_point(const struct page *page, const struct explanation *x)
{
    const struct estimate_point *p = x->point;
    char cycles[FIGURE_MAX], interval[FIGURE_MAX];
    struct figures seen = {0};
    struct cell time;
    significant(&time, p->time_us);
    figures_see(&seen, p);
    struct unit u = figures_unit(&seen, x->options->exact);
    figure_text(cycles, &u, p->cycles);
    half_width_text(interval, half_width_pct(p));
    page_put(page, 2, "tb=%d %s: %s%s%s cycles%s%s, %s us (%s%s)", p->tb,
             p->sched, cycles, u.name[0] != '\0' ? " " : "", u.name,
             interval[0] != '\0' ? " " : "", interval, time.text, p->mode,
             p->partial ? ", partial" : "");
}

static void place_text(char *out, size_t size, const struct source_line *l)
{
    if (l->line > 0)
        snprintf(out, size, "line %u", l->line);
    else
        snprintf(out, size, "address 0x%x", l->address);
}

static struct source_line place_of(const struct estimate_instruction *i)
{
    return (struct source_line){.line = i->line, .address = i->address};
}

/* The instruction that waits for what the phase has asked for. */
static const struct estimate_instruction *
ends_phase(const struct explanation *x, size_t phase)
{
    const struct estimate_phase *p = estimate_code_phase(x->code, phase);
    const struct estimate_instruction *next =
        estimate_code_instruction(x->code, p->first + p->count);
    return next != NULL
               ? next
               : estimate_code_instruction(x->code, p->first + p->count - 1);
}

static void put_limiter(const struct page *page, const struct explanation *x)
{
    const struct estimate_use *most = &x->use[0];
    char place[64];
    struct cell achieved, peak;
    if (strcmp(x->point->limiter, "latency") != 0) {
        significant(&achieved, most->achieved);
        significant(&peak, most->peak);
        bool itself = strcmp(x->point->limiter, most->resource) == 0;
        page_put(page, 2,
                 "Limited by %s: %s%s%.0f %% of its peak (%s of %s %s).",
                 x->point->limiter, itself ? "" : most->resource,
                 itself ? "" : " at ", 100 * most->share, achieved.text,
                 peak.text, most->unit);
        return;
    }
    const struct source_line at = place_of(ends_phase(x, x->heaviest));
    place_text(place, sizeof(place), &at);
    page_put(page, 2,
             "Limited by latency: no resource is above 60 %% of its peak (%s "
             "%.0f %%); phase %zu, which %s ends, takes %.0f %% of a warp's "
             "time.",
             most->resource, 100 * most->share, x->heaviest, place,
             x->phases > 0 ? 100 * x->phase_share[x->heaviest] : 0);
}

/* ---- where issue slots go ------------------------------------------------ */

static void stall_cell(struct cell *out, const void *of, size_t row,
                       size_t column)
{
    static const char *const heading[] = {"issue slots", "share", "", ""};
    const struct explanation *x = of;
    const struct estimate_point *p = x->point;
    struct stall_row s;
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    explanation_stall(&s, p, row - 1);
    if (column == 0)
        snprintf(out->text, CELL_MAX, "%s", s.meaning);
    else if (column == 1)
        percent(out, s.share);
    else
        bar(out, s.share);
}

static void put_stalls(const struct page *page, const struct explanation *x)
{
    const struct estimate_point *p = x->point;
    const struct grid g = {.of = x,
                           .rows = 7,
                           .columns = 3,
                           .cell = stall_cell,
                           .left = 1 | 1u << 2};
    put_title(page, "Where the issue slots go");
    grid_put(&g, page);
    if (!isnan(p->served.l1))
        page_put(page, 2,
                 "Memory accesses were served by L1 %.0f %%, L2 %.0f %%, DRAM "
                 "%.0f %%.",
                 100 * (p->served.l1 + p->served.remote), 100 * p->served.l2,
                 100 * p->served.memory);
}

/* ---- speed of light ------------------------------------------------------ */

static size_t uses_shown(const struct explanation *x)
{
    size_t n = 0;
    while (n < x->uses && n < USES_ROWS && x->use[n].share >= USES_SHOWN)
        n++;
    return n;
}

static void use_cell(struct cell *out, const void *of, size_t row,
                     size_t column)
{
    static const char *const heading[] = {"resource", "share", "achieved",
                                          "peak",     "unit",  ""};
    const struct explanation *x = of;
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    const struct estimate_use *u = &x->use[row - 1];
    out->style = row == 1 && u->share > 0.6 ? STYLE_PARTIAL : STYLE_PLAIN;
    if (column == 0)
        snprintf(out->text, CELL_MAX, "%s", u->resource);
    else if (column == 1)
        percent(out, u->share);
    else if (column == 4)
        snprintf(out->text, CELL_MAX, "%s", u->unit);
    else
        significant(out, column == 2 ? u->achieved : u->peak);
}

static void put_uses(const struct page *page, const struct explanation *x)
{
    const struct grid g = {.of = x,
                           .rows = uses_shown(x) + 1,
                           .columns = 5,
                           .cell = use_cell,
                           .left = 1 | 1u << 4};
    put_title(page, "Speed of light");
    grid_put(&g, page);
}

/* ---- occupancy, phases --------------------------------------------------- */

/* How far the grid fills the GPU. */
static void grid_text(char *out, size_t size, const struct explanation *x)
{
    const struct estimate_launch_info *l =
        estimate_kernel_launch(x->at->kernel, 0);
    double sms = (double)l->blocks / x->fact[FACT_BLOCKS];
    if (x->fact[FACT_WAVES] < 1)
        snprintf(out, size,
                 "The grid has %llu blocks for %.0f SMs, so at most %.0f warps "
                 "on one.",
                 (unsigned long long)l->blocks, sms,
                 ceil((double)l->blocks / sms) * x->warps / x->at->tb[0]);
    else
        snprintf(out, size, "The grid is %.3g wave%s of %.0f blocks.",
                 x->fact[FACT_WAVES], x->fact[FACT_WAVES] == 1 ? "" : "s",
                 sms * x->at->tb[0]);
}

static void put_occupancy(const struct page *page, const struct explanation *x)
{
    char next[96] = "", grid[128];
    const struct estimate_launch_info *l =
        estimate_kernel_launch(x->at->kernel, 0);
    if (x->fewer_registers > 0)
        snprintf(next, sizeof(next), "; one more with %u registers, %u fewer",
                 x->fewer_registers, l->registers - x->fewer_registers);
    if (x->fewer_shared > 0)
        snprintf(next, sizeof(next),
                 "; one more with %u bytes of shared memory, %u fewer",
                 x->fewer_shared, l->shared_bytes - x->fewer_shared);
    grid_text(grid, sizeof(grid), x);
    fputc('\n', page->f);
    page_put(page, 2, "Occupancy: %d of %d warps; %d block%s fit (%s)%s. %s",
             x->warps, x->warps_most, x->fit.blocks,
             x->fit.blocks == 1 ? "" : "s", x->fit.limit, next, grid);
}

/* Rows of the table, in the order of the code. */
struct phase_rows {
    const struct explanation *x;
    size_t phase[PHASES_SHOWN], shown;
    double left_out; /* share of time of the others */
};

/* One of the heaviest. */
static bool is_heavy(const struct explanation *x, size_t phase)
{
    const double *share = x->phase_share;
    size_t heavier = 0;
    for (size_t i = 0; i < x->phases; i++)
        heavier +=
            share[i] > share[phase] || (share[i] == share[phase] && i < phase);
    return heavier < PHASES_SHOWN;
}

static void choose_phases(struct phase_rows *r, const struct explanation *x)
{
    *r = (struct phase_rows){.x = x};
    for (size_t i = 0; i < x->phases; i++)
        if (is_heavy(x, i))
            r->phase[r->shown++] = i;
        else
            r->left_out += x->phase_share[i];
}

static void phase_cell(struct cell *out, const void *of, size_t row,
                       size_t column)
{
    static const char *const heading[] = {"phase", "of time",  "instructions",
                                          "loads", "ended by", "at"};
    const struct phase_rows *r = of;
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    size_t phase = r->phase[row - 1];
    const struct estimate_phase *p = estimate_code_phase(r->x->code, phase);
    const struct source_line at = place_of(ends_phase(r->x, phase));
    switch (column) {
    case 0:
        snprintf(out->text, CELL_MAX, "%zu", phase);
        return;
    case 1:
        percent(out, r->x->phase_share[phase]);
        return;
    case 2:
        snprintf(out->text, CELL_MAX, "%u", p->count);
        return;
    case 3:
        snprintf(out->text, CELL_MAX, "%u", p->loads);
        return;
    case 4:
        snprintf(out->text, CELL_MAX, "%s", p->ended_by);
        return;
    default:
        place_text(out->text, CELL_MAX, &at);
    }
}

static void put_phases(const struct page *page, const struct explanation *x)
{
    struct phase_rows r;
    choose_phases(&r, x);
    const struct grid g = {.of = &r,
                           .rows = r.shown + 1,
                           .columns = 6,
                           .cell = phase_cell,
                           .left = 1};
    put_title(page, "Phases (of a warp's time when nothing holds it up)");
    grid_put(&g, page);
    if (r.shown < x->phases)
        page_put(page, 0,
                 "%zu other phase%s take%s %.1f %% (estimate phases: all)",
                 x->phases - r.shown, x->phases - r.shown == 1 ? "" : "s",
                 x->phases - r.shown == 1 ? "s" : "", 100 * r.left_out);
}

static void line_cell(struct cell *out, const void *of, size_t row,
                      size_t column)
{
    static const char *const heading[] = {"source", "of time", "instructions",
                                          "loads"};
    const struct explanation *x = of;
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    const struct source_line *l = &x->line[row - 1];
    if (column == 0)
        place_text(out->text, CELL_MAX, l);
    else if (column == 1)
        percent(out, l->share);
    else
        snprintf(out->text, CELL_MAX, "%u",
                 column == 2 ? l->instructions : l->loads);
}

static void put_source(const struct page *page, const struct explanation *x)
{
    size_t shown = x->lines < LINES_SHOWN ? x->lines : LINES_SHOWN;
    const struct grid g = {
        .of = x, .rows = shown + 1, .columns = 4, .cell = line_cell, .left = 1};
    put_title(page, "Source lines");
    grid_put(&g, page);
    if (shown < x->lines)
        page_put(page, 0, "and %zu lines more", x->lines - shown);
}

/* ---- what would change it ------------------------------------------------ */

static bool confirmed_any(const struct explanation *x)
{
    for (size_t i = 0; i < x->what_if.count; i++)
        if (!isnan(x->what_if.item[i].confirmed))
            return true;
    return false;
}

static void signed_percent(struct cell *out, double pct)
{
    if (!isnan(pct))
        snprintf(out->text, CELL_MAX, "%+.1f %%", pct);
}

static void change_cell(struct cell *out, const void *of, size_t row,
                        size_t column)
{
    static const char *const heading[] = {"change", "time", "90 % interval",
                                          "confirmed"};
    const struct explanation *x = of;
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    const struct what_if *w = &x->what_if.item[row - 1];
    out->style = w->tie ? STYLE_PLAIN : w->pct < 0 ? STYLE_BEST : STYLE_PLAIN;
    if (column == 0)
        snprintf(out->text, CELL_MAX, "%s", w->change);
    else if (column == 1)
        signed_percent(out, w->pct);
    else if (column == 3)
        signed_percent(out, w->confirmed);
    else if (!isnan(w->pct) && w->hi > w->lo)
        snprintf(out->text, CELL_MAX, "%+.1f to %+.1f%s", w->lo, w->hi,
                 w->tie ? " tie" : "");
    else if (!isnan(w->pct))
        snprintf(out->text, CELL_MAX, "exact%s", w->tie ? " tie" : "");
}

/* Changes that come out to nothing are many: they are counted. */
static size_t changes_shown(const struct explanation *x)
{
    size_t n = explanation_changes(x);
    if (x->options->verbose || x->options->top > 0)
        return n;
    size_t shown = 0;
    while (shown < n && shown < CHANGES && x->what_if.item[shown].pct <= -0.5)
        shown++;
    return shown > 3 ? shown : n < 3 ? n : 3;
}

static bool exact_any(const struct explanation *x, size_t shown)
{
    for (size_t i = 0; i < shown; i++)
        if (x->what_if.item[i].hi <= x->what_if.item[i].lo)
            return true;
    return false;
}

/* Changes and advice are one screen by themselves: of what, in short. */
static void put_again(const struct page *page, const struct explanation *x)
{
    const struct estimate_use *most = &x->use[0];
    char line[64] = "";
    struct cell time;
    significant(&time, x->point->time_us);
    if (strcmp(x->point->limiter, "latency") != 0)
        snprintf(line, sizeof(line), " (%.0f %% of its peak)",
                 100 * most->share);
    page_put(page, 2, "tb=%d %s takes %s us, limited by %s%s:", x->point->tb,
             x->point->sched, time.text, x->point->limiter, line);
}

static void put_changes(const struct page *page, const struct explanation *x)
{
    size_t shown = changes_shown(x);
    const struct grid g = {.of = x,
                           .rows = shown + 1,
                           .columns = confirmed_any(x) ? 4 : 3,
                           .cell = change_cell,
                           .left = 1};
    put_title(page, "What would change it");
    put_again(page, x);
    grid_put(&g, page);
    if (exact_any(x, shown))
        page_put(page, 0, "exact: with and without it, run in full detail");
    if (shown < x->what_if.count)
        page_put(page, 0, "%zu other changes gain less (--verbose: all)",
                 x->what_if.count - shown);
}

/* That of the limiter, and another where its change is no tie. */
static size_t advices_shown(const struct explanation *x)
{
    if (x->options->verbose || x->advices < 2)
        return x->advices;
    const struct what_if *w = explanation_change(x, x->advice[1]->what_if);
    return w != NULL && w->tie ? 1 : ADVICE;
}

static void put_advice(const struct page *page, const struct explanation *x)
{
    put_title(page, "Advice");
    if (x->advices == 0)
        page_put(page, 2, "none: no rule applies");
    for (size_t i = 0; i < advices_shown(x); i++) {
        char text[TEXT_MAX];
        explanation_advice(text, sizeof(text), x, i);
        page_put(page, 2, "%s%s", page->markdown ? "" : "- ", text);
    }
}

void write_explanation(FILE *f, const struct explanation *x, bool markdown)
{
    const struct page page = page_open(f, x->options->color, markdown);
    put_header(&page, x);
    put_point(&page, x);
    put_limiter(&page, x);
    put_hardware_line(&page, x);
    put_stalls(&page, x);
    put_uses(&page, x);
    put_occupancy(&page, x);
    put_phases(&page, x);
    if (x->options->lines)
        put_source(&page, x);
    put_changes(&page, x);
    put_advice(&page, x);
}
