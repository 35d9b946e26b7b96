/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The banks of an SM's register file. Registers are spread over them with the
 * warp as offset; a sub-core owns its share of the banks (GPGPU-Sim,
 * register_bank in shader.cc). A written register goes before those read. */
#ifndef SAMPLER_SM_REGISTER_BANKS_H
#define SAMPLER_SM_REGISTER_BANKS_H

#include "base/bits.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_BANKS 256

struct register_banks {
    int schedulers;
    int sub_cores; /* with banks of their own, else 1 */
    int count;     /* banks of a sub-core */
    int ports;     /* read steps of a cycle, or accesses of a bank in its one */
    int accesses;  /* of a bank in a read step */
    uint64_t step[MAX_BANKS]; /* of its latest use, counted over the cycles */
    uint8_t used[MAX_BANKS];  /* accesses in that step */
};

void register_banks_init(struct register_banks *b, const struct gpu *g);

/* The bank of a warp's register. */
static inline int register_bank(const struct register_banks *b, int warp,
                                int reg)
{
    int bank = (int)modulo((uint64_t)(reg + warp), (uint64_t)b->count);
    return b->sub_cores > 1 ? warp % b->schedulers * b->count + bank : bank;
}

/* Use a bank in read step `step` of cycle `now`, if it has an access left. */
static inline bool register_bank_take(struct register_banks *b, int bank,
                                      uint64_t now, int step)
{
    uint64_t at = now * (uint64_t)b->ports + (uint64_t)step;
    if (b->step[bank] != at) {
        b->step[bank] = at;
        b->used[bank] = 0;
    }
    if (b->used[bank] >= b->accesses)
        return false;
    b->used[bank]++;
    return true;
}

/* Result `number` of the instruction is written in cycle `now`, if its bank
 * takes it; predicates are in none. */
static inline bool register_bank_write(struct register_banks *b, int warp,
                                       const struct inst *i, int number,
                                       uint64_t now)
{
    int reg = i->dst[number];
    return reg >= REG_PREDICATE ||
           register_bank_take(b, register_bank(b, warp, reg), now, 0);
}

/* All of them. */
void register_banks_write(struct register_banks *b, int warp,
                          const struct inst *i, uint64_t now);

#endif
