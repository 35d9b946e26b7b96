/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figures_machines.h"

#include "configs/gpu.h"
#include "paper_repro/machines.h"
#include "sampler/policy/warp/table.h"

#include <math.h>

#define LANES 32 /* of a warp */
/* paws Table I counts units by this clock; a cycle of m2090-gsim is two of its.
 */
#define SHADER_MHZ 1300

/* What a table says of a machine, and ours from its keys. */
struct machine_row {
    const char *what;
    double (*ours)(const struct gpu *g);
    double paper;
};

static double sms(const struct gpu *g)
{
    return g->sms;
}
static double core_mhz(const struct gpu *g)
{
    return g->clock.core_mhz;
}
static double icnt_mhz(const struct gpu *g)
{
    return g->clock.icnt_mhz;
}
static double l2_mhz(const struct gpu *g)
{
    return g->clock.l2_mhz;
}
static double dram_mhz(const struct gpu *g)
{
    return g->clock.dram_mhz;
}
static double dram_data_mhz(const struct gpu *g)
{
    return 2 * g->clock.dram_mhz;
}

/* Two floating-point operations a lane of a fused multiply-add. */
static double peak_gflops(const struct gpu *g, int interval)
{
    return 2.0 * LANES * g->unit.sp / interval * g->sms * g->clock.core_mhz /
           1000;
}
static double peak_sp(const struct gpu *g)
{
    return peak_gflops(g, g->interval.sp);
}
/* On pipelines of their own or those of the special functions. */
static double peak_dp(const struct gpu *g)
{
    int pipelines = g->unit.dp > 0 ? g->unit.dp : g->unit.sfu;
    return peak_gflops(g, g->interval.dp) * pipelines / g->unit.sp;
}
/* Lanes, or instructions, that are taken in a cycle of the shader clock. */
static double in_shader_cycle(const struct gpu *g, double pipelines,
                              int interval)
{
    return pipelines / interval * g->clock.core_mhz / SHADER_MHZ;
}
static double alus(const struct gpu *g)
{
    return in_shader_cycle(g, LANES * g->unit.sp, g->interval.sp);
}
static double sfus(const struct gpu *g)
{
    return in_shader_cycle(g, LANES * g->unit.sfu, g->interval.sfu);
}
static double ldst_units(const struct gpu *g)
{
    return in_shader_cycle(g, LANES * g->unit.mem, g->interval.mem);
}
static double dispatch(const struct gpu *g)
{
    return in_shader_cycle(g, 1, g->sm.issue_period);
}
static double ready_queue(const struct gpu *g)
{
    (void)g;
    return warp_tlrr.info.param[0].fallback;
}
static double gbps(const struct gpu *g)
{
    return g->dram.gbps;
}
static double max_blocks(const struct gpu *g)
{
    return g->sm.max_blocks;
}
static double max_warps(const struct gpu *g)
{
    return g->sm.max_warps;
}
static double schedulers(const struct gpu *g)
{
    return g->sm.schedulers;
}
static double issue_width(const struct gpu *g)
{
    return g->sm.issue_width;
}
static double l1_kb(const struct gpu *g)
{
    return g->l1.size_kb;
}
static double l1_ways(const struct gpu *g)
{
    return g->l1.ways;
}
static double icache_kb(const struct gpu *g)
{
    return g->icache.size_kb;
}
static double icache_ways(const struct gpu *g)
{
    return g->icache.ways;
}
static double l2_kb(const struct gpu *g)
{
    return g->l2.size_kb;
}
static double channels(const struct gpu *g)
{
    return g->dram.channels;
}

static bool fill_machine(struct figure_data *d, const struct machine_row *row,
                         const char *name, struct error *e)
{
    struct gpu g;
    if (!gpu_load(&g, name, NULL, 0, e))
        return false;
    for (; row->what != NULL; row++) {
        struct figure_value v = figure_value(0, row->what, name, row->ours(&g));
        v.paper = row->paper;
        v.gpu = name;
        if (!figure_add(d, &v, e))
            return false;
    }
    return true;
}

static bool fill_machines(struct figure_data *d, const struct machine_row *row,
                          const char *paper, struct error *e)
{
    const struct machine *m = machine_of(paper);
    return fill_machine(d, row, m->gpu, e) &&
           (m->second == NULL || fill_machine(d, row, m->second, e));
}

bool fill_paws_machine(struct figure_data *d, const struct figure *f,
                       const struct view *v, struct error *e)
{
    static const struct machine_row row[] = {
        {"cores", sms, 16},
        {"core clock (MHz)", core_mhz, 1300},
        {"DRAM clock, twice the command clock (MHz)", dram_data_mhz, 1850},
        {"peak single precision (GFLOP/s)", peak_sp, 1330},
        {"peak double precision (GFLOP/s)", peak_dp, 650},
        {"peak DRAM bandwidth (GB/s)", gbps, 177},
        {"thread blocks a core", max_blocks, 8},
        {"warps a core", max_warps, 48},
        {"ALUs a core", alus, 32},
        {"special function units a core", sfus, 4},
        {"load/store units a core", ldst_units, 16},
        {"warp schedulers a core", schedulers, 2},
        {"instructions a scheduler and shader cycle", dispatch, 0.5},
        {"ready warps queue of a scheduler", ready_queue, 6},
        {NULL, NULL, NAN},
    };
    (void)f;
    (void)v;
    return fill_machines(d, row, "paws", e);
}

bool fill_kaws_machine(struct figure_data *d, const struct figure *f,
                       const struct view *v, struct error *e)
{
    static const struct machine_row row[] = {
        {"SMs", sms, 28},
        {"core clock (MHz)", core_mhz, 1417},
        {"interconnect clock (MHz)", icnt_mhz, 1417},
        {"L2 clock (MHz)", l2_mhz, 1417},
        {"DRAM command clock (MHz)", dram_mhz, 2500},
        {"thread blocks an SM", max_blocks, 32},
        {"L1 data cache (KiB)", l1_kb, 24},
        {"L1 data cache (ways)", l1_ways, 48},
        {"L1 instruction cache (KiB)", icache_kb, 4},
        {"L1 instruction cache (ways)", icache_ways, 48},
        {"L2 cache (KiB)", l2_kb, 3072},
        {"memory controllers", channels, 12},
        {"warp schedulers an SM", schedulers, 4},
        {"instructions a scheduler issues", issue_width, 2},
        {NULL, NULL, NAN},
    };
    (void)f;
    (void)v;
    return fill_machines(d, row, "kaws", e);
}
