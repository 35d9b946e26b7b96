/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arrays.h"
#include "kernels/form/memory_map.h"
#include "kernels/form/step_bytes.h"
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/launch/stream.h"
#include "kernels/ptx/lower/lower_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define TURN 64 /* instructions of a warp before the next one's turn */

/* What a warp makes of a run of ops, which has to be through before its steps
 * are in order. A warp that stops is between two runs, so that those of a block
 * make theirs in the same room. */
struct run {
    struct step *step;
    size_t count, room;
    uint32_t *at; /* instruction, from the run's first on -> its step + 1 */
    size_t places;
};

/* Steps that a warp has made ahead of who reads them, in order. */
struct queue {
    struct step_writer written;
    size_t read; /* bytes of them */
    struct last_step last_read;
    uint64_t made; /* steps of the warp that were put in order */
};

struct block_state {
    struct ptx_block block;
    struct run run;
    struct queue *queue; /* of every warp */
    struct error error;
    bool open;
};

static struct ptx_source *source_of(const struct kernel *k)
{
    return k->source;
}

static size_t state_size(const struct kernel *k)
{
    (void)k;
    return sizeof(struct block_state);
}

static void close_block(const struct kernel *k, void *state)
{
    struct block_state *s = state;
    (void)k;
    for (uint32_t i = 0; s->queue != NULL && i < s->block.warps; i++)
        free(s->queue[i].written.bytes);
    free(s->queue);
    free(s->run.step);
    free(s->run.at);
    s->queue = NULL;
    s->run = (struct run){0};
    ptx_block_close(&s->block);
}

static bool check(const struct kernel *k, struct error *e)
{
    const struct ptx_source *s = source_of(k);
    if (!atomic_load(&s->faulted))
        return true;
    if (e != NULL)
        *e = s->fault;
    return false;
}

static bool open_block(const struct kernel *k, void *state, uint64_t block,
                       struct error *e)
{
    struct block_state *s = state;
    struct ptx_source *source = source_of(k);
    *s = (struct block_state){.error = {STATUS_OK, ""}};
    if (!check(k, e))
        return false;
    struct ptx_view view;
    uint64_t first = ptx_cluster_first(&source->part->launch, block);
    if (!ptx_sequence_view(source->turns, source->turn, first, &view, e) ||
        !ptx_block_open(&s->block, &source->part->launch, view, e))
        return false;
    s->queue = calloc(s->block.warps, sizeof(*s->queue));
    for (uint32_t i = 0; s->queue != NULL && i < s->block.warps; i++)
        s->queue[i].last_read = s->queue[i].written.last = NO_STEP;
    s->block.e = &s->error;
    if (s->queue != NULL && ptx_block_start(&s->block, block))
        return true;
    close_block(k, state);
    return error_no_memory(e);
}

/* ---- a step ------------------------------------------------------------- */

/* Local memory of a warp's lanes is interleaved, as in the other front ends:
 * what they have at one offset lies side by side. */
static void place_local(const struct ptx_block *b, const struct ptx_warp *w,
                        uint32_t width, uint64_t *address)
{
    uint64_t warp = b->number * b->warps + w->index;
    uint64_t room = w->local_bytes * WARP_LANES;
    uint64_t base = (uint64_t)LOCAL_BASE + warp * room % (uint64_t)LOCAL_SPAN;
    for (uint64_t i = 0; i < WARP_LANES; i++) {
        uint64_t offset = address[i] % PTX_LOCAL_WINDOW;
        address[i] = base + offset / width * width * WARP_LANES + i * width +
                     offset % width;
    }
}

/* Addresses as a stride when the active lanes have one, else as a list. */
static void fill_addresses(struct step *out, const uint64_t *address)
{
    int first = __builtin_ctz(out->mask), second = first + 1;
    while (second < WARP_LANES && (out->mask >> second & 1) == 0)
        second++;
    int64_t stride = 0;
    bool even = true;
    if (second < WARP_LANES) {
        stride = (int64_t)(address[second] - address[first]) / (second - first);
        for (int i = first; i < WARP_LANES && even; i++)
            even = (out->mask >> i & 1) == 0 ||
                   address[i] == address[first] +
                                     (uint64_t)stride * (uint64_t)(i - first);
    }
    out->form = even ? ADDR_STRIDE : ADDR_LIST;
    out->base = address[first] - (uint64_t)stride * (uint64_t)first;
    out->stride = stride;
    if (!even)
        memcpy(out->lane_address, address, sizeof(out->lane_address));
}

/* Instruction `inst` is the part of that number of what the event's op
 * became. */
static void fill_step(const struct kernel *k, struct ptx_block *b,
                      const struct ptx_warp *w, uint32_t before, uint32_t inst,
                      uint32_t part, struct step *out)
{
    const struct inst *i = &k->inst[inst];
    struct ptx_fragment fragment;
    uint64_t of_part[WARP_LANES], *address = b->event.address;
    uint32_t access;
    uint32_t mask = b->event.mask;
    out->inst = inst;
    out->mask = i->op == OP_BRANCH ? before : mask;
    out->taken_mask = b->event.taken;
    out->signal = b->event.signal;
    out->await = b->event.await;
    out->await_count = b->event.await_count;
    out->form = ADDR_NONE;
    if (i->space == SPACE_NONE || mask == 0)
        return;
    if (b->event.op->action == ACTION_BULK_COPY ||
        b->event.op->action == ACTION_TENSOR_COPY) {
        if (b->event.box.bytes == 0)
            return;
        out->form = ADDR_BOX;
        out->base = address[__builtin_ctz(mask)];
        out->box = b->event.box;
        return;
    }
    if (i->space == SPACE_LOCAL)
        place_local(b, w, i->width, b->event.address);
    if (ptx_matrix_access(b->event.op, part, &fragment, &access)) {
        ptx_fragment_addresses(&fragment, access, address, b->event.stride,
                               of_part);
        address = of_part;
    }
    fill_addresses(out, address);
}

/* For so many steps more. False: no memory. */
static bool run_room(struct run *r, size_t more)
{
    return array_reserve(&r->step, &r->room, r->count + more);
}

/* Hand the run's steps on in the order of the program, in which each
 * instruction stands once. False: no memory. */
static bool end_run(const struct kernel *k, struct run *r, struct queue *q)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (size_t i = 0; i < r->count; i++) {
        first = r->step[i].inst < first ? r->step[i].inst : first;
        last = r->step[i].inst > last ? r->step[i].inst : last;
    }
    size_t places = r->count > 0 ? (size_t)(last - first) + 1 : 0;
    bool ok = array_reserve(&r->at, &r->places, places);
    if (ok && places > 0)
        memset(r->at, 0, places * sizeof(*r->at));
    for (size_t i = 0; ok && i < r->count; i++)
        r->at[r->step[i].inst - first] = (uint32_t)i + 1;
    for (size_t i = 0; ok && i < places; i++)
        if (r->at[i] != 0)
            ok = step_write(&q->written, k, &r->step[r->at[i] - 1]);
    q->made += r->count;
    r->count = 0;
    return ok;
}

/* Ops that no lane executes, in place of which a branch stood. */
static bool add_without_lanes(const struct ptx_source *s,
                              const struct ptx_made *at,
                              const struct ptx_ops *ops, struct run *r)
{
    for (uint32_t n = ops->first; n < ops->first + ops->count; n++) {
        if (!run_room(r, at[n].count))
            return false;
        for (uint32_t i = 0; i < at[n].count; i++)
            r->step[r->count++] =
                (struct step){.inst = s->lowered.inst[at[n].first + i]};
    }
    return true;
}

/* A branch that became predicates. */
static bool take_arms(const struct kernel *k, const struct ptx_block *b,
                      const struct ptx_made *made, uint32_t before,
                      struct run *r, struct queue *q)
{
    const struct ptx_source *s = source_of(k);
    const struct ptx_ops *all = &made->when_all;
    if (b->event.taken == 0)
        return add_without_lanes(s, made, &made->when_none, r);
    if (b->event.taken != before)
        return true;
    if (!add_without_lanes(s, made, all, r))
        return false;
    return !made[all->first + all->count - 1].last_of_run || end_run(k, r, q);
}

/* What the block's last event is as steps. False: no memory. */
static bool take_event(const struct kernel *k, struct ptx_block *b,
                       const struct ptx_warp *w, uint32_t before, struct run *r,
                       struct queue *q)
{
    const struct ptx_source *s = source_of(k);
    const struct ptx_made *made =
        &s->lowered.of[b->event.op - s->part->program.op];
    if (!run_room(r, made->count))
        return false;
    for (uint32_t i = 0; i < made->count; i++) {
        uint32_t inst = s->lowered.inst[made->first + i];
        enum op_class op = (enum op_class)k->inst[inst].op;
        if (b->event.mask != 0 || (op != OP_EXIT && op != OP_BARRIER))
            fill_step(k, b, w, before, inst, i, &r->step[r->count++]);
    }
    if (made->when_all.count > 0 && b->event.op->guard != PTX_SLOT_NONE &&
        !take_arms(k, b, made, before, r, q))
        return false;
    return !made->last_of_run || end_run(k, r, q);
}

/* The first fault is kept for the next block that is opened. */
static void keep_fault(struct ptx_source *s, const struct error *e)
{
    if (atomic_flag_test_and_set(&s->fault_taken))
        return;
    s->fault = *e;
    atomic_store(&s->faulted, true);
}

/* Its last step, of a warp that cannot go on. */
static void give_up(const struct kernel *k, struct block_state *s,
                    struct ptx_warp *w, uint32_t mask)
{
    const struct step exit = {.inst = source_of(k)->lowered.exit_inst,
                              .mask = mask};
    struct queue *q = &s->queue[w->index];
    w->state = WARP_ENDED;
    if (end_run(k, &s->run, q) && step_write(&q->written, k, &exit))
        q->made++;
}

/* Execute until the warp has made steps. False when it has to wait or has
 * ended. */
static bool step_warp(const struct kernel *k, struct block_state *s,
                      struct ptx_warp *w)
{
    struct ptx_block *b = &s->block;
    struct queue *q = &s->queue[w->index];
    uint64_t made = q->made;
    while (w->state == WARP_READY && q->made == made) {
        uint32_t before = ptx_top(w)->mask;
        if (!ptx_step(b, w)) {
            keep_fault(source_of(k), &s->error);
            give_up(k, s, w, w->live != 0 ? w->live : before);
        } else if (w->state != WARP_POLLING &&
                   !take_event(k, b, w, before, &s->run, q)) {
            error_no_memory(&s->error);
            keep_fault(source_of(k), &s->error);
            w->state = WARP_ENDED;
            s->run.count = 0;
        }
    }
    assert(s->run.count == 0);
    return q->made != made;
}

/* ---- warps ahead of their readers --------------------------------------- */

static bool pop(const struct kernel *k, struct queue *q, struct step *out)
{
    if (q->read == q->written.count)
        return false;
    struct step_reader r = {q->written.bytes + q->read,
                            q->written.bytes + q->written.count, q->last_read};
    step_read(&r, k, out);
    q->last_read = r.last;
    q->read = (size_t)(r.at - q->written.bytes);
    if (q->read == q->written.count)
        q->read = q->written.count = 0;
    return true;
}

/* At least `most` steps of a warp, but for what it has to wait for; how many it
 * made. */
static uint64_t advance(const struct kernel *k, struct block_state *s,
                        uint32_t warp, uint64_t most)
{
    const struct queue *q = &s->queue[warp];
    uint64_t before = q->made;
    while (q->made - before < most && step_warp(k, s, &s->block.warp[warp]))
        ;
    return q->made - before;
}

/* A turn of every warp of the other blocks of the cluster, of which nobody
 * reads the steps; how many they made. */
static uint64_t advance_others(const struct kernel *k, struct block_state *s,
                               uint64_t most)
{
    uint64_t made = 0;
    for (uint32_t i = 0; i + 1 < s->block.peers; i++) {
        struct ptx_block *b = &s->block.others[i];
        for (uint32_t j = 0; j < b->warps; j++) {
            struct ptx_warp *w = &b->warp[j];
            for (uint64_t n = 0; n < most && w->state == WARP_READY; n++) {
                made++;
                if (ptx_step(b, w))
                    continue;
                keep_fault(source_of(k), &s->error);
                w->state = WARP_ENDED;
            }
        }
    }
    return made;
}

/* A turn of every warp; false when none could move. */
static bool advance_all(const struct kernel *k, struct block_state *s,
                        uint64_t most)
{
    uint64_t made = advance_others(k, s, most);
    for (uint32_t i = 0; i < s->block.warps; i++)
        made += advance(k, s, i, most);
    return made > 0;
}

static bool next(const struct kernel *k, void *state, uint32_t warp,
                 struct step *out)
{
    struct block_state *s = state;
    struct ptx_warp *w = &s->block.warp[warp];
    bool in_turns = source_of(k)->in_turns;
    for (;;) {
        if (pop(k, &s->queue[warp], out))
            return true;
        if (!in_turns && step_warp(k, s, w))
            continue;
        if (w->state == WARP_ENDED)
            return false;
        if (!advance_all(k, s, in_turns ? TURN : UINT64_MAX) &&
            (w->state == WARP_AT_BARRIER || w->state == WARP_POLLING) &&
            !ptx_block_let_fail(&s->block)) {
            ptx_block_stuck(&s->block, w);
            keep_fault(source_of(k), &s->error);
            give_up(k, s, w, w->live);
        }
    }
}

static void destroy(struct kernel *k)
{
    struct ptx_source *s = k->source;
    ptx_lowered_free(&s->lowered);
    ptx_sequence_release(s->turns);
    free(s);
}

const struct kernel_source_ops ptx_source_ops = {
    .state_size = state_size,
    .open = open_block,
    .next = next,
    .close = close_block,
    .check = check,
    .destroy = destroy,
};
