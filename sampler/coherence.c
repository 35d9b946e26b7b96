/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/coherence.h"

#include "sampler/l1.h"
#include "sampler/l2.h"
#include "sampler/machine.h"

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
        return error_set(e, STATUS_FAILED, "out of memory");
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
        return error_set(m->error, STATUS_FAILED, "out of memory");
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
            const struct cache_line *l = cache_at(c, set, way);
            if (l->dirty == 0 && !is_read_only(r, l->tag * bytes))
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

/* SM `sm` no longer owns L2 line `line`; its copy goes with it. */
static void lose(void *user, int sm, uint64_t line)
{
    struct machine *m = user;
    struct cache *c = &m->sm[sm].l1;
    uint64_t per_line =
        (uint64_t)(m->gpu->l2.line_bytes / m->gpu->l1.line_bytes);
    for (uint64_t i = 0; i < per_line; i++) {
        int set = cache_set(c, line * per_line + i);
        int way = cache_find(c, set, line * per_line + i);
        if (way == NO_WAY)
            continue;
        cache_at(c, set, way)->dirty = 0;
        cache_drop(c, set, way);
    }
}

bool coherence_init(struct memory *m)
{
    m->lose = lose;
    return m->gpu->coherence != COHERENCE_DENOVO || owners_init(&m->owners);
}

static void pass_on(struct memory *m, uint64_t line, int from, int to)
{
    if (from != NO_OWNER)
        m->lose(m->user, from, line);
    if (!owners_set(&m->owners, line, to))
        m->out_of_memory = true;
}

/* A write-back is void when its line has been taken over meanwhile. */
static bool written_back(struct memory *m, uint32_t id, int owner)
{
    const struct request *r = &m->request[id];
    if (owner != NO_OWNER && owner != r->sm) {
        memory_drop_writeback(m, id);
        return true;
    }
    return !owners_set(&m->owners, r->line, NO_OWNER);
}

bool coherence_serve(struct memory *m, struct slice *s, uint32_t id, double now)
{
    const struct request r = m->request[id]; /* the array moves as it grows */
    int owner = owners_find(&m->owners, r.line);
    bool elsewhere = owner != NO_OWNER && owner != r.sm;
    switch ((enum request_kind)r.kind) {
    case REQUEST_WRITEBACK:
        return written_back(m, id, owner);
    case REQUEST_OWN_FILL:
    case REQUEST_OWN:
        pass_on(m, r.line, elsewhere ? owner : NO_OWNER, r.sm);
        if (!elsewhere && r.kind == REQUEST_OWN_FILL)
            return false;
        m->counts->l2_accesses++;
        m->counts->l2_hits++;
        *(elsewhere ? &m->counts->served_remote : &m->counts->served_l2) += 1;
        if (elsewhere)
            memory_answer_from(m, owner, s, id, now);
        else
            memory_answer(m, s, id, now);
        return true;
    case REQUEST_ATOMIC:
    case REQUEST_WRITE:
        if (owner == NO_OWNER)
            return false;
        m->counts->served_remote++;
        pass_on(m, r.line, owner, NO_OWNER);
        l2_take_in(m, s, r.line, now);
        memory_answer_from(m, owner, s, id, now);
        return true;
    default:
        if (!elsewhere)
            return false;
        m->counts->served_remote++;
        memory_answer_from(m, owner, s, id, now);
        return true;
    }
}
