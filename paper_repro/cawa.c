/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of the warp criticality paper (Lee et al.: "cawa"), on the GTX 480 as
 * the paper's simulator has it. */
#include "paper_repro/claim.h"

#define SENS                                                                   \
    "bfs b+tree heartwall kmeans-rows needle srad-v1 streamcluster-small"
#define ALL                                                                    \
    SENS " backprop-64k particlefilter pathfinder-100k "                       \
         "streamcluster-mid tpacf"

/* Sec. 5.4: looks at the predictor in which the warp that ended last counted as
 * slow, percent. */
static double accuracy(const struct sampler_run *r)
{
    return 100.0 * (double)r->counts.cpl_looks_slow /
           (double)r->counts.cpl_looks;
}

/* Fig. 3: lines that critical warps could use again, of which those evicted
 * before, percent. */
static double evicted(const struct sampler_run *r)
{
    double lost = (double)r->counts.l1_critical_lost;
    return 100 * lost / (lost + (double)r->counts.l1_critical_found);
}

static const struct claim claims[] = {
    {"cawa-01", KIND_MAGNITUDE,
     "Fig.9: seven Sens applications on GTX480: average speedup, cawa over lrr",
     "23 %", .cannot = NOT_YET},
    {"cawa-02", KIND_MAGNITUDE,
     "Fig.9: seven Sens applications on GTX480: average speedup, gto over lrr",
     "16 %", .cannot = NOT_YET},
    {"cawa-03", KIND_MAGNITUDE,
     "Fig.9: seven Sens applications on GTX480: average speedup, two-level "
     "over lrr",
     "-2 %", .cannot = NOT_YET},
    {"cawa-04", KIND_MAGNITUDE,
     "Fig.9: all twelve applications: average speedup, cawa over lrr", "9.2 %",
     .cannot = NOT_YET},
    {"cawa-05", KIND_MAGNITUDE, "Fig.9: kmeans: speedup, cawa over lrr",
     "3.13 times", .cannot = NOT_YET},
    {"cawa-06", KIND_MAGNITUDE,
     "Fig.10: kmeans: L1D misses per kilo-instruction, cawa lower than lrr",
     "26.2 %", .cannot = NOT_YET},
    {"cawa-07", KIND_MAGNITUDE,
     "Fig.10 and text: heartwall: MPKI rises and IPC gains, cawa over lrr",
     "3.3 %", .cannot = NOT_YET},
    {"cawa-08", KIND_MAGNITUDE,
     "Fig.10 and text: streamcluster small: MPKI rises and IPC gains, cawa "
     "over lrr",
     "3.6 %", .cannot = NOT_YET},
    {"cawa-09", KIND_MAGNITUDE,
     "Fig.11: average: accuracy with which CPL names the critical warp a slow "
     "warp, cpl equals",
     "73 %", .cannot = NOT_YET},
    {"cawa-10", KIND_EXACT, "Fig. 11: needle: accuracy of the predictor",
     "100 %", .rule = EXACT, .number = 100, .metric = accuracy,
     .kernels = "needle", .subject = "cawa", .criticality = true,
     .input = "a block of needle has one warp, which is always the slow one"},
    {"cawa-11", KIND_MAGNITUDE,
     "Sec.5.5.2: Sens applications: gain of adding CPL to GTO, gcaws over gto",
     "7 %", .cannot = NOT_YET},
    {"cawa-12", KIND_MAGNITUDE,
     "Sec.5.3: selected benchmarks: additional IPC, cawa over gcaws", "5 %",
     .cannot = NOT_YET},
    {"cawa-13", KIND_SIGN,
     "Fig. 13: bfs, b+tree, needle: oracle caws faster than cawa", "3 of 3",
     .metric = speed, .kernels = "bfs b+tree needle", .subject = "caws",
     .baseline = "cawa", .rule = MORE},
    {"cawa-14", KIND_SIGN,
     "Fig. 13: b+tree, streamcluster (small): cawa slower than "
     "gcaws",
     "2 of 2", .metric = speed, .kernels = "b+tree streamcluster-small",
     .subject = "cawa", .baseline = "gcaws", .rule = LESS},
    {"cawa-15", KIND_SIGN,
     "Fig. 13: kmeans: gcaws and cawa faster than oracle caws", "faster",
     .metric = speed, .kernels = "kmeans-rows", .subject = "gcaws cawa",
     .baseline = "caws", .rule = MORE},
    {"cawa-16", KIND_MAGNITUDE,
     "Fig.14: average: critical-warp L1D hit rate, cawa over lrr", "2.46 times",
     .cannot = NOT_YET},
    {"cawa-17", KIND_MAGNITUDE,
     "Fig.14: kmeans: critical-warp L1D hit rate, cawa over lrr", "7.22 times",
     .cannot = NOT_YET},
    {"cawa-18", KIND_MAGNITUDE,
     "Fig.15: baseline average: critical-warp lines evicted with no reuse, lrr "
     "equals",
     "44.3 %", .cannot = NOT_YET},
    {"cawa-19", KIND_MAGNITUDE,
     "Fig.17: lrr gto two-level with CACP added: IPC gain of CACP, cacp over "
     "same scheduler without it",
     "2 to 16.5 %", .cannot = NOT_YET},
    {"cawa-20", KIND_MAGNITUDE,
     "Fig.1: average over applications: highest warp time disparity of any "
     "block, lrr equals",
     "45 %", .cannot = NOT_YET},
    {"cawa-21", KIND_MAGNITUDE,
     "Fig.1: srad_1: warp execution time disparity inside a block, lrr equals",
     "70 %", .cannot = NOT_YET},
    {"cawa-22", KIND_MAGNITUDE,
     "Fig.2a: bfs unbalanced tree: disparity from workload imbalance, lrr "
     "equals",
     "20 %", .cannot = NOT_YET},
    {"cawa-23", KIND_MAGNITUDE,
     "Fig.2b: bfs balanced tree: disparity from diverging branches, lrr equals",
     "40 %", .cannot = NOT_YET},
    {"cawa-24", KIND_AT_LEAST,
     "Fig. 3: bfs, L1 of 16 KB and 4 ways: lines critical warps "
     "could reuse, evicted before",
     "at least 60 %", .rule = AT_LEAST, .number = 60, .metric = evicted,
     .kernels = "bfs", .subject = "lrr", .keys = "l1.ways=4",
     .criticality = true},
    {"cawa-25", KIND_MAGNITUDE,
     "Fig.4: critical warp: additional wait from the scheduler up to, lrr "
     "equals",
     "52.4 %", .cannot = NOT_YET},
    {"cawa-26", KIND_MAGNITUDE,
     "Fig.2b: bfs balanced tree: dynamic instruction disparity in a block up "
     "to, lrr equals",
     "20 %", .cannot = NOT_YET},
    {"cawa-27", KIND_SIGN,
     "Fig. 13: heartwall, srad_1: gcaws and cawa faster than "
     "oracle caws",
     "2 of 2", .metric = speed, .kernels = "heartwall srad-v1",
     .subject = "gcaws cawa", .baseline = "caws", .rule = MORE},
    {"cawa-28", KIND_SIGN,
     "Fig. 17: cawa faster than lrr, gto and tlrr each with cacp, "
     "mean",
     "3 of 3", .metric = speed, .kernels = ALL, .subject = "cawa",
     .baseline = "lrr//cacp gto//cacp tlrr//cacp", .rule = MORE,
     .mean = GEOMETRIC},
    {"cawa-29", KIND_SIGN,
     "Fig. 10: Sens applications: misses per kilo-instruction of "
     "cawa below gto and tlrr, mean",
     "2 of 2", .metric = l1_mpki, .kernels = SENS, .subject = "cawa",
     .baseline = "gto tlrr", .rule = LESS, .mean = GEOMETRIC},
};

const struct claims cawa_claims = {"cawa", claims,
                                   sizeof(claims) / sizeof(claims[0])};
