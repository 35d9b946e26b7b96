/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/claim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 64

bool next_word(char *out, size_t size, const char **list)
{
    *list += strspn(*list, " ");
    size_t n = strcspn(*list, " ");
    snprintf(out, size, "%.*s", (int)n, *list);
    *list += n;
    return n > 0;
}

static bool holds(const struct claim *c, double ratio)
{
    switch (c->relation) {
    case LESS:
        return ratio < 1;
    case MORE:
        return ratio > 1;
    case ABOUT:
        return fabs(ratio - 1) <= COMPARABLE;
    default:
        return ratio >= c->bound;
    }
}

/* One comparison under way. */
struct judging {
    struct lab *lab;
    const struct claim *claim;
    const char *gpu;
    struct finding *f;
    struct error *e;
    int tested, held;
    double log_sum; /* of the ratios since the last mean */
    double sum[2];  /* ... of the subject's and of the baseline's figures */
    int ratios;
};

__attribute__((format(printf, 2, 3))) static void note(struct finding *f,
                                                       const char *format, ...)
{
    size_t used = strlen(f->ours);
    va_list args;
    va_start(args, format);
    vsnprintf(f->ours + used, sizeof(f->ours) - used, format, args);
    va_end(args);
}

static bool figure(struct judging *j, double *out, const char *kernel,
                   const char *policies)
{
    const struct claim *c = j->claim;
    struct point p = {.kernel = kernel,
                      .gpu = j->gpu,
                      .policies = policies,
                      .key = c->key,
                      .value = c->value};
    const struct sampler_run *r = lab_run(j->lab, &p, j->e);
    if (r != NULL)
        *out = c->metric(r);
    return r != NULL;
}

static void count(struct judging *j, double ratio)
{
    j->tested++;
    j->held += holds(j->claim, ratio);
}

static void end_mean(struct judging *j, const char *subject, const char *base)
{
    double mean = j->claim->of_means ? j->sum[0] / j->sum[1]
                                     : exp(j->log_sum / j->ratios);
    count(j, mean);
    note(j->f, " %s/%s %.4f", subject, base, mean);
    j->log_sum = j->sum[0] = j->sum[1] = 0;
    j->ratios = 0;
}

static bool compare(struct judging *j, const char *subject, const char *base)
{
    const char *kernels = j->claim->kernels;
    bool mean = j->claim->mean || j->claim->of_means;
    char kernel[NAME_SIZE];
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        double a, b;
        if (!figure(j, &a, kernel, subject) || !figure(j, &b, kernel, base))
            return false;
        j->log_sum += log(a / b);
        j->sum[0] += a;
        j->sum[1] += b;
        j->ratios++;
        if (!mean) {
            count(j, a / b);
            note(j->f, " %s%s:%s %.3f", holds(j->claim, a / b) ? "" : "!",
                 kernel, subject, a / b);
        }
    }
    if (mean)
        end_mean(j, subject, base);
    return true;
}

static bool compare_subject(struct judging *j, const char *subject)
{
    const char *list = j->claim->baseline;
    char base[NAME_SIZE];
    while (next_word(base, sizeof(base), &list))
        if (!compare(j, subject, base))
            return false;
    return true;
}

static bool judge_comparison(struct judging *j)
{
    const struct claim *c = j->claim;
    const char *list = c->subject;
    char subject[NAME_SIZE];
    while (next_word(subject, sizeof(subject), &list))
        if (!compare_subject(j, subject))
            return false;
    int need = c->need > 0 ? c->need : j->tested;
    j->f->verdict = j->held >= need ? HOLDS : FAILS;
    char list_text[sizeof(j->f->ours)];
    memcpy(list_text, j->f->ours, sizeof(list_text));
    j->f->ours[0] = '\0';
    note(j->f, "%d of %d:", j->held, j->tested);
    note(j->f, "%s", list_text);
    return true;
}

bool claim_judge(struct finding *f, struct lab *l, const struct claim *c,
                 const char *gpu, struct error *e)
{
    f->ours[0] = '\0';
    if (c->why_not != NULL) {
        f->verdict = NOT_JUDGED;
        note(f, "%s", c->why_not);
        return true;
    }
    if (c->judge != NULL)
        return c->judge(l, c, f, e);
    struct judging j = {.lab = l,
                        .claim = c,
                        .gpu = c->gpu != NULL ? c->gpu : gpu,
                        .f = f,
                        .e = e};
    return judge_comparison(&j);
}

bool add_speedups(struct lab *l, const char *gpu, const char *kernels,
                  const char *subject, const char *baseline, double *sum,
                  int *count, struct error *e)
{
    struct point p = {.gpu = gpu};
    char kernel[NAME_SIZE];
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        p.kernel = kernel;
        p.policies = subject;
        const struct sampler_run *a = lab_run(l, &p, e);
        p.policies = baseline;
        const struct sampler_run *b = a != NULL ? lab_run(l, &p, e) : NULL;
        if (b == NULL)
            return false;
        *sum += log(speed(a) / speed(b));
        ++*count;
    }
    return true;
}

static bool wanted(int argc, char **argv, const char *id)
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            continue;
        any = true;
        if (strcmp(argv[i], id) == 0)
            return true;
    }
    return !any;
}

static bool parse_mode(int argc, char **argv, bool *full)
{
    *full = false;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--full") == 0)
            *full = true;
        else if (argv[i][0] == '-' && strcmp(argv[i], "--quick") != 0)
            return false;
    return true;
}

static void print_head(const char *paper, bool full)
{
    if (full)
        printf("%s: the paper's grids in full\n", paper);
    else
        printf("%s: quick: of single launches at most %d waves or %g M warp "
               "instructions, on %d SMs where that is less than %d waves; of "
               "applications the first launches up to %g M; on a mesh all\n",
               paper, QUICK_WAVES, QUICK_INSTS / 1e6, QUICK_SMS,
               QUICK_FEWEST_WAVES, QUICK_INSTS / 1e6);
}

int claims_main(int argc, char **argv, const char *paper, const char *gpu,
                const struct claim *claim, size_t count)
{
    static const char *const word[] = {"does not hold", "holds",
                                       "not yet judged"};
    bool full;
    if (!parse_mode(argc, argv, &full)) {
        fprintf(stderr, "usage: %s [--quick | --full] [ID...]\n", paper);
        return STATUS_USAGE;
    }
    struct lab *l = lab_create(full);
    if (l == NULL)
        return EXIT_FAILURE;
    print_head(paper, full);
    int found[3] = {0};
    struct error e;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct finding f;
        if (!wanted(argc, argv, claim[i].id))
            continue;
        ok = claim_judge(&f, l, &claim[i], gpu, &e);
        if (!ok)
            break;
        found[f.verdict]++;
        printf("%-10s %-14s %s | paper: %s | ours: %s\n", claim[i].id,
               word[f.verdict], claim[i].what, claim[i].paper, f.ours);
        fflush(stdout);
    }
    lab_free(l);
    if (!ok) {
        fprintf(stderr, "%s: %s\n", paper, e.text);
        return EXIT_FAILURE;
    }
    printf("%s: %d of %d hold, %d not yet judged\n", paper, found[HOLDS],
           found[HOLDS] + found[FAILS] + found[NOT_JUDGED], found[NOT_JUDGED]);
    return EXIT_SUCCESS;
}
