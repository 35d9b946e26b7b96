/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A PTX module once read: functions, their parameters and instructions with
 * resolved operands, and variables with their initial bytes. Every name is an
 * index here. */
#ifndef KERNELS_PTX_PARSE_PTX_H
#define KERNELS_PTX_PARSE_PTX_H

#include "base/error.h"
#include "kernels/ptx/forms/form.h"
#include "kernels/ptx/forms/modifiers.h"

#define PTX_NONE       UINT32_MAX
#define PTX_TYPES_MAX  4
#define PTX_VECTOR_MAX 128 /* elements in braces */

enum ptx_operand_kind {
    OPERAND_REGISTER,
    OPERAND_INTEGER,  /* bits */
    OPERAND_FLOAT,    /* bits of a double; `single` written as 0f */
    OPERAND_SPECIAL,  /* index: enum ptx_special */
    OPERAND_VARIABLE, /* its address + offset */
    OPERAND_FUNCTION, /* its address */
    OPERAND_LABEL,    /* index: instruction of the function */
    OPERAND_ADDRESS,  /* [register + offset], [variable + offset]; with
                       * coordinates, [texture, {a, b, ..}]: as a vector */
    OPERAND_VECTOR,   /* {a, b, ..}: `count` operands from `first` on */
    OPERAND_LIST,     /* (a, b, ..): likewise */
    OPERAND_TARGETS,  /* index: a list of branch targets */
    OPERAND_PROTOTYPE,
    OPERAND_SINK /* _ */
};

enum ptx_base { BASE_NONE, BASE_REGISTER, BASE_VARIABLE };

struct ptx_operand {
    uint8_t kind;
    uint8_t base;    /* addresses */
    bool negated;    /* !p */
    bool single;     /* a float written with 32 bits */
    uint32_t index;  /* of the register, variable, function, label .. */
    uint32_t second; /* a|b: register b, or PTX_NONE */
    uint32_t first, count;
    uint64_t bits;
    int64_t offset; /* of addresses, and of a register: a + 1 */
};

struct ptx_inst {
    const struct ptx_form *form;
    uint8_t
        modifier[GROUPS]; /* enum ptx_modifier by group, MOD_NONE: not there */
    uint8_t type[PTX_TYPES_MAX];
    uint8_t types;
    uint8_t depth;    /* of MOD_M64 */
    uint16_t columns; /* likewise */
    uint32_t guard;   /* register, PTX_NONE: always */
    bool guard_negated;
    bool nounroll;            /* .pragma "nounroll" stands before it */
    uint32_t first, operands; /* in module.operand */
    uint32_t line, column;    /* in the PTX text */
    uint32_t source_line;     /* of the .loc before it, 0: none */
};

struct ptx_register {
    uint8_t type;
    uint8_t parts; /* of a vector that begins here; 1: it is none */
};

struct ptx_relocation {
    uint64_t at;       /* byte of the variable, 8 bytes (4: width) */
    uint32_t variable; /* whose address it is, or PTX_NONE */
    uint32_t function;
    int64_t addend;
    uint8_t width;
    uint8_t shift; /* of the address, bits below those that stand there */
};

struct ptx_variable {
    char *name;
    uint8_t space; /* enum ptx_modifier: GLOBAL, CONST, SHARED, LOCAL, PARAM */
    uint8_t type;
    uint32_t align;
    uint64_t bytes;
    bool is_dynamic;   /* extern shared [] */
    bool is_parameter; /* of its function */
    bool is_opaque;    /* .texref, .samplerref, .surfref: a handle */
    uint8_t *initial;  /* bytes, NULL: zeros */
    uint32_t function; /* whose own it is, PTX_NONE: the module's */
    struct ptx_relocation *relocation;
    size_t relocations;
};

struct ptx_targets { /* .branchtargets */
    uint32_t *label; /* instruction indices */
    size_t count;
};

struct ptx_function {
    char *name;
    bool is_entry, has_body;
    uint32_t line;
    /* Variables in space PARAM, or registers: those of device functions. */
    struct ptx_operand *param, *result;
    size_t params, results;
    struct ptx_register *reg;
    size_t regs;
    uint32_t first, count; /* in module.inst */
    uint32_t max_threads;  /* .maxntid, 0: not given */
    uint32_t exact_threads;
    struct dim3 cluster; /* .reqnctapercluster; x = 0: not given */
    char *missing; /* the error of its first instruction that is not supported;
                    * those are not in module.inst. NULL: there are none */
};

struct ptx_module {
    char *path;
    uint32_t version; /* 10 * major + minor */
    uint32_t target;  /* 75: sm_75 */
    char target_name[16];
    struct ptx_function *function;
    size_t functions;
    struct ptx_variable *variable;
    size_t variables;
    struct ptx_inst *inst;
    size_t insts;
    struct ptx_operand *operand;
    size_t operands;
    struct ptx_targets *targets;
    size_t target_lists;
};

/* The module that `text` (size bytes and a NUL) holds. False with e set to
 * "path:line:column: found .., expected .." when it is not valid PTX, or no
 * entry in it is without instructions that are not supported. */
bool ptx_parse(struct ptx_module *out, const char *text, size_t size,
               const char *path, struct error *e);
void ptx_module_free(struct ptx_module *m);

/* The entry of that name, or the only one when name is NULL. False with e set,
 * naming the nearest or all, when there is none, and where it reaches an
 * instruction that is not supported. */
bool ptx_find_entry(const struct ptx_module *m, const char *name, uint32_t *out,
                    struct error *e);

#endif
