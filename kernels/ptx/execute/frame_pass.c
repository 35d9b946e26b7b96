/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a call passes: arguments in, results out. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/frame.h"

#include <string.h>

struct place { /* a value in a frame: a slot, or bytes of local memory */
    int32_t slot;
    uint64_t local, bytes;
};

static struct place place_of(const struct ptx_block *b,
                             const struct ptx_frame *f,
                             const struct ptx_operand *o)
{
    const struct ptx_program *p = b->launch->program;
    struct place out = {PTX_SLOT_NONE, 0, 0};
    if (o->kind == OPERAND_REGISTER) {
        out.slot = p->code[f->function].slot_of[o->index];
    } else if (o->kind == OPERAND_VARIABLE) {
        out.local = f->local + p->address[o->index];
        out.bytes = p->module->variable[o->index].bytes;
    }
    return out;
}

static void pass_lane(const struct ptx_warp *w, const struct ptx_frame *from_f,
                      struct place from, const struct ptx_frame *to_f,
                      struct place to, int lane)
{
    uint8_t *own = w->local + (uint64_t)lane * w->local_bytes;
    uint64_t bytes = from.bytes < to.bytes ? from.bytes : to.bytes;
    if (from.slot != PTX_SLOT_NONE && to.slot != PTX_SLOT_NONE)
        ptx_row(w, to_f, to.slot)[lane] = ptx_row(w, from_f, from.slot)[lane];
    else if (from.slot != PTX_SLOT_NONE)
        memcpy(own + to.local, &ptx_row(w, from_f, from.slot)[lane],
               to.bytes < 8 ? to.bytes : 8);
    else if (to.slot != PTX_SLOT_NONE)
        memcpy(&ptx_row(w, to_f, to.slot)[lane], own + from.local,
               from.bytes < 8 ? from.bytes : 8);
    else if (bytes > 0)
        memcpy(own + to.local, own + from.local, bytes);
}

static void pass(const struct ptx_block *b, const struct ptx_warp *w,
                 const struct ptx_frame *from_f, const struct ptx_operand *from,
                 const struct ptx_frame *to_f, const struct ptx_operand *to,
                 uint32_t mask)
{
    struct place a = place_of(b, from_f, from);
    struct place c = place_of(b, to_f, to);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (ptx_lane_is_in(mask, lane))
            pass_lane(w, from_f, a, to_f, c, lane);
}

/* The operands of a call: (results), function, (arguments). */
static const struct ptx_operand *
call_list(const struct ptx_block *b, const struct ptx_op *call, bool results)
{
    const struct ptx_module *m = b->launch->program->module;
    const struct ptx_operand *o = &m->operand[call->inst->first];
    bool has_results = o->kind == OPERAND_LIST;
    uint32_t arguments = has_results ? 2 : 1;
    if (results)
        return has_results ? o : NULL;
    if (arguments >= call->inst->operands || o[arguments].kind != OPERAND_LIST)
        return NULL;
    return &o[arguments];
}

void ptx_pass_arguments(const struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_module *m = b->launch->program->module;
    const struct ptx_frame *callee = &w->frame[w->frames - 1];
    const struct ptx_function *f = &m->function[callee->function];
    const struct ptx_operand *list = call_list(b, callee->call, false);
    for (uint32_t i = 0; list != NULL && i < list->count && i < f->params; i++)
        pass(b, w, callee - 1, &m->operand[list->first + i], callee,
             &f->param[i], callee->mask);
}

void ptx_pass_results(const struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_module *m = b->launch->program->module;
    const struct ptx_frame *callee = &w->frame[w->frames - 1];
    const struct ptx_function *f = &m->function[callee->function];
    const struct ptx_operand *list = call_list(b, callee->call, true);
    for (uint32_t i = 0; list != NULL && i < list->count && i < f->results; i++)
        pass(b, w, callee, &f->result[i], callee - 1,
             &m->operand[list->first + i], callee->mask & w->live);
}
