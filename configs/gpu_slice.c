/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU slice: a few SMs with their share of what all SMs share. L2 slices and
 * channels stay whole numbers, the share rounded up. What is then too much of
 * them, or of the interconnect, is made up for by a lower rate; the latency of
 * a request that meets no other one stays as it is. */
#include "configs/address.h"
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

/* Each channel has the same number of L2 slices, or each slice of channels, as
 * on the whole GPU. */
static void share_l2(struct gpu *out, const struct gpu *g, double share)
{
    double banks = g->l2.banks * share;
    int groups = out->dram.channels / address_slice_channels(g);
    out->l2.banks = whole_above(banks / groups) * groups;
    double per_bank = banks / out->l2.banks;
    out->l2.port_bytes = g->l2.port_bytes * per_bank;
    out->l2.partial_cycles = g->l2.partial_cycles / per_bank;
    out->l2.atomic_cycles = g->l2.atomic_cycles / per_bank;
    out->l2.mshr = at_least_one(g->l2.mshr * per_bank);
    out->l2.queue = at_least_one(g->l2.queue * per_bank);
    out->l2.memory_queue = at_least_one(g->l2.memory_queue * per_bank);
    gpu_slice_capacity(out, g, share);
}

/* Where the share is not a whole number of channels, each has less work than
 * one of the whole GPU, and a slower command clock in the same measure: opening
 * rows and turning the bus then cost the same part of its time. Where channels
 * are fewer their rows are longer, so that an open row holds as many
 * consecutive addresses as on the whole GPU. A few SMs keep fewer banks open,
 * and no requests of other SMs come between two that go to the same bank group:
 * these follow each other as those to different groups do. */
static void share_dram(struct gpu *out, const struct gpu *g, double share)
{
    double channels = g->dram.channels * share;
    int together = address_slice_channels(g);
    out->dram.channels = whole_above(channels / together) * together;
    double rate = channels / out->dram.channels;
    double burst = g->dram.burst_bytes * g->dram.channels * g->clock.dram_mhz /
                   (g->dram.gbps * 1000);
    double slower = (1 / rate - 1) * g->clock.core_mhz / g->clock.dram_mhz;
    double added = slower * (g->dram.rcd + g->dram.cl + burst);
    out->clock.dram_mhz = g->clock.dram_mhz * rate;
    out->dram.latency = (int)fmax(0, round(g->dram.latency - added));
    out->dram.ccdl = (int)fmin(g->dram.ccdl, fmax(g->dram.ccd, ceil(burst)));
    out->dram.gbps = g->dram.gbps * share;
    out->dram.row_bytes =
        g->dram.row_bytes * (g->dram.channels / out->dram.channels);
    out->dram.queue = at_least_one(g->dram.queue * rate);
    if (g->dram.in_flight > 0)
        out->dram.in_flight = at_least_one(g->dram.in_flight * rate);
}

/* The packets at the head of the queues wait for ports out, and each that
 * leaves is followed by one for any port: a closed network of `in` customers
 * and `out` stations of deterministic service, by mean-value analysis (as in
 * model/overlap.c). For many ports this gives what Karol, Hluchyj and Morgan
 * derive (IEEE Trans. Comm. 35(12), 1987), 0.586 flits a port and cycle where
 * there are as many ports in as out. For 2 and 4 ports they have 0.75 and
 * 0.655, this has 0.764 and 0.667. */
double gpu_crossbar_flits(double in, double out)
{
    double others = (in - 1) / in, b = 1 + (in - 1) / out;
    if (in <= 1)
        return 1;
    return fmin(in, out * fmin(1, (b - sqrt(b * b - 2 * (b - 1))) / others));
}

double gpu_network_flits(const struct gpu *g, double in, double out)
{
    return g->icnt.virtual_queues ? fmin(in, out) : gpu_crossbar_flits(in, out);
}

/* A port that fewer others compete for passes more: its flits are slower in the
 * same measure. */
static void share_icnt(struct gpu *out, const struct gpu *g, double share)
{
    double rate = share * gpu_network_flits(g, g->l2.banks, g->sms) /
                  gpu_network_flits(g, out->l2.banks, out->sms);
    double bytes =
        g->l1.caches_global ? g->l1.sector_bytes : g->l2.sector_bytes;
    double request = ceil((double)g->icnt.header_bytes / g->icnt.flit_bytes);
    double answer = ceil((g->icnt.header_bytes + bytes) / g->icnt.flit_bytes);
    double slower = (1 / rate - 1) * g->clock.core_mhz / g->clock.icnt_mhz;
    double added = slower * (request + answer) / 2;
    out->clock.icnt_mhz = g->clock.icnt_mhz * rate;
    out->icnt.latency = (int)fmax(0, round(out->icnt.latency - added));
}

/* On the mesh of a few SMs every L2 slice would be near: all are at the mean
 * distance instead. */
static void flatten_mesh(struct gpu *out, const struct gpu *g)
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
    share_dram(out, g, share);
    share_l2(out, g, share);
    if (g->icnt.mesh)
        flatten_mesh(out, g);
    share_icnt(out, g, share);
}

void gpu_slice_capacity(struct gpu *slice, const struct gpu *g, double share)
{
    if (slice->sms == g->sms)
        return;
    double set_kb = (double)g->l2.ways * g->l2.line_bytes / 1024;
    double kb = g->l2.size_kb * fmin(1, share);
    int sets = at_least_one(kb / slice->l2.banks / set_kb);
    slice->l2.size_kb = sets * set_kb * slice->l2.banks;
}
