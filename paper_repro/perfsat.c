/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact figures of the thread-block saturation paper ("perfsat"): the largest
 * block counts of its Table II. */
#include "kernels/load.h"
#include "paper_repro/claim.h"
#include "paper_repro/tables.h"

#include <stdio.h>
#include <string.h>

static bool judge_blocks(struct finding *f, const char *gpu, bool m2090,
                         struct error *e)
{
    struct gpu g;
    if (!gpu_load(&g, gpu, NULL, 0, e))
        return false;
    size_t equal = 0;
    char unlike[256] = "";
    for (size_t i = 0; i < perfsat_table2_rows; i++) {
        const struct perfsat_row *row = &perfsat_table2[i];
        struct kernel_list list;
        struct load_options load = load_options_default();
        if (!kernel_load(&list, row->kernel, &load, e))
            return false;
        int ours = occupancy_blocks(&g, list.kernel[0], NULL);
        kernel_list_free(&list);
        int paper = m2090 ? row->m2090_max : row->k20x_max;
        size_t used = strlen(unlike);
        if (ours == paper)
            equal++;
        else
            snprintf(unlike + used, sizeof(unlike) - used, " %s %d for %d",
                     row->kernel, ours, paper);
    }
    f->verdict = equal == perfsat_table2_rows ? HOLDS : FAILS;
    snprintf(f->ours, sizeof(f->ours), "%zu of %zu%s", equal,
             perfsat_table2_rows, unlike);
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
