/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/coherence.h"

#include "sampler/machine.h"
#include "sampler/memory/l2.h"
#include "sampler/sm/l1.h"

#include <stdlib.h>

/* ---- read-only buffers -------------------------------------------------- */

static bool stores(const struct inst *i)
{
    return (i->op == OP_STORE || i->op == OP_ATOMIC) &&
           i->space == SPACE_GLOBAL;
}

/* Take the ranges that the step writes to off the list. */
static void strike(struct read_only *r, const struct inst *i,
                   const struct step *s)
{
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((s->mask >> lane & 1) == 0)
            continue;
        uint64_t at = s->form == ADDR_STRIDE
                          ? s->base + (uint64_t)s->stride * (uint64_t)lane
                          : s->lane_address[lane];
        for (size_t n = 0; n < r->count; n++)
            if (at + i->width > r->range[n].first &&
                at < r->range[n].first + r->range[n].bytes)
                r->range[n--] = r->range[--r->count];
    }
}

static bool strike_block(struct read_only *r, const struct kernel *k,
                         void *state, uint64_t block, struct error *e)
{
    struct step s;
    if (!k->ops->open(k, state, block, e))
        return false;
    for (uint32_t w = 0; w < k->warps_per_block; w++)
        while (r->count > 0 && k->ops->next(k, state, w, &s))
            if (stores(&k->inst[s.inst]))
                strike(r, &k->inst[s.inst], &s);
    k->ops->close(k, state);
    return true;
}

static bool strike_kernel(struct read_only *r, const struct kernel *k,
                          struct error *e)
{
    size_t size = k->ops->state_size(k);
    void *state = malloc(size > 0 ? size : 1);
    if (state == NULL)
        return error_no_memory(e);
    bool ok = true;
    for (uint64_t b = 0; ok && r->count > 0 && b < k->blocks; b++)
        ok = strike_block(r, k, state, b, e);
    free(state);
    return ok && kernel_streams_check(k, e);
}

static bool launched_before(struct kernel *const *kernels, int i)
{
    for (int j = 0; j < i; j++)
        if (kernels[j]->hash == kernels[i]->hash)
            return true;
    return false;
}

bool coherence_find_read_only(struct machine *m, struct kernel *const *kernels,
                              int count)
{
    const struct kernel *k = kernels[0];
    struct read_only *r = &m->read_only;
    if (m->gpu->coherence != COHERENCE_DENOVO || count < 2 || k->buffers == 0)
        return true;
    r->range = malloc(k->buffers * sizeof(*r->range));
    if (r->range == NULL)
        return error_no_memory(m->error);
    for (size_t i = 0; i < k->buffers; i++)
        r->range[r->count++] =
            (struct address_range){k->buffer[i].address, k->buffer[i].bytes};
    for (int i = 0; i < count; i++)
        if (!launched_before(kernels, i) &&
            !strike_kernel(r, kernels[i], m->error))
            return false;
    return true;
}

static bool is_read_only(const struct read_only *r, uint64_t address)
{
    for (size_t i = 0; i < r->count; i++)
        if (address >= r->range[i].first &&
            address < r->range[i].first + r->range[i].bytes)
            return true;
    return false;
}

/* ---- kernel boundaries -------------------------------------------------- */

/* Write the dirty lines of an L1 through, as fast as its port takes them. */
static void write_through(struct machine *m, struct sm *sm)
{
    struct cache *c = &sm->l1;
    sm->now = m->now;
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++) {
            struct cache_line *l = cache_at(c, set, way);
            if (l->dirty != 0)
                l1_write_back(sm, l);
            l->dirty = 0;
        }
}

void coherence_end_kernel(struct machine *m)
{
    if (m->gpu->coherence != COHERENCE_GPU ||
        m->gpu->l1.write_policy != L1_WRITE_BACK)
        return;
    for (int i = 0; i < m->sms; i++)
        write_through(m, &m->sm[i]);
    for (uint64_t next; m->memory.writebacks > 0; m->now = next) {
        next = memory_next(&m->memory);
        if (next == NO_EVENT) /* memory is out: the caller looks */
            return;
        memory_advance(&m->memory, next);
    }
}

/* Keep what the L1 owns and what nobody writes. */
static void drop_not_owned(struct sm *sm)
{
    struct cache *c = &sm->l1;
    const struct read_only *r = &sm->machine->read_only;
    uint64_t bytes = (uint64_t)sm->gpu->l1.line_bytes;
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++) {
            struct cache_line *l = cache_at(c, set, way);
            if (is_read_only(r, l->tag * bytes))
                continue;
            l->valid = l->dirty;
            if (l->dirty == 0)
                cache_drop(c, set, way);
        }
}

void coherence_start_kernel(struct sm *sm)
{
    if (sm->gpu->coherence == COHERENCE_GPU)
        cache_invalidate(&sm->l1);
    else
        drop_not_owned(sm);
    cache_invalidate(&sm->constant);
    cache_invalidate(&sm->texture);
}

/* ---- ownership ---------------------------------------------------------- */

/* SM `sm` no longer owns `words` of a line; its copies go with them. */
static void lose(void *user, int sm, uint64_t line, uint32_t words)
{
    struct machine *m = user;
    struct cache *c = &m->sm[sm].l1;
    int set = cache_set(c, line), way = cache_find(c, set, line);
    if (way == NO_WAY)
        return;
    struct cache_line *l = cache_at(c, set, way);
    l->dirty &= ~words;
    l->valid &= ~words;
    if (l->valid == 0)
        cache_drop(c, set, way);
}

static void expect(void *user, const struct request *r)
{
    struct machine *m = user;
    struct sm *sm = &m->sm[r->sm];
    if (r->kind == REQUEST_FILL)
        sm->fills++;
    else
        sm->op[r->owner].outstanding++;
}

bool coherence_init(struct memory *m)
{
    m->lose = lose;
    m->expect = expect;
    return m->gpu->coherence != COHERENCE_DENOVO || owners_init(&m->owners);
}

/* Words of L2 sectors, and the sectors that hold words. */
static uint32_t words_of(const struct gpu *g, uint32_t sectors)
{
    int n = g->l2.sector_bytes / WORD_BYTES;
    uint32_t words = 0;
    for (; sectors != 0; sectors &= sectors - 1)
        words |= UINT32_MAX >> (32 - n) << n * __builtin_ctz(sectors);
    return words;
}

static uint32_t sectors_of(const struct gpu *g, uint32_t words)
{
    int n = g->l2.sector_bytes / WORD_BYTES;
    uint32_t sectors = 0;
    for (; words != 0; words &= words - 1)
        sectors |= 1u << __builtin_ctz(words) / n;
    return sectors;
}

static bool past_l1(const struct request *r)
{
    return r->kind == REQUEST_READ || r->kind == REQUEST_WRITE ||
           r->kind == REQUEST_ATOMIC;
}

static void set_owner(struct memory *m, uint64_t line, uint32_t words, int sm)
{
    if (!owners_set(&m->owners, line, words, sm))
        m->out_of_memory = true;
}

/* What is written back is void where it has been taken over meanwhile. */
static bool written_back(struct memory *m, uint32_t id)
{
    struct request *r = &m->request[id];
    uint32_t any = owners_any(&m->owners, r->line);
    uint32_t own = owners_words(&m->owners, r->line, r->sm);
    r->l1_sectors &= ~any | own;
    r->sectors = sectors_of(m->gpu, r->l1_sectors);
    if (r->l1_sectors == 0)
        memory_drop_writeback(m, id);
    else
        set_owner(m, r->line, r->l1_sectors, NO_OWNER);
    return r->l1_sectors == 0;
}

/* What request r makes of the words that SM `owner` has. */
static void hand_over(struct memory *m, struct slice *s,
                      const struct request *r, int owner, uint32_t words,
                      double now)
{
    bool own = r->kind == REQUEST_OWN || r->kind == REQUEST_OWN_FILL;
    bool call_in = r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC;
    if (own || call_in) {
        m->lose(m->user, owner, r->line, words);
        set_owner(m, r->line, words, own ? r->sm : NO_OWNER);
    }
    if (call_in)
        l2_take_in(m, s, r->line, sectors_of(m->gpu, words), now);
}

/* Have SM `owner` answer for its words of request id: the whole request, or a
 * part of its own. With them come those that it has of the extra ones; of what
 * is left of these, nothing comes with a whole request. */
static void answer_words(struct memory *m, struct slice *s, uint32_t id,
                         int owner, uint32_t words, bool whole, double now)
{
    struct request part = m->request[id];
    uint32_t has = owners_words(&m->owners, part.line, owner);
    m->request[id].extra &= ~has;
    part.absent = whole ? part.absent | (part.extra & ~has) : 0;
    part.extra &= has;
    part.l1_sectors = words;
    hand_over(m, s, &part, owner, words, now);
    if (whole) {
        m->request[id] = part;
    } else {
        id = memory_new_request(m);
        if (id == NO_REQUEST)
            return;
        part.next = NO_REQUEST;
        m->request[id] = part;
        m->expect(m->user, &part);
    }
    memory_answer_from(m, owner, s, id, now);
}

/* Have the owners of `words` answer for them; the words that are left. */
static uint32_t ask_owners(struct memory *m, struct slice *s, uint32_t id,
                           uint32_t words, double now)
{
    const struct request r = m->request[id]; /* the array moves as it grows */
    bool any = r.kind == REQUEST_WRITE || r.kind == REQUEST_ATOMIC;
    uint32_t others = 0, part;
    int owner = NO_OWNER, but = any ? NO_OWNER : r.sm;
    for (uint32_t left = words;
         (part = owners_other(&m->owners, r.line, left, but, &owner)) != 0;
         left &= ~part) {
        memory_count_served(m, id, &m->counts->served_remote);
        others |= part;
        answer_words(m, s, id, owner, part, others == words, now);
    }
    return words & ~others;
}

/* What is left for the L2 of an L1's request: with its words come the extra
 * ones that nobody owns. */
static void cut_down(struct memory *m, uint32_t id, uint32_t words)
{
    struct request *r = &m->request[id];
    uint32_t owned = r->extra & owners_any(&m->owners, r->line);
    r->absent |= owned;
    r->extra &= ~owned;
    r->l1_sectors = words;
    r->sectors = sectors_of(m->gpu, words | r->extra);
}

bool coherence_serve(struct memory *m, struct slice *s, uint32_t id, double now)
{
    const struct request r = m->request[id]; /* the array moves as it grows */
    if (r.kind == REQUEST_WRITEBACK)
        return written_back(m, id);
    bool own = r.kind == REQUEST_OWN || r.kind == REQUEST_OWN_FILL;
    uint32_t words = past_l1(&r) ? words_of(m->gpu, r.sectors) : r.l1_sectors;
    uint32_t left = ask_owners(m, s, id, words, now);
    if (own)
        set_owner(m, r.line, left, r.sm);
    if (own && (left == 0 || r.kind == REQUEST_OWN)) {
        m->counts->l2_accesses++;
        m->counts->l2_hits++;
    }
    if (left == 0)
        return true;
    if (!past_l1(&r))
        cut_down(m, id, left);
    if (r.kind != REQUEST_OWN)
        return false;
    memory_count_served(m, id, &m->counts->served_l2);
    memory_answer(m, s, id, now);
    return true;
}
