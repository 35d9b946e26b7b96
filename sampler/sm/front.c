/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fetch and decode, and what the schedulers may know of each warp's next
 * instruction. */
#include "base/bits.h"
#include "sampler/machine.h"
#include "sampler/sm/sm.h"

static struct step *ring(const struct sm *sm, const struct warp *w, int i)
{
    int at = w->head + i;
    return &w->buffer[at >= sm->buffer_size ? at - sm->buffer_size : at];
}

const struct step *front_head(const struct sm *sm, int warp)
{
    const struct warp *w = &sm->warp[warp];
    return &w->buffer[w->head];
}

static void set_bit(uint64_t *mask, uint64_t bit, bool on)
{
    *mask = on ? *mask | bit : *mask & ~bit;
}

/* ---- fetch -------------------------------------------------------------- */

/* A warp's buffer is refilled when it is at most half full (or, by
 * configuration, empty), no instructions are on their way, and no branch of it
 * is open. */
void front_update_want(struct sm *sm, int warp)
{
    const struct gpu *g = sm->gpu;
    const struct warp *w = &sm->warp[warp];
    uint64_t bit = BIT(warp);
    bool want = (sm->table.live & bit) && !w->fetching && !w->done_fetching &&
                !(sm->table.branch_wait & bit) &&
                w->buffered <= sm->machine->exec.refill_at;
    if (want && w->buffered > 0 && !g->fetch.past_branches) {
        const struct step *last = ring(sm, w, w->buffered - 1);
        want = sm->kernel->inst[last->inst].op != OP_BRANCH;
    }
    set_bit(&sm->want_fetch, bit, want || w->refused);
}

/* Pull the warp's next instructions out of its stream, up to a branch unless
 * fetch.past_branches. After an exit one more is asked for, so that the last
 * instruction is known as such. */
static int pull(struct sm *sm, struct warp *w)
{
    const struct kernel *k = sm->kernel;
    void *stream = sm->block[w->block_slot].stream;
    int room = sm->gpu->fetch.buffer - w->buffered, n = 0;
    bool after_exit = false;
    while (n < room || after_exit) {
        struct step *s = ring(sm, w, w->buffered + n);
        if (!k->ops->next(k, stream, w->in_block, s)) {
            w->done_fetching = true;
            break;
        }
        n++;
        enum op_class op = k->inst[s->inst].op;
        if ((op == OP_BRANCH && !sm->gpu->fetch.past_branches) || after_exit)
            break;
        after_exit = op == OP_EXIT;
    }
    return n;
}

static void decode(struct sm *sm, int warp, int delay)
{
    sm_schedule(sm, sm->now + (uint64_t)(sm->gpu->fetch.latency + delay),
                DONE_FETCH, warp, 0);
}

static void fetch_for(struct sm *sm, int warp)
{
    struct warp *w = &sm->warp[warp];
    if (!w->refused)
        w->incoming = (uint8_t)pull(sm, w);
    if (w->incoming == 0) {
        front_update_want(sm, warp);
        if (w->buffered == 0)
            sm_leave_kernel(sm, warp);
        return;
    }
    const struct step *first = ring(sm, w, w->buffered);
    int delay;
    enum code_fetch code =
        icache_fetch(sm, warp, sm->kernel->inst[first->inst].pc, &delay);
    w->fetching = true;
    w->refused = code == CODE_BUSY;
    front_update_want(sm, warp);
    if (code == CODE_HERE)
        decode(sm, warp, delay);
}

bool front_has_work(const struct sm *sm)
{
    return sm->want_fetch != 0 || sm->icache.first_back >= 0;
}

/* Warps whose line has come go first. */
void front_fetch(struct sm *sm)
{
    uint64_t mask = sm->want_fetch;
    for (int i = 0; i < sm->gpu->fetch.warps_per_cycle; i++) {
        int warp = icache_back(sm);
        if (warp >= 0) {
            decode(sm, warp, 0);
            continue;
        }
        if (mask == 0)
            break;
        uint64_t upper = mask & (~UINT64_C(0) << sm->fetch_next);
        warp = __builtin_ctzll(upper != 0 ? upper : mask);
        sm->fetch_next = (warp + 1) % MAX_WARP_SLOTS;
        mask &= ~BIT(warp);
        fetch_for(sm, warp);
    }
    sm->active_cycle = true;
}

void front_decoded(struct sm *sm, int warp)
{
    struct warp *w = &sm->warp[warp];
    bool was_empty = w->buffered == 0;
    w->fetching = false;
    w->buffered = (uint8_t)(w->buffered + w->incoming);
    w->incoming = 0;
    front_update_want(sm, warp);
    if (was_empty)
        front_refresh(sm, warp);
}

/* ---- readiness ---------------------------------------------------------- */

static bool reads(const uint64_t *registers, const struct inst *i)
{
    for (int r = 0; r < i->src_count; r++)
        if (registers[i->src[r] / 64] >> (i->src[r] % 64) & 1)
            return true;
    return false;
}

static bool reads_or_writes(const uint64_t *pending, const struct inst *i)
{
    if (reads(pending, i))
        return true;
    for (int r = 0; r < i->dst_count; r++)
        if (pending[i->dst[r] / 64] >> (i->dst[r] % 64) & 1)
            return true;
    return false;
}

void front_refresh(struct sm *sm, int warp)
{
    struct warp *w = &sm->warp[warp];
    struct warp_table *t = &sm->table;
    uint64_t bit = BIT(warp);
    bool has = w->buffered > 0 && (t->live & bit);
    set_bit(&t->has_inst, bit, has);
    sm->head_unit[w->head_unit] &= ~bit;
    if (!has) {
        t->hazard_free &= ~bit;
        t->long_wait &= ~bit;
        t->head_is_load &= ~bit;
        t->head_reads_load &= ~bit;
        return;
    }
    uint32_t index = w->buffer[w->head].inst;
    const struct inst *i = &sm->kernel->inst[index];
    const struct decoded *d = &sm->machine->decoded[index];
    bool hazard = (w->alu + w->loads) > 0 && reads_or_writes(w->pending, i);
    bool fenced = i->op == OP_FENCE && w->loads + w->stores > 0;
    bool memory = hazard && reads_or_writes(w->long_pending, i);
    bool free = !hazard && !fenced;
    if (free && (t->hazard_free & bit) == 0)
        w->ready_since = sm->now;
    set_bit(&t->hazard_free, bit, free);
    set_bit(&t->long_wait, bit, memory || fenced);
    set_bit(&t->head_is_load, bit, d->load);
    if (sm->machine->policies->warp.warp->needs_loaded)
        set_bit(&t->head_reads_load, bit, fenced || reads(w->loaded, i));
    if (d->unit < EXEC_UNITS) {
        w->head_unit = d->unit;
        sm->head_unit[d->unit] |= bit;
    }
    t->distance[warp] = i->phase_distance;
    w->phase = i->phase;
}
