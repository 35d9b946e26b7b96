/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/dram.h"

#include "base/bits.h"
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

double dram_idle_cycles(const struct gpu *g)
{
    struct dram_timing t = timing_of(g);
    double clocks = 2 + t.rcd + t.cl + ceil(t.burst);
    return ceil(clocks * g->clock.core_mhz / g->clock.dram_mhz);
}

static int group_of(const struct gpu *g, int bank)
{
    int groups = g->dram.bank_groups;
    return g->dram.groups_interleaved ? bank % groups
                                      : bank / (g->dram.banks / groups);
}

/* Three sets in one piece. */
static bool init_sets(struct dram_channel *c)
{
    size_t words = mask_words(c->banks);
    c->idle = calloc(3 * words, sizeof(*c->idle));
    if (c->idle == NULL)
        return false;
    c->columns = c->idle + words;
    c->rows = c->columns + words;
    return true;
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
        .row_first = g->dram.row_first != 0,
        .clocked = g->dram.clocked != 0,
        .bank = calloc((size_t)g->dram.banks, sizeof(*c->bank)),
        .group_column =
            calloc((size_t)g->dram.bank_groups, sizeof(*c->group_column)),
        .group_held =
            calloc((size_t)g->dram.bank_groups, sizeof(*c->group_held)),
        .entry = calloc((size_t)g->dram.queue, sizeof(*c->entry)),
    };
    if (c->bank == NULL || c->group_column == NULL || c->group_held == NULL ||
        c->entry == NULL || !init_sets(c))
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
    free(c->group_held);
    free(c->entry);
    free(c->idle);
    *c = (struct dram_channel){0};
}

/* ---- sets of banks ------------------------------------------------------ */

/* The bank of a set that follows `bank` in round-robin order, or the first of
 * all for -1; -1 where there is none. */
static int next_in_order(const struct dram_channel *c, const uint64_t *set,
                         int bank)
{
    bool wrapped = bank >= 0 && bank < c->round_robin;
    int from = bank < 0 ? c->round_robin : bank + 1;
    int next = mask_next(set, from, wrapped ? c->round_robin : c->banks);
    return next >= 0 || wrapped ? next : mask_next(set, 0, c->round_robin);
}

/* Whether a set has none. */
static bool is_empty(const struct dram_channel *c, const uint64_t *set)
{
    return set[0] == 0 && (c->banks <= 64 || mask_next(set, 64, c->banks) < 0);
}

static int behind(const struct dram_channel *c, int bank)
{
    return bank + 1 < c->banks ? bank + 1 : 0;
}

/* ---- the queue ---------------------------------------------------------- */

static void append(struct dram_channel *c, const struct dram_request *r)
{
    int i = c->free_entry;
    struct dram_bank *b = &c->bank[r->bank];
    c->free_entry = c->entry[i].next;
    c->entry[i] = (struct dram_entry){*r, -1};
    if (!b->working)
        mask_set(c->idle, r->bank);
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
    double clock = now / c->clock_cycles - slip;
    uint64_t due = clock > 0 ? whole_cycle(clock) : 0;
    dram_enqueue_clock(c, r, latest(due, c->clock + 1));
}

void dram_enqueue_clock(struct dram_channel *c, const struct dram_request *r,
                        uint64_t clock)
{
    assert(!dram_full(c));
    append(c, r);
    if (!c->bank[r->bank].working && clock < c->due)
        c->due = clock;
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
    mask_clear(c->idle, b->request.bank);
    mask_set(hit ? c->columns : c->rows, b->request.bank);
    take_out(c, b, i, before);
}

/* One request a clock finds its bank idle. */
static void take_request(struct dram_channel *c)
{
    if (is_empty(c, c->idle))
        return;
    int bank = next_in_order(c, c->idle, -1);
    begin_request(c, &c->bank[bank]);
    c->round_robin = behind(c, c->round_robin);
}

/* ---- commands ----------------------------------------------------------- */

/* Clocks from which the channel, whatever the bank, can take a column command.
 */
struct column_limits {
    uint64_t read, write;
};

static struct column_limits column_limits(const struct dram_channel *c)
{
    uint64_t read = latest(c->read, c->bus_read);
    uint64_t write = latest(c->write, c->bus_write);
    return (struct column_limits){latest(c->column, read),
                                  latest(c->column, write)};
}

/* Clock from which the bank's open row can take its request's column command.
 */
static uint64_t column_clock(const struct dram_channel *c, int bank,
                             const struct column_limits *all)
{
    const struct dram_bank *b = &c->bank[bank];
    uint64_t clock = b->request.write ? latest(b->write, all->write)
                                      : latest(b->read, all->read);
    return latest(clock, c->group_column[b->group]);
}

/* Clock from which the bank can get a row command: to close a row that its
 * request does not want, or to open that one. */
static uint64_t row_clock(const struct dram_channel *c,
                          const struct dram_bank *b)
{
    return b->row != NO_ROW ? latest(b->precharge, c->group_held[b->group])
                            : latest(b->activate, c->activate);
}

/* After a read rows stay open until `until`: its bank's, or those of its whole
 * group. */
static void hold_rows(struct dram_channel *c, int bank, uint64_t until)
{
    struct dram_bank *b = &c->bank[bank];
    uint64_t *held = c->rtp_group ? &c->group_held[b->group] : &b->precharge;
    *held = latest(*held, until);
}

/* From which clock on a command's data, `latency` behind it, may follow the
 * last. */
static uint64_t bus_clock(const struct dram_channel *c, int latency)
{
    return c->bus_free > latency ? (uint64_t)(c->bus_free - latency) : 0;
}

/* Send a column command; returns the clock at which its data end. */
static double send_column(struct dram_channel *c, int bank)
{
    const struct dram_timing *t = &c->timing;
    struct dram_bank *b = &c->bank[bank];
    uint64_t now = c->clock;
    bool write = b->request.write;
    int length = (int)whole_cycle(t->burst), latency = write ? t->wl : t->cl;
    c->column = now + (uint64_t)t->ccd;
    c->group_column[b->group] = now + (uint64_t)t->ccdl;
    double data = (double)now + latency;
    c->bus_free = (c->bus_free > data ? c->bus_free : data) + t->burst;
    c->bus_read = bus_clock(c, t->cl);
    c->bus_write = bus_clock(c, t->wl);
    if (write) {
        uint64_t end = now + (uint64_t)(t->wl + length);
        c->read = end + (uint64_t)t->wtr;
        b->precharge = latest(b->precharge, end + (uint64_t)t->wr);
    } else {
        /* Two clocks for the bus to turn (GPGPU-Sim gpu-sim.h: tRTW). */
        int turn = t->cl + length + 2 - t->wl;
        c->write = now + (uint64_t)(turn > 0 ? turn : 0);
        hold_rows(c, bank, now + (uint64_t)(t->rtp > length ? t->rtp : length));
    }
    *(write ? &c->writes : &c->reads) += 1;
    return c->bus_free;
}

static void send_row(struct dram_channel *c, int bank)
{
    const struct dram_timing *t = &c->timing;
    struct dram_bank *b = &c->bank[bank];
    uint64_t now = c->clock;
    c->round_robin = behind(c, bank);
    if (b->row != NO_ROW) {
        b->row = NO_ROW;
        b->activate = latest(b->activate, now + (uint64_t)t->rp);
        return;
    }
    b->row = b->request.row;
    mask_clear(c->rows, b->request.bank);
    mask_set(c->columns, b->request.bank);
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
    if (earliest(all.read, all.write) > c->clock || is_empty(c, c->columns))
        return -1;
    int bank = next_in_order(c, c->columns, -1);
    while (bank >= 0 && column_clock(c, bank, &all) > c->clock)
        bank = next_in_order(c, c->columns, bank);
    return bank;
}

static int ready_row(const struct dram_channel *c)
{
    if (is_empty(c, c->rows))
        return -1;
    int bank = next_in_order(c, c->rows, -1);
    while (bank >= 0 && row_clock(c, &c->bank[bank]) > c->clock)
        bank = next_in_order(c, c->rows, bank);
    return bank;
}

/* How far behind the first in turn a bank is. */
static int turn_of(const struct dram_channel *c, int bank)
{
    int turn = bank - c->round_robin;
    return turn < 0 ? turn + c->banks : turn;
}

/* After a row command of the bank whose turn was `turn` the search goes on
 * from there in the new order. */
static int column_behind(const struct dram_channel *c, int turn)
{
    struct column_limits all = column_limits(c);
    for (int i = turn + 1; i < c->banks; i++) {
        int bank = (c->round_robin + i) % c->banks;
        if (mask_has(c->columns, bank) &&
            column_clock(c, bank, &all) <= c->clock)
            return bank;
    }
    return -1;
}

/* One bus for commands: the bank that gets this clock's column command, or -1,
 * with dram.row_first after a row command was sent. */
static int column_on_bus(struct dram_channel *c)
{
    int column = ready_column(c);
    if (column >= 0 && !c->row_first)
        return column;
    int row = ready_row(c);
    int turn = row >= 0 ? turn_of(c, row) : c->banks;
    if (column >= 0 && turn_of(c, column) < turn)
        return column;
    if (row >= 0)
        send_row(c, row);
    return column >= 0 ? column_behind(c, turn) : -1;
}

static void end_request(struct dram_channel *c, struct dram_bank *b)
{
    *(b->hit ? &c->row_hits : &c->row_misses) += 1;
    b->working = false;
    c->working--;
    mask_clear(c->columns, b->request.bank);
    if (b->oldest >= 0)
        mask_set(c->idle, b->request.bank);
}

/* ---- steps -------------------------------------------------------------- */

static uint64_t next_step(const struct dram_channel *c)
{
    uint64_t next = c->clock + 1, soonest = NEVER;
    if (!is_empty(c, c->idle))
        return next;
    for (int bank = mask_next(c->rows, 0, c->banks);
         bank >= 0 && soonest > next;
         bank = mask_next(c->rows, bank + 1, c->banks))
        soonest = earliest(soonest, row_clock(c, &c->bank[bank]));
    struct column_limits all = column_limits(c);
    uint64_t first_column = latest(next, earliest(all.read, all.write));
    for (int bank = mask_next(c->columns, 0, c->banks);
         bank >= 0 && soonest > first_column;
         bank = mask_next(c->columns, bank + 1, c->banks))
        soonest = earliest(soonest, column_clock(c, bank, &all));
    return latest(soonest, next);
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
    int column = c->dual_command ? ready_column(c) : column_on_bus(c);
    int row = c->dual_command ? ready_row(c) : -1;
    if (column >= 0) {
        struct dram_bank *b = &c->bank[column];
        *r = b->request;
        double end = send_column(c, column);
        if (c->clocked)
            end = (double)(c->clock + 1) + c->timing.cl;
        *done = end * c->clock_cycles;
        ended = --b->request.bursts == 0;
        if (ended)
            end_request(c, b);
    }
    if (row >= 0)
        send_row(c, row);
    c->due = c->queued + c->working > 0 ? next_step(c) : NEVER;
    return ended;
}
