/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By how much what a block accesses moves to another block. */
#ifndef MODEL_MOVES_H
#define MODEL_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An access: its address, and the instruction and warp it is of. */
struct access {
    uint64_t address;
    uint32_t inst, warp;
};

/* move[i] becomes by how many bytes access i of the one block moves to the
 * other. Accesses are the same one where they are the first, second, ... of the
 * same warp by the same instruction; what the other block does not do moves as
 * the last one before it that it does, of the same instruction as far as there
 * is one. 0 where it does nothing. False when out of memory. */
bool moves_find(double *move, const struct access *from, size_t count,
                const struct access *to, size_t to_count);

#endif
