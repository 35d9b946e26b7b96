/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/phases.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum arithmetic {
    OTHER, /* moves, logic, shifts, comparisons, conversions, memory, control */
    ADD,
    MIN_MAX,
    MULTIPLY,
    MULTIPLY_ADD,
    FUNCTION, /* of the SFUs, or an operation that is several instructions */
};

enum type { INTEGER, SINGLE, DOUBLE, TYPES };

/* set_opcode_and_latency() of src/cuda-sim/cuda-sim.cc with
 * -ptx_opcode_latency_ int 4,13,4,5,145, fp 4,13,4,5,39 and dp 8,19,8,8,330 of
 * configs/GTX480/gpgpusim.config, the same in GPGPU-Sim 3.2.0, 3.2.1 and 3.2.2
 * and in configs/TeslaC2050 there. The fifth numbers are of division, which is
 * no instruction here. Functions take the third of dp. What the function does
 * not name takes 1: mul24 and mad24, sad, abs and neg among them. */
static const uint32_t latency[][TYPES] = {
    [OTHER] = {1, 1, 1},        [ADD] = {4, 4, 8},
    [MIN_MAX] = {13, 13, 19},   [MULTIPLY] = {4, 4, 8},
    [MULTIPLY_ADD] = {5, 5, 8}, [FUNCTION] = {8, 8, 8},
};

/* Opcodes of kernel files, PTX and SASS, by single spaces; all others count as
 * OTHER. A fused multiply-add counts as a multiply-add, as it does from
 * GPGPU-Sim 4.0 on; 3.2 does not name it and PTXPlus does not have it. */
// clang-format off
static const struct {
    const char *names;
    enum arithmetic kind;
} named[] = {
    {"iadd isub fadd fsub dadd "
     "add sub addc subc "
     "IADD IADD3 IADD32I ISUB ISCADD ISCADD32I LEA UIADD3 ULEA VIADD FADD "
     "FADD32I HADD2 HADD2_32I DADD", ADD},
    {"imin imax fmin fmax "
     "min max "
     "IMNMX VIMNMX UIMNMX FMNMX HMNMX2 DMNMX", MIN_MAX},
    {"imul fmul dmul "
     "mul "
     "IMUL IMUL32I FMUL FMUL32I HMUL2 HMUL2_32I DMUL", MULTIPLY},
    {"imad ffma dfma "
     "mad madc fma "
     "IMAD IMADSP UIMAD XMAD FFMA FFMA32I HFMA2 HFMA2_32I DFMA",
     MULTIPLY_ADD},
    {"rcp rsq sqrt sin cos ex2 lg2 "
     "rsqrt div rem "
     "MUFU", FUNCTION},
};
// clang-format on

static bool is_in(const char *list, const char *name, size_t length)
{
    for (size_t n; *list != '\0'; list += n + (list[n] == ' ')) {
        n = strcspn(list, " ");
        if (n == length && memcmp(list, name, length) == 0)
            return true;
    }
    return false;
}

static enum arithmetic kind_of(const struct inst *i)
{
    size_t length = strcspn(i->mnemonic, ".");
    for (size_t n = 0; n < sizeof(named) / sizeof(named[0]); n++)
        if (is_in(named[n].names, i->mnemonic, length))
            return named[n].kind;
    return OTHER;
}

/* Of the instructions that one operation of PTX becomes on the machine, one is
 * the function; those around it in the floating-point and multiply pipelines
 * are mostly multiply-adds. */
static enum arithmetic part_of_function(const struct inst *i)
{
    switch (i->op) {
    case OP_SFU:
        return FUNCTION;
    case OP_IMUL:
    case OP_SP:
    case OP_DP:
        return MULTIPLY_ADD;
    default:
        return OTHER;
    }
}

uint32_t phase_cycles(const struct inst *i)
{
    enum arithmetic kind = kind_of(i);
    if (kind == FUNCTION)
        kind = part_of_function(i);
    switch (i->op) {
    case OP_INT:
    case OP_IMUL:
    case OP_SFU:
        return latency[kind][INTEGER];
    case OP_SP:
        return latency[kind][SINGLE];
    case OP_DP:
        return latency[kind][DOUBLE];
    default:
        return latency[OTHER][INTEGER];
    }
}

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

/* Top to bottom: the phases into `phase`, which has room for one an
 * instruction. Their number. */
static uint32_t divide(const struct kernel *k, bool blocks, struct phase *phase)
{
    bool long_op[REG_COUNT] = {false};
    struct phase *p = phase;
    *p = (struct phase){.first = 0};
    for (uint32_t n = 0; n < k->inst_count; n++) {
        const struct inst *i = &k->inst[n];
        bool block = blocks && i->block_start;
        if (n > 0 && (block || reads_any(i, long_op))) {
            p->ended_by = block ? "basic block" : "dependence";
            *++p = (struct phase){.first = n};
            memset(long_op, 0, sizeof(long_op));
        }
        add_destinations(i, long_op);
        p->count++;
        p->length += phase_cycles(i);
        p->loads += i->op == OP_LOAD && inst_is_long_latency(i);
    }
    p->ended_by = "end";
    return (uint32_t)(p - phase) + 1;
}

/* Bottom to top: what is left of its phase at every instruction, into the field
 * at `field` of struct inst. */
static void measure(struct kernel *k, const struct phase *phase, uint32_t count,
                    uint32_t distance_max, size_t field)
{
    for (uint32_t p = 0; p < count; p++) {
        uint32_t left = 0;
        for (uint32_t n = phase[p].count; n-- > 0;) {
            struct inst *i = &k->inst[phase[p].first + n];
            left += phase_cycles(i);
            uint32_t *distance = (uint32_t *)(void *)((char *)i + field);
            *distance =
                distance_max > 0 && left > distance_max ? distance_max : left;
        }
    }
}

static void number(struct kernel *k)
{
    for (uint32_t p = 0; p < k->phase_count; p++)
        for (uint32_t n = 0; n < k->phase[p].count; n++)
            k->inst[k->phase[p].first + n].phase = p;
}

static struct phase *phases_of(const struct kernel *k, bool blocks,
                               uint32_t *count, struct error *e)
{
    size_t room = k->inst_count > 0 ? k->inst_count : 1;
    struct phase *phase = calloc(room, sizeof(*phase)), *fitting = NULL;
    *count = 0;
    if (phase != NULL && k->inst_count > 0)
        *count = divide(k, blocks, phase);
    if (phase != NULL)
        fitting = realloc(phase, (*count + 1) * sizeof(*phase));
    if (fitting == NULL) {
        free(phase);
        error_no_memory(e);
    }
    return fitting;
}

struct phase *phases_by_dependence(const struct kernel *k, uint32_t *count,
                                   struct error *e)
{
    return phases_of(k, false, count, e);
}

bool phases_analyse(struct kernel *k, uint32_t distance_max, struct error *e)
{
    uint32_t alone_count;
    struct phase *alone = phases_by_dependence(k, &alone_count, e);
    free(k->phase);
    k->phase_count = 0;
    k->phase = alone != NULL ? phases_of(k, true, &k->phase_count, e) : NULL;
    if (k->phase != NULL) {
        number(k);
        measure(k, k->phase, k->phase_count, distance_max,
                offsetof(struct inst, phase_distance));
        measure(k, alone, alone_count, distance_max,
                offsetof(struct inst, dependence_distance));
    }
    free(alone);
    return k->phase != NULL;
}
