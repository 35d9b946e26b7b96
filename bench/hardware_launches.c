/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels measured on a GPU beside ours, from nothing but their PTX:
 *
 *     hardware_launches --ptx FOLDER [--table FILE] [--gpu NAME]
 *                       [--sched NAME] [--only WORDS] [--work FOLDER]
 *                       [--out PREFIX] [-j N] REFERENCE
 *
 * REFERENCE holds the table (v100_ncu.csv unless named; columns: launches.h),
 * FOLDER the compiled kernels as .ptx files. Prints cycles of full detail and
 * of the model alone, traffic of DRAM and L2, and the mix of the instructions
 * that ours issues; with --out also to PREFIX.txt and PREFIX.csv. --only: the
 * kernels whose name is among the words. */
#include "bench/launches.h"
#include "cli/agreement.h"
#include "configs/gpu.h"
#include "kernels/load.h"
#include "kernels/ptx/launch/ptxas.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "sampler/sampler.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR   32.0 /* bytes */
#define MEGABYTE 1e6
#define DRAM_FLOOR                                                             \
    1.0 /* megabytes from which on DRAM traffic is counted: below, it is what  \
         * others left in the L2 */

struct arguments {
    const char *reference, *ptx, *table, *gpu, *sched, *only, *work, *out;
};

enum mix { MIX_FLOAT, MIX_INT, MIX_SPECIAL, MIX_MEMORY, MIX_CONTROL, MIXES };

/* What ours makes of a launch. */
struct launch_outcome {
    double cycles, model_cycles;
    double dram_read, dram_write, l2_read, l2_write; /* megabytes */
    double warp_insts, mix[MIXES];                   /* shares */
    int blocks;                                      /* resident, of an SM */
    uint32_t registers;
};

/* What was measured of the same. */
static double measured_dram(const struct measured_launch *l)
{
    return SECTOR * (l->dram_read_sectors + l->dram_write_sectors) / MEGABYTE;
}

static double measured_l2(const struct measured_launch *l)
{
    return SECTOR * (l->l2_read_hit + l->l2_read_miss + l->l2_write_hit) /
           MEGABYTE;
}

/* ---- running ------------------------------------------------------------ */

static enum mix mix_of(enum op_class op)
{
    switch (op) {
    case OP_SP:
    case OP_DP:
    case OP_TENSOR:
        return MIX_FLOAT;
    case OP_INT:
    case OP_IMUL:
    case OP_IMAD:
        return MIX_INT;
    case OP_SFU:
    case OP_CONVERT:
        return MIX_SPECIAL;
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC:
        return MIX_MEMORY;
    default:
        return MIX_CONTROL;
    }
}

static void note_counts(struct launch_outcome *out,
                        const struct sampler_counts *c)
{
    double burst = (double)c->dram_bytes /
                   fmax(1, (double)(c->dram_reads + c->dram_writes));
    out->cycles = (double)c->cycles;
    out->warp_insts = (double)c->warp_insts;
    out->dram_read = (double)c->dram_reads * burst / MEGABYTE;
    out->dram_write = (double)c->dram_writes * burst / MEGABYTE;
    out->l2_read = SECTOR * (double)c->l2_read_sectors / MEGABYTE;
    out->l2_write = SECTOR * (double)c->l2_write_sectors / MEGABYTE;
    for (int op = 0; op < OP_CLASSES; op++)
        out->mix[mix_of(op)] +=
            (double)c->insts_by_class[op] / fmax(1, (double)c->warp_insts);
}

static bool run_detail(struct launch_outcome *out,
                       const struct kernel_list *list, const struct gpu *g,
                       const struct policy_set *policies, struct error *e)
{
    struct sampler_run run;
    struct sampler_options options = {0};
    if (!sampler_simulate(&run,
                          &(struct sampler_job){.kernel = list->kernel,
                                                .kernels = (int)list->count,
                                                .gpu = g,
                                                .policies = policies,
                                                .options = &options},
                          e))
        return false;
    note_counts(out, &run.counts);
    return true;
}

static bool run_model(struct launch_outcome *out, const struct kernel *k,
                      const struct gpu *g, const struct policy_set *policies,
                      struct error *e)
{
    struct model_params params;
    struct result r;
    struct profile *p = profile_create(k, g, 1, e);
    if (p == NULL)
        return false;
    model_params_default(&params);
    model_estimate(&r, p, g, policies, out->blocks, &params);
    out->model_cycles = r.cycles;
    profile_free(p);
    return true;
}

static bool run_kernel(struct launch_outcome *out,
                       const struct kernel_list *list, const struct gpu *g,
                       const struct policy_set *policies, struct error *e)
{
    const struct kernel *k = list->kernel[0];
    out->blocks = occupancy_blocks(g, k, NULL);
    out->registers = k->regs_per_thread;
    return run_detail(out, list, g, policies, e) &&
           run_model(out, k, g, policies, e);
}

/* One launch with its GPU, policies and the assembler to ask for registers. */
struct bench {
    struct gpu gpu;
    struct policy_set policies;
    char ptxas[PTXAS_PATH_MAX]; /* empty: none */
};

static bool run_launch(struct launch_outcome *out,
                       const struct measured_launch *l,
                       const struct arguments *a, const struct bench *b,
                       struct error *e)
{
    struct kernel_list list;
    struct prepared_launch *p = calloc(1, sizeof(*p));
    bool ok = p != NULL ? launch_prepare(p, l, a->ptx, a->work, e)
                        : error_no_memory(e);
    if (ok) {
        p->options.ptx.ptxas = b->ptxas[0] != '\0' ? b->ptxas : NULL;
        p->options.ptx.arch = b->gpu.arch;
        ok = kernel_load(&list, p->file, &p->options, e);
    }
    if (ok) {
        ok = run_kernel(out, &list, &b->gpu, &b->policies, e);
        kernel_list_free(&list);
    }
    free(p);
    return ok;
}

static bool run_launches(struct launch_outcome *out,
                         const struct measured_launch *l, size_t count,
                         const struct arguments *a, const struct bench *b,
                         struct error *e)
{
    size_t failed = count;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < count; i++) {
        struct error mine;
        if (run_launch(&out[i], &l[i], a, b, &mine))
            continue;
#pragma omp critical
        if (i < failed) {
            failed = i;
            *e = mine;
        }
    }
    return failed == count;
}

/* ---- tables ------------------------------------------------------------- */

struct table {
    const struct measured_launch *theirs;
    const struct launch_outcome *ours;
    size_t count;
};

static double our_dram(const struct launch_outcome *o)
{
    return o->dram_read + o->dram_write;
}

static void print_cycles(FILE *out, const struct table *t)
{
    fprintf(out, "%-16s %9s %9s %6s %9s %6s | %8s %8s %6s | %8s %8s %6s\n",
            "kernel", "measured", "detail", "error", "model", "error",
            "DRAM MB", "ours", "error", "L2 MB", "ours", "error");
    for (size_t i = 0; i < t->count; i++) {
        const struct measured_launch *l = &t->theirs[i];
        const struct launch_outcome *o = &t->ours[i];
        double l2 = o->l2_read + o->l2_write;
        fprintf(out,
                "%-16s %9.0f %9.0f %+6.1f %9.0f %+6.1f | %8.2f %8.2f %+6.1f | "
                "%8.2f %8.2f %+6.1f\n",
                l->kernel, l->cycles, o->cycles,
                error_pct(o->cycles, l->cycles), o->model_cycles,
                error_pct(o->model_cycles, l->cycles), measured_dram(l),
                our_dram(o), error_pct(our_dram(o), measured_dram(l)),
                measured_l2(l), l2, error_pct(l2, measured_l2(l)));
    }
}

static void print_mixes(FILE *out, const struct table *t)
{
    fprintf(out, "\n%-16s %10s %6s %6s %7s %6s %7s | %3s %9s  (ours)\n",
            "kernel", "warp insts", "float", "int", "special", "memory",
            "control", "tb", "registers");
    for (size_t i = 0; i < t->count; i++) {
        const struct launch_outcome *o = &t->ours[i];
        fprintf(out,
                "%-16s %10.0f %5.1f%% %5.1f%% %6.1f%% %5.1f%% %6.1f%% | %3d "
                "%9u\n",
                t->theirs[i].kernel, o->warp_insts, 100 * o->mix[MIX_FLOAT],
                100 * o->mix[MIX_INT], 100 * o->mix[MIX_SPECIAL],
                100 * o->mix[MIX_MEMORY], 100 * o->mix[MIX_CONTROL], o->blocks,
                o->registers);
    }
}

static double detail_cycles(const struct table *t, size_t i)
{
    return t->ours[i].cycles;
}

static double model_cycles(const struct table *t, size_t i)
{
    return t->ours[i].model_cycles;
}

static double dram_megabytes(const struct table *t, size_t i)
{
    return our_dram(&t->ours[i]);
}

static double cycles_measured(const struct table *t, size_t i)
{
    return t->theirs[i].cycles;
}

static double dram_measured(const struct table *t, size_t i)
{
    double mb = measured_dram(&t->theirs[i]);
    return mb >= DRAM_FLOOR ? mb : 0;
}

/* A number of row i; 0 where it does not count. */
typedef double value_of(const struct table *t, size_t i);

static bool print_agreement(FILE *out, const struct table *t, const char *what,
                            value_of *ours, value_of *theirs, struct error *e)
{
    struct agreement a;
    double *x = calloc(2 * t->count + 1, sizeof(*x)), *y = x + t->count;
    size_t n = 0;
    for (size_t i = 0; x != NULL && i < t->count; i++)
        if (theirs(t, i) > 0) {
            x[n] = ours(t, i);
            y[n++] = theirs(t, i);
        }
    bool ok = x != NULL && (n == 0 || agreement_of(&a, x, y, n));
    if (ok && n > 0)
        fprintf(out, "%-34s %4zu %7.2f %7.2f %+7.2f %+8.1f %9.4f\n", what, n,
                a.mean_abs_pct, a.median_abs_pct, a.bias_pct, a.worst_pct,
                a.pearson);
    free(x);
    return ok || error_no_memory(e);
}

static bool print_table(FILE *out, const struct table *t, struct error *e)
{
    print_cycles(out, t);
    print_mixes(out, t);
    fprintf(out, "\n%-34s %4s %7s %7s %7s %8s %9s\n", "errors in %", "n",
            "mean", "median", "bias", "worst", "Pearson");
    return print_agreement(out, t, "cycles, full detail", detail_cycles,
                           cycles_measured, e) &&
           print_agreement(out, t, "cycles, model alone", model_cycles,
                           cycles_measured, e) &&
           print_agreement(out, t, "DRAM traffic from 1 MB on", dram_megabytes,
                           dram_measured, e);
}

static void write_csv(FILE *out, const struct table *t)
{
    fputs("kernel,cycles_measured,cycles_detail,cycles_model,dram_mb_measured,"
          "dram_read_mb,dram_write_mb,l2_mb_measured,l2_read_mb,l2_write_mb,"
          "warp_insts,float,int,special,memory,control,tb,registers\n",
          out);
    for (size_t i = 0; i < t->count; i++) {
        const struct measured_launch *l = &t->theirs[i];
        const struct launch_outcome *o = &t->ours[i];
        fprintf(out, "%s,%.0f,%.0f,%.0f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.0f",
                l->kernel, l->cycles, o->cycles, o->model_cycles,
                measured_dram(l), o->dram_read, o->dram_write, measured_l2(l),
                o->l2_read, o->l2_write, o->warp_insts);
        for (int m = 0; m < MIXES; m++)
            fprintf(out, ",%.4f", o->mix[m]);
        fprintf(out, ",%d,%u\n", o->blocks, o->registers);
    }
}

/* ---- the program -------------------------------------------------------- */

static bool write_file(const struct arguments *a, const char *ending,
                       const char *text, const struct table *t, struct error *e)
{
    char path[LAUNCH_PATH];
    snprintf(path, sizeof(path), "%s%s", a->out, ending);
    FILE *f = fopen(path, "w");
    if (f != NULL && text != NULL)
        fputs(text, f);
    else if (f != NULL)
        write_csv(f, t);
    return (f != NULL && fclose(f) == 0) ||
           error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

static bool report(const struct arguments *a, const struct table *t,
                   struct error *e)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return error_no_memory(e);
    fprintf(out,
            "%s on %s under %s, from PTX; measured cycles include the "
            "launch\n\n",
            a->table, a->gpu, a->sched);
    bool ok = print_table(out, t, e);
    fclose(out);
    fputs(text, stdout);
    ok = ok && (a->out == NULL || (write_file(a, ".txt", text, t, e) &&
                                   write_file(a, ".csv", NULL, t, e)));
    free(text);
    return ok;
}

/* Whether --only has the word. */
static bool wanted(const struct arguments *a, const char *kernel)
{
    size_t n = strlen(kernel);
    for (const char *at = a->only; at != NULL; at++) {
        at += strspn(at, " ,");
        size_t word = strcspn(at, " ,");
        if (word == n && strncmp(at, kernel, n) == 0)
            return true;
        at += word;
        if (*at == '\0')
            return false;
    }
    return true;
}

static bool compare(const struct arguments *a, struct error *e)
{
    char path[LAUNCH_PATH];
    struct measured_launch *l = NULL;
    struct bench b = {0};
    size_t count, n = 0;
    snprintf(path, sizeof(path), "%s/%s", a->reference, a->table);
    if (!gpu_load(&b.gpu, a->gpu, NULL, 0, e) ||
        !policy_set_parse(&b.policies, NULL, a->sched, NULL, NULL, e) ||
        !launches_load(&l, &count, path, e))
        return false;
    if (!ptxas_find(b.ptxas, getenv("ESTIMATE_PTXAS"), getenv("PATH")))
        b.ptxas[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (wanted(a, l[i].kernel))
            l[n++] = l[i];
    struct launch_outcome *o = calloc(n + 1, sizeof(*o));
    bool ok = o != NULL || error_no_memory(e);
    ok = ok && (n > 0 || error_set(e, STATUS_USAGE, "%s: no kernel is '%s'",
                                   path, a->only));
    ok = ok && run_launches(o, l, n, a, &b, e) &&
         report(a, &(struct table){l, o, n}, e);
    free(o);
    free(l);
    return ok;
}

static const char **option(struct arguments *a, const char *name)
{
    const struct {
        const char *name, **value;
    } known[] = {
        {"--ptx", &a->ptx},     {"--table", &a->table}, {"--gpu", &a->gpu},
        {"--sched", &a->sched}, {"--only", &a->only},   {"--work", &a->work},
        {"--out", &a->out},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].value;
    return NULL;
}

static bool parse_arguments(struct arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            a->reference = argv[i];
            continue;
        }
        const char **value = option(a, argv[i]);
        bool jobs = strcmp(argv[i], "-j") == 0;
        if (i + 1 == argc || (value == NULL && !jobs))
            return false;
        i++;
        if (value != NULL)
            *value = argv[i];
        else if (atoi(argv[i]) > 0)
            omp_set_num_threads(atoi(argv[i]));
        else
            return false;
    }
    return a->reference != NULL && a->ptx != NULL;
}

int main(int argc, char **argv)
{
    struct arguments a = {.table = "v100_ncu.csv",
                          .gpu = "bench/gv100.cfg",
                          .sched = "gto",
                          .work = "."};
    struct error e;
    if (!parse_arguments(&a, argc, argv)) {
        fprintf(stderr,
                "hardware_launches: expected --ptx FOLDER with compiled "
                "kernels and a REFERENCE folder with v100_ncu.csv "
                "(make correlate-hardware REF=FOLDER PTX=FOLDER)\n");
        return STATUS_USAGE;
    }
    if (compare(&a, &e))
        return EXIT_SUCCESS;
    fprintf(stderr, "hardware_launches: %s\n", e.text);
    return (int)e.status;
}
