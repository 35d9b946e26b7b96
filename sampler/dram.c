/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/dram.h"

#include "configs/gpu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define NO_ROW UINT64_MAX
#define NEVER  UINT64_MAX

static struct dram_timing timing_of(const struct gpu *g)
{
    double bytes_a_clock =
        g->dram.gbps * 1000.0 / g->clock.dram_mhz / g->dram.channels;
    /* A write's data come wl after its command: it may follow the activation
     * so much sooner (GPGPU-Sim gpu-sim.h, memory_config::init). */
    int rcdwr = g->dram.rcd - g->dram.wl - 1;
    return (struct dram_timing){
        .burst = g->dram.burst_bytes / bytes_a_clock,
        .ccd = g->dram.ccd,
        .ccdl = g->dram.ccdl,
        .rrd = g->dram.rrd,
        .rcd = g->dram.rcd,
        .rcdwr = rcdwr > 0 ? rcdwr : 0,
        .ras = g->dram.ras,
        .rp = g->dram.rp,
        .rc = g->dram.rc,
        .cl = g->dram.cl,
        .wl = g->dram.wl,
        .wtr = g->dram.wtr,
        .wr = g->dram.wr,
        .rtp = g->dram.rtp,
    };
}

static int group_of(const struct gpu *g, int bank)
{
    int groups = g->dram.bank_groups;
    return g->dram.groups_interleaved ? bank % groups
                                      : bank / (g->dram.banks / groups);
}

bool dram_init(struct dram_channel *c, const struct gpu *g)
{
    *c = (struct dram_channel){
        .timing = timing_of(g),
        .clock_cycles = g->clock.core_mhz / g->clock.dram_mhz,
        .banks = g->dram.banks,
        .groups = g->dram.bank_groups,
        .capacity = g->dram.queue,
        .rtp_group = g->dram.rtp_group != 0,
        .dual_command = g->dram.dual_command != 0,
        .bank = calloc((size_t)g->dram.banks, sizeof(*c->bank)),
        .group_column =
            calloc((size_t)g->dram.bank_groups, sizeof(*c->group_column)),
        .entry = calloc((size_t)g->dram.queue, sizeof(*c->entry)),
    };
    if (c->bank == NULL || c->group_column == NULL || c->entry == NULL)
        return false;
    for (int b = 0; b < c->banks; b++) {
        c->bank[b].group = group_of(g, b);
        c->bank[b].row = NO_ROW;
        c->bank[b].oldest = c->bank[b].youngest = -1;
    }
    c->due = NEVER;
    for (int i = 0; i < c->capacity; i++)
        c->entry[i].next = i + 1 < c->capacity ? i + 1 : -1;
    return true;
}

void dram_free(struct dram_channel *c)
{
    free(c->bank);
    free(c->group_column);
    free(c->entry);
    *c = (struct dram_channel){0};
}

/* ---- the queue ---------------------------------------------------------- */

static void append(struct dram_channel *c, const struct dram_request *r)
{
    int i = c->free_entry;
    struct dram_bank *b = &c->bank[r->bank];
    c->free_entry = c->entry[i].next;
    c->entry[i] = (struct dram_entry){*r, -1};
    c->idle += !b->working && b->oldest < 0;
    if (b->oldest < 0)
        b->oldest = i;
    else
        c->entry[b->youngest].next = i;
    b->youngest = i;
    c->queued++;
}

void dram_enqueue(struct dram_channel *c, const struct dram_request *r,
                  double now)
{
    const double slip = 1e-6; /* of a clock, from the ratio of the clocks */
    assert(!dram_full(c));
    append(c, r);
    uint64_t due = (uint64_t)ceil(now / c->clock_cycles - slip);
    due = due > c->clock ? due : c->clock + 1;
    if (!c->bank[r->bank].working && due < c->due)
        c->due = due;
}

/* Take entry i, behind `before` (-1: it is the oldest), out of the bank's. */
static void take_out(struct dram_channel *c, struct dram_bank *b, int i,
                     int before)
{
    int next = c->entry[i].next;
    if (before < 0)
        b->oldest = next;
    else
        c->entry[before].next = next;
    if (next < 0)
        b->youngest = before;
    c->entry[i].next = c->free_entry;
    c->free_entry = i;
    c->queued--;
}

/* Give the bank the oldest request to its open row, else the oldest. */
static void begin_request(struct dram_channel *c, struct dram_bank *b)
{
    int i = b->oldest, before = -1;
    while (i >= 0 && c->entry[i].request.row != b->row) {
        before = i;
        i = c->entry[i].next;
    }
    bool hit = i >= 0;
    if (!hit) {
        i = b->oldest;
        before = -1;
    }
    b->request = c->entry[i].request;
    b->working = true;
    b->hit = hit;
    c->working++;
    c->idle--;
    c->row_wants += !hit;
    take_out(c, b, i, before);
}

static int in_turn(const struct dram_channel *c, int i)
{
    int b = c->turn + i;
    return b < c->banks ? b : b - c->banks;
}

/* One request a clock finds its bank idle. */
static void take_request(struct dram_channel *c)
{
    for (int i = 0; i < c->banks && c->idle > 0; i++) {
        struct dram_bank *b = &c->bank[in_turn(c, i)];
        if (!b->working && b->oldest >= 0) {
            begin_request(c, b);
            c->turn = in_turn(c, 1);
            return;
        }
    }
}

/* ---- commands ----------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Clocks from which the channel, whatever the bank, can take a column command.
 */
struct column_limits {
    uint64_t read, write;
};

static uint64_t bus_clock(const struct dram_channel *c, int latency)
{
    return c->bus_free > latency ? (uint64_t)(c->bus_free - latency) : 0;
}

static struct column_limits column_limits(const struct dram_channel *c)
{
    uint64_t read = later(c->read, bus_clock(c, c->timing.cl));
    uint64_t write = later(c->write, bus_clock(c, c->timing.wl));
    return (struct column_limits){later(c->column, read),
                                  later(c->column, write)};
}

/* Clock from which the bank's open row can take its request's column command.
 */
static uint64_t column_clock(const struct dram_channel *c, int bank,
                             const struct column_limits *all)
{
    const struct dram_bank *b = &c->bank[bank];
    uint64_t clock = b->request.write ? later(b->write, all->write)
                                      : later(b->read, all->read);
    return later(clock, c->group_column[b->group]);
}

/* Clock from which the bank can get a row command: to close a row that its
 * request does not want, or to open that one. */
static uint64_t row_clock(const struct dram_channel *c,
                          const struct dram_bank *b)
{
    return b->row != NO_ROW ? b->precharge : later(b->activate, c->activate);
}

static bool wants_column(const struct dram_bank *b)
{
    return b->working && b->row == b->request.row;
}

static bool wants_row(const struct dram_bank *b)
{
    return b->working && b->row != b->request.row;
}

/* After a read rows stay open until `until`: its bank's, or those of its whole
 * group. */
static void hold_rows(struct dram_channel *c, int bank, uint64_t until)
{
    for (int b = 0; b < c->banks; b++)
        if (b == bank ||
            (c->rtp_group && c->bank[b].group == c->bank[bank].group))
            c->bank[b].precharge = later(c->bank[b].precharge, until);
}

/* Send a column command; returns the clock at which its data end. */
static double send_column(struct dram_channel *c, int bank)
{
    const struct dram_timing *t = &c->timing;
    struct dram_bank *b = &c->bank[bank];
    uint64_t now = c->clock;
    bool write = b->request.write;
    int length = (int)ceil(t->burst), latency = write ? t->wl : t->cl;
    c->column = now + (uint64_t)t->ccd;
    c->group_column[b->group] = now + (uint64_t)t->ccdl;
    c->bus_free = fmax(c->bus_free, (double)now + latency) + t->burst;
    if (write) {
        uint64_t end = now + (uint64_t)(t->wl + length);
        c->read = end + (uint64_t)t->wtr;
        b->precharge = later(b->precharge, end + (uint64_t)t->wr);
    } else {
        /* Two clocks for the bus to turn (GPGPU-Sim gpu-sim.h: tRTW). */
        int turn = t->cl + length + 2 - t->wl;
        c->write = now + (uint64_t)(turn > 0 ? turn : 0);
        hold_rows(c, bank, now + (uint64_t)(t->rtp > length ? t->rtp : length));
    }
    *(write ? &c->writes : &c->reads) += 1;
    b->request.bursts--;
    return c->bus_free;
}

static void send_row(struct dram_channel *c, int bank)
{
    const struct dram_timing *t = &c->timing;
    struct dram_bank *b = &c->bank[bank];
    uint64_t now = c->clock;
    c->turn = bank + 1 < c->banks ? bank + 1 : 0;
    if (b->row != NO_ROW) {
        b->row = NO_ROW;
        b->activate = later(b->activate, now + (uint64_t)t->rp);
        return;
    }
    b->row = b->request.row;
    c->row_wants--;
    b->read = now + (uint64_t)t->rcd;
    b->write = now + (uint64_t)t->rcdwr;
    b->precharge = now + (uint64_t)t->ras;
    b->activate = now + (uint64_t)t->rc;
    c->activate = now + (uint64_t)t->rrd;
}

/* The bank that gets this clock's column command, or -1. */
static int ready_column(const struct dram_channel *c)
{
    struct column_limits all = column_limits(c);
    for (int i = 0; i < c->banks && c->working > c->row_wants; i++) {
        int bank = in_turn(c, i);
        if (wants_column(&c->bank[bank]) &&
            column_clock(c, bank, &all) <= c->clock)
            return bank;
    }
    return -1;
}

static int ready_row(const struct dram_channel *c)
{
    for (int i = 0; i < c->banks && c->row_wants > 0; i++) {
        int bank = in_turn(c, i);
        const struct dram_bank *b = &c->bank[bank];
        if (wants_row(b) && row_clock(c, b) <= c->clock)
            return bank;
    }
    return -1;
}

static void end_request(struct dram_channel *c, struct dram_bank *b)
{
    *(b->hit ? &c->row_hits : &c->row_misses) += 1;
    b->working = false;
    c->working--;
    c->idle += b->oldest >= 0;
}

/* ---- steps -------------------------------------------------------------- */

static uint64_t next_step(const struct dram_channel *c)
{
    struct column_limits all = column_limits(c);
    uint64_t soonest = NEVER;
    for (int bank = 0; bank < c->banks; bank++) {
        const struct dram_bank *b = &c->bank[bank];
        uint64_t clock = wants_column(b)  ? column_clock(c, bank, &all)
                         : b->working     ? row_clock(c, b)
                         : b->oldest >= 0 ? c->clock + 1
                                          : NEVER;
        soonest = clock < soonest ? clock : soonest;
    }
    return later(soonest, c->clock + 1);
}

double dram_next(const struct dram_channel *c)
{
    return c->due == NEVER ? INFINITY : (double)c->due * c->clock_cycles;
}

bool dram_step(struct dram_channel *c, struct dram_request *r, double *done)
{
    bool ended = false;
    c->clock = c->due;
    take_request(c);
    int column = ready_column(c);
    int row = column < 0 || c->dual_command ? ready_row(c) : -1;
    if (column >= 0) {
        struct dram_bank *b = &c->bank[column];
        *done = send_column(c, column) * c->clock_cycles;
        ended = b->request.bursts == 0;
        *r = b->request;
        if (ended)
            end_request(c, b);
    }
    if (row >= 0)
        send_row(c, row);
    c->due = c->queued + c->working > 0 ? next_step(c) : NEVER;
    return ended;
}
