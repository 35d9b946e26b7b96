/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_hardware.h"

#include "bench/correlate_csv.h"
#include "bench/correlate_launch.h"
#include "cli/agreement.h"
#include "configs/gpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char gpu_name[] = "h100";

/* The schedulers compared; the others only where a run is short. */
static const char *const schedulers[] = {"gto", "old", "gty", "lrr"};
#define SHORT_RUN 2000 /* blocks */

struct measured {
    int iters; /* 0: the empty kernel */
    int block_threads, blocks;
    double cycles;
};

struct measured_set {
    struct measured *point;
    struct run_outcome *ours;
    size_t count;
};

#define FIELD(m, type)                                                         \
    {                                                                          \
#m, type, offsetof(struct measured, m), 0                              \
    }
static const struct csv_field fields[] = {
    FIELD(block_threads, CSV_INT), FIELD(blocks, CSV_INT),
    FIELD(cycles, CSV_REAL),
    FIELD(iters, CSV_INT), /* last: the empty kernel's table has none */
};

static void free_set(struct measured_set *s)
{
    free(s->point);
    free(s->ours);
}

static bool load_set(struct measured_set *s, const char *folder,
                     const char *file, size_t columns, struct error *e)
{
    char path[RUN_PATH];
    void *rows;
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    *s = (struct measured_set){0};
    if (!csv_load(&rows, &s->count, sizeof(*s->point), path, fields, columns,
                  e))
        return false;
    s->point = rows;
    s->ours = calloc(s->count + 1, sizeof(*s->ours));
    return s->ours != NULL || error_no_memory(e);
}

/* ---- running ------------------------------------------------------------ */

/* What nvcc makes of a kernel without statements for sm_90: the stack pointer
 * is loaded all the same. */
static const char empty_trace[] =
    "-kernel name = empty\n-kernel id = 1\n-grid dim = (1,1,1)\n"
    "-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 90\n"
    "-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
    "-local mem base_addr = 0x00007f0001000000\n-nvbit version = 1.7.4\n"
    "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
    "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
    "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n"
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
    "0000 ffffffff 1 R1 LDC 0 0 0 \n0010 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n";

static bool write_empty_trace(const char *path, struct error *e)
{
    FILE *f = fopen(path, "w");
    bool ok = f != NULL && fputs(empty_trace, f) >= 0;
    ok = (f == NULL || fclose(f) == 0) && ok;
    return ok || error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

static void request_of(struct run_request *out, const struct measured *p,
                       const char *folder, const char *work,
                       const char *scheduler)
{
    *out = (struct run_request){
        .load.launch = {.grid = {(uint32_t)p->blocks, 1, 1},
                        .block = {(uint32_t)p->block_threads, 1, 1}}};
    if (p->iters > 0)
        snprintf(out->trace, sizeof(out->trace), "%s/real/ffma_h100_%d", folder,
                 p->iters);
    else
        snprintf(out->trace, sizeof(out->trace), "%s/empty.traceg", work);
    snprintf(out->gpu, sizeof(out->gpu), "%s", gpu_name);
    snprintf(out->scheduler, sizeof(out->scheduler), "%s", scheduler);
}

/* Runs the points of at most `most` blocks. */
static bool run_set(struct measured_set *s, int most, const char *folder,
                    const char *work, const char *scheduler, struct error *e)
{
    struct run_request *request = calloc(s->count, sizeof(*request));
    struct run_outcome *outcome = calloc(s->count, sizeof(*outcome));
    size_t n = 0;
    bool ok = request != NULL && outcome != NULL;
    if (!ok)
        error_no_memory(e);
    for (size_t i = 0; ok && i < s->count; i++)
        if (s->point[i].blocks <= most)
            request_of(&request[n++], &s->point[i], folder, work, scheduler);
    ok = ok && run_all(outcome, request, n, e);
    for (size_t i = s->count; ok && i-- > 0;)
        if (s->point[i].blocks <= most)
            s->ours[i] = outcome[--n];
    free(request);
    free(outcome);
    return ok;
}

/* ---- the empty kernel --------------------------------------------------- */

/* Blocks the GPU holds at once, as far as threads and block slots limit it. */
static double resident_blocks(const struct gpu *g, int threads)
{
    int fit = g->sm.max_threads / threads;
    return (double)g->sms * (fit < g->sm.max_blocks ? fit : g->sm.max_blocks);
}

static bool fit_launches(struct launch_fit *fit, const struct measured_set *s,
                         const struct gpu *g, struct error *e)
{
    struct empty_run *run = calloc(s->count + 1, sizeof(*run));
    if (run == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < s->count; i++) {
        const struct measured *p = &s->point[i];
        run[i] = (struct empty_run){
            .blocks = p->blocks,
            .warps = (p->block_threads + WARP_LANES - 1) / WARP_LANES,
            .resident = resident_blocks(g, p->block_threads),
            .cycles = p->cycles};
    }
    bool ok = launch_fit(fit, run, s->count, e);
    free(run);
    return ok;
}

static void print_fit(FILE *out, const struct launch_fit *f,
                      const struct gpu *g, size_t count)
{
    fprintf(out,
            "launch, fitted to %zu runs of an empty kernel (relative least "
            "squares):\n  cycles = %.0f + max(%.4f blocks, (%.0f + %.2f warps) "
            "blocks / resident), mean error %.2f %%, worst %+.2f %%\n",
            count, f->fixed, f->period, f->slot, f->slot_warp, f->mean_abs_pct,
            f->worst_pct);
    fprintf(out,
            "  gives        launch.kernel_cycles %.0f, block_cycles %.0f, "
            "block_period %.4f\n",
            f->fixed - f->slot, f->slot, f->period);
    fprintf(out,
            "  %s.cfg has launch.kernel_cycles %d, block_cycles %d, "
            "block_period %.4f\n",
            g->name, g->launch.kernel_cycles, g->launch.block_cycles,
            g->launch.block_period);
}

/* ---- tables ------------------------------------------------------------- */

/* Of the points of at most `most` blocks; *a is what was printed. */
static bool print_agreement(FILE *out, struct agreement *a, const char *what,
                            const struct measured_set *s, int most,
                            struct error *e)
{
    double *ours = calloc(2 * s->count + 1, sizeof(*ours));
    double *theirs = ours + s->count;
    size_t n = 0;
    for (size_t i = 0; ours != NULL && i < s->count; i++)
        if (s->point[i].blocks <= most) {
            ours[n] = s->ours[i].cycles;
            theirs[n++] = s->point[i].cycles;
        }
    bool ok = ours != NULL && (n == 0 || agreement_of(a, ours, theirs, n));
    if (ok && n > 0)
        fprintf(out, "%-34s %4zu %7.2f %7.2f %+7.2f %+8.1f %9.4f %9.4f\n", what,
                n, a->mean_abs_pct, a->median_abs_pct, a->bias_pct,
                a->worst_pct, a->pearson, a->spearman);
    free(ours);
    return ok || error_no_memory(e);
}

static void write_points(FILE *csv, const struct measured_set *s, int most,
                         const char *kernel, const char *scheduler)
{
    for (size_t i = 0; csv != NULL && i < s->count; i++)
        if (s->point[i].blocks <= most)
            fprintf(csv, "%s,%d,%d,%d,%s,%.0f,%.0f,%.3f\n", kernel,
                    s->point[i].iters, s->point[i].block_threads,
                    s->point[i].blocks, scheduler, s->ours[i].cycles,
                    s->point[i].cycles,
                    error_pct(s->ours[i].cycles, s->point[i].cycles));
}

static void print_chains(FILE *out, const struct measured_set *s)
{
    fprintf(out, "\n%5s %7s %6s | %8s %8s %6s   (%s)\n", "iters", "threads",
            "blocks", "ours", "measured", "error", schedulers[0]);
    for (size_t i = 0; i < s->count; i++)
        fprintf(out, "%5d %7d %6d | %8.0f %8.0f %+6.1f\n", s->point[i].iters,
                s->point[i].block_threads, s->point[i].blocks,
                s->ours[i].cycles, s->point[i].cycles,
                error_pct(s->ours[i].cycles, s->point[i].cycles));
}

static bool report_empty(FILE *out, FILE *csv, struct measured_set *s,
                         const char *folder, const char *work, struct error *e)
{
    struct gpu g;
    struct launch_fit fit;
    struct agreement a;
    if (!gpu_load(&g, gpu_name, NULL, 0, e) || !fit_launches(&fit, s, &g, e) ||
        !run_set(s, INT32_MAX, folder, work, schedulers[0], e))
        return false;
    print_fit(out, &fit, &g, s->count);
    write_points(csv, s, INT32_MAX, "empty", schedulers[0]);
    fprintf(out, "\n%-34s %4s %7s %7s %7s %8s %9s %9s\n", "cycles, errors in %",
            "n", "mean", "median", "bias", "worst", "Pearson", "Spearman");
    return print_agreement(out, &a, "empty kernel (what was fitted to)", s,
                           INT32_MAX, e);
}

static void print_best(FILE *out, const struct agreement *a)
{
    size_t best = 0;
    for (size_t i = 1; i < COUNT(schedulers); i++)
        if (a[i].mean_abs_pct < a[best].mean_abs_pct)
            best = i;
    fprintf(out, "the hardware's scheduler is nearest to %s", schedulers[best]);
    for (size_t i = 0; i < COUNT(schedulers); i++)
        if (i != best)
            fprintf(out, "; %s is off by %+.1f %% at worst", schedulers[i],
                    a[i].worst_pct);
    fputs("\n", out);
}

/* Every scheduler where a run is short; the first, last, everywhere. */
static bool report_chains(FILE *out, FILE *csv, struct measured_set *s,
                          const char *folder, const char *work, struct error *e)
{
    char what[64];
    struct agreement a[COUNT(schedulers)] = {{0}}, all;
    for (size_t i = COUNT(schedulers); i-- > 0;) {
        int most = i == 0 ? INT32_MAX : SHORT_RUN;
        snprintf(what, sizeof(what), "chains, to %d blocks: %s", SHORT_RUN,
                 schedulers[i]);
        if (!run_set(s, most, folder, work, schedulers[i], e) ||
            !print_agreement(out, &a[i], what, s, SHORT_RUN, e))
            return false;
        write_points(csv, s, most, "chain", schedulers[i]);
    }
    snprintf(what, sizeof(what), "chains, all: %s", schedulers[0]);
    if (!print_agreement(out, &all, what, s, INT32_MAX, e))
        return false;
    print_best(out, a);
    print_chains(out, s);
    return true;
}

bool hardware_present(const char *folder)
{
    static const char *const file[] = {"h100_empty_ncu.csv",
                                       "h100_ffma_ncu.csv"};
    char path[RUN_PATH];
    struct stat st;
    for (size_t i = 0; i < COUNT(file); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, file[i]);
        if (stat(path, &st) != 0)
            return false;
    }
    return true;
}

bool hardware_report(FILE *out, FILE *csv, const char *folder, const char *work,
                     struct error *e)
{
    char trace[RUN_PATH];
    struct measured_set empty = {0}, chains = {0};
    snprintf(trace, sizeof(trace), "%s/empty.traceg", work);
    fprintf(out, "measured on an H100 PCIe, ours with %s.cfg\n", gpu_name);
    if (csv != NULL)
        fputs("kernel,iters,block_threads,blocks,scheduler,cycles,"
              "cycles_measured,error_pct\n",
              csv);
    bool ok = write_empty_trace(trace, e) &&
              load_set(&empty, folder, "h100_empty_ncu.csv", 3, e) &&
              load_set(&chains, folder, "h100_ffma_ncu.csv", 4, e) &&
              report_empty(out, csv, &empty, folder, work, e) &&
              report_chains(out, csv, &chains, folder, work, e);
    free_set(&empty);
    free_set(&chains);
    return ok;
}
