/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of the warp criticality paper (Lee et al.: "cawa"), on the GTX 480 as
 * the paper's simulator has it. */
#include "paper_repro/claim.h"

#include <stdio.h>

#define GPU "gtx480-gsim"
#define SENS                                                                   \
    "bfs b+tree heartwall kmeans-rows needle srad-v1 streamcluster-small"
#define ALL                                                                    \
    SENS " backprop-64k particlefilter pathfinder-100k "                       \
         "streamcluster-mid tpacf"

/* Sec. 5.4: looks at the predictor in which the warp that ended last counted as
 * slow. */
static bool judge_accuracy(struct lab *l, const struct claim *c,
                           struct finding *f, struct error *e)
{
    (void)c;
    const struct point p = {.kernel = "needle",
                            .gpu = GPU,
                            .policies = "cawa",
                            .criticality = true};
    const struct sampler_run *r = lab_run(l, &p, e);
    if (r == NULL)
        return false;
    const struct sampler_counts *n = &r->counts;
    f->verdict =
        n->cpl_looks > 0 && n->cpl_looks_slow == n->cpl_looks ? HOLDS : FAILS;
    snprintf(f->ours, sizeof(f->ours), "%.1f %% of %llu looks",
             100.0 * (double)n->cpl_looks_slow / (double)n->cpl_looks,
             (unsigned long long)n->cpl_looks);
    return true;
}

/* Fig. 3: lines that critical warps could use again, of which those evicted
 * before (16 KB, 4 ways). */
static bool judge_evicted(struct lab *l, const struct claim *c,
                          struct finding *f, struct error *e)
{
    const struct point p = {.kernel = "bfs",
                            .gpu = GPU,
                            .policies = "lrr",
                            .key = c->key,
                            .value = c->value,
                            .criticality = true};
    const struct sampler_run *r = lab_run(l, &p, e);
    if (r == NULL)
        return false;
    double lost = (double)r->counts.l1_critical_lost;
    double found = (double)r->counts.l1_critical_found;
    double percent = 100 * lost / (lost + found);
    f->verdict = percent >= c->bound ? HOLDS : FAILS;
    snprintf(f->ours, sizeof(f->ours), "%.1f %%", percent);
    return true;
}

static const struct claim claims[] = {
    {"cawa-10", "Fig. 11: needle: accuracy of the predictor", "100 %",
     .judge = judge_accuracy},
    {"cawa-13", "Fig. 13: bfs, b+tree, needle: oracle caws faster than cawa",
     "3 of 3", .metric = speed, .kernels = "bfs b+tree needle",
     .subject = "caws", .baseline = "cawa", .relation = MORE},
    {"cawa-14",
     "Fig. 13: b+tree, streamcluster (small): cawa slower than "
     "gcaws",
     "2 of 2", .metric = speed, .kernels = "b+tree streamcluster-small",
     .subject = "cawa", .baseline = "gcaws", .relation = LESS},
    {"cawa-15", "Fig. 13: kmeans: gcaws and cawa faster than oracle caws",
     "faster", .metric = speed, .kernels = "kmeans-rows",
     .subject = "gcaws cawa", .baseline = "caws", .relation = MORE},
    {"cawa-24",
     "Fig. 3: bfs, L1 of 16 KB and 4 ways: lines critical warps "
     "could reuse, evicted before",
     "at least 60 %", .bound = 60, .key = "l1.ways", .value = 4,
     .judge = judge_evicted},
    {"cawa-27",
     "Fig. 13: heartwall, srad_1: gcaws and cawa faster than "
     "oracle caws",
     "2 of 2", .metric = speed, .kernels = "heartwall srad-v1",
     .subject = "gcaws cawa", .baseline = "caws", .relation = MORE},
    {"cawa-28",
     "Fig. 17: cawa faster than lrr, gto and tlrr each with cacp, "
     "mean",
     "3 of 3", .metric = speed, .kernels = ALL, .subject = "cawa",
     .baseline = "lrr//cacp gto//cacp tlrr//cacp", .relation = MORE,
     .mean = true},
    {"cawa-29",
     "Fig. 10: Sens applications: misses per kilo-instruction of "
     "cawa below gto and tlrr, mean",
     "2 of 2", .metric = l1_mpki, .kernels = SENS, .subject = "cawa",
     .baseline = "gto tlrr", .relation = LESS, .mean = true},
};

int main(int argc, char **argv)
{
    return claims_main(argc, argv, "cawa", GPU, claims,
                       sizeof(claims) / sizeof(claims[0]));
}
