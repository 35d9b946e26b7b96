/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operand collectors (Liu et al., US patent 7,834,881; GPGPU-Sim 3.x manual,
 * "Register Access and the Operand Collector"): an issued instruction holds a
 * collector until its operands are read and its unit takes it. Collectors form
 * pools, by kind of unit and, where schedulers have their own, by scheduler.
 *
 * There are two machines around them. In the plain one (collectors_plain.h) an
 * instruction is in a collector from issue to its unit. With stage.registers
 * (collectors_staged.h) it waits for a collector in one pipeline register and
 * for its unit in another. */
#ifndef SAMPLER_SM_COLLECTORS_H
#define SAMPLER_SM_COLLECTORS_H

#include "sampler/sm/core.h"
#include "sampler/sm/ldst.h"
#include "sampler/sm/register_banks.h"
#include "sampler/sm/units.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_MOVES      24 /* of a unit in a read step */
#define MAX_POOLS      (EXEC_UNITS * MAX_SCHEDULERS)
#define MAX_COLLECTORS 256 /* six classes of 24, seven of 2 x 8 registers */

/* Where an instruction stands after it was issued: in a collector with operands
 * to read or without, behind it. In the plain machine it always collects. */
enum stage { STAGE_COLLECTING, STAGE_COLLECTED, STAGE_READY, STAGES };

/* An instruction from issue to its unit. */
struct collector {
    uint32_t inst;
    uint32_t number; /* instructions issued up to it */
    uint8_t warp, scheduler, unit, exec;
    uint8_t pool;                   /* of collectors */
    uint8_t place;                  /* of its collector in the pool */
    uint8_t latch;                  /* its pool of pipeline registers */
    uint8_t left;                   /* operands to read */
    uint16_t operand[INST_MAX_SRC]; /* banks of those left */
    uint16_t entry;                 /* ldst_entry of a memory instruction */
};

/* Those of one stage, oldest first, but for STAGE_COLLECTED and, with
 * stage.by_port, for STAGE_READY. */
struct collector_list {
    int count;
    uint8_t id[MAX_COLLECTORS];
};

struct collectors {
    struct sm_core *core;
    struct ldst *ldst;
    bool staged;       /* stage.registers */
    bool by_class;     /* stage.by_class, which concerns generic collectors */
    bool by_port;      /* stage.by_port */
    bool shares_warps; /* schedulers lend each other collectors */
    uint32_t freed;    /* times that schedulers got room for an instruction */
    int full;          /* pools, or registers, that have no such room */
    int issued_count, free_count;
    uint64_t still_until; /* nothing can move before, but when an instruction is
                           * issued or .. ; 0: that is not known */
    bool awaits_ldst;     /* .. one waits for room in the load/store unit */
    /* Of the staged machine. */
    bool moved;            /* something did in this cycle */
    int moves[EXEC_UNITS]; /* into and out of collectors in a read step */
    uint8_t pool_of[EXEC_UNITS][MAX_SCHEDULERS];
    uint8_t latch_of[EXEC_UNITS][MAX_SCHEDULERS];
    int pool_free[MAX_POOLS];
    /* Pipeline registers on both sides of the collectors. */
    int before_free[MAX_POOLS], after_free[MAX_POOLS];
    struct collector_list in_stage[STAGES];
    /* Those that wait for a collector: with stage.by_class those of each unit
     * apart, else in the first. */
    struct collector_list issued[EXEC_UNITS];
    uint8_t free[MAX_COLLECTORS];
    uint64_t places[MAX_POOLS][2]; /* masks of a pool's free collectors */
    /* The collector from which each move of a read step took one last. */
    uint8_t taken[MAX_POOLS][MAX_MOVES];
    struct register_banks banks;
    struct units units;
    struct collector collector[MAX_COLLECTORS];
};

/* With core and ldst set. shares_warps: the policy asks for it. Returns how
 * many instructions may be on their way from issue to units, 0 when that is
 * more than MAX_COLLECTORS. */
int collectors_init(struct collectors *c, bool shares_warps);

/* Whether scheduler s finds room for an instruction of `unit`. */
static inline bool collectors_have_room(const struct collectors *c, int s,
                                        int unit)
{
    return c->staged ? c->before_free[c->latch_of[unit][s]] > 0
                     : c->pool_free[c->pool_of[unit][s]] > 0;
}

/* Whether schedulers have collectors of their own for `unit` (kaws Sec. 2.1),
 * and units enough to go round: where not, warp sharing does nothing. */
bool collectors_are_own(const struct collectors *c, int unit);
/* For an instruction of warp that `scheduler`, as a rule its own, issues. There
 * must be room. entry: of a memory instruction, in the load/store unit. */
void collectors_take(struct collectors *c, int scheduler, int warp,
                     uint32_t inst, uint16_t entry);

/* Send an instruction for which no warp waits (SYNC_RESULT): it needs no
 * collector, its unit takes it when it is through with those before it. */
void collectors_book(struct collectors *c, int scheduler, int warp,
                     uint32_t inst);

/* ---- for the two machines ----------------------------------------------- */

/* Read the operands whose banks have an access left in the read step. */
void collectors_read(struct collectors *c, struct collector *of, int step);

/* Whether an instruction, whose operands are read, enters its unit now, and if
 * not whether another of its pipeline register's might, with another result. */
enum dispatched { DISPATCHED, NOT_THIS_ONE, NONE_OF_THEM };
enum dispatched collectors_dispatch(struct collectors *c,
                                    const struct collector *of);

/* Whether nothing can move in this cycle. */
static inline bool collectors_stand_still(const struct collectors *c)
{
    return c->core->now < c->still_until &&
           !(c->awaits_ldst && ldst_has_room(c->ldst));
}

/* Note what it takes that one of these goes on, or that it is `until`. */
void collectors_await(struct collectors *c, const struct collector_list *these,
                      uint64_t until);

/* Schedulers have room for one less, or one more. */
static inline void collectors_take_room(struct collectors *c, int *room)
{
    *room -= 1;
    c->full += *room == 0;
}

static inline void collectors_give_room(struct collectors *c, int *room)
{
    c->full -= *room == 0;
    *room += 1;
    c->freed++;
}

/* Its unit has taken the instruction of a collector. */
static inline void collectors_release(struct collectors *c, uint8_t id)
{
    c->free[c->free_count++] = id;
}

/* The cycle, after now, in which an instruction that only waits for its unit
 * can go on by itself. The load/store unit takes its next instruction when it
 * has done a step, which is a wake-up of its own. */
static inline uint64_t collectors_unit_wake(struct collectors *c,
                                            const struct collector *of)
{
    uint64_t now = c->core->now;
    uint64_t at = *units_first(&c->units, of->unit, of->scheduler, now);
    if (at > now)
        return at;
    return of->unit == UNIT_MEM ? UINT64_MAX : now + 1;
}

#endif
