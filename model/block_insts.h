/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many warp instructions the blocks of a grid have: those of blocks past
 * the data, or whose work grows along the grid, a few others do not tell. */
#ifndef MODEL_BLOCK_INSTS_H
#define MODEL_BLOCK_INSTS_H

#include "base/error.h"
#include "kernels/form/kernel.h"

/* Warp instructions of an average block, by the trapezoidal rule over blocks
 * that lie closest where they differ most; 0 where blocks are so long that
 * fewer than three were counted. False with e set on failure. */
bool block_insts_mean(double *out, const struct kernel *k, struct error *e);

#endif
