/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of instructions: their registers are written. With ldst.write_back
 * answers to loads queue for that, and one is written back a cycle, or later
 * when an ALU's result goes into its register's bank (GPGPU-Sim,
 * ldst_unit::writeback and opndcoll_rfu_t::writeback). */
#ifndef SAMPLER_SM_WRITEBACK_H
#define SAMPLER_SM_WRITEBACK_H

#include "sampler/sm/blocks.h"
#include "sampler/sm/core.h"
#include "sampler/sm/frontend.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/register_banks.h"
#include "sampler/sm/scoreboard.h"

#include <stdbool.h>
#include <stdint.h>

struct writeback {
    struct sm_core *core;
    struct memory_ops *ops;
    struct scoreboard *scoreboard;
    struct register_banks *banks;
    struct frontend *frontend;
    struct blocks *blocks;
    uint32_t *queue; /* ring of operations, one for each answer that waits */
    uint32_t capacity, head, count;
    int written; /* registers of the first that are */
};

void writeback_free(struct writeback *w);

/* An instruction of the warp that is not of memory is complete. */
void writeback_alu(struct writeback *w, int warp, uint32_t inst);
/* A memory operation is complete. */
void writeback_memory(struct writeback *w, uint32_t op);
/* A transaction of a memory operation is served; with the last one the
 * operation is complete. */
void writeback_served(struct writeback *w, uint32_t op);
/* An answer to a transaction has come to the SM: it queues if it has to. */
void writeback_answer(struct writeback *w, uint32_t op);
/* It has come to the queue. */
void writeback_queue(struct writeback *w, uint32_t op);
/* Write the first answer back, if banks are free; there is one. */
void writeback_cycle(struct writeback *w);

/* Whether there is an answer to write back in the next cycle. */
static inline bool writeback_has_work(const struct writeback *w)
{
    return w->count > 0;
}

#endif
