/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of the kernel-aware warp scheduling paper ("kaws"), on the TITAN X as
 * the paper's simulator has it. */
#include "paper_repro/claim.h"

/* Table 2: SC, PF, BT, HS, MRI, QRG, 3DCV, 3MM, RN. */
#define NINE                                                                   \
    "streamcluster pathfinder-100k b+tree hotspot-512 mri-q "                  \
    "quasirandom 3dconvolution 3mm resnet"

static const struct claim claims[] = {
    {"kaws-01", KIND_MAGNITUDE,
     "Fig.5: nine benchmarks on TITAN X: average IPC gain, kaws over lrr",
     "7.97 %", .cannot = NOT_YET},
    {"kaws-02", KIND_MAGNITUDE,
     "Fig.5: nine benchmarks on TITAN X: average IPC gain, kaws over gto",
     "3.26 %", .cannot = NOT_YET},
    {"kaws-03", KIND_MAGNITUDE,
     "Fig.5: nine benchmarks on TITAN X: average IPC gain, gto over lrr",
     "4.7 %", .cannot = NOT_YET},
    {"kaws-04", KIND_MAGNITUDE, "Fig.5: ResNet: IPC gain, kaws over lrr",
     "19.91 %", .cannot = NOT_YET},
    {"kaws-05", KIND_MAGNITUDE, "Fig.5: Hotspot: IPC gain, kaws over lrr",
     "19.64 %", .cannot = NOT_YET},
    {"kaws-06", KIND_MAGNITUDE, "Fig.5: 3DConvolution: IPC gain, kaws over lrr",
     "13.88 %", .cannot = NOT_YET},
    {"kaws-07", KIND_MAGNITUDE, "Fig.5: Mri-q: IPC, kaws below lrr", "4.74 %",
     .cannot = NOT_YET},
    {"kaws-08", KIND_MAGNITUDE, "Fig.5: Mri-q: IPC gain, kaws over gto",
     "7.5 %", .cannot = NOT_YET},
    {"kaws-09", KIND_MAGNITUDE, "Fig.5: 3MM: IPC gain, kaws over gto", "7.3 %",
     .cannot = NOT_YET},
    {"kaws-10", KIND_SIGN, "Fig. 5: B+tree: kaws comparable to gto",
     "comparable", .metric = speed, .kernels = "b+tree", .subject = "kaws",
     .baseline = "gto", .rule = COMPARABLE},
    {"kaws-11", KIND_SIGN,
     "Fig. 5: benchmarks in which kaws is faster than lrr", "8 of 9",
     .metric = speed, .kernels = NINE, .subject = "kaws", .baseline = "lrr",
     .rule = MORE, .need = 8},
    {"kaws-12", KIND_MAGNITUDE,
     "Table 2: nine benchmarks: last CTA execution time normalised to GTO, "
     "kaws equals gto",
     "as in the table: %", .cannot = NOT_YET},
    {"kaws-13", KIND_MAGNITUDE,
     "Table 2: nine benchmarks average: last CTA execution time normalised to "
     "GTO, kaws equals gto",
     "94.91 %", .cannot = NOT_YET},
    {"kaws-14", KIND_MAGNITUDE,
     "Fig.6: average: pipeline stalls, kaws lower than lrr", "17.35 %",
     .cannot = NOT_YET},
    {"kaws-15", KIND_MAGNITUDE,
     "Fig.6: average: total stalls, kaws lower than lrr", "1.82 %",
     .cannot = NOT_YET},
    {"kaws-16", KIND_SIGN, "Fig. 6: scoreboard stalls of kaws above lrr, mean",
     "above", .metric = scoreboard_stalls, .kernels = NINE, .subject = "kaws",
     .baseline = "lrr", .rule = MORE, .mean = GEOMETRIC},
    {"kaws-17", KIND_SHAPE,
     "Sec.3: few CTAs against many CTAs: gain shrinks as the number of CTAs "
     "per kernel grows, kaws kernel-aware part shape",
     "shape", .cannot = NOT_YET},
    {"kaws-18", KIND_MAGNITUDE, "Sec.4.2: QRG: IPC gain, kaws over gto",
     "4.81 %", .cannot = NOT_YET},
    {"kaws-19", KIND_SIGN, "Sec. 4.2: HS, QRG: all stalls of kaws below lrr",
     "2 of 2", .metric = all_stalls, .kernels = "hotspot-512 quasirandom",
     .subject = "kaws", .baseline = "lrr", .rule = LESS},
    {"kaws-20", KIND_SIGN, "Sec. 4.2: MRI: all stalls of kaws above lrr",
     "above", .metric = all_stalls, .kernels = "mri-q", .subject = "kaws",
     .baseline = "lrr", .rule = MORE},
    {"kaws-21", KIND_SIGN, "Sec. 4.1: MRI: lrr faster than gto and kaws",
     "2 of 2", .metric = speed, .kernels = "mri-q", .subject = "lrr",
     .baseline = "gto kaws", .rule = MORE},
};

const struct claims kaws_claims = {"kaws", claims,
                                   sizeof(claims) / sizeof(claims[0])};
