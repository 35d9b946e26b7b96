/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's own thread-block scheduler as the engines want it. */
#include "api/registration.h"

#include "sampler/policy/block/block_policy.h"

#include <stdlib.h>
#include <string.h>

struct adapter {
    struct block_policy policy; /* first: this is what is registered */
    struct estimate_block_scheduler given;
};

static const struct estimate_block_scheduler *
given_of(const struct own_state *s)
{
    return &((const struct adapter *)s->adapter)->given;
}

static struct estimate_grid grid_of(const struct own_state *s,
                                    const struct block_context *c)
{
    return (struct estimate_grid){.user = given_of(s)->user,
                                  .param = c->param,
                                  .sms = c->sms,
                                  .max_blocks = c->max_blocks,
                                  .blocks = c->blocks,
                                  .handed_out = c->handed_out,
                                  .x = c->grid_x,
                                  .y = c->grid_y,
                                  .z = c->grid_z,
                                  .kernel_index = c->kernel_index,
                                  .resident = c->resident,
                                  .next_sm = c->next_sm};
}

static void kernel_start(void *state, const struct block_context *context)
{
    struct own_state *s = state;
    s->adapter = context->policy;
    struct estimate_grid grid = grid_of(s, context);
    if (given_of(s)->kernel_start != NULL)
        given_of(s)->kernel_start(s->own, &grid);
}

static int first_sm(void *state, const struct block_context *context)
{
    struct own_state *s = state;
    struct estimate_grid grid = grid_of(s, context);
    return given_of(s)->first_sm(s->own, &grid);
}

static int64_t next(void *state, const struct block_context *context, int sm)
{
    struct own_state *s = state;
    struct estimate_grid grid = grid_of(s, context);
    return given_of(s)->next(s->own, &grid, sm);
}

static int limit(void *state, const struct block_context *context, int sm)
{
    struct own_state *s = state;
    struct estimate_grid grid = grid_of(s, context);
    return given_of(s)->limit(s->own, &grid, sm);
}

static uint64_t sample_at(const void *state, int sm)
{
    const struct own_state *s = state;
    return given_of(s)->sample_at(s->own, sm);
}

static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    static const enum estimate_block_event_type types[] = {
        [BLOCK_EVENT_START] = ESTIMATE_BLOCK_START,
        [BLOCK_EVENT_END] = ESTIMATE_BLOCK_END,
        [BLOCK_EVENT_SAMPLE] = ESTIMATE_BLOCK_SAMPLE};
    struct own_state *s = state;
    struct estimate_grid grid = grid_of(s, context);
    const struct estimate_block_event out = {.type = types[e->type],
                                             .cycle = e->cycle,
                                             .sm = e->sm,
                                             .block = e->block,
                                             .block_insts = e->block_insts,
                                             .sm_insts = e->sm_insts,
                                             .slots = e->stalls};
    given_of(s)->event(s->own, &grid, &out);
}

void estimate_block_scheduler_init(struct estimate_block_scheduler *s,
                                   size_t size)
{
    memset(s, 0, size);
    s->size = size;
}

static void keep_callbacks(struct adapter *a)
{
    const struct estimate_block_scheduler *given = &a->given;
    struct block_policy *p = &a->policy;
    p->state_size = sizeof(struct own_state) + given->state_size;
    p->sm_state_size = given->sm_state_size;
    p->kernel_start = kernel_start;
    p->first_sm = given->first_sm != NULL ? first_sm : NULL;
    p->next = given->next != NULL ? next : NULL;
    p->limit = given->limit != NULL ? limit : NULL;
    p->sample_at = given->sample_at != NULL ? sample_at : NULL;
    p->event = given->event != NULL ? event : NULL;
}

bool estimate_block_scheduler_register(struct estimate_context *c,
                                       const struct estimate_block_scheduler *s,
                                       struct estimate_error *out)
{
    struct error e;
    struct adapter *a = calloc(1, sizeof(*a));
    if (a == NULL)
        return tell_no_memory(out);
    a->given.size = sizeof(a->given);
    if (!take_struct(&a->given, sizeof(a->given), s, &e)) {
        free(a);
        return tell(out, &e);
    }
    keep_callbacks(a);
    const struct policy_naming naming = {a->given.name, a->given.summary,
                                         a->given.paper, a->given.param,
                                         a->given.params};
    return context_add(c, POLICY_BLOCK, &a->policy.info, &naming, &e) ||
           tell(out, &e);
}
