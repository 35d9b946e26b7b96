/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/icache.h"

#include "base/bits.h"
#include "sampler/policy/l1/table.h"

#include <stdlib.h>

#define NO_WARP (-1)
#define NO_LINE UINT64_MAX
/* Each kernel's code lies apart. */
#define MB          1048576.0
#define CODE_KERNEL (UINT64_C(1) << 24)

static uint64_t code_line(const struct icache *c, uint32_t pc)
{
    return divide(c->code + pc, (uint64_t)c->core->gpu->icache.line_bytes);
}

static void append(struct icache *c, int *first, int *last, int warp)
{
    c->after[warp] = NO_WARP;
    if (*first == NO_WARP)
        *first = warp;
    else
        c->after[*last] = warp;
    *last = warp;
}

/* ---- misses ------------------------------------------------------------- */

static struct code_miss *find_miss(struct icache *c, uint64_t line)
{
    for (int i = 0; c->misses > 0 && i < MAX_CODE_MISSES; i++)
        if (c->miss[i].used && c->miss[i].line == line)
            return &c->miss[i];
    return NULL;
}

static struct code_miss *new_miss(struct icache *c, uint64_t line)
{
    struct code_miss *m = c->miss;
    while (m->used)
        m++;
    *m = (struct code_miss){
        .line = line, .used = true, .first = NO_WARP, .last = NO_WARP};
    c->misses++;
    return m;
}

static void request_line(struct icache *c, struct code_miss *m)
{
    const struct gpu *g = c->core->gpu;
    int bytes = g->icache.line_bytes;
    struct transaction t = port_to_l2(g, m->line, 1, bytes, bytes);
    bool parted = g->icnt.sector_answers != 0;
    m->answers = port_answers(parted, t.sectors);
    port_send(c->port,
              &(struct request){.line = t.line,
                                .sectors = t.sectors,
                                .owner = CODE_OWNER + (uint32_t)(m - c->miss),
                                .kind = REQUEST_READ,
                                .parted = parted});
}

static enum code_fetch send_miss(struct icache *c, int warp, uint64_t line)
{
    const struct gpu *g = c->core->gpu;
    struct code_miss *m = find_miss(c, line);
    if (m != NULL ? m->waiting >= g->icache.mshr_merge
                  : c->misses >= g->icache.mshr)
        return CODE_BUSY;
    if (m == NULL) {
        if (!port_may_send(c->port))
            return CODE_BUSY;
        m = new_miss(c, line);
        request_line(c, m);
    }
    append(c, &m->first, &m->last, warp);
    m->waiting++;
    return CODE_SENT;
}

/* ---- fetching ----------------------------------------------------------- */

/* Whether the line is there; then it is used. */
static bool is_here(struct icache *c, int set, const struct cache_access *a)
{
    if (c->newest[set] == a->line)
        return true;
    int way = cache_find(&c->tags, set, a->line);
    if (way == NO_WAY)
        return false;
    cache_touch(&c->tags, set, way, a);
    c->newest[set] = a->line;
    return true;
}

static void allocate(struct icache *c, int set, const struct cache_access *a)
{
    struct cache_line old;
    cache_allocate(&c->tags, set, a, &old);
    c->newest[set] = a->line;
}

enum code_fetch icache_fetch(struct icache *c, int warp, uint32_t pc,
                             int *delay)
{
    const struct gpu *g = c->core->gpu;
    struct sampler_counts *counts = &c->core->counts;
    struct cache *tags = &c->tags;
    *delay = 0;
    if (g->icache.perfect)
        return CODE_HERE;
    struct cache_access a = {.line = code_line(c, pc), .warp = -1};
    int set = cache_set(tags, a.line);
    if (is_here(c, set, &a)) {
        counts->icache_accesses++;
        return CODE_HERE;
    }
    if (g->icache.from_l2) {
        enum code_fetch sent = send_miss(c, warp, a.line);
        counts->icache_accesses += sent == CODE_SENT;
        counts->icache_misses += sent == CODE_SENT;
        return sent;
    }
    allocate(c, set, &a);
    counts->icache_accesses++;
    counts->icache_misses++;
    *delay = g->icache.miss_latency;
    return CODE_HERE;
}

int icache_take_ready(struct icache *c)
{
    int warp = c->first_ready;
    if (warp != NO_WARP)
        c->first_ready = c->after[warp];
    return warp;
}

void icache_fill(struct icache *c, const struct request *r)
{
    struct code_miss *m = &c->miss[r->owner - CODE_OWNER];
    if (--m->answers > 0)
        return;
    struct cache_access a = {.line = m->line, .warp = -1};
    allocate(c, cache_set(&c->tags, a.line), &a);
    for (int warp = m->first, next; warp != NO_WARP; warp = next) {
        next = c->after[warp];
        append(c, &c->first_ready, &c->last_ready, warp);
    }
    m->used = false;
    c->misses--;
}

/* ---- life --------------------------------------------------------------- */

static void forget_newest(struct icache *c)
{
    for (int set = 0; set < c->tags.sets; set++)
        c->newest[set] = NO_LINE;
}

bool icache_init(struct icache *c)
{
    const struct gpu *g = c->core->gpu;
    const struct choice lru = choice_of(&cache_lru.info);
    c->first_ready = NO_WARP;
    if (!cache_init(&c->tags, g->icache.size_kb, g->icache.ways,
                    g->icache.line_bytes, false, &lru))
        return false;
    c->newest = malloc((size_t)c->tags.sets * sizeof(*c->newest));
    if (c->newest == NULL)
        return false;
    forget_newest(c);
    return true;
}

void icache_free(struct icache *c)
{
    cache_free(&c->tags);
    free(c->newest);
}

void icache_start_kernel(struct icache *c, bool other)
{
    uint64_t base = (uint64_t)(c->core->gpu->icache.base_mb * MB);
    c->code = base + (uint64_t)c->core->kernel_index * CODE_KERNEL;
    if (!other)
        return;
    cache_invalidate(&c->tags);
    forget_newest(c);
}
