/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear scan over live ranges (Poletto and Sarkar, TOPLAS 21(5), 1999), from
 * liveness by iteration over basic blocks. A lane is a thread of its own: an op
 * that it executes under no guard writes its result for good. */
#include "kernels/ptx/execute/rows.h"

#include "base/bits.h"
#include "kernels/ptx/execute/cfg.h"
#include "kernels/ptx/lower/lower_code.h"

#include <stdlib.h>
#include <string.h>

struct range {
    uint32_t first, last; /* ops at which it is live; first > last: none */
    int32_t slot;
};

struct search {
    struct ptx_cfg cfg;
    const struct ptx_code *code;
    const struct ptx_module *m;
    struct range *range;  /* of every slot, in the end by where they begin */
    uint32_t *end;        /* row -> the last op at which it is taken */
    size_t words;         /* of a mask of slots */
    uint64_t *used, *set; /* block -> slots that it reads before it sets them,
                           * and that it sets before it reads them */
    uint64_t *live;       /* block -> slots that are live where it begins */
    uint64_t *work;       /* one mask */
};

/* ---- slots with a row of their own -------------------------------------- */

static void keep_apart(const struct search *s, int32_t slot)
{
    if (slot >= 0)
        s->range[slot] = (struct range){0, PTX_NONE, slot};
}

static void keep_operand_apart(const struct search *s,
                               const struct ptx_operand *o)
{
    if (o->kind == OPERAND_REGISTER)
        keep_apart(s, s->code->slot_of[o->index]);
    for (uint32_t i = 0; o->kind == OPERAND_LIST && i < o->count; i++)
        keep_operand_apart(s, &s->m->operand[o->first + i]);
}

/* What is set where a frame is entered, what ops use without naming it, and
 * what calls pass. */
static void find_apart(const struct search *s, uint32_t function)
{
    const struct ptx_function *f = &s->m->function[function];
    for (size_t i = 0; i < s->code->specials; i++)
        keep_apart(s, s->code->special[i].slot);
    keep_apart(s, s->code->local_base);
    keep_apart(s, s->code->carry);
    keep_apart(s, s->code->stack);
    for (size_t i = 0; i < f->params; i++)
        keep_operand_apart(s, &f->param[i]);
    for (size_t i = 0; i < f->results; i++)
        keep_operand_apart(s, &f->result[i]);
    for (uint32_t i = 0; i < s->code->count; i++) {
        const struct ptx_op *op = ptx_cfg_op(&s->cfg, i);
        for (uint32_t k = 0; k < op->wides; k++)
            keep_apart(s, s->cfg.p->wide[op->wide + k]);
        for (uint32_t k = 0;
             op->action == ACTION_CALL && k < op->inst->operands; k++)
            keep_operand_apart(s, &s->m->operand[op->inst->first + k]);
    }
}

/* ---- liveness ------------------------------------------------------------ */

static uint64_t *mask_of(const struct search *s, uint64_t *masks, uint32_t b)
{
    return masks + s->words * b;
}

static void look_at_block(const struct search *s, uint32_t b)
{
    uint64_t *used = mask_of(s, s->used, b), *set = mask_of(s, s->set, b);
    int32_t slot[PTX_READS_MAX];
    for (uint32_t i = s->cfg.block[b].first; i < s->cfg.block[b].end; i++) {
        const struct ptx_op *op = ptx_cfg_op(&s->cfg, i);
        for (size_t n = ptx_slots_read(op, slot); n > 0; n--)
            if (!mask_has(set, slot[n - 1]))
                mask_set(used, slot[n - 1]);
        if (op->guard != PTX_SLOT_NONE)
            continue;
        for (size_t n = ptx_slots_written(op, slot); n > 0; n--)
            if (!mask_has(used, slot[n - 1]))
                mask_set(set, slot[n - 1]);
    }
}

/* s->work: the slots that are live where a block ends. */
static void find_live_out(const struct search *s, uint32_t b)
{
    const struct ptx_basic_block *block = &s->cfg.block[b];
    memset(s->work, 0, s->words * sizeof(*s->work));
    for (uint32_t i = 0; i < block->edges; i++) {
        const uint64_t *next =
            mask_of(s, s->live, s->cfg.edge[block->from + i]);
        for (size_t w = 0; w < s->words; w++)
            s->work[w] |= next[w];
    }
}

static bool improve(const struct search *s, uint32_t b)
{
    const uint64_t *used = mask_of(s, s->used, b), *set = mask_of(s, s->set, b);
    uint64_t *live = mask_of(s, s->live, b);
    bool changed = false;
    find_live_out(s, b);
    for (size_t w = 0; w < s->words; w++) {
        uint64_t now = used[w] | (s->work[w] & ~set[w]);
        changed |= now != live[w];
        live[w] = now;
    }
    return changed;
}

static void find_live(const struct search *s)
{
    for (uint32_t b = 0; b + 1 < s->cfg.blocks; b++)
        look_at_block(s, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = s->cfg.blocks - 1; b-- > 0;)
            changed |= improve(s, b);
    }
}

/* ---- ranges -------------------------------------------------------------- */

static void touch(const struct search *s, int32_t slot, uint32_t op)
{
    struct range *r = &s->range[slot];
    r->first = op < r->first ? op : r->first;
    r->last = op > r->last ? op : r->last;
}

static void touch_all(const struct search *s, const uint64_t *mask, uint32_t op)
{
    EACH_BIT (slot, mask, (int)s->code->slots)
        touch(s, slot, op);
}

static void find_ranges(const struct search *s)
{
    int32_t slot[PTX_READS_MAX];
    for (uint32_t i = 0; i < s->code->count; i++) {
        const struct ptx_op *op = ptx_cfg_op(&s->cfg, i);
        for (size_t n = ptx_slots_read(op, slot); n > 0; n--)
            touch(s, slot[n - 1], i);
        for (size_t n = ptx_slots_written(op, slot); n > 0; n--)
            touch(s, slot[n - 1], i);
    }
    for (uint32_t b = 0; b + 1 < s->cfg.blocks; b++) {
        touch_all(s, mask_of(s, s->live, b), s->cfg.block[b].first);
        find_live_out(s, b);
        touch_all(s, s->work, s->cfg.block[b].end - 1);
    }
}

/* ---- rows ---------------------------------------------------------------- */

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->slot < y->slot ? -1 : 1;
}

static void place(const struct search *s, struct ptx_code *code)
{
    qsort(s->range, code->slots, sizeof(*s->range), compare_ranges);
    for (uint32_t i = 0; i < code->slots; i++) {
        const struct range *r = &s->range[i];
        uint32_t row = 0;
        while (row < code->rows && s->end[row] >= r->first)
            row++;
        code->rows += row == code->rows;
        code->row[r->slot] = row;
        s->end[row] = r->last;
    }
}

static bool open_search(struct search *s)
{
    size_t slots = (size_t)s->code->slots + 1;
    size_t words = mask_words((int)slots), all = words * s->cfg.blocks;
    s->words = words;
    s->range = malloc(slots * sizeof(*s->range));
    s->end = malloc(slots * sizeof(*s->end));
    s->used = calloc(all, sizeof(*s->used));
    s->set = calloc(all, sizeof(*s->set));
    s->live = calloc(all, sizeof(*s->live));
    s->work = malloc(words * sizeof(*s->work));
    if (s->range == NULL || s->end == NULL || s->used == NULL ||
        s->set == NULL || s->live == NULL || s->work == NULL)
        return false;
    for (uint32_t i = 0; i < s->code->slots; i++)
        s->range[i] = (struct range){PTX_NONE, 0, (int32_t)i};
    return true;
}

static void close_search(struct search *s)
{
    ptx_cfg_free(&s->cfg);
    free(s->range);
    free(s->end);
    free(s->used);
    free(s->set);
    free(s->live);
    free(s->work);
}

bool ptx_place_rows(struct ptx_program *p, uint32_t function)
{
    struct ptx_code *code = &p->code[function];
    struct search s = {.code = code, .m = p->module};
    code->row = malloc(((size_t)code->slots + 1) * sizeof(*code->row));
    bool ok = code->row != NULL && ptx_cfg_make(&s.cfg, p, function) &&
              open_search(&s);
    if (ok) {
        find_apart(&s, function);
        find_live(&s);
        find_ranges(&s);
        place(&s, code);
    }
    close_search(&s);
    return ok;
}
