/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far hybrid, the model alone and samples alone are from full detail, over
 * bundled kernels x block counts x schedulers x GPUs. Grids are scaled to a few
 * full waves of the whole GPU at its largest block count.
 *
 *     accuracy [--kernels A,B] [--gpus A,B] [--waves W] [--sms N] [--csv FILE]
 *              [--detailed FILE]    full detail from an earlier CSV
 *     accuracy --full A,B [...]    own grids, few schedulers
 */
#include "bench/accuracy_kept.h"
#include "bench/series.h"
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "model/model.h"
#include "sampler/policy/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WAVES 3
/* Kernels whose full wave takes more warp instructions than that get half as
 * many waves, so that the comparison ends in time. */
#define HEAVY_WAVE   3e6
#define DEFAULT_GPUS "m2090,k20x"
#define MAX_SCHEDS   16
#define MAX_TB       64
#define MAX_GPUS     16

/* Compared beside the 14 of paws Table II: those that perfsat Table II adds. */
static const char perfsat_kernels[] =
    "gaussian,hotspot,pathfinder,nn,srad-1,srad-2,srad-3,srad-4,srad-5,srad-6";
static const char default_scheds[] = "lrr,gto,old,tlrr,tlgto,tlpaws,paws";
static const char full_scheds[] = "lrr,gto,paws";

struct arguments {
    const char *kernels, *gpus, *scheds, *csv, *detailed;
    double waves;
    int sms;
    bool full;
};

/* ---- what is compared --------------------------------------------------- */

enum figure {
    MODEL_ERROR,     /* percent, every point */
    HYBRID_ERROR,    /* percent, points not sampled */
    SAMPLE_ERROR,    /* percent, sampled points */
    ORDER_ALL,       /* 1 / 0: pair truly apart ordered right */
    ORDER_UNSAMPLED, /* likewise, where not both are sampled */
    TIE,             /* 1 / 0: pair with the first truly within 1 %, said tie */
    TIE_RULE,        /* 1 / 0: pair with the first, truth against the rule */
    REGRET,          /* percent, a kernel and GPU */
    COUNT_EXACT,     /* 1 / 0: optimal block count of a scheduler */
    COUNT_NEAR,      /* 1 / 0: ... or its time within 1 % */
    COVER,           /* 1 / 0: 90 % interval at a point not sampled */
    COVER_SAMPLED,   /* likewise at a sampled point */
    COVER_BY_KERNEL, /* share, a kernel and GPU */
    SPEEDUP,         /* time of the detailed sweep over the hybrid one */
    INSTS_RATIO,     /* warp instructions, likewise */
    FULL_RATIO,      /* ... of the kernel's own grid */
    FIGURES
};

struct comparison {
    struct series figure[FIGURES];
    FILE *csv;
};

struct case_study {
    const struct kernel *kernel;
    const struct gpu *gpu;
    struct study study;
    int tb[MAX_TB];
    struct study_result detailed, model, hybrid;
    double own_ratio; /* warp instructions of the sweep in full detail over
                       * those of its samples, at the kernel's own grid */
};

static size_t at(const struct study *s, int tb, int q)
{
    return (size_t)(tb * s->policy_count + q);
}

static double error_pct(const struct result *r, const struct result *truth)
{
    return 100 * fabs(r->cycles / truth->cycles - 1);
}

static bool holds(const struct result *r, const struct result *truth)
{
    return r->cycles_lo <= truth->cycles && truth->cycles <= r->cycles_hi;
}

static void compare_points(struct comparison *c, const struct case_study *k)
{
    struct series cover = {0};
    size_t n = at(&k->study, k->study.tb_count, 0);
    for (size_t i = 0; i < n; i++) {
        const struct result *truth = &k->detailed.result[i];
        const struct result *h = &k->hybrid.result[i];
        series_add(&c->figure[MODEL_ERROR],
                   error_pct(&k->model.result[i], truth));
        series_add(&c->figure[h->sampled ? SAMPLE_ERROR : HYBRID_ERROR],
                   error_pct(h, truth));
        series_add(&c->figure[h->sampled ? COVER_SAMPLED : COVER],
                   holds(h, truth));
        if (!h->sampled)
            series_add(&cover, holds(h, truth));
    }
    if (cover.count > 0)
        series_add(&c->figure[COVER_BY_KERNEL], series_mean(&cover));
    free(cover.value);
}

static void compare_pair(struct comparison *c, const struct case_study *k,
                         size_t a, size_t b)
{
    const struct result *truth = k->detailed.result, *h = k->hybrid.result;
    double gap = truth[a].cycles / truth[b].cycles - 1;
    if (fabs(gap) <= 0.01)
        return;
    bool right = (gap > 0) == (h[a].cycles > h[b].cycles);
    series_add(&c->figure[ORDER_ALL], right);
    if (!h[a].sampled || !h[b].sampled)
        series_add(&c->figure[ORDER_UNSAMPLED], right);
}

/* What the program says of a scheduler against the first of the list. */
static void compare_with_first(struct comparison *c, const struct case_study *k,
                               size_t first, size_t a)
{
    const struct paired_delta *d = &k->hybrid.delta[a];
    double gap =
        100 *
        (k->detailed.result[a].cycles / k->detailed.result[first].cycles - 1);
    bool tie = d->lo <= 1 && d->hi >= -1;
    if (fabs(gap) <= 1)
        series_add(&c->figure[TIE], tie);
    else
        series_add(&c->figure[TIE_RULE], tie ? 0 : (gap > 0) == (d->pct > 0));
}

static void compare_pairs(struct comparison *c, const struct case_study *k)
{
    const struct study *s = &k->study;
    for (int tb = 0; tb < s->tb_count; tb++)
        for (int q = 1; q < s->policy_count; q++) {
            for (int p = 0; p < q; p++)
                compare_pair(c, k, at(s, tb, q), at(s, tb, p));
            compare_with_first(c, k, at(s, tb, 0), at(s, tb, q));
        }
}

static void compare_best(struct comparison *c, const struct case_study *k)
{
    size_t n = at(&k->study, k->study.tb_count, 0), said = 0, best = 0;
    for (size_t i = 1; i < n; i++) {
        if (k->hybrid.result[i].cycles < k->hybrid.result[said].cycles)
            said = i;
        if (k->detailed.result[i].cycles < k->detailed.result[best].cycles)
            best = i;
    }
    series_add(&c->figure[REGRET],
               error_pct(&k->detailed.result[said], &k->detailed.result[best]));
}

/* The smallest count after which one more block gains less than 2 % (perfsat,
 * Sec. V-B), as an index. */
static int optimal_count(const struct study *s, const struct result *r, int q)
{
    int tb = 0;
    while (tb + 1 < s->tb_count &&
           r[at(s, tb, q)].cycles / r[at(s, tb + 1, q)].cycles - 1 >= 0.02)
        tb++;
    return tb;
}

static void compare_counts(struct comparison *c, const struct case_study *k)
{
    const struct study *s = &k->study;
    for (int q = 0; q < s->policy_count && s->tb_count > 1; q++) {
        int want = optimal_count(s, k->detailed.result, q);
        int got = optimal_count(s, k->hybrid.result, q);
        double off = error_pct(&k->detailed.result[at(s, got, q)],
                               &k->detailed.result[at(s, want, q)]);
        series_add(&c->figure[COUNT_EXACT], got == want);
        series_add(&c->figure[COUNT_NEAR], got == want || off <= 1);
    }
}

/* ---- output ------------------------------------------------------------- */

static void print_goals(struct comparison *c)
{
    struct series *f = c->figure;
    const struct {
        const char *what;
        double value;
        const char *unit, *goal;
    } row[] = {
        {"model alone: mean error", series_mean(&f[MODEL_ERROR]), "%", "10 %"},
        {"  95th percentile", series_quantile(&f[MODEL_ERROR], 0.95), "%", "-"},
        {"hybrid, points not sampled: mean error",
         series_mean(&f[HYBRID_ERROR]), "%", "3 % (10 % now)"},
        {"  95th percentile", series_quantile(&f[HYBRID_ERROR], 0.95), "%",
         "9 %"},
        {"  worst", series_quantile(&f[HYBRID_ERROR], 1), "%", "13 %"},
        {"samples alone: mean error", series_mean(&f[SAMPLE_ERROR]), "%",
         "0.5 %"},
        {"  95th percentile", series_quantile(&f[SAMPLE_ERROR], 0.95), "%",
         "-"},
        {"pairs > 1 % apart ordered right", 100 * series_mean(&f[ORDER_ALL]),
         "%", "95 %"},
        {"  where not both are sampled", 100 * series_mean(&f[ORDER_UNSAMPLED]),
         "%", "95 %"},
        {"to the first, > 1 % apart: said so", 100 * series_mean(&f[TIE_RULE]),
         "%", "95 %"},
        {"to the first, within 1 %: said tie", 100 * series_mean(&f[TIE]), "%",
         "95 %"},
        {"regret: mean", series_mean(&f[REGRET]), "%", "-"},
        {"  95th percentile", series_quantile(&f[REGRET], 0.95), "%", "1 %"},
        {"  worst", series_quantile(&f[REGRET], 1), "%", "3 %"},
        {"optimal block count exact", 100 * series_mean(&f[COUNT_EXACT]), "%",
         "-"},
        {"  or time within 1 %", 100 * series_mean(&f[COUNT_NEAR]), "%",
         "95 %"},
        {"90 % intervals that hold, not sampled", 100 * series_mean(&f[COVER]),
         "%", "85-95 %"},
        {"  mean of kernels", 100 * series_mean(&f[COVER_BY_KERNEL]), "%",
         "85-95 %"},
        {"  its 95 % half-width", 100 * series_half_width(&f[COVER_BY_KERNEL]),
         "%", "-"},
        {"90 % intervals that hold, sampled",
         100 * series_mean(&f[COVER_SAMPLED]), "%", "85-95 %"},
        {"speed-up on these grids: median", series_quantile(&f[SPEEDUP], 0.5),
         "x", "100"},
        {"  in warp instructions: median",
         series_quantile(&f[INSTS_RATIO], 0.5), "x", "-"},
        {"  of the kernels' own grids: median",
         series_quantile(&f[FULL_RATIO], 0.5), "x", "100"},
        {"  largest", series_quantile(&f[FULL_RATIO], 1), "x", "450"},
    };
    printf("\n%-42s %10s   %s\n", "figure", "here", "goal");
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        printf("%-42s %8.2f %-2s  %s\n", row[i].what, row[i].value, row[i].unit,
               row[i].goal);
    printf("%zu points not sampled, %zu sampled, %zu pairs more than 1 %% "
           "apart, %zu kernels x GPUs\n",
           f[HYBRID_ERROR].count, f[SAMPLE_ERROR].count, f[ORDER_ALL].count,
           f[REGRET].count);
}

static void write_rows(FILE *csv, const struct case_study *k)
{
    const struct study *s = &k->study;
    for (int tb = 0; tb < s->tb_count; tb++)
        for (int q = 0; q < s->policy_count; q++) {
            char label[64];
            choice_label(label, sizeof(label), &s->policies[q].warp);
            const struct result *h = &k->hybrid.result[at(s, tb, q)];
            fprintf(csv, "%s,%s,%llu,%d,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%d\n",
                    k->kernel->name, k->gpu->name,
                    (unsigned long long)k->kernel->blocks, s->tb[tb], label,
                    k->detailed.result[at(s, tb, q)].cycles,
                    k->model.result[at(s, tb, q)].cycles, h->cycles,
                    h->cycles_lo, h->cycles_hi, h->sampled);
        }
    fflush(csv);
}

static double mean_error(const struct case_study *k,
                         const struct study_result *of, int sampled)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < at(&k->study, k->study.tb_count, 0); i++)
        if (sampled < 0 || k->hybrid.result[i].sampled == (sampled > 0)) {
            sum += error_pct(&of->result[i], &k->detailed.result[i]);
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

static void print_case(const struct case_study *k)
{
    int tb = k->study.tb[k->study.tb_count - 1];
    printf("%-12s %-6s %7llu %6.1f %4d | %6.1f %6.2f %6.2f | %6.2f %6.2f | "
           "%6.1f %6.2f\n",
           k->kernel->name, k->gpu->name, (unsigned long long)k->kernel->blocks,
           (double)k->kernel->blocks / (k->gpu->sms * tb), tb,
           mean_error(k, &k->model, -1), mean_error(k, &k->hybrid, 0),
           mean_error(k, &k->hybrid, 1), k->hybrid.slice_pct,
           k->hybrid.leave_one_out_pct, k->detailed.seconds, k->hybrid.seconds);
    fflush(stdout);
}

/* ---- running ------------------------------------------------------------ */

static int fail(const struct error *e)
{
    fprintf(stderr, "accuracy: %s\n", e->text);
    return EXIT_FAILURE;
}

/* Sample the same sweep at the kernel's own grid. */
static bool sample_own_grid(struct case_study *k, const struct kernel *own,
                            struct error *e)
{
    const struct calib_options o = {.mode = MODE_HYBRID};
    struct study study = k->study;
    struct study_result r;
    study.kernel = own;
    if (!calib_study(&r, &study, &o, e))
        return false;
    k->own_ratio = r.full_insts / (double)r.sample_insts;
    study_result_free(&r);
    return true;
}

/* The points in full detail; not timed where they come from a file. */
static bool run_detailed(struct case_study *k, const char *kept,
                         struct error *e)
{
    struct calib_options o = {.mode = MODE_MODEL};
    if (kept != NULL) {
        if (!calib_study(&k->detailed, &k->study, &o, e))
            return false;
        k->detailed.seconds = NAN;
        if (accuracy_kept(&k->detailed, &k->study, kept))
            return true;
        study_result_free(&k->detailed);
    }
    o.mode = MODE_DETAILED;
    return calib_study(&k->detailed, &k->study, &o, e);
}

static bool run_modes(struct case_study *k, const char *kept, struct error *e)
{
    struct calib_options o = {.mode = MODE_MODEL};
    if (!run_detailed(k, kept, e))
        return false;
    bool ok = calib_study(&k->model, &k->study, &o, e);
    o.mode = MODE_HYBRID;
    ok = ok && calib_study(&k->hybrid, &k->study, &o, e);
    return ok;
}

static void compare(struct comparison *c, const struct case_study *k)
{
    compare_points(c, k);
    compare_pairs(c, k);
    compare_best(c, k);
    compare_counts(c, k);
    if (!isnan(k->detailed.seconds))
        series_add(&c->figure[SPEEDUP],
                   k->detailed.seconds / k->hybrid.seconds);
    series_add(&c->figure[INSTS_RATIO],
               k->hybrid.full_insts / (double)k->hybrid.sample_insts);
    series_add(&c->figure[FULL_RATIO], k->own_ratio);
    write_rows(c->csv, k);
    print_case(k);
}

static void block_counts(struct case_study *k, int most)
{
    int n = 0;
    for (; n < most && n < MAX_TB; n++)
        k->tb[n] = n + 1;
    k->study.tb = k->tb;
    k->study.tb_count = n;
}

/* Shrink the grid, its longest side first, to about `blocks`. */
static struct dim3 scaled_grid(struct dim3 g, double blocks)
{
    double have;
    while ((have = (double)g.x * g.y * g.z) > blocks) {
        uint32_t *side = g.x >= g.y && g.x >= g.z ? &g.x
                         : g.y >= g.z             ? &g.y
                                                  : &g.z;
        double others = have / *side;
        double next = fmax(*side / 2.0, ceil(blocks / others));
        if (next >= *side)
            break;
        *side = (uint32_t)next;
    }
    return g;
}

/* Blocks of a comparison of k, 0 on failure. */
static double compared_blocks(const struct arguments *a, const struct kernel *k,
                              const struct gpu *gpu, int most, struct error *e)
{
    struct profile *p = profile_create(k, gpu, 0, e);
    if (p == NULL)
        return 0;
    double wave = (double)most * gpu->sms;
    double insts = wave * profile_warp_insts(p) / (double)k->blocks;
    profile_free(p);
    return (insts > HEAVY_WAVE ? a->waves / 2 : a->waves) * wave;
}

static bool run_case(struct comparison *c, const struct arguments *a,
                     const char *name, const struct gpu *gpu,
                     const struct policy_set *policies, int policy_count,
                     struct error *e)
{
    struct kernel_list own, list;
    struct load_options load = {0};
    if (!kernel_load(&own, name, &load, e))
        return false;
    int most = occupancy_blocks(gpu, own.kernel[0], NULL);
    double blocks = compared_blocks(a, own.kernel[0], gpu, most, e);
    if (!a->full && blocks > 0)
        load.launch.grid = scaled_grid(own.kernel[0]->grid, blocks);
    if (blocks == 0 || !kernel_load(&list, name, &load, e)) {
        kernel_list_free(&own);
        return false;
    }
    struct case_study k = {.kernel = list.kernel[0],
                           .gpu = gpu,
                           .study = {.kernel = list.kernel[0],
                                     .gpu = gpu,
                                     .policies = policies,
                                     .policy_count = policy_count}};
    block_counts(&k, most);
    bool ok = most == 0 || (run_modes(&k, a->detailed, e) &&
                            sample_own_grid(&k, own.kernel[0], e));
    if (ok && most > 0)
        compare(c, &k);
    kernel_list_free(&own);
    study_result_free(&k.detailed);
    study_result_free(&k.model);
    study_result_free(&k.hybrid);
    kernel_list_free(&list);
    return ok;
}

/* The next of a comma list into out; false at its end. */
static bool next_name(char *out, size_t size, const char **list)
{
    size_t n = strcspn(*list, ",");
    if (n == 0)
        return false;
    snprintf(out, size, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ',');
    return true;
}

static int parse_policies(struct policy_set *out, const char *list,
                          struct error *e)
{
    char name[64];
    int n = 0;
    while (n < MAX_SCHEDS && next_name(name, sizeof(name), &list)) {
        if (!policy_set_parse(&out[n], NULL, name, NULL, NULL, e))
            return 0;
        n++;
    }
    return n;
}

static bool load_gpu(struct gpu *g, const char *name, int sms, struct error *e)
{
    struct gpu whole;
    if (!gpu_load(&whole, name, NULL, 0, e))
        return false;
    gpu_slice(g, &whole, sms > 0 && sms < whole.sms ? sms : whole.sms);
    return true;
}

static bool run_kernels(struct comparison *c, const struct arguments *a,
                        const struct gpu *gpu,
                        const struct policy_set *policies, int policy_count,
                        struct error *e)
{
    size_t count = 0;
    const char *const *names = kernel_default_names(&count);
    for (size_t i = 0; a->kernels == NULL && i < count; i++)
        if (!run_case(c, a, names[i], gpu, policies, policy_count, e))
            return false;
    char name[256];
    const char *list = a->kernels != NULL ? a->kernels : perfsat_kernels;
    while (next_name(name, sizeof(name), &list))
        if (!run_case(c, a, name, gpu, policies, policy_count, e))
            return false;
    return true;
}

static bool run_all(struct comparison *c, const struct arguments *a,
                    struct error *e)
{
    struct policy_set policies[MAX_SCHEDS] = {0};
    int policy_count = parse_policies(policies, a->scheds, e);
    if (policy_count == 0)
        return false;
    char name[256];
    for (const char *list = a->gpus; next_name(name, sizeof(name), &list);) {
        struct gpu gpu;
        if (!load_gpu(&gpu, name, a->sms, e) ||
            !run_kernels(c, a, &gpu, policies, policy_count, e))
            return false;
    }
    return true;
}

static bool parse_arguments(struct arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            return false;
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--kernels") == 0)
            a->kernels = value;
        else if (strcmp(argv[i], "--gpus") == 0)
            a->gpus = value;
        else if (strcmp(argv[i], "--scheds") == 0)
            a->scheds = value;
        else if (strcmp(argv[i], "--waves") == 0)
            a->waves = atof(value);
        else if (strcmp(argv[i], "--sms") == 0)
            a->sms = atoi(value);
        else if (strcmp(argv[i], "--csv") == 0)
            a->csv = value;
        else if (strcmp(argv[i], "--detailed") == 0)
            a->detailed = value;
        else if (strcmp(argv[i], "--full") == 0) {
            a->kernels = value;
            a->full = true;
        } else
            return false;
    }
    if (a->scheds == NULL)
        a->scheds = a->full ? full_scheds : default_scheds;
    if (a->csv == NULL)
        a->csv = a->full ? "bench/accuracy_full.csv" : "bench/accuracy.csv";
    return a->waves > 0;
}

int main(int argc, char **argv)
{
    struct arguments a = {.gpus = DEFAULT_GPUS, .waves = DEFAULT_WAVES};
    if (!parse_arguments(&a, argc, argv)) {
        fprintf(stderr, "usage: accuracy [--kernels A,B] [--gpus A,B] "
                        "[--scheds A,B] [--waves W] [--sms N] [--csv FILE] "
                        "[--detailed FILE] [--full A,B]\n");
        return STATUS_USAGE;
    }
    struct error e;
    struct comparison c = {.csv = fopen(a.csv, "w")};
    if (c.csv == NULL) {
        perror(a.csv);
        return EXIT_FAILURE;
    }
    fprintf(c.csv, "kernel,gpu,grid,tb,sched,detailed,model,hybrid,lo,hi,"
                   "sampled\n");
    if (a.full)
        printf("full grids\n");
    else
        printf("grids scaled to %g full waves of the whole GPU at the largest "
               "block count,\nhalf as many where a wave takes more than %.0f M "
               "warp instructions\n",
               a.waves, HEAVY_WAVE / 1e6);
    printf("%-12s %-6s %7s %6s %4s | %6s %6s %6s | %6s %6s | %6s %6s\n",
           "kernel", "gpu", "blocks", "waves", "tb", "model", "hybrid",
           "sample", "slice", "loo", "full_s", "hyb_s");
    bool ok = run_all(&c, &a, &e);
    if (ok)
        print_goals(&c);
    fclose(c.csv);
    for (int i = 0; i < FIGURES; i++)
        free(c.figure[i].value);
    return ok ? EXIT_SUCCESS : fail(&e);
}
