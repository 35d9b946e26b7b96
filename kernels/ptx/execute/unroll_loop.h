/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which loops of a function are laid out, and how (unroll.h). */
#ifndef KERNELS_PTX_EXECUTE_UNROLL_LOOP_H
#define KERNELS_PTX_EXECUTE_UNROLL_LOOP_H

#include "kernels/ptx/execute/decode.h"

#define UNROLL_SETS 4

struct unroller {
    struct ptx_program *p;
    struct ptx_code *code;
    struct ptx_op *op;  /* the function's */
    uint32_t *targeted; /* by op: how many branches lead there */
    uint32_t *defined;  /* by slot: in the whole function, at most */
    uint32_t *inside;   /* by slot: in the loop looked at */
    bool *lives_on;     /* by slot: what the loop's last trip made is read */
    uint32_t slots;     /* before any were added */
    int32_t *now;       /* by slot: the one it has in this trip */
    int32_t *other;     /* by set and slot: its copy, or none */
    struct ptx_op *made;
    size_t mades;
    uint32_t *moved; /* by op: where it is now; behind those, by label */
    uint32_t labels;
};

/* A counter: its start, its step and what it is compared with. */
struct counter {
    uint32_t step_at, compare_at;
    uint64_t start, step;
    int32_t slot, limit;
    bool limit_first; /* limit REL counter */
    uint8_t bytes;
};

struct loop {
    uint32_t first, branch; /* ops, counted from the function's first */
    uint32_t trips;         /* 0: known when it runs */
    struct counter counter;
};

/* Counts definitions in ops from..end; one that is guarded counts twice, since
 * what was there before may stay. */
void unroll_count_definitions(const struct unroller *u, uint32_t from,
                              uint32_t end, uint32_t *count);

/* Whether the op is the branch back of a loop to lay out. */
bool unroll_find(const struct unroller *u, uint32_t at, struct loop *l);

/* Whether the op adds a constant to a slot that nothing else in the loop
 * writes. */
bool unroll_steps(const struct unroller *u, const struct ptx_op *op);
/* That constant, of such an op. */
uint64_t unroll_step(const struct unroller *u, const struct ptx_op *op);

/* The constant of a slot. */
uint64_t unroll_value(const struct unroller *u, int32_t slot);

#endif
