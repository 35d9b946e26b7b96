/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of the interval model that follow from neither the kernel nor the
 * machine, each with its unit and where it comes from. "Chosen" means chosen
 * and not measured. What calibration may change is in params.c. */
#ifndef MODEL_CONSTANTS_H
#define MODEL_CONSTANTS_H

/* ---- error of the model alone ------------------------------------------- */

/* Standard deviation of log cycles. Published interval models miss by 10 to
 * 14 % on average (GPUMech, MICRO 2014; GCoM, ISCA 2022), which with tails of
 * their size is about this. */
#define PRIOR_SIGMA 0.16
/* Beside it, of a grid that takes as long as its longest block does, which none
 * may have walked. Measured: of three GPUs a search whose longest block is 450
 * times the mean took 1.0, 1.9 and 2.5 times what the model says of it. */
#define LONGEST_SIGMA 0.5
/* And what the L1 leaves unsure, from such a change of the share of sectors
 * that it makes wait. Chosen. */
#define WAIT_MATTERS 0.01

/* ---- overlap of warps ---------------------------------------------------- */

/* Best of the grid search that gave the priors of beta (params.c: 80 random
 * kernels, m2090, against the cycle-level engine; the residual was not kept).
 * Phases at which a block's warps are still together after their start. */
#define START_PHASES 0.6
/* From the same search: share of one block's lock-step that shows among others
 * which advance with it. */
#define ALIGNED_SHARE 0.3
/* Newton's method for cycle times: steps at most, and the relative gap that is
 * near enough. Chosen. */
#define NEWTON_STEPS     6
#define NEWTON_TOLERANCE 1e-3

/* Waits for loads in which blocks of an SM whose warps do not take turns come
 * apart, so that one's warps load what they share between other blocks' warps.
 * Chosen. Measured: where the 256 threads of six blocks read four columns of 64
 * lines, on gtx480 with an L1 of 128, after 2, 4, 16 and 64 waits 96, 86, 48
 * and 33 % of what they share is found under gto that is under lrr. */
#define APART_WAITS 8

/* ---- time of a kernel --------------------------------------------------- */

/* Where warps advance together, so do blocks: how far they end one after the
 * other rather than in waves, as a share of that under other schedulers.
 * Chosen, half way. */
#define ALIGNED_STREAM 0.5
/* Cycles of a block from which on, where blocks begin and end together, SMs
 * differ by more in when they end than the blocks of an SM do: the share of the
 * variance that is between SMs is t / (t + this). Measured: of 20 kernels under
 * lrr on eight GPUs, each at three grids of 1.15 to 2.5 waves, SMs get at most
 * 0.21 times the blocks they hold more or fewer than that has it (root mean
 * square by kernel), 0.24 where all ends are chance; N-body, DXTC, tiled
 * products and MonteCarlo fill an SM before another gets a block. */
#define ALIKE_CYCLES 200000
/* Steps to the number of blocks that are handed out while one runs. Chosen. */
#define HELD_STEPS 4
/* A part of a block more on an SM matters from this share of its blocks on.
 * Chosen. */
#define ONE_BLOCK 0.005

/* ---- what is reported beside the time ------------------------------------ */

/* Of the issue slots that stay empty while a pipeline is the bottleneck, those
 * put down to it; the rest waits for results. Chosen. */
#define BOTTLENECK_STALLS 0.5

/* ---- survey of a kernel -------------------------------------------------- */

/* Warp instructions after which no further block is walked: some milliseconds.
 * Chosen, as are the numbers of blocks. */
#define STEP_BUDGET 300000
#define GROUPS      3  /* of neighbouring blocks */
#define SINGLES     8  /* single blocks, spread over the grid */
#define FAR         12 /* blocks to the far neighbours of a group's centre */
/* Warp instructions at the beginning of a block, which are all that is walked
 * of a long neighbour. */
#define BEGINNING_STEPS (STEP_BUDGET / 16)

/* Blocks whose warp instructions are counted, at most, and how many of them
 * after which no further one is: a third of a second. Chosen. */
#define COUNTED_BLOCKS 64
#define COUNTED_STEPS  4000000
/* ... of blocks that differ: a second. Of 1,024 blocks of a matching of image
 * parts 23 have nine tenths of the instructions. And what ends the counting of
 * blocks a few of which turn out to be far longer than all that were looked at
 * before; by how much the mean may be off then, as a share. Chosen. */
#define IRREGULAR_STEPS 16000000
#define COUNTED_MOST    32000000
#define SPENT_ERROR     1.0
/* Share by which blocks between two that are alike may differ from them, and
 * that of the grid's instructions below which what is not known between two is
 * enough: of a grid of like blocks every twentieth part has one. Chosen. */
#define COUNTED_ALIKE  0.02
#define COUNTED_ENOUGH 0.001
/* Standard errors by which a stretch of blocks is longer or shorter than all
 * where chance may have it so. Chosen: of sixths of eleven kernels, with three
 * seeds each, those of six kernels whose blocks differ in no order are less
 * apart, but for one by a hundredth of its length; those of a Mandelbrot set up
 * to 6.3. */
#define CHANCE_ERRORS 2.5
/* Equal parts of a grid whose blocks' lines are told apart, blocks of each that
 * are looked at, at least, and standard errors of a part's mean by which one of
 * them is off where chance has none so. All chosen: of 80 kernels of make
 * accuracy and make random four are off by as many, three of them by no more
 * than 3 % and a Mandelbrot set, whose long blocks store behind what is walked.
 */
#define ALONG_PARTS  16
#define ALONG_LEAST  2
#define ALONG_ERRORS 4
/* Blocks that are drawn first of those that differ all along the grid, and the
 * standard error of their mean up to which more are, as a share. Chosen: that
 * is little beside what intervals always have (calib/constants.h). */
#define DRAWN_FIRST 64
#define DRAWN_ERROR 0.004
/* Of blocks that seem to be alike some are drawn, too, by this share of the
 * steps that are left, where that is enough for so many. Chosen: of eight
 * blocks, one that is longer is missed in a third of the cases, by 64, as most
 * kernels have, in one of 5,000. */
#define CONFIRMED_SHARE 0.25
#define CONFIRMED_LEAST 8

/* Blocks anywhere in the grid that are compared with each other, at least; so
 * many as all that may be walked suffices for; and at most, as this share of it
 * suffices for. All chosen. */
#define CROWD_LEAST 8
#define CROWD_SOME  48
#define CROWD       512
#define CROWD_SHARE 0.25
/* As a share of the grid, how far two of them lie apart at least for what both
 * touch to be chance: neighbours touch the same for other reasons. Chosen. */
#define CROWD_APART 0.125
/* First touches of lines after which no further one is walked, and places of
 * lines at first. Both chosen. */
#define CROWD_TOUCHES 200000
#define CROWD_PLACES  4096
/* Pairs of them that must have a line in common for them to be those of all:
 * one pair may lie so to each other, out of a thousand. Chosen. */
#define CROWD_PAIRS 4

/* Lines are hot that so many of the crowd's blocks store to, as a share; of
 * more lines than so many all slices have about as many. Chosen. */
#define HOT_BLOCKS 0.5
#define HOT_LINES  4096

/* Phases that are kept apart; the lightest beyond them are merged. Chosen. */
#define PROFILE_PHASES 24

/* ---- DRAM ----------------------------------------------------------------
 */

/* Measured on one channel of the cycle-level engine alone, its queue kept full
 * with random requests (k20x, rtx2080ti, rtx3090 and v100; 1 to 80 % writes):
 * the bus turns when so many of the banks have run out of a kind, ... */
#define TURNING_BANKS (2 / 3.0)
/* ... and to a rare one when so many wait for it. */
#define WAITING_BANKS (2 / 9.0)
/* From the same: share of writes times that of reads from which rows and bus,
 * which by themselves overlap, take the cubic mean more than the longer. */
#define MIXED 0.09

/* ---- places in memory ---------------------------------------------------- */

/* Warps of an SM whose lines are in use at a time: as many as one holds from
 * Kepler on, but on Turing and Ada (CUDA C Programming Guide, technical
 * specifications by compute capability). */
#define PLACED_WARPS 64
/* Consecutive blocks whose rows are looked at, and lines of each at most.
 * Chosen. */
#define PLACED_BLOCKS 16
#define PLACED_LINES  1024
/* Sets of an L1 that hashes, as far as its lines spread over them. Chosen:
 * those of Fermi's, of which others have 4 to 64, so that profiles do not
 * depend on its size. */
#define HASHED_SETS 32

#endif
