/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of branches, calls, barriers and what lanes of a warp tell each other
 * (PTX ISA 9.0, sections 9.7.9.5 to 9.7.9.6, 9.7.12 and 9.7.13). */
#include "kernels/ptx/forms/lanes.h"

#define FLOW(mnemonic, key, operands, groups, action, cost)                    \
    {                                                                          \
        mnemonic, key, operands, 0, 0, groups, action, NULL, cost              \
    }
#define TYPED(mnemonic, key, operands, types, groups, action, cost)            \
    {                                                                          \
        mnemonic, key, operands, types, 0, groups, action, NULL, cost          \
    }
#define BAR (GROUP(ALIGNED) | GROUP(SCOPE))
#define S   GROUP(SYNC)

// clang-format off
const struct ptx_form ptx_flow_forms[] = {
    FLOW("bra", KEYS(0), "l", GROUP(UNI), ACTION_BRANCH, OP_BRANCH),
    FLOW("brx", KEYS(MOD_IDX), "ul", GROUP(UNI), ACTION_BRANCH_INDEX,
         OP_BRANCH),
    FLOW("call", KEYS(0), "x?xxx", GROUP(UNI), ACTION_CALL, OP_BRANCH),
    FLOW("ret", KEYS(0), "", GROUP(UNI), ACTION_RETURN, OP_BRANCH),
    FLOW("exit", KEYS(0), "", 0, ACTION_EXIT, OP_EXIT),
    FLOW("trap", KEYS(0), "", 0, ACTION_TRAP, OP_EXIT),
    FLOW("brkpt", KEYS(0), "", 0, ACTION_NOTHING, OP_INT),
    TYPED("nanosleep", KEYS(0), "s", TYPE(U32), 0, ACTION_NOTHING, OP_INT),
    FLOW("pmevent", KEYS(0), "i", 0, ACTION_NOTHING, OP_INT),
    FLOW("bar", KEYS(MOD_WARP, MOD_SYNC), "u", 0, ACTION_NOTHING, OP_INT),
    FLOW("bar", KEYS(MOD_SYNC), "u?u", BAR, ACTION_BARRIER, OP_BARRIER),
    FLOW("bar", KEYS(MOD_ARRIVE), "uu", BAR, ACTION_BARRIER, OP_BARRIER),
    TYPED("bar", KEYS(MOD_RED, MOD_POPC), "du?xx", TYPE(U32), BAR,
          ACTION_BARRIER, OP_BARRIER),
    TYPED("bar", KEYS(MOD_RED), "du?xx", TYPE(PRED), BAR | GROUP(OPERATION),
          ACTION_BARRIER, OP_BARRIER),
    FLOW("barrier", KEYS(MOD_SYNC), "u?u", BAR, ACTION_BARRIER, OP_BARRIER),
    FLOW("barrier", KEYS(MOD_ARRIVE), "uu", BAR, ACTION_BARRIER, OP_BARRIER),
    TYPED("barrier", KEYS(MOD_RED, MOD_POPC), "du?xx", TYPE(U32), BAR,
          ACTION_BARRIER, OP_BARRIER),
    TYPED("barrier", KEYS(MOD_RED), "du?xx", TYPE(PRED),
          BAR | GROUP(OPERATION), ACTION_BARRIER, OP_BARRIER),
    TYPED("shfl", KEYS(MOD_SYNC), "dsuuu", TYPE(B32), GROUP(MODE),
          ACTION_SHUFFLE, OP_INT),
    TYPED("shfl", KEYS(0), "dsuu", TYPE(B32), GROUP(MODE), ACTION_SHUFFLE,
          OP_INT),
    TYPED("vote", KEYS(MOD_BALLOT), "dq?u", TYPE(B32), S, ACTION_VOTE, OP_INT),
    TYPED("vote", KEYS(0), "Pq?u", TYPE(PRED),
          S | GROUP(MODE) | GROUP(UNI), ACTION_VOTE, OP_INT),
    TYPED("match", KEYS(MOD_SYNC), "Usu", TYPE(B32) | TYPE(B64), GROUP(MODE),
          ACTION_MATCH, OP_INT),
    TYPED("activemask", KEYS(0), "d", TYPE(B32), 0, ACTION_ACTIVE_MASK, OP_INT),
    TYPED("redux", KEYS(MOD_SYNC), "dsu",
          TYPE(B32) | TYPE(U32) | TYPE(S32), GROUP(OPERATION), ACTION_REDUX,
          OP_INT),
    FLOW("elect", KEYS(MOD_SYNC), "Uu", 0, ACTION_ELECT, OP_INT),
    {.mnemonic = NULL},
};
