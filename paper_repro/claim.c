/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/claim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 64

const char *const kind_names[KINDS] = {"exact", "sign", "at-least", "magnitude",
                                       "shape"};

void finding_add(struct finding *f, double ours, double paper,
                 const char *label, ...)
{
    if (f->values == FINDING_VALUES)
        return;
    struct value *v = &f->value[f->values++];
    v->ours = ours;
    v->paper = paper;
    va_list args;
    va_start(args, label);
    vsnprintf(v->label, sizeof(v->label), label, args);
    va_end(args);
}

void finding_note(struct finding *f, const char *format, ...)
{
    size_t used = strlen(f->note);
    va_list args;
    va_start(args, format);
    vsnprintf(f->note + used, sizeof(f->note) - used, format, args);
    va_end(args);
}

bool claim_figure(double *out, const struct claim *c, const struct view *v,
                  const char *kernel, const char *policies, struct error *e)
{
    struct point p = {.kernel = kernel,
                      .gpu = c->gpu,
                      .policies = policies,
                      .keys = c->keys,
                      .blocks = c->blocks,
                      .criticality = c->criticality};
    const struct sampler_run *r = view_run(v, &p, e);
    if (r != NULL)
        *out = c->metric(r);
    return r != NULL;
}

bool add_logs(double *sum, int *count, const struct claim *c,
              const struct view *v, const char *kernels, const char *subject,
              const char *baseline, struct error *e)
{
    char kernel[NAME_SIZE];
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        double a, b;
        if (!claim_figure(&a, c, v, kernel, subject, e) ||
            !claim_figure(&b, c, v, kernel, baseline, e))
            return false;
        *sum += log(a / b);
        ++*count;
    }
    return true;
}

/* A comparison under way: of one subject with one baseline, or none. */
struct comparing {
    struct finding *f;
    const struct claim *claim;
    const struct view *view;
    struct error *e;
    const char *numbers; /* those not yet used */
    char subject[NAME_SIZE], base[NAME_SIZE];
    double logs, sum, sums[2], largest, smallest;
    int kernels;
};

/* The paper's number for the next value. */
static double next_number(struct comparing *c)
{
    char word[NAME_SIZE];
    if (c->numbers != NULL && next_word(word, sizeof(word), &c->numbers))
        return strtod(word, NULL);
    return c->claim->number;
}

static void add_value(struct comparing *c, const char *kernel, double ours)
{
    finding_add(c->f, ours, next_number(c), "%s%s%s%s%s", kernel,
                kernel[0] != '\0' ? " " : "", c->subject,
                c->base[0] != '\0' ? " over " : "", c->base);
}

static void begin_mean(struct comparing *c)
{
    c->logs = c->sum = c->sums[0] = c->sums[1] = 0;
    c->largest = -INFINITY;
    c->smallest = INFINITY;
    c->kernels = 0;
}

static void add_to_mean(struct comparing *c, double a, double b)
{
    c->logs += log(a / b);
    c->sum += a / b;
    c->sums[0] += a;
    c->sums[1] += b;
    c->largest = fmax(c->largest, a / b);
    c->smallest = fmin(c->smallest, a / b);
    c->kernels++;
}

static double mean_of(const struct comparing *c)
{
    switch (c->claim->mean) {
    case GEOMETRIC:
        return exp(c->logs / c->kernels);
    case OF_MEANS:
        return c->sums[0] / c->sums[1];
    case LARGEST:
        return c->largest;
    case SMALLEST:
        return c->smallest;
    default:
        return c->sum / c->kernels;
    }
}

static bool compare_kernels(struct comparing *c)
{
    const char *kernels = c->claim->kernels;
    char kernel[NAME_SIZE];
    begin_mean(c);
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        double a, b = 1;
        if (!claim_figure(&a, c->claim, c->view, kernel, c->subject, c->e) ||
            (c->base[0] != '\0' &&
             !claim_figure(&b, c->claim, c->view, kernel, c->base, c->e)))
            return false;
        add_to_mean(c, a, b);
        if (c->claim->mean == EACH)
            add_value(c, kernel, a / b);
    }
    if (c->claim->mean != EACH)
        add_value(c, "", mean_of(c));
    return true;
}

static bool compare_subject(struct comparing *c)
{
    const char *list = c->claim->baseline;
    if (list == NULL)
        return compare_kernels(c);
    while (next_word(c->base, sizeof(c->base), &list))
        if (!compare_kernels(c))
            return false;
    return true;
}

static bool compare(struct finding *f, const struct claim *claim,
                    const struct view *v, struct error *e)
{
    struct comparing c = {
        .f = f, .claim = claim, .view = v, .e = e, .numbers = claim->numbers};
    const char *list = claim->subject;
    while (next_word(c.subject, sizeof(c.subject), &list))
        if (!compare_subject(&c))
            return false;
    return true;
}

bool claim_judge(struct finding *f, const struct claim *c, const struct view *v)
{
    struct error e = {.text = ""};
    memset(f, 0, sizeof(*f));
    if (c->cannot != NULL) {
        f->verdict = CANNOT;
        finding_note(f, "%s", c->cannot);
        return true;
    }
    bool ok =
        c->measure != NULL ? c->measure(f, c, v, &e) : compare(f, c, v, &e);
    if (!ok) {
        f->verdict = CANNOT;
        f->note[0] = '\0';
        finding_note(f, "a run failed: %s", e.text);
        return false;
    }
    f->judgement = rule_judge(c->rule, f->value, f->values, c->need);
    f->verdict = c->input != NULL ? INPUT : f->judgement.verdict;
    return true;
}
