/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The L1 data cache with its MSHRs, as the load/store unit uses it.
 *
 * Three sizes of sector meet here. A line's masks, those of transactions and of
 * waiters, are of the L1's own sectors (l1_sector_bytes): l1.sector_bytes, or
 * words under denovo. A miss brings the words of whole l1.sector_bytes. What a
 * request asks of the L2 are the L2's lines and sectors (port_to_l2); the L1's
 * sectors it is about go with it in l1_sectors and extra. */
#ifndef SAMPLER_SM_L1_H
#define SAMPLER_SM_L1_H

#include "base/pool.h"
#include "kernels/form/coalesce.h"
#include "sampler/memory/cache.h"
#include "sampler/sm/core.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/port.h"
#include "sampler/sm/store_buffer.h"

#include <stdbool.h>
#include <stdint.h>

/* A miss on its way. */
struct l1_mshr {
    uint32_t waiting; /* list of waiters */
    uint16_t merged;  /* how many they are */
    uint16_t answers; /* to come of a fill that is parted */
    int set, way;
};

struct l1_waiter {
    uint32_t next;
    uint32_t op;
    uint32_t need; /* sectors it still waits for */
};

struct l1 {
    struct sm_core *core;
    struct port *port;
    struct memory_ops *ops;
    struct cache tags;
    struct store_buffer stores;
    struct l1_mshr *mshr;
    uint32_t *free_mshr;
    int free_mshrs;
    struct l1_waiter *waiter;
    struct pool waiters;
    uint64_t taken; /* cycle in which the last of its answers is taken, one a
                     * cycle (GPGPU-Sim, ldst_unit::writeback) */
    int fills;      /* requests to the L2 that misses wait for */
    /* Called when a fill has brought all that a transaction of `op` needs. */
    void (*answer)(void *user, uint32_t op);
    void *user;
};

/* With core, port, ops and answer set. False when memory is out; l1_free in any
 * case. */
bool l1_init(struct l1 *l1, const struct choice *policy);
void l1_free(struct l1 *l1);

/* Whether accesses of the instruction look into the L1 at all; whether its
 * transactions are lines of the L1, else of the L2. */
bool l1_is_used_by(const struct gpu *g, const struct inst *i);
bool l1_serves(const struct gpu *g, const struct inst *i);

/* What the L1's policy, and those of the caches beside it, see of an access. */
struct cache_access l1_access(const struct sm_core *core,
                              const struct memory_op *op, uint64_t line);

/* A transaction that the L1 serves (a line and sectors of it): a load's; a
 * store's, for which the line is taken without being fetched; an atomic's under
 * denovo, which needs what is in it. */
enum refusal l1_look_up(struct l1 *l1, uint32_t op,
                        const struct transaction *t);
/* A transaction (a line of the L2) that goes past the L1, whose copy a store
 * drops or keeps up to date. atomic_ops: an atomic's, which a slice does one by
 * one. */
enum refusal l1_bypass(struct l1 *l1, uint32_t op, const struct transaction *t,
                       uint8_t atomic_ops);
/* Send a line's dirty sectors to the L2. */
void l1_write_back(struct l1 *l1, const struct cache_line *line);
/* Write the oldest line of the store buffer through, unless it went before. */
void l1_write_oldest(struct l1 *l1);
/* Its tags, for lines that blocks before a run have left there; NULL where that
 * is not followed: under policies other than LRU, which go by who accesses a
 * line, and where L1s hold what the L2 does not. */
struct cache *l1_to_warm(struct l1 *l1);
/* The lines of such tags as after a transaction of the instruction: a load's of
 * the L1's lines, a store's of the L2's. */
void l1_warm(struct cache *tags, const struct gpu *g, const struct inst *i,
             const struct transaction *t);
/* A fill has come: those are answered who waited for its sectors. */
void l1_fill(struct l1 *l1, const struct request *r);
/* The MSHR of a filled line is free: with ldst.one_miss, by DONE_FILL, once the
 * last that waited for the line has its answer taken. */
void l1_release(struct l1 *l1, uint32_t mshr);

#endif
