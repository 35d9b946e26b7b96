/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of a paper, and whether they hold here. Most compare policies by one
 * figure of merit; the others bring a function of their own. */
#ifndef PAPER_REPRO_CLAIM_H
#define PAPER_REPRO_CLAIM_H

#include "paper_repro/lab.h"

/* "Comparable": the papers give no number. Where one of them has to say what
 * still counts as an improvement, it is 2 % (perfsat Sec. V-B). */
#define COMPARABLE 0.02

enum verdict { FAILS, HOLDS, NOT_JUDGED };

/* What the subject's figure over the baseline's must be. */
enum relation {
    LESS,
    MORE,
    ABOUT,   /* 1, within COMPARABLE */
    AT_LEAST /* the claim's bound */
};

struct finding {
    enum verdict verdict;
    char ours[1024];
};

struct claim {
    const char *id;   /* paper and number */
    const char *what; /* as the paper words it, with the place */
    const char *paper;
    /* The comparison: each of `kernels` under each of `subject` against each of
     * `baseline`; lists are separated by spaces. */
    double (*metric)(const struct sampler_run *r);
    const char *kernels, *subject, *baseline;
    enum relation relation;
    bool mean;       /* of the kernels' ratios (geometric), not each of them */
    bool of_means;   /* one ratio, of the kernels' arithmetic means */
    int need;        /* so many of the kernels are enough, 0: all */
    double bound;    /* AT_LEAST */
    const char *gpu; /* another than the paper's */
    const char *key; /* of the GPU, set to value */
    double value;
    /* Instead of all that. */
    bool (*judge)(struct lab *l, const struct claim *c, struct finding *f,
                  struct error *e);
    const char *why_not; /* nothing to judge it with */
};

/* False with e when a run failed; c runs on `gpu` unless it names one. */
bool claim_judge(struct finding *f, struct lab *l, const struct claim *c,
                 const char *gpu, struct error *e);

/* Judge and print the claims of a paper on `gpu`; --full or --quick (default)
 * in argv, and ids to judge only those. The exit status: failed only when a run
 * failed, not for claims that do not hold. */
int claims_main(int argc, char **argv, const char *paper, const char *gpu,
                const struct claim *claim, size_t count);

/* Figures of merit. */
double speed(const struct sampler_run *r);       /* 1 / cycles */
double idle_share(const struct sampler_run *r);  /* of issue slots */
double memory_load(const struct sampler_run *r); /* in flight, mean */
double alu_load(const struct sampler_run *r);
double scoreboard_stalls(const struct sampler_run *r); /* issue slots */
double all_stalls(const struct sampler_run *r);        /* issue slots */
double l1_mpki(const struct sampler_run *r);
double traffic(const struct sampler_run *r); /* flits times links */

/* Add the logarithms of subject's speed over baseline's, of each kernel, to sum
 * and their number to count. */
bool add_speedups(struct lab *l, const char *gpu, const char *kernels,
                  const char *subject, const char *baseline, double *sum,
                  int *count, struct error *e);

/* Next word of a list into out; false at its end. */
bool next_word(char *out, size_t size, const char **list);

#endif
