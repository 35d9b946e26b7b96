/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/opcode.h"

#define ALU(name, class, sources)                                              \
    {                                                                          \
        name, class, SPACE_NONE, DEST_GENERAL, sources                         \
    }
#define COMPARE(name, class)                                                   \
    {                                                                          \
        name, class, SPACE_NONE, DEST_PREDICATE, 3                             \
    }
#define MEMORY(name, class, space, destination)                                \
    {                                                                          \
        name, class, space, destination, 4                                     \
    }
#define CONTROL(name, class, sources)                                          \
    {                                                                          \
        name, class, SPACE_NONE, DEST_NONE, sources                            \
    }

/* clang-format off */
const struct opcode opcodes[] = {
    ALU("mov", OP_INT, 1),  ALU("s2r", OP_INT, 0),
    ALU("iadd", OP_INT, 2), ALU("isub", OP_INT, 2),
    ALU("iand", OP_INT, 2), ALU("ior", OP_INT, 2),
    ALU("ixor", OP_INT, 2), ALU("shl", OP_INT, 2),
    ALU("shr", OP_INT, 2),  ALU("imin", OP_INT, 2),
    ALU("imax", OP_INT, 2), ALU("sel", OP_INT, 3),
    COMPARE("isetp", OP_INT),
    ALU("imul", OP_IMUL, 2), ALU("imad", OP_IMUL, 3),
    ALU("imul24", OP_IMUL, 2), ALU("imad24", OP_IMUL, 3),
    CONTROL("nop", OP_INT, 0),

    ALU("fadd", OP_SP, 2), ALU("fsub", OP_SP, 2), ALU("fmul", OP_SP, 2),
    ALU("ffma", OP_SP, 3), ALU("fmin", OP_SP, 2), ALU("fmax", OP_SP, 2),
    ALU("fabs", OP_SP, 1), COMPARE("fsetp", OP_SP),

    ALU("rcp", OP_SFU, 1), ALU("rsq", OP_SFU, 1), ALU("sqrt", OP_SFU, 1),
    ALU("sin", OP_SFU, 1), ALU("cos", OP_SFU, 1), ALU("ex2", OP_SFU, 1),
    ALU("lg2", OP_SFU, 1), ALU("i2f", OP_CONVERT, 1),
    ALU("f2i", OP_CONVERT, 1),

    ALU("dadd", OP_DP, 2), ALU("dmul", OP_DP, 2), ALU("dfma", OP_DP, 3),
    COMPARE("dsetp", OP_DP),
    ALU("hmma", OP_TENSOR, 3),

    MEMORY("ldg", OP_LOAD, SPACE_GLOBAL, DEST_GENERAL),
    MEMORY("stg", OP_STORE, SPACE_GLOBAL, DEST_NONE),
    MEMORY("lds", OP_LOAD, SPACE_SHARED, DEST_GENERAL),
    MEMORY("sts", OP_STORE, SPACE_SHARED, DEST_NONE),
    MEMORY("ldl", OP_LOAD, SPACE_LOCAL, DEST_GENERAL),
    MEMORY("stl", OP_STORE, SPACE_LOCAL, DEST_NONE),
    MEMORY("ldc", OP_LOAD, SPACE_CONST, DEST_GENERAL),
    MEMORY("tex", OP_LOAD, SPACE_TEXTURE, DEST_GENERAL),
    MEMORY("atom", OP_ATOMIC, SPACE_GLOBAL, DEST_GENERAL),
    MEMORY("red", OP_ATOMIC, SPACE_GLOBAL, DEST_NONE),
    MEMORY("atoms", OP_ATOMIC, SPACE_SHARED, DEST_OPTIONAL),

    CONTROL("bar", OP_BARRIER, 0), CONTROL("membar", OP_FENCE, 0),
    CONTROL("bra", OP_BRANCH, 2),  CONTROL("exit", OP_EXIT, 0),
};
/* clang-format on */
const size_t opcode_count = sizeof(opcodes) / sizeof(opcodes[0]);
