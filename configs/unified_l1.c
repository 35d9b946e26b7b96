/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * L1s whose memory is the shared memory, too. What is set apart for that goes
 * by steps: CUDA C++ Programming Guide, "Shared Memory" of each compute
 * capability. Which step a kernel gets was measured (bench/hardware, column
 * shared_kb, of compute capability 9.0): UNSHARED_KB where it has no shared
 * memory, else the step above the least that holds what as many blocks as fit
 * take. */
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>

#define UNSHARED_KB 32
#define STEPS       10

/* From a compute capability on, ascending; KiB. */
static const struct steps {
    int arch, count, kb[STEPS];
} steps_of[] = {
    {70, 6, {0, 8, 16, 32, 64, 96}},
    {75, 2, {32, 64}},
    {80, 8, {0, 8, 16, 32, 64, 100, 132, 164}},
    {86, 6, {0, 8, 16, 32, 64, 100}},
    {87, 8, {0, 8, 16, 32, 64, 100, 132, 164}},
    {89, 6, {0, 8, 16, 32, 64, 100}},
    {90, 10, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
    {120, 6, {0, 8, 16, 32, 64, 100}},
};

/* The step above the least that holds so much; the whole where there is none.
 */
static double step_above(const struct gpu *g, double kb)
{
    const struct steps *s = &steps_of[0];
    for (size_t i = 1; i < sizeof(steps_of) / sizeof(*s); i++)
        if (steps_of[i].arch <= g->arch)
            s = &steps_of[i];
    for (int i = 0; i + 1 < s->count; i++)
        if (kb <= s->kb[i])
            return s->kb[i + 1];
    return fmax(s->kb[s->count - 1], g->sm.shared_bytes / 1024.0);
}

static double set_apart_kb(const struct gpu *g, const struct kernel *k)
{
    double block = k->shared_bytes + g->sm.shared_reserved;
    return k->shared_bytes == 0
               ? UNSHARED_KB
               : step_above(g, occupancy_blocks(g, k, NULL) * block / 1024);
}

/* As many sets as before. A way is left of what is set too small for that. */
static void take_from_l1(struct gpu *g, double kb)
{
    double set_kb = g->l1.size_kb / g->l1.ways;
    int ways = (int)floor((g->l1.size_kb - kb) / set_kb);
    g->l1.ways = ways < 1 ? 1 : ways;
    g->l1.size_kb = g->l1.ways * set_kb;
}

void gpu_for_kernels(struct gpu *out, const struct gpu *g,
                     struct kernel *const *kernels, size_t count)
{
    double most = UNSHARED_KB;
    *out = *g;
    for (size_t i = 0; g->l1.unified && i < count; i++)
        most = fmax(most, set_apart_kb(g, kernels[i]));
    if (g->l1.unified && most > UNSHARED_KB)
        take_from_l1(out, most - UNSHARED_KB);
}
