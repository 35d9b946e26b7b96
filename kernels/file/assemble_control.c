/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/assembler.h"

#include <string.h>

static bool open_scope(struct assembler *a, const struct word *keyword,
                       enum part part, const struct word *name)
{
    if (a->in_sub)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found '%.*s' in a subroutine, expected straight "
                           "code",
                           word_shown(keyword), keyword->at);
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
        if (!assembler_take_register(&a->line, &source[*count]))
            return false;
        ++*count;
    }
    return true;
}

static bool check_loop_name(struct assembler *a, const struct word *name)
{
    uint16_t ignored;
    bool taken = expr_name_is_reserved(name) || register_number(name, &ignored);
    for (size_t b = 0; b < a->scope.named_count; b++)
        taken = taken || word_is(name, a->scope.named[b].name);
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
    struct node *n = assembler_add_node(a, NODE_LOOP);
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
    if (s == NULL || !assembler_line_must_end(a))
        return false;
    struct node *n = assembler_add_node(a, NODE_ENDLOOP);
    struct inst *i =
        n == NULL ? NULL : assembler_add_inst(a, "endloop", OP_BRANCH);
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
    struct node *n = assembler_add_node(a, NODE_IF);
    struct inst *i = n == NULL ? NULL : assembler_add_inst(a, "if", OP_BRANCH);
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
    if (s == NULL || !assembler_line_must_end(a))
        return false;
    if (s->part == PART_ELSE)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found a second 'else', expected 'endif'");
    struct node *n = assembler_add_node(a, NODE_ELSE);
    if (n == NULL || assembler_add_inst(a, "else", OP_BRANCH) == NULL)
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
    if (s == NULL || !assembler_line_must_end(a))
        return false;
    struct node *n = assembler_add_node(a, NODE_ENDIF);
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

/* ---- subroutines: straight code -------------------------------------- */

static const struct subroutine *find_sub(const struct assembler *a,
                                         const struct word *name)
{
    for (int i = 0; i < a->sub_count; i++)
        if (a->sub[i].name.length == name->length &&
            memcmp(a->sub[i].name.at, name->at, (size_t)name->length) == 0)
            return &a->sub[i];
    return NULL;
}

static bool parse_sub(struct assembler *a, const struct word *keyword)
{
    struct word name;
    if (a->scope.depth > 0 || a->in_sub)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found 'sub', expected it outside of loops, ifs "
                           "and other subroutines");
    if (!cursor_take_name(&a->line, &name))
        return cursor_expected(&a->line, "a name");
    if (find_sub(a, &name) != NULL || a->sub_count == SUBROUTINES)
        return source_fail(a->line.source, name.at, a->line.error,
                           "found '%.*s', expected a name of its own for each "
                           "of at most %d subroutines",
                           word_shown(&name), name.at, SUBROUTINES);
    if (assembler_add_node(a, NODE_SUB) == NULL)
        return false;
    a->sub[a->sub_count++] = (struct subroutine){name, a->program->count};
    a->in_sub = a->leader = true;
    return assembler_line_must_end(a);
}

static bool parse_endsub(struct assembler *a, const struct word *keyword)
{
    if (!a->in_sub)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found 'endsub', expected a 'sub' before it");
    if (!assembler_line_must_end(a) ||
        assembler_add_node(a, NODE_ENDSUB) == NULL ||
        assembler_add_inst(a, "endsub", OP_BRANCH) == NULL)
        return false;
    struct node *node = a->program->node;
    node[a->sub[a->sub_count - 1].node - 1].to = a->program->count;
    a->in_sub = false;
    return true;
}

/* A call ends no basic block, as in GPGPU-Sim (ptx_ir.cc,
 * create_basic_blocks): what follows it is what follows in time. */
static bool parse_call(struct assembler *a, const struct word *keyword)
{
    struct word name;
    if (a->in_sub)
        return source_fail(a->line.source, keyword->at, a->line.error,
                           "found 'call', expected it outside of subroutines");
    if (!cursor_take_name(&a->line, &name))
        return cursor_expected(&a->line, "a subroutine's name");
    const struct subroutine *sub = find_sub(a, &name);
    if (sub == NULL)
        return source_fail(a->line.source, name.at, a->line.error,
                           "found '%.*s', expected a subroutine that stands "
                           "before it",
                           word_shown(&name), name.at);
    struct node *n = assembler_add_node(a, NODE_CALL);
    if (n == NULL || assembler_add_inst(a, "call", OP_BRANCH) == NULL)
        return false;
    n->to = sub->node;
    a->leader = false;
    return assembler_line_must_end(a);
}

const struct control_word control_words[] = {
    {"loop", parse_loop},     {"endloop", parse_endloop}, {"if", parse_if},
    {"else", parse_else},     {"endif", parse_endif},     {"sub", parse_sub},
    {"endsub", parse_endsub}, {"call", parse_call},
};
const size_t control_word_count =
    sizeof(control_words) / sizeof(control_words[0]);

bool assembler_nothing_open(struct assembler *a)
{
    if (a->in_sub)
        return source_fail(a->line.source, a->sub[a->sub_count - 1].name.at,
                           a->line.error,
                           "found a 'sub' without end, expected its 'endsub'");
    if (a->scope.depth == 0)
        return true;
    const struct open_scope *s = &a->open[a->scope.depth - 1];
    bool loop = s->part == PART_LOOP;
    return source_fail(a->line.source, s->at, a->line.error,
                       "found '%s' without end, expected its '%s'",
                       loop ? "loop" : "if", loop ? "endloop" : "endif");
}
