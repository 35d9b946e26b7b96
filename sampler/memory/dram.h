/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One DRAM channel, command by command. Each bank works on one request at a
 * time, taken from the queue first-ready first-come-first-served: one to the
 * open row before the oldest (Rixner et al., ISCA 2000). In a command clock the
 * channel takes one request into an idle bank, and sends one command: that of a
 * column if any bank is ready for it, else one that opens or closes a row; with
 * dram.dual_command one of each. Banks are asked round robin, from the one
 * behind the last whose row was opened or closed.
 *
 * With dram.row_first (GPGPU-Sim dram.cc, dram_t::cycle, one command bus) banks
 * are gone through once: a row command of one that comes before the first that
 * is ready for a column goes out, too, and turns the order under the search.
 *
 * Functions take and return core cycles; the structs hold command clocks. */
#ifndef SAMPLER_MEMORY_DRAM_H
#define SAMPLER_MEMORY_DRAM_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

struct dram_request {
    uint64_t row; /* row index in its bank */
    uint32_t bank;
    uint32_t id; /* the owner's */
    uint32_t bursts;
    bool write;
};

/* A place in the queue, taken or free. */
struct dram_entry {
    struct dram_request request;
    int next; /* the next younger of its bank, or the next free; -1: none */
};

struct dram_bank {
    int group;    /* its bank group */
    uint64_t row; /* the open one, UINT64_MAX when closed */
    bool working; /* on `request` */
    bool hit;     /* its request found the row open */
    struct dram_request request;
    int oldest, youngest; /* in the queue, -1: none */
    /* Clocks from which it takes the command. */
    uint64_t read, write, precharge, activate;
};

/* The gpu.dram keys of the same names, in command clocks. */
struct dram_timing {
    int ccd, ccdl, rrd, rcd, rcdwr, ras, rp, rc, cl, wl, wtr, wr, rtp;
    double burst; /* of data; may be longer than ccd */
};

struct dram_channel {
    struct dram_timing timing;
    double clock_cycles; /* core cycles of a command clock */
    int banks, groups, capacity;
    bool rtp_group, dual_command, row_first, clocked;
    struct dram_bank *bank;
    uint64_t *group_column;   /* [groups] clock of the next column command */
    uint64_t *group_held;     /* [groups] clock until which reads hold the rows
                               * of their group open */
    struct dram_entry *entry; /* [capacity] */
    int free_entry, queued, working;
    /* Sets of banks, 64 a word: those without a request for which some wait,
     * those with one to the open row, those with one to another. */
    uint64_t *idle, *columns, *rows;
    int round_robin; /* bank that is looked at first */
    uint64_t clock;  /* of the last step */
    uint64_t due;    /* clock of the next step, UINT64_MAX: nothing to do */
    double bus_free; /* clock at which the last data end */
    uint64_t bus_read, bus_write; /* from which a column command's data may
                                   * follow these */
    /* Clocks from which any bank may take the command. */
    uint64_t column, read, write, activate;
    uint64_t reads, writes, row_hits, row_misses;
};

/* Core cycles, a whole number, from a read's coming into an empty queue to the
 * end of its data, with its bank closed: it waits for a command clock and is
 * taken in one, then come row, column and data. */
double dram_idle_cycles(const struct gpu *gpu);

/* False when memory is out; dram_free() is due in either case. */
bool dram_init(struct dram_channel *c, const struct gpu *gpu);
void dram_free(struct dram_channel *c);

static inline bool dram_full(const struct dram_channel *c)
{
    return c->queued == c->capacity;
}

/* Queue a request at `now`; the channel must not be full. */
void dram_enqueue(struct dram_channel *c, const struct dram_request *r,
                  double now);

/* Queue a request that may be taken from that clock on. */
void dram_enqueue_clock(struct dram_channel *c, const struct dram_request *r,
                        uint64_t clock);

/* When the next step is due; INFINITY when nothing is to be done. */
double dram_next(const struct dram_channel *c);

/* The step of a command clock. True when a request's last column command was
 * sent: it is *r, and its data have ended at *done. */
bool dram_step(struct dram_channel *c, struct dram_request *r, double *done);

#endif
