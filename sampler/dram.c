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
        .head = calloc((size_t)g->dram.banks, sizeof(*c->head)),
        .last_activate = -INFINITY,
        .last_column = -INFINITY,
        .last_group = -1,
    };
    if (c->bank == NULL || c->queue == NULL || c->head == NULL)
        return false;
    for (int b = 0; b < c->banks; b++)
        c->bank[b].row = NO_ROW;
    return true;
}

void dram_free(struct dram_channel *c)
{
    free(c->bank);
    free(c->queue);
    free(c->head);
    *c = (struct dram_channel){0};
}

void dram_enqueue(struct dram_channel *c, const struct dram_request *r)
{
    assert(!dram_full(c));
    c->queue[c->queued++] = *r;
}

static double max2(double a, double b)
{
    return a > b ? a : b;
}

/* When bank b can take the column command of request r, and, when that needs
 * another row, when that row is activated (else -1). The bank began to close
 * the old row as soon as it was idle and the request there. */
static double column_ready(const struct dram_channel *c,
                           const struct dram_request *r, double *activate)
{
    const struct dram_timing *t = &c->timing;
    const struct dram_bank *b = &c->bank[r->bank];
    *activate = -1;
    if (b->row == r->row)
        return b->column_ready;
    double start = max2(r->arrival, b->idle_since);
    double at = max2(start, b->activate_ready);
    if (b->row != NO_ROW)
        at = max2(at, max2(start, b->precharge_ready) + t->rp);
    *activate = max2(at, c->last_activate + t->rrd);
    return *activate + t->rcd;
}

/* Earliest column command that respects bank, bank group, bus and turnaround,
 * given when the bank is ready. */
static double column_time(const struct dram_channel *c,
                          const struct dram_request *r, double ready,
                          double now)
{
    const struct dram_timing *t = &c->timing;
    int group = (int)r->bank / c->banks_per_group;
    double spacing = group == c->last_group ? max2(t->ccd, t->ccdl) : t->ccd;
    double column = max2(max2(now, ready), c->last_column + spacing);
    double bus = c->bus_free;
    if (r->write && !c->last_write)
        bus += t->turnaround;
    if (!r->write && c->last_write)
        column = max2(column, c->bus_free + t->wtr);
    return max2(column, bus - (r->write ? t->wl : t->cl));
}

/* The request of each bank that the bank works on: the oldest to its open row,
 * else its oldest. -1: none. */
static void find_heads(struct dram_channel *c)
{
    int *head = c->head;
    for (int b = 0; b < c->banks; b++)
        head[b] = -1;
    for (int i = 0; i < c->queued; i++) {
        const struct dram_request *r = &c->queue[i];
        int *h = &head[r->bank];
        uint64_t open = c->bank[r->bank].row;
        if (*h < 0 || (r->row == open && c->queue[*h].row != open))
            *h = i;
    }
}

/* The bank head whose column command can go first, ties to the oldest. */
static int choose(struct dram_channel *c, double now, double *column,
                  double *activate)
{
    int best = -1;
    find_heads(c);
    const int *head = c->head;
    for (int b = 0; b < c->banks; b++) {
        if (head[b] < 0)
            continue;
        const struct dram_request *r = &c->queue[head[b]];
        double act, at = column_time(c, r, column_ready(c, r, &act), now);
        if (best < 0 || at < *column || (at == *column && head[b] < best)) {
            best = head[b];
            *column = at;
            *activate = act;
        }
    }
    return best;
}

static void open_row(struct dram_channel *c, struct dram_bank *b, uint64_t row,
                     double activate)
{
    const struct dram_timing *t = &c->timing;
    c->last_activate = activate;
    b->row = row;
    b->column_ready = activate + t->rcd;
    b->precharge_ready = activate + t->ras;
    b->activate_ready = activate + t->rc;
}

struct dram_request dram_serve(struct dram_channel *c, double now, double *done)
{
    double column = 0, activate = 0;
    int i = choose(c, now, &column, &activate);
    struct dram_request r = c->queue[i];
    memmove(&c->queue[i], &c->queue[i + 1],
            (size_t)(c->queued - i - 1) * sizeof(*c->queue));
    c->queued--;

    struct dram_bank *b = &c->bank[r.bank];
    if (b->row == r.row) {
        c->row_hits++;
    } else {
        c->row_misses++;
        open_row(c, b, r.row, activate);
    }
    const struct dram_timing *t = &c->timing;
    double data = column + (r.write ? t->wl : t->cl);
    double end = data + r.bursts * t->burst;
    c->last_column = column + (r.bursts - 1) * max2(t->burst, t->ccd);
    c->last_group = (int)r.bank / c->banks_per_group;
    c->last_write = r.write;
    c->bus_free = end;
    b->idle_since = c->last_column;
    b->precharge_ready = max2(b->precharge_ready,
                              r.write ? end + t->wr : c->last_column + t->rtp);
    *(r.write ? &c->writes : &c->reads) += r.bursts;
    *done = end;
    return r;
}

double dram_next_choice(const struct dram_channel *c, double now)
{
    return max2(now, c->bus_free - c->timing.cl);
}
