/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ticket: its warp, its op, its lanes, and a word or two of each lane. */
#include "kernels/ptx/execute/tickets.h"

#include "base/arrays.h"
#include "base/hash.h"
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/value_flow.h"

#include <stdlib.h>
#include <string.h>

enum { TICKET_WARP, TICKET_OP, TICKET_LANES, TICKET_HEAD };

#define TICKET_LOST SIZE_MAX /* of a warp that went another way */

/* A claim that fails is tried elsewhere, or with what it found. Chosen. */
#define IN_VAIN_MOST 32

static bool is_whole_number(enum ptx_type type)
{
    return type == PTX_U32 || type == PTX_S32 || type == PTX_U64 ||
           type == PTX_S64 || type == PTX_B32 || type == PTX_B64;
}

static bool is_claim(const struct ptx_op *op)
{
    uint8_t operation = op->inst->modifier[GROUP_OPERATION];
    return operation == MOD_CAS || operation == MOD_EXCH;
}

bool ptx_op_counts(const struct ptx_op *op, bool claims)
{
    if (op->action != ACTION_ATOMIC && op->action != ACTION_REDUCE)
        return false;
    return ptx_accesses_global(op) && (claims || !is_claim(op)) &&
           is_whole_number((enum ptx_type)op->inst->type[0]);
}

bool ptx_op_draws(const struct ptx_op *op, bool claims)
{
    return op->action == ACTION_ATOMIC && !op->result_unused &&
           ptx_op_counts(op, claims);
}

bool ptx_tickets_open(struct ptx_tickets *t, uint64_t blocks)
{
    *t = (struct ptx_tickets){.blocks = blocks};
    t->of = calloc(blocks, sizeof(*t->of));
    return t->of != NULL;
}

void ptx_tickets_free(struct ptx_tickets *t)
{
    for (uint64_t i = 0; t->of != NULL && i < t->blocks; i++)
        free(t->of[i].word);
    free(t->of);
    t->of = NULL;
}

uint8_t *ptx_tickets_common(struct ptx_block *b, const struct ptx_op *op,
                            uint64_t address)
{
    struct ptx_drawing *d = b->view.drawing;
    struct ptx_stretch at;
    enum ptx_space space = (enum ptx_space)op->space;
    if (d == NULL || !ptx_op_counts(op, d->tickets->claims))
        return NULL;
    if (space == PTX_GENERIC)
        space = ptx_space_of_generic(&address);
    if (space != PTX_GLOBAL || !ptx_view_find(&d->common, address, true, &at) ||
        address - at.start + op->bytes > at.limit)
        return NULL;
    return at.bytes + (address - at.start);
}

static uint32_t words_of(const struct ptx_op *op, uint32_t mask)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    return TICKET_HEAD + lanes * (op->bytes > sizeof(uint32_t) ? 2 : 1);
}

static uint32_t number_of(const struct ptx_block *b, const struct ptx_op *op)
{
    return (uint32_t)(op - b->launch->program->op);
}

void ptx_tickets_keep(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask,
                      const uint64_t value[WARP_LANES])
{
    struct ptx_drawing *d = b->view.drawing;
    uint32_t words = words_of(op, mask);
    if (d == NULL || !ptx_op_draws(op, d->tickets->claims) ||
        b->number >= d->tickets->blocks)
        return;
    struct ptx_ticket_list *t = &d->tickets->of[b->number];
    if (!array_reserve(&t->word, &t->room, t->count + words)) {
        d->no_memory = true;
        return;
    }
    b->looked = true;
    uint32_t *to = &t->word[t->count];
    t->count += words;
    d->tickets->words += words;
    *to++ = w->index;
    *to++ = number_of(b, op);
    *to++ = mask;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0)
            continue;
        *to++ = (uint32_t)value[lane];
        if (op->bytes > sizeof(uint32_t))
            *to++ = (uint32_t)(value[lane] >> 32);
    }
}

void ptx_tickets_watch(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask, bool changed)
{
    struct ptx_drawing *d = b->view.drawing;
    uint64_t at = HASH_START;
    if (d == NULL || !d->tickets->claims || !is_claim(op))
        return;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            at = hash_bytes(at, &b->event.address[lane],
                            sizeof(b->event.address[lane]));
    w->in_vain = !changed && at == w->vain_at ? w->in_vain + 1 : 0;
    w->vain_at = at;
    d->waits |= w->in_vain >= IN_VAIN_MOST;
}

/* The warp's next ticket; NULL: there is none. */
static const uint32_t *next_of(const struct ptx_block *b,
                               const struct ptx_ticket_list *t,
                               struct ptx_warp *w)
{
    while (w->ticket < t->count) {
        const uint32_t *at = &t->word[w->ticket];
        const struct ptx_op *op = &b->launch->program->op[at[TICKET_OP]];
        w->ticket += words_of(op, at[TICKET_LANES]);
        if (at[TICKET_WARP] == w->index)
            return at;
    }
    return NULL;
}

bool ptx_tickets_take(const struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask,
                      uint64_t value[WARP_LANES])
{
    const struct ptx_tickets *tickets = b->view.tickets;
    if (tickets == NULL || b->number >= tickets->blocks ||
        !ptx_op_draws(op, tickets->claims))
        return false;
    const uint32_t *at = next_of(b, &tickets->of[b->number], w);
    if (at == NULL || at[TICKET_OP] != number_of(b, op) ||
        at[TICKET_LANES] != mask) {
        w->ticket = TICKET_LOST;
        return false;
    }
    at += TICKET_HEAD;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        value[lane] = 0;
        if ((mask >> lane & 1) == 0)
            continue;
        value[lane] = *at++;
        if (op->bytes > sizeof(uint32_t))
            value[lane] |= (uint64_t)*at++ << 32;
    }
    return true;
}

uint64_t ptx_tickets_others(const struct ptx_block *b, const struct ptx_warp *w,
                            const struct ptx_op *op)
{
    const struct ptx_tickets *tickets = b->view.tickets;
    bool behind = tickets != NULL && tickets->at_once > 0 &&
                  b->number < tickets->blocks && w->ticket > 0 &&
                  w->ticket >= tickets->of[b->number].count;
    bool adds = op->inst->modifier[GROUP_OPERATION] == MOD_ADD;
    return behind && adds && ptx_op_draws(op, false) ? tickets->at_once - 1 : 0;
}
