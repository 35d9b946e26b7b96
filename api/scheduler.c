/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's own warp scheduler as the engines want it: its callbacks behind
 * ours, which show it the SM in the public form. */
#include "api/registration.h"

#include "sampler/policy/warp/warp_policy.h"

#include <stdlib.h>
#include <string.h>

struct adapter {
    struct warp_policy policy; /* first: this is what is registered */
    struct estimate_scheduler given;
};

static const struct estimate_scheduler *given_of(const struct own_state *s)
{
    return &((const struct adapter *)s->adapter)->given;
}

static struct estimate_warps warps_of(const struct warp_table *t)
{
    return (struct estimate_warps){.slots = t->slots,
                                   .schedulers = t->schedulers,
                                   .live = t->live,
                                   .finished = t->finished,
                                   .has_instruction = t->has_inst,
                                   .hazard_free = t->hazard_free,
                                   .long_wait = t->long_wait,
                                   .head_is_load = t->head_is_load,
                                   .at_barrier = t->at_barrier,
                                   .branch_wait = t->branch_wait,
                                   .age = t->age,
                                   .distance = t->distance,
                                   .block_slot = t->block_slot,
                                   .block = t->block_id,
                                   .block_insts = t->block_insts,
                                   .warp_in_block = t->warp_in_block};
}

static void init(void *state, const struct warp_context *context)
{
    struct own_state *s = state;
    s->adapter = context->policy;
    const struct estimate_scheduler *given = given_of(s);
    if (given->init != NULL)
        given->init(s->own, &(struct estimate_scheduler_start){
                                .user = given->user,
                                .index = context->index,
                                .issue_period = context->issue_period,
                                .owned = context->owned,
                                .param = context->param});
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    struct own_state *s = state;
    struct estimate_warps warps = warps_of(table);
    return given_of(s)->pick(s->own, &warps, ready, cycle);
}

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    struct own_state *s = state;
    struct estimate_warps warps = warps_of(table);
    return given_of(s)->eligible(s->own, &warps, cycle);
}

static uint64_t next_change(const void *state)
{
    const struct own_state *s = state;
    return given_of(s)->next_change(s->own);
}

static void event(void *state, const struct warp_table *table,
                  const struct sched_event *e)
{
    struct own_state *s = state;
    struct estimate_warps warps = warps_of(table);
    const struct estimate_warp_event out = {
        .type = (enum estimate_warp_event_type)e->type,
        .cycle = e->cycle,
        .warp = e->warp,
        .block_slot = e->block_slot,
        .instruction = e->inst_index,
        .mask = e->mask,
        .taken_mask = e->taken_mask,
        .line = e->line};
    given_of(s)->event(s->own, &warps, &out);
}

/* The public events are the engine's. */
_Static_assert(
    (int)ESTIMATE_EVENT_ISSUE == (int)EVENT_ISSUE &&
        (int)ESTIMATE_EVENT_COMMIT == (int)EVENT_COMMIT &&
        (int)ESTIMATE_EVENT_BRANCH == (int)EVENT_BRANCH &&
        (int)ESTIMATE_EVENT_LOAD_RETURN == (int)EVENT_LOAD_RETURN &&
        (int)ESTIMATE_EVENT_BARRIER_WAIT == (int)EVENT_BARRIER_WAIT &&
        (int)ESTIMATE_EVENT_BARRIER_RELEASE == (int)EVENT_BARRIER_RELEASE &&
        (int)ESTIMATE_EVENT_L1_HIT == (int)EVENT_L1_HIT &&
        (int)ESTIMATE_EVENT_L1_MISS == (int)EVENT_L1_MISS &&
        (int)ESTIMATE_EVENT_L1_EVICT == (int)EVENT_L1_EVICT &&
        (int)ESTIMATE_EVENT_BLOCK_LAUNCH == (int)EVENT_BLOCK_LAUNCH &&
        (int)ESTIMATE_EVENT_WARP_LAUNCH == (int)EVENT_WARP_LAUNCH &&
        (int)ESTIMATE_EVENT_WARP_END == (int)EVENT_WARP_END &&
        (int)ESTIMATE_EVENT_BLOCK_END == (int)EVENT_BLOCK_END &&
        (int)ESTIMATE_EVENT_LAST_BLOCK == (int)EVENT_LAST_BLOCK &&
        (int)ESTIMATE_EVENT_WARP_EXIT == (int)EVENT_WARP_EXIT,
    "events");

void estimate_scheduler_init(struct estimate_scheduler *s, size_t size)
{
    const struct estimate_scheduler known = {.size = sizeof(known)};
    memset(s, 0, size);
    give_struct(s, size, &known, sizeof(known));
    s->size = size;
}

static void keep_callbacks(struct adapter *a)
{
    static const enum policy_family families[] = {
        [ESTIMATE_ROUND_ROBIN] = FAMILY_ROUND_ROBIN,
        [ESTIMATE_GREEDY] = FAMILY_GREEDY,
        [ESTIMATE_BY_PHASE] = FAMILY_PHASE};
    const struct estimate_scheduler *given = &a->given;
    struct warp_policy *p = &a->policy;
    p->traits.family = families[given->family];
    p->state_size = sizeof(struct own_state) + given->state_size;
    p->events = given->events;
    p->whole_sm = given->whole_sm;
    p->init = init;
    p->pick = given->pick != NULL ? pick : NULL;
    p->eligible = given->eligible != NULL ? eligible : NULL;
    p->next_change = given->next_change != NULL ? next_change : NULL;
    p->event = given->event != NULL ? event : NULL;
}

bool estimate_scheduler_register(struct estimate_context *c,
                                 const struct estimate_scheduler *s,
                                 struct estimate_error *out)
{
    struct error e;
    struct estimate_scheduler given = {.size = sizeof(given)};
    if (!take_struct(&given, sizeof(given), s, &e))
        return tell(out, &e);
    if (given.family < ESTIMATE_ROUND_ROBIN ||
        given.family > ESTIMATE_BY_PHASE) {
        error_set(&e, STATUS_USAGE, "a scheduler has no family");
        return tell(out, &e);
    }
    struct adapter *a = calloc(1, sizeof(*a));
    if (a == NULL)
        return tell_no_memory(out);
    a->given = given;
    keep_callbacks(a);
    const struct policy_naming naming = {given.name, given.summary, given.paper,
                                         given.param, given.params};
    return context_add(c, POLICY_WARP, &a->policy.info, &naming, &e) ||
           tell(out, &e);
}
