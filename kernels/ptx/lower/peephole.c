/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Peephole simplifications: what an assembler leaves out. Only names and counts
 * of instructions follow from it, execution does not: where a register has
 * several definitions, it is left as it is unless all that matters stands in
 * one basic block. */
#include "kernels/ptx/lower/peephole.h"

#include <stdlib.h>
#include <string.h>

/* ---- definitions and uses ----------------------------------------------- */

static void add_outside(const struct peephole *s, uint32_t *count,
                        const struct ptx_operand *o, size_t operands)
{
    for (size_t i = 0; i < operands; i++)
        if (o[i].kind == OPERAND_REGISTER)
            count[ptx_low_of(s->c)->slot_of[o[i].index]]++;
}

static void count_slots(const struct peephole *s)
{
    const struct ptx_low_code *c = s->c;
    const struct ptx_function *f = &c->program->module->function[c->function];
    size_t bytes = ptx_low_of(c)->slots * sizeof(*s->uses);
    int32_t slot[PTX_READS_MAX];
    memset(s->defs, 0, bytes);
    memset(s->uses, 0, bytes);
    add_outside(s, s->defs, f->param, f->params);
    add_outside(s, s->uses, f->result, f->results);
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct ptx_op *op = ptx_low_op(c, i);
        size_t n = ptx_slots_written(op, slot);
        for (size_t k = 0; k < n; k++) {
            s->defs[slot[k]]++;
            s->def_at[slot[k]] = i;
        }
        if (c->dropped[i] && op->action != ACTION_STORE)
            continue;
        n = ptx_low_read(c, i, slot); /* stores of arguments read too */
        for (size_t k = 0; k < n; k++)
            s->uses[slot[k]]++;
    }
}

/* ---- constants and copies ----------------------------------------------- */

static bool is_special(const struct ptx_code *code, int32_t slot)
{
    for (size_t i = 0; i < code->specials; i++)
        if (code->special[i].slot == slot)
            return true;
    return slot == code->local_base;
}

static bool is_parameter(const struct ptx_op *op)
{
    return op->inst != NULL && op->inst->modifier[GROUP_SPACE] == MOD_PARAM &&
           (op->action == ACTION_LOAD || op->action == ACTION_STORE);
}

/* A conversion that takes the low bits of a register as they are. */
static bool is_narrowing(const struct ptx_op *op)
{
    if (op->action != ACTION_LANES ||
        strcmp(op->inst->form->mnemonic, "cvt") != 0)
        return false;
    const struct ptx_type_row *to = &ptx_types[op->inst->type[0]];
    const struct ptx_type_row *from = &ptx_types[op->inst->type[1]];
    return !to->is_float && !from->is_float && !op->saturate &&
           to->bytes >= 4 && to->bytes <= from->bytes;
}

/* A predicate's constant or its opposite: PT, or !p where it is read. */
static bool is_plain_predicate(const struct ptx_op *op)
{
    return op->inst != NULL && op->guard == PTX_SLOT_NONE && op->results == 1 &&
           op->inst->type[0] == PTX_PRED && op->sources == 1 &&
           ((op->action == ACTION_MOVE && op->source[0] < 0) ||
            (op->action == ACTION_LANES &&
             strcmp(op->inst->form->mnemonic, "not") == 0));
}

static bool is_rename(const struct ptx_op *op)
{
    if (is_plain_predicate(op))
        return true;
    return op->inst != NULL && op->guard == PTX_SLOT_NONE && op->results == 1 &&
           op->sources >= 1 && op->inst->type[0] != PTX_PRED &&
           ((op->action == ACTION_MOVE && op->sources == 1) ||
            op->action == ACTION_CONVERT_ADDRESS || is_narrowing(op));
}

/* A move from s to d at the end of s: s is named d where it is made. Between,
 * nobody may use d, and afterwards nobody s. */
static bool merge_backwards(struct peephole *s, uint32_t at, int32_t d,
                            int32_t from)
{
    uint32_t made = s->def_at[from], uses = 0;
    if (s->defs[from] != 1 || made >= at || s->c->dropped[made] ||
        s->c->name[from] != from || s->c->name[d] != d)
        return false;
    for (uint32_t i = made + 1; i <= at; i++) {
        const struct ptx_op *op = ptx_low_op(s->c, i);
        if (s->c->leader[i] ||
            (i < at && (ptx_reads(op, d) || ptx_writes(op, d))))
            return false;
        uses += ptx_reads(op, from);
    }
    if (uses != s->uses[from])
        return false;
    s->c->name[from] = d;
    return true;
}

static void drop_move(struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    const struct ptx_code *code = ptx_low_of(s->c);
    int32_t d = op->result[0], from = op->source[0];
    if (d < 0)
        return;
    while (from >= 0 && s->c->name[from] != from)
        from = s->c->name[from];
    bool single = s->defs[d] == 1;
    if (from < 0 || ptx_is_size(code, from)) {
        int32_t operand = from < 0 ? from : PTX_SLOT_NONE;
        s->c->name[d] = single ? operand : d;
        s->c->dropped[at] = single;
    } else if (is_special(code, from)) {
        return; /* read by an instruction of its own */
    } else if (single && s->defs[from] <= 1) {
        s->c->name[d] = from;
        s->c->dropped[at] = true;
    } else if (op->action == ACTION_MOVE) {
        s->c->dropped[at] = merge_backwards(s, at, d, from);
    }
}

/* Parameters of kernels are operands in constant memory; those of calls are
 * registers. */
static void drop_parameter(struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    s->c->dropped[at] = true;
    for (int i = 0; i < op->results && op->action == ACTION_LOAD; i++)
        if (s->c->is_entry && op->space == PTX_PARAM && op->result[i] >= 0 &&
            s->defs[op->result[i]] == 1)
            s->c->name[op->result[i]] = PTX_SLOT_NONE;
}

/* A load of constant memory whose address is known when the code is assembled:
 * whoever reads it has it as an operand (c[3][8] in FFMA), without a load
 * (ptxas V11.8.89 for sm_70, V13.0.88 for sm_75). */
static bool is_constant_operand(const struct peephole *s,
                                const struct ptx_op *op)
{
    if (op->inst == NULL || op->action != ACTION_LOAD ||
        op->inst->modifier[GROUP_SPACE] != MOD_CONST ||
        op->guard != PTX_SLOT_NONE || ptx_low_name(s->c, op->base) >= 0 ||
        (op->bytes != 4 && op->bytes != 8))
        return false;
    for (int i = 0; i < op->results; i++)
        if (op->result[i] >= 0 && s->defs[op->result[i]] != 1)
            return false;
    return true;
}

static void drop_constant(struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    s->c->dropped[at] = true;
    for (int i = 0; i < op->results; i++)
        if (op->result[i] >= 0)
            s->c->name[op->result[i]] = PTX_SLOT_NONE;
}

/* Known when the code is assembled; parameters are not. */
static bool is_immediate(const struct peephole *s, int32_t slot)
{
    slot = ptx_low_name(s->c, slot);
    return slot < 0 && slot != PTX_SLOT_NONE;
}

static bool is_known(const struct peephole *s, const struct ptx_op *op)
{
    if (op->inst == NULL || op->action != ACTION_LANES || op->results != 1 ||
        op->sources == 0 || op->guard != PTX_SLOT_NONE || op->result[0] < 0 ||
        s->defs[op->result[0]] != 1)
        return false;
    for (int i = 0; i < op->sources; i++)
        if (!is_immediate(s, op->source[i]))
            return false;
    return true;
}

static void drop_known(struct peephole *s, uint32_t at)
{
    s->c->name[ptx_low_op(s->c, at)->result[0]] = PTX_SLOT_KNOWN;
    s->c->dropped[at] = true;
}

static void drop_moves(struct peephole *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct ptx_op *op = ptx_low_op(s->c, i);
        if (is_parameter(op))
            drop_parameter(s, i);
        else if (is_constant_operand(s, op))
            drop_constant(s, i);
        else if (is_rename(op))
            drop_move(s, i);
        else if (is_known(s, op))
            drop_known(s, i);
    }
}

/* ---- results that nobody reads ------------------------------------------ */

static bool has_no_effect(const struct ptx_op *op)
{
    return op->inst != NULL && op->results > 0 &&
           (op->action == ACTION_LANES || op->action == ACTION_COMPARE ||
            op->action == ACTION_MOVE || op->action == ACTION_SPACE_TEST ||
            op->action == ACTION_CONVERT_ADDRESS ||
            op->action == ACTION_TEXTURE || op->action == ACTION_GATHER ||
            op->action == ACTION_QUERY || op->action == ACTION_LOAD_FRAGMENT ||
            (op->action == ACTION_LOAD &&
             op->inst->modifier[GROUP_ORDER] == MOD_NONE));
}

static bool is_unread(const struct peephole *s, uint32_t at)
{
    int32_t slot[PTX_READS_MAX];
    size_t n = ptx_low_written(s->c, at, slot);
    while (n > 0 && s->uses[slot[n - 1]] == 0)
        n--;
    return n == 0;
}

/* From the end, so that what only a dropped one read goes too. */
static void drop_unread(struct peephole *s)
{
    int32_t slot[PTX_READS_MAX];
    count_slots(s);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = s->ops; i-- > 0;) {
            if (s->c->dropped[i] || !has_no_effect(ptx_low_op(s->c, i)) ||
                !is_unread(s, i))
                continue;
            s->c->dropped[i] = changed = true;
            size_t n = ptx_low_read(s->c, i, slot);
            for (size_t k = 0; k < n; k++)
                s->uses[slot[k]]--;
        }
    }
}

/* A fetch leaves no register for a channel that nobody reads. */
static void drop_channels(struct peephole *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct ptx_op *op = ptx_low_op(s->c, i);
        if (op->action != ACTION_TEXTURE)
            continue;
        for (int k = 0; k < op->results; k++) {
            int32_t slot = op->result[k];
            if (slot >= 0 && s->uses[slot] == 0 && s->defs[slot] == 1)
                s->c->name[slot] = PTX_SLOT_NONE;
        }
    }
}

/* ---- opposites ---------------------------------------------------------- */

/* Which sources may be negated, or taken without their sign, where they are
 * read: those of IADD3 negated; of FADD, FMNMX and FSETP either, of FMUL and
 * FFMA negated (CuAssembler's encodings of sm_75). */
static bool reads_opposite(const struct ptx_op *op, bool is_float,
                           bool is_magnitude)
{
    static const char *const sums[] = {"add", "sub", NULL};
    static const char *const either[] = {"add", "sub",  "min",
                                         "max", "setp", NULL};
    static const char *const negated[] = {"add", "sub",  "min", "max", "mul",
                                          "fma", "setp", "mad", NULL};
    return op->inst != NULL &&
           ptx_types[op->inst->type[0]].is_float == is_float &&
           ptx_types[op->inst->type[0]].bytes == 4 &&
           (op->action == ACTION_LANES || op->action == ACTION_COMPARE) &&
           ptx_is_one_of(op, !is_float      ? sums
                             : is_magnitude ? either
                                            : negated);
}

static bool is_opposite(const struct ptx_op *op)
{
    static const char *const opposites[] = {"neg", "abs", NULL};
    return op->inst != NULL && op->action == ACTION_LANES &&
           op->guard == PTX_SLOT_NONE && op->result[0] >= 0 &&
           op->source[0] >= 0 && ptx_types[op->inst->type[0]].bytes == 4 &&
           ptx_is_one_of(op, opposites) &&
           (ptx_types[op->inst->type[0]].is_float ||
            strcmp(op->inst->form->mnemonic, "neg") == 0);
}

/* Where all that read it can read its source in its place. */
static void drop_opposite(struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    if (s->c->dropped[at] || !is_opposite(op))
        return;
    int32_t d = op->result[0], from = op->source[0];
    bool is_float = ptx_types[op->inst->type[0]].is_float;
    bool is_magnitude = strcmp(op->inst->form->mnemonic, "abs") == 0;
    if (s->defs[d] != 1 || s->c->name[d] != d)
        return;
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct ptx_op *user = ptx_low_op(s->c, i);
        if (!s->c->dropped[i] && ptx_reads(user, d) &&
            (!reads_opposite(user, is_float, is_magnitude) ||
             user->guard == d || !ptx_is_unchanged(s, from, at, i)))
            return;
    }
    s->c->name[d] = from;
    s->c->dropped[at] = true;
}

/* ---- addresses ---------------------------------------------------------- */

/* What an op adds a constant to; PTX_SLOT_NONE: it does something else. */
static int32_t base_of(const struct peephole *s, const struct ptx_op *op)
{
    bool known[3] = {false};
    for (int i = 0; i < op->sources && i < 3; i++)
        known[i] = is_immediate(s, op->source[i]);
    if ((ptx_is_add(op, 8) || ptx_is_add(op, 4)) && known[0] != known[1])
        return op->source[known[0] ? 1 : 0];
    if (op->action == ACTION_LANES && op->guard == PTX_SLOT_NONE &&
        strcmp(op->inst->form->mnemonic, "mad") == 0 &&
        op->inst->modifier[GROUP_PART] == MOD_LO && known[0] && known[1])
        return op->source[2];
    return PTX_SLOT_NONE;
}

/* An addition of a constant whose sum is only an address, of accesses in its
 * basic block: part of their offsets. */
static void fold_offset(struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    int32_t d = op->result[0], base = base_of(s, op);
    if (s->c->dropped[at] || base == PTX_SLOT_NONE || d < 0 ||
        s->defs[d] != 1 || s->c->name[d] != d)
        return;
    uint32_t uses = 0;
    for (uint32_t i = at + 1; i < s->ops && !s->c->leader[i]; i++) {
        const struct ptx_op *user = ptx_low_op(s->c, i);
        if (!s->c->dropped[i] && user->base == d &&
            ptx_is_unchanged(s, base, at, i))
            uses++;
    }
    if (uses != s->uses[d])
        return;
    s->c->name[d] = base;
    s->c->dropped[at] = true;
}

/* ---- the function ------------------------------------------------------- */

static void run(struct peephole *s)
{
    count_slots(s);
    drop_moves(s);
    drop_unread(s);
    drop_channels(s);
    for (uint32_t i = 0; i < s->ops; i++)
        drop_opposite(s, i);
    for (uint32_t i = 0; i < s->ops; i++)
        if (ptx_low_op(s->c, i)->inst != NULL)
            fold_offset(s, i);
    count_slots(s);
    ptx_fuse(s);
}

bool ptx_peephole(struct ptx_low_code *c)
{
    const struct ptx_code *code = ptx_low_of(c);
    size_t slots = (size_t)code->slots + 1;
    struct peephole s = {.c = c, .ops = code->count};
    s.defs = calloc(slots, sizeof(*s.defs));
    s.def_at = calloc(slots, sizeof(*s.def_at));
    s.uses = calloc(slots, sizeof(*s.uses));
    c->name = malloc(slots * sizeof(*c->name));
    c->dropped = calloc(code->count, sizeof(*c->dropped));
    c->fused = malloc(code->count * sizeof(*c->fused));
    bool ok = s.defs != NULL && s.def_at != NULL && s.uses != NULL &&
              c->name != NULL && c->dropped != NULL && c->fused != NULL;
    for (uint32_t i = 0; ok && i < code->slots; i++)
        c->name[i] = (int32_t)i;
    for (uint32_t i = 0; ok && i < code->count; i++)
        c->fused[i] = PTX_NONE;
    if (ok)
        run(&s);
    free(s.defs);
    free(s.def_at);
    free(s.uses);
    return ok;
}
