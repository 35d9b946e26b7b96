/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Branches, calls and returns over the stack of paths (Fung et al., MICRO
 * 2007). A path ends where it meets the one below, or when its lanes are gone.
 * A call is a frame with paths of its own above those of the caller. */
#include "base/arrays.h"
#include "kernels/ptx/execute/exec.h"

#define FRAMES_MAX 1024
#define PATHS_MAX  65536
#define LOCAL_MAX                                                              \
    (UINT64_C(512) << 10) /* bytes of a thread: CUDA C                         \
                           * Programming Guide, table 21 */

static bool no_memory(struct ptx_block *b)
{
    b->failed = true;
    return error_no_memory(b->e);
}

static bool push_path(struct ptx_block *b, struct ptx_warp *w, uint32_t pc,
                      uint32_t reconverge, uint32_t mask)
{
    if (w->paths == PATHS_MAX || !array_room(&w->path, w->paths, 1))
        return no_memory(b);
    w->path[w->paths++] = (struct ptx_path){pc, reconverge, mask};
    return true;
}

/* ---- frames ------------------------------------------------------------- */

static uint64_t special_value(const struct ptx_block *b,
                              const struct ptx_warp *w, enum ptx_special s,
                              uint32_t lane)
{
    const struct ptx_launch *l = b->launch;
    uint32_t thread = w->index * WARP_LANES + lane;
    uint32_t bit = UINT32_C(1) << lane;
    switch (s) {
    case SPECIAL_TID_X:
        return thread % l->block.x;
    case SPECIAL_TID_Y:
        return thread / l->block.x % l->block.y;
    case SPECIAL_TID_Z:
        return thread / l->block.x / l->block.y;
    case SPECIAL_NTID_X:
        return l->block.x;
    case SPECIAL_NTID_Y:
        return l->block.y;
    case SPECIAL_NTID_Z:
        return l->block.z;
    case SPECIAL_CTAID_X:
        return b->id.x;
    case SPECIAL_CTAID_Y:
        return b->id.y;
    case SPECIAL_CTAID_Z:
        return b->id.z;
    case SPECIAL_NCTAID_X:
        return l->grid.x;
    case SPECIAL_NCTAID_Y:
        return l->grid.y;
    case SPECIAL_NCTAID_Z:
        return l->grid.z;
    case SPECIAL_LANEID:
        return lane;
    case SPECIAL_WARPID:
        return w->index;
    case SPECIAL_NWARPID:
        return b->warps;
    case SPECIAL_LANEMASK_EQ:
        return bit;
    case SPECIAL_LANEMASK_LT:
        return bit - 1;
    case SPECIAL_LANEMASK_LE:
        return bit | (bit - 1);
    case SPECIAL_LANEMASK_GT:
        return ~(bit | (bit - 1));
    case SPECIAL_LANEMASK_GE:
        return ~(bit - 1);
    case SPECIAL_DYNAMIC_SMEM:
        return l->dynamic_shared_bytes;
    case SPECIAL_TOTAL_SMEM:
        return l->shared_bytes;
    case SPECIAL_WARP_SIZE:
        return WARP_LANES;
    case SPECIAL_NSMID:
        return 1;
    default:
        return 0;
    }
}

static void fill_specials(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_code *c, uint64_t local)
{
    for (size_t k = 0; k < c->specials; k++) {
        uint64_t *d = ptx_slot(b, w, c->special[k].slot);
        for (uint32_t i = 0; i < WARP_LANES; i++)
            d[i] = special_value(b, w, c->special[k].special, i);
    }
    if (c->local_base == PTX_SLOT_NONE)
        return;
    uint64_t *d = ptx_slot(b, w, c->local_base);
    for (int i = 0; i < WARP_LANES; i++)
        d[i] = local;
}

/* Local memory of every lane up to `bytes`. */
static bool reach_local(struct ptx_block *b, struct ptx_warp *w, uint64_t bytes)
{
    if (bytes <= w->local_bytes)
        return true;
    uint8_t *grown = calloc(WARP_LANES, bytes);
    if (grown == NULL)
        return no_memory(b);
    for (uint64_t i = 0; i < WARP_LANES && w->local != NULL; i++)
        memcpy(grown + i * bytes, w->local + i * w->local_bytes,
               w->local_bytes);
    free(w->local);
    w->local = grown;
    w->local_bytes = bytes;
    return true;
}

static bool reach_registers(struct ptx_block *b, struct ptx_warp *w,
                            size_t values)
{
    if (values <= w->regs_room)
        return true;
    uint64_t *grown = realloc(w->reg, values * sizeof(*grown));
    if (grown == NULL)
        return no_memory(b);
    w->reg = grown;
    w->regs_room = values;
    return true;
}

bool ptx_push_frame(struct ptx_block *b, struct ptx_warp *w, uint32_t function,
                    const struct ptx_op *call, uint32_t mask)
{
    const struct ptx_program *p = b->launch->program;
    const struct ptx_code *c = &p->code[function];
    struct ptx_frame f = {
        .function = function, .call = call, .mask = mask, .paths = w->paths};
    if (w->frames > 0) {
        const struct ptx_frame *caller = &w->frame[w->frames - 1];
        const struct ptx_code *cc = &p->code[caller->function];
        f.regs = caller->regs + (size_t)cc->slots * WARP_LANES;
        f.local = (caller->local + cc->local_bytes + 15) & ~UINT64_C(15);
    }
    size_t values = f.regs + (size_t)c->slots * WARP_LANES;
    if (call != NULL &&
        (w->frames == FRAMES_MAX || f.local + c->local_bytes > LOCAL_MAX))
        return ptx_fault(b, w, call,
                         "found calls too deep, expected at most "
                         "512 KiB of local memory a thread");
    if (!array_room(&w->frame, w->frames, 1) ||
        !reach_registers(b, w, values + WARP_LANES) ||
        !reach_local(b, w, f.local + c->local_bytes))
        return b->failed ? false : no_memory(b);
    memset(w->reg + f.regs, 0, (values - f.regs) * sizeof(*w->reg));
    w->frame[w->frames++] = f;
    fill_specials(b, w, c, f.local);
    return push_path(b, w, c->first, PTX_NONE, mask);
}

/* ---- passing values ----------------------------------------------------- */

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

static uint64_t *lane_value(const struct ptx_warp *w, const struct ptx_frame *f,
                            int32_t slot, int lane)
{
    return &w->reg[f->regs + (size_t)slot * WARP_LANES + (size_t)lane];
}

static void pass_lane(const struct ptx_warp *w, const struct ptx_frame *from_f,
                      struct place from, const struct ptx_frame *to_f,
                      struct place to, int lane)
{
    uint8_t *own = w->local + (uint64_t)lane * w->local_bytes;
    uint64_t bytes = from.bytes < to.bytes ? from.bytes : to.bytes;
    if (from.slot != PTX_SLOT_NONE && to.slot != PTX_SLOT_NONE)
        *lane_value(w, to_f, to.slot, lane) =
            *lane_value(w, from_f, from.slot, lane);
    else if (from.slot != PTX_SLOT_NONE)
        memcpy(own + to.local, lane_value(w, from_f, from.slot, lane),
               to.bytes < 8 ? to.bytes : 8);
    else if (to.slot != PTX_SLOT_NONE)
        memcpy(lane_value(w, to_f, to.slot, lane), own + from.local,
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
        if ((mask >> lane & 1) != 0)
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

static void pass_arguments(const struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_module *m = b->launch->program->module;
    const struct ptx_frame *callee = &w->frame[w->frames - 1];
    const struct ptx_function *f = &m->function[callee->function];
    const struct ptx_operand *list = call_list(b, callee->call, false);
    for (uint32_t i = 0; list != NULL && i < list->count && i < f->params; i++)
        pass(b, w, callee - 1, &m->operand[list->first + i], callee,
             &f->param[i], callee->mask);
}

static void pass_results(const struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_module *m = b->launch->program->module;
    const struct ptx_frame *callee = &w->frame[w->frames - 1];
    const struct ptx_function *f = &m->function[callee->function];
    const struct ptx_operand *list = call_list(b, callee->call, true);
    for (uint32_t i = 0; list != NULL && i < list->count && i < f->results; i++)
        pass(b, w, callee, &f->result[i], callee - 1,
             &m->operand[list->first + i], callee->mask & w->live);
}

/* ---- where paths end ---------------------------------------------------- */

static bool end_warp(struct ptx_block *b, struct ptx_warp *w)
{
    w->state = WARP_ENDED;
    ptx_release_barriers(b);
    return true;
}

bool ptx_settle(struct ptx_block *b, struct ptx_warp *w)
{
    for (;;) {
        struct ptx_frame *f = &w->frame[w->frames - 1];
        while (
            w->paths > f->paths &&
            (ptx_top(w)->mask == 0 || ptx_top(w)->pc == ptx_top(w)->reconverge))
            w->paths--;
        if (w->paths > f->paths)
            return true;
        if (f->call == NULL)
            return end_warp(b, w);
        pass_results(b, w);
        w->frames--;
    }
}

/* The lanes leave every path of the frame (a return), or every path (exit). */
static void drop_lanes(struct ptx_warp *w, size_t from, uint32_t mask)
{
    for (size_t i = from; i < w->paths; i++)
        w->path[i].mask &= ~mask;
}

/* ---- branches ----------------------------------------------------------- */

static bool branch(struct ptx_block *b, struct ptx_warp *w,
                   const struct ptx_op *op, uint32_t taken)
{
    struct ptx_path *p = ptx_top(w);
    uint32_t stay = p->mask & ~taken, next = p->pc + 1;
    uint32_t reconverge = op->reconverge;
    b->event.taken = taken;
    if (stay == 0) {
        p->pc = op->target;
        return true;
    }
    if (reconverge == PTX_NONE) { /* they meet where this path does */
        reconverge = p->reconverge;
        p->pc = next;
        p->mask = stay;
        return push_path(b, w, op->target, reconverge, taken);
    }
    p->pc = reconverge;
    return push_path(b, w, next, reconverge, stay) &&
           push_path(b, w, op->target, reconverge, taken);
}

/* brx.idx: lanes by their index; one of no target is an error. */
static bool branch_index(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_program *program = b->launch->program;
    const struct ptx_targets *t = &program->module->targets[op->target];
    uint32_t first = program->code[w->frame[w->frames - 1].function].first;
    const uint64_t *index = ptx_slot(b, w, op->source[0]);
    struct ptx_path from = *ptx_top(w);
    bool meets = op->reconverge != PTX_NONE;
    uint32_t reconverge = meets ? op->reconverge : from.reconverge;
    b->event.taken = mask;
    *ptx_top(w) =
        (struct ptx_path){meets ? reconverge : from.pc + 1, from.reconverge,
                          meets ? from.mask : from.mask & ~mask};
    if (meets && (from.mask & ~mask) != 0 &&
        !push_path(b, w, from.pc + 1, reconverge, from.mask & ~mask))
        return false;
    while (mask != 0) {
        int lane = __builtin_ctz(mask);
        uint64_t chosen = index[lane];
        uint32_t same = 0;
        if (chosen >= t->count)
            return ptx_fault(b, w, op,
                             "found index %llu in lane %d, expected one of %zu",
                             (unsigned long long)chosen, lane, t->count);
        for (int i = lane; i < WARP_LANES; i++)
            same |= (uint32_t)(index[i] == chosen) << i;
        same &= mask;
        mask &= ~same;
        if (!push_path(b, w, first + t->label[chosen], reconverge, same))
            return false;
    }
    return true;
}

/* ---- calls -------------------------------------------------------------- */

/* The function that the lanes call; of several, that of the first lane, and
 * *mask becomes its lanes. */
static uint32_t called(const struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t *mask)
{
    if (op->target != PTX_NONE)
        return op->target;
    const uint64_t *address = ptx_slot(b, w, op->source[0]);
    uint64_t chosen = address[__builtin_ctz(*mask)];
    uint32_t same = 0;
    for (int i = 0; i < WARP_LANES; i++)
        same |= (uint32_t)(address[i] == chosen) << i;
    *mask &= same;
    uint64_t index = (chosen - PTX_FUNCTION_WINDOW) / 16;
    return index < b->launch->program->module->functions ? (uint32_t)index
                                                         : PTX_NONE;
}

/* The caller goes on behind the call; lanes that call something else come to
 * it once more before, on a path of their own. */
static bool call_in_turn(struct ptx_block *b, struct ptx_warp *w, uint32_t rest)
{
    uint32_t from = ptx_top(w)->pc;
    ptx_top(w)->pc = from + 1;
    return rest == 0 || push_path(b, w, from, from + 1, rest);
}

static bool call(struct ptx_block *b, struct ptx_warp *w,
                 const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_module *m = b->launch->program->module;
    uint32_t same = mask, function = called(b, w, op, &same);
    if (function == PTX_NONE)
        return ptx_fault(b, w, op, "found no function at this address");
    const struct ptx_function *f = &m->function[function];
    b->event.taken = same;
    if (!f->has_body) {
        /* Printing changes nothing that a kernel can see. */
        if (strcmp(f->name, "vprintf") != 0)
            return ptx_fault(b, w, op,
                             "found a call of '%s', which has no "
                             "body in the file and is not known",
                             f->name);
        return call_in_turn(b, w, mask & ~same);
    }
    return call_in_turn(b, w, mask & ~same) &&
           ptx_push_frame(b, w, function, op, same) &&
           (pass_arguments(b, w), true);
}

bool ptx_execute_flow(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    switch ((enum ptx_action)op->action) {
    case ACTION_BRANCH:
        return branch(b, w, op, mask);
    case ACTION_BRANCH_INDEX:
        return branch_index(b, w, op, mask);
    case ACTION_CALL:
        return call(b, w, op, mask);
    case ACTION_RETURN:
        ptx_top(w)->pc++;
        if (f->call == NULL)
            w->live &= ~mask;
        drop_lanes(w, f->paths, mask);
        return true;
    case ACTION_EXIT:
        ptx_top(w)->pc++;
        w->live &= ~mask;
        drop_lanes(w, 0, mask);
        return true;
    case ACTION_BARRIER:
        ptx_top(w)->pc++;
        return ptx_execute_barrier(b, w, op, mask);
    default:
        return ptx_fault(b, w, op, "found a trap");
    }
}
