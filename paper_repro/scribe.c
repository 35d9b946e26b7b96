/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/scribe.h"

#include "base/bits.h"
#include "paper_repro/reuses.h"
#include "sampler/policy/warp/warp_policy.h"

#include <stdlib.h>
#include <string.h>

struct scribe {
    struct lab_record *record;
    struct lab_warp follow;
    size_t moment_room, warp_room, wait_room, rank_room;
    bool no_memory;
    /* [sms][MAX_WARP_SLOTS] cycles that the slot's warp has waited for memory,
     * and which warp that is */
    uint64_t *waited;
    struct lab_warp *waits;
    /* Of the warp that is followed: its block's warps, 0: it was not there yet;
     * when it was launched, and when its rank is looked at next. */
    uint32_t follow_warps;
    uint64_t launched, next_rank;
    struct reuses reuses;
};

/* Room for one more of `count` records of `size` bytes. */
static bool make_room(struct scribe *s, void *array, size_t *room, size_t count,
                      size_t size)
{
    if (s->no_memory || count < *room)
        return !s->no_memory;
    size_t more = *room == 0 ? 1024 : 2 * *room;
    void *old;
    memcpy(&old, array, sizeof(old));
    void *grown = realloc(old, more * size);
    s->no_memory = grown == NULL;
    if (s->no_memory)
        return false;
    memcpy(array, &grown, sizeof(grown));
    *room = more;
    return true;
}

/* ---- moments ------------------------------------------------------------ */

static void write_moment(void *user, const struct sampler_moment *m)
{
    struct scribe *s = user;
    struct lab_record *r = s->record;
    if (m->sm != 0 || r->moments == LAB_MOMENTS ||
        !make_room(s, &r->moment, &s->moment_room, r->moments,
                   sizeof(*r->moment)))
        return;
    struct lab_moment *out = &r->moment[r->moments++];
    uint32_t phases = m->phase_count < LAB_PHASES ? m->phase_count : LAB_PHASES;
    memset(out, 0, sizeof(*out));
    out->cycle = m->cycle;
    out->active_warps = m->active_warps;
    out->alu_in_flight = m->alu_in_flight;
    out->mem_in_flight = m->mem_in_flight;
    out->phases = phases;
    memcpy(out->warps_in_phase, m->warps_in_phase, phases * sizeof(uint32_t));
}

/* ---- warps -------------------------------------------------------------- */

static bool is_same(const struct lab_warp *a, const struct lab_warp *b)
{
    return a->launch == b->launch && a->block == b->block && a->warp == b->warp;
}

static struct lab_warp warp_in(const struct sampler_state *s, int slot)
{
    return (struct lab_warp){s->kernel + 1, s->block[slot], s->warp[slot]};
}

static void add_waits(struct scribe *s, const struct sampler_state *now)
{
    size_t first = (size_t)now->sm * MAX_WARP_SLOTS;
    for (uint64_t left = now->live; left != 0;) {
        int slot = take_bit(&left);
        size_t at = first + (size_t)slot;
        struct lab_warp w = warp_in(now, slot);
        if (!is_same(&s->waits[at], &w))
            s->waited[at] = 0;
        s->waits[at] = w;
        if (now->waits_memory & BIT(slot))
            s->waited[at] += now->to - now->from;
    }
}

static void write_wait(struct scribe *s, const struct sampler_warp *life)
{
    struct lab_record *r = s->record;
    struct lab_warp w = {life->kernel + 1, life->block, life->warp};
    size_t at = (size_t)life->sm * MAX_WARP_SLOTS, end = at + MAX_WARP_SLOTS;
    while (at < end && !is_same(&s->waits[at], &w))
        at++;
    if (make_room(s, &r->wait, &s->wait_room, r->waits, sizeof(*r->wait)))
        r->wait[r->waits++] = at < end ? s->waited[at] : 0;
}

static void write_warp(void *user, const struct sampler_warp *w)
{
    struct scribe *s = user;
    struct lab_record *r = s->record;
    if (!make_room(s, &r->warp, &s->warp_room, r->warps, sizeof(*r->warp)))
        return;
    r->warp[r->warps++] = *w;
    if (s->waits != NULL)
        write_wait(s, w);
}

/* ---- ranks -------------------------------------------------------------- */

/* Its slot, -1: it is not on this SM. */
static int slot_of(const struct sampler_state *now, const struct lab_warp *warp)
{
    for (uint64_t left = now->live; left != 0;) {
        int slot = take_bit(&left);
        struct lab_warp w = warp_in(now, slot);
        if (is_same(&w, warp))
            return slot;
    }
    return -1;
}

static uint32_t rank_of(const struct sampler_state *now, int slot,
                        uint32_t warps)
{
    uint32_t rank = warps;
    for (uint64_t left = now->live; left != 0;) {
        int other = take_bit(&left);
        rank -= now->block[other] == now->block[slot] &&
                now->criticality[other] >= now->criticality[slot];
    }
    return rank;
}

static uint32_t block_warps(const struct sampler_state *now, int slot)
{
    uint32_t warps = 0;
    for (uint64_t left = now->live; left != 0;)
        warps += now->block[take_bit(&left)] == now->block[slot];
    return warps;
}

/* At the first stretch all of the block's warps are there. */
static void add_rank(struct scribe *s, const struct sampler_state *now)
{
    struct lab_record *r = s->record;
    int slot = now->kernel + 1 == s->follow.launch && now->criticality != NULL
                   ? slot_of(now, &s->follow)
                   : -1;
    if (slot < 0)
        return;
    if (s->follow_warps == 0) {
        s->follow_warps = block_warps(now, slot);
        s->launched = s->next_rank = now->from;
    }
    uint32_t rank = rank_of(now, slot, s->follow_warps);
    for (; s->next_rank < now->to; s->next_rank += LAB_RANK_PERIOD)
        if (make_room(s, &r->rank, &s->rank_room, r->ranks, sizeof(*r->rank)))
            r->rank[r->ranks++] =
                (struct lab_rank){s->next_rank - s->launched, rank};
}

static bool write_state(void *user, const struct sampler_state *now)
{
    struct scribe *s = user;
    if (s->waits != NULL)
        add_waits(s, now);
    add_rank(s, now);
    return !s->no_memory;
}

/* ---- lines -------------------------------------------------------------- */

static void write_line(void *user, const struct sampler_line *l)
{
    struct scribe *s = user;
    s->no_memory |= !reuses_note(&s->reuses, l);
}

/* ---- life --------------------------------------------------------------- */

struct scribe *scribe_create(struct lab_record *out, const struct point *p,
                             int sms, struct sampler_options *o)
{
    size_t slots = p->waits ? (size_t)sms * MAX_WARP_SLOTS : 0;
    struct scribe *s = calloc(1, sizeof(*s));
    if (s == NULL)
        return NULL;
    s->record = out;
    s->follow = p->follow;
    s->waited = p->waits ? calloc(slots, sizeof(*s->waited)) : NULL;
    s->waits = p->waits ? calloc(slots, sizeof(*s->waits)) : NULL;
    if (p->waits && (s->waited == NULL || s->waits == NULL)) {
        scribe_free(s);
        return NULL;
    }
    o->user = s;
    o->timeline_period = p->moments;
    o->watched_sm = -1;
    o->moment = p->moments > 0 ? write_moment : NULL;
    o->warp_done = p->warps || p->waits ? write_warp : NULL;
    o->watch = p->waits || p->follow.launch > 0 ? write_state : NULL;
    o->line = p->lines ? write_line : NULL;
    return s;
}

bool scribe_finish(struct scribe *s)
{
    struct lab_record *r = s->record;
    s->no_memory |= !reuses_take(&s->reuses, &r->reuse, &r->reuses);
    return !s->no_memory;
}

void scribe_free(struct scribe *s)
{
    if (s == NULL)
        return;
    reuses_free(&s->reuses);
    free(s->waited);
    free(s->waits);
    free(s);
}
