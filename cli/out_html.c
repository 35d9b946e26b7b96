/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_html.h"

#include "chart/chart.h"
#include "chart/svg.h"
#include "cli/columns.h"
#include "cli/figures.h"
#include "cli/formats.h"
#include "cli/gain.h"
#include "cli/header.h"
#include "cli/html_designs.h"
#include "cli/html_style.h"
#include "cli/html_what_if.h"
#include "cli/names.h"
#include "cli/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AXIS_MAX  256 /* block counts, schedulers of a heat map */
#define TEXT_MAX  2048
#define STALLS    6
#define ROOF_DOTS 41

/* The points of one kernel on one GPU, neighbours in the report. */
struct group {
    const struct html_page *page;
    size_t first, end;
    const struct estimate_point *best; /* NULL: none is finished */
    struct unit unit;
};

static const struct estimate_point *at(const struct group *g, size_t i)
{
    return g->page->point[g->first + i];
}

static size_t count_of(const struct group *g)
{
    return g->end - g->first;
}

static bool same_case(const struct html_page *p, size_t a, size_t b)
{
    const struct row *row = p->report != NULL ? p->report->row : NULL;
    if (row != NULL)
        return row[a].at == row[b].at;
    return strcmp(p->point[a]->kernel, p->point[b]->kernel) == 0 &&
           strcmp(p->point[a]->gpu, p->point[b]->gpu) == 0;
}

static struct group group_at(const struct html_page *p, size_t first)
{
    struct group g = {.page = p, .first = first, .end = first};
    struct figures seen = {0};
    for (; g.end < p->points && same_case(p, first, g.end); g.end++) {
        const struct estimate_point *q = p->point[g.end];
        if (isnan(q->cycles))
            continue;
        figures_see(&seen, q);
        if (!q->partial && (g.best == NULL || q->cycles < g.best->cycles))
            g.best = q;
    }
    g.unit = figures_unit(&seen, false);
    return g;
}

/* ---- text ---------------------------------------------------------------- */

/* Escaped, and with a sign where a terminal has +-. */
static void put_text(FILE *f, const char *text)
{
    const char *sign;
    char part[TEXT_MAX];
    while ((sign = strstr(text, "+-")) != NULL) {
        snprintf(part, sizeof(part), "%.*s", (int)(sign - text), text);
        svg_escape(f, part);
        fputs("&#177;", f);
        text = sign + 2;
    }
    svg_escape(f, text);
}

static void put_paragraph(FILE *f, const char *class_name, const char *text)
{
    fprintf(f, class_name[0] != '\0' ? "<p class=\"%s\">" : "<p>%s",
            class_name);
    put_text(f, text);
    fputs("</p>\n", f);
}

static void policy_text(char *out, size_t size, const struct estimate_point *p)
{
    bool plain =
        strcmp(p->tb_sched, "rr") == 0 && strcmp(p->l1_policy, "lru") == 0;
    snprintf(out, size, plain ? "%s" : "%s/%s/%s", p->sched, p->tb_sched,
             p->l1_policy);
}

static void group_text(char *out, size_t size, const struct group *g)
{
    char name[NAME_BYTES];
    const struct html_page *p = g->page;
    if (p->report != NULL) {
        case_label(out, size, p->report->plan, p->report->row[g->first].at,
                   p->options->mangled);
        return;
    }
    name_text(name, sizeof(name), at(g, 0)->kernel, p->options->mangled);
    snprintf(out, size, "%s on %s", name, at(g, 0)->gpu);
}

static void cycles_text(char *out, size_t size, const struct group *g,
                        const struct estimate_point *p)
{
    char number[FIGURE_MAX], half[FIGURE_MAX];
    figure_text(number, &g->unit, p->cycles);
    half_width_text(half, half_width_pct(p));
    snprintf(out, size, "%s%s%s%s%s", number, g->unit.name[0] ? " " : "",
             g->unit.name, half[0] != '\0' ? " " : "", half);
}

/* ---- verdict ------------------------------------------------------------- */

/* The verdicts as the table has them, one a paragraph. */
static void put_report_verdicts(FILE *f, const struct report *r)
{
    char *text = NULL;
    size_t size;
    FILE *m = open_memstream(&text, &size);
    if (m == NULL)
        return;
    const struct page page = {.f = m, .width = TEXT_MAX};
    for (size_t i = 0; i < r->cases; i++)
        put_verdict(&page, r, i);
    put_launch_verdicts(&page, r);
    put_totals(&page, r);
    fclose(m);
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        put_paragraph(f, "lead", line);
    free(text);
}

static void put_fastest(FILE *f, const struct group *g)
{
    char label[TEXT_MAX], policy[256], cycles[256], text[2 * TEXT_MAX];
    group_text(label, sizeof(label), g);
    if (g->best == NULL) {
        snprintf(text, sizeof(text), "%s: no point was finished", label);
    } else {
        policy_text(policy, sizeof(policy), g->best);
        cycles_text(cycles, sizeof(cycles), g, g->best);
        snprintf(text, sizeof(text),
                 "%s: tb=%d %s takes the fewest cycles of %zu points: %s "
                 "(%.4g us), limited by %s",
                 label, g->best->tb, policy, count_of(g), cycles,
                 g->best->time_us, g->best->limiter);
    }
    put_paragraph(f, "lead", text);
}

/* The command line that was given. */
static void put_command(FILE *f, const struct options *o)
{
    fputs("estimate", f);
    for (int i = 1; i < o->argc; i++) {
        bool quoted = strpbrk(o->argv[i], " '\"*?()<>&|;$") != NULL;
        fputs(quoted ? " '" : " ", f);
        put_text(f, o->argv[i]);
        fputs(quoted ? "'" : "", f);
    }
}

static void put_front_size(FILE *f, const struct report *r)
{
    char text[256];
    size_t front = 0;
    for (size_t i = 0; i < r->designs->count; i++)
        front += r->designs->front[i];
    snprintf(text, sizeof(text),
             "%zu of %zu designs are on the front: each of the others is no "
             "better than one of them in anything, and worse in something.",
             front, r->designs->made);
    put_paragraph(f, "lead", text);
}

static void put_verdicts(FILE *f, const struct html_page *p)
{
    bool designs = p->report != NULL && p->report->designs != NULL;
    fputs("<section><h2>Verdict</h2>\n", f);
    for (size_t i = 0; !designs && i < p->points;) {
        const struct group g = group_at(p, i);
        put_fastest(f, &g);
        i = g.end;
    }
    if (designs)
        put_front_size(f, p->report);
    else if (p->report != NULL)
        put_report_verdicts(f, p->report);
    fputs("<p class=\"grey\">To repeat it: <code>", f);
    put_command(f, p->options);
    fputs("</code></p></section>\n", f);
}

/* ---- heat map ------------------------------------------------------------ */

/* Distinct block counts ascending, and policies in the order of points. */
struct axes {
    int tb[AXIS_MAX];
    const struct estimate_point *policy[AXIS_MAX];
    size_t tbs, policies;
};

static bool same_policy(const struct estimate_point *a,
                        const struct estimate_point *b)
{
    return strcmp(a->sched, b->sched) == 0 &&
           strcmp(a->tb_sched, b->tb_sched) == 0 &&
           strcmp(a->l1_policy, b->l1_policy) == 0;
}

static void add_tb(struct axes *x, int tb)
{
    size_t i = x->tbs;
    for (size_t n = 0; n < x->tbs; n++)
        if (x->tb[n] == tb)
            return;
    if (x->tbs == AXIS_MAX)
        return;
    for (; i > 0 && x->tb[i - 1] > tb; i--)
        x->tb[i] = x->tb[i - 1];
    x->tb[i] = tb;
    x->tbs++;
}

static void find_axes(struct axes *x, const struct group *g)
{
    *x = (struct axes){.tbs = 0};
    for (size_t i = 0; i < count_of(g); i++) {
        bool known = false;
        add_tb(x, at(g, i)->tb);
        for (size_t n = 0; n < x->policies; n++)
            known |= same_policy(x->policy[n], at(g, i));
        if (!known && x->policies < AXIS_MAX)
            x->policy[x->policies++] = at(g, i);
    }
}

static const struct estimate_point *
find_point(const struct group *g, int tb, const struct estimate_point *policy)
{
    for (size_t i = 0; i < count_of(g); i++)
        if (at(g, i)->tb == tb && same_policy(at(g, i), policy))
            return at(g, i);
    return NULL;
}

/* Steps of a quarter: 0, up to 2 %, 5 %, 10 %, 25 %, 100 %, more. */
static int heat_class(double ratio)
{
    static const double steps[HTML_HEAT_CLASSES - 1] = {1.005, 1.02, 1.05,
                                                        1.1,   1.25, 2};
    int i = 0;
    while (i < HTML_HEAT_CLASSES - 1 && ratio > steps[i])
        i++;
    return i;
}

static void put_heat_cell(FILE *f, const struct group *g,
                          const struct estimate_point *p)
{
    char number[FIGURE_MAX], half[FIGURE_MAX];
    if (p == NULL || isnan(p->cycles) || g->best == NULL) {
        fputs("<td>-</td>", f);
        return;
    }
    figure_text(number, &g->unit, p->cycles);
    half_width_text(half, half_width_pct(p));
    fprintf(f, "<td class=\"h%d%s\">%s%s%s <small>",
            heat_class(p->cycles / g->best->cycles),
            p == g->best ? " best" : "", number, p->sampled ? " &#8226;" : "",
            p->partial ? "?" : "");
    put_text(f, half);
    fputs("</small></td>", f);
}

static void put_heat(FILE *f, const struct group *g)
{
    struct axes x;
    char label[TEXT_MAX], policy[256];
    find_axes(&x, g);
    group_text(label, sizeof(label), g);
    fputs("<p class=\"grey\">", f);
    put_text(f, label);
    fprintf(f,
            ": cycles%s%s. The framed cell is the best, the darker a cell the "
            "closer to it; a dot: the point itself was sampled.</p>\n"
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"heat map\"><table>\n<thead><tr><th "
            "class=\"t\">scheduler</th>",
            g->unit.name[0] != '\0' ? " in " : "", g->unit.name);
    for (size_t i = 0; i < x.tbs; i++)
        fprintf(f, "<th>tb=%d</th>", x.tb[i]);
    fputs("</tr></thead><tbody>\n", f);
    for (size_t n = 0; n < x.policies; n++) {
        policy_text(policy, sizeof(policy), x.policy[n]);
        fputs("<tr><th class=\"t\">", f);
        put_text(f, policy);
        fputs("</th>", f);
        for (size_t i = 0; i < x.tbs; i++)
            put_heat_cell(f, g, find_point(g, x.tb[i], x.policy[n]));
        fputs("</tr>\n", f);
    }
    fputs("</tbody></table></div>\n", f);
}

/* ---- charts -------------------------------------------------------------- */

static void put_chart(FILE *f, const struct chart *c)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"",
          f);
    put_text(f, c->title);
    fputs("\">", f);
    chart_write(f, c);
    fputs("</div>\n", f);
}

/* Where issue slots go, a bar a scheduler at the best block count. */
static void put_stack(FILE *f, const struct group *g)
{
    static const char *const series[STALLS] = {
        "issued",          "waits for memory",    "waits for arithmetic",
        "memory pipeline", "other pipeline full", "idle"};
    struct axes x;
    static const size_t most = 24;
    char label[24][64];
    const char *subject[24];
    struct chart_value value[24 * STALLS];
    size_t n = 0, subjects = 0;
    find_axes(&x, g);
    for (size_t i = 0; g->best != NULL && i < x.policies && i < most; i++) {
        const struct estimate_point *p =
            find_point(g, g->best->tb, x.policy[i]);
        struct stall_row s;
        if (p == NULL || isnan(p->stall.issued))
            continue;
        policy_text(label[subjects], sizeof(label[0]), p);
        subject[subjects] = label[subjects];
        for (size_t k = 0; explanation_stall(&s, p, k); k++)
            value[n++] = chart_bar(k, subjects, 100 * s.share);
        subjects++;
    }
    const struct chart_panel panel = {
        .kind = CHART_STACK,
        .y = {.title = "issue slots", .unit = "%"},
        .subject = subject,
        .subjects = subjects,
        .series = series,
        .serieses = STALLS,
        .value = value,
        .values = n,
        .height = 220,
        .empty = "no point was finished"};
    const struct chart c = {
        .title = "Where the issue slots go",
        .description = "A stacked bar for each scheduler at the best number of "
                       "resident blocks; the shares stand in the table below.",
        .panel = &panel,
        .panels = 1};
    put_chart(f, &c);
}

/* The roofline (Williams, Waterman, Patterson, CACM 52(4), 2009) in warp
 * instructions: achieved against instructions a byte from DRAM. */
struct roof {
    double peak;  /* 1e9 warp instructions a second */
    double bytes; /* 1e9 bytes a second */
};

static struct roof roof_of(const struct explanation *x)
{
    struct roof r = {NAN, NAN};
    const struct estimate_gpu *gpu = x->at->variant->gpu;
    double clock =
        estimate_gpu_get(gpu, estimate_key_find("clock.core_mhz", NULL));
    double sms = estimate_gpu_get(gpu, estimate_key_find("sms", NULL));
    for (size_t i = 0; i < x->uses; i++)
        if (strcmp(x->use[i].resource, "issue") == 0)
            r.peak = x->use[i].peak * sms * clock * 1e-3;
        else if (strcmp(x->use[i].resource, "dram") == 0)
            r.bytes = x->use[i].peak;
    return r;
}

static double intensity(const struct estimate_point *p)
{
    return p->warp_insts / (p->dram_gbps * 1e3 * p->time_us);
}

static void put_roofline(FILE *f, const struct group *g)
{
    static const char *const series[] = {"roof", "points", "best"};
    const struct explanation *x = g->page->explained;
    size_t most = ROOF_DOTS + count_of(g), n = 0;
    struct chart_value *value = calloc(most + 1, sizeof(*value));
    struct roof roof = {NAN, NAN};
    if (value == NULL)
        return;
    if (x != NULL)
        roof = roof_of(x);
    for (int i = 0; x != NULL && i < ROOF_DOTS; i++) {
        double ridge = roof.peak / roof.bytes;
        double at_x = ridge * pow(10, -2 + 4.0 * i / (ROOF_DOTS - 1));
        value[n++] = chart_point(0, at_x, fmin(roof.peak, at_x * roof.bytes));
    }
    for (size_t i = 0; i < count_of(g); i++) {
        const struct estimate_point *p = at(g, i);
        if (p->dram_gbps > 0 && p != g->best)
            value[n++] = chart_point(1, intensity(p),
                                     p->warp_insts / (p->time_us * 1e3));
    }
    if (g->best != NULL && g->best->dram_gbps > 0)
        value[n++] =
            chart_point(2, intensity(g->best),
                        g->best->warp_insts / (g->best->time_us * 1e3));
    const struct chart_panel panel = {
        .kind = CHART_SCATTER,
        .x = {.title = "warp instructions a byte of DRAM", .log = true},
        .y = {.title = "warp instructions a second",
              .unit = "billions",
              .log = true},
        .series = series,
        .serieses = 3,
        .joined = 1,
        .value = value,
        .values = n,
        .height = 240,
        .empty = "no point moves bytes from or to DRAM"};
    const struct chart c = {
        .title = "Achieved, and what DRAM and issue slots allow",
        .description = "Each point by its instructions a byte and a second; "
                       "the roof is what DRAM and issue slots allow.",
        .panel = &panel,
        .panels = 1};
    put_chart(f, &c);
    free(value);
}

static void put_phases(FILE *f, const struct explanation *x)
{
    static const char *const series[] = {"share of a warp's time"};
    static const size_t most = 40;
    char label[40][24];
    const char *subject[40];
    struct chart_value value[40];
    size_t n = x->phases < most ? x->phases : most;
    for (size_t i = 0; i < n; i++) {
        snprintf(label[i], sizeof(label[i]), "phase %zu", i);
        subject[i] = label[i];
        value[i] = chart_bar(0, i, 100 * x->phase_share[i]);
    }
    const struct chart_panel panel = {
        .kind = CHART_BARS,
        .y = {.title = "of a warp's time", .unit = "%"},
        .subject = subject,
        .subjects = n,
        .series = series,
        .serieses = 1,
        .value = value,
        .values = n,
        .height = 160,
        .empty = "the kernel has no phases"};
    const struct chart c = {
        .title = "Time of a warp, phase by phase",
        .description = "The share of its time that a warp spends in each phase "
                       "when no other holds it up.",
        .panel = &panel,
        .panels = 1};
    put_chart(f, &c);
}

/* ---- sections ------------------------------------------------------------ */

static void put_groups(FILE *f, const struct html_page *p, const char *title,
                       void (*put)(FILE *f, const struct group *g))
{
    fprintf(f, "<section><h2>%s</h2>\n", title);
    for (size_t i = 0; i < p->points;) {
        const struct group g = group_at(p, i);
        char label[TEXT_MAX];
        if (g.first > 0 || g.end < p->points) {
            group_text(label, sizeof(label), &g);
            fputs("<h3>", f);
            put_text(f, label);
            fputs("</h3>\n", f);
        }
        put(f, &g);
        i = g.end;
    }
    fputs("</section>\n", f);
}

static void put_explained(FILE *f, const struct html_page *p)
{
    const struct explanation *x = p->explained;
    const struct rule *r;
    const char *why = "Not known here: a page of one kernel on one GPU, made "
                      "from its input, has it.";
    fputs("<section><h2>Phases</h2>\n", f);
    if (x != NULL)
        put_phases(f, x);
    else
        put_paragraph(f, "grey", why);
    fputs("</section>\n<section><h2>What would change it</h2>\n", f);
    if (x == NULL) {
        put_paragraph(f, "grey", why);
        fputs("</section>\n", f);
        return;
    }
    char text[256];
    snprintf(text, sizeof(text),
             "Of the point tb=%d %s, which is limited by %s.", x->point->tb,
             x->point->sched, x->point->limiter);
    put_paragraph(f, "", text);
    html_what_if(f, &x->what_if);
    fputs("<ul>\n", f);
    for (size_t i = 0; (r = rule_holding(x->fact, i)) != NULL; i++) {
        fputs("<li>", f);
        put_text(f, r->text);
        fputs("</li>\n", f);
    }
    if (rule_holding(x->fact, 0) == NULL)
        fputs("<li>No rule of advice applies.</li>\n", f);
    fputs("</ul></section>\n", f);
}

static void put_accuracy_of(FILE *f, const struct report *r, size_t which)
{
    const struct estimate_fit *s = estimate_result_fit(r->results, which);
    char label[TEXT_MAX], text[2 * TEXT_MAX];
    report_case_label(label, sizeof(label), r, which);
    if (s->samples > 0)
        snprintf(text, sizeof(text),
                 "%s: %d cycle-level runs of %.2f million warp instructions "
                 "together, where all points in full take %.2f million.",
                 label, s->samples, (double)s->sample_insts * 1e-6,
                 s->full_insts * 1e-6);
    else
        snprintf(text, sizeof(text),
                 "%s: from the model alone, without samples.", label);
    put_paragraph(f, "", text);
}

static void put_accuracy(FILE *f, const struct html_page *p)
{
    fputs("<section><h2>Accuracy</h2>\n", f);
    if (p->report == NULL)
        put_paragraph(f, "grey",
                      "How well the samples fit is not part of a result that "
                      "was read back; the intervals of its points are.");
    for (size_t i = 0; p->report != NULL && i < p->report->cases; i++)
        put_accuracy_of(f, p->report, i);
    put_paragraph(f, "",
                  "Intervals hold the true number with a probability of 90 %; "
                  "differences between schedulers are known better than the "
                  "cycles themselves, since all see the same samples.");
    fputs("</section>\n", f);
}

/* ---- data ---------------------------------------------------------------- */

static const char *const shown[] = {
    "kernel",    "gpu",     "tb",      "sched",    "tb_sched", "l1_policy",
    "cycles",    "mode",    "time_us", "ipc",      "limiter",  "occupancy",
    "dram_gbps", "l1_miss", "l2_miss", "energy_uj"};
#define SHOWN             (sizeof(shown) / sizeof(shown[0]))
#define SWEPT_SHOWN_AFTER 2 /* the kernel and the GPU */

/* Swept keys and costs, which a result that was read back lacks. */
static void put_swept_heads(FILE *f, const struct report *r)
{
    for (size_t k = 0; k < plan_columns(r->plan); k++)
        fprintf(f, "<th><button type=\"button\">%s</button></th>",
                plan_column_name(r->plan, k));
    if (r->designs != NULL && r->designs->cost != NULL)
        fputs("<th><button type=\"button\">cost</button></th>", f);
}

static void put_swept_cells(FILE *f, const struct report *r,
                            const struct plan_case *c)
{
    for (size_t k = 0; k < plan_columns(r->plan); k++) {
        char text[COLUMN_VALUE_MAX];
        plan_column_text(text, sizeof(text), r->plan, c, k);
        fputs("<td>", f);
        put_text(f, text);
        fputs("</td>", f);
    }
    if (r->designs != NULL && r->designs->cost != NULL)
        fprintf(f, "<td>%.10g</td>", r->designs->cost[c->variant->number]);
}

static void put_data_row(FILE *f, const struct html_page *p, size_t row)
{
    fputs("<tr>", f);
    for (size_t i = 0; i < SHOWN; i++) {
        char buffer[COLUMN_VALUE_MAX];
        const struct estimate_column *c = estimate_column_find(shown[i]);
        bool text = estimate_column_type(c) == ESTIMATE_COLUMN_TEXT;
        fputs(text ? "<td class=\"t\">" : "<td>", f);
        put_text(f, column_value(buffer, c, p->point[row]));
        fputs("</td>", f);
        if (i + 1 == SWEPT_SHOWN_AFTER && p->report != NULL)
            put_swept_cells(f, p->report, p->report->row[row].at);
    }
    fputs("</tr>\n", f);
}

/* Inside a script only "</" and "<!" could end it: every '<' is escaped. */
static void put_json(FILE *f, const struct html_page *p)
{
    char *text = NULL;
    size_t size;
    FILE *m = p->report != NULL ? open_memstream(&text, &size) : NULL;
    if (m == NULL)
        return;
    write_json(m, p->report);
    fclose(m);
    fputs("<script type=\"application/json\" id=\"results\">\n", f);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            fputs("\\u003c", f);
        else
            fputc(*c, f);
    fputs("</script>\n", f);
    free(text);
}

static void put_data(FILE *f, const struct html_page *p)
{
    fputs("<section><h2>Data</h2>\n<p class=\"grey\">A heading sorts by its "
          "column.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"data\"><table class=\"data\">\n<thead><tr>",
          f);
    for (size_t i = 0; i < SHOWN; i++) {
        const struct estimate_column *c = estimate_column_find(shown[i]);
        bool text = estimate_column_type(c) == ESTIMATE_COLUMN_TEXT;
        fprintf(f, "<th%s><button type=\"button\">%s</button></th>",
                text ? " class=\"t\"" : "", shown[i]);
        if (i + 1 == SWEPT_SHOWN_AFTER && p->report != NULL)
            put_swept_heads(f, p->report);
    }
    fputs("</tr></thead>\n<tbody>\n", f);
    for (size_t i = 0; i < p->points; i++)
        put_data_row(f, p, i);
    fputs("</tbody></table></div>\n", f);
    put_json(f, p);
    fputs("</section>\n", f);
}

/* ---- the page ------------------------------------------------------------ */

static void put_head(FILE *f, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\">\n<title>",
          f);
    put_text(f, title);
    fprintf(f,
            "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s"
            "</style></head>\n<body><main>\n<h1>",
            html_style);
    put_text(f, title);
    fputs("</h1>\n", f);
}

static void put_facts(FILE *f, const struct html_page *p)
{
    char facts[512];
    if (p->explained == NULL)
        return;
    case_facts(facts, sizeof(facts), p->explained->at);
    put_paragraph(f, "grey", facts);
}

/* Of points that are not designs to be compared. */
static void put_points(FILE *f, const struct html_page *p)
{
    put_groups(f, p, "Heat map: block counts and schedulers", put_heat);
    put_groups(f, p, "Cycle stack", put_stack);
    put_groups(f, p, "Roofline", put_roofline);
    put_explained(f, p);
    put_accuracy(f, p);
}

static void page_title(char *out, size_t size, const struct html_page *p)
{
    const struct group first = group_at(p, 0);
    const struct designs *d = p->report != NULL ? p->report->designs : NULL;
    if (d != NULL)
        snprintf(out, size, "%s%s: %zu designs", at(&first, 0)->kernel,
                 p->report->plan->kernels > 1 ? " and others" : "", d->made);
    else if (first.end < p->points)
        snprintf(out, size, "%zu points", p->points);
    else
        group_text(out, size, &first);
}

void html_write(FILE *f, const struct html_page *p)
{
    if (p->points == 0) {
        put_head(f, "No point was finished");
        fputs("</main></body></html>\n", f);
        return;
    }
    char title[TEXT_MAX];
    page_title(title, sizeof(title), p);
    put_head(f, title);
    put_facts(f, p);
    put_verdicts(f, p);
    if (p->report != NULL && p->report->designs != NULL)
        html_designs(f, p->report);
    else
        put_points(f, p);
    put_data(f, p);
    fprintf(f, "</main>\n<script>\n%s</script>\n</body></html>\n", html_script);
}

void write_html(FILE *f, const struct report *r)
{
    const struct estimate_point **point = calloc(r->rows + 1, sizeof(*point));
    if (point == NULL)
        return;
    for (size_t i = 0; i < r->rows; i++)
        point[i] = r->row[i].point;
    html_write(f, &(struct html_page){.point = point,
                                      .points = r->rows,
                                      .report = r,
                                      .explained = r->explained,
                                      .options = r->options});
    free(point);
}
