/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_group.h"

#include "cli/gain.h"
#include "cli/html_columns.h"
#include "cli/names.h"

#include <math.h>
#include <string.h>

const struct estimate_point *html_group_point(const struct html_group *g,
                                              size_t i)
{
    return g->page->point[g->first + i];
}

size_t html_group_count(const struct html_group *g)
{
    return g->end - g->first;
}

static bool same_swept(const struct html_page *p, size_t a, size_t b)
{
    char one[COLUMN_VALUE_MAX], other[COLUMN_VALUE_MAX];
    for (size_t i = 0; i < p->columns->count; i++) {
        const struct html_column *c = &p->columns->at[i];
        if (c->swept && strcmp(html_column_text(one, c, p, a),
                               html_column_text(other, c, p, b)) != 0)
            return false;
    }
    return true;
}

static bool same_case(const struct html_page *p, size_t a, size_t b)
{
    const struct row *row = p->report != NULL ? p->report->row : NULL;
    if (row != NULL)
        return row[a].at == row[b].at;
    return strcmp(p->point[a]->kernel, p->point[b]->kernel) == 0 &&
           strcmp(p->point[a]->gpu, p->point[b]->gpu) == 0 &&
           same_swept(p, a, b);
}

struct html_group html_group_at(const struct html_page *p, size_t first)
{
    struct html_group g = {.page = p, .first = first, .end = first};
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

void html_policy_text(char *out, size_t size, const struct estimate_point *p)
{
    bool plain =
        strcmp(p->tb_sched, "rr") == 0 && strcmp(p->l1_policy, "lru") == 0;
    snprintf(out, size, plain ? "%s" : "%s/%s/%s", p->sched, p->tb_sched,
             p->l1_policy);
}

void html_group_text(char *out, size_t size, const struct html_group *g)
{
    char name[NAME_BYTES];
    const struct html_page *p = g->page;
    if (p->report != NULL) {
        case_label(out, size, p->report->plan, p->report->row[g->first].at,
                   p->options->mangled);
        return;
    }
    name_text(name, sizeof(name), html_group_point(g, 0)->kernel,
              p->options->mangled);
    int n = snprintf(out, size, "%s on %s", name, html_group_point(g, 0)->gpu);
    for (size_t i = 0; i < p->columns->count && n > 0 && (size_t)n < size;
         i++) {
        char value[COLUMN_VALUE_MAX];
        const struct html_column *c = &p->columns->at[i];
        if (c->swept)
            n += snprintf(out + n, size - (size_t)n, " %s=%s", c->name,
                          html_column_text(value, c, p, g->first));
    }
}

void html_group_cycles_text(char *out, size_t size, const struct html_group *g,
                            const struct estimate_point *p)
{
    char number[FIGURE_MAX], half[FIGURE_MAX];
    figure_text(number, &g->unit, p->cycles);
    half_width_text(half, half_width_pct(p));
    snprintf(out, size, "%s%s%s%s%s", number, g->unit.name[0] ? " " : "",
             g->unit.name, half[0] != '\0' ? " " : "", half);
}

static bool overlap(double low, double high, double other_low,
                    double other_high)
{
    return low <= other_high && other_low <= high;
}

/* Known beyond the point's own interval: against the first policy. */
static bool is_paired(const struct estimate_point *p)
{
    return isfinite(p->delta.lo) && isfinite(p->delta.hi);
}

bool html_group_ties(const struct html_group *g, const struct estimate_point *p)
{
    const struct estimate_point *best = g->best;
    if (g->page->report != NULL && p->tb == best->tb && is_paired(p) &&
        is_paired(best))
        return overlap(p->delta.lo, p->delta.hi, best->delta.lo,
                       best->delta.hi);
    return overlap(p->cycles_lo, p->cycles_hi, best->cycles_lo,
                   best->cycles_hi);
}

static bool same_policy(const struct estimate_point *a,
                        const struct estimate_point *b)
{
    return strcmp(a->sched, b->sched) == 0 &&
           strcmp(a->tb_sched, b->tb_sched) == 0 &&
           strcmp(a->l1_policy, b->l1_policy) == 0;
}

static void add_tb(struct html_axes *x, int tb)
{
    size_t i = x->tbs;
    for (size_t n = 0; n < x->tbs; n++)
        if (x->tb[n] == tb)
            return;
    if (x->tbs == HTML_AXIS_MAX)
        return;
    for (; i > 0 && x->tb[i - 1] > tb; i--)
        x->tb[i] = x->tb[i - 1];
    x->tb[i] = tb;
    x->tbs++;
}

void html_group_axes(struct html_axes *x, const struct html_group *g)
{
    *x = (struct html_axes){.tbs = 0};
    for (size_t i = 0; i < html_group_count(g); i++) {
        bool known = false;
        add_tb(x, html_group_point(g, i)->tb);
        for (size_t n = 0; n < x->policies; n++)
            known |= same_policy(x->policy[n], html_group_point(g, i));
        if (!known && x->policies < HTML_AXIS_MAX)
            x->policy[x->policies++] = html_group_point(g, i);
    }
}

const struct estimate_point *
html_group_find(const struct html_group *g, int tb,
                const struct estimate_point *policy)
{
    for (size_t i = 0; i < html_group_count(g); i++)
        if (html_group_point(g, i)->tb == tb &&
            same_policy(html_group_point(g, i), policy))
            return html_group_point(g, i);
    return NULL;
}
