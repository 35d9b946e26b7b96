/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What issuing an instruction does: its registers are marked, it goes to the
 * collectors, and so far as it is a branch, a barrier or the warp's last
 * instruction that takes effect. */
#ifndef SAMPLER_SM_ISSUE_H
#define SAMPLER_SM_ISSUE_H

#include "sampler/sm/blocks.h"
#include "sampler/sm/collectors.h"
#include "sampler/sm/core.h"
#include "sampler/sm/frontend.h"
#include "sampler/sm/ldst.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/scoreboard.h"

/* The parts that have to do with it. */
struct issue {
    struct sm_core *core;
    struct frontend *frontend;
    struct scoreboard *scoreboard;
    struct collectors *collectors;
    struct ldst *ldst;
    struct memory_ops *ops;
    struct blocks *blocks;
};

/* `scheduler` issues the next instruction of warp, which is free of hazards and
 * for which there is room. Where memory is out nothing is issued. */
void issue_next(const struct issue *u, int scheduler, int warp);

#endif
