/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_points.h"

#include "bench/correlate_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define TEXT(m)                                                                \
    {                                                                          \
#m, CSV_TEXT, offsetof(struct reference_point, m),                     \
            sizeof(((struct reference_point *)0)->m)                           \
    }
#define NUMBER(m, type)                                                        \
    {                                                                          \
#m, type, offsetof(struct reference_point, m), 0                       \
    }

static const struct csv_field fields[] = {
    TEXT(trace),
    TEXT(config),
    TEXT(scheduler),
    NUMBER(grid, CSV_INT),
    NUMBER(arch, CSV_INT),
    NUMBER(cta_limit, CSV_INT),
    NUMBER(cta_per_core, CSV_INT),
    NUMBER(cycles, CSV_REAL),
    NUMBER(l1_miss, CSV_MAY_LACK),
    NUMBER(l2_miss, CSV_MAY_LACK),
    NUMBER(dram_util, CSV_MAY_LACK),
    NUMBER(warp_insts, CSV_REAL),
    NUMBER(warp_insts_per_s, CSV_MAY_LACK),
};

/* A trace of a real kernel that the reference was run with apart from the
 * table: vectorAdd of 196 blocks of 256, the scheduler that SM7_QV100 names
 * (its README has the cycles). */
static const struct reference_point vectoradd = {.trace = "vectoradd_a100",
                                                 .config = "SM7_QV100",
                                                 .scheduler = "lrr",
                                                 .grid = 196,
                                                 .arch = 80,
                                                 .cta_limit = 32,
                                                 .cta_per_core = 8,
                                                 .cycles = 1361,
                                                 .l1_miss = NAN,
                                                 .l2_miss = NAN,
                                                 .dram_util = NAN,
                                                 .warp_insts_per_s = NAN};

static bool is_word(const struct reference_point *p, const char *word, size_t n)
{
    char limit[32], grid[32];
    size_t scheduler = strcspn(p->scheduler, ":");
    snprintf(limit, sizeof(limit), "lim%d", p->cta_limit);
    snprintf(grid, sizeof(grid), "g%d", p->grid);
    const char *const name[] = {p->trace, p->config, limit, grid};
    for (size_t i = 0; i < COUNT(name); i++)
        if (strlen(name[i]) == n && strncmp(name[i], word, n) == 0)
            return true;
    return scheduler == n && strncmp(p->scheduler, word, n) == 0;
}

bool reference_selects(const struct reference_point *p, const char *only)
{
    while (only != NULL && *only != '\0') {
        size_t n = strcspn(only, ",");
        if (!is_word(p, only, n))
            return false;
        only += n + (only[n] == ',');
    }
    return true;
}

/* Launch latency of the published configurations; the copies beside the
 * reference have 0 in its place. */
static const struct {
    const char *config; /* how its name begins */
    double cycles;
} published_launch[] = {{"SM6_", 5000}, {"SM7_", 5000}};

/* Cycles are net of the launch, but the reference divided the busy cycles of
 * the memory by all of them: with the launch added the traffic of every trace
 * comes out as what it must move. */
static void utilisation_of_net_cycles(struct reference_point *p)
{
    for (size_t i = 0; i < COUNT(published_launch); i++)
        if (strncmp(p->config, published_launch[i].config,
                    strlen(published_launch[i].config)) == 0)
            p->dram_util *= 1 + published_launch[i].cycles / p->cycles;
}

static void keep_selected(struct reference *r, const char *only)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        if (reference_selects(&r->point[i], only))
            r->point[kept++] = r->point[i];
    r->count = kept;
}

static bool add_vectoradd(struct reference *r, const char *folder,
                          struct error *e)
{
    char path[1024];
    struct stat st;
    snprintf(path, sizeof(path), "%s/real/%s", folder, vectoradd.trace);
    if (stat(path, &st) != 0)
        return true;
    struct reference_point *more =
        realloc(r->point, (r->count + 1) * sizeof(*more));
    if (more == NULL)
        return error_no_memory(e);
    r->point = more;
    r->point[r->count++] = vectoradd;
    return true;
}

bool reference_load(struct reference *out, const char *folder, const char *only,
                    struct error *e)
{
    char path[1024];
    void *rows;
    snprintf(path, sizeof(path), "%s/accelsim.csv", folder);
    if (!csv_load(&rows, &out->count, sizeof(*out->point), path, fields,
                  COUNT(fields), e))
        return false;
    out->point = rows;
    for (size_t i = 0; i < out->count; i++)
        utilisation_of_net_cycles(&out->point[i]);
    if (!add_vectoradd(out, folder, e)) {
        reference_free(out);
        return false;
    }
    keep_selected(out, only);
    return true;
}

void reference_free(struct reference *r)
{
    free(r->point);
    *r = (struct reference){0};
}

bool reference_scheduler(char *out, size_t size, const char *scheduler,
                         struct error *e)
{
    static const char *const same[] = {"gto", "lrr", "old", "gty"};
    int n;
    for (size_t i = 0; i < COUNT(same); i++)
        if (strcmp(scheduler, same[i]) == 0)
            return snprintf(out, size, "%s", scheduler) > 0;
    if (sscanf(scheduler, "two_level_active:%d", &n) == 1)
        return snprintf(out, size, "tlrr:%d:1", n) > 0;
    if (sscanf(scheduler, "warp_limiting:%*d:%d", &n) == 1)
        return snprintf(out, size, "swl:%d", n) > 0;
    return error_set(e, STATUS_BAD_INPUT,
                     "found scheduler '%s', expected gto, lrr, old, gty, "
                     "two_level_active:N or warp_limiting:P:N",
                     scheduler);
}

int reference_blocks(const struct reference_point *p)
{
    return p->cta_limit < p->cta_per_core ? p->cta_limit : p->cta_per_core;
}
