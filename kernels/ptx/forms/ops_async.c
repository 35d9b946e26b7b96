/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of barrier objects and asynchronous copies (PTX ISA 9.0, sections
 * 9.7.13.15 and 9.7.9.25), which exec_mbarrier.c and exec_copy.c execute, and
 * of what goes with them: fences between proxies, dependent launches and
 * registers of warp groups, which change no value here. */
#include "kernels/ptx/forms/lanes.h"

#define OBJECT (GROUP(SPACE) | GROUP(ORDER) | GROUP(SCOPE))
#define MBARRIER(key, operands, groups, cost)                                  \
    {                                                                          \
        "mbarrier", key, operands, TYPE(B64), 0, OBJECT | (groups),            \
            ACTION_MBARRIER, NULL, cost                                        \
    }

#define COPY(key, operands, groups, action, cost)                              \
    {                                                                          \
        "cp", key, operands, 0, 0, GROUP(COPY) | (groups), action, NULL, cost  \
    }
#define QUIET(mnemonic, key, operands, groups, cost)                           \
    {                                                                          \
        mnemonic, key, operands, 0, 0, groups, ACTION_NOTHING, NULL, cost      \
    }
#define REDUCE(operation, types)                                               \
    {                                                                          \
        "cp", KEYS(MOD_REDUCE, MOD_##operation), "mmu?m", types, 0, BULK,      \
            ACTION_BULK_COPY, NULL, OP_ATOMIC                                  \
    }

#define BULK                                                                   \
    (GROUP(COPY) | GROUP(SPACE) | GROUP(FROM) | GROUP(OBJECT) |                \
     GROUP(COMPLETION) | GROUP(HINT) | GROUP(FTZ))
#define TENSOR  (BULK | GROUP(GEOMETRY) | GROUP(PHASE))
#define BITS    (TYPE(B32) | TYPE(B64))
#define WHOLE   (TYPE(U32) | TYPE(S32) | TYPE(U64) | TYPE(S64))
#define ADDRESS (TYPE(U32) | TYPE(U64))
#define WORDS   (BITS | WHOLE | TYPE(F32) | TYPE(F64))
#define PAIRS   (TYPE(F16X2) | TYPE(BF16X2))
#define TOLD    (OBJECT | GROUP(COPY) | GROUP(COMPLETION))
/* Of one address on several GPUs, of which this is the only one. */
#define SEVERAL (GROUP(ORDER) | GROUP(SCOPE) | GROUP(SPACE) | GROUP(OPERATION))
#define HALF    (TYPE(F16) | TYPE(BF16))

// clang-format off
const struct ptx_form ptx_async_forms[] = {
    MBARRIER(KEYS(MOD_INIT), "mu", 0, OP_STORE),
    MBARRIER(KEYS(MOD_INVAL), "m", 0, OP_STORE),
    MBARRIER(KEYS(MOD_ARRIVE, MOD_EXPECT_TX), "dmu", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_ARRIVE_DROP, MOD_EXPECT_TX), "dmu", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_ARRIVE, MOD_NO_COMPLETE), "dmu", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_ARRIVE_DROP, MOD_NO_COMPLETE), "dmu", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_ARRIVE), "dm?u", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_ARRIVE_DROP), "dm?u", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_EXPECT_TX), "mu", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_COMPLETE_TX), "mu", 0, OP_ATOMIC),
    MBARRIER(KEYS(MOD_TEST_WAIT, MOD_PARITY), "Pmu", 0, OP_LOAD),
    MBARRIER(KEYS(MOD_TEST_WAIT), "Pms", 0, OP_LOAD),
    MBARRIER(KEYS(MOD_TRY_WAIT, MOD_PARITY), "Pmu?u", 0, OP_LOAD),
    MBARRIER(KEYS(MOD_TRY_WAIT), "Pms?u", 0, OP_LOAD),
    MBARRIER(KEYS(MOD_PENDING_COUNT), "Us", 0, OP_INT),
    {"st", KEYS(MOD_ASYNC, MOD_BYTES), "mvm", WORDS, 0, TOLD | GROUP(VECTOR),
     ACTION_ASYNC_STORE, NULL, OP_STORE},
    {"red", KEYS(MOD_ASYNC, MOD_BYTES), "msm", BITS | WHOLE, 0,
     TOLD | GROUP(OPERATION), ACTION_ASYNC_STORE, NULL, OP_ATOMIC},
    {"multimem", KEYS(MOD_LD_REDUCE), "Vm", WORDS | HALF | PAIRS, 0,
     SEVERAL | GROUP(VECTOR) | GROUP(NAN), ACTION_LOAD, NULL, OP_LOAD},
    {"multimem", KEYS(MOD_ST), "mv", WORDS | HALF | PAIRS, 0,
     SEVERAL | GROUP(VECTOR), ACTION_STORE, NULL, OP_STORE},
    {"multimem", KEYS(MOD_RED), "ms", WHOLE | BITS | HALF | PAIRS | TYPE(F32) |
     TYPE(F64), 0, SEVERAL, ACTION_REDUCE, NULL, OP_ATOMIC},
    COPY(KEYS(MOD_TENSOR, MOD_PREFETCH), "T", TENSOR | GROUP(L2),
         ACTION_NOTHING, OP_INT),
    COPY(KEYS(MOD_TENSOR, MOD_REDUCE), "Tm", TENSOR | GROUP(OPERATION),
         ACTION_TENSOR_COPY, OP_ATOMIC),
    COPY(KEYS(MOD_TENSOR, MOD_BULK_GROUP), "Tm", TENSOR, ACTION_TENSOR_COPY,
         OP_STORE),
    COPY(KEYS(MOD_TENSOR, MOD_BYTES), "mTm?x", TENSOR | GROUP(MULTICAST),
         ACTION_TENSOR_COPY, OP_LOAD),
    COPY(KEYS(MOD_BULK, MOD_COMMIT), "", 0, ACTION_COPY_GROUP, OP_INT),
    COPY(KEYS(MOD_BULK, MOD_WAIT), "i", GROUP(PHASE), ACTION_COPY_GROUP,
         OP_INT),
    COPY(KEYS(MOD_BULK, MOD_PREFETCH), "mu",
         GROUP(SPACE) | GROUP(L2) | GROUP(HINT), ACTION_NOTHING, OP_INT),
    REDUCE(ADD, WHOLE | HALF | TYPE(F32) | TYPE(F64)),
    REDUCE(MIN, WHOLE | HALF), REDUCE(MAX, WHOLE | HALF),
    REDUCE(INC, TYPE(U32)), REDUCE(DEC, TYPE(U32)),
    REDUCE(AND, BITS), REDUCE(OR, BITS), REDUCE(XOR, BITS),
    COPY(KEYS(MOD_BULK, MOD_BULK_GROUP), "mmu", BULK, ACTION_BULK_COPY,
         OP_STORE),
    COPY(KEYS(MOD_BULK, MOD_BYTES), "mmum?x", BULK | GROUP(MULTICAST),
         ACTION_BULK_COPY, OP_LOAD),
    {"cp", KEYS(MOD_MBARRIER, MOD_ARRIVE), "m", TYPE(B64), 0,
     GROUP(COPY) | GROUP(SPACE) | GROUP(PHASE), ACTION_COPY_ARRIVE, NULL,
     OP_INT},
    COPY(KEYS(MOD_ASYNC, MOD_COMMIT), "", 0, ACTION_COPY_GROUP, OP_INT),
    COPY(KEYS(MOD_ASYNC, MOD_WAIT), "?i", 0, ACTION_COPY_GROUP, OP_INT),
    COPY(KEYS(MOD_ASYNC), "mmi?x",
         GROUP(CACHE) | GROUP(SPACE) | GROUP(FROM) | GROUP(L2) | GROUP(HINT),
         ACTION_COPY, OP_LOAD),
    {"barrier", KEYS(MOD_CLUSTER_BARRIER, MOD_ARRIVE), "", 0, 0,
     GROUP(ORDER) | GROUP(ALIGNED), ACTION_CLUSTER_BARRIER, NULL, OP_INT},
    {"barrier", KEYS(MOD_CLUSTER_BARRIER, MOD_WAIT_LAUNCH), "", 0, 0,
     GROUP(ORDER) | GROUP(ALIGNED), ACTION_CLUSTER_BARRIER, NULL, OP_INT},
    {"mapa", KEYS(0), "dsu", ADDRESS, 0, GROUP(SPACE), ACTION_MAP_RANK, NULL,
     OP_INT},
    {"getctarank", KEYS(0), "Ux", ADDRESS, 0, GROUP(SPACE), ACTION_MAP_RANK,
     NULL, OP_INT},
    QUIET("fence", KEYS(MOD_PROXY), "?mi",
          GROUP(COPY) | GROUP(SPACE) | GROUP(ORDER) | GROUP(SCOPE) |
          GROUP(PHASE), OP_FENCE),
    QUIET("membar", KEYS(MOD_PROXY), "", GROUP(COPY), OP_FENCE),
    QUIET("fence", KEYS(MOD_MBARRIER_INIT), "", GROUP(ORDER) | GROUP(SCOPE),
          OP_FENCE),
    QUIET("prefetch", KEYS(MOD_TENSORMAP), "m", GROUP(SPACE), OP_INT),
    QUIET("griddepcontrol", KEYS(MOD_LAUNCH_DEPENDENTS), "", 0, OP_INT),
    QUIET("griddepcontrol", KEYS(MOD_WAIT_LAUNCH), "", 0, OP_INT),
    {"setmaxnreg", KEYS(MOD_INC), "i", TYPE(U32), 0,
     GROUP(SYNC) | GROUP(ALIGNED), ACTION_NOTHING, NULL, OP_INT},
    {"setmaxnreg", KEYS(MOD_DEC), "i", TYPE(U32), 0,
     GROUP(SYNC) | GROUP(ALIGNED), ACTION_NOTHING, NULL, OP_INT},
    {.mnemonic = NULL},
};
