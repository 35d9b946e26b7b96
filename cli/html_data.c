/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/figures.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that stand in the page; the script draws others from the JSON. */
#define ROWS_DRAWN 200

static const char *const shown[] = {
    "kernel",    "gpu",     "tb",      "sched",     "tb_sched", "l1_policy",
    "cycles",    "mode",    "time_us", "ipc",       "limiter",  "occupancy",
    "dram_gbps", "l1_miss", "l2_miss", "energy_uj", "cost",     "pareto"};
#define SHOWN (sizeof(shown) / sizeof(shown[0]))

/* What a row says: of one point all, of several what differs, and cycles. */
static bool is_shown(const struct html_column *c, const struct html_page *p)
{
    bool known = c->swept;
    for (size_t i = 0; i < SHOWN; i++)
        known |= strcmp(c->name, shown[i]) == 0;
    return known &&
           (!c->same || p->points == 1 || strcmp(c->name, "cycles") == 0);
}

/* ---- digits --------------------------------------------------------------
 */

#define DECIMALS_ALL 99 /* a number as it is */

/* A column of the table, whose numbers are rounded to 10^-decimals. */
struct drawn {
    const struct html_column *column;
    int decimals;
};

/* As many as the narrowest interval leaves (cli/figures.h). */
static int decimals_known(const struct html_page *p, bool cycles)
{
    double least = INFINITY;
    for (size_t i = 0; i < p->points; i++) {
        const struct estimate_point *q = p->point[i];
        double half =
            half_width_pct(q) / 100 * (cycles ? q->cycles : q->time_us);
        least = half > 0 ? fmin(least, half) : least;
    }
    return isfinite(least) ? 1 - (int)floor(log10(least)) : cycles ? 0 : 3;
}

/* Four digits of the largest. */
static int decimals_of_four(const struct html_column *c,
                            const struct html_page *p)
{
    double most = 0;
    for (size_t i = 0; i < p->points; i++) {
        char buffer[COLUMN_VALUE_MAX];
        most =
            fmax(most, fabs(strtod(html_column_text(buffer, c, p, i), NULL)));
    }
    return most > 0 ? 3 - (int)floor(log10(most)) : DECIMALS_ALL;
}

static int decimals_of(const struct html_column *c, const struct html_page *p)
{
    static const char *const rates[] = {"ipc",     "occupancy", "dram_gbps",
                                        "l1_miss", "l2_miss",   "energy_uj"};
    bool cycles = strcmp(c->name, "cycles") == 0;
    if (cycles || strcmp(c->name, "time_us") == 0)
        return decimals_known(p, cycles);
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
        if (strcmp(c->name, rates[i]) == 0)
            return decimals_of_four(c, p);
    return DECIMALS_ALL;
}

static void put_rounded(FILE *f, const char *text, int decimals)
{
    char *end;
    double value = strtod(text, &end), step = pow(10, -decimals);
    if (decimals == DECIMALS_ALL || end == text)
        html_text(f, text);
    else
        fprintf(f, "%.*f", decimals > 0 ? decimals : 0,
                round(value / step) * step);
}

/* ---- the table -----------------------------------------------------------
 */

static void put_row(FILE *f, const struct html_page *p, const struct drawn *d,
                    size_t count, size_t row)
{
    fputs("<tr>", f);
    for (size_t i = 0; i < count; i++) {
        char buffer[COLUMN_VALUE_MAX];
        const struct html_column *c = d[i].column;
        fputs(c->text ? "<td class=\"t\">" : "<td>", f);
        put_rounded(f, html_column_text(buffer, c, p, row), d[i].decimals);
        fputs("</td>", f);
    }
    fputs("</tr>\n", f);
}

static void put_heads(FILE *f, const struct drawn *d, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(f, "<th%s scope=\"col\"",
                d[i].column->text ? " class=\"t\"" : "");
        if (d[i].decimals != DECIMALS_ALL)
            fprintf(f, " data-decimals=\"%d\"", d[i].decimals);
        fputs("><button type=\"button\">", f);
        html_text(f, d[i].column->name);
        fputs("</button></th>", f);
    }
}

/* What no row has to say. */
static void put_same(FILE *f, const struct html_page *p)
{
    const char *before = "<p>All have ";
    for (size_t i = 0; i < SHOWN; i++) {
        char buffer[COLUMN_VALUE_MAX];
        const struct html_column *c = html_columns_find(p->columns, shown[i]);
        if (c == NULL || !c->same || is_shown(c, p))
            continue;
        const char *text = html_column_text(buffer, c, p, 0);
        if (text[0] == '\0')
            continue;
        fprintf(f, "%s%s ", before, c->name);
        html_text(f, text);
        before = ", ";
    }
    if (before[0] == ',')
        fputs(".</p>\n", f);
}

static void put_table(FILE *f, const struct html_page *p)
{
    size_t count = 0;
    struct drawn *d = calloc(p->columns->count + 1, sizeof(*d));
    if (d == NULL)
        return;
    for (size_t i = 0; i < p->columns->count; i++) {
        const struct html_column *c = &p->columns->at[i];
        if (is_shown(c, p))
            d[count++] = (struct drawn){c, decimals_of(c, p)};
    }
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"data\"><table class=\"data\">\n<caption>A heading "
          "sorts by its column</caption>\n<thead><tr>",
          f);
    put_heads(f, d, count);
    fputs("</tr></thead>\n<tbody>\n", f);
    for (size_t i = 0; i < p->points && i < ROWS_DRAWN; i++)
        put_row(f, p, d, count, i);
    fputs("</tbody></table></div>\n", f);
    free(d);
}

void html_data(FILE *f, const struct html_page *p)
{
    html_section(f, "data", "Data");
    fputs("<p class=\"filter\"><label>Only rows with <input type=\"search\" "
          "size=\"16\"></label> <output>",
          f);
    if (p->points > ROWS_DRAWN)
        fprintf(f, "%d of ", ROWS_DRAWN);
    fprintf(f,
            "%zu points</output> <button type=\"button\" class=\"more\" "
            "hidden>More</button> <button type=\"button\" class=\"save\" "
            "hidden>Save as CSV</button></p>\n",
            p->points);
    put_same(f, p);
    put_table(f, p);
    html_json(f, p);
    fputs("</section>\n", f);
}
