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
    FLUSHES,  /* with .ftz */
    CONSTANT, /* the last source is one */
};

struct expansion {
    const char *mnemonic;
    enum ptx_modifier word; /* .approx, .full, .lo, .hi; MOD_NONE: any */
    enum condition when;
    uint64_t types;
    const char *classes;
};

/* The first that fits. */
// clang-format off
static const struct expansion expansions[] = {
    /* single precision */
    {"div",   MOD_APPROX, FLUSHES, TYPE(F32), "sf"},
    {"div",   MOD_APPROX, ALWAYS,  TYPE(F32), "iffsf"},
    {"div",   MOD_FULL,   FLUSHES, TYPE(F32), "iffsf"},
    {"div",   MOD_FULL,   ALWAYS,  TYPE(F32), "iiffffsf"},
    {"div",   MOD_NONE,   ALWAYS,  TYPE(F32), "sifffffi"},
    {"rcp",   MOD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"rcp",   MOD_APPROX, ALWAYS,  TYPE(F32), "miiiifsf"},
    {"rcp",   MOD_NONE,   ALWAYS,  TYPE(F32), "iiiisfff"},
    {"sqrt",  MOD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"sqrt",  MOD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    {"sqrt",  MOD_NONE,   ALWAYS,  TYPE(F32), "isiiffff"},
    {"rsqrt", MOD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"rsqrt", MOD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    {"sin",   MOD_APPROX, ALWAYS,  TYPE(F32), "fs"},
    {"cos",   MOD_APPROX, ALWAYS,  TYPE(F32), "fs"},
    {"ex2",   MOD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"ex2",   MOD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    {"lg2",   MOD_APPROX, FLUSHES, TYPE(F32), "s"},
    {"lg2",   MOD_APPROX, ALWAYS,  TYPE(F32), "ifsf"},
    /* double precision */
    {"div",   MOD_NONE,   ALWAYS,  TYPE(F64), "msiddddddddfii"},
    {"rcp",   MOD_APPROX, FLUSHES, TYPE(F64), "si"},
    {"rcp",   MOD_NONE,   ALWAYS,  TYPE(F64), "siidddddi"},
    {"sqrt",  MOD_NONE,   ALWAYS,  TYPE(F64), "mmsiiddddddimddi"},
    {"rsqrt", MOD_APPROX, FLUSHES, TYPE(F64), "si"},
    {"rsqrt", MOD_APPROX, ALWAYS,  TYPE(F64), "mimsiidddddi"},
    {"min",   MOD_NONE,   ALWAYS,  TYPE(F64), "mdiiiim"},
    {"max",   MOD_NONE,   ALWAYS,  TYPE(F64), "mdiiiim"},
    /* division of whole numbers */
    {"div", MOD_NONE, ALWAYS, TYPE(U16), "iismsiiiiimfsfifmsimi"},
    {"div", MOD_NONE, ALWAYS, TYPE(S16), "iiimsiiiiifiisimsfifmsimmmi"},
    {"rem", MOD_NONE, ALWAYS, TYPE(U16), "iismiiiiifssfifsimmimii"},
    {"rem", MOD_NONE, ALWAYS, TYPE(S16), "iiimiisiiiiifssfmifismimmimmmi"},
    {"div", MOD_NONE, CONSTANT, TYPE(U32), "ssisimmmmiiiii"},
    {"div", MOD_NONE, CONSTANT, TYPE(S32), "ssisimmiimimiiiiii"},
    {"rem", MOD_NONE, CONSTANT, TYPE(U32), "ssisimmmmiiii"},
    {"rem", MOD_NONE, CONSTANT, TYPE(S32), "ssisimmiimmiiiii"},
    {"div", MOD_NONE, ALWAYS, TYPE(U32), "smisisimmmmmiiiiii"},
    {"div", MOD_NONE, ALWAYS, TYPE(S32), "iissiiisimmmmmmmimiiiimi"},
    {"rem", MOD_NONE, ALWAYS, TYPE(U32), "smisisimmmmmiiiii"},
    {"rem", MOD_NONE, ALWAYS, TYPE(S32), "iiisisiismmmmmmimiimii"},
    {"div", MOD_NONE, ALWAYS, TYPE(U64),
     "iissismmimmmimmmmimmimimmiimmmmimmimmmmimmimimimiiimiiiiiiimiiiiiiiiii"
     "mi"},
    {"div", MOD_NONE, ALWAYS, TYPE(S64),
     "iiiiimiissismimmmmmmmmmiiimiimimmmmmmmmmimimimmmmiimmimimmiiimmiiiiiiiiii"
     "iiiimiiimimiimm"},
    {"rem", MOD_NONE, ALWAYS, TYPE(U64),
     "iissismmimmmimmmmimmimimmiimmmmimmimmmmimmimimimiiiiiiiimiiiiiiiiimi"},
    {"rem", MOD_NONE, ALWAYS, TYPE(S64),
     "iiiiiiissismimmmmmmmmmimimiimimmimmmimimimmmimmmmiimmimimmiiiiiiiimiiiiim"
     "iiimiiimm"},
    /* 64 bits in registers of 32; from the low half to the high, or apart */
    {"add",  MOD_NONE, ALWAYS, ALL64, "ii"},
    {"sub",  MOD_NONE, ALWAYS, ALL64, "ii"},
    {"neg",  MOD_NONE, ALWAYS, ALL64, "ii"},
    {"abs",  MOD_NONE, ALWAYS, ALL64, "iimii"},
    {"min",  MOD_NONE, ALWAYS, ALL64, "iiii"},
    {"max",  MOD_NONE, ALWAYS, ALL64, "iiii"},
    {"setp", MOD_NONE, ALWAYS, ALL64, "ii"},
    {"and",  MOD_NONE, ALWAYS, ALL64, "Ii"},
    {"or",   MOD_NONE, ALWAYS, ALL64, "Ii"},
    {"xor",  MOD_NONE, ALWAYS, ALL64, "Ii"},
    {"not",  MOD_NONE, ALWAYS, ALL64, "Ii"},
    {"shl",  MOD_NONE, ALWAYS, ALL64, "Ii"},
    {"shr",  MOD_NONE, ALWAYS, ALL64, "Ii"},
    {"selp", MOD_NONE, ALWAYS, ALL64 | TYPE(F64), "Ii"},
    {"brev", MOD_NONE, ALWAYS, ALL64, "Cc"},
    {"popc", MOD_NONE, ALWAYS, ALL64, "Cci"},
    {"clz",  MOD_NONE, ALWAYS, ALL64, "iiciim"},
    {"bfind", MOD_NONE, ALWAYS, ALL64, "ciiic"},
    {"bfe",  MOD_NONE, ALWAYS, ALL64, "miiiiiiii"},
    {"bfi",  MOD_NONE, ALWAYS, ALL64, "miiiiiiiiiiii"},
    {"mul",  MOD_LO,   CONSTANT, ALL64, "mmi"},
    {"mul",  MOD_LO,   ALWAYS, ALL64, "mmmi"},
    {"mad",  MOD_LO,   ALWAYS, ALL64, "mmmi"},
    {"mul",  MOD_HI,   ALWAYS, TYPE(U64), "mmmiiim"},
    {"mul",  MOD_HI,   ALWAYS, TYPE(S64), "immmmimmiimiiimii"},
    /* what 32 bits have no instruction for */
    {"bfe",   MOD_NONE, CONSTANT, ALL32, "ii"},
    {"bfe",   MOD_NONE, ALWAYS, ALL32, "iiiii"},
    {"bfi",   MOD_NONE, CONSTANT, ALL32, "ii"},
    {"bfi",   MOD_NONE, ALWAYS, ALL32, "iiiiii"},
    {"clz",   MOD_NONE, ALWAYS, ALL32, "ci"},
    {"cnot",  MOD_NONE, ALWAYS, ALL32, "iim"},
    {"set",   MOD_NONE, ALWAYS, ALL32, "ii"},
    {"mad",   MOD_HI,   ALWAYS, ALL32, "im"},
    {"mul24", MOD_LO,   ALWAYS, ALL32, "Iim"},
    {"mad24", MOD_LO,   ALWAYS, ALL32, "Iim"},
    /* video; vabsdiff4 is one */
    {"vadd",      MOD_NONE, ALWAYS, ALL32, "iii"},
    {"vsub",      MOD_NONE, ALWAYS, ALL32, "iii"},
    {"vabsdiff",  MOD_NONE, ALWAYS, ALL32, "iiiiii"},
    {"vmin",      MOD_NONE, ALWAYS, ALL32, "iiiiiii"},
    {"vmax",      MOD_NONE, ALWAYS, ALL32, "iiiiiii"},
    {"vshl",      MOD_NONE, ALWAYS, ALL32, "iiiiii"},
    {"vshr",      MOD_NONE, ALWAYS, ALL32, "iiiiii"},
    {"vset",      MOD_NONE, ALWAYS, ALL32, "iiiiiiii"},
    {"vadd2",     MOD_NONE, ALWAYS, ALL32, "iiii"},
    {"vsub2",     MOD_NONE, ALWAYS, ALL32, "iiii"},
    {"vavrg2",    MOD_NONE, ALWAYS, ALL32, "iiii"},
    {"vmin2",     MOD_NONE, ALWAYS, ALL32, "iiiiiiii"},
    {"vmax2",     MOD_NONE, ALWAYS, ALL32, "iiiiiiii"},
    {"vabsdiff2", MOD_NONE, ALWAYS, ALL32, "iiiiiiiiiiiii"},
    {"vset2",     MOD_NONE, ALWAYS, ALL32, "iiiiiiiiiiiiiii"},
    {"vadd4",     MOD_NONE, ALWAYS, ALL32, "iiiii"},
    {"vsub4",     MOD_NONE, ALWAYS, ALL32, "iiiii"},
    {"vmin4",     MOD_NONE, ALWAYS, ALL32, "iiiiiiiiiiiiiiiiiii"},
    {"vmax4",     MOD_NONE, ALWAYS, ALL32, "iiiiiiiiiiiiiiiiiii"},
    {"vset4",     MOD_NONE, ALWAYS, ALL32, "iiiiiiiiiiiiiiiiiiiiiiiiiii"},
    {"vavrg4",    MOD_NONE, ALWAYS, ALL32,
     "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"},
};
// clang-format on

static bool holds(enum condition when, const struct ptx_op *op, bool constant)
{
    switch (when) {
    case FLUSHES:
        return op->inst->modifier[GROUP_FTZ] == MOD_FTZ;
    case CONSTANT:
        return constant;
    default:
        return true;
    }
}

static bool fits(const struct expansion *e, const struct ptx_op *op,
                 bool constant)
{
    const struct ptx_inst *inst = op->inst;
    return (e->types >> inst->type[0] & 1) != 0 &&
           (e->word == MOD_NONE || inst->modifier[GROUP_PRECISION] == e->word ||
            inst->modifier[GROUP_PART] == e->word) &&
           strcmp(e->mnemonic, inst->form->mnemonic) == 0 &&
           holds(e->when, op, constant);
}

const char *ptx_expansion(const struct ptx_op *op, bool constant)
{
    if (op->inst == NULL ||
        (op->action != ACTION_LANES && op->action != ACTION_COMPARE))
        return NULL;
    for (size_t i = 0; i < sizeof(expansions) / sizeof(*expansions); i++)
        if (fits(&expansions[i], op, constant))
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
    case 'c':
    case 'C':
        return OP_CONVERT;
    default:
        return OP_INT;
    }
}
