/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figure.h"

#include "paper_repro/claim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME         64
#define MOST_KERNELS 64

struct figure_data {
    struct figure_value *value;
    size_t count, capacity;
};

struct figure_data *figure_data_create(void)
{
    return calloc(1, sizeof(struct figure_data));
}

static void free_strings(struct figure_value *v)
{
    free((char *)v->subject);
    free((char *)v->series);
    free((char *)v->gpu);
    free((char *)v->unit);
}

void figure_data_free(struct figure_data *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->count; i++)
        free_strings(&d->value[i]);
    free(d->value);
    free(d);
}

size_t figure_values(const struct figure_data *d)
{
    return d->count;
}

const struct figure_value *figure_value_at(const struct figure_data *d,
                                           size_t i)
{
    return &d->value[i];
}

struct figure_value figure_value(int panel, const char *subject,
                                 const char *series, double ours)
{
    return (struct figure_value){.panel = panel,
                                 .subject = subject,
                                 .series = series,
                                 .tb = NAN,
                                 .cycle = NAN,
                                 .ours = ours,
                                 .low = NAN,
                                 .high = NAN,
                                 .paper = NAN};
}

static bool grow(struct figure_data *d)
{
    if (d->count < d->capacity)
        return true;
    size_t capacity = d->capacity > 0 ? 2 * d->capacity : 64;
    struct figure_value *value =
        realloc(d->value, capacity * sizeof(*d->value));
    if (value == NULL)
        return false;
    d->value = value;
    d->capacity = capacity;
    return true;
}

/* NULL stays NULL. */
static bool copy(const char **to, const char *from)
{
    *to = from != NULL ? strdup(from) : NULL;
    return from == NULL || *to != NULL;
}

bool figure_add(struct figure_data *d, const struct figure_value *v,
                struct error *e)
{
    if (!grow(d))
        return error_no_memory(e);
    struct figure_value *new = &d->value[d->count];
    *new = *v;
    new->subject = new->series = new->gpu = new->unit = NULL;
    if (!copy(&new->subject, v->subject != NULL ? v->subject : "") ||
        !copy(&new->series, v->series != NULL ? v->series : "") ||
        !copy(&new->gpu, v->gpu) || !copy(&new->unit, v->unit)) {
        free_strings(new);
        return error_no_memory(e);
    }
    d->count++;
    return true;
}

bool figure_is_table(const struct figure *f)
{
    return f->panel[0].y == NULL;
}

/* ---- measuring ---------------------------------------------------------- */

bool figure_measure(struct figure_measured *out, const struct view *v,
                    const struct point *p,
                    double (*metric)(const struct sampler_run *r),
                    struct error *e)
{
    const struct sampler_run *r = view_run(v, p, e);
    if (r == NULL)
        return false;
    *out = (struct figure_measured){metric(r), NAN};
    if (v->window != WINDOW_UNSET || p->window != WINDOW_UNSET ||
        lab_window(v->lab) != WINDOW_QUICK || !lab_beside(v->lab))
        return true;
    struct point half = *p;
    half.window = WINDOW_HALF;
    r = view_run(v, &half, e);
    if (r == NULL)
        return false;
    out->half = metric(r);
    return true;
}

void figure_ratio(struct figure_value *v, const struct figure_measured *m,
                  const struct figure_measured *base)
{
    double half = base != NULL ? m->half / base->half : m->half;
    v->ours = base != NULL ? m->value / base->value : m->value;
    v->low = isnan(half) ? NAN : fmin(half, v->ours);
    v->high = isnan(half) ? NAN : fmax(half, v->ours);
}

static bool measure_kernel(struct figure_measured *out, const struct figure *f,
                           const struct view *v, const char *kernel,
                           const char *policies, struct error *e)
{
    struct point p = {.kernel = kernel, .policies = policies};
    return figure_measure(out, v, &p, f->metric, e);
}

/* One series of a group: its kernels, then their mean. */
static bool fill_series(struct figure_data *d, const struct figure *f,
                        const struct figure_group *g, const char *policies,
                        const struct view *v, struct error *e)
{
    double value[MOST_KERNELS], bases[MOST_KERNELS];
    char kernel[NAME];
    size_t n = 0;
    const char *list = g->kernels;
    while (n < MOST_KERNELS && next_word(kernel, sizeof(kernel), &list)) {
        struct figure_measured m, base = {1, 1};
        struct figure_value row = figure_value(0, kernel, policies, NAN);
        if (!measure_kernel(&m, f, v, kernel, policies, e) ||
            (f->baseline != NULL &&
             !measure_kernel(&base, f, v, kernel, f->baseline, e)))
            return false;
        figure_ratio(&row, &m, f->baseline != NULL ? &base : NULL);
        value[n] = m.value;
        bases[n++] = base.value;
        if (!figure_add(d, &row, e))
            return false;
    }
    struct figure_value row = figure_value(0, g->mean, policies, NAN);
    figure_mean(&row, value, bases, n, f->mean);
    return g->mean == NULL || figure_add(d, &row, e);
}

static bool fill_groups(struct figure_data *d, const struct figure *f,
                        const struct view *v, struct error *e)
{
    for (int g = 0; g < FIGURE_GROUPS && f->group[g].kernels != NULL; g++) {
        const char *list = f->series;
        char policies[NAME];
        while (next_word(policies, sizeof(policies), &list))
            if (!fill_series(d, f, &f->group[g], policies, v, e))
                return false;
    }
    return true;
}

static void note_marks(struct figure_data *d, const struct figure_mark *mark)
{
    for (; mark != NULL && mark->subject != NULL; mark++)
        for (size_t i = 0; i < d->count; i++) {
            struct figure_value *v = &d->value[i];
            if (v->panel == mark->panel &&
                strcmp(v->subject, mark->subject) == 0 &&
                strcmp(v->series, mark->series) == 0)
                v->paper = mark->value;
        }
}

bool figure_fill(struct figure_data *d, const struct figure *f,
                 const struct view *v, struct error *e)
{
    struct view own = *v;
    if (f->gpu != NULL)
        own.gpu = f->gpu;
    bool ok =
        f->fill != NULL ? f->fill(d, f, &own, e) : fill_groups(d, f, &own, e);
    note_marks(d, f->mark);
    return ok;
}
