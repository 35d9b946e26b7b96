/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of the kernel-aware warp scheduling paper ("kaws"), on the TITAN X as
 * the paper's simulator has it. */
#include "paper_repro/claim.h"

#define GPU "titanx-gsim"
/* Table 2: SC, PF, BT, HS, MRI, QRG, 3DCV, 3MM, RN. */
#define NINE                                                                   \
    "streamcluster pathfinder-100k b+tree hotspot-512 mri-q "                  \
    "quasirandom 3dconvolution 3mm resnet"

static const struct claim claims[] = {
    {"kaws-10", "Fig. 5: B+tree: kaws comparable to gto", "comparable",
     .metric = speed, .kernels = "b+tree", .subject = "kaws", .baseline = "gto",
     .relation = ABOUT},
    {"kaws-11", "Fig. 5: benchmarks in which kaws is faster than lrr", "8 of 9",
     .metric = speed, .kernels = NINE, .subject = "kaws", .baseline = "lrr",
     .relation = MORE, .need = 8},
    {"kaws-16", "Fig. 6: scoreboard stalls of kaws above lrr, mean", "above",
     .metric = scoreboard_stalls, .kernels = NINE, .subject = "kaws",
     .baseline = "lrr", .relation = MORE, .mean = true},
    {"kaws-19", "Sec. 4.2: HS, QRG: all stalls of kaws below lrr", "2 of 2",
     .metric = all_stalls, .kernels = "hotspot-512 quasirandom",
     .subject = "kaws", .baseline = "lrr", .relation = LESS},
    {"kaws-20", "Sec. 4.2: MRI: all stalls of kaws above lrr", "above",
     .metric = all_stalls, .kernels = "mri-q", .subject = "kaws",
     .baseline = "lrr", .relation = MORE},
    {"kaws-21", "Sec. 4.1: MRI: lrr faster than gto and kaws", "2 of 2",
     .metric = speed, .kernels = "mri-q", .subject = "lrr",
     .baseline = "gto kaws", .relation = MORE},
};

int main(int argc, char **argv)
{
    return claims_main(argc, argv, "kaws", GPU, claims,
                       sizeof(claims) / sizeof(claims[0]));
}
