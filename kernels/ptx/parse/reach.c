/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/parse/reach.h"

#include <stdlib.h>

struct reach {
    const struct ptx_module *m;
    bool *seen;      /* [functions] */
    uint32_t *queue; /* of functions seen, in order */
    size_t count;
};

static void see(struct reach *r, uint32_t function)
{
    if (r->seen[function])
        return;
    r->seen[function] = true;
    r->queue[r->count++] = function;
}

/* Operands in lists and vectors stand in the module's array as well, behind
 * the first of them. */
static void see_operand(struct reach *r, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_FUNCTION)
        see(r, o->index);
    if (o->kind != OPERAND_VECTOR && o->kind != OPERAND_LIST)
        return;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct ptx_operand *part = &r->m->operand[o->first + i];
        if (part->kind == OPERAND_FUNCTION)
            see(r, part->index);
    }
}

static void see_named_in(struct reach *r, const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct ptx_inst *inst = &r->m->inst[f->first + i];
        for (uint32_t k = 0; k < inst->operands; k++)
            see_operand(r, &r->m->operand[inst->first + k]);
    }
}

/* Functions whose addresses variables hold: any call may go there. */
static void see_held(struct reach *r)
{
    for (size_t i = 0; i < r->m->variables; i++) {
        const struct ptx_variable *v = &r->m->variable[i];
        for (size_t k = 0; k < v->relocations; k++)
            if (v->relocation[k].function != PTX_NONE)
                see(r, v->relocation[k].function);
    }
}

bool ptx_find_missing(const struct ptx_module *m, uint32_t entry, uint32_t *out)
{
    struct reach r = {.m = m,
                      .seen = calloc(m->functions, sizeof(*r.seen)),
                      .queue = malloc(m->functions * sizeof(*r.queue))};
    bool ok = r.seen != NULL && r.queue != NULL;
    *out = PTX_NONE;
    if (ok) {
        see(&r, entry);
        see_held(&r);
    }
    for (size_t i = 0; i < r.count && *out == PTX_NONE; i++) {
        if (m->function[r.queue[i]].missing != NULL)
            *out = r.queue[i];
        see_named_in(&r, &m->function[r.queue[i]]);
    }
    free(r.seen);
    free(r.queue);
    return ok;
}
