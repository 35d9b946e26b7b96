/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/window.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

const char *const window_names[WINDOWS] = {"",   "half", "quick",
                                           "3x", "long", "full"};

static double window_factor(enum window window)
{
    return window == WINDOW_HALF ? 0.5 : window == WINDOW_TRIPLE ? 3 : 1;
}

/* Warp instructions of a launch; below 0 with e. */
static double launch_insts(const struct kernel *k, const struct gpu *g,
                           struct error *e)
{
    struct profile *p = profile_create(k, g, 1, e);
    if (p == NULL)
        return -1;
    double insts = profile_warp_insts(p);
    profile_free(p);
    return insts;
}

/* Of `share` blocks about `most`: full waves and the grid's own last, uneven
 * one, in which schedulers differ most. When there is no room, `least` waves
 * and the uneven one where that is at most `bound` blocks, else one wave. */
static double window_blocks(double share, double wave, double most,
                            double least, double bound)
{
    double rest = fmod(share, wave);
    double blocks = rest + wave * floor((most - rest) / wave);
    double fewest = fmin(share, rest + wave * least);
    if (fewest > bound)
        fewest = wave;
    return fmin(share, fmax(blocks, fewest));
}

/* A window of at most QUICK_INSTS, times the factor, of launch k, which takes
 * `insts`: on the whole GPU where the fewest waves fit, else on a slice. All of
 * it where it is short. */
static void take_window(struct part *part, const struct kernel *k, double insts,
                        double factor)
{
    struct gpu whole = part->gpu;
    double blocks = (double)k->blocks, share = blocks;
    double cheap = floor(factor * QUICK_INSTS / insts * blocks);
    double wave = (double)occupancy_blocks(&whole, k, NULL) * whole.sms;
    double fewest = fmin(QUICK_FEWEST_WAVES * wave, blocks);
    part->launches = 1;
    double whole_insts = QUICK_WHOLE, bound = QUICK_WHOLE / insts * blocks;
    if (blocks >= QUICK_FEWEST_WAVES * wave)
        whole_insts *= factor;
    else if (factor >= 1 && blocks <= QUICK_FEW_WAVES * wave)
        whole_insts = QUICK_WHOLE_FEW;
    if (insts <= whole_insts)
        return;
    if (cheap < fewest && whole.sms > QUICK_SMS && !whole.icnt.mesh) {
        gpu_slice(&part->gpu, &whole, QUICK_SMS);
        double sliced = (double)QUICK_SMS / whole.sms;
        wave *= sliced;
        share = ceil(share * sliced);
    }
    double most = fmin(factor * QUICK_WAVES * wave, fmax(wave, cheap));
    double least = fmax(1, floor(factor * QUICK_LEAST_WAVES));
    part->blocks = (uint64_t)window_blocks(share, wave, most, least,
                                           fmax(1, factor) * bound);
}

static void take_long(struct part *part, const struct kernel *k)
{
    struct gpu whole = part->gpu;
    double wave = (double)occupancy_blocks(&whole, k, NULL) * QUICK_SMS;
    gpu_slice(&part->gpu, &whole, QUICK_SMS);
    double share = ceil((double)k->blocks * QUICK_SMS / whole.sms);
    part->blocks =
        (uint64_t)window_blocks(share, wave, LONG_WAVES * wave, 1, INFINITY);
    part->launches = 1;
}

/* The first launches up to QUICK_INSTS, or of the heaviest one a window when it
 * takes more. */
static bool cut(struct part *part, const struct kernel_list *list,
                enum window window, struct error *e)
{
    const struct gpu *g = &part->gpu;
    double sum = 0, insts = 0, heaviest = 0, factor = window_factor(window);
    double most = factor * QUICK_INSTS;
    int fit = 0;
    for (int i = 0; i < (int)list->count; i++) {
        const struct kernel *k = list->kernel[i];
        if (i == 0 || k->blocks != list->kernel[i - 1]->blocks ||
            strcmp(k->name, list->kernel[i - 1]->name) != 0)
            insts = launch_insts(k, g, e);
        if (insts < 0)
            return false;
        sum += insts;
        fit = i == 0 || sum <= most ? i + 1 : fit;
        if (insts > heaviest) {
            heaviest = insts;
            part->first = i;
        }
    }
    if (window == WINDOW_LONG) {
        take_long(part, list->kernel[part->first]);
    } else if (list->count == 1 || (heaviest > most && !g->icnt.mesh)) {
        take_window(part, list->kernel[part->first], heaviest, factor);
    } else {
        part->first = 0;
        part->launches = g->icnt.mesh && fit < 2 ? 2 : fit;
    }
    return true;
}

bool window_choose(struct part *out, const struct kernel_list *list,
                   const struct gpu *g, enum window window, struct error *e)
{
    *out = (struct part){.gpu = *g, .launches = (int)list->count};
    return window == WINDOW_FULL || cut(out, list, window, e);
}
