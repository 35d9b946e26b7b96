/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX ISA 9.0, sections 9.7.1 and 9.7.3, and the table "Throughput of Native
 * Arithmetic Instructions" of the CUDA C++ Programming Guide say which
 * operations are no instruction of the machine, but not how many they take.
 * That was counted, in the code that ptxas of CUDA 13.0 (V13.0.88) makes for
 * sm_75 of a kernel that loads the operands, does one operation and stores its
 * result: the instructions between that normal operands run through, in their
 * order, by class of their opcode. The branch around the code for denormal and
 * infinite operands counts as an integer instruction, as do a call and its
 * return. Other generations differ by a few. */
#include "kernels/ptx/lower/expand.h"

#include <string.h>

#define ALL32 (TYPE(U32) | TYPE(S32) | TYPE(B32))
#define ALL64 (TYPE(U64) | TYPE(S64) | TYPE(B64))

enum condition {
    ALWAYS,
    FLUSHES, /* with .ftz */
    CONSTANT /* the last source is one */
};

struct expansion {
    const char *mnemonic;
    enum ptx_word word; /* .approx, .full, .lo, .hi; WORD_NONE: any */
    enum condition when;
    uint64_t types;
    const char *classes;
};

/* The first that fits. */
// clang-format off
static const struct expansion expansions[] = {
    /* single precision */
    {"div",   WORD_APPROX, FLUSHES, TYPE(F32), "sf"},
    {"div",   WORD_APPROX, ALWAYS,  TYPE(F32), "iffsf"},
    {"div",   WORD_FULL,   FLUSHES, TYPE(F32), "iffsf"},
    {"div",   WORD_FULL,   ALWAYS,  TYPE(F32), "iiffffsf"},
    {"div",   WORD_NONE,   ALWAYS,  TYPE(F32), "sifffffi"},
    {"rcp",   WORD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"rcp",   WORD_APPROX, ALWAYS,  TYPE(F32), "miiiifsf"},
    {"rcp",   WORD_NONE,   ALWAYS,  TYPE(F32), "iiiisfff"},
    {"sqrt",  WORD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"sqrt",  WORD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    {"sqrt",  WORD_NONE,   ALWAYS,  TYPE(F32), "isiiffff"},
    {"rsqrt", WORD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"rsqrt", WORD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    {"sin",   WORD_APPROX, ALWAYS,  TYPE(F32), "fs"},
    {"cos",   WORD_APPROX, ALWAYS,  TYPE(F32), "fs"},
    {"ex2",   WORD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"ex2",   WORD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    {"lg2",   WORD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"lg2",   WORD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    /* double precision */
    {"div",   WORD_NONE,   ALWAYS,  TYPE(F64), "msiddddddddfii"},
    {"rcp",   WORD_APPROX, FLUSHES, TYPE(F64), "si"},
    {"rcp",   WORD_NONE,   ALWAYS,  TYPE(F64), "siidddddi"},
    {"sqrt",  WORD_NONE,   ALWAYS,  TYPE(F64), "mmsiiddddddimddi"},
    {"rsqrt", WORD_APPROX, FLUSHES, TYPE(F64), "si"},
    {"rsqrt", WORD_APPROX, ALWAYS,  TYPE(F64), "mimsiidddddi"},
    {"min",   WORD_NONE,   ALWAYS,  TYPE(F64), "mdiiiim"},
    {"max",   WORD_NONE,   ALWAYS,  TYPE(F64), "mdiiiim"},
    /* division of whole numbers */
    {"div", WORD_NONE, ALWAYS, TYPE(U16), "iismsiiiiimfsfifmsimi"},
    {"div", WORD_NONE, ALWAYS, TYPE(S16), "iiimsiiiiifiisimsfifmsimmmi"},
    {"rem", WORD_NONE, ALWAYS, TYPE(U16), "iismiiiiifssfifsimmimii"},
    {"rem", WORD_NONE, ALWAYS, TYPE(S16), "iiimiisiiiiifssfmifismimmimmmi"},
    {"div", WORD_NONE, ALWAYS, TYPE(U32), "smisisimmmmmiiiiii"},
    {"div", WORD_NONE, ALWAYS, TYPE(S32), "iissiiisimmmmmmmimiiiimi"},
    {"rem", WORD_NONE, ALWAYS, TYPE(U32), "smisisimmmmmiiiii"},
    {"rem", WORD_NONE, ALWAYS, TYPE(S32), "iiisisiismmmmmmimiimii"},
    {"div", WORD_NONE, ALWAYS, TYPE(U64),
     "iissismmimmmimmmmimmimimmiimmmmimmimmmmimmimimimiiimiiiiiiimiiiiiiiiii"
     "mi"},
    {"div", WORD_NONE, ALWAYS, TYPE(S64),
     "iiiiimiissismimmmmmmmmmiiimiimimmmmmmmmmimimimmmmiimmimimmiiimmiiiiiiiiii"
     "iiiimiiimimiimm"},
    {"rem", WORD_NONE, ALWAYS, TYPE(U64),
     "iissismmimmmimmmmimmimimmiimmmmimmimmmmimmimimimiiiiiiiimiiiiiiiiimi"},
    {"rem", WORD_NONE, ALWAYS, TYPE(S64),
     "iiiiiiissismimmmmmmmmmimimiimimmimmmimimimmmimmmmiimmimimmiiiiiiiimiiiiim"
     "iiimiiimm"},
    /* 64 bits in registers of 32; from the low half to the high, or apart */
    {"add",  WORD_NONE, ALWAYS, ALL64, "ii"},
    {"sub",  WORD_NONE, ALWAYS, ALL64, "ii"},
    {"neg",  WORD_NONE, ALWAYS, ALL64, "ii"},
    {"abs",  WORD_NONE, ALWAYS, ALL64, "iimii"},
    {"min",  WORD_NONE, ALWAYS, ALL64, "iiii"},
    {"max",  WORD_NONE, ALWAYS, ALL64, "iiii"},
    {"setp", WORD_NONE, ALWAYS, ALL64, "ii"},
    {"and",  WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"or",   WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"xor",  WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"not",  WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"shl",  WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"shr",  WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"selp", WORD_NONE, ALWAYS, ALL64 | TYPE(F64), "Ii"},
    {"brev", WORD_NONE, ALWAYS, ALL64, "Ii"},
    {"popc", WORD_NONE, ALWAYS, ALL64, "Iii"},
    {"clz",  WORD_NONE, ALWAYS, ALL64, "iiiiim"},
    {"bfe",  WORD_NONE, ALWAYS, ALL64, "miiiiiiii"},
    {"bfi",  WORD_NONE, ALWAYS, ALL64, "miiiiiiiiiiii"},
    {"mul",  WORD_LO,   ALWAYS, ALL64, "mmmi"},
    {"mad",  WORD_LO,   ALWAYS, ALL64, "mmmi"},
    {"mul",  WORD_HI,   ALWAYS, TYPE(U64), "mmmiiim"},
    {"mul",  WORD_HI,   ALWAYS, TYPE(S64), "immmmimmiimiiimii"},
    /* what 32 bits have no instruction for */
    {"bfe",   WORD_NONE, CONSTANT, ALL32, "ii"},
    {"bfe",   WORD_NONE, ALWAYS, ALL32, "iiiii"},
    {"bfi",   WORD_NONE, CONSTANT, ALL32, "ii"},
    {"bfi",   WORD_NONE, ALWAYS, ALL32, "iiiiii"},
    {"clz",   WORD_NONE, ALWAYS, ALL32, "ii"},
    {"cnot",  WORD_NONE, ALWAYS, ALL32, "iim"},
    {"set",   WORD_NONE, ALWAYS, ALL32, "ii"},
    {"mad",   WORD_HI,   ALWAYS, ALL32, "im"},
    {"mul24", WORD_LO,   ALWAYS, ALL32, "Iim"},
    {"mad24", WORD_LO,   ALWAYS, ALL32, "Iim"},
};
// clang-format on

static bool holds(enum condition when, const struct ptx_op *op)
{
    switch (when) {
    case FLUSHES:
        return op->inst->word[GROUP_FTZ] == WORD_FTZ;
    case CONSTANT:
        return op->source[op->sources - 1] < 0;
    default:
        return true;
    }
}

static bool fits(const struct expansion *e, const struct ptx_op *op)
{
    const struct ptx_inst *inst = op->inst;
    return (e->types >> inst->type[0] & 1) != 0 &&
           (e->word == WORD_NONE || inst->word[GROUP_PRECISION] == e->word ||
            inst->word[GROUP_PART] == e->word) &&
           strcmp(e->mnemonic, inst->form->mnemonic) == 0 && holds(e->when, op);
}

const char *ptx_expansion(const struct ptx_op *op)
{
    if (op->inst == NULL ||
        (op->action != ACTION_LANES && op->action != ACTION_COMPARE))
        return NULL;
    for (size_t i = 0; i < sizeof(expansions) / sizeof(*expansions); i++)
        if (fits(&expansions[i], op))
            return expansions[i].classes;
    return NULL;
}

enum op_class ptx_expansion_class(char letter)
{
    switch (letter) {
    case 'm':
        return OP_IMUL;
    case 'f':
        return OP_SP;
    case 's':
        return OP_SFU;
    case 'd':
        return OP_DP;
    default:
        return OP_INT;
    }
}
