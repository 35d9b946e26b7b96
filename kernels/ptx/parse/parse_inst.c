/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions: guard, mnemonic, modifiers and types, operands. */
#include "kernels/ptx/parse/parse.h"

#include <stdio.h>

#define OPERANDS_MAX 16

/* ---- modifiers ---------------------------------------------------------- */

static bool add_word(struct parser *p, struct ptx_inst *inst,
                     const struct ptx_modifier_row *w,
                     const struct ptx_token *t)
{
    bool twice = w->group == GROUP_XORSIGN || /* .xorsign.abs */
                 (w->group == GROUP_L2 &&     /* createpolicy: of two parts */
                  inst->modifier[GROUP_POLICY] != MOD_NONE);
    uint8_t group = w->group;
    if (group == GROUP_LAYOUT_A && inst->modifier[group] != MOD_NONE)
        group = GROUP_LAYOUT_B; /* .row.col: the second is that of B */
    if (group == GROUP_SPACE && inst->modifier[group] != MOD_NONE &&
        inst->modifier[GROUP_COPY] == MOD_ASYNC)
        group = GROUP_FROM; /* .shared.global: to, from */
    if (inst->modifier[group] != MOD_NONE && !twice)
        return ptx_expected(&p->lexer, t, "no second modifier of its kind");
    if (inst->modifier[group] == MOD_NONE)
        inst->modifier[group] = w->word;
    return parse_next(p);
}

/* An instruction that no row has: remember the first, go on behind it. */
static bool count_unknown(struct parser *p, const struct ptx_token *t)
{
    if (p->unknowns++ == p->unknowns_before)
        p->unknown = *t;
    return parse_skip_past(p, ';');
}

/* Up to a modifier that is known not to be supported: then *skipped is set and
 * the whole instruction past. */
static bool parse_modifiers(struct parser *p, struct ptx_inst *inst,
                            bool *skipped)
{
    while (p->lexer.token.kind == TOKEN_DOT) {
        const struct ptx_token t = p->lexer.token;
        const struct ptx_modifier_row *w = ptx_modifier_named(t.text, t.length);
        enum ptx_type type = ptx_type_named(t.text, t.length);
        if (type >= PTX_U2 && type <= PTX_S4 &&
            inst->modifier[GROUP_PACK] == MOD_NONE)
            type = PTX_NO_TYPE;
        if (ptx_shape_named(t.text, t.length, &inst->columns, &inst->depth)) {
            static const struct ptx_modifier_row row = {"m64", GROUP_SHAPE,
                                                        MOD_M64};
            if (!add_word(p, inst, &row, &t))
                return false;
        } else if (w != NULL) {
            if (!add_word(p, inst, w, &t))
                return false;
        } else if (type == PTX_NO_TYPE && parse_is_missing(&t)) {
            *skipped = true;
            return count_unknown(p, &t);
        } else if (type == PTX_NO_TYPE || inst->types == PTX_TYPES_MAX) {
            return parse_unknown(p, &t, "a modifier or a type", 0);
        } else {
            inst->type[inst->types++] = (uint8_t)type;
            if (!parse_next(p))
                return false;
        }
    }
    return true;
}

/* What was not asked for by the form's row. */
static bool check_groups(struct parser *p, const struct ptx_inst *inst,
                         const struct ptx_token *mnemonic)
{
    const struct ptx_form *f = inst->form;
    uint64_t allowed = f->groups;
    for (int g = 1; g < GROUPS; g++) {
        bool key =
            inst->modifier[g] == f->key[0] || inst->modifier[g] == f->key[1];
        if (inst->modifier[g] == MOD_NONE || key || (allowed >> g & 1) != 0)
            continue;
        int listed = g == GROUP_LAYOUT_B ? GROUP_LAYOUT_A
                     : g == GROUP_FROM   ? GROUP_SPACE
                                         : g;
        for (size_t i = 0; i < ptx_modifier_count; i++) {
            if (ptx_modifiers[i].group != listed ||
                ptx_modifiers[i].word != inst->modifier[g])
                continue;
            char expected[80];
            snprintf(expected, sizeof(expected), "no .%s with it",
                     ptx_modifiers[i].name);
            return ptx_expected(&p->lexer, mnemonic, expected);
        }
    }
    return true;
}

static bool find_form(struct parser *p, struct ptx_inst *inst,
                      const struct ptx_token *mnemonic)
{
    bool known;
    inst->form = ptx_form_find(mnemonic->text, mnemonic->length, inst, &known);
    if (inst->form != NULL)
        return check_groups(p, inst, mnemonic);
    return ptx_expected(&p->lexer, mnemonic,
                        "a form of it that PTX has: not with these modifiers "
                        "and types");
}

/* ---- the instruction ---------------------------------------------------- */

static bool parse_operands(struct parser *p, struct ptx_operand *out,
                           uint32_t *count)
{
    for (*count = 0; !parse_at_sign(p, ';'); ++*count) {
        if (*count == OPERANDS_MAX)
            return ptx_expected(&p->lexer, &p->lexer.token,
                                "at most 16 operands");
        if (*count > 0 && !parse_sign(p, ','))
            return false;
        if (!parse_operand(p, &out[*count]))
            return false;
    }
    return parse_next(p);
}

bool parse_instruction(struct parser *p, const struct ptx_token *mnemonic,
                       uint32_t guard, bool guard_negated)
{
    struct ptx_operand operand[OPERANDS_MAX];
    struct ptx_inst inst = {.guard = guard,
                            .guard_negated = guard_negated,
                            .line = mnemonic->line,
                            .column = mnemonic->column,
                            .source_line = p->source_line,
                            .nounroll = p->nounroll};
    p->nounroll = false;
    bool known, skipped = false;
    ptx_form_find(mnemonic->text, mnemonic->length, &inst, &known);
    if (!known)
        return count_unknown(p, mnemonic);
    if (ptx_token_is(mnemonic, TOKEN_NAME, "barrier") &&
        parse_at_dot(p, "cluster")) {
        inst.modifier[GROUP_SCOPE] = MOD_CLUSTER_BARRIER;
        if (!parse_next(p))
            return false;
    }
    if (!parse_modifiers(p, &inst, &skipped) || skipped)
        return skipped;
    if (!find_form(p, &inst, mnemonic))
        return false;
    p->is_call = inst.form->action == ACTION_CALL;
    if (!parse_operands(p, operand, &inst.operands))
        return false;
    if (inst.form->action == ACTION_MOVE &&
        inst.modifier[GROUP_VECTOR] != MOD_NONE)
        return parse_vector_move(p, &inst, operand, mnemonic);
    return parse_plain_operands(p, &inst, operand) &&
           parse_add_instruction(p, &inst, operand) &&
           parse_check(p, &p->out->inst[p->out->insts - 1], mnemonic);
}

bool parse_guarded(struct parser *p)
{
    struct ptx_operand guard;
    struct ptx_token mnemonic;
    if (!parse_sign(p, '@'))
        return false;
    const struct ptx_token at = p->lexer.token;
    if (!parse_operand(p, &guard))
        return false;
    const struct ptx_function *f = &p->out->function[p->function];
    if (guard.kind != OPERAND_REGISTER || f->reg[guard.index].type != PTX_PRED)
        return ptx_expected(&p->lexer, &at, "a predicate register");
    return parse_name(p, &mnemonic) &&
           parse_instruction(p, &mnemonic, guard.index, guard.negated);
}
