/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks anywhere in the grid touch alike: of the lines of a crowd of them
 * each is looked for among those of all that lie far before it; and how long
 * they are on average. No cycles are walked, so that a crowd is one for all
 * GPUs whose lines and sectors are as long. */
#ifndef MODEL_CROWD_H
#define MODEL_CROWD_H

#include "model/along.h"
#include "model/block_insts.h"
#include "model/model.h"
#include "model/neighbours.h"
#include "model/placement.h"

/* Of first touches of blocks: how many; and as many times the chance that
 * another block, far away in the grid, touches the same, and that two do: none
 * where only neighbours do. And as many times the share that differs of what
 * all blocks touch first, at most: what their instructions reach, from the
 * first line to the last, is room for no more. */
struct alike {
    double touches, once, twice, room;
};

struct crowd {
    struct block_insts block_insts;
    struct along along;         /* by the beginnings of its blocks */
    struct alike lines, stored; /* of all lines; of those that are stored to */
    struct hot_lines hot;
    struct alike inst[]; /* [inst_count], of the sectors that an instruction
                            reads first */
};

/* Add so many first touches of a kind to others. */
void alike_add(struct alike *to, const struct alike *kind, double touches);

/* Of the lines of so many blocks, each block by itself, the share that differs:
 * some are of one block, others any two meet in with the same chance. */
double alike_distinct(const struct alike *kind, double blocks);

/* Blocks of a grid and of a row of it. */
struct grid_rows {
    double blocks, row;
};

/* SHARED_ROOM of sums over first touches, all of a kind; and SHARED_WIDE and
 * SHARED_WIDE_PAIRS, unless rows of the grid say more of what blocks share. */
void alike_set_wide(const struct alike *kind, const struct grid_rows *of,
                    double sum[SHARING_SUMS]);

#endif
