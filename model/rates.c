/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rates.h"

#include "configs/gpu.h"
#include "model/constants.h"

#include <math.h>

/* Between two rows that a channel opens: activates of different banks, or as
 * many of the same one as there are banks. */
static double row_cycles(const struct gpu *g)
{
    return fmax(g->dram.rrd, (double)g->dram.rc / g->dram.banks) *
           g->clock.core_mhz / g->clock.dram_mhz;
}

/* Between two bursts of a channel: of data on its bus, of commands, and of
 * commands to a bank group when all groups are busy. */
static double burst_cycles(const struct gpu *g, double bandwidth)
{
    double bus = g->dram.burst_bytes * g->dram.channels /
                 (g->dram.gbps * bandwidth) * g->clock.core_mhz / 1000;
    double commands =
        fmax(g->dram.ccd, (double)g->dram.ccdl / g->dram.bank_groups);
    return fmax(bus, commands * g->clock.core_mhz / g->clock.dram_mhz);
}

/* A channel whose bus turns from writes to reads and back: the last write's
 * data, then the first read's latency; and two clocks for the other way. */
static double turn_cycles(const struct gpu *g)
{
    return (g->dram.wtr + g->dram.cl + 2.0) * g->clock.core_mhz /
           g->clock.dram_mhz;
}

/* Places of a channel are taken from its door to the end of the data. */
static double place_cycles(const struct gpu *g, double row_miss)
{
    double clocks = g->dram.cl + row_miss * (g->dram.rp + g->dram.rcd);
    double way =
        g->dram.latency + clocks * g->clock.core_mhz / g->clock.dram_mhz;
    return g->dram.in_flight > 0 ? way / g->dram.in_flight : 0;
}

/* Half of what SMs send and receive goes from one half of a 4 x 4 mesh to the
 * other, half of that either way, over four links. */
static double link_cycles(const struct gpu *g, double sms)
{
    if (!g->icnt.mesh || g->mesh.link_flits == 0)
        return 0;
    return sms / 4 / (4.0 * g->mesh.link_flits) * g->clock.core_mhz /
           g->clock.icnt_mhz;
}

/* When all SMs send or receive: first packets wait for ports that others use,
 * and busy slices have no more ports than others. */
static double flit_cycles(const struct gpu *g, double sms, double passed,
                          double busiest)
{
    double waits = fmax(sms / passed, busiest * sms / g->l2.banks);
    return waits * g->clock.core_mhz / g->clock.icnt_mhz;
}

/* Where every scheduler has units of its own, a warp may use those of its
 * scheduler only. */
static void set_units(struct rates *r, const struct profile *p,
                      const struct gpu *g)
{
    for (int c = 0; c < EXEC_CONTROL; c++) {
        enum exec_unit u = p->timing.exec.class[c].unit;
        int units = p->timing.exec.unit[u].count;
        r->unit[c] = p->timing.interval[c];
        if (g->sm.sub_core && units >= g->sm.schedulers)
            r->unit[c] /= g->sm.schedulers;
        r->unit_of[c] = (int)u;
    }
}

void rates_set(struct rates *r, const struct profile *p, const struct gpu *g,
               const struct sharing *s, const struct cache_view *v)
{
    double sms = s->active_sms, banks = g->l2.banks;
    double slices = sms / banks * p->placement.slice;
    double channels = sms * p->placement.channel / g->dram.channels;
    double cold = (double)p->store_miss.cold;
    double l2_cycle = g->clock.core_mhz / g->clock.l2_mhz;
    *r = (struct rates){
        .issue = (double)g->sm.issue_period / g->sm.schedulers,
        .request_flit = flit_cycles(g, sms, gpu_network_flits(g, sms, banks),
                                    p->placement.slice),
        .answer_flit = flit_cycles(g, sms, gpu_network_flits(g, banks, sms),
                                   p->placement.slice),
        .link = link_cycles(g, sms),
        .flit_bytes = g->icnt.flit_bytes,
        .header_bytes = g->icnt.header_bytes,
        .sector_bytes = p->sector_bytes,
        .l2_byte = l2_cycle / g->l2.port_bytes * slices,
        .l2_cycle = l2_cycle * sms / banks * p->placement.atomics,
        .dram_byte =
            channels * burst_cycles(g, s->bandwidth) / g->dram.burst_bytes,
        .dram_row = channels * row_cycles(g),
        .dram_turn = channels * turn_cycles(g),
        .dram_banks = g->dram.banks,
        .dram_queue = g->dram.queue,
        .dram_place = channels * place_cycles(g, p->placement.row_miss),
        .fetch_bytes = g->l2.fetch_bytes,
        .read_bytes = fmax(g->dram.burst_bytes, g->l2.fetch_bytes),
        .store_cold = cold,
        .store_again = caches_dirty_beyond(&p->store_miss, v) - cold,
        .store_leaves = 1 - v->l2_left,
        .stored_afresh = v->stored_afresh,
    };
    set_units(r, p, g);
}

static double flits_of(const struct rates *r, double sectors)
{
    return ceil((r->header_bytes + sectors * r->sector_bytes) / r->flit_bytes);
}

/* Packets hold whole sectors: as near to their mean as there are. */
double rates_flits(const struct rates *r, double packets, double bytes)
{
    if (packets <= 0)
        return 0;
    double sectors = bytes / packets / r->sector_bytes, whole = floor(sectors);
    double part = sectors - whole;
    return packets *
           ((1 - part) * flits_of(r, whole) + part * flits_of(r, whole + 1));
}

/* Of a request: how often the bus turns and turns back, which it does when no
 * bank has more of the rarer kind ready. A bank takes its requests in turn, so
 * a run of that kind is one in each bank and, where it is a share of all, 1 /
 * (1 - share) times as many; or what waits for it in banks and queue. */
static double turns(const struct rates *r, double written)
{
    double share = fmin(written, 1 - written);
    double banks = TURNING_BANKS * r->dram_banks;
    double run = fmin(banks / (1 - share),
                      WAITING_BANKS * r->dram_banks + r->dram_queue * share);
    return share / run;
}

/* Rows are opened beside the data of other banks, unless those wait for the bus
 * to turn. */
double rates_dram(const struct rates *r, const struct dram_use *u)
{
    double requests = u->fetches + u->written;
    if (requests <= 0)
        return 0;
    double written = u->written / requests, apart = written * (1 - written);
    double bus =
        u->bytes * r->dram_byte + requests * turns(r, written) * r->dram_turn;
    double rows = u->rows * r->dram_row, most = fmax(bus, rows);
    double both = cbrt(bus * bus * bus + rows * rows * rows);
    double busy = most + fmin(1, apart / MIXED) * (both - most);
    return fmax(busy, requests * r->dram_place);
}

double rates_read(const struct rates *r, double requests, double bytes)
{
    return bytes > 0 ? fmax(bytes, requests * r->read_bytes) : 0;
}
