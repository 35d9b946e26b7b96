/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of barrier objects (PTX ISA 9.0, section 9.7.13.15);
 * exec_mbarrier.c executes them. */
#include "kernels/ptx/forms/lanes.h"

#define OBJECT (GROUP(SPACE) | GROUP(ORDER) | GROUP(SCOPE))
#define MBARRIER(key, operands, groups, cost)                                  \
    {                                                                          \
        "mbarrier", key, operands, TYPE(B64), 0, OBJECT | (groups),            \
            ACTION_MBARRIER, NULL, cost                                        \
    }

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
    {.mnemonic = NULL},
};
