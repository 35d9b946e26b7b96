/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of a paper as rows, and what is measured for them. Most compare
 * policies by one figure of merit; the others bring a function of their own.
 * rules.h judges the values of either. */
#ifndef PAPER_REPRO_CLAIM_H
#define PAPER_REPRO_CLAIM_H

#include "paper_repro/metrics.h"
#include "paper_repro/rules.h"
#include "paper_repro/view.h"
#include "paper_repro/words.h"

/* As the list of claims has them; the rule says how one is judged. */
enum kind { KIND_EXACT, KIND_SIGN, KIND_AT_LEAST, KIND_MAGNITUDE, KIND_SHAPE };
#define KINDS (KIND_SHAPE + 1)
extern const char *const kind_names[KINDS];

enum mean {
    EACH,       /* none: a value for each kernel */
    GEOMETRIC,  /* of the kernels' ratios */
    OF_MEANS,   /* one ratio, of the kernels' arithmetic means */
    ARITHMETIC, /* of ratios or, without a baseline, of values */
    LARGEST,    /* of them likewise */
    SMALLEST
};

struct finding;

struct claim {
    const char *id; /* paper and number */
    enum kind kind;
    const char *what;  /* as the paper words it, with the place */
    const char *paper; /* what it says there */
    enum rule rule;
    /* What the rule holds the values against: the paper's, where it prints
     * numbers. CHANGE: the ratio, 1.10 for 10 % more. */
    double number;
    const char *numbers; /* one for each value, in their order; NULL: number */
    /* The comparison: each of `kernels` under each of `subject` against each of
     * `baseline`; lists are separated by spaces. Without a baseline the values
     * are the figures themselves. */
    double (*metric)(const struct sampler_run *r);
    const char *kernels, *subject, *baseline;
    enum mean mean;
    int need;         /* so many of the values are enough, 0: all */
    bool cycles;      /* its measure looks at cycles alone: it can be judged by
                       * estimates, as comparisons of `speed` are */
    bool code;        /* of kernels' code alone: no machine has a say */
    const char *gpu;  /* another than the paper's */
    const char *keys; /* of the GPU */
    int blocks;       /* resident on an SM, 0: as many as fit */
    bool criticality; /* run the predictor */
    /* Instead of all that: adds the values. False with e: a run failed. */
    bool (*measure)(struct finding *f, const struct claim *c,
                    const struct view *v, struct error *e);
    const char *input;  /* why it is no part of the score: what it reads */
    const char *cannot; /* why it cannot be judged, checkable */
    const char *cause;  /* of a failure that no reading explains: what an
                         * experiment showed */
};

struct claims {
    const char *paper;
    const struct claim *claim;
    size_t count;
};
extern const struct claims paws_claims, perfsat_claims, kaws_claims,
    cawa_claims, ikra_claims;
/* In this order; CLAIM_PAPERS of them. */
#define CLAIM_PAPERS 5
extern const struct claims *const all_claims[CLAIM_PAPERS];

#define NOT_YET "not yet measured"

#define FINDING_VALUES 64
struct finding {
    enum verdict verdict;
    struct judgement judgement;
    struct value value[FINDING_VALUES];
    int values;
    char note[512]; /* of a measure; or why there is no verdict */
};

/* Judge c as v has it. A run that fails makes it CANNOT, with the error as the
 * note, and the result false. */
bool claim_judge(struct finding *f, const struct claim *c,
                 const struct view *v);

/* For measures. ---- */

/* Add a value; `paper` as in struct value. Past FINDING_VALUES it is lost. */
void finding_add(struct finding *f, double ours, double paper,
                 const char *label, ...) __attribute__((format(printf, 4, 5)));
/* Add to the note. */
void finding_note(struct finding *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* One figure: of a kernel under policies, with the claim's GPU, keys, blocks
 * and predictor. */
bool claim_figure(double *out, const struct claim *c, const struct view *v,
                  const char *kernel, const char *policies, struct error *e);
/* Add the logarithms of subject's figure over baseline's, of each kernel, to
 * sum and their number to count. */
bool add_logs(double *sum, int *count, const struct claim *c,
              const struct view *v, const char *kernels, const char *subject,
              const char *baseline, struct error *e);

#endif
