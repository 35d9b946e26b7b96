/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of loads, stores, atomics and addresses (PTX ISA 9.0, sections 9.7.9 and
 * 9.7.13); exec_memory.c and exec_atomic.c execute them. */
#include "kernels/ptx/forms/lanes.h"

#define MEMORY                                                                 \
    (TYPE(B8) | TYPE(U8) | TYPE(S8) | TYPE(B16) | TYPE(U16) | TYPE(S16) |      \
     TYPE(F16) | TYPE(BF16) | TYPE(B32) | TYPE(U32) | TYPE(S32) | TYPE(F32) |  \
     TYPE(F16X2) | TYPE(BF16X2) | TYPE(B64) | TYPE(U64) | TYPE(S64) |          \
     TYPE(F64))
#define ACCESS                                                                 \
    (GROUP(SPACE) | GROUP(ORDER) | GROUP(SCOPE) | GROUP(VECTOR) |              \
     GROUP(CACHE) | GROUP(L1) | GROUP(L2) | GROUP(NC) | GROUP(UNI) |           \
     GROUP(HINT))
#define ATOMIC                                                                 \
    (GROUP(SPACE) | GROUP(ORDER) | GROUP(SCOPE) | GROUP(L2) | GROUP(HINT))
#define BITS  (TYPE(B16) | TYPE(B32) | TYPE(B64))
#define WHOLE (TYPE(U32) | TYPE(S32) | TYPE(U64) | TYPE(S64))
#define SUMS                                                                   \
    (WHOLE | TYPE(F16) | TYPE(F16X2) | TYPE(BF16) | TYPE(BF16X2) | TYPE(F32) | \
     TYPE(F64))
#define EXTREMES (WHOLE | TYPE(F16X2) | TYPE(BF16X2) | TYPE(F16) | TYPE(BF16))
#define ADDRESS  (TYPE(U32) | TYPE(U64) | TYPE(B32) | TYPE(B64))

#define ATOM(operation, operands, types, groups)                               \
    {                                                                          \
        "atom", KEYS(MOD_##operation), operands, types, 0, ATOMIC | (groups),  \
            ACTION_ATOMIC, NULL, OP_ATOMIC                                     \
    }
#define RED(operation, types, groups)                                          \
    {                                                                          \
        "red", KEYS(MOD_##operation), "ms", types, 0, ATOMIC | (groups),       \
            ACTION_REDUCE, NULL, OP_ATOMIC                                     \
    }
#define QUIET(mnemonic, key, operands, groups, cost)                           \
    {                                                                          \
        mnemonic, key, operands, 0, 0, groups, ACTION_NOTHING, NULL, cost      \
    }

/* Policies of caches are not modelled: they are all one. */
static void no_policy(const struct ptx_op *op, uint64_t *d,
                      const uint64_t *const *s)
{
    (void)op;
    (void)s;
    memset(d, 0, WARP_LANES * sizeof(*d));
}

// clang-format off
const struct ptx_form ptx_memory_forms[] = {
    {"ld", KEYS(0), "Vm", MEMORY, 0, ACCESS, ACTION_LOAD, NULL, OP_LOAD},
    {"ldu", KEYS(0), "Vm", MEMORY, 0, ACCESS, ACTION_LOAD, NULL, OP_LOAD},
    {"st", KEYS(0), "mv", MEMORY, 0, ACCESS, ACTION_STORE, NULL, OP_STORE},
    ATOM(ADD, "dms", SUMS, GROUP(ROUND) | GROUP(FTZ) | GROUP(CACHE)),
    ATOM(MIN, "dms", EXTREMES, 0), ATOM(MAX, "dms", EXTREMES, 0),
    ATOM(INC, "dms", TYPE(U32), 0), ATOM(DEC, "dms", TYPE(U32), 0),
    ATOM(AND, "dms", BITS, 0), ATOM(OR, "dms", BITS, 0),
    ATOM(XOR, "dms", BITS, 0), ATOM(EXCH, "dms", BITS, 0),
    ATOM(CAS, "dmss", BITS, 0),
    RED(ADD, SUMS, GROUP(ROUND) | GROUP(FTZ)),
    RED(MIN, EXTREMES, 0), RED(MAX, EXTREMES, 0),
    RED(INC, TYPE(U32), 0), RED(DEC, TYPE(U32), 0),
    RED(AND, BITS, 0), RED(OR, BITS, 0), RED(XOR, BITS, 0),
    {"cvta", KEYS(0), "ds", ADDRESS, 0, GROUP(SPACE) | GROUP(TO),
     ACTION_CONVERT_ADDRESS, NULL, OP_INT},
    {"isspacep", KEYS(0), "Px", 0, 0, GROUP(SPACE), ACTION_SPACE_TEST, NULL,
     OP_INT},
    {"alloca", KEYS(0), "ds?i", ADDRESS, 0, 0, ACTION_STACK_ALLOCATE, NULL,
     OP_INT},
    {"stacksave", KEYS(0), "d", ADDRESS, 0, 0, ACTION_STACK_SAVE, NULL, OP_INT},
    {"stackrestore", KEYS(0), "s", ADDRESS, 0, 0, ACTION_STACK_RESTORE, NULL,
     OP_INT},
    QUIET("membar", KEYS(0), "", GROUP(SCOPE), OP_FENCE),
    QUIET("fence", KEYS(0), "", GROUP(ORDER) | GROUP(SCOPE), OP_FENCE),
    QUIET("prefetch", KEYS(0), "m", GROUP(SPACE) | GROUP(L1) | GROUP(L2),
          OP_INT),
    QUIET("prefetchu", KEYS(0), "m", GROUP(L1), OP_INT),
    QUIET("applypriority", KEYS(0), "mi", GROUP(SPACE) | GROUP(L2), OP_INT),
    {"createpolicy", KEYS(MOD_FRACTIONAL), "d?x", TYPE(B64), 0, GROUP(L2),
     ACTION_LANES, no_policy, OP_INT},
    {"createpolicy", KEYS(MOD_RANGE), "dmuu", TYPE(B64), 0,
     GROUP(L2) | GROUP(SPACE), ACTION_LANES, no_policy, OP_INT},
    {"createpolicy", KEYS(MOD_CVT), "dw", TYPE(B64), 0, GROUP(L2),
     ACTION_LANES, no_policy, OP_INT},
    QUIET("discard", KEYS(0), "mi", GROUP(SPACE) | GROUP(L2), OP_INT),
    {.mnemonic = NULL},
};
