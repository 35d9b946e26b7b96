/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Program text to instructions and nodes, one line a statement. */
#include "kernels/opcode.h"
#include "kernels/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INST_BYTES      8 /* of an instruction in memory, Fermi's and Kepler's */
#define REG_LAST        254
#define PREDICATE_LAST  6
#define CONTROL_SOURCES 4 /* registers of a loop or if */

enum part { PART_LOOP, PART_IF, PART_ELSE };

/* A loop or if not closed yet. */
struct open_scope {
    enum part part;
    const char *at;  /* where it stands */
    uint32_t opener; /* its loop or if node */
    uint32_t other;  /* its else node */
    uint32_t first;  /* first node of the present part */
    uint32_t body;   /* loop: first instruction */
    bool lane_trips;
    uint8_t source_count;
    uint16_t source[CONTROL_SOURCES]; /* loop: read by the endloop */
};

struct assembler {
    struct program *program;
    struct kernel *kernel;
    struct scope scope;
    struct open_scope open[LOOP_DEPTH]; /* scope.depth of them */
    int lane_trips;                     /* of the loops now open */
    uint32_t inst_capacity;
    bool leader; /* the next instruction begins a basic block */
    bool ended;  /* the exit that ends the program was read */
    struct cursor line;
    uint32_t line_number;
};

static bool out_of_memory(struct assembler *a)
{
    return error_set(a->line.error, STATUS_FAILED, "out of memory");
}

/* ---- nodes and instructions --------------------------------------------- */

static struct node *add_node(struct assembler *a, enum node_kind kind)
{
    struct program *p = a->program;
    if (p->count == p->capacity) {
        uint32_t capacity = p->capacity * 2 + 32;
        void *grown = realloc(p->node, capacity * sizeof(*p->node));
        if (grown == NULL) {
            out_of_memory(a);
            return NULL;
        }
        p->node = grown;
        p->capacity = capacity;
    }
    p->node[p->count] = (struct node){.kind = (uint8_t)kind,
                                      .lane_trips = -1,
                                      .inst = NO_INST,
                                      .scope_end = NO_INST};
    return &p->node[p->count++];
}

static struct inst *add_inst(struct assembler *a, const char *mnemonic,
                             enum op_class op)
{
    struct kernel *k = a->kernel;
    if (k->inst_count == a->inst_capacity) {
        uint32_t capacity = a->inst_capacity * 2 + 32;
        void *grown = realloc(k->inst, capacity * sizeof(*k->inst));
        if (grown == NULL) {
            out_of_memory(a);
            return NULL;
        }
        k->inst = grown;
        a->inst_capacity = capacity;
    }
    struct inst *i = &k->inst[k->inst_count];
    *i = (struct inst){.pc = k->inst_count * INST_BYTES,
                       .line = a->line_number,
                       .op = (uint8_t)op,
                       .block_start = a->leader,
                       .target = NO_INST,
                       .reconverge = NO_INST};
    snprintf(i->mnemonic, sizeof(i->mnemonic), "%s", mnemonic);
    a->leader = op == OP_BRANCH || op == OP_EXIT;
    a->program->node[a->program->count - 1].inst = k->inst_count++;
    return i;
}

/* ---- operands ----------------------------------------------------------- */

static bool register_number(const struct word *w, uint16_t *out)
{
    bool predicate = w->length > 1 && w->at[0] == 'p';
    if (w->length < 2 || w->length > 4 || !(predicate || w->at[0] == 'r'))
        return false;
    int n = 0;
    for (int i = 1; i < w->length; i++) {
        if (w->at[i] < '0' || w->at[i] > '9')
            return false;
        n = n * 10 + w->at[i] - '0';
    }
    if (n > (predicate ? PREDICATE_LAST : REG_LAST))
        return false;
    *out = (uint16_t)(predicate ? REG_PREDICATE + n : n);
    return true;
}

static bool take_register(struct cursor *c, uint16_t *out)
{
    struct word w;
    cursor_skip_space(c);
    const char *at = c->at;
    if (cursor_take_name(c, &w) && register_number(&w, out))
        return true;
    c->at = at;
    return cursor_expected(c, "a register r0..r254 or p0..p6");
}

static bool add_source(struct assembler *a, struct inst *i, uint16_t reg)
{
    if (i->src_count == INST_MAX_SRC)
        return source_fail(a->line.source, a->line.at, a->line.error,
                           "found more than %d registers read, expected fewer",
                           INST_MAX_SRC);
    i->src[i->src_count++] = reg;
    return true;
}

/* Registers that `width` bytes a lane fill, the one named first. */
static bool vector_registers(struct assembler *a, const struct inst *i,
                             uint16_t reg, int *count)
{
    *count = i->width > 4 ? i->width / 4 : 1;
    if (*count == 1)
        return true;
    if (reg >= REG_PREDICATE || reg + *count - 1 > REG_LAST)
        return source_fail(a->line.source, a->line.at, a->line.error,
                           "found a register without %d more behind it, "
                           "expected %d consecutive ones from r0..r254",
                           *count - 1, *count);
    return true;
}

static bool parse_destination(struct assembler *a, const struct opcode *o,
                              struct inst *i)
{
    struct cursor *c = &a->line;
    cursor_skip_space(c);
    const char *at = c->at;
    uint16_t reg;
    int count;
    if (!take_register(c, &reg))
        return false;
    bool predicate = o->destination == DEST_PREDICATE;
    if ((reg >= REG_PREDICATE) != predicate) {
        c->at = at;
        return cursor_expected(c, predicate ? "a predicate p0..p6 as "
                                              "destination"
                                            : "a register r0..r254 as "
                                              "destination");
    }
    if (!vector_registers(a, i, reg, &count))
        return false;
    for (int n = 0; n < count; n++)
        i->dst[i->dst_count++] = (uint16_t)(reg + n);
    return true;
}

/* A register, or a number, which nothing waits for. */
static bool parse_source(struct assembler *a, struct inst *i, bool is_value)
{
    struct cursor *c = &a->line;
    uint16_t reg;
    int count = 1;
    cursor_skip_space(c);
    const char *at = c->at;
    cursor_take(c, "-");
    if (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        double number;
        int64_t integer;
        bool hex = c->end - c->at > 1 && (c->at[1] == 'x' || c->at[1] == 'X');
        return hex ? cursor_take_integer(c, &integer)
                   : cursor_take_real(c, &number);
    }
    c->at = at;
    cursor_take(c, "!");
    if (!take_register(c, &reg) ||
        (is_value && !vector_registers(a, i, reg, &count)))
        return false;
    for (int n = 0; n < count; n++)
        if (!add_source(a, i, (uint16_t)(reg + n)))
            return false;
    return true;
}

static bool parse_address(struct assembler *a, uint32_t node)
{
    struct cursor *c = &a->line;
    struct expr address;
    if (!cursor_take(c, "["))
        return cursor_expected(c, "an address in brackets");
    if (!expr_compile(&a->program->pool, &a->scope, c, &address))
        return false;
    if (!cursor_take(c, "]"))
        return cursor_expected(c, "']' or an operator");
    a->program->node[node].expr = address;
    return true;
}

static bool line_must_end(struct assembler *a)
{
    return cursor_at_end(&a->line) ||
           cursor_expected(&a->line, "the end of the line");
}

static bool parse_sources(struct assembler *a, const struct opcode *o,
                          struct inst *i, bool first)
{
    struct cursor *c = &a->line;
    bool stores = o->op == OP_STORE || o->op == OP_ATOMIC;
    for (int n = 0; n < o->sources && !cursor_at_end(c); n++) {
        if (!first && !cursor_take(c, ","))
            return cursor_expected(c, "','");
        first = false;
        if (!parse_source(a, i, stores && n == 0))
            return false;
    }
    return line_must_end(a);
}

static bool parse_operands(struct assembler *a, const struct opcode *o,
                           struct inst *i, uint32_t node)
{
    struct cursor *c = &a->line;
    cursor_skip_space(c);
    bool bracket = c->at < c->end && *c->at == '[';
    bool first = true;
    if (o->destination != DEST_NONE &&
        !(o->destination == DEST_OPTIONAL && bracket)) {
        if (!parse_destination(a, o, i))
            return false;
        first = false;
    }
    if (o->space != SPACE_NONE) {
        if (!first && !cursor_take(c, ","))
            return cursor_expected(c, "',' and an address in brackets");
        if (!parse_address(a, node))
            return false;
        first = false;
    }
    return parse_sources(a, o, i, first);
}

/* ---- ordinary instructions ---------------------------------------------- */

static const char *const control_words[] = {"loop", "endloop", "if", "else",
                                            "endif"};
#define CONTROL_WORDS (sizeof(control_words) / sizeof(control_words[0]))

static const char *operation_name(const void *table, size_t i)
{
    (void)table;
    return i < opcode_count ? opcodes[i].name : control_words[i - opcode_count];
}

static bool unknown_operation(struct assembler *a, const struct word *w)
{
    char suggestion[2 * WORD_SHOWN];
    word_suggestion(suggestion, sizeof(suggestion), w, NULL,
                    opcode_count + CONTROL_WORDS, operation_name);
    return source_fail(a->line.source, w->at, a->line.error,
                       "found '%.*s', expected an operation%s", word_shown(w),
                       w->at, suggestion);
}

static bool parse_width(struct assembler *a, const struct opcode *o,
                        uint8_t *width)
{
    struct cursor *c = &a->line;
    const char *at = c->at;
    bool dot = c->at < c->end && *c->at == '.';
    *width = 0;
    if (o->space == SPACE_NONE)
        return !dot || cursor_expected(c, "no width on this operation");
    int64_t n = 0;
    if (dot) {
        c->at++;
        if (!cursor_take_integer(c, &n))
            return false;
    }
    if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16) {
        c->at = at;
        return cursor_expected(c, "a width .1 .2 .4 .8 or .16");
    }
    *width = (uint8_t)n;
    return true;
}

static enum node_kind node_kind_of(const struct opcode *o)
{
    if (o->op == OP_BRANCH)
        return NODE_BRANCH;
    if (o->op == OP_EXIT)
        return NODE_EXIT;
    return o->space == SPACE_NONE ? NODE_PLAIN : NODE_MEMORY;
}

static bool parse_instruction(struct assembler *a, const struct opcode *o,
                              const uint16_t *guard)
{
    char mnemonic[sizeof(a->kernel->inst->mnemonic)];
    uint8_t width;
    if (!parse_width(a, o, &width))
        return false;
    uint32_t node = a->program->count;
    if (width > 0)
        snprintf(mnemonic, sizeof(mnemonic), "%s.%d", o->name, width);
    else
        snprintf(mnemonic, sizeof(mnemonic), "%s", o->name);
    if (add_node(a, node_kind_of(o)) == NULL)
        return false;
    struct inst *i = add_inst(a, mnemonic, o->op);
    if (i == NULL)
        return false;
    i->space = (uint8_t)o->space;
    i->width = width;
    a->program->uses_local |= o->space == SPACE_LOCAL;
    if (o->op == OP_BRANCH)
        i->target = i->reconverge = a->kernel->inst_count;
    a->ended = o->op == OP_EXIT && a->scope.depth == 0;
    if (guard != NULL && !add_source(a, i, *guard))
        return false;
    return parse_operands(a, o, i, node);
}

/* ---- loops and ifs ------------------------------------------------------ */

static bool open_scope(struct assembler *a, const struct word *keyword,
                       enum part part, const struct word *name)
{
    if (a->scope.depth == LOOP_DEPTH)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found more than %d nested loops and ifs, expected "
                           "fewer",
                           LOOP_DEPTH);
    int depth = a->scope.depth++;
    a->scope.level[depth].name = *name;
    a->open[depth] = (struct open_scope){.part = part,
                                         .at = keyword->at,
                                         .opener = a->program->count - 1,
                                         .first = a->program->count,
                                         .body = a->kernel->inst_count};
    if (a->scope.depth > a->program->depth)
        a->program->depth = a->scope.depth;
    a->leader = true;
    return true;
}

/* The innermost scope, which must be a `part` for `keyword` to stand here. */
static struct open_scope *innermost(struct assembler *a,
                                    const struct word *keyword, bool loop)
{
    struct open_scope *s =
        a->scope.depth > 0 ? &a->open[a->scope.depth - 1] : NULL;
    if (s != NULL && (s->part == PART_LOOP) == loop)
        return s;
    source_fail(a->line.source, keyword->at, a->line.error,
                "found '%.*s', expected %s before it", keyword->length,
                keyword->at,
                s == NULL ? loop ? "a 'loop'" : "an 'if'"
                : loop    ? "the 'endif' of an open 'if'"
                          : "the 'endloop' of an open 'loop'");
    return NULL;
}

/* Nodes from s->first on that belong to no inner part go on at `end`. */
static void close_part(struct assembler *a, const struct open_scope *s,
                       uint32_t end)
{
    for (uint32_t n = s->first; n < end; n++)
        if (a->program->node[n].scope_end == NO_INST)
            a->program->node[n].scope_end = end;
}

static bool take_control_sources(struct assembler *a, uint16_t *source,
                                 uint8_t *count)
{
    *count = 0;
    while (!cursor_at_end(&a->line)) {
        if (!cursor_take(&a->line, ","))
            return cursor_expected(&a->line, "',' or the end of the line");
        if (*count == CONTROL_SOURCES)
            return cursor_expected(&a->line, "no more registers");
        if (!take_register(&a->line, &source[*count]))
            return false;
        ++*count;
    }
    return true;
}

static bool check_loop_name(struct assembler *a, const struct word *name)
{
    uint16_t ignored;
    bool taken = expr_name_is_reserved(name) || register_number(name, &ignored);
    for (size_t b = 0; b < a->scope.buffer_count; b++)
        taken = taken || word_is(name, a->scope.buffer[b].name);
    for (int d = 0; d < a->scope.depth; d++) {
        const struct word *other = &a->scope.level[d].name;
        taken =
            taken || (other->length == name->length &&
                      memcmp(other->at, name->at, (size_t)name->length) == 0);
    }
    return !taken || source_fail(a->line.source, name->at, a->line.error,
                                 "found '%.*s', expected a loop variable whose "
                                 "name means nothing else here",
                                 word_shown(name), name->at);
}

static bool parse_loop(struct assembler *a, const struct word *keyword)
{
    struct cursor *c = &a->line;
    struct word name;
    struct expr trips;
    if (!cursor_take_name(c, &name))
        return cursor_expected(c, "a loop variable");
    if (!check_loop_name(a, &name))
        return false;
    if (!cursor_take(c, ","))
        return cursor_expected(c, "',' and a trip count");
    if (!expr_compile(&a->program->pool, &a->scope, c, &trips))
        return false;
    struct node *n = add_node(a, NODE_LOOP);
    if (n == NULL || !open_scope(a, keyword, PART_LOOP, &name))
        return false;
    struct open_scope *s = &a->open[a->scope.depth - 1];
    s->lane_trips = trips.per_lane;
    n->expr = trips;
    n->depth = (uint8_t)(a->scope.depth - 1);
    if (trips.per_lane)
        n->lane_trips = (int16_t)a->lane_trips++;
    if (a->lane_trips > a->program->lane_trips)
        a->program->lane_trips = a->lane_trips;
    return take_control_sources(a, s->source, &s->source_count);
}

static bool parse_endloop(struct assembler *a, const struct word *keyword)
{
    struct open_scope *s = innermost(a, keyword, true);
    if (s == NULL || !line_must_end(a))
        return false;
    struct node *n = add_node(a, NODE_ENDLOOP);
    struct inst *i = n == NULL ? NULL : add_inst(a, "endloop", OP_BRANCH);
    if (i == NULL)
        return false;
    const struct node *loop = &a->program->node[s->opener];
    n->depth = loop->depth;
    n->lane_trips = loop->lane_trips;
    n->to = s->first;
    close_part(a, s, a->program->count - 1);
    i->target = s->body;
    i->reconverge = a->kernel->inst_count;
    i->src_count = s->source_count;
    memcpy(i->src, s->source, sizeof(s->source));
    a->lane_trips -= s->lane_trips;
    a->scope.depth--;
    return true;
}

static bool parse_if(struct assembler *a, const struct word *keyword)
{
    struct expr condition;
    uint16_t source[CONTROL_SOURCES];
    uint8_t count;
    if (!expr_compile(&a->program->pool, &a->scope, &a->line, &condition) ||
        !take_control_sources(a, source, &count))
        return false;
    struct node *n = add_node(a, NODE_IF);
    struct inst *i = n == NULL ? NULL : add_inst(a, "if", OP_BRANCH);
    if (i == NULL)
        return false;
    n->expr = condition;
    n->depth = (uint8_t)a->scope.depth;
    i->src_count = count;
    memcpy(i->src, source, count * sizeof(source[0]));
    return open_scope(a, keyword, PART_IF, &(struct word){keyword->at, 0});
}

static bool parse_else(struct assembler *a, const struct word *keyword)
{
    struct open_scope *s = innermost(a, keyword, false);
    if (s == NULL || !line_must_end(a))
        return false;
    if (s->part == PART_ELSE)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found a second 'else', expected 'endif'");
    struct node *n = add_node(a, NODE_ELSE);
    if (n == NULL || add_inst(a, "else", OP_BRANCH) == NULL)
        return false;
    uint32_t other = a->program->count - 1;
    n->depth = (uint8_t)(a->scope.depth - 1);
    close_part(a, s, other);
    struct node *opener = &a->program->node[s->opener];
    opener->to = other + 1;
    a->kernel->inst[opener->inst].target = a->kernel->inst_count;
    s->part = PART_ELSE;
    s->other = other;
    s->first = other; /* the else itself goes on at the endif */
    a->leader = true;
    return true;
}

static bool parse_endif(struct assembler *a, const struct word *keyword)
{
    struct open_scope *s = innermost(a, keyword, false);
    if (s == NULL || !line_must_end(a))
        return false;
    struct node *n = add_node(a, NODE_ENDIF);
    if (n == NULL)
        return false;
    uint32_t end = a->program->count - 1, next = a->kernel->inst_count;
    n->depth = (uint8_t)(a->scope.depth - 1);
    close_part(a, s, end);
    struct node *opener = &a->program->node[s->opener];
    struct inst *branch = &a->kernel->inst[opener->inst];
    branch->reconverge = next;
    if (s->part == PART_ELSE) {
        struct node *other = &a->program->node[s->other];
        other->to = end;
        a->kernel->inst[other->inst].target = next;
        a->kernel->inst[other->inst].reconverge = next;
    } else {
        opener->to = end;
        branch->target = next;
    }
    a->scope.depth--;
    a->leader = true;
    return true;
}

/* ---- lines -------------------------------------------------------------- */

typedef bool (*statement)(struct assembler *a, const struct word *keyword);
static const statement control_statements[CONTROL_WORDS] = {
    parse_loop, parse_endloop, parse_if, parse_else, parse_endif};

static const struct opcode *find_opcode(const struct word *w)
{
    for (size_t i = 0; i < opcode_count; i++)
        if (word_is(w, opcodes[i].name))
            return &opcodes[i];
    return NULL;
}

static bool parse_guard(struct assembler *a, uint16_t *guard)
{
    cursor_take(&a->line, "!");
    const char *at = a->line.at;
    if (!take_register(&a->line, guard))
        return false;
    a->line.at = *guard < REG_PREDICATE ? at : a->line.at;
    return *guard >= REG_PREDICATE ||
           cursor_expected(&a->line, "a predicate p0..p6 as guard");
}

static bool parse_statement(struct assembler *a)
{
    struct cursor *c = &a->line;
    struct word w;
    uint16_t guard;
    bool guarded = cursor_take(c, "@");
    if (guarded && !parse_guard(a, &guard))
        return false;
    if (!cursor_take_name(c, &w))
        return cursor_expected(c, "an operation");
    if (a->ended)
        return source_fail(c->source, w.at, c->error,
                           "found '%.*s' behind the 'exit' of all threads, "
                           "expected the end of the program",
                           word_shown(&w), w.at);
    const struct opcode *o = find_opcode(&w);
    bool unguarded = o != NULL && (o->op == OP_EXIT || o->op == OP_BARRIER);
    for (size_t i = 0; i < CONTROL_WORDS; i++) {
        bool control = word_is(&w, control_words[i]);
        if (control && !guarded)
            return control_statements[i](a, &w);
        unguarded = unguarded || control;
    }
    if (guarded && unguarded)
        return source_fail(c->source, w.at, c->error,
                           "found a guard on '%.*s', expected an 'if' around "
                           "it: guards leave the active lanes alone",
                           word_shown(&w), w.at);
    if (o == NULL)
        return unknown_operation(a, &w);
    return parse_instruction(a, o, guarded ? &guard : NULL);
}

static bool check_end(struct assembler *a, const struct cursor *c)
{
    if (a->scope.depth > 0) {
        const struct open_scope *s = &a->open[a->scope.depth - 1];
        bool loop = s->part == PART_LOOP;
        return source_fail(c->source, s->at, c->error,
                           "found '%s' without end, expected its '%s'",
                           loop ? "loop" : "if", loop ? "endloop" : "endif");
    }
    return a->ended || source_fail(c->source, c->end, c->error,
                                   "program ends here, expected 'exit' as its "
                                   "last instruction");
}

bool program_assemble(struct program *out, struct kernel *k,
                      const struct scope *scope, struct cursor *c)
{
    struct assembler a = {.program = out,
                          .kernel = k,
                          .scope = *scope,
                          .leader = true,
                          .line = *c,
                          .line_number =
                              (uint32_t)source_line(c->source, c->at)};
    for (const char *at = c->at; at < c->end; a.line_number++) {
        size_t left = (size_t)(c->end - at);
        const char *newline = memchr(at, '\n', left);
        const char *end = newline != NULL ? newline : c->end;
        const char *comment = memchr(at, '#', (size_t)(end - at));
        a.line.at = at;
        a.line.end = comment != NULL ? comment : end;
        if (!cursor_at_end(&a.line) && !parse_statement(&a))
            return false;
        at = newline != NULL ? newline + 1 : c->end;
    }
    return check_end(&a, c);
}

void program_free(struct program *p)
{
    free(p->node);
    expr_pool_free(&p->pool);
}
