/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The design points of one invocation: kernels x GPU variants (a case each) x
 * resident blocks x policies. */
#ifndef CLI_POINTS_H
#define CLI_POINTS_H

#include "cli/choose.h"
#include "cli/options.h"

struct gpu_list {
    struct estimate_gpu **gpu;
    size_t count;
};

/* A GPU with one value of every swept key. */
struct variant {
    struct estimate_gpu *gpu;
    size_t number;            /* of the design, see below */
    double swept[SWEEPS_MAX]; /* in the order of plan.key */
};

/* What was swept of a launch. */
struct launched {
    double value[LAUNCH_KEYS]; /* of those in plan.launch_key */
};

/* What a launch of a list stands for: itself, and with --representatives those
 * alike. */
struct stands {
    size_t launches;
    double times; /* their cycles together, in its own, by the model */
};

/* A kernel or application on a variant of a GPU. */
struct plan_case {
    const struct estimate_kernel *kernel;
    const struct variant *variant;
    const struct launched *launched;
    const struct stands *stands;
    size_t number; /* in the plan of all shards */
    const int *tb; /* [tb_count], of plan.tb */
    int tb_count;
    int tb_limit;  /* occupancy */
    int shown_tbs; /* the first so many tb were asked for; one more may follow:
                    * the default point's */
};

/* Combinations of swept values that make no GPU. */
struct skipped {
    uint64_t count;
    struct estimate_error first;
};

/* Designs are numbered: every GPU under every combination of swept values, the
 * last key varying fastest. A plan holds those that make a GPU as variants; of
 * very many some at a time (cli/many.h). */
struct plan {
    struct estimate_input **input; /* [inputs], what each came to, under every
                                    * combination of swept launch keys */
    size_t inputs;
    const struct estimate_kernel **kernel; /* of every input, in order */
    struct stands *stands;                 /* [kernels] */
    size_t kernels;
    size_t *taken;          /* [inputs] how many of them are of each */
    struct gpu_list gpus;   /* as configured, nothing swept */
    uint64_t designs, next; /* how many; the first that no plan held yet */
    uint64_t at_once;       /* held at a time */
    uint64_t combinations;  /* of swept values */
    struct skipped skipped;
    struct variant *variant;
    size_t variants;
    struct launched *launched; /* [kernels] */
    enum launch_key launch_key[LAUNCH_KEYS];
    size_t launch_keys;
    const struct estimate_key *key[SWEEPS_MAX]; /* swept GPU keys */
    const struct sweep *swept[SWEEPS_MAX];      /* the options that name them */
    size_t keys;
    struct policy_list policies;
    int shown_policies; /* as shown_tbs */
    int default_policy; /* index of gto, rr, lru; -1: not in the plan */

    struct plan_case *at; /* [kernel * variants + variant] */
    size_t cases;
    uint64_t hash; /* of the plan of all shards, where they are noted */
    int *tb;       /* the cases' tb lists, one after another */

    size_t shown_points;
    char *notes; /* lines for standard error, may be empty */
};

/* Load and check everything an invocation names. A sweep of several points
 * gets the default point (gto, rr, lru at the occupancy limit) added where it
 * lacks it and is not in full detail, so that gains can be told. plan_free()
 * in either case. */
bool plan_create(struct plan *p, const struct options *o,
                 struct estimate_error *e);
/* One that holds so many designs at a time, unless there are few. */
bool plan_create_part(struct plan *p, const struct options *o, uint64_t at_once,
                      struct estimate_error *e);
void plan_free(struct plan *p);

/* Put the next designs in the place of those there are, which may be none, and
 * what there is to note of them in the place of the notes. */
bool plan_next(struct plan *p, const struct options *o,
               struct estimate_error *e);
/* Have plan_next() begin with the first. */
void plan_rewind(struct plan *p);

/* What was swept of a design, in the order of plan.key, and its GPU as it is
 * configured. */
void design_values(double swept[SWEEPS_MAX], const struct plan *p,
                   uint64_t number);
const struct estimate_gpu *design_gpu(const struct plan *p, uint64_t number);

/* The study of all cases, to be run. */
struct estimate_study *plan_study(const struct plan *p,
                                  struct estimate_error *e);

/* What was swept beside tb: launch keys, then those of GPUs. */
size_t plan_columns(const struct plan *p);
const char *plan_column_name(const struct plan *p, size_t i);
/* A case's value as text; returns whether it is a name, not a number. */
bool plan_column_text(char *out, size_t size, const struct plan *p,
                      const struct plan_case *c, size_t i);

/* The name of a case's kernel, and of its GPU. */
const char *case_kernel(const struct plan_case *c);
const char *case_gpu(const struct plan_case *c);
/* Both, "lud on m2090", with swept keys where there are any; C++ names as they
 * are written in C++ unless `mangled`. */
void case_label(char *out, size_t size, const struct plan *p,
                const struct plan_case *c, bool mangled);
/* Whether all points asked for of case `which` were finished. */
bool case_is_done(const struct plan *p, const struct estimate_results *results,
                  size_t which);
/* Its launch where its registers are not the input's to say, or NULL. */
const struct estimate_launch_info *case_registers(const struct plan_case *c);

/* Points that would be asked for, `inputs` kernels taken; UINT64_MAX: more. */
uint64_t plan_count(const struct options *o, uint64_t inputs, uint64_t gpus,
                    uint64_t policies);

#endif
