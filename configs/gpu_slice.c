/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A few SMs of a GPU with their share of what all SMs share. Slices and
 * channels are whole numbers, at least the share, since neither interconnect
 * ports nor memory commands get faster; data ports of slices and bursts of
 * channels then get slower, so that bandwidths are exact. */
#include "configs/gpu.h"

#include <assert.h>
#include <math.h>

static int at_least_one(double n)
{
    return (int)fmax(1, round(n));
}

static int whole_above(double n)
{
    const double slip = 1e-9; /* of a quotient that should be whole */
    return (int)fmax(1, ceil(n - slip));
}

/* Slices become a whole number a channel, as on the whole GPU. */
static void slice_l2(struct gpu *out, const struct gpu *g, double share)
{
    double banks = g->l2.banks * share;
    out->l2.banks =
        whole_above(banks / out->dram.channels) * out->dram.channels;
    double per_bank = banks / out->l2.banks;
    out->l2.port_bytes = g->l2.port_bytes * per_bank;
    out->l2.mshr = at_least_one(g->l2.mshr * per_bank);
    out->l2.queue = at_least_one(g->l2.queue * per_bank);
    out->l2.memory_queue = at_least_one(g->l2.memory_queue * per_bank);
    double set_kb = (double)g->l2.ways * g->l2.line_bytes / 1024;
    int sets = at_least_one(g->l2.size_kb * share / out->l2.banks / set_kb);
    out->l2.size_kb = sets * set_kb * out->l2.banks;
}

static void slice_dram(struct gpu *out, const struct gpu *g, double share)
{
    double channels = g->dram.channels * share;
    out->dram.channels = whole_above(channels);
    out->dram.gbps = g->dram.gbps * share;
    out->dram.queue =
        at_least_one(g->dram.queue * channels / out->dram.channels);
    if (g->dram.in_flight > 0)
        out->dram.in_flight =
            at_least_one(g->dram.in_flight * channels / out->dram.channels);
}

/* On a mesh a few SMs would find their slices too near: take the mean. */
static void slice_mesh(struct gpu *out, const struct gpu *g)
{
    const double mean_hops = 2.5; /* one way, two random nodes of 4 x 4 */
    double cycles = (g->mesh.l2_far - g->mesh.l2_near) * mean_hops / 12;
    out->icnt.mesh = 0;
    out->icnt.latency = g->icnt.latency + (int)round(cycles);
}

void gpu_slice(struct gpu *out, const struct gpu *g, int sms)
{
    assert(sms >= 1 && sms <= g->sms);
    *out = *g;
    if (sms == g->sms)
        return;
    double share = (double)sms / g->sms;
    out->sms = sms;
    out->launch.block_period = g->launch.block_period / share;
    slice_dram(out, g, share);
    slice_l2(out, g, share);
    if (g->icnt.mesh)
        slice_mesh(out, g);
}
