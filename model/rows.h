/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows in grids of one dimension: blocks that go through an image row by row
 * touch lines again that blocks a row before did. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "model/moves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *row becomes the blocks of a row, by the first accesses of a block and those
 * of the next block, `count` each: after as many most accesses come to where
 * others of the block were; 0 where none do before half of all `blocks`. False
 * when out of memory. */
bool rows_find(uint64_t *row, const struct access *here,
               const struct access *next, size_t count, uint64_t blocks);

#endif
