/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many different lines there is room for where a kernel's instructions
 * reach: what all blocks touch there beyond that they share. */
#ifndef MODEL_ROOM_H
#define MODEL_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What some blocks touch with an instruction. */
struct reach {
    uint64_t first, end;   /* lines; end is behind the last, 0: none */
    double lines, sectors; /* first touches of a block, of all of them */
    /* Of those of all blocks the share that differs, at most: rooms_find(). */
    double lines_room, sectors_room;
};

void reach_to(struct reach *r, uint64_t line);

/* Blocks that were looked at, spread over a grid, and those of the grid. */
struct looked_at {
    double blocks, of;
};

/* Set the rooms of `count` instructions. Those whose lines lie among each
 * other's are in one room, of so many sectors a line; it ends as far beyond
 * what was seen as blocks lie apart. False when out of memory. */
bool rooms_find(struct reach *reach, size_t count, const struct looked_at *at,
                double line_sectors);

#endif
