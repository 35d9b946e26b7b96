/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_kept.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <stdio.h>
#include <string.h>

/* The columns of a point up to its detailed cycles. */
struct row {
    char kernel[64], gpu[64], sched[64];
    unsigned long long grid;
    int tb;
    double detailed;
};

static bool parse_row(struct row *r, const char *line)
{
    return sscanf(line, "%63[^,],%63[^,],%llu,%d,%63[^,],%lf", r->kernel,
                  r->gpu, &r->grid, &r->tb, r->sched, &r->detailed) == 6;
}

static int block_index(const struct study *s, int tb)
{
    for (int i = 0; i < s->tb_count; i++)
        if (s->tb[i] == tb)
            return i;
    return -1;
}

static int policy_index(const struct study *s, const char *sched)
{
    for (int q = 0; q < s->policy_count; q++) {
        char label[64];
        choice_label(label, sizeof(label), &s->policies[q].warp);
        if (strcmp(label, sched) == 0)
            return q;
    }
    return -1;
}

bool accuracy_kept(struct study_result *out, const struct study *s,
                   const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512];
    int missing = s->tb_count * s->policy_count;
    if (f == NULL)
        return false;
    while (fgets(line, sizeof(line), f) != NULL) {
        struct row r;
        if (!parse_row(&r, line) || strcmp(r.kernel, s->kernel->name) != 0 ||
            strcmp(r.gpu, s->gpu->name) != 0 || r.grid != s->kernel->blocks)
            continue;
        int tb = block_index(s, r.tb), q = policy_index(s, r.sched);
        if (tb < 0 || q < 0)
            continue;
        out->result[tb * s->policy_count + q].cycles = r.detailed;
        missing--;
    }
    fclose(f);
    return missing == 0;
}
