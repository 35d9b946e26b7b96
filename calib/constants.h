/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of calibration that follow from neither kernel nor machine, each with
 * its unit and where it comes from. "Chosen" means chosen and not measured.
 * "The slice runs" are those of 2026-11-22: slices of 1, 2, 4 and 8 SMs over 3
 * to 18 waves against the whole m2090, 24 bundled kernels at three block counts
 * under three policies. Their command and residuals were not kept. */
#ifndef CALIB_CONSTANTS_H
#define CALIB_CONSTANTS_H

/* ---- windows: which blocks a sample runs, and on how many SMs ------------ */

/* Waves. A share of so many has a tail (at most one wave of it is not at full
 * throughput) that weighs about a percent: it need not be run. Chosen. */
#define STREAM_WAVES 64
/* Waves. A grid of fewer has no steady state ... */
#define FEW_WAVES 2
/* ... so that full detail is worth this many times what another sample may
 * take. Chosen. */
#define FEW_WAVES_COST 4
/* Waves of a window that is cut from a share: the first fills the machine and
 * the last drains it. */
#define LEAST_WAVES 3
/* Waves that a larger slice must keep: with so many the start-up of caches and
 * the drain weigh little. Chosen. */
#define ENOUGH_WAVES 8
/* Of a GPU's SMs a slice has at most one in so many. Chosen; by the slice runs
 * two SMs miss two thirds of what one misses, four less than half. */
#define GPU_TO_SLICE 4

/* ---- one sample ---------------------------------------------------------- */

/* A sample's own error, as a share of the interval asked for. Chosen. */
#define SAMPLE_ERROR_SHARE 0.25
/* A stream is looked at again when it is so many times as long. Chosen. */
#define LOOK_GROWTH 1.25
/* Error probability of the stop rule, all looks together. Chosen, the usual
 * one. */
#define STOP_ALPHA 0.05

/* ---- which points are sampled -------------------------------------------- */

/* Share of the budget for the first block counts. Chosen. */
#define FIRST_SHARE 0.7
/* Block counts of the first round at most. Chosen. */
#define MAX_FIRST 16
/* A block count without samples is sampled when its interval is so many times
 * as wide as those of block counts with samples ... Chosen. */
#define WORTH_SAMPLING 1.25
/* ... or so many times as wide as asked for and nothing else helps. Chosen. */
#define FAR_TOO_WIDE 2
/* Times a default budget may be exceeded by the shortest samples of the first
 * block counts: a few kernels have very long blocks. Chosen. */
#define MOST_STRETCH 3
/* Full runs of a block count in one round. Chosen. */
#define FULL_RUNS 2

/* ---- fit of the model's parameters --------------------------------------- */

/* Deviations of the data rows: how far the model may be off by its own
 * simplifications. That of log cycles is the goal for the model alone. The
 * others say where a mismatch comes from and must not outweigh the time, so
 * that theirs are wider. Chosen. */
#define CYCLES_SIGMA 0.10 /* log cycles */
#define MISS_SIGMA   0.20 /* shares of L1 and L2 accesses that miss */
#define DRAM_SIGMA   0.30 /* log of 1 + DRAM bytes a warp instruction */
#define STALL_SIGMA  0.30 /* shares of issue slots */
/* Starts of the fit to all samples; the deviations of the prior within which
 * they lie. Chosen. */
#define FIT_STARTS   4
#define START_SPREAD 1.5
/* The solver's iterations, and its relative tolerance. Chosen. */
#define FIT_ITERATIONS 40
#define FIT_TOLERANCE  1e-6
/* A parameter stayed at its prior when so much of the prior's deviation is
 * left. Chosen. */
#define AT_PRIOR_SHARE 0.9
/* Share of a parameter's range that starts keep from its bounds. Chosen. */
#define LOGIT_MARGIN 1e-4

/* ---- what a slice of the GPU misses -------------------------------------- */

/* Deviations of log cycles, of the slice runs, by the rule that nine in ten lie
 * within the 90 % interval (predict.c has the formulas): what all policies have
 * in common, and its part that goes away with more waves ... */
#define BIAS_COMMON      0.064
#define BIAS_COMMON_WAVE 0.05
/* ... and what is a policy's own, which does, too. */
#define BIAS_OWN      0.005
#define BIAS_OWN_WAVE 0.1
/* Waves below which neither grows any more. Chosen. */
#define BIAS_LEAST_WAVES 2
/* Length in log(tb) over which that changes. The 24 kernels on the m2090,
 * 2026-11-20: correlation 0.6 at a distance of 0.7, nothing at 1.7. */
#define BIAS_LENGTH 0.7

/* ---- what the fitted model leaves over ----------------------------------- */

/* Prior of the residual's shape: medians and the deviations of their logs, so
 * wide that a fifth to five times the median lies within two deviations.
 * Chosen. */
#define COMMON_MEDIAN 0.10 /* deviation of log cycles, common to policies */
#define COMMON_LOG_SD 0.8
#define OWN_MEDIAN    0.06 /* deviation of log cycles, a policy's own */
#define OWN_LOG_SD    0.8
#define LENGTH_MEDIAN 1.0 /* correlation length in log(tb) */
#define LENGTH_LOG_SD 0.5
/* Deviation of a factor common to all points, log cycles. Chosen, above that of
 * the model alone. */
#define OFFSET_SD 0.3
/* Share of a policy's own part that is the same at every block count. Chosen.
 */
#define OWN_CONSTANT 0.5
/* A point differs from its neighbours for no smooth reason: a little always
 * (bank and set conflicts), and by how the grid falls into waves, which a part
 * of a wave more or less changes. Deviations of log cycles; the second is
 * divided by the number of waves. Chosen. */
#define ROUGHNESS      0.005
#define WAVE_ROUGHNESS 0.06
/* Variance added so that exact points do not make the covariance singular. */
#define JITTER 1e-9
/* The search for the shape: steps at most, the first one in log shape, and the
 * size of the simplex that is small enough. Chosen. */
#define SHAPE_STEPS      80
#define SHAPE_FIRST_STEP 0.5
#define SHAPE_TOLERANCE  0.02

/* ---- many GPUs by the model alone -----------------------------------------
 */

/* GPUs of a kernel of which each still has a profile of its own, and latencies
 * of memory among them that have. Chosen. */
#define DESIGNS_EXACT    64
#define DESIGN_LATENCIES 4
/* Latencies for which profiles are made, each so many times the one below. */
#define DESIGN_SPACING 1.1
/* GPUs that one thread does with the same profiles. Chosen. */
#define DESIGN_PIECE 4096

/* ---- intervals ----------------------------------------------------------- */

/* Degrees of freedom of the prior of the residual's deviations: they are
 * trusted as if they had been right for so many block counts before. Chosen. */
#define PRIOR_DOF 3.0
/* Correlation of the model's errors for two policies at one point, before any
 * sample. Chosen. */
#define MODEL_PAIR_CORRELATION 0.9

#endif
