/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel-aware warp scheduling paper ("kaws"), on the TITAN X as the
 * paper's simulator has it. Its averages are arithmetic: Table 2's is, and 7.97
 * % is less than 3.26 % and 4.7 % make together, which is what geometric ones
 * would be. */
#include "kernels/load.h"
#include "paper_repro/claim.h"
#include "paper_repro/lives.h"

#include <math.h>
#include <stdlib.h>

/* Table 2: SC, PF, BT, HS, MRI, QRG, 3DCV, 3MM, RN. */
#define NINE                                                                   \
    "streamcluster pathfinder-100k b+tree hotspot-512 mri-q "                  \
    "quasirandom 3dconvolution 3mm resnet"
#define NINE_LAST                                                              \
    "0.9808 0.9763 0.9983 0.8535 0.9291 0.8334 0.955 0.9819 1.0335"
#define KERNELS 9

/* ---- the last block ----------------------------------------------------- */

static bool last_block(double *out, const struct view *v, const char *kernel,
                       const char *policies, struct error *e)
{
    const struct point p = {
        .kernel = kernel, .policies = policies, .warps = true};
    const struct lab_record *r = view_record(v, &p, e);
    if (r != NULL)
        *out = lives_last_block(r);
    return r != NULL;
}

/* Table 2: cycles of the block that a launch issued last, kaws over gto, for
 * each benchmark or their mean. */
static bool measure_last(struct finding *f, const struct claim *c,
                         const struct view *v, struct error *e)
{
    const char *kernels = c->kernels, *numbers = c->numbers;
    char kernel[32], number[16];
    double sum = 0;
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        double a, b;
        if (!last_block(&a, v, kernel, "kaws", e) ||
            !last_block(&b, v, kernel, "gto", e))
            return false;
        sum += a / b;
        if (numbers != NULL && next_word(number, sizeof(number), &numbers))
            finding_add(f, a / b, strtod(number, NULL), "%s", kernel);
    }
    if (c->numbers == NULL)
        finding_add(f, sum / KERNELS, c->number, "mean");
    return true;
}

/* ---- stalls ------------------------------------------------------------- */

/* Fig. 6 shows parts of the stalls, each benchmark's in terms of all its stalls
 * under lrr: the mean of such a part under kaws over that under lrr. A part
 * that is next to nothing under lrr decides nothing so. */
static bool measure_part(struct finding *f, const struct claim *c,
                         const struct view *v, struct error *e)
{
    const char *kernels = c->kernels;
    char kernel[32];
    double subject = 0, baseline = 0;
    struct claim all = *c;
    all.metric = all_stalls;
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        double a, b, whole;
        if (!claim_figure(&a, c, v, kernel, c->subject, e) ||
            !claim_figure(&b, c, v, kernel, c->baseline, e) ||
            !claim_figure(&whole, &all, v, kernel, c->baseline, e))
            return false;
        subject += a / whole;
        baseline += b / whole;
    }
    finding_add(f, subject / baseline, c->number, "of all under lrr %.0f %%",
                100 * baseline / KERNELS);
    return true;
}

/* ---- few and many blocks ------------------------------------------------ */

/* Of the launch with the most blocks. */
static bool blocks_of(double *out, const char *kernel, struct error *e)
{
    struct kernel_list list;
    struct load_options load = load_options_default();
    if (!kernel_load(&list, kernel, &load, e))
        return false;
    uint64_t most = 0;
    for (size_t i = 0; i < list.count; i++)
        most = list.kernel[i]->blocks > most ? list.kernel[i]->blocks : most;
    kernel_list_free(&list);
    *out = (double)most;
    return true;
}

/* Of value i among n, equal ones sharing the mean of theirs. */
static double rank_of(const double *value, int n, int i)
{
    double below = 0, equal = 0;
    for (int j = 0; j < n; j++) {
        below += value[j] < value[i];
        equal += value[j] == value[i];
    }
    return below + (equal + 1) / 2;
}

/* Spearman's: Pearson's correlation of the ranks. 0 where all are equal. */
static double rank_correlation(const double *x, const double *y, int n)
{
    double xy = 0, xx = 0, yy = 0, mean = (n + 1) / 2.0;
    for (int i = 0; i < n; i++) {
        double a = rank_of(x, n, i) - mean, b = rank_of(y, n, i) - mean;
        xy += a * b;
        xx += a * a;
        yy += b * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

/* Nine pairs without a relation are as far below 0 in one case of twenty. */
#define RANKS_RELATED (-0.6)

/* Sec. 3: the kernel-aware order gains the less the more blocks a launch has;
 * the gain is that over the order it has before the last block. */
static bool measure_blocks(struct finding *f, const struct claim *c,
                           const struct view *v, struct error *e)
{
    const char *kernels = c->kernels;
    char kernel[32];
    double blocks[KERNELS], gain[KERNELS];
    int n = 0;
    for (; next_word(kernel, sizeof(kernel), &kernels); n++) {
        double a, b;
        if (!blocks_of(&blocks[n], kernel, e) ||
            !claim_figure(&a, c, v, kernel, c->subject, e) ||
            !claim_figure(&b, c, v, kernel, c->baseline, e))
            return false;
        gain[n] = a / b;
        finding_note(f, "%s%.0f %+.1f %%",
                     n > 0 ? ", " : "blocks and gain: ", blocks[n],
                     100 * (a / b - 1));
    }
    double r = rank_correlation(blocks, gain, n);
    finding_add(f, r <= RANKS_RELATED, 1, "rank correlation %.2f", r);
    return true;
}

/* ---- claims ------------------------------------------------------------- */

/* What experiments showed of failures. */
#define SELDOM_LENT                                                            \
    "warps are lent for 0 to 2 % of the instructions: the gate of Fig. 4 "     \
    "wants the collectors of all other schedulers taken"
#define MRI_UNDER_GTO                                                          \
    "MRI under gto is 24 % behind lrr, where the paper's numbers make 11 %: "  \
    "without it the mean is +2.7 %"

static const struct claim claims[] = {
    {"kaws-01", KIND_MAGNITUDE, "Fig. 5: kaws over lrr, mean", "+7.97 %",
     .rule = CHANGE, .number = 1.0797, .metric = speed, .kernels = NINE,
     .subject = "kaws", .baseline = "lrr", .mean = ARITHMETIC,
     .cause = SELDOM_LENT},
    {"kaws-02", KIND_MAGNITUDE, "Fig. 5: kaws over gto, mean", "+3.26 %",
     .rule = CHANGE, .number = 1.0326, .metric = speed, .kernels = NINE,
     .subject = "kaws", .baseline = "gto", .mean = ARITHMETIC},
    {"kaws-03", KIND_MAGNITUDE, "Fig. 5: gto over lrr, mean", "+4.7 %",
     .rule = CHANGE, .number = 1.047, .metric = speed, .kernels = NINE,
     .subject = "gto", .baseline = "lrr", .mean = ARITHMETIC,
     .cause = MRI_UNDER_GTO},
    {"kaws-04", KIND_MAGNITUDE, "Fig. 5: ResNet: kaws over lrr", "+19.91 %",
     .rule = CHANGE, .number = 1.1991, .metric = speed, .kernels = "resnet",
     .subject = "kaws", .baseline = "lrr", .cause = SELDOM_LENT},
    {"kaws-05", KIND_MAGNITUDE, "Fig. 5: Hotspot: kaws over lrr", "+19.64 %",
     .rule = CHANGE, .number = 1.1964, .metric = speed,
     .kernels = "hotspot-512", .subject = "kaws", .baseline = "lrr"},
    {"kaws-06", KIND_MAGNITUDE, "Fig. 5: 3DConvolution: kaws over lrr",
     "+13.88 %", .rule = CHANGE, .number = 1.1388, .metric = speed,
     .kernels = "3dconvolution", .subject = "kaws", .baseline = "lrr"},
    {"kaws-07", KIND_MAGNITUDE, "Fig. 5: MRI: kaws over lrr", "-4.74 %",
     .rule = CHANGE, .number = 0.9526, .metric = speed, .kernels = "mri-q",
     .subject = "kaws", .baseline = "lrr"},
    {"kaws-08", KIND_MAGNITUDE, "Fig. 5: MRI: kaws over gto", "+7.5 %",
     .rule = CHANGE, .number = 1.075, .metric = speed, .kernels = "mri-q",
     .subject = "kaws", .baseline = "gto", .cause = MRI_UNDER_GTO},
    {"kaws-09", KIND_MAGNITUDE, "Fig. 5: 3MM: kaws over gto", "+7.3 %",
     .rule = CHANGE, .number = 1.073, .metric = speed, .kernels = "3mm",
     .subject = "kaws", .baseline = "gto", .cause = SELDOM_LENT},
    {"kaws-10", KIND_SIGN, "Fig. 5: B+tree: kaws comparable to gto",
     "comparable", .metric = speed, .kernels = "b+tree", .subject = "kaws",
     .baseline = "gto", .rule = COMPARABLE},
    {"kaws-11", KIND_SIGN,
     "Fig. 5: benchmarks in which kaws is faster than lrr", "8 of 9",
     .metric = speed, .kernels = NINE, .subject = "kaws", .baseline = "lrr",
     .rule = MORE, .need = 8, .cause = SELDOM_LENT},
    {"kaws-12", KIND_MAGNITUDE,
     "Table 2: cycles of the block issued last, kaws over gto", "9 values",
     .rule = CHANGE, .numbers = NINE_LAST, .kernels = NINE,
     .measure = measure_last,
     .cause = "workload: of no benchmark the paper prints data or launches, "
              "and blocks are others: that of resnet takes 13 times the "
              "paper's cycles, of quasirandom 2.4, of 3mm 1.9 times"},
    {"kaws-13", KIND_MAGNITUDE,
     "Table 2: cycles of the block issued last, kaws over gto, mean", "-5.09 %",
     .rule = CHANGE, .number = 0.9491, .kernels = NINE,
     .measure = measure_last},
    {"kaws-14", KIND_MAGNITUDE, "Fig. 6: pipeline stalls, kaws over lrr, mean",
     "-17.35 %", .rule = CHANGE, .number = 0.8265, .metric = pipeline_stalls,
     .kernels = NINE, .subject = "kaws", .baseline = "lrr",
     .measure = measure_part, .cause = SELDOM_LENT},
    {"kaws-15", KIND_MAGNITUDE, "Fig. 6: all stalls, kaws over lrr, mean",
     "-1.82 %", .rule = CHANGE, .number = 0.9818, .metric = all_stalls,
     .kernels = NINE, .subject = "kaws", .baseline = "lrr", .mean = ARITHMETIC},
    {"kaws-16", KIND_SIGN, "Fig. 6: scoreboard stalls of kaws above lrr, mean",
     "above", .metric = scoreboard_stalls, .kernels = NINE, .subject = "kaws",
     .baseline = "lrr", .rule = MORE, .measure = measure_part},
    {"kaws-17", KIND_SHAPE,
     "Sec. 3: the kernel-aware order gains the less the more blocks a launch "
     "has",
     "yes", .rule = SHAPE, .metric = speed, .kernels = NINE,
     .subject = "kaws-k", .baseline = "old", .measure = measure_blocks,
     .cause =
         "five of the nine gains are within 0.5 % of none, so that their "
         "order is chance, and the correlation is near the bound of -0.6: "
         "with those as equal -0.57, on the grids in full -0.61, which holds"},
    {"kaws-18", KIND_MAGNITUDE, "Sec. 4.2: QRG: kaws over gto", "+4.81 %",
     .rule = CHANGE, .number = 1.0481, .metric = speed,
     .kernels = "quasirandom", .subject = "kaws", .baseline = "gto"},
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
