/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two levels as GPGPU-Sim 4 has them (shader.cc,
 * two_level_active_scheduler, outer level in turn): every warp slot stands in
 * one queue behind a small active set. In each cycle in which its SM has blocks
 * those of the set that wait go to the end of the queue and its head fills the
 * set, whether it waits or not. A warp waits that is not there, stands at a
 * barrier, or whose next instruction reads a register that memory wrote last,
 * even when its value has come. */
#ifndef SAMPLER_POLICY_WARP_ONE_QUEUE_H
#define SAMPLER_POLICY_WARP_ONE_QUEUE_H

#include "sampler/policy/warp/warp_policy.h"

struct one_queue {
    uint64_t owned;
    int size;                      /* of the active set */
    int8_t active[MAX_WARP_SLOTS]; /* in the order in which they are asked */
    int active_count;
    int8_t queue[MAX_WARP_SLOTS]; /* head first */
    int queue_count;
    int8_t picked;    /* the warp asked for last, -1: none */
    int passed;       /* places of the set up to it */
    bool idle;        /* the SM has no blocks */
    uint64_t waiting; /* as last heard of */
    uint64_t period;  /* cycles from one turn of moves to the next */
    uint64_t turns;   /* so far */
    uint64_t next_change;
};

void one_queue_init(struct one_queue *q, const struct warp_context *context,
                    int size);
/* A warp is there from this cycle on, or is no more. */
void one_queue_launch(struct one_queue *q, int warp, uint64_t cycle);
void one_queue_exit(struct one_queue *q, const struct warp_table *table,
                    int warp, uint64_t cycle);
/* All moves up to this cycle, since the last of which only launches can have
 * changed who waits; returns the active set. */
uint64_t one_queue_move(struct one_queue *q, const struct warp_table *table,
                        uint64_t cycle);
/* The first of `ready` in the set's order. */
int one_queue_pick(struct one_queue *q, uint64_t ready);
/* An instruction of the warp picked last goes: those behind it are asked first
 * the next time. Of a second one in the same cycle as many warps are passed
 * again, as the simulator's iterator has it. */
void one_queue_issued(struct one_queue *q, int warp);

#endif
