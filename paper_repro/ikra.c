/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of the inter-kernel reuse paper (Huzaifa et al.: "ikra"), on its 15
 * compute units; the microbenchmarks on three. Warps go greedy then oldest
 * (Table 2). */
#include "paper_repro/claim.h"

#include <stdio.h>
#include <string.h>

#define GPU   "ikra"
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
static bool judge_warm_hits(struct lab *l, const struct claim *c,
                            struct finding *f, struct error *e)
{
    (void)c;
    struct point p = {.kernel = "ikra-gpu-small",
                      .gpu = MICRO,
                      .policies = "gto/reset",
                      .launches = 16};
    const struct sampler_run *all = lab_run(l, &p, e);
    p.launches = 1;
    const struct sampler_run *first = all != NULL ? lab_run(l, &p, e) : NULL;
    if (first == NULL)
        return false;
    uint64_t hits = all->counts.l1_hits - first->counts.l1_hits;
    uint64_t accesses = all->counts.l1_accesses - first->counts.l1_accesses;
    f->verdict = accesses > 0 && hits == accesses ? HOLDS : FAILS;
    snprintf(f->ours, sizeof(f->ours), "%.2f %% of %llu accesses",
             100.0 * (double)hits / (double)accesses,
             (unsigned long long)accesses);
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

static bool slower(bool *out, struct lab *l, const char *kernel,
                   const char *policies, struct error *e)
{
    struct point p = {.kernel = kernel, .gpu = GPU, .policies = policies};
    const struct sampler_run *r = lab_run(l, &p, e);
    p.policies = "gto/rr";
    const struct sampler_run *rr = r != NULL ? lab_run(l, &p, e) : NULL;
    if (rr == NULL)
        return false;
    *out = r->counts.cycles > rr->counts.cycles;
    return true;
}

/* Losses to rr where the paper has one, and nowhere else. */
static bool judge_losses(struct lab *l, const struct claim *c,
                         struct finding *f, struct error *e)
{
    static const char *const policy[] = {"gto/chunk", "gto/reset", "gto/flip",
                                         "gto/steal"};
    const char *kernels = c->kernels;
    char kernel[64], unlike[384] = "";
    int wrong = 0, tested = 0;
    while (next_word(kernel, sizeof(kernel), &kernels))
        for (int i = 0; i < 4; i++) {
            bool loss;
            if (!slower(&loss, l, kernel, policy[i], e))
                return false;
            tested++;
            if (loss == paper_loss(kernel, policy[i]))
                continue;
            wrong++;
            size_t used = strlen(unlike);
            snprintf(unlike + used, sizeof(unlike) - used, " %s:%s %s", kernel,
                     policy[i] + 4, loss ? "loses" : "wins");
        }
    f->verdict = wrong == 0 ? HOLDS : FAILS;
    snprintf(f->ours, sizeof(f->ours), "%d of %d cases as there:%s",
             tested - wrong, tested, unlike);
    return true;
}

static const struct claim claims[] = {
    {"ikra-04", "Fig. 4, GPU-small: L1 hit rate of reset once warm", "100 %",
     .judge = judge_warm_hits},
    {"ikra-05", "Fig. 4, GPU-small: flip and steal comparable to reset",
     "comparable", .gpu = MICRO, .metric = speed, .kernels = "ikra-gpu-small",
     .subject = "gto/flip gto/steal", .baseline = "gto/reset",
     .relation = ABOUT},
    {"ikra-13", "Fig. 4, Work-Stealing: chunk and reset slower than rr",
     "2 of 2", .gpu = MICRO, .metric = speed, .kernels = "ikra-work-stealing",
     .subject = "gto/chunk gto/reset", .baseline = "gto/rr", .relation = LESS},
    {"ikra-23",
     "Fig. 5: the only losses to rr: chunk and reset in Kmeans, "
     "chunk in SRAD v1",
     "3 cases", .kernels = REGULAR, .judge = judge_losses},
    {"ikra-24", "Fig. 5: flip comparable to steal, mean", "comparable",
     .metric = speed, .kernels = REGULAR, .subject = "gto/flip",
     .baseline = "gto/steal", .relation = ABOUT, .mean = true},
    {"ikra-29", "Fig. 6: chunk slower than rr", "6 of 8", .metric = speed,
     .kernels = IRREGULAR, .subject = "gto/chunk", .baseline = "gto/rr",
     .relation = LESS, .need = 6},
    {"ikra-30", "Fig. 6: traffic of steal above flip", "8 of 8",
     .metric = traffic, .kernels = IRREGULAR, .subject = "gto/steal",
     .baseline = "gto/flip", .relation = MORE},
    {"ikra-32",
     "Sec. 6.4: five applications that run once: no scheduler "
     "slower than rr",
     "20 of 20", .metric = speed, .kernels = ONCE,
     .subject = "gto/chunk gto/reset gto/flip gto/steal", .baseline = "gto/rr",
     .relation = AT_LEAST, .bound = 1},
    {"ikra-37",
     "Sec. 7.2, Fig. 8: irregular applications, gpu coherence: "
     "steal comparable to rr, mean",
     "comparable", .metric = speed, .kernels = IRREGULAR,
     .subject = "gto/steal", .baseline = "gto/rr", .relation = ABOUT,
     .mean = true, .key = "coherence", .value = COHERENCE_GPU},
    {"ikra-41", "Fig. 4, Work-Stealing: flip faster than rr", "faster",
     .gpu = MICRO, .metric = speed, .kernels = "ikra-work-stealing",
     .subject = "gto/flip", .baseline = "gto/rr", .relation = MORE},
    {"ikra-44", "Sec. 6.3.4: DJ1, DJ2, PR1: flip slower than rr", "3 of 3",
     .metric = speed,
     .kernels = "ikra-dijkstra-1 ikra-dijkstra-2 ikra-pagerank-1",
     .subject = "gto/flip", .baseline = "gto/rr", .relation = LESS},
};

int main(int argc, char **argv)
{
    return claims_main(argc, argv, "ikra", GPU, claims,
                       sizeof(claims) / sizeof(claims[0]));
}
