/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the blocks of a grid have to do with each other's lines, in numbers of
 * blocks. */
#ifndef MODEL_SHARED_LINES_H
#define MODEL_SHARED_LINES_H

#include "model/neighbours.h"

struct shared_lines {
    double blocks;
    double row; /* blocks in a row of the grid */
    /* Of a block's lines; of SHARED_WIDE the lines of which any other block
     * touches each with the chance `by_chance`; of SHARED_ROOM those that
     * others must touch, since there is no room for as many. */
    double share[SHARING_SUMS];
    double by_chance;
    /* Of SHARED_MIDDLE the lines that may be touched so, each by the block FAR
     * blocks away with the chance `middle`. */
    double middle;
    double crammed; /* likewise of SHARED_ROOM, by any other block */
};

/* Of first touches, those that neighbours do not explain. */
double shared_left(const double sum[SHARING_SUMS]);

/* The chance that the block FAR blocks away touches what a block does, of the
 * share `open` of what is left; 0 where remote ones do about as often. */
double shared_in_middle_by(const double sum[SHARING_SUMS], double open);

/* Of n successive blocks before one, the mean number that touch what it does
 * where the one FAR blocks away does with a chance of q: those nearer as well,
 * those beyond less and less often: in a mesh whose compact groups are numbered
 * together, links longer than d leave groups of d by their surface, which in
 * space are d^(2/3) of all d. */
double shared_in_middle(double q, double n);

/* Of what a block touches so, the share that another of a window's blocks came
 * to first: of all that touch it one does not find it. */
double shared_again_in_middle(double q, double window);

/* Of first touches, those that neither neighbours nor chance explain, where
 * there is no room for as many different ones (SHARED_ROOM): they become
 * sum[SHARED_ROOM], else 0. How many of the other blocks touch the same. */
double shared_crammed(double sum[SHARING_SUMS]);

/* Of what n other blocks touch as well, at any time, the share that another one
 * came to first. */
double shared_again(double n);

/* Of those that sum[] leaves to chance at most the share `open`, 0 to 1, and
 * `open_middle` of those that blocks in the middle touch. */
void shared_lines_set(struct shared_lines *s, const double sum[SHARING_SUMS],
                      double open, double open_middle, double blocks,
                      double row);

/* Of first touches: the chance with which any other block touches the same, for
 * those of which it does at all. These are a share of all first touches: as
 * many, and as many pairs, as were seen. 0 when none was. */
double shared_by_chance(const double sum[SHARING_SUMS], double open);

/* Blocks, far from each other in the grid and each with `block_lines` lines,
 * that touch `lines` together: INFINITY where all never do. */
double shared_lines_apart(const struct shared_lines *s, double block_lines,
                          double lines);

/* Lines that each of `blocks` blocks, far from each other in the grid and each
 * with `block_lines` lines, has touched when all have gone as far and touched
 * `lines` together; `copies` times its own are those of them that are not
 * touched by chance. */
double shared_lines_beside(const struct shared_lines *s, double blocks,
                           double copies, double block_lines, double lines);

/* Lines that a block adds to those of a window of successive blocks, as a share
 * of its lines. */
double shared_lines_own(const struct shared_lines *s, double window);

#endif
