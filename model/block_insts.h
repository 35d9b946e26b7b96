/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many warp instructions the blocks of a grid have: those of blocks past
 * the data, or whose work grows along the grid, a few others do not tell. */
#ifndef MODEL_BLOCK_INSTS_H
#define MODEL_BLOCK_INSTS_H

#include "base/error.h"
#include "kernels/form/kernel.h"
#include "model/constants.h"

/* A block whose warp instructions were counted. */
struct counted_block {
    uint64_t block;
    double insts, warp; /* of all its warps; of the longest of them */
};

struct block_insts {
    double mean;    /* warp instructions of a block; 0 where blocks are so long
                     * that fewer than three were counted */
    double error;   /* standard error of the mean, as a share of it; 0 where all
                     * blocks were counted, or what lies between those that were
                     * is hardly anything */
    double longest; /* of the longest warp that was counted, in mean lengths of
                     * the longest of a block: as many times as long is how its
                     * block takes; 0: as mean */
    uint64_t long_block; /* that has it, and how many warp instructions */
    double long_insts;
    int counted; /* blocks */
    /* By block: others are taken to lie on the line between two of them. */
    struct counted_block of[COUNTED_BLOCKS];
    int count;
};

/* By the trapezoidal rule over blocks that lie closest where they differ most,
 * and, where they differ all along the grid, by how far others that are drawn,
 * one of each equal part of it, are from that. Those of a period stand for the
 * ones that come again. False with e set on failure. */
bool block_insts_count(struct block_insts *out, const struct kernel *k,
                       uint64_t seed, struct error *e);

/* Of a stretch of blocks the mean, as a multiple of all blocks'; 1 where chance
 * may have it as far from that, by those counted there (CHANCE_ERRORS). */
double block_insts_share(const struct block_insts *b, uint64_t first,
                         uint64_t count);

#endif
