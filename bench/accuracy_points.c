/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_points.h"

#include "bench/correlate_csv.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(m, type)                                                         \
    {                                                                          \
#m, type, offsetof(struct accuracy_point, m),                          \
            sizeof(((struct accuracy_point *)0)->m)                            \
    }
/* The last two are those of the truth. */
static const struct csv_field fields[] = {
    FIELD(kernel, CSV_TEXT),    FIELD(gpu, CSV_TEXT), FIELD(grid, CSV_TEXT),
    FIELD(sched, CSV_TEXT),     FIELD(tb, CSV_INT),   FIELD(cycles, CSV_REAL),
    FIELD(warp_insts, CSV_REAL)};

enum {
    TRUTH_FIELDS = sizeof(fields) / sizeof(fields[0]),
    POINT_FIELDS = TRUTH_FIELDS - 2
};

bool points_load(struct accuracy_points *p, const char *path, struct error *e)
{
    void *rows;
    size_t count;
    if (!csv_load(&rows, &count, sizeof(*p->point), path, fields, POINT_FIELDS,
                  e))
        return false;
    size_t all = p->count + count;
    struct accuracy_point *more = realloc(p->point, all * sizeof(*more) + 1);
    if (more != NULL) {
        p->point = more;
        memcpy(more + p->count, rows, count * sizeof(*more));
        for (size_t i = p->count; i < all; i++)
            more[i].cycles = more[i].warp_insts = NAN;
        p->count = all;
    }
    free(rows);
    return more != NULL || error_set(e, STATUS_FAILED, "out of memory");
}

void points_free(struct accuracy_points *p)
{
    free(p->point);
    *p = (struct accuracy_points){0};
}

bool points_same_case(const struct accuracy_point *a,
                      const struct accuracy_point *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->gpu, b->gpu) == 0 &&
           strcmp(a->grid, b->grid) == 0;
}

static bool same_point(const struct accuracy_point *a,
                       const struct accuracy_point *b)
{
    return a->tb == b->tb && strcmp(a->sched, b->sched) == 0 &&
           points_same_case(a, b);
}

bool truth_load(struct accuracy_points *p, const char *path, struct error *e)
{
    void *rows;
    size_t count;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return true;
    fclose(f);
    if (!csv_load(&rows, &count, sizeof(*p->point), path, fields, TRUTH_FIELDS,
                  e))
        return false;
    const struct accuracy_point *known = rows;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = 0; j < count; j++)
            if (same_point(&p->point[i], &known[j])) {
                p->point[i].cycles = known[j].cycles;
                p->point[i].warp_insts = known[j].warp_insts;
            }
    free(rows);
    return true;
}

bool truth_append(const char *path, const struct accuracy_point *p,
                  struct error *e)
{
    FILE *f = fopen(path, "a");
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    fseek(f, 0, SEEK_END);
    if (ftell(f) == 0)
        fputs("kernel,gpu,grid,tb,sched,cycles,warp_insts\n", f);
    fprintf(f, "%s,%s,%s,%d,%s,%.0f,%.0f\n", p->kernel, p->gpu, p->grid, p->tb,
            p->sched, p->cycles, p->warp_insts);
    return fclose(f) == 0 ||
           error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

bool point_is_development(const struct accuracy_points *all,
                          const struct accuracy_point *p)
{
    int before = 0;
    for (size_t i = 0; i < all->count; i++) {
        const char *name = all->point[i].kernel;
        bool again = i > 0 && strcmp(name, all->point[i - 1].kernel) == 0;
        before += !again && strcmp(name, p->kernel) < 0;
    }
    return before % 2 == 0;
}
