/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/dram.h"

#include "configs/gpu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW UINT64_MAX

static struct dram_timing timing_of(const struct gpu *g)
{
    double clock = g->clock.core_mhz / g->clock.dram_mhz; /* core cycles */
    double bytes_per_cycle =
        g->dram.gbps * 1000.0 / g->clock.core_mhz / g->dram.channels;
    return (struct dram_timing){
        .burst = g->dram.burst_bytes / bytes_per_cycle,
        .ccd = g->dram.ccd * clock,
        .ccdl = g->dram.ccdl * clock,
        .rrd = g->dram.rrd * clock,
        .rcd = g->dram.rcd * clock,
        .ras = g->dram.ras * clock,
        .rp = g->dram.rp * clock,
        .rc = g->dram.rc * clock,
        .cl = g->dram.cl * clock,
        .wl = g->dram.wl * clock,
        .wtr = g->dram.wtr * clock,
        .wr = g->dram.wr * clock,
        .rtp = g->dram.rtp * clock,
        .turnaround =
            2 * clock, /* GPGPU-Sim dram.cc: tRTW = CL + BL/2 + 2 - WL */
    };
}

bool dram_init(struct dram_channel *c, const struct gpu *g)
{
    int groups = g->dram.bank_groups > 0 ? g->dram.bank_groups : 1;
    int per_group = g->dram.banks / groups;
    *c = (struct dram_channel){
        .timing = timing_of(g),
        .banks = g->dram.banks,
        .banks_per_group = per_group > 0 ? per_group : 1,
        .capacity = g->dram.queue,
        .bank = calloc((size_t)g->dram.banks, sizeof(*c->bank)),
        .queue = calloc((size_t)g->dram.queue, sizeof(*c->queue)),
        .last_activate = -INFINITY,
        .last_column = -INFINITY,
        .last_group = -1,
    };
    if (c->bank == NULL || c->queue == NULL)
        return false;
    for (int b = 0; b < c->banks; b++)
        c->bank[b].row = NO_ROW;
    return true;
}

void dram_free(struct dram_channel *c)
{
    free(c->bank);
    free(c->queue);
    *c = (struct dram_channel){0};
}

void dram_enqueue(struct dram_channel *c, const struct dram_request *r)
{
    assert(!dram_full(c));
    c->queue[c->queued++] = *r;
}

/* First ready, first come: the oldest that hits an open row, else the oldest.
 */
static int choose(const struct dram_channel *c)
{
    for (int i = 0; i < c->queued; i++)
        if (c->bank[c->queue[i].bank].row == c->queue[i].row)
            return i;
    return 0;
}

static double max2(double a, double b)
{
    return a > b ? a : b;
}

/* Close the open row if any and open `row`; the bank's gates move along. */
static void open_row(struct dram_channel *c, struct dram_bank *b, uint64_t row,
                     double now)
{
    const struct dram_timing *t = &c->timing;
    double activate = max2(now, b->activate_ready);
    if (b->row != NO_ROW)
        activate = max2(activate, max2(now, b->precharge_ready) + t->rp);
    activate = max2(activate, c->last_activate + t->rrd);
    c->last_activate = activate;
    b->row = row;
    b->column_ready = activate + t->rcd;
    b->precharge_ready = activate + t->ras;
    b->activate_ready = activate + t->rc;
}

/* Earliest column command that respects bank, bank group, bus and turnaround.
 */
static double column_time(const struct dram_channel *c,
                          const struct dram_request *r, double now)
{
    const struct dram_timing *t = &c->timing;
    int group = (int)r->bank / c->banks_per_group;
    double spacing = group == c->last_group ? max2(t->ccd, t->ccdl) : t->ccd;
    double column = max2(now, c->bank[r->bank].column_ready);
    column = max2(column, c->last_column + spacing);
    double bus = c->bus_free;
    if (r->write && !c->last_write)
        bus += t->turnaround;
    if (!r->write && c->last_write)
        column = max2(column, c->bus_free + t->wtr);
    return max2(column, bus - (r->write ? t->wl : t->cl));
}

struct dram_request dram_serve(struct dram_channel *c, double now, double *done)
{
    int i = choose(c);
    struct dram_request r = c->queue[i];
    memmove(&c->queue[i], &c->queue[i + 1],
            (size_t)(c->queued - i - 1) * sizeof(*c->queue));
    c->queued--;

    struct dram_bank *b = &c->bank[r.bank];
    if (b->row == r.row) {
        c->row_hits++;
    } else {
        c->row_misses++;
        open_row(c, b, r.row, now);
    }
    const struct dram_timing *t = &c->timing;
    double column = column_time(c, &r, now);
    double data = column + (r.write ? t->wl : t->cl);
    double end = data + r.bursts * t->burst;
    c->last_column = column + (r.bursts - 1) * max2(t->burst, t->ccd);
    c->last_group = (int)r.bank / c->banks_per_group;
    c->last_write = r.write;
    c->bus_free = end;
    b->precharge_ready = max2(b->precharge_ready,
                              r.write ? end + t->wr : c->last_column + t->rtp);
    *(r.write ? &c->writes : &c->reads) += r.bursts;
    *done = end;
    return r;
}

double dram_next_choice(const struct dram_channel *c, double now)
{
    const struct dram_timing *t = &c->timing;
    return max2(now, c->bus_free - (t->rp + t->rcd + t->cl));
}
