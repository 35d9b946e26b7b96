/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/lower.h"

#include "base/arrays.h"
#include "kernels/ptx/lower/basic_blocks.h"
#include "kernels/ptx/lower/expand.h"
#include "kernels/ptx/lower/memory_access.h"
#include "kernels/ptx/lower/ranges.h"
#include "kernels/ptx/lower/schedule.h"
#include "kernels/ptx/lower/vectorize.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Bytes of an instruction, compute capability 7.0 and later. */
#define CODE_BYTES  16
#define REGS_FEWEST 16

struct lowering {
    struct ptx_lowered *out;
    struct kernel *k;
    const struct ptx_launch *launch;
    bool *called; /* functions: part of the code */
    uint32_t made;
    uint32_t registers; /* a thread may have, 0: not given */
    uint32_t texel_bytes;
};

static const struct ptx_program *program(const struct lowering *l)
{
    return l->launch->program;
}

/* ---- what is there ------------------------------------------------------ */

static void add_called(struct lowering *l, uint32_t function, uint32_t *work,
                       uint32_t *count)
{
    if (l->called[function] || !program(l)->module->function[function].has_body)
        return;
    l->called[function] = true;
    work[(*count)++] = function;
}

static void add_callees(struct lowering *l, uint32_t function, uint32_t *work,
                        uint32_t *count)
{
    const struct ptx_program *p = program(l);
    const struct ptx_code *c = &p->code[function];
    for (uint32_t i = c->first; i < c->first + c->count; i++) {
        const struct ptx_op *op = &p->op[i];
        if (op->action != ACTION_CALL)
            continue;
        if (op->target != PTX_NONE)
            add_called(l, op->target, work, count);
        for (uint32_t f = 0; op->target == PTX_NONE && f < p->module->functions;
             f++) /* an indirect call may be of any */
            if (!p->module->function[f].is_entry)
                add_called(l, f, work, count);
    }
}

/* Mark every function that may run. */
static bool mark_called(struct lowering *l)
{
    size_t functions = program(l)->module->functions;
    uint32_t *work = malloc((functions + 1) * sizeof(*work)), count = 0;
    l->called = calloc(functions + 1, sizeof(*l->called));
    bool ok = work != NULL && l->called != NULL;
    if (ok)
        add_called(l, l->launch->entry, work, &count);
    while (ok && count > 0)
        add_callees(l, work[--count], work, &count);
    free(work);
    return ok;
}

/* ---- an instruction ----------------------------------------------------- */

static void fill_memory(const struct lowering *l, const struct ptx_low_code *c,
                        uint32_t at, struct inst *i)
{
    const struct ptx_op *op = ptx_low_op(c, at);
    i->space = (uint8_t)ptx_access_space(op);
    i->past_l1 = i->space == SPACE_GLOBAL && i->op == OP_LOAD &&
                 ptx_access_is_past_l1(op);
    for (; at != PTX_NONE; at = c->joined[at])
        i->width += (uint8_t)ptx_access_width(program(l), ptx_low_op(c, at),
                                              l->texel_bytes);
}

/* Of a constant that its readers have as an operand all the same
 * (constants.c): an instruction of the uniform data path, as all of which are
 * integer instructions here. */
static bool is_constant(const struct ptx_low_code *c, uint32_t at)
{
    int32_t slot[PTX_READS_MAX];
    const struct ptx_op *op = ptx_low_op(c, at);
    return op->action == ACTION_LOAD && ptx_low_written(c, at, slot) == 0 &&
           (op->space == PTX_PARAM ||
            op->inst->modifier[GROUP_SPACE] == MOD_CONST);
}

static enum op_class class_of(const struct ptx_low_code *c, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(c, at);
    if (op->action == ACTION_RETURN)
        return c->is_entry ? OP_EXIT : OP_BRANCH;
    if (is_constant(c, at))
        return OP_INT;
    if (c->fused[at] != PTX_NONE)
        op = ptx_low_op(c, c->fused[at]);
    return op->inst->form->cost;
}

static size_t add_missing(int32_t *read, size_t n, const struct ptx_low_code *c,
                          uint32_t at)
{
    int32_t slot[PTX_READS_MAX];
    size_t count = ptx_low_written(c, at, slot), known = n;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < known && read[k] != slot[i])
            k++;
        if (k == known)
            read[n++] = slot[i];
    }
    return n;
}

/* The first of several reads the sources, and so does the last, which has to
 * see what is left of them. Each makes the next one wait through the result's
 * register, unless it stands apart. */
static void add_part(struct ptx_low_code *c, uint32_t at, uint32_t part,
                     uint32_t parts)
{
    const char *classes = ptx_low_classes(c, at);
    struct ptx_low *low = &c->low[c->lows++];
    *low = (struct ptx_low){
        .op = at,
        .part = part,
        .op_class =
            (uint8_t)(classes == NULL ? class_of(c, at)
                                      : ptx_expansion_class(classes[part]))};
    if (ptx_matrix_parts(ptx_low_op(c, at), 0) > 0) {
        ptx_matrix_part(c, ptx_low_op(c, at), parts, low);
        return;
    }
    bool is_apart = classes != NULL && isupper((unsigned char)classes[part]);
    bool reads_sources = part == 0 || part + 1 == parts || is_apart;
    size_t n = reads_sources ? ptx_low_read(c, at, low->read) : 0;
    if (part > 0 && !isupper((unsigned char)classes[part - 1]))
        n = add_missing(low->read, n, c, at);
    int32_t under = ptx_low_name(c, c->under[at]);
    if (under >= 0 && n < PTX_READS_MAX)
        low->read[n++] = under;
    low->reads = (uint8_t)n;
    if (!is_apart)
        low->writes = (uint8_t)ptx_low_written(c, at, low->written);
}

static uint32_t opening_of(const struct ptx_low_code *c, uint32_t at)
{
    return at == 0 ? c->opening : 0;
}

static uint32_t count_before(const struct ptx_low_code *c, uint32_t at)
{
    bool is_matrix = ptx_matrix_parts(ptx_low_op(c, at), 0) > 0;
    uint32_t syncs =
        is_matrix ? 0 : c->meets[at] + (c->opens[at] ? 2u : 0u) + c->breaks[at];
    return opening_of(c, at) + syncs;
}

/* Before an op: loads that open an entry, BSYNC, BREAK, then BMOV and BSSY. */
static const char *name_before(const struct ptx_low_code *c, uint32_t at,
                               uint32_t part)
{
    uint32_t opening = opening_of(c, at), sync = opening + c->meets[at];
    if (part < opening)
        return "ldc";
    if (part < sync)
        return "bsync";
    return part < sync + c->breaks[at] ? "break" : "bssy";
}

static void add_before(struct ptx_low_code *c, uint32_t at, uint32_t part)
{
    const char *name = name_before(c, at, part);
    bool is_control = name[0] == 'b' && strcmp(name, "bssy") != 0;
    c->low[c->lows++] =
        (struct ptx_low){.op = at,
                         .part = part,
                         .before = name,
                         .op_class = is_control ? OP_BRANCH : OP_INT};
}

static void add_op(struct ptx_low_code *c, uint32_t at)
{
    uint32_t before = count_before(c, at), parts = ptx_low_count(c, at);
    c->begin[at] = c->lows;
    for (uint32_t part = 0; part < before; part++)
        add_before(c, at, part);
    for (uint32_t part = 0; part < parts; part++) {
        add_part(c, at, part, parts);
        c->low[c->lows - 1].part = before + part;
    }
}

static bool add_instructions(struct ptx_low_code *c)
{
    uint32_t ops = ptx_low_of(c)->count, count = 0;
    for (uint32_t i = 0; i < ops; i++)
        count += ptx_low_count(c, i) + count_before(c, i);
    c->begin = malloc((size_t)(ops + 1) * sizeof(*c->begin));
    c->low = malloc(((size_t)count + 1) * sizeof(*c->low));
    if (c->begin == NULL || c->low == NULL)
        return false;
    for (uint32_t i = 0; i < ops; i++)
        add_op(c, i);
    c->begin[ops] = c->lows;
    return true;
}

/* ---- as the engines have it --------------------------------------------- */

static uint8_t fill_registers(uint16_t *out, size_t room, const int32_t *slot,
                              size_t count, const uint16_t *number)
{
    uint8_t n = 0;
    for (size_t k = 0; k < count && n < room; k++)
        if (number[slot[k]] != PTX_NO_REGISTER)
            out[n++] = number[slot[k]];
    return n;
}

/* The first instruction at or behind an op of the same function. */
static uint32_t inst_from(const struct lowering *l,
                          const struct ptx_low_code *c, uint32_t op)
{
    return op == PTX_NONE
               ? NO_INST
               : l->k->inst_count + c->begin[op - ptx_low_of(c)->first];
}

static enum sync_kind sync_of(const struct ptx_op *op)
{
    switch ((enum ptx_action)op->action) {
    case ACTION_BARRIER:
    case ACTION_MBARRIER:
    case ACTION_COPY:
    case ACTION_BULK_COPY:
    case ACTION_TENSOR_COPY:
    case ACTION_ASYNC_STORE:
    case ACTION_COPY_GROUP:
    case ACTION_WGMMA_GROUP:
    case ACTION_CLUSTER_BARRIER:
        return SYNC_WAIT;
    case ACTION_WGMMA:
        return SYNC_RESULT;
    case ACTION_COPY_ARRIVE:
        return SYNC_RAISE;
    default:
        return SYNC_NONE;
    }
}

/* Of the program that a compiler made the PTX from, where it says so. */
static uint32_t line_of(const struct ptx_inst *i)
{
    return i->source_line > 0 ? i->source_line : i->line;
}

static void fill_instruction(const struct lowering *l,
                             const struct ptx_low_code *c, uint32_t at,
                             const uint16_t *number, struct inst *i)
{
    const struct ptx_low *low = &c->low[at];
    const struct ptx_op *op = ptx_low_op(c, low->op);
    *i = (struct inst){.pc = (l->k->inst_count + at) * CODE_BYTES,
                       .line = op->inst != NULL ? line_of(op->inst) : 0,
                       .op = low->op_class,
                       .target = NO_INST,
                       .reconverge = NO_INST};
    if (low->before != NULL) {
        snprintf(i->mnemonic, sizeof(i->mnemonic), "%s", low->before);
        return;
    }
    i->sync = (uint8_t)sync_of(op);
    snprintf(i->mnemonic, sizeof(i->mnemonic), "%s",
             op->inst != NULL ? op->inst->form->mnemonic : "ret");
    i->dst_count =
        fill_registers(i->dst, INST_MAX_DST, low->written, low->writes, number);
    i->src_count =
        fill_registers(i->src, INST_MAX_SRC, low->read, low->reads, number);
    if (i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ATOMIC)
        fill_memory(l, c, low->op, i);
    if (i->op == OP_TENSOR) {
        i->macs = ptx_matrix_macs(op, ptx_low_count(c, low->op));
        i->warpgroup = op->action == ACTION_WGMMA;
    }
    if (op->action == ACTION_BRANCH)
        i->target = inst_from(l, c, op->target);
    if (op->action == ACTION_BRANCH || op->action == ACTION_BRANCH_INDEX)
        i->reconverge = inst_from(l, c, op->reconverge);
}

static bool ends_block(const struct inst *i)
{
    return i->op == OP_BRANCH || i->op == OP_EXIT;
}

static void mark_blocks(struct kernel *k)
{
    for (uint32_t i = 0; i < k->inst_count; i++) {
        if (i == 0 || ends_block(&k->inst[i - 1]))
            k->inst[i].block_start = true;
        if (k->inst[i].target != NO_INST)
            k->inst[k->inst[i].target].block_start = true;
        if (k->inst[i].reconverge != NO_INST)
            k->inst[k->inst[i].reconverge].block_start = true;
    }
}

/* Of two arms, the first may be the last that runs: it ends in the jump over
 * the other. */
static bool ends_run(const struct ptx_low_code *c, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(c, at);
    uint32_t behind = at + 1;
    if (op->action == ACTION_BRANCH && op->guard == PTX_SLOT_NONE &&
        !ptx_is_branch(c, at))
        behind = op->target - ptx_low_of(c)->first;
    return behind == ptx_low_of(c)->count || c->leader[behind];
}

/* Which instructions each op became, wherever they stand now. */
static void note_ops(struct lowering *l, const struct ptx_low_code *c)
{
    uint32_t first = ptx_low_of(c)->first;
    for (uint32_t i = 0; i < ptx_low_of(c)->count; i++) {
        const struct ptx_arms *arms = &c->arms[i];
        l->out->of[first + i] =
            (struct ptx_made){.first = l->made + c->begin[i],
                              .count = c->begin[i + 1] - c->begin[i],
                              .last_of_run = ends_run(c, i),
                              .when_all = {arms->over - i, arms->over_count},
                              .when_none = {arms->to - i, arms->to_count}};
    }
    for (uint32_t i = 0; i < c->lows; i++) {
        const struct ptx_low *low = &c->low[i];
        l->out->inst[l->made + c->begin[low->op] + low->part] =
            l->k->inst_count + i;
        if (c->is_entry && ptx_ends_lanes(ptx_low_op(c, low->op)))
            l->out->exit_inst = l->k->inst_count + i;
    }
}

static bool add_function(struct lowering *l, const struct ptx_low_code *c)
{
    struct kernel *k = l->k;
    bool ok;
    uint16_t *number =
        malloc(((size_t)ptx_low_of(c)->slots + 1) * sizeof(*number));
    if (number == NULL || !array_room(&k->inst, k->inst_count, c->lows) ||
        !array_room(&l->out->inst, l->made, c->lows)) {
        free(number);
        return false;
    }
    uint32_t most = ptx_number_registers(c, number, &ok) + PTX_STACK_REGS;
    if (most > l->out->registers)
        l->out->registers = most;
    for (uint32_t i = 0; ok && i < c->lows; i++)
        fill_instruction(l, c, i, number, &k->inst[k->inst_count + i]);
    note_ops(l, c);
    k->inst_count += c->lows;
    l->made += c->lows;
    free(number);
    return ok;
}

static bool lower_function(struct lowering *l, uint32_t function)
{
    struct ptx_low_code c = {.program = program(l),
                             .function = function,
                             .is_entry = function == l->launch->entry};
    c.leader = malloc((size_t)ptx_low_of(&c)->count + 1);
    bool ok = c.leader != NULL;
    if (ok)
        ptx_mark_leaders(&c);
    ok = ok && ptx_peephole(&c) && ptx_vectorize_loads(&c) &&
         ptx_load_constants(&c) && ptx_predicate(&c);
    if (ok) {
        ptx_mark_leaders(&c);
        ptx_join_bit_tests(&c);
        ptx_drop_end(&c);
        ok = add_instructions(&c);
        if (ok)
            ptx_balance(&c);
        ok = ok && ptx_schedule(&c, l->registers) && add_function(l, &c);
    }
    free(c.leader);
    free(c.name);
    free(c.dropped);
    free(c.fused);
    free(c.joined);
    free(c.under);
    free(c.arms);
    free(c.opens);
    free(c.meets);
    free(c.breaks);
    free(c.low);
    free(c.begin);
    return ok;
}

bool ptx_lower(struct ptx_lowered *out, struct kernel *k,
               const struct ptx_launch *launch, uint32_t registers,
               uint32_t texel_bytes)
{
    struct lowering l = {.out = out,
                         .k = k,
                         .launch = launch,
                         .registers = registers,
                         .texel_bytes = texel_bytes};
    const struct ptx_program *p = launch->program;
    *out = (struct ptx_lowered){.registers = REGS_FEWEST};
    out->of = calloc(p->ops + 1, sizeof(*out->of));
    bool ok =
        out->of != NULL && mark_called(&l) && lower_function(&l, launch->entry);
    for (uint32_t f = 0; ok && f < p->module->functions; f++)
        if (l.called[f] && f != launch->entry)
            ok = lower_function(&l, f);
    if (ok)
        mark_blocks(k);
    free(l.called);
    return ok;
}

void ptx_lowered_free(struct ptx_lowered *l)
{
    free(l->of);
    free(l->inst);
    *l = (struct ptx_lowered){0};
}
