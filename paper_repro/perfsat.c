/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact figures of the thread-block saturation paper ("perfsat"): the largest
 * block counts of its Table II. */
#include "kernels/load.h"
#include "paper_repro/claim.h"

#include <stdio.h>
#include <string.h>

/* Table II. */
static const struct row {
    const char *kernel;
    int m2090, k20x;
} table2[] = {
    {"bp-k1", 6, 8},  {"bp-k2", 5, 8},   {"bt-k1", 5, 8},
    {"bt-k2", 6, 8},  {"cfd", 3, 6},     {"gaussian", 8, 16},
    {"lud", 6, 8},    {"hotspot", 3, 6}, {"pathfinder", 6, 8},
    {"nn", 6, 8},     {"srad-1", 6, 8},  {"srad-2", 6, 8},
    {"srad-3", 6, 8}, {"srad-4", 6, 8},  {"srad-5", 6, 8},
    {"srad-6", 6, 8},
};
#define ROWS (sizeof(table2) / sizeof(table2[0]))

static bool judge_blocks(struct finding *f, const char *gpu, bool m2090,
                         struct error *e)
{
    struct gpu g;
    if (!gpu_load(&g, gpu, NULL, 0, e))
        return false;
    size_t equal = 0;
    char unlike[256] = "";
    for (size_t i = 0; i < ROWS; i++) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        if (!kernel_load(&list, table2[i].kernel, &load, e))
            return false;
        int ours = occupancy_blocks(&g, list.kernel[0], NULL);
        kernel_list_free(&list);
        int paper = m2090 ? table2[i].m2090 : table2[i].k20x;
        size_t used = strlen(unlike);
        if (ours == paper)
            equal++;
        else
            snprintf(unlike + used, sizeof(unlike) - used, " %s %d for %d",
                     table2[i].kernel, ours, paper);
    }
    f->verdict = equal == ROWS ? HOLDS : FAILS;
    snprintf(f->ours, sizeof(f->ours), "%zu of %zu%s", equal, ROWS, unlike);
    return true;
}

static bool judge_m2090(struct lab *l, const struct claim *c, struct finding *f,
                        struct error *e)
{
    (void)l;
    (void)c;
    return judge_blocks(f, "m2090", true, e);
}

static bool judge_k20x(struct lab *l, const struct claim *c, struct finding *f,
                       struct error *e)
{
    (void)l;
    (void)c;
    return judge_blocks(f, "k20x", false, e);
}

static const struct claim claims[] = {
    {"perfsat-01", "Table II: largest number of blocks an SM of the M2090",
     "16 values", .judge = judge_m2090},
    {"perfsat-02", "Table II: largest number of blocks an SM of the K20X",
     "16 values", .judge = judge_k20x},
};

int main(int argc, char **argv)
{
    return claims_main(argc, argv, "perfsat", "m2090", claims,
                       sizeof(claims) / sizeof(claims[0]));
}
