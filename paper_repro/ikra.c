/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of the inter-kernel reuse paper (Huzaifa et al.: "ikra"), on its 15
 * compute units; the microbenchmarks on three. Warps go greedy then oldest
 * (Table 2). */
#include "paper_repro/claim.h"

#include <string.h>

#define MICRO "ikra-micro"
#define REGULAR                                                                \
    "ikra-hotspot ikra-kmeans ikra-lud ikra-nw ikra-pathfinder "               \
    "ikra-srad-v1 ikra-srad-v2 ikra-stencil"
#define IRREGULAR                                                              \
    "ikra-coloring-1 ikra-coloring-2 ikra-dijkstra-1 "                         \
    "ikra-dijkstra-2 ikra-mis-1 ikra-mis-2 ikra-pagerank-1 "                   \
    "ikra-pagerank-2"
#define ONCE "ikra-backprop ikra-convolution ikra-lavamd ikra-nn ikra-sgemm"

/* Once warm: all launches but the first. */
static bool measure_warm_hits(struct finding *f, const struct claim *c,
                              const struct view *v, struct error *e)
{
    struct point p = {.kernel = "ikra-gpu-small",
                      .gpu = MICRO,
                      .policies = "gto/reset",
                      .launches = 16};
    const struct sampler_run *all = view_run(v, &p, e);
    p.launches = 1;
    const struct sampler_run *first = all != NULL ? view_run(v, &p, e) : NULL;
    if (first == NULL)
        return false;
    uint64_t hits = all->counts.l1_hits - first->counts.l1_hits;
    uint64_t accesses = all->counts.l1_accesses - first->counts.l1_accesses;
    finding_add(f, 100.0 * (double)hits / (double)accesses, c->number, "hits");
    finding_note(f, "of %llu accesses", (unsigned long long)accesses);
    return true;
}

/* Whether the paper reports a loss to rr for this pair. */
static bool paper_loss(const char *kernel, const char *policies)
{
    bool chunk = strcmp(policies, "gto/chunk") == 0;
    if (strcmp(kernel, "ikra-kmeans") == 0)
        return chunk || strcmp(policies, "gto/reset") == 0;
    return chunk && strcmp(kernel, "ikra-srad-v1") == 0;
}

/* Whether losses to rr are where the paper has one, and nowhere else: speed
 * over rr, or its inverse where the paper has a loss. */
static bool measure_losses(struct finding *f, const struct claim *c,
                           const struct view *v, struct error *e)
{
    static const char *const policy[] = {"gto/chunk", "gto/reset", "gto/flip",
                                         "gto/steal"};
    const char *kernels = c->kernels;
    char kernel[64];
    while (next_word(kernel, sizeof(kernel), &kernels))
        for (int i = 0; i < 4; i++) {
            double ours, rr;
            if (!claim_figure(&ours, c, v, kernel, policy[i], e) ||
                !claim_figure(&rr, c, v, kernel, "gto/rr", e))
                return false;
            if (paper_loss(kernel, policy[i]))
                finding_add(f, rr / ours, 0, "%s rr over %s", kernel,
                            policy[i]);
            else
                finding_add(f, ours / rr, 0, "%s %s over rr", kernel,
                            policy[i]);
        }
    return true;
}

static const struct claim claims[] = {
    {"ikra-01", KIND_MAGNITUDE,
     "Table 1: seven regular applications: producer-consumer dependence "
     "distribution, dependence analysis equals",
     "as in the table: %", .cannot = NOT_YET},
    {"ikra-02", KIND_MAGNITUDE,
     "Fig.4 GPU-small: 3 CUs: execution time, reset lower than rr", "68 %",
     .cannot = NOT_YET},
    {"ikra-03", KIND_MAGNITUDE,
     "Fig.4 GPU-small: 3 CUs: energy, reset lower than rr", "61 %",
     .cannot = NOT_YET},
    {"ikra-04", KIND_EXACT, "Fig. 4, GPU-small: L1 hit rate of reset once warm",
     "100 %", .rule = EXACT, .number = 100, .measure = measure_warm_hits},
    {"ikra-05", KIND_SIGN,
     "Fig. 4, GPU-small: flip and steal comparable to reset", "comparable",
     .gpu = MICRO, .metric = speed, .kernels = "ikra-gpu-small",
     .subject = "gto/flip gto/steal", .baseline = "gto/reset",
     .rule = COMPARABLE},
    {"ikra-06", KIND_MAGNITUDE,
     "Fig.4 GPU-medium: 3 CUs: execution time, flip lower than reset", "31 %",
     .cannot = NOT_YET},
    {"ikra-07", KIND_MAGNITUDE,
     "Fig.4 GPU-large: 3 CUs: execution time, flip lower than reset", "23 %",
     .cannot = NOT_YET},
    {"ikra-08", KIND_MAGNITUDE,
     "Fig.4 GPU-large: 3 CUs: energy, flip lower than reset", "20 %",
     .cannot = NOT_YET},
    {"ikra-09", KIND_MAGNITUDE,
     "Fig.4 GPU-large: 3 CUs: L1 hit rate, flip equals", "17 %",
     .cannot = NOT_YET},
    {"ikra-10", KIND_MAGNITUDE,
     "Fig.4 GPU-large: 3 CUs: L2 hit rate, flip equals", "29 %",
     .cannot = NOT_YET},
    {"ikra-11", KIND_MAGNITUDE,
     "Fig.4 GPU-large: 3 CUs: main memory accesses, flip about half of rr",
     "50 %", .cannot = NOT_YET},
    {"ikra-12", KIND_MAGNITUDE,
     "Fig.4 Work-Stealing: 3 CUs: execution time, steal lower than rr", "26 %",
     .cannot = NOT_YET},
    {"ikra-13", KIND_SIGN,
     "Fig. 4, Work-Stealing: chunk and reset slower than rr", "2 of 2",
     .gpu = MICRO, .metric = speed, .kernels = "ikra-work-stealing",
     .subject = "gto/chunk gto/reset", .baseline = "gto/rr", .rule = LESS},
    {"ikra-14", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: execution time, steal lower than rr",
     "19 %", .cannot = NOT_YET},
    {"ikra-15", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: largest execution time reduction, "
     "steal lower than rr",
     "43 %", .cannot = NOT_YET},
    {"ikra-16", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: energy, steal lower than rr", "11 %",
     .cannot = NOT_YET},
    {"ikra-17", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: network traffic, steal lower than rr",
     "42 %", .cannot = NOT_YET},
    {"ikra-18", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: execution time energy and traffic, "
     "steal lower than chunk",
     "16 8 32 %", .cannot = NOT_YET},
    {"ikra-19", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: energy, reset flip steal lower than "
     "rr",
     "10 12 11 %", .cannot = NOT_YET},
    {"ikra-20", KIND_MAGNITUDE,
     "Fig.5: Hotspot NW Stencil: best-case L1 hit rate, flip equals",
     "91 30 56 %", .cannot = NOT_YET},
    {"ikra-21", KIND_MAGNITUDE,
     "Fig.5: Kmeans SRADv1 SRADv2 Stencil: execution time reduction of the "
     "best scheduler, best lower than rr",
     "24 22 43 24 %", .cannot = NOT_YET},
    {"ikra-22", KIND_MAGNITUDE,
     "Fig.5: average: L1 hit rate doubles and main-memory trips fall by, steal "
     "lower than rr",
     "31 %", .cannot = NOT_YET},
    {"ikra-23", KIND_SIGN,
     "Fig. 5: the only losses to rr: chunk and reset in Kmeans, "
     "chunk in SRAD v1",
     "3 cases", .rule = NOT_LESS, .metric = speed, .kernels = REGULAR,
     .measure = measure_losses},
    {"ikra-24", KIND_SIGN, "Fig. 5: flip comparable to steal, mean",
     "comparable", .metric = speed, .kernels = REGULAR, .subject = "gto/flip",
     .baseline = "gto/steal", .rule = COMPARABLE, .mean = GEOMETRIC},
    {"ikra-25", KIND_MAGNITUDE,
     "Fig.6: four irregular applications two inputs: execution time, steal "
     "lower than rr",
     "10 %", .cannot = NOT_YET},
    {"ikra-26", KIND_MAGNITUDE,
     "Fig.6: four irregular applications two inputs: energy, steal lower than "
     "rr",
     "8 %", .cannot = NOT_YET},
    {"ikra-27", KIND_MAGNITUDE,
     "Fig.6: four irregular applications two inputs: network traffic, steal "
     "lower than rr",
     "16 %", .cannot = NOT_YET},
    {"ikra-28", KIND_MAGNITUDE,
     "Fig.6: four irregular applications two inputs: execution time, flip "
     "lower than rr",
     "1 %", .cannot = NOT_YET},
    {"ikra-29", KIND_SIGN, "Fig. 6: chunk slower than rr", "6 of 8",
     .metric = speed, .kernels = IRREGULAR, .subject = "gto/chunk",
     .baseline = "gto/rr", .rule = LESS, .need = 6},
    {"ikra-30", KIND_SIGN, "Fig. 6: traffic of steal above flip", "8 of 8",
     .metric = traffic, .kernels = IRREGULAR, .subject = "gto/steal",
     .baseline = "gto/flip", .rule = MORE},
    {"ikra-31", KIND_MAGNITUDE,
     "Sec.6.4: five non-iterative applications: execution time, steal lower "
     "than rr",
     "5 %", .cannot = NOT_YET},
    {"ikra-32", KIND_SIGN,
     "Sec. 6.4: five applications that run once: no scheduler "
     "slower than rr",
     "20 of 20", .metric = speed, .kernels = ONCE,
     .subject = "gto/chunk gto/reset gto/flip gto/steal", .baseline = "gto/rr",
     .rule = NOT_LESS},
    {"ikra-33", KIND_SHAPE,
     "Sec.7.1 Fig.7: LUD SRADv1 SRADv2 DJ2 with L1 of 16 to 512 KB: gain grows "
     "with the L1 and then flattens, flip and steal shape rr",
     "shape", .cannot = NOT_YET},
    {"ikra-34", KIND_MAGNITUDE,
     "Sec.7.1 Fig.7: SRAD v1 with a 16 KB L1: execution time, best lower than "
     "rr",
     "11 %", .cannot = NOT_YET},
    {"ikra-35", KIND_MAGNITUDE,
     "Sec.7.2 Fig.8: regular applications with GPU coherence: execution time, "
     "steal lower than rr",
     "13 %", .cannot = NOT_YET},
    {"ikra-36", KIND_MAGNITUDE,
     "Sec.7.2 Fig.8: regular applications with GPU coherence: execution time, "
     "steal lower than chunk",
     "7 %", .cannot = NOT_YET},
    {"ikra-37", KIND_SIGN,
     "Sec. 7.2, Fig. 8: irregular applications, gpu coherence: "
     "steal comparable to rr, mean",
     "comparable", .metric = speed, .kernels = IRREGULAR,
     .subject = "gto/steal", .baseline = "gto/rr", .rule = COMPARABLE,
     .mean = GEOMETRIC, .keys = "coherence=gpu"},
    {"ikra-38", KIND_MAGNITUDE,
     "Sec.6.2.3: average CU energy: share spent in the core (compute), rr "
     "equals",
     "58 %", .cannot = NOT_YET},
    {"ikra-39", KIND_MAGNITUDE,
     "Fig.4 GPU-medium: 3 CUs: energy, flip lower than reset", "31 %",
     .cannot = NOT_YET},
    {"ikra-40", KIND_MAGNITUDE,
     "Fig.4 GPU-medium: 3 CUs: L1 hit rate, flip over reset", "2 times",
     .cannot = NOT_YET},
    {"ikra-41", KIND_SIGN, "Fig. 4, Work-Stealing: flip faster than rr",
     "faster", .gpu = MICRO, .metric = speed, .kernels = "ikra-work-stealing",
     .subject = "gto/flip", .baseline = "gto/rr", .rule = MORE},
    {"ikra-42", KIND_MAGNITUDE,
     "Fig.5: eight regular applications: largest reduction of energy and "
     "traffic, steal lower than rr",
     "21 86 %", .cannot = NOT_YET},
    {"ikra-43", KIND_MAGNITUDE,
     "Fig.6: irregular: largest reduction of time energy traffic, steal lower "
     "than rr",
     "18 19 37 %", .cannot = NOT_YET},
    {"ikra-44", KIND_SIGN, "Sec. 6.3.4: DJ1, DJ2, PR1: flip slower than rr",
     "3 of 3", .metric = speed,
     .kernels = "ikra-dijkstra-1 ikra-dijkstra-2 ikra-pagerank-1",
     .subject = "gto/flip", .baseline = "gto/rr", .rule = LESS},
    {"ikra-45", KIND_MAGNITUDE,
     "Sec.6.3.3: average CU energy irregular: memory system; L2 and network, "
     "rr equals",
     "70 32 %", .cannot = NOT_YET},
    {"ikra-46", KIND_MAGNITUDE,
     "Sec.6.4: irregular run once: execution time, steal lower than rr", "4 %",
     .cannot = NOT_YET},
    {"ikra-47", KIND_SHAPE,
     "Sec.7.1: DJ2 L1 16 to 512 KB: steal beats rr at every size but 32 KB, "
     "steal shape rr",
     "shape", .cannot = NOT_YET},
    {"ikra-48", KIND_MAGNITUDE,
     "fn.9: rr regular and irregular: cycles of denovo against gpu coherence, "
     "denovo over gpu",
     "3 -15 %", .cannot = NOT_YET},
};

const struct claims ikra_claims = {"ikra", claims,
                                   sizeof(claims) / sizeof(claims[0])};
