/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The instruction cache of one SM. A fetch that misses either costs a fixed
 * time or, with icache.from_l2, sends its line's request through the
 * interconnect and waits for it in an MSHR; fetches of other warps for that
 * line wait there too (GPGPU-Sim: shader_core_ctx::fetch, read_only_cache). */
#ifndef SAMPLER_SM_ICACHE_H
#define SAMPLER_SM_ICACHE_H

#include "sampler/memory/cache.h"
#include "sampler/sm/core.h"
#include "sampler/sm/port.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_CODE_MISSES 64
/* Owners of REQUEST_READ from here on are misses of the instruction cache. */
#define CODE_OWNER UINT32_C(0x80000000)

/* A line on its way, and the warps that wait for it, the first first. */
struct code_miss {
    uint64_t line;
    bool used;
    int answers; /* to come: with icnt.sector_answers one a sector */
    int waiting, first, last;
};

struct icache {
    struct sm_core *core;
    struct port *port;
    struct cache tags;
    uint64_t *newest; /* [tags.sets] line that was used last, which to use once
                       * more changes nothing; NO_LINE: none */
    uint64_t code;    /* address of the kernel's */
    struct code_miss miss[MAX_CODE_MISSES];
    int misses;                  /* in use */
    int after[MAX_WARP_SLOTS];   /* next warp in the same list */
    int first_ready, last_ready; /* warps whose line has come, -1 = none */
};

enum code_fetch {
    CODE_HERE, /* after *delay cycles more than a hit takes */
    CODE_SENT, /* icache_take_ready() names the warp when its line has come */
    CODE_BUSY  /* no MSHR or no way out: try again */
};

/* With core and port set. False when memory is out; icache_free in any case. */
bool icache_init(struct icache *c);
void icache_free(struct icache *c);
/* Another launch begins; other: of other code, so that all lines go. */
void icache_start_kernel(struct icache *c, bool other);
enum code_fetch icache_fetch(struct icache *c, int warp, uint32_t pc,
                             int *delay);
/* Whether a warp's line has come; take such a warp, or -1. */
static inline bool icache_has_ready(const struct icache *c)
{
    return c->first_ready >= 0;
}
int icache_take_ready(struct icache *c);
/* A miss's line, or a part of it, has come. */
void icache_fill(struct icache *c, const struct request *r);

#endif
