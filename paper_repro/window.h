/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a point runs of its work: a part that is the same whatever the policies
 * and block counts, so that they compare. */
#ifndef PAPER_REPRO_WINDOW_H
#define PAPER_REPRO_WINDOW_H

#include "base/error.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <stdint.h>

/* What a quick window runs. Single launches: at most so many waves of blocks,
 * the last one as uneven as the grid's own, and about as many instructions.
 * Warps begin in step and take some ten waves to drift apart, under lrr most of
 * all. On the whole GPU where the fewest waves fit, since a slice has few
 * memory channels and bursts weigh more there; else on a few SMs with their
 * share of the memory system. Where waves are so heavy that two would not fit,
 * two and the uneven one all the same, as long as they take at most
 * QUICK_WHOLE: in a single wave all blocks begin and end together, which no
 * other wave of the grid does. Blocks are never cut, though heavy ones repeat
 * themselves: how their warps drift apart is the subject. A launch that takes
 * at most QUICK_WHOLE is run whole: what happens once its last block is out is
 * a part of it, and verdicts in windows were others than on the whole grid; so
 * is one of at most QUICK_FEW_WAVES that takes at most QUICK_WHOLE_FEW, since
 * its few heavy blocks meet in time as on no slice; still heavier ones, of DXTC
 * and TPACF, take too long.
 * Applications: the first launches up to the same instructions, on the whole
 * GPU, since the first one alone begins cold; where the heaviest takes more, so
 * much of it as if it were single. On GPUs on a mesh, where the subject is what
 * a launch leaves to the next ones and which part of the grid an SM gets,
 * launches are whole and two at least, and nothing is run on a slice. Warp
 * instructions all. Half and triple windows run so many times the waves and
 * instructions. A long one is for what takes its time to settle, like a search
 * for the best number of blocks: many waves of the heaviest launch on a few
 * SMs. */
#define QUICK_WAVES        20
#define QUICK_FEWEST_WAVES 10
#define QUICK_LEAST_WAVES  2
#define QUICK_SMS          4
#define QUICK_INSTS        5e6
#define QUICK_WHOLE        2e7
#define QUICK_FEW_WAVES    3
#define QUICK_WHOLE_FEW    5e7
#define LONG_WAVES         128

enum window {
    WINDOW_UNSET, /* the lab's own */
    WINDOW_HALF,
    WINDOW_QUICK,
    WINDOW_TRIPLE,
    WINDOW_LONG,
    WINDOW_FULL,
    WINDOWS
};
/* "", "half", "quick", "3x", "long", "full" */
extern const char *const window_names[WINDOWS];

struct part {
    struct gpu gpu; /* the whole one or a slice */
    int first, launches;
    uint64_t blocks; /* of each launch, 0 = all */
};

/* The part of an application that `window` (not WINDOW_UNSET) runs on g. */
bool window_choose(struct part *out, const struct kernel_list *list,
                   const struct gpu *g, enum window window, struct error *e);

#endif
