/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_points.h"
#include "bench/correlate_csv.h"
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

static void read_points(const char *path)
{
    struct accuracy_points p = {0};
    struct error e;
    if (points_load(&p, path, &e))
        truth_load(&p, path, &e);
    points_free(&p);
}

void fuzz_csv(const uint8_t *data, size_t size)
{
    char *path = fuzz_file("f.csv", data, size);
    read_rows(path);
    read_points(path);
    free(path);
}
