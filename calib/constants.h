/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of calibration that follow from neither kernel nor machine, each with
 * its unit and where it comes from. "Chosen" means chosen and not measured.
 * "Measured" is by make accuracy on a part of the development half of its draw
 * (102 to 126 points, two policies a kernel, 2026-11-22), by the rule that nine
 * in ten lie within the 90 % interval. */
#ifndef CALIB_CONSTANTS_H
#define CALIB_CONSTANTS_H

/* ---- windows: which blocks a sample runs --------------------------------- */

/* Before a rate is measured so many waves pass, and so many warp instructions
 * of each SM: until blocks that begin in their middle have ended once their
 * warps stand side by side and nothing is on its way to them, and caches,
 * queues and the order in which warps are take longer where blocks are short.
 * Measured: half a wave errs by 5.3 % on average, a whole one by 2.6 where
 * blocks begin spread evenly over their instructions; by their course
 * (course.h) both by 1.5, but of FWT on v100 by 3.7 and 1.8. So many
 * instructions, of short blocks, err by 2.3 in place of 3.2. */
#define SETTLE_WAVES 1
#define SETTLE_INSTS 4000
/* ... but no more than this share of a window that a budget cuts short. Chosen:
 * between what settled windows of the lengths above and below take. */
#define SETTLE_SHARE 0.4
/* Waves that are measured: whole ones, since blocks that are in step use the
 * machine in turns. Warp instructions of each SM, at least. Measured: two waves
 * err by 3.2 % on average, three by 2.6, four by 2.4. Where the error asked for
 * takes fewer, as many whole ones, and instructions, as it takes. By half as
 * many instructions 82 and 76 % of the differences beyond 2 % are said so, by
 * these 85 % (development and judging half); the default sweep takes 6 % more
 * of them. */
#define MEASURED_WAVES 3
#define MEASURED_INSTS 12000
/* Waves that are measured beside them, as a share, where the parts of a window
 * differ by more than leaves the error asked for; by default where they take so
 * much more than another window may, too. Chosen: without those SRAD on v100
 * with 48 to 80 SMs is 2.0 % off, with them 1.8. */
#define MORE_WAVES 0.5
/* Share of the error asked for that windows aim at: parts that differ take the
 * rest. Chosen: with the default error they are two waves, three of grids of
 * fewer than thirteen. */
#define AIM 0.8
/* Waves. Of so many measured, and more, a sample tells the shares of a row, its
 * misses and stalls, too; of fewer, in which blocks hardly begin and end, the
 * model does. Chosen: brief middles measure up to a fifth of a wave, and have
 * 0.89 of MonteCarlo's accesses miss the L2 on v100, of which 0.04 do (the
 * model: 0.01); windows of one wave and more are within 0.03. */
#define SHARES_WAVES 0.5
/* Warp instructions. A window of fewer says nothing, and is not run. Chosen. */
#define WORTH_INSTS 5000
/* Nor is one whose deviation is so many times the model's: it would take a
 * tenth off the interval. Chosen: at 1 what samples of two points say of their
 * difference is lost. */
#define WORTH_DEVIATION 2
/* Waves. A grid of fewer begins and ends more than it goes on. Measured: at 6.5
 * waves what a budget leaves of a window errs by 6 to 9 %, at 9 by 1 to 3. */
#define FEW_WAVES 8
/* ... so that a whole one is worth as many warp instructions by default.
 * Chosen: they take three seconds. */
#define FEW_WAVES_INSTS 6e6
/* ... and so many times as many where of the lines that a block touches so
 * small a share is its own: how SMs contend for the lines that all of them
 * need, or spare each other the way to DRAM, no slice shows. Chosen: five
 * seconds; of sixteen kernels of few waves five have 2 to 11 % of their lines
 * for themselves, the others 33 and more. */
#define SHARED_WORTH   1.5
#define SHARED_PRIVATE 0.2
/* ... or where the busiest slices of the L2 get so many times what all do: SMs
 * wait for each other there, of which a slice of the GPU has fewer. Chosen. */
#define CROWDED_SLICES 2
/* Of many heavy waves of such blocks the start of the grid is run where it is
 * so many waves and more. Measured: 32 points of CFD, DXTC and both matrix
 * products at their own grids on k20x, t4 and titanx err by 4.2 %, on slices by
 * 6.6. */
#define SHARED_WAVES 2
/* A heavier one has so much of it run on the whole GPU, and so much on a slice
 * beside it, where both take no more than that and than so many times what
 * another window may take; or else as much less, down to a seventh, of which a
 * slice of one SM leaves the start a fifth; or else only a start, within what
 * another window may take. Measured: of fifteen kernels of 7 million warp
 * instructions, of 0.1 to 5.7 waves on seven GPUs, that tells the time of
 * eleven within 1.5 %, and to 2.5, 3.2, 12 and 16 % that of the others; two
 * fifths of the grid alone were up to 64 % off. Of 20 million, on slices of one
 * or two SMs, it tells that of Heartwall on gtx480 and TPACF on titanx within 2
 * %, of which the model is 10 to 25 % off. */
#define START_SHARE 0.2
#define SLICE_SHARE 0.25
#define START_CAPS  4
#define SLICE_LEAST 0.15
#define START_LEAST 0.2
/* Where what the L1s hold is unsure by so many log cycles (model_reuse) a start
 * of less than a wave whose parts differ by a standard error above this goes on
 * to the wave's end, or for so many times what it and its slice may take: it
 * may have left by then what it began with. The last part of it tells of the
 * rest, up to where other blocks begin, and no slice, which leaves that at
 * another time. All chosen, the tenth by three points of K-means by rows under
 * gto, on a10, rtx4090 and v100, whose L1s thrash when the grid begins: their
 * parts differ by 0.14 to 0.20, and slices were wrong by 50 to 230 % there. On
 * l4 and rtx2080ti they differ by less, and a slice tells: 7 and 53 % off. */
#define REUSE_MATTERS 0.2
#define START_UNEVEN  0.1
#define UNSTEADY_CAPS 2
#define UNSTEADY_LAST (1 / 3.0)

/* ... or, from so many waves on, of what both may take so much is run of the
 * start, and so much of the middle, and of one SM all of its share of the grid,
 * or two of its own waves where they are many: from which the GPU's are told as
 * from slices (SLICE_LASTS). Measured: 26 points of DXTC, MonteCarlo and three
 * matrix products, of 2 to 7 waves on ten GPUs, are 4.8 % off on average, and
 * 6.4 where the SM runs two waves; differences of eleven pairs of policies are
 * 4.2 and 7.6 % off (root mean square). That SMs may have more of the last
 * blocks than that one (waves.h) is left out: with it MonteCarlo under tlrr on
 * m2090 is 7 % off in place of 0, an expectation over Gaussians on rtx3090 34
 * and 0. Six of SGEMM by registers, of 8 to 10 waves on gtx480, m2090 and k20x,
 * are 3.6 % off, and 9.7 by a slice in the middle. That the GPU is the faster
 * one of what is measured is left out, too: with it 44 points of such kernels
 * by starts of a twentieth of a wave are 18 % off in place of 9.3 (root mean
 * square), 34 by starts of a tenth to a third 6.1 in place of 6.2. */
#define BRIEF_WAVES  2
#define BRIEF_START  0.1
#define BRIEF_MIDDLE 0.2
/* A start and a slice beside it, as of few waves, take the place of a slice
 * that would be a smaller share of the GPU and run heavy waves in the middle.
 * Chosen. Measured: six points of K-means by rows on m2090 and of an FFT on
 * titanx err by 4.1 % on average, by slices of one SM in the middle 7.0; of 28
 * whose slices are larger the one errs by 2.2 and the other by 2.6 %, at a
 * third of the cost. */
#define SLICE_MIDDLE_LEAST 0.125
/* Of a start the rate of all but the first part is taken for the rest. Chosen.
 */
#define START_UNCOUNTED 0.4
/* Waves that are measured at most: longer windows tell nothing that this error
 * would show. Chosen. */
#define MOST_WAVES 32
/* A whole grid is run where it takes no more than so many times a window.
 * Chosen: it has no error. */
#define WHOLE_GRID 1.5
/* Warp instructions of blocks before a window that are looked at, at most, for
 * what they leave in the L2. Each takes a fiftieth of the time of one that is
 * run. Chosen. */
#define WARM_INSTS 64e6
/* Log cycles by which a grid whose stores all go on to DRAM takes longer than
 * one whose L2 keeps them, from which on the rate before the L2 is full of them
 * is measured by itself, of a grid of which that is so large a share; and how
 * far behind it, as a share, the window begins. All chosen. */
#define FILLED_MATTERS 0.05
#define FILLED_LEAST   0.1
#define FILLED_BEHIND  1.15
/* The start of a grid is run as well: as many waves, and warp instructions of
 * each SM, as its caches and its blocks, all in step, make slower than others.
 * Measured: it takes 0.35 waves more than at the steady rate, 0.4 more or less.
 * Of a grid so many times as long it no longer matters. Chosen. */
#define START_WAVES 1
#define START_INSTS 3000
#define START_EXTRA 0.35
#define MANY_STARTS 60
/* It is as many blocks, too, as have other addresses than those before them, up
 * to this share of the grid. Chosen. */
#define START_PERIOD 0.25
/* ... and of so many times it the first wave, which it is run to the end of,
 * may take: where some of its blocks are far longer than others. Chosen. */
#define START_MOST 2
/* Waves that are measured of blocks in step, at least. Measured: of a part of a
 * wave FWT under lrr on v100 errs by 17 %, by this 3; two waves right behind
 * the first one err by 15 % for SRAD. */
#define IN_STEP_WAVES 2
/* ... where with the start they take no more than so many times what another
 * window may take. Chosen: K-means on m2090 takes four times as much, which
 * changes its answer by 2 %. */
#define IN_STEP_CAPS 3
/* Deviation, in blocks, of the places of blocks that began together. From the
 * first on they may as well be anywhere: their coherence, exp(-2 (pi d)^2), is
 * 1 %. Up to the second they are measured by whole waves: it is a half. Both
 * chosen. Measured: where in step blocks are halfway through a grid is as the
 * first wave's times have it, with a coherence of 0.35 and 0.28 in place of
 * 0.46 and 0.27 (B+tree on titanx, SRAD on k20x, blocks of 6,000 and 1,000
 * cycles). Nor are blocks nearer than they are launched one after another;
 * chosen. */
#define APART_LEAST    0.001
#define APART_ANYWHERE 0.5
#define APART_IN_STEP  0.19
/* Blocks of an SM are as far from each other as all blocks are, unless their
 * times in the first wave spread by less than so much of all blocks' spread.
 * Then they stay that near for so many waves, after which they have driven each
 * other to places that no first wave tells; but where warps take turns they
 * stay within so much of where they are on average. The first two chosen.
 * Measured: 50 to 100 waves on the coherence of an SM's blocks is 0.5 for BP-K1
 * on t4 and BP-K2 on m2090 under lrr, 0.7 for DWT on t4 after 11, of all blocks
 * 0; under gto it is -0.5, 0 and -1, and -0.3 to 0.5 of SRAD-1 to SRAD-4 on
 * m2090 and LUD on k20x: 207 points err by 1.18 % on average with each block
 * apart from the others, which is 0, and by 1.25 with them spread as evenly as
 * they can be, which is the least. BP-K1 and BP-K2 take 8 and 6 % longer under
 * lrr than spread evenly. SRAD-4's on titanx under tlgto, alike in the first
 * wave, are in turns after 16. */
#define APART_ALIKE       0.85
#define APART_ALIKE_WAVES 16
#define APART_IN_TURNS    0.13
/* Warp instructions of an SM in which a policy that learns does so before its
 * window, on one SM, at most. Measured: CFD on m2090 slows down for the first
 * 57,000 under cawa. */
#define LEARN_INSTS 60000
/* Share of their instructions that resident blocks have issued, of blocks that
 * are not in step, where a window is too short to see it. */
#define END_WAVES 0.5

/* ---- how far off that is --------------------------------------------------
 */

/* Errors have longer tails than the normal distribution: nine in ten are within
 * so many times what is nine tenths of a normal one of the deviations below.
 * Measured: of 367 sampled points of the development halves of make accuracy 90
 * % lie within 0.895 times that (of 329 of the judging halves, within 0.64). */
#define ERROR_TAILS 0.9

/* Deviations of log cycles: of 266 sampled points of the development half and
 * of its kernels at grids of 600 to 6,000 blocks 95 % hold. The likeliest, each
 * kernel with the root of its points, are 0.008, 0.025, 0 and 0.27, but these
 * are few kernels: with 0.025 in the second place 94 % of the points of the one
 * half hold and 83 % of the other. So they are as wide as those of windows
 * whose L2 was warmed in another order. Of two waves it is 2.5 %, and the
 * points err by 1.9 % (root mean square). Always ... */
#define ERROR_ALWAYS 0.008
/* ... of a window of one wave, falling with the root of its waves, and rising
 * with less than one: blocks then still run what they began in ... */
#define ERROR_WAVE 0.031
/* ... where two or three whole ones are measured, which differ from each other
 * by the rest of that: all of what their parts show counts. Measured: of 284
 * such windows of make accuracy 92 and 97 % hold (development and judging
 * half), at the same width as with ERROR_WAVE and ERROR_PARTS; of 23 of other
 * programs 74 % in place of 65. */
#define ERROR_WAVE_COMPARED 0.02
/* ... of a grid of one wave, falling with its waves. */
#define ERROR_ENDS 0.1
/* Waves that the grid's end takes longer for each mean length by which its
 * longest block is longer than the mean, since some blocks run on when most SMs
 * have none; and how many more, or fewer. No slice is long enough to show them
 * all. Measured: four points of Gaussian splats by tiles (3.8 mean lengths; l4,
 * rtx2080ti) take 0.13 to 0.29. */
#define LONGEST_WAVES  0.2
#define LONGEST_UNSURE 0.1
/* A block that is so many times as long as the grid's waves, of mean blocks, is
 * run by itself, and those do not count. Chosen. Measured: a checksum whose
 * last block takes what is left, 14 mean lengths of 0.6 waves, is 1 to 8 % off
 * on t4, gtx480 and h200, and 21 to 66 % without. */
#define LONG_BLOCK 2
/* What the whole GPU takes longer than its slice at the start, to this power,
 * it takes longer of the rest. Measured: of matrix products without tiles (t4,
 * 2 times as slow at the start and 1.4 of the rest) it is 0.4, of tiled ones
 * (a10, h100) between 0 and 1, of nine other kernels, 1 to 5 % slower, 0.4 of
 * what they are; where it is 5 to 10 % faster, of K-means on titanx, rtx3090
 * and v100 between -0.2 and 1.3, of its nine points 0.5 on average. */
#define SLICE_LASTS 0.4
/* ... of a start beside which a slice has run its share of the grid, and so
 * much of what the rest would be apart if both were there as they are beside
 * each other. Measured: of the fifteen of SLICE_SHARE nine within 2 % err by
 * 0.8 % (root mean square), two of the others by more than this share, the rest
 * by less; eight points of K-means of 20 million warp instructions on v100 and
 * rtx3090 err by 4.9 %, which with those nine is this. ... or if behind a brief
 * start the GPU took no longer than the SM. Measured: of eleven points of which
 * that makes a tenth or more, by starts of a fiftieth to a sixth of a wave,
 * seven err by less than this share of it, three of CFD and K-means by rows,
 * whose caches are cold when the grid begins, by 1.1 to 1.9 times it, and one
 * of BT-K1 by 1.2 times it to the other side. */
#define ERROR_SLICE       0.035
#define ERROR_SLICE_APART 0.7
/* ... of the end of the grid behind such a slice, where its blocks are in step:
 * by so much of a wave some SMs are fuller in the last one, or emptier, than
 * the model has it, but by no more than it has them fuller than the slice.
 * Measured: ALIKE_CYCLES of the model. */
#define ERROR_FULLER 0.21
/* ... of the last of all SMs to end there, as a share of the cycles by which it
 * is later than the last of the slice's. Chosen: of eight slices of programs of
 * unequal blocks it was -0.4 to 3.8 times as much later, 1.8 in the median. */
#define ERROR_LATER_END 0.5
/* ... where its blocks share their lines. Measured: of those five kernels three
 * err by up to 6 %, MonteCarlo by 0 to 16, matrix products without tiles by 15
 * to 37, which is 0.19 (root mean square of each kernel's most). */
#define ERROR_SLICE_SHARED 0.19
/* ... of a brief start and a middle. Measured: of the 26 points of BRIEF_WAVES,
 * which err by 6.5 % (root mean square), 23 lie within the 90 % interval of
 * this. */
#define ERROR_BRIEF 0.08
/* ... of a start, the share by which it is above the least that the model has
 * of the point by what its L1s may hold (model_reuse). Measured: of nine points
 * of K-means by rows on v100, l4 and a10 that are above it by 0.14 to 1.8, all
 * of whose L1s thrash when the grid begins, one is 1.2 off and the others 0.02
 * to 0.34, which is this (root mean square). */
#define ERROR_REUSE 0.5
/* ... of a start of blocks that share their lines. Measured: the 32 points of
 * SHARED_WAVES err by 5.1 % (root mean square), of which their waves and parts
 * tell of 3. */
#define ERROR_START_SHARED 0.04
/* ... of a slice that runs a window in the middle, and the share of what the
 * model has it and the whole GPU apart that is taken off, and may be off.
 * Measured: of 29 points of five kernels of heavy waves (6 to 99 M warp
 * instructions, on m2090, k20x, titanx and t4), which the model has alike, 22
 * lie within 5 %, 26 within 5.5; three of K-means by rows on m2090 are 7 to 10
 * % off. Of MonteCarlo on k20x, whose blocks all read the same, the model has
 * 28 % and the engine 34; of CFD on t4 26 and 7. */
#define ERROR_SLICE_MIDDLE 0.025
#define SLICE_MODEL_SHARE  0.5
/* ... of a block count between two that were sampled, halfway, with what falls
 * with the waves of its grid, since the last blocks fill SMs otherwise, and a
 * share of what the two are apart from the model. */
#define ERROR_BETWEEN       0.0233
#define ERROR_BETWEEN_ENDS  0.152
#define ERROR_BETWEEN_SHARE 0.385
/* ... and so many times the standard error that the parts of a window, or a
 * start, show. */
#define ERROR_PARTS 0.36
/* ... all of it where waves are compared, or where each of the parts is so many
 * waves: those of fewer differ by what blocks of a wave do in turns, which is
 * in all of them. Chosen. Measured: 26 windows of twelve waves and more, of
 * seven kernels and 8,000 warp instructions of each SM, err by 0.97 times what
 * their parts show (root mean square): Gaussian elimination, whose speed
 * changes from column to column, by 3 to 16 %, the others by less than 1. */
#define PART_WAVES 2
/* ... and as much as the blocks of a window have more or fewer instructions
 * than those of the grid, from this share on: whether time goes with
 * instructions or with blocks the window does not tell. Chosen. */
#define UNEVEN_LEAST 0.1
/* ... so that a whole grid of those is worth so many times as much as one of
 * few waves. Chosen: six seconds. A Mandelbrot set on a100, h200 and titanx was
 * up to 18 % off by the model, which its windows left it to. */
#define UNEVEN_WORTH 2
/* An L2 is as full of stores as the model says with so many times its lines, or
 * as few: half the difference is a deviation. Measured: on a100 BP-K2
 * slows down between 0.98 and 1.1 times as many blocks as the model has it. */
#define L2_FILLED 1.1
/* ... and where the rate on the other side of that is by the model, the share
 * of what it has them apart that may be off, as that of slices. Chosen. */
#define FILLED_MODEL_SHARE 0.5
/* A block count between two is sampled where its deviation is so many times
 * that of a sample. Chosen. */
#define WORTH_SAMPLING 1.1
/* ... or where it runs a whole grid of no more warp instructions. Chosen: they
 * take a quarter of a second. */
#define SMALL_GRID_INSTS 500000
/* Correlation of the errors of two policies at one point, over the same
 * blocks, where their parts say no more of it. Measured: with it and with what
 * follows 90 % of 208 differences of the same kernels, and of three more at
 * such grids, lie within their 90 % intervals. */
#define SAMPLE_PAIR_CORRELATION 0.5
/* ... which their windows may know better: the standard error that the ratios
 * of their parts show, and what is always left. Measured: of 246 differences of
 * the development halves of make accuracy 89 % lie within their 90 % intervals,
 * as many as with 1.25 times that error and 0.003, which makes them 6 % wider.
 * Or, of slices, what is left beside ERROR_SLICE_APART of how much farther one
 * is from its start than the other: of 47 differences of ten of the fifteen
 * kernels of SLICE_SHARE 43 lie within their intervals. */
#define PAIR_ALWAYS 0.004
#define PAIR_SLICE  0.01
/* ... and of brief starts: of thirteen differences of five kernels twelve lie
 * within their intervals. */
#define PAIR_BRIEF 0.025

/* ---- applications ----------------------------------------------------------
 */

/* Warp instructions up to which an application is run whole by default. Chosen:
 * they take three to five seconds. */
#define APPLICATION_WHOLE 10e6
/* Those that samples of its launches may take, each in the launch's share of
 * its instructions, as least error in all has it where each falls with the root
 * of what a sample takes. Chosen: four heavy windows. */
#define APPLICATION_INSTS 24e6
/* Logs of blocks, and of warp instructions, by which launches of a kernel
 * differ that one stands for. Chosen. */
#define LAUNCHES_ALIKE 0.1
/* Warp instructions of the launches before one that are looked at: as a
 * multiple of those that a sample of it may take, and at least, so that an L2
 * is full of what small launches touch. Chosen: they take as long as a third of
 * the sample to all of it; by a tenth of the least 3-D convolution is 9 % too
 * fast. */
#define BEFORE_TIMES 4
#define BEFORE_LEAST 4e6
/* Correlation of how far off different launches are told. Chosen. */
#define LAUNCH_CORRELATION 0.5
/* Deviation of the log cycles of an application that is taken apart, beside
 * those of its launches, and of a difference of two policies: by launches that
 * stand for others and what is known of the caches they find. Measured: of six
 * on v100, whose launches are run whole or nearly (MRI-Q, 3-D convolution, and
 * SRAD, K-means, LUD and work stealing of the reuse study), five are within 2 %
 * of their own whole runs and work stealing, whose launches differ in their
 * longest blocks, 5.4 off, 2.5 % (root mean square); differences 0.9. */
#define ERROR_LAUNCHES 0.03
#define PAIR_LAUNCHES  0.01

/* ---- many GPUs by the model alone -----------------------------------------
 */

/* GPUs of a kernel of which each still has a profile of its own, and latencies
 * of memory among them that have. Chosen. */
#define DESIGNS_EXACT    64
#define DESIGN_LATENCIES 4
/* Latencies for which profiles are made, each so many times the one below.
 * Measured: 2,000 designs (41 to 80 SMs, 100 to 1,080 GB/s) of six kernels on
 * two GPUs are at most 0.4 % from those with a profile of their own, with 1.1
 * 0.2 % and with 1.3 0.8 %. */
#define DESIGN_SPACING 1.2
/* GPUs that one thread does with the same profiles. Chosen. */
#define DESIGN_PIECE 4096
/* Profiles kept between calls, of about 100 KB each, and crowds, of a few.
 * Chosen. */
#define POOL_PROFILES 640
#define POOL_CROWDS   640

/* ---- many GPUs of which some are sampled ----------------------------------
 */

/* Points of a kernel under a policy by which others are told, at most. Chosen:
 * their correlations take a second to fit. */
#define EXPLORE_KNOWN 512
/* Of what is confirmed: the error asked for, percent, and instructions that its
 * samples may take, times those of others. Chosen: so that a window takes a few
 * seconds at most. */
#define CONFIRM_ERROR_PCT 2
#define CONFIRM_CAPS      4

/* ---- streams that samples share -------------------------------------------
 */

/* Of a kernel's blocks, and of one of them, at most. Chosen: with some ten
 * bytes a warp instruction the longest window fits, and a block that is longer
 * than half a million is seldom run twice. */
#define STREAMS_BYTES       (16 << 20)
#define STREAMS_BLOCK_BYTES (4 << 20)

/* ---- what a run takes ------------------------------------------------------
 */

/* Warp instructions a second and thread. Measured: bench/speed. */
#define INSTS_A_SECOND 2e6
/* A transaction takes as long as so many. Measured: of 27 bundled kernels on
 * v100 2.2 million a second without any, 1.0 with a third of one each (CFD),
 * 0.25 with 3.5 (K-means by rows). */
#define TRANSACTION_INSTS 2
/* Seconds of a kernel's profile. Measured: the 14 default kernels. */
#define PROFILE_SECONDS 0.1

/* ---- intervals ----------------------------------------------------------- */

/* Correlation of the model's errors for two policies at one point, before any
 * sample. Chosen. */
#define MODEL_PAIR_CORRELATION 0.9

#endif
