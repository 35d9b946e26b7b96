/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_design_table.h"

#include "cli/columns.h"
#include "cli/exploration.h"
#include "cli/html_text.h"
#include "cli/out_designs.h"

#include <math.h>
#include <stdlib.h>

static double value_of(const struct designs *d, size_t design, int objective)
{
    return d->value[design * (size_t)d->by.count + (size_t)objective];
}

static void put_number(FILE *f, const char *format, double value)
{
    fputs("<td>", f);
    if (isnan(value))
        fputc('-', f);
    else
        fprintf(f, format, value);
    fputs("</td>", f);
}

static void put_head(FILE *f, const char *text)
{
    fputs("<th scope=\"col\">", f);
    html_text(f, text);
    fputs("</th>", f);
}

static void put_heads(FILE *f, const struct report *r)
{
    const struct plan *p = r->plan;
    fputs("<thead><tr><th class=\"t\" scope=\"col\">gpu</th>", f);
    for (size_t k = 0; k < p->keys; k++)
        put_head(f, estimate_key_name(p->key[k]));
    for (int i = 0; i < r->designs->by.count; i++)
        put_head(f, objective_names[r->designs->by.of[i]]);
    if (exploration_asked(r->options, p))
        put_head(f, "from");
    fputs("</tr></thead><tbody>\n", f);
}

static void put_design(FILE *f, const struct report *r, size_t design)
{
    const struct plan *p = r->plan;
    const struct designs *d = r->designs;
    double swept[SWEEPS_MAX];
    design_values(swept, p, design);
    fprintf(f, "<tr%s><th class=\"t\" scope=\"row\">",
            d->front[design] ? "" : " class=\"grey\"");
    html_text(f, estimate_gpu_name(design_gpu(p, design)));
    fputs("</th>", f);
    for (size_t k = 0; k < p->keys; k++) {
        char text[COLUMN_VALUE_MAX];
        swept_text(text, p->key[k], swept[k]);
        fputs("<td>", f);
        html_text(f, text);
        fputs("</td>", f);
    }
    for (int i = 0; i < d->by.count; i++)
        put_number(f, "%.6g", value_of(d, design, i));
    if (exploration_asked(r->options, p))
        fputs(d->is_sampled[design] ? "<td>samples</td>"
                                    : "<td>interpolation</td>",
              f);
    fputs("</tr>\n", f);
}

/* What is sorted. */
struct listed {
    double value;
    size_t design;
};

static int best_first(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    if (isnan(x->value) != isnan(y->value))
        return isnan(x->value) ? 1 : -1;
    if (x->value != y->value && !isnan(x->value))
        return x->value < y->value ? -1 : 1;
    return (x->design > y->design) - (x->design < y->design);
}

static void put_designs(FILE *f, const struct report *r)
{
    const struct designs *d = r->designs;
    struct listed *list = calloc(d->count + 1, sizeof(*list));
    size_t listed = 0;
    if (list == NULL)
        return;
    for (size_t i = 0; i < d->count; i++)
        if (d->front[i] || (r->options->all && d->is_made[i]))
            list[listed++] = (struct listed){value_of(d, i, 0), i};
    qsort(list, listed, sizeof(*list), best_first);
    for (size_t i = 0; i < listed; i++)
        put_design(f, r, list[i].design);
    free(list);
}

/* The caption stands above the table, which is often narrower. */
static void put_table_open(FILE *f, const char *label, const char *caption)
{
    fprintf(f,
            "<p class=\"grey\">%s</p>\n<div class=\"scroll\" tabindex=\"0\" "
            "role=\"region\" aria-label=\"%s\"><table aria-label=\"%s\">\n",
            caption, label, label);
}

static void put_table_end(FILE *f)
{
    fputs("</tbody></table></div>\n", f);
}

void html_design_table(FILE *f, const struct report *r)
{
    double limit;
    size_t best;
    put_table_open(f, "designs on the front",
                   r->options->all
                       ? "All designs, the best first; grey: not on the front"
                       : "Designs on the front, the best first");
    put_heads(f, r);
    put_designs(f, r);
    put_table_end(f);
    if (!affordable_design(&best, &limit, r))
        return;
    char caption[128];
    snprintf(caption, sizeof(caption),
             "The best that costs no more than the GPU as it is, %.6g", limit);
    put_table_open(f, "best at the same cost", caption);
    put_heads(f, r);
    put_design(f, r, best);
    put_table_end(f);
}

void html_elasticities(FILE *f, const struct report *r)
{
    const struct plan *p = r->plan;
    const struct designs *d = r->designs;
    if (p->keys == 0)
        return;
    put_table_open(f, "elasticities", "What 1 % more of a key changes, %");
    fputs("<thead><tr><th class=\"t\" scope=\"col\">key</th>", f);
    for (int i = 0; i < d->by.count; i++)
        put_head(f, objective_names[d->by.of[i]]);
    fputs("</tr></thead><tbody>\n", f);
    for (size_t k = 0; k < p->keys; k++) {
        fprintf(f, "<tr><th class=\"t\" scope=\"row\">%s</th>",
                estimate_key_name(p->key[k]));
        for (int i = 0; i < d->by.count; i++)
            put_number(f, "%+.2f", d->elasticity[k][i]);
        fputs("</tr>\n", f);
    }
    put_table_end(f);
}
