/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/phases.h"

#include <stdlib.h>
#include <string.h>

/* The classes with fewer than 32 lanes cost what a warp keeps them busy:
 *   SP      2  a group of 16 ALUs
 *   IMUL    2  16 results a cycle and SM (CUDA C Programming Guide, arithmetic
 *              throughput, compute capability 2.0)
 *   CONVERT 2  16 results a cycle and SM (ibidem)
 *   SFU     8  4 units
 *   DP      4  half the rate of SP (Table I: 650 of 1330 Gflop/s)
 *   TENSOR  4  not on that machine; as DP
 * All others cost the one slot in which they issue; a memory operation counts
 * its issue, not its return. That integer instructions count 1 although they
 * run on the same 16 lanes as SP is a choice: Table II's lengths are odd as
 * often as even, and its shortest phases are index arithmetic, moves and
 * branches. */
const uint32_t phase_latency[OP_CLASSES] = {
    [OP_INT] = 1,     [OP_IMUL] = 2,    [OP_SP] = 2,     [OP_SFU] = 8,
    [OP_DP] = 4,      [OP_TENSOR] = 4,  [OP_BRANCH] = 1, [OP_EXIT] = 1,
    [OP_BARRIER] = 1, [OP_FENCE] = 1,   [OP_LOAD] = 1,   [OP_STORE] = 1,
    [OP_ATOMIC] = 1,  [OP_CONVERT] = 2, [OP_IMAD] = 1,
};

/* paws footnote 1, with atomics of either space. */
bool inst_is_long_latency(const struct inst *i)
{
    switch (i->op) {
    case OP_LOAD:
        return i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL ||
               i->space == SPACE_TEXTURE;
    case OP_STORE:
        return i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL;
    case OP_ATOMIC:
    case OP_BRANCH:
    case OP_BARRIER:
        return true;
    default:
        return false;
    }
}

bool inst_has_long_op_destination(const struct inst *i)
{
    return i->dst_count > 0 && inst_is_long_latency(i);
}

static bool reads_any(const struct inst *i, const bool set[REG_COUNT])
{
    for (int s = 0; s < i->src_count; s++)
        if (set[i->src[s]])
            return true;
    return false;
}

static void add_destinations(const struct inst *i, bool set[REG_COUNT])
{
    if (!inst_has_long_op_destination(i))
        return;
    for (int d = 0; d < i->dst_count; d++)
        set[i->dst[d]] = true;
}

/* Top to bottom: number the phases and note what ended each. */
static void divide(struct kernel *k)
{
    bool long_op[REG_COUNT] = {false};
    struct phase *p = k->phase;
    for (uint32_t n = 0; n < k->inst_count; n++) {
        struct inst *i = &k->inst[n];
        bool dependent = reads_any(i, long_op);
        if (n > 0 && (i->block_start || dependent)) {
            p->ended_by = i->block_start ? "basic block" : "dependence";
            *++p = (struct phase){.first = n};
            memset(long_op, 0, sizeof(long_op));
        }
        add_destinations(i, long_op);
        i->phase = (uint32_t)(p - k->phase);
        p->count++;
        p->loads += i->op == OP_LOAD && inst_is_long_latency(i);
    }
    p->ended_by = "end";
    k->phase_count = (uint32_t)(p - k->phase) + 1;
}

/* Bottom to top: distances to the end of the phase, and lengths. */
static void measure(struct kernel *k, uint32_t distance_max)
{
    for (uint32_t p = 0; p < k->phase_count; p++) {
        struct phase *phase = &k->phase[p];
        for (uint32_t n = phase->first + phase->count; n-- > phase->first;) {
            struct inst *i = &k->inst[n];
            phase->length += phase_latency[i->op];
            i->phase_distance = phase->length;
            if (distance_max > 0 && i->phase_distance > distance_max)
                i->phase_distance = distance_max;
        }
    }
}

bool phases_analyse(struct kernel *k, uint32_t distance_max, struct error *e)
{
    free(k->phase);
    k->phase_count = 0;
    k->phase = calloc(k->inst_count > 0 ? k->inst_count : 1, sizeof(*k->phase));
    if (k->phase == NULL)
        return error_no_memory(e);
    if (k->inst_count == 0)
        return true;
    divide(k);
    measure(k, distance_max);
    struct phase *fitting =
        realloc(k->phase, k->phase_count * sizeof(*k->phase));
    if (fitting == NULL)
        return error_no_memory(e);
    k->phase = fitting;
    return true;
}
