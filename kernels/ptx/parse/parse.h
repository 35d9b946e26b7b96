/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the parser share. Every function returns false with the
 * lexer's error set when the text is not as it must be. */
#ifndef KERNELS_PTX_PARSE_PARSE_H
#define KERNELS_PTX_PARSE_PARSE_H

#include "base/arrays.h"
#include "kernels/ptx/parse/lexer.h"
#include "kernels/ptx/parse/names.h"
#include "kernels/ptx/parse/ptx.h"

enum name_kind {
    NAME_REGISTER, /* index of the (first) register */
    NAME_VARIABLE,
    NAME_FUNCTION,
    NAME_LABEL,    /* instruction, counted from the function's first */
    NAME_TARGETS,  /* .branchtargets */
    NAME_PROTOTYPE /* .callprototype: not looked at */
};

/* A label that was used, to be found when the function ends: until then the
 * operand or the list of targets holds the index of the use. */
struct label_use {
    struct ptx_token token;
    uint32_t scope;
};

struct parser {
    struct ptx_lexer lexer;
    struct ptx_module *out;
    struct ptx_names names;
    uint32_t scope, function; /* PTX_NONE: outside functions */
    struct label_use *use;
    size_t uses;
    uint32_t source_line;
    bool nounroll; /* .pragma "nounroll" stands before what follows */
    bool is_call;  /* of the instruction: (a, b) is a list */
    struct ptx_token unknown; /* the function's first instruction, or modifier
                               * of one, that is not known */
    size_t unknowns, unknowns_before; /* in all, and when the function began */
};

/* ---- parse_text.c: steps over tokens ------------------------------------ */

bool parse_no_memory(const struct parser *p);
bool parse_next(struct parser *p);
bool parse_sign(struct parser *p, char sign); /* must be there; go past it */
bool parse_at_sign(const struct parser *p, char sign);
bool parse_at_dot(const struct parser *p, const char *word);
bool parse_name(struct parser *p, struct ptx_token *out);
bool parse_whole(struct parser *p, uint64_t max, uint64_t *out);
bool parse_skip_past(struct parser *p, char sign);
bool parse_skip_braces(struct parser *p);
bool parse_declare(struct parser *p, const struct ptx_token *name,
                   enum name_kind kind, uint32_t index, uint32_t count);
bool parse_copy_name(const struct parser *p, const struct ptx_token *name,
                     char **out);

/* ---- parse_variable.c --------------------------------------------------- */

/* At the space of ".global .align 4 .u32 a[2] = {..}, b;", the words before it
 * are past: read up to and with the semicolon. */
bool parse_variables(struct parser *p, bool is_external);
/* One declaration without the semicolon; the variable's index in *out. */
bool parse_variable(struct parser *p, uint8_t space, bool is_external,
                    uint32_t *out);
/* At .reg, likewise. */
bool parse_registers(struct parser *p);
/* ".reg .b32 name" of a parameter list. */
bool parse_register(struct parser *p, uint32_t *out);
/* "= value": fills the variable's initial bytes. */
bool parse_initial(struct parser *p, uint32_t variable, const uint64_t *sides,
                   size_t dimensions);
bool parse_is_space(const struct parser *p, uint8_t *space);

/* ---- parse_operand.c ---------------------------------------------------- */

bool parse_operand(struct parser *p, struct ptx_operand *out);
/* A label, whether seen before or not: the index of its use. */
bool parse_use_label(struct parser *p, const struct ptx_token *name,
                     uint32_t *out);

/* ---- parse_constant.c --------------------------------------------------- */

/* "-1", "0x10", "1.5", "0f3F800000", "2*(WARP_SZ-1)": an OPERAND_INTEGER or
 * OPERAND_FLOAT. */
bool parse_constant(struct parser *p, struct ptx_operand *out);
/* Whether what stands here is no name, so that a constant may begin. */
bool parse_is_constant(const struct parser *p);
/* A constant expression that is a whole number from 0 to max. */
bool parse_count(struct parser *p, uint64_t max, uint64_t *out);

/* ---- parse_inst.c ------------------------------------------------------- */

/* At the guard or behind the mnemonic. */
bool parse_guarded(struct parser *p);
bool parse_instruction(struct parser *p, const struct ptx_token *mnemonic,
                       uint32_t guard, bool guard_negated);

/* ---- parse_plain.c ------------------------------------------------------ */

/* One more instruction of the function, with inst->operands of these. */
bool parse_add_instruction(struct parser *p, struct ptx_inst *inst,
                           const struct ptx_operand *operand);
/* What an instruction may have as an operand and the machine computes first:
 * r + 1, a special register anywhere but in a mov, a number as an argument of a
 * call. Adds the instructions that leave it in a register of the function and
 * puts that in its place. */
bool parse_plain_operands(struct parser *p, const struct ptx_inst *inst,
                          struct ptx_operand *operand);
/* mov.v4 {a, b, ..}, {c, d, ..}: adds a mov for each part. */
bool parse_vector_move(struct parser *p, const struct ptx_inst *inst,
                       const struct ptx_operand *operand,
                       const struct ptx_token *mnemonic);

/* ---- parse_check.c ------------------------------------------------------ */

/* The bytes of an operand with that letter (forms/form.h); 0: a predicate. */
unsigned parse_bytes_of(const struct ptx_inst *inst, char letter);
/* Whether it is of type .f32 or .f64. */
bool parse_is_float(const struct ptx_inst *inst, char letter);
/* Whether the operands are what the form asks for. */
bool parse_check(struct parser *p, const struct ptx_inst *inst,
                 const struct ptx_token *mnemonic);

/* ---- parse_missing.c ---------------------------------------------------- */

/* Whether an instruction or modifier is one that is known and not supported. */
bool parse_is_missing(const struct ptx_token *t);
/* At a mnemonic or modifier that is not known: the error, which says so when
 * PTX has it and this program has not, and how many more there are; false. */
bool parse_unknown(const struct parser *p, const struct ptx_token *t,
                   const char *expected, size_t more);

/* ---- parse_function.c --------------------------------------------------- */

/* At what follows .entry or .func. */
bool parse_function(struct parser *p, bool is_entry);

#endif
