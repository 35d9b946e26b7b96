/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Control flow of a traced kernel: where blocks start and jumps lead, from what
 * was seen to follow jumps and, where the tracer gives it, the jump's
 * operand. */
#include "kernels/trace/trace_insts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool trace_sequential(int arch, uint32_t from, uint32_t to)
{
    return to - from == 16 || (arch < 70 && to - from == 8);
}

/* ---- edges -------------------------------------------------------------- */

static struct trace_edge *edge_slot(struct trace_edge *edges, uint32_t room,
                                    uint32_t from, uint32_t to)
{
    uint32_t i = (from * UINT32_C(0x9e3779b1) ^ to * UINT32_C(0x85ebca6b)) >> 5;

    for (i &= room - 1; edges[i].from != NO_INST; i = (i + 1) & (room - 1))
        if (edges[i].from == from && edges[i].to == to)
            break;
    return &edges[i];
}

static bool grow_edges(struct trace_insts *t, struct error *e)
{
    uint32_t room = t->edge_room != 0 ? 2 * t->edge_room : 256;
    struct trace_edge *edges = malloc(room * sizeof(*edges));

    if (edges == NULL)
        return error_no_memory(e);
    memset(edges, 0xff, room * sizeof(*edges)); /* from = NO_INST */
    for (uint32_t i = 0; i < t->edge_room; i++)
        if (t->edge[i].from != NO_INST)
            *edge_slot(edges, room, t->edge[i].from, t->edge[i].to) =
                t->edge[i];
    free(t->edge);
    t->edge = edges;
    t->edge_room = room;
    return true;
}

bool trace_insts_edge(struct trace_insts *t, uint32_t from, uint32_t to,
                      bool joined, struct error *e)
{
    struct trace_exec *exec = &t->exec[from];
    struct trace_edge *edge;

    if (exec->next == to && (exec->next_joined || !joined))
        return true;
    if (2 * t->edge_count >= t->edge_room && !grow_edges(t, e))
        return false;
    edge = edge_slot(t->edge, t->edge_room, from, to);
    if (edge->from == NO_INST) {
        *edge = (struct trace_edge){.from = from, .to = to};
        t->edge_count++;
    }
    edge->joined = edge->joined || joined;
    exec->next = to;
    exec->next_joined = edge->joined;
    return true;
}

/* ---- the program -------------------------------------------------------- */

/* An executed instruction's place in PC order; instructions at one PC, which
 * only generic accesses share, stand in order of appearance. */
struct place {
    uint32_t pc, id;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static struct place *sort_places(const struct trace_insts *t)
{
    struct place *places = malloc((t->exec_count + 1) * sizeof(*places));

    if (places == NULL)
        return NULL;
    for (uint32_t id = 0; id < t->exec_count; id++)
        places[id] = (struct place){t->entry[t->exec[id].entry].inst.pc, id};
    qsort(places, t->exec_count, sizeof(*places), compare_places);
    return places;
}

/* The first instruction at a PC, or NO_INST. */
static uint32_t index_at(const struct kernel *k, uint32_t pc)
{
    uint32_t low = 0, high = k->inst_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (k->inst[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->inst_count && k->inst[low].pc == pc ? low : NO_INST;
}

/* The first instruction behind those at i's PC, or NO_INST. */
static uint32_t index_after(const struct kernel *k, uint32_t i)
{
    uint32_t pc = k->inst[i].pc;

    while (i < k->inst_count && k->inst[i].pc == pc)
        i++;
    return i < k->inst_count ? i : NO_INST;
}

static bool ends_block(const struct inst *i)
{
    return i->op == OP_BRANCH || i->op == OP_EXIT;
}

/* A jump's operand is its target, and tracers of version 5 give it. */
static void target_by_operand(const struct trace_insts *t,
                              const struct trace_entry *entry, struct kernel *k,
                              struct inst *inst)
{
    uint32_t target;

    if (inst->op != OP_BRANCH || t->version < 5 || !entry->has_immediate ||
        (strncmp(inst->mnemonic, "BRA", 3) != 0 &&
         strncmp(inst->mnemonic, "JMP", 3) != 0 &&
         strncmp(inst->mnemonic, "CAL", 3) != 0) ||
        entry->immediate < 0 || entry->immediate > UINT32_MAX)
        return;
    target = index_at(k, (uint32_t)entry->immediate);
    if (target == NO_INST)
        return;
    inst->target = target;
    k->inst[target].block_start = true;
}

/* A jump elsewhere begins a block there. It is the target when lanes of the
 * jump go on there; otherwise the warp turned to other lanes. */
static void follow_edge(const struct trace_insts *t, struct kernel *k,
                        const uint32_t *order, const struct trace_edge *edge)
{
    struct inst *from = &k->inst[order[edge->from]];
    uint32_t to = index_at(k, k->inst[order[edge->to]].pc);
    uint8_t flags = t->entry[t->exec[edge->from].entry].flags;

    if (to == index_after(k, order[edge->from]))
        return;
    k->inst[to].block_start = true;
    if (from->op == OP_BRANCH && edge->joined && from->target == NO_INST &&
        !(flags & SASS_CONVERGES))
        from->target = to;
}

static void mark_blocks(struct kernel *k)
{
    for (uint32_t i = 0; i < k->inst_count; i++) {
        uint32_t next = index_after(k, i);

        if (ends_block(&k->inst[i]) && next != NO_INST)
            k->inst[next].block_start = true;
    }
}

static struct inst executed(const struct trace_insts *t,
                            const struct trace_exec *exec)
{
    struct inst inst = t->entry[exec->entry].inst;

    if (exec->variant == TRACE_NO_BARRIER)
        inst.op = OP_INT;
    else
        inst.space = exec->variant;
    return inst;
}

bool trace_insts_finish(const struct trace_insts *t, struct kernel *kernel,
                        uint32_t **order, struct error *e)
{
    struct place *places = sort_places(t);

    kernel->inst_count = t->exec_count;
    kernel->inst = calloc(t->exec_count + 1, sizeof(*kernel->inst));
    *order = malloc((t->exec_count + 1) * sizeof(**order));
    if (places == NULL || kernel->inst == NULL || *order == NULL) {
        free(places);
        return error_no_memory(e);
    }
    assert(t->exec_count > 0);
    for (uint32_t i = 0; i < t->exec_count; i++) {
        kernel->inst[i] = executed(t, &t->exec[places[i].id]);
        (*order)[places[i].id] = i;
    }
    kernel->inst[(*order)[0]].block_start = true;
    for (uint32_t i = 0; i < t->exec_count; i++)
        target_by_operand(t, &t->entry[t->exec[places[i].id].entry], kernel,
                          &kernel->inst[i]);
    for (uint32_t i = 0; i < t->edge_room; i++)
        if (t->edge[i].from != NO_INST)
            follow_edge(t, kernel, *order, &t->edge[i]);
    mark_blocks(kernel);
    free(places);
    return true;
}
