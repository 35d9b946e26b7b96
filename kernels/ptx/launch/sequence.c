/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/sequence.h"

#include "kernels/ptx/launch/draw_tickets.h"

#include <stdlib.h>

struct ptx_sequence *ptx_sequence_create(size_t parts, size_t turns)
{
    struct ptx_sequence *t = calloc(1, sizeof(*t));
    if (t == NULL)
        return NULL;
    t->part = calloc(parts + 1, sizeof(*t->part));
    t->order = calloc(turns + 1, sizeof(*t->order));
    t->first = calloc(turns + 1, sizeof(*t->first));
    t->tickets = calloc(turns + 1, sizeof(struct ptx_tickets *));
    if (t->part == NULL || t->order == NULL || t->first == NULL ||
        t->tickets == NULL || pthread_mutex_init(&t->running, NULL) != 0) {
        free(t->part);
        free(t->order);
        free(t->first);
        free(t->tickets);
        free(t);
        return NULL;
    }
    t->parts = parts;
    t->turns = (uint32_t)turns;
    atomic_init(&t->users, 1);
    atomic_init(&t->ran, 0);
    return t;
}

void ptx_sequence_share(struct ptx_sequence *t)
{
    atomic_fetch_add(&t->users, 1);
}

static void forget_tickets(struct ptx_sequence *t, uint32_t turn)
{
    if (t->tickets[turn] != NULL)
        ptx_tickets_free(t->tickets[turn]);
    free(t->tickets[turn]);
    t->tickets[turn] = NULL;
}

void ptx_sequence_release(struct ptx_sequence *t)
{
    if (atomic_fetch_sub(&t->users, 1) > 1)
        return;
    for (size_t i = 0; i < t->parts; i++) {
        ptx_program_free(&t->part[i].program);
        free(t->part[i].launch.param);
    }
    for (uint32_t turn = 0; turn < t->turns; turn++)
        forget_tickets(t, turn);
    ptx_session_close(&t->session);
    ptx_module_free(&t->module);
    pthread_mutex_destroy(&t->running);
    free(t->part);
    free(t->order);
    free(t->first);
    free(t->tickets);
    free(t);
}

bool ptx_sequence_set(struct ptx_sequence *t, size_t index, struct error *e)
{
    struct ptx_part *p = &t->part[index];
    return ptx_session_take_launch(&t->session, &p->launch, &p->program, e);
}

/* The next turn as a whole. */
static bool run_turn(struct ptx_sequence *t)
{
    uint32_t turn = atomic_load(&t->ran);
    const struct ptx_view view = {.memory = &t->session.memory,
                                  .by_block = t->in_order,
                                  .version = t->first[turn] + 1};
    struct ptx_totals totals;
    t->failed = !ptx_launch_run(&t->part[t->order[turn]].launch, view, &totals,
                                &t->error);
    if (!t->failed)
        atomic_store(&t->ran, turn + 1);
    return !t->failed;
}

void ptx_sequence_run_in_order(struct ptx_sequence *t)
{
    t->in_order = true;
    forget_tickets(t, 0);
    for (size_t i = 0; i < t->parts; i++)
        t->part[i].draws = DRAWS_NOTHING;
}

bool ptx_sequence_count(struct ptx_sequence *t, struct error *e)
{
    for (uint32_t turn = 0; turn < t->turns; turn++) {
        const struct dim3 *g = &t->part[t->order[turn]].launch.grid;
        uint64_t next = t->first[turn] + (uint64_t)1;
        if (t->in_order)
            next = t->first[turn] + (uint64_t)g->x * g->y * g->z;
        if (next >= UINT32_MAX || (t->in_order && (uint64_t)g->x * g->y > next))
            return error_set(e, STATUS_BAD_INPUT,
                             "--exec-all: found 2^32 blocks or more");
        t->first[turn + 1] = (uint32_t)next;
    }
    return true;
}

/* Have the version that a block of a turn finds made, which *version becomes.
 */
static bool reach(struct ptx_sequence *t, uint32_t turn, uint64_t block,
                  uint32_t *version, struct error *e)
{
    uint32_t needed = t->in_order ? turn + 1 : turn;
    *version = t->first[turn] + (t->in_order ? (uint32_t)block : 0);
    if (atomic_load(&t->ran) >= needed)
        return true;
    pthread_mutex_lock(&t->running);
    while (!t->failed && atomic_load(&t->ran) < needed)
        run_turn(t);
    bool ok = !t->failed;
    if (!ok && e != NULL)
        *e = t->error;
    pthread_mutex_unlock(&t->running);
    return ok;
}

static bool draw(struct ptx_sequence *t, uint32_t turn, struct error *e)
{
    struct ptx_tickets *tickets = malloc(sizeof(*tickets));
    const struct ptx_view view = {.memory = &t->session.memory,
                                  .is_private = true,
                                  .by_block = t->in_order,
                                  .version = t->first[turn]};
    const struct ptx_part *p = &t->part[t->order[turn]];
    if (tickets == NULL)
        return error_no_memory(e);
    if (!ptx_tickets_draw(tickets, &p->launch, view, e)) {
        free(tickets);
        return false;
    }
    if (p->draws != DRAWS_WAYS)
        tickets->at_once = 0;
    t->tickets[turn] = tickets;
    return true;
}

bool ptx_sequence_view(struct ptx_sequence *t, uint32_t turn, uint64_t block,
                       struct ptx_view *out, struct error *e)
{
    *out = (struct ptx_view){.memory = &t->session.memory, .is_private = true};
    if (!reach(t, turn, block, &out->version, e))
        return false;
    if (t->part[t->order[turn]].draws == DRAWS_NOTHING)
        return true;
    pthread_mutex_lock(&t->running);
    bool ok = t->tickets[turn] != NULL || draw(t, turn, e);
    out->tickets = t->tickets[turn];
    pthread_mutex_unlock(&t->running);
    return ok;
}
