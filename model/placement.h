/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How evenly the lines that are in use at a time fall on L2 slices, sets of the
 * caches and DRAM channels. */
#ifndef MODEL_PLACEMENT_H
#define MODEL_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* How the lines of a block fall on the sets of a cache of its SM. */
struct set_use {
    double crowding; /* as below */
    double across;   /* of one block's lines with another's: 1 where they fall
                      * anywhere, 0 where never in the same set */
    double uneven;   /* variance of the lines in a set, as a share of that of
                      * lines that fall anywhere, at most 1: 0 when each set
                      * has as many as the others */
};

/* Crowding: 1 when all places are used alike, n when only one of n is; places
 * can be thought of as fewer by that factor. */
struct placement {
    double slice;   /* by requests, so that few may crowd where all ask; of hot
                     * lines it is what the busiest slice has */
    double atomics; /* likewise, by those that a slice does one after another */
    double channel, set;
    struct set_use l1, texture;
    /* Share of requests that find another row open, when the channels serve
     * what is queued row by row. */
    double row_miss;
    double row_again; /* of those for lines that the L2 had and lost again */
};

/* A line a block touches, how often it asks the L2 for it, how many atomics the
 * L2 does there one after another, and by how many lines that moves to the next
 * block of the row and to the next row. */
struct moving_line {
    uint64_t line;
    uint32_t sent, serial;
    double right, below;
};

/* A line that most blocks of the grid store to, and how often some of them did:
 * it is the same for all, and no L1 keeps it from the L2. */
struct hot_line {
    uint64_t line;
    uint32_t sent;
};

struct hot_lines {
    struct hot_line *line;
    size_t count;
    double share; /* of all that blocks ask the L2 for */
};

struct moving_block {
    const struct moving_line *line;
    size_t lines;
    size_t at_a_time;     /* of them, those of the accesses that all warps make
                           * at a time */
    uint64_t row, column; /* blocks of a row of the grid; its place there */
    uint64_t blocks;      /* of the grid */
    uint64_t resident;    /* at a time */
    const struct hot_lines *hot; /* of the grid; NULL: none */
};

/* Of the lines (of g's L1 line size) that the block and some tens of those that
 * follow it touch; of the sets those of as many blocks as fill the L2. False
 * when out of memory. */
bool placement_measure(struct placement *out, const struct gpu *g,
                       const struct moving_block *b);

#endif
