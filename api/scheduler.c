/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's own warp scheduler as the engines want it: its callbacks behind
 * ours, which show it the SM in the public form. */
#include "api/handles.h"

#include "sampler/policy/warp/warp_policy.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct adapter {
    struct warp_policy policy; /* first: this is what is registered */
    struct estimate_scheduler given;
    char text[]; /* of its names */
};

/* A scheduler's state; its own bytes follow. */
struct state {
    const struct adapter *adapter;
    alignas(max_align_t) unsigned char own[];
};

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
    struct state *s = state;
    s->adapter = (const struct adapter *)context->policy;
    const struct estimate_scheduler *given = &s->adapter->given;
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
    struct state *s = state;
    struct estimate_warps warps = warps_of(table);
    return s->adapter->given.pick(s->own, &warps, ready, cycle);
}

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    struct state *s = state;
    struct estimate_warps warps = warps_of(table);
    return s->adapter->given.eligible(s->own, &warps, cycle);
}

static uint64_t next_change(const void *state)
{
    const struct state *s = state;
    return s->adapter->given.next_change(s->own);
}

static void event(void *state, const struct warp_table *table,
                  const struct sched_event *e)
{
    struct state *s = state;
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
    s->adapter->given.event(s->own, &warps, &out);
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

static size_t text_size(const struct estimate_scheduler *s)
{
    const char *text[3 + 2 * ESTIMATE_PARAMS] = {s->name, s->summary, s->paper};
    size_t size = 0;
    for (size_t i = 0; i < s->params; i++) {
        text[3 + 2 * i] = s->param[i].name;
        text[4 + 2 * i] = s->param[i].help;
    }
    for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
        size += text[i] != NULL ? strlen(text[i]) + 1 : 1;
    return size;
}

/* Copy a text to *end, which moves on; NULL is empty. */
static const char *keep(char **end, const char *text)
{
    const char *kept = *end;
    const char *known = text != NULL ? text : "";
    size_t size = strlen(known) + 1;
    memcpy(*end, known, size);
    *end += size;
    return kept;
}

static void keep_info(struct adapter *a)
{
    struct policy_info *info = &a->policy.info;
    char *end = a->text;
    info->name = keep(&end, a->given.name);
    info->summary = keep(&end, a->given.summary);
    info->paper = keep(&end, a->given.paper);
    for (size_t i = 0; i < a->given.params; i++) {
        const struct estimate_param *p = &a->given.param[i];
        info->param[i] = (struct policy_param){.name = keep(&end, p->name),
                                               .fallback = p->fallback,
                                               .min = p->min,
                                               .max = p->max,
                                               .help = keep(&end, p->help)};
    }
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
    p->state_size = sizeof(struct state) + given->state_size;
    p->events = given->events;
    p->whole_sm = given->whole_sm;
    p->init = init;
    p->pick = given->pick != NULL ? pick : NULL;
    p->eligible = given->eligible != NULL ? eligible : NULL;
    p->next_change = given->next_change != NULL ? next_change : NULL;
    p->event = given->event != NULL ? event : NULL;
}

static bool check(const struct estimate_scheduler *s, struct error *e)
{
    if (s->params > ESTIMATE_PARAMS)
        return error_set(e, STATUS_USAGE,
                         "a scheduler has %zu parameters, expected at most %d",
                         s->params, ESTIMATE_PARAMS);
    if (s->family < ESTIMATE_ROUND_ROBIN || s->family > ESTIMATE_BY_PHASE)
        return error_set(e, STATUS_USAGE, "a scheduler has no family");
    return true;
}

static bool add(struct estimate_context *c, struct adapter *a, struct error *e)
{
    void **grown = realloc(c->policy, (c->policies + 1) * sizeof(*grown));
    if (grown == NULL)
        return error_no_memory(e);
    c->policy = grown;
    if (!policy_register(&c->registry, POLICY_WARP, &a->policy.info, e))
        return false;
    c->policy[c->policies++] = a;
    return true;
}

bool estimate_scheduler_register(struct estimate_context *c,
                                 const struct estimate_scheduler *s,
                                 struct estimate_error *out)
{
    struct error e;
    struct estimate_scheduler given = {.size = sizeof(given)};
    if (!take_struct(&given, sizeof(given), s, &e) || !check(&given, &e))
        return tell(out, &e);
    struct adapter *a = calloc(1, sizeof(*a) + text_size(&given));
    if (a == NULL)
        return tell_no_memory(out);
    a->given = given;
    keep_info(a);
    keep_callbacks(a);
    a->given.name = a->given.summary = a->given.paper = NULL;
    a->given.param = NULL;
    if (add(c, a, &e))
        return true;
    free(a);
    return tell(out, &e);
}
