/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/frontend.h"

#include <stdlib.h>

static struct step *place(const struct frontend *f,
                          const struct fetch_buffer *b, int i)
{
    int at = b->head + i;
    return &b->step[at >= f->size ? at - f->size : at];
}

static void set_bit(uint64_t *mask, uint64_t bit, bool on)
{
    *mask = on ? *mask | bit : *mask & ~bit;
}

/* ---- readiness ---------------------------------------------------------- */

/* No instruction of the warp is there. */
static void clear_head(struct warp_table *t, uint64_t bit)
{
    t->has_inst &= ~bit;
    t->hazard_free &= ~bit;
    t->long_wait &= ~bit;
    t->head_is_load &= ~bit;
    t->head_reads_load &= ~bit;
}

/* Work out what the warp table says of the warp's first instruction. */
static void refresh(struct frontend *f, int warp)
{
    struct sm_core *core = f->core;
    struct fetch_buffer *b = &f->buffer[warp];
    struct warp *w = &core->warp[warp];
    struct warp_table *t = &core->table;
    const struct scoreboard *board = f->scoreboard;
    uint64_t bit = BIT(warp);
    f->head_unit[b->unit] &= ~bit;
    if (f->needs_open)
        set_bit(&t->long_open, bit, scoreboard_long_open(board, warp));
    if (b->buffered == 0 || (t->live & bit) == 0) {
        clear_head(t, bit);
        return;
    }
    uint32_t index = b->step[b->head].inst;
    const struct inst *i = &core->kernel->inst[index];
    const struct decoded *d = &core->decoded[index];
    bool held =
        w->alu + w->loads > 0 && scoreboard_holds(board, warp, &d->uses);
    bool held_long = held && scoreboard_holds_long(board, warp, &d->uses);
    bool fenced = i->op == OP_FENCE && w->loads + w->stores > 0;
    bool free = !held && !fenced;
    if (free && (t->hazard_free & bit) == 0)
        w->ready_since = core->now;
    t->has_inst |= bit;
    set_bit(&t->hazard_free, bit, free);
    set_bit(&t->long_wait, bit, held_long || fenced);
    set_bit(&t->head_is_load, bit, d->load);
    if (f->needs_loaded)
        set_bit(&t->head_reads_load, bit,
                fenced || scoreboard_reads_loaded(board, warp, i));
    if (d->unit < EXEC_UNITS) {
        b->unit = d->unit;
        f->head_unit[d->unit] |= bit;
    }
    t->distance[warp] =
        core->gpu->sm.phase_blocks ? i->phase_distance : i->dependence_distance;
    w->phase = i->phase;
}

/* ---- fetch -------------------------------------------------------------- */

/* A warp's buffer is refilled when it is at most half full (or, by
 * configuration, empty), no instructions are on their way, and no branch of it
 * is open. */
static void update_wanting(struct frontend *f, int warp)
{
    const struct sm_core *core = f->core;
    const struct fetch_buffer *b = &f->buffer[warp];
    uint64_t bit = BIT(warp);
    bool want = (core->table.live & bit) && !b->fetching && !b->stream_ended &&
                !(core->table.branch_wait & bit) &&
                b->buffered <= core->exec->refill_at;
    if (want && b->buffered > 0 && !core->gpu->fetch.past_branches) {
        const struct step *last = place(f, b, b->buffered - 1);
        want = core->kernel->inst[last->inst].op != OP_BRANCH;
    }
    set_bit(&f->wanting, bit, want || b->refused);
}

/* Pull the warp's next instructions out of its stream, up to a branch unless
 * fetch.past_branches. After an exit one more is asked for, so that the last
 * instruction is known as such. */
static int pull(struct frontend *f, int warp)
{
    const struct sm_core *core = f->core;
    const struct kernel *k = core->kernel;
    const struct warp *w = &core->warp[warp];
    struct fetch_buffer *b = &f->buffer[warp];
    void *stream = core->block[w->block_slot].stream;
    int room = core->gpu->fetch.buffer - b->buffered, n = 0;
    bool after_exit = false;
    while (n < room || after_exit) {
        struct step *s = place(f, b, b->buffered + n);
        if (!k->ops->next(k, stream, w->in_block, s)) {
            b->stream_ended = true;
            break;
        }
        n++;
        enum op_class op = k->inst[s->inst].op;
        if ((op == OP_BRANCH && !core->gpu->fetch.past_branches) || after_exit)
            break;
        after_exit = op == OP_EXIT;
    }
    return n;
}

static void decode(struct frontend *f, int warp, int delay)
{
    struct sm_core *core = f->core;
    core_schedule(core,
                  core->now + (uint64_t)(core->gpu->fetch.latency + delay),
                  DONE_FETCH, warp, 0);
}

/* Whether there was something to fetch. */
static bool fetch_for(struct frontend *f, int warp, int late)
{
    struct fetch_buffer *b = &f->buffer[warp];
    if (!b->refused)
        b->incoming = (uint8_t)pull(f, warp);
    if (b->incoming == 0) {
        update_wanting(f, warp);
        if (b->buffered == 0)
            f->ended(f->user, warp);
        return false;
    }
    uint32_t first = place(f, b, b->buffered)->inst;
    int delay;
    enum code_fetch code =
        icache_fetch(f->icache, warp, f->core->kernel->inst[first].pc, &delay);
    b->fetching = true;
    b->refused = code == CODE_BUSY;
    update_wanting(f, warp);
    if (code == CODE_HERE)
        decode(f, warp, delay + late);
    return true;
}

/* The first warp of a mask whose turn it is. */
static int whose_turn(const struct frontend *f, uint64_t mask)
{
    uint64_t upper = mask & (~UINT64_C(0) << f->next);
    return __builtin_ctzll(upper != 0 ? upper : mask);
}

static void end_turn(struct frontend *f, int warp)
{
    f->next = (warp + 1) % MAX_WARP_SLOTS;
}

/* Those that were refused take the turns that are left, in vain. */
static void try_again(struct frontend *f, uint64_t refused, int left)
{
    for (; refused != 0 && left > 0; left--)
        end_turn(f, whose_turn(f, refused));
}

/* Warps whose line has come go first. */
void frontend_fetch(struct frontend *f)
{
    uint64_t mask = f->wanting, refused = 0;
    const struct gpu *g = f->core->gpu;
    int left = g->fetch.warps_per_cycle;
    for (; left > 0; left--) {
        int late = g->fetch.late_last && left == 1;
        int warp = icache_take_ready(f->icache);
        if (warp >= 0) {
            decode(f, warp, late);
            continue;
        }
        if (mask == 0)
            break;
        warp = whose_turn(f, mask);
        mask &= ~BIT(warp);
        if (fetch_for(f, warp, late) || !g->fetch.no_end)
            end_turn(f, warp);
        else
            left++;
        refused |= f->buffer[warp].refused ? BIT(warp) : 0;
    }
    if (g->fetch.late_last)
        try_again(f, refused, left);
    f->core->active_cycle = true;
}

void frontend_decoded(struct frontend *f, int warp)
{
    struct fetch_buffer *b = &f->buffer[warp];
    bool was_empty = b->buffered == 0;
    b->fetching = false;
    b->buffered = (uint8_t)(b->buffered + b->incoming);
    b->incoming = 0;
    update_wanting(f, warp);
    if (was_empty)
        refresh(f, warp);
}

void frontend_branch_done(struct frontend *f, int warp)
{
    f->core->table.branch_wait &= ~BIT(warp);
    update_wanting(f, warp);
}

/* ---- issue --------------------------------------------------------------- */

void frontend_written(struct frontend *f, int warp)
{
    const struct warp_table *t = &f->core->table;
    if (f->needs_open || (t->has_inst & ~t->hazard_free & BIT(warp)) != 0)
        refresh(f, warp);
}

bool frontend_pop(struct frontend *f, int warp)
{
    struct fetch_buffer *b = &f->buffer[warp];
    b->head = (uint8_t)(b->head + 1 == f->size ? 0 : b->head + 1);
    b->buffered--;
    return b->buffered == 0 && b->stream_ended && !b->fetching;
}

void frontend_issued(struct frontend *f, int warp)
{
    refresh(f, warp);
    update_wanting(f, warp);
}

/* ---- warps -------------------------------------------------------------- */

void frontend_start_warp(struct frontend *f, int warp)
{
    struct fetch_buffer *b = &f->buffer[warp];
    *b = (struct fetch_buffer){.step = b->step};
    refresh(f, warp);
    update_wanting(f, warp);
}

void frontend_end_warp(struct frontend *f, int warp)
{
    refresh(f, warp);
    update_wanting(f, warp);
}

bool frontend_init(struct frontend *f)
{
    f->size = f->core->gpu->fetch.buffer + 1;
    /* GPGPU-Sim looks behind the last warp fetched, at first behind 0. */
    f->next = f->core->gpu->fetch.late_last;
    f->steps = malloc((size_t)(MAX_WARP_SLOTS * f->size) * sizeof(*f->steps));
    if (f->steps == NULL)
        return false;
    for (int w = 0; w < MAX_WARP_SLOTS; w++)
        f->buffer[w].step = &f->steps[(size_t)w * (size_t)f->size];
    return true;
}

void frontend_free(struct frontend *f)
{
    free(f->steps);
}
