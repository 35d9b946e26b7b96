/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One DRAM channel: banks with row buffers, first-ready first-come-first-served
 * choice (Rixner et al., ISCA 2000), the JEDEC gates between commands, and the
 * turnaround of the data bus. Times are core cycles, fractions of one included,
 * since the channel has a clock of its own. */
#ifndef SAMPLER_DRAM_H
#define SAMPLER_DRAM_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

struct dram_request {
    uint64_t row; /* row index in its bank */
    uint32_t bank;
    uint32_t id; /* the owner's */
    uint32_t bursts;
    bool write;
    double arrival; /* core cycle it was queued */
};

struct dram_bank {
    uint64_t row; /* the open one, UINT64_MAX when closed */
    double column_ready, precharge_ready, activate_ready;
    double idle_since; /* its last column command */
};

/* Command gates in core cycles. */
struct dram_timing {
    double burst, ccd, ccdl, rrd, rcd, ras, rp, rc, cl, wl, wtr, wr, rtp;
    double turnaround; /* bus idle between a read's and a write's data */
};

struct dram_channel {
    struct dram_timing timing;
    int banks, banks_per_group, capacity;
    struct dram_bank *bank;
    int *head; /* [banks] scratch: the request each bank works on */
    struct dram_request *queue; /* [capacity], oldest first */
    int queued;
    double bus_free;      /* end of the last data burst */
    double last_activate; /* time of the last row activation */
    double last_column;
    int last_group;
    bool last_write;
    uint64_t reads, writes, row_hits, row_misses;
};

bool dram_init(struct dram_channel *c, const struct gpu *gpu);
void dram_free(struct dram_channel *c);

static inline bool dram_full(const struct dram_channel *c)
{
    return c->queued == c->capacity;
}

/* Queue a request; the channel must not be full. */
void dram_enqueue(struct dram_channel *c, const struct dram_request *r);

/* Choose the next request at `now` and take it out of the queue (not empty).
 * Returns it, with the end of its data in *done. */
struct dram_request dram_serve(struct dram_channel *c, double now,
                               double *done);

/* When the next choice is due: when its column command may follow the last. */
double dram_next_choice(const struct dram_channel *c, double now);

#endif
