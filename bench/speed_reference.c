/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/speed_reference.h"

#include "bench/correlate_points.h"
#include "bench/correlate_run.h"
#include "bench/correlate_stats.h"
#include "bench/correlate_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Traces of real kernels, on a GPU like the one they were taken on. */
static const struct {
    const char *trace, *gpu;
} real_traces[] = {{"vectoradd_a100", "a100"},
                   {"btree_h100", "h100"},
                   {"ffma_h100_30", "h100"},
                   {"vecaddsub_turing", "v100"}};

struct rates {
    double *ours, *ratio; /* warp instructions a second */
    size_t count;
};

/* Whether point i is the first of its trace and configuration, of those whose
 * rate is known. */
static bool is_first(const struct reference *r, size_t i)
{
    if (!(r->point[i].warp_insts_per_s > 0))
        return false;
    for (size_t j = 0; j < i; j++)
        if (strcmp(r->point[i].trace, r->point[j].trace) == 0 &&
            strcmp(r->point[i].config, r->point[j].config) == 0)
            return false;
    return true;
}

static bool time_points(struct rates *out, const struct reference *r,
                        const char *folder, const char *work, struct error *e)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct reference_point *p = &r->point[i];
        struct run_request request;
        struct run_outcome o;
        if (!is_first(r, i))
            continue;
        if (!trace_request(&request, p, folder, work, e) ||
            !run_all(&o, &request, 1, e))
            return false;
        double rate = o.warp_insts / o.cpu_s;
        printf("%-16s %-18s %8.0f %8.1f %6.0f\n", p->trace, p->config,
               rate / 1e3, p->warp_insts_per_s / 1e3,
               rate / p->warp_insts_per_s);
        out->ours[out->count] = rate;
        out->ratio[out->count++] = rate / p->warp_insts_per_s;
    }
    return true;
}

static bool time_real(const char *folder, struct error *e)
{
    for (size_t i = 0; i < sizeof(real_traces) / sizeof(real_traces[0]); i++) {
        struct run_request request = {.scheduler = "gto"};
        struct run_outcome o;
        struct stat st;
        snprintf(request.trace, sizeof(request.trace), "%s/real/%s", folder,
                 real_traces[i].trace);
        snprintf(request.gpu, sizeof(request.gpu), "%s", real_traces[i].gpu);
        if (stat(request.trace, &st) != 0)
            continue;
        if (!run_all(&o, &request, 1, e))
            return false;
        printf("%-16s %-18s %8.0f %8s %6s\n", real_traces[i].trace,
               real_traces[i].gpu, o.warp_insts / o.cpu_s / 1e3, "-", "-");
    }
    return true;
}

static void print_summary(struct rates *r)
{
    struct spread ours = spread_of(r->ours, r->count);
    struct spread ratio = spread_of(r->ratio, r->count);
    printf("%zu points: median %.0f, min %.0f, max %.0f; ratio median %.0f, "
           "min %.0f, max %.0f\n",
           r->count, ours.median / 1e3, ours.min / 1e3, ours.max / 1e3,
           ratio.median, ratio.min, ratio.max);
}

/* Linux counts ru_maxrss in kilobytes (getrusage(2)). */
static void print_memory(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("most memory resident in any of these runs: %.0f MB\n",
           (double)u.ru_maxrss / 1024);
}

bool speed_of_reference(const char *folder, const char *work, struct error *e)
{
    struct reference r;
    if (!reference_load(&r, folder, NULL, e))
        return false;
    struct rates rates = {.ours = calloc(r.count, sizeof(double)),
                          .ratio = calloc(r.count, sizeof(double))};
    bool ok = (rates.ours != NULL && rates.ratio != NULL) || error_no_memory(e);
    ok = ok && traces_generate(&r, folder, work, e);
    printf("whole GPUs, thousand warp instructions a second of one core's CPU "
           "time");
    run_print_load(stdout);
    printf("\n%-16s %-18s %8s %8s %6s\n", "trace", "configuration", "ours",
           "theirs", "ratio");
    ok = ok && time_points(&rates, &r, folder, work, e);
    if (ok)
        print_summary(&rates);
    ok = ok && time_real(folder, e);
    if (ok)
        print_memory();
    free(rates.ours);
    free(rates.ratio);
    reference_free(&r);
    return ok;
}
