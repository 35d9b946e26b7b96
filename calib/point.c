/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/point.h"

#include "configs/gpu.h"

#include <math.h>

static void set_cycles(struct result *r, const struct gpu *gpu,
                       double log_cycles, double log_sd)
{
    r->cycles = exp(log_cycles);
    r->cycles_lo = exp(log_cycles - NORMAL_90 * log_sd);
    r->cycles_hi = exp(log_cycles + NORMAL_90 * log_sd);
    r->ipc = r->warp_insts / (r->cycles * gpu->sms);
    r->time_us = r->cycles / gpu->clock.core_mhz;
}

/* Everything is used as much longer or shorter as instructions take. */
static void scale_use(struct result *r, double times)
{
    for (int i = 0; i < USES; i++)
        r->use[i] = fmin(r->use[i] * times, 1);
    r->limiter = limiter_of(r->use);
}

static void scale_account(struct result *r, double times)
{
    r->energy_uj *= times;
    for (int i = 0; i < NOC_CLASSES; i++)
        r->memory.crossings[i] *= times;
    for (int i = 0; i < ENERGY_PARTS; i++)
        r->memory.energy_uj[i] *= times;
}

/* Issue slots hold as many instructions when there are `times` as many of them;
 * what stalls them keeps its proportions. */
static void stretch_slots(struct result *r, double times)
{
    double issued = fmin(r->stall[STALL_ISSUED] / times, 1);
    double stalled = 1 - r->stall[STALL_ISSUED];
    for (int i = 0; i < STALLS && stalled > 0; i++)
        r->stall[i] *= (1 - issued) / stalled;
    r->stall[STALL_ISSUED] = issued;
    if (stalled <= 0)
        r->stall[STALL_IDLE] = 1 - issued;
}

void point_from_run(struct result *out, const struct sample *s)
{
    *out = s->run;
    out->sampled = true;
    out->partial = s->partial;
    out->cycles_lo = out->cycles_hi = out->cycles;
}

void point_from_sample(struct result *out, const struct job *job,
                       const struct sample *s, double log_cycles, double log_sd)
{
    point_from_run(out, s);
    if (s->window.kind == WINDOW_GRID && !s->partial)
        return;
    const struct gpu *gpu = job->study->gpu;
    out->warp_insts = profile_warp_insts(job->profile);
    out->thread_insts = profile_thread_insts(job->profile);
    set_cycles(out, gpu, log_cycles, log_sd);
    double bytes_per_inst =
        s->run.dram_gbps * s->run.time_us * 1e3 / s->run.warp_insts;
    out->dram_gbps = bytes_per_inst * out->warp_insts / (out->time_us * 1e3);
    stretch_slots(out, s->run.ipc / out->ipc);
    scale_use(out, out->ipc / s->run.ipc);
    out->use[USE_DRAM] = fmin(out->dram_gbps / gpu->dram.gbps, 1);
    out->limiter = limiter_of(out->use);
    scale_account(out, out->warp_insts / s->run.warp_insts);
}

void point_from_model(struct result *inout, const struct gpu *gpu,
                      double log_cycles, double log_sd)
{
    double bytes = inout->dram_gbps * inout->time_us;
    double before = inout->cycles;
    set_cycles(inout, gpu, log_cycles, log_sd);
    stretch_slots(inout, inout->cycles / before);
    scale_use(inout, before / inout->cycles);
    inout->dram_gbps = bytes / inout->time_us;
    inout->sampled = false;
}

double point_log_sd(const struct result *r)
{
    return log(r->cycles_hi / r->cycles_lo) / (2 * NORMAL_90);
}

double point_half_width_pct(const struct result *r)
{
    return 100 *
           fmax(r->cycles_hi / r->cycles - 1, 1 - r->cycles_lo / r->cycles);
}

struct paired_delta point_delta(double log_difference, double log_sd)
{
    return (struct paired_delta){
        .pct = 100 * expm1(log_difference),
        .lo = 100 * expm1(log_difference - NORMAL_90 * log_sd),
        .hi = 100 * expm1(log_difference + NORMAL_90 * log_sd),
    };
}

double point_delta_sd(const struct paired_delta *d)
{
    return log((100 + d->hi) / (100 + d->lo)) / (2 * NORMAL_90);
}
