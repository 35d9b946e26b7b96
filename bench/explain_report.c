/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/explain_changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Percent. Only where full detail changes by more is a sign asked for. */
#define SIGNIFICANT 3.0

/* What one predictor does over some changes. */
struct figures {
    int count, signed_count, right;
    double error, worst; /* sum of, and largest difference; points */
};

/* One kind of change, or all. */
struct kind {
    struct figures model, hybrid, sampled; /* sampled: not run whole */
    int told, held;                        /* intervals of those */
};

static void add(struct figures *f, double said, double truth)
{
    double off = fabs(said - truth);
    if (isnan(said))
        return;
    f->count++;
    f->error += off;
    f->worst = fmax(f->worst, off);
    if (fabs(truth) <= SIGNIFICANT)
        return;
    f->signed_count++;
    f->right += (said > 0) == (truth > 0) && said != 0;
}

static void add_change(struct kind *k, const struct change *c)
{
    double truth = change_truth(c);
    add(&k->model, c->model, truth);
    add(&k->hybrid, c->hybrid, truth);
    if (c->whole || isnan(c->hybrid))
        return;
    add(&k->sampled, c->hybrid, truth);
    k->told++;
    k->held += truth >= c->lo && truth <= c->hi;
}

static void put_figures(const struct figures *f)
{
    if (f->count == 0) {
        printf(" |    -        -      -      -");
        return;
    }
    printf(" | %4d %3d/%-4d %6.2f %6.1f", f->count, f->right, f->signed_count,
           f->error / f->count, f->worst);
}

static void put_kind(const char *name, const struct kind *k)
{
    printf("%-16s", name);
    put_figures(&k->model);
    put_figures(&k->hybrid);
    put_figures(&k->sampled);
    if (k->told > 0)
        printf(" %4.0f", 100.0 * k->held / k->told);
    printf("\n");
}

static bool seen_before(const struct changes *c, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(c->item[j].key, c->item[i].key) == 0)
            return true;
    return false;
}

static void report_half(const struct changes *c, bool development)
{
    struct kind all = {0};
    printf("\n%s kernels\n%-16s | %-25s | %-25s | %s\n",
           development ? "development" : "judging", "", "the model alone",
           "as explain says it", "... not run whole");
    printf("%-16s", "change");
    for (int i = 0; i < 3; i++)
        printf(" | %4s %8s %6s %6s", "n", "sign", "mean", "worst");
    printf(" held\n");
    for (size_t i = 0; i < c->count; i++) {
        struct kind k = {0};
        if (seen_before(c, i))
            continue;
        for (size_t j = i; j < c->count; j++)
            if (strcmp(c->item[j].key, c->item[i].key) == 0 &&
                c->item[j].development == development)
                add_change(&k, &c->item[j]);
        put_kind(c->item[i].key, &k);
    }
    for (size_t i = 0; i < c->count; i++)
        if (c->item[i].development == development)
            add_change(&all, &c->item[i]);
    put_kind("all", &all);
}

void changes_report(const struct changes *c)
{
    printf("n: changes; sign: right of those that full detail changes by more "
           "than %g %%;\nmean, worst: difference to full detail, in points; "
           "held: 90 %% intervals, percent\n",
           SIGNIFICANT);
    report_half(c, true);
    report_half(c, false);
}
