/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_drawn.h"

#include "cli/html_group.h"
#include "cli/html_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct candidate {
    size_t first;
    const char *kernel;
    double cycles; /* INFINITY: none is finished */
};

static size_t list(struct candidate *out, const struct html_page *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->points;) {
        const struct html_group g = html_group_at(p, i);
        out[count++] = (struct candidate){
            i, p->point[i]->kernel, g.best != NULL ? g.best->cycles : INFINITY};
        i = g.end;
    }
    return count;
}

static int by_kernel(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = strcmp(x->kernel, y->kernel);
    if (order == 0)
        order = (x->cycles > y->cycles) - (x->cycles < y->cycles);
    return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

static bool same_kernel(const struct candidate *a, const struct candidate *b)
{
    return strcmp(a->kernel, b->kernel) == 0;
}

/* Of candidates sorted by kernel the first ones of each. */
static void choose(struct html_drawn *d, const struct candidate *x)
{
    size_t kernels = 0, each, taken = 0;
    for (size_t i = 0; i < d->groups; i++)
        kernels += i == 0 || !same_kernel(&x[i], &x[i - 1]);
    each = d->groups <= HTML_GROUPS_DRAWN ? d->groups
                                          : HTML_GROUPS_DRAWN / kernels;
    each = each > 0 ? each : 1;
    for (size_t i = 0; i < d->groups; i++) {
        taken = i > 0 && same_kernel(&x[i], &x[i - 1]) ? taken + 1 : 0;
        d->begins[x[i].first] = taken < each;
        d->drawn += taken < each;
    }
}

bool html_drawn_create(struct html_drawn *d, const struct html_page *p)
{
    struct candidate *x = calloc(p->points, sizeof(*x));
    *d = (struct html_drawn){.begins = calloc(p->points, sizeof(*d->begins))};
    if (x != NULL && d->begins != NULL) {
        d->groups = list(x, p);
        qsort(x, d->groups, sizeof(*x), by_kernel);
        choose(d, x);
    }
    free(x);
    return d->groups > 0;
}

void html_drawn_free(struct html_drawn *d)
{
    free(d->begins);
    *d = (struct html_drawn){0};
}

void html_drawn_note(FILE *f, const struct html_drawn *d)
{
    char text[128];
    if (d->drawn == d->groups)
        return;
    snprintf(text, sizeof(text),
             "Here are the %zu of %zu kernels on GPUs that take the fewest "
             "cycles; the table below has all.",
             d->drawn, d->groups);
    html_paragraph(f, "grey", text);
}
