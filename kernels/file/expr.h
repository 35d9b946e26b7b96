/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The integer expressions of kernel files: addresses, trip counts, conditions.
 * They are compiled to postfix code when a file is loaded, constants folded.
 *
 * While it is evaluated for a warp, a value is affine in the lane (base + lane
 * * stride, stride 0 when the warp agrees) for as long as the operators allow,
 * and only otherwise one number a lane. So the common address costs a few
 * additions, and what looks irregular but is not (tid / 32) is found to be
 * affine, which a classification of the text could not see.
 *
 * Arithmetic wraps in 64 bits; x / 0 and x % 0 are 0 (a constant zero divisor
 * is an error); division truncates; a shift by less than 0 or more than 63 bits
 * gives 0. */
#ifndef KERNELS_FILE_EXPR_H
#define KERNELS_FILE_EXPR_H

#include "kernels/file/draw.h"
#include "kernels/file/source_text.h"
#include "kernels/form/kernel.h"

#define EXPR_STACK   16
#define LOOP_DEPTH   64 /* loops and ifs inside each other */
#define EXPR_NESTING 64 /* parentheses inside each other */

/* Postfix operations. Variables stand before the binary operators. */
enum expr_op {
    EXPR_CONST,
    /* variables */
    EXPR_LANE,
    EXPR_TID,
    EXPR_WARP,
    EXPR_GTID,
    EXPR_BLOCK,
    EXPR_BX,
    EXPR_BY,
    EXPR_BZ,
    EXPR_LOOP, /* arg: depth of the loop */
    /* binary operators */
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,
    EXPR_MOD,
    EXPR_SHL,
    EXPR_SHR,
    EXPR_AND,
    EXPR_OR,
    EXPR_XOR,
    EXPR_LT,
    EXPR_LE,
    EXPR_GT,
    EXPR_GE,
    EXPR_EQ,
    EXPR_NE,
    EXPR_BOTH,   /* && */
    EXPR_EITHER, /* || */
    EXPR_MIN,
    EXPR_MAX,
    EXPR_HASH,
    EXPR_HGEOM,
    /* draws, each for a lane and for the warp */
    EXPR_RAND,
    EXPR_WRAND,
    EXPR_ZIPF, /* arg: index into zipf */
    EXPR_WZIPF,
    EXPR_GEOM, /* real: the mean */
    EXPR_WGEOM,
    EXPR_CHANCE, /* real: the probability */
    EXPR_WCHANCE
};

struct expr_code {
    uint16_t op;
    uint32_t arg;
    union {
        int64_t integer;
        double real;
    };
};

/* The code of every expression of a program, one after another. */
struct expr_pool {
    struct expr_code *code;
    size_t count, capacity;
    struct zipf *zipf;
    size_t zipf_count, zipf_capacity;
    bool draws; /* some expression draws at random */
};

struct expr {
    uint32_t first, count;
    bool per_lane; /* may differ between the lanes of a warp */
};

/* A constant with a name: a buffer and its address, or what a launch of an
 * application gives its kernel. */
struct named_value {
    const char *name;
    int64_t value;
};

/* What names mean where an expression stands. */
struct scope {
    const struct kernel *kernel; /* launch, for ntid, tx, ...; NULL where there
                                  * is none */
    const struct named_value *named;
    size_t named_count;
    struct {
        struct word name; /* of the loop, length 0 for an if */
    } level[LOOP_DEPTH];
    int depth;
};

/* Compile the expression at the cursor up to the first thing that cannot go on
 * it. On failure the cursor's error is set. */
bool expr_compile(struct expr_pool *pool, const struct scope *scope,
                  struct cursor *c, struct expr *out);
void expr_pool_free(struct expr_pool *pool);
/* Whether `w` is a variable or function, so no name for a buffer or loop. */
bool expr_name_is_reserved(const struct word *w);

/* ---- evaluation --------------------------------------------------------- */

struct value {
    bool affine;
    int64_t base, stride;     /* affine: base + lane * stride */
    int64_t lane[WARP_LANES]; /* otherwise */
};

/* Where and for whom an expression is evaluated. */
struct expr_context {
    const struct expr_code *code;
    const struct zipf *zipf;
    int64_t block, bx, by, bz;
    int64_t warp;
    int64_t first_thread;      /* gtid of lane 0 */
    const struct frame *frame; /* iteration of the loop at each depth */
    uint32_t mask;             /* lanes that draw */
    gsl_rng rng;
};

/* A loop or if that a warp is in. */
struct frame {
    uint32_t outer; /* lanes that entered it */
    uint32_t other; /* if: lanes that take the second side */
    uint32_t iteration;
    uint32_t trips; /* 0: per lane */
};

static inline void value_set_affine(struct value *v, int64_t base,
                                    int64_t stride)
{
    v->affine = true;
    v->base = base;
    v->stride = stride;
}

/* The result of a binary operator on two values, in place of a; b may change
 * its form. */
void value_apply(enum expr_op op, struct value *a, struct value *b);

/* The value of e, in stack[0]. Lanes outside the mask hold anything. */
void expr_eval(struct expr_context *context, struct expr e,
               struct value stack[EXPR_STACK]);
/* The result of a binary operator on two constants. */
int64_t expr_fold(enum expr_op op, int64_t a, int64_t b);

static inline int64_t value_lane(const struct value *v, int lane)
{
    return v->affine ? (int64_t)((uint64_t)v->base +
                                 (uint64_t)v->stride * (uint64_t)lane)
                     : v->lane[lane];
}
/* Lanes of mask in which v is not 0. */
uint32_t value_true_lanes(const struct value *v, uint32_t mask);
/* Make v affine when its lanes in mask lie on a line. */
void value_make_affine(struct value *v, uint32_t mask);

#endif
