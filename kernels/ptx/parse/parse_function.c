/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entries and device functions (PTX ISA 9.0, sections 7 and 11.1). */
#include "kernels/ptx/parse/parse.h"

/* ---- the head ----------------------------------------------------------- */

/* Registers, each part of a vector one, or a variable. */
static bool add_parameter(struct parser *p, bool result)
{
    struct ptx_operand o = {.second = PTX_NONE};
    uint8_t space;
    uint32_t parts = 1;
    if (parse_at_dot(p, "reg")) {
        o.kind = OPERAND_REGISTER;
        if (!parse_register(p, &o.index))
            return false;
        parts = p->out->function[p->function].reg[o.index].parts;
    } else if (parse_is_space(p, &space) && space == MOD_PARAM) {
        o.kind = OPERAND_VARIABLE;
        if (!parse_variable(p, MOD_PARAM, false, &o.index))
            return false;
        p->out->variable[o.index].is_parameter = true;
    } else {
        return ptx_expected(&p->lexer, &p->lexer.token, ".param or .reg");
    }
    struct ptx_function *f = &p->out->function[p->function];
    struct ptx_operand **list = result ? &f->result : &f->param;
    size_t *count = result ? &f->results : &f->params;
    if (!array_room(list, *count, parts))
        return parse_no_memory(p);
    for (uint32_t i = 0; i < parts; i++, o.index++)
        (*list)[(*count)++] = o;
    return true;
}

/* (.param .b64 a, .param .b32 b) */
static bool parse_parameters(struct parser *p, bool result)
{
    if (!parse_sign(p, '('))
        return false;
    while (!parse_at_sign(p, ')')) {
        if (!add_parameter(p, result))
            return false;
        if (!parse_at_sign(p, ')') && !parse_sign(p, ','))
            return false;
    }
    return parse_next(p);
}

/* .maxntid 256, 1, 1: their product. */
static bool parse_threads(struct parser *p, uint32_t *out)
{
    uint64_t n = 1, side;
    do {
        if (!parse_next(p) || !parse_whole(p, UINT32_MAX, &side))
            return false;
        n = n * side <= UINT32_MAX ? n * side : UINT32_MAX;
    } while (parse_at_sign(p, ','));
    *out = (uint32_t)n;
    return true;
}

/* .reqnctapercluster 2, 1, 1 */
static bool parse_cluster(struct parser *p, struct dim3 *out)
{
    uint32_t *const side[] = {&out->x, &out->y, &out->z};
    *out = (struct dim3){1, 1, 1};
    for (int i = 0; i == 0 || (i < 3 && parse_at_sign(p, ',')); i++) {
        uint64_t n;
        if (!parse_next(p) || !parse_whole(p, UINT16_MAX, &n))
            return false;
        *side[i] = n > 0 ? (uint32_t)n : 1;
    }
    return true;
}

/* At what stands outside functions: a declaration is over, ';' or not. */
static bool at_next_item(const struct parser *p)
{
    static const char *const words[] = {
        "visible", "extern", "weak", "common", "func", "entry",  "global",
        "const",   "shared", "tex",  "alias",  "file", "section"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (parse_at_dot(p, words[i]))
            return true;
    return p->lexer.token.kind == TOKEN_END;
}

/* What stands between the parameters and the body. */
static bool parse_tuning(struct parser *p)
{
    struct ptx_function *f = &p->out->function[p->function];
    while (!parse_at_sign(p, '{') && !parse_at_sign(p, ';') &&
           (f->is_entry || !at_next_item(p))) {
        const struct ptx_token *t = &p->lexer.token;
        bool ok;
        if (parse_at_dot(p, "maxntid"))
            ok = parse_threads(p, &f->max_threads);
        else if (parse_at_dot(p, "reqntid"))
            ok = parse_threads(p, &f->exact_threads);
        else if (parse_at_dot(p, "reqnctapercluster"))
            ok = parse_cluster(p, &f->cluster);
        else if (parse_at_dot(p, "pragma"))
            ok = parse_skip_past(p, ';');
        else if (t->kind == TOKEN_DOT || t->kind == TOKEN_INTEGER ||
                 parse_at_sign(p, ','))
            ok = parse_next(p);
        else
            ok = ptx_expected(&p->lexer, t, "{, ; or a directive");
        if (!ok)
            return false;
    }
    return true;
}

static void forget_parameters(struct ptx_function *f)
{
    free(f->param);
    free(f->result);
    free(f->reg);
    f->param = f->result = NULL;
    f->reg = NULL;
    f->params = f->results = f->regs = 0;
}

/* The function of that name, declared before or new. */
static bool find_function(struct parser *p, const struct ptx_token *name,
                          bool is_entry, uint32_t *out)
{
    struct ptx_module *m = p->out;
    const struct ptx_name *n =
        ptx_name_in(&p->names, SCOPE_MODULE, name->text, name->length);
    if (n != NULL &&
        (n->kind != NAME_FUNCTION || m->function[n->index].has_body ||
         m->function[n->index].is_entry != is_entry))
        return ptx_expected(&p->lexer, name, "a name not declared before");
    if (n != NULL) {
        *out = n->index;
        forget_parameters(&m->function[*out]);
        return true;
    }
    if (!array_room(&m->function, m->functions, 1))
        return parse_no_memory(p);
    *out = (uint32_t)m->functions;
    m->function[m->functions++] =
        (struct ptx_function){.is_entry = is_entry, .line = name->line};
    return parse_copy_name(p, name, &m->function[*out].name) &&
           parse_declare(p, name, NAME_FUNCTION, *out, 0);
}

/* ---- statements --------------------------------------------------------- */

/* name: .branchtargets a, b, c; */
static bool parse_targets(struct parser *p, const struct ptx_token *name)
{
    struct ptx_module *m = p->out;
    if (!array_room(&m->targets, m->target_lists, 1))
        return parse_no_memory(p);
    struct ptx_targets *t = &m->targets[m->target_lists++];
    *t = (struct ptx_targets){NULL, 0};
    do {
        struct ptx_token label;
        uint32_t use;
        if (!parse_next(p) || !parse_name(p, &label) ||
            !parse_use_label(p, &label, &use))
            return false;
        if (!array_room(&t->label, t->count, 1))
            return parse_no_memory(p);
        t->label[t->count++] = use;
    } while (parse_at_sign(p, ','));
    return parse_declare(p, name, NAME_TARGETS, (uint32_t)m->target_lists - 1,
                         0) &&
           parse_sign(p, ';');
}

/* Behind "name:" */
static bool parse_labelled(struct parser *p, const struct ptx_token *name)
{
    if (parse_at_dot(p, "branchtargets"))
        return parse_targets(p, name);
    if (parse_at_dot(p, "callprototype") || parse_at_dot(p, "calltargets"))
        return parse_declare(p, name, NAME_PROTOTYPE, 0, 0) &&
               parse_skip_past(p, ';');
    return parse_declare(p, name, NAME_LABEL,
                         p->out->function[p->function].count, 0);
}

/* .loc 1 12 3: the line, until the next. */
static bool parse_location(struct parser *p)
{
    uint64_t file, line;
    const struct ptx_token at = p->lexer.token;
    if (!parse_next(p) || !parse_whole(p, UINT32_MAX, &file) ||
        !parse_whole(p, UINT32_MAX, &line))
        return false;
    p->source_line = (uint32_t)line;
    return p->lexer.token.line > at.line || ptx_lexer_skip_line(&p->lexer);
}

static bool parse_pragma(struct parser *p)
{
    static const char word[] = "nounroll";
    if (!parse_next(p))
        return false;
    const struct ptx_token *t = &p->lexer.token;
    p->nounroll |=
        t->length == strlen(word) && memcmp(t->text, word, strlen(word)) == 0;
    return parse_skip_past(p, ';');
}

static bool parse_directive(struct parser *p)
{
    uint8_t space;
    if (parse_at_dot(p, "reg"))
        return parse_registers(p);
    if (parse_at_dot(p, "loc"))
        return parse_location(p);
    if (parse_at_dot(p, "pragma"))
        return parse_pragma(p);
    if (parse_is_space(p, &space))
        return parse_variables(p, false);
    return ptx_expected(&p->lexer, &p->lexer.token,
                        "a declaration or an instruction");
}

static bool parse_named(struct parser *p)
{
    struct ptx_token name;
    if (!parse_name(p, &name))
        return false;
    if (!parse_at_sign(p, ':'))
        return parse_instruction(p, &name, PTX_NONE, false);
    return parse_next(p) && parse_labelled(p, &name);
}

static bool open_scope(struct parser *p)
{
    p->scope = ptx_scope_add(&p->names, p->scope);
    return p->scope != PTX_NONE || parse_no_memory(p);
}

static bool parse_statement(struct parser *p)
{
    if (p->lexer.token.kind == TOKEN_NAME)
        return parse_named(p);
    if (p->lexer.token.kind == TOKEN_DOT)
        return parse_directive(p);
    if (parse_at_sign(p, '@'))
        return parse_guarded(p);
    if (parse_at_sign(p, '{'))
        return parse_next(p) && open_scope(p);
    if (parse_at_sign(p, ';'))
        return parse_next(p);
    return ptx_expected(&p->lexer, &p->lexer.token,
                        "an instruction, a declaration or '}'");
}

/* ---- the body ----------------------------------------------------------- */

static bool resolve(struct parser *p, uint32_t use, enum name_kind kind,
                    uint32_t *out)
{
    const struct label_use *u = &p->use[use];
    const struct ptx_name *n =
        ptx_name_find(&p->names, u->scope, u->token.text, u->token.length);
    if (n == NULL || n->kind != kind)
        return ptx_expected(&p->lexer, &u->token,
                            kind == NAME_TARGETS
                                ? "a list of branch targets"
                                : "a label of the function or a declared name");
    *out = n->index;
    return true;
}

/* The target of brx.idx is a list, declared before or after it. */
static bool resolve_target(struct parser *p, const struct ptx_inst *inst)
{
    struct ptx_operand *o = &p->out->operand[inst->first + inst->operands - 1];
    bool list = inst->form->action == ACTION_BRANCH_INDEX;
    if (o->kind == OPERAND_TARGETS && list)
        return true;
    if (o->kind != OPERAND_LABEL)
        return error_set(p->lexer.e, STATUS_BAD_INPUT,
                         "%s:%u:%u: found a list of branch targets, expected a "
                         "label",
                         p->out->path, inst->line, inst->column);
    if (list)
        o->kind = OPERAND_TARGETS;
    return resolve(p, o->index, list ? NAME_TARGETS : NAME_LABEL, &o->index);
}

static bool resolve_instruction(struct parser *p, const struct ptx_inst *inst)
{
    if (inst->form->action == ACTION_BRANCH ||
        inst->form->action == ACTION_BRANCH_INDEX)
        return resolve_target(p, inst);
    for (uint32_t i = 0; i < inst->operands; i++) {
        struct ptx_operand *o = &p->out->operand[inst->first + i];
        if (o->kind == OPERAND_LABEL &&
            !resolve(p, o->index, NAME_LABEL, &o->index))
            return false;
    }
    return true;
}

static bool resolve_labels(struct parser *p, size_t first_list)
{
    struct ptx_module *m = p->out;
    const struct ptx_function *f = &m->function[p->function];
    for (uint32_t i = 0; i < f->count; i++)
        if (!resolve_instruction(p, &m->inst[f->first + i]))
            return false;
    for (size_t i = first_list; i < m->target_lists; i++)
        for (size_t k = 0; k < m->targets[i].count; k++)
            if (!resolve(p, m->targets[i].label[k], NAME_LABEL,
                         &m->targets[i].label[k]))
                return false;
    p->uses = 0;
    free(p->use);
    p->use = NULL;
    return true;
}

/* Keep the error of the instructions that were skipped for who comes to execute
 * them. */
static bool keep_missing(struct parser *p)
{
    struct ptx_function *f = &p->out->function[p->function];
    struct error *outer = p->lexer.e, e;
    size_t count = p->unknowns - p->unknowns_before;
    if (count == 0)
        return true;
    p->lexer.e = &e;
    parse_unknown(p, &p->unknown, "an instruction that is known", count - 1);
    p->lexer.e = outer;
    f->missing = strdup(e.text);
    return f->missing != NULL || parse_no_memory(p);
}

static bool parse_body(struct parser *p)
{
    struct ptx_module *m = p->out;
    struct ptx_function *f = &m->function[p->function];
    size_t lists = m->target_lists;
    uint32_t outer = p->scope;
    f->has_body = true;
    p->unknowns_before = p->unknowns;
    f->first = (uint32_t)m->insts;
    if (!parse_sign(p, '{'))
        return false;
    for (;;) {
        if (!parse_at_sign(p, '}')) {
            if (!parse_statement(p))
                return false;
            continue;
        }
        if (!parse_next(p))
            return false;
        if (p->scope == outer)
            return resolve_labels(p, lists) && keep_missing(p);
        p->scope = p->names.parent[p->scope];
    }
}

/* The results stand before the name: skip them, find the function, go back. */
static bool parse_head(struct parser *p, bool is_entry)
{
    struct ptx_token name;
    bool has_results = parse_at_sign(p, '(');
    const struct ptx_lexer results = p->lexer;
    if ((has_results && !parse_skip_past(p, ')')) || !parse_name(p, &name) ||
        !find_function(p, &name, is_entry, &p->function) || !open_scope(p))
        return false;
    const struct ptx_lexer behind = p->lexer;
    p->lexer = results;
    if (has_results && !parse_parameters(p, true))
        return false;
    p->lexer = behind;
    return (!parse_at_sign(p, '(') || parse_parameters(p, false)) &&
           parse_tuning(p);
}

bool parse_function(struct parser *p, bool is_entry)
{
    uint32_t outer = p->scope;
    bool ok = parse_head(p, is_entry);
    if (ok && parse_at_sign(p, ';'))
        ok = parse_next(p);
    else if (ok && (is_entry || !at_next_item(p)))
        ok = parse_body(p);
    p->scope = outer;
    p->function = PTX_NONE;
    return ok;
}
