/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_kept.h"
#include "bench/correlate_csv.h"
#include "configs/gpu.h"
#include "sampler/policy/registry.h"
#include "tests/fuzz/fuzz.h"

#include <stddef.h>
#include <stdlib.h>

struct row {
    char name[8];
    int blocks;
    double cycles, error;
};

static void read_rows(const char *path)
{
    static const struct csv_field fields[] = {
        {"kernel", CSV_TEXT, offsetof(struct row, name), 8},
        {"tb", CSV_INT, offsetof(struct row, blocks), 0},
        {"cycles", CSV_REAL, offsetof(struct row, cycles), 0},
        {"error", CSV_MAY_LACK, offsetof(struct row, error), 0}};
    struct error e;
    void *rows;
    size_t count;
    if (csv_load(&rows, &count, sizeof(struct row), path, fields, 4, &e))
        free(rows);
}

static void read_kept(const char *path)
{
    static char name[] = "nn";
    const struct kernel k = {.name = name, .blocks = 16};
    const struct gpu g = {.name = "m2090"};
    const int tb[] = {1, 2};
    const struct policy_set policy = policy_set_default();
    struct result result[2];
    struct study_result out = {.result = result};
    const struct study s = {.kernel = &k,
                            .gpu = &g,
                            .tb = tb,
                            .tb_count = 2,
                            .policies = &policy,
                            .policy_count = 1};
    accuracy_kept(&out, &s, path);
}

void fuzz_csv(const uint8_t *data, size_t size)
{
    char *path = fuzz_file("f.csv", data, size);
    read_rows(path);
    read_kept(path);
    free(path);
}
