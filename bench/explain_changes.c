/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/explain_changes.h"

#include "bench/correlate_csv.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name, type)                                                      \
    {                                                                          \
#name, type, offsetof(struct change, name),                            \
            sizeof(((struct change *)0)->name)                                 \
    }

static const struct csv_field fields[] = {
    FIELD(kernel, CSV_TEXT),    FIELD(gpu, CSV_TEXT),
    FIELD(grid, CSV_TEXT),      FIELD(tb, CSV_INT),
    FIELD(key, CSV_TEXT),       FIELD(value, CSV_TEXT),
    FIELD(before_us, CSV_REAL), FIELD(after_us, CSV_REAL)};

bool changes_load(struct changes *c, const char *path, struct error *e)
{
    void *rows;
    FILE *f = fopen(path, "r");
    *c = (struct changes){0};
    if (f == NULL)
        return true;
    fclose(f);
    if (!csv_load(&rows, &c->count, sizeof(*c->item), path, fields,
                  sizeof(fields) / sizeof(fields[0]), e))
        return false;
    c->item = rows;
    for (size_t i = 0; i < c->count; i++)
        c->item[i].model = c->item[i].hybrid = c->item[i].lo = c->item[i].hi =
            NAN;
    return true;
}

static void put_number(FILE *f, double x)
{
    if (isnan(x))
        fputs(",", f);
    else
        fprintf(f, ",%.2f", x);
}

static void put_change(FILE *f, const struct change *c)
{
    fprintf(f, "%s,%s,%s,%d,%s,%s,%.6f,%.6f", c->kernel, c->gpu, c->grid, c->tb,
            c->key, c->value, c->before_us, c->after_us);
    put_number(f, c->model);
    put_number(f, c->hybrid);
    put_number(f, c->lo);
    put_number(f, c->hi);
    fprintf(f, ",%d\n", c->whole);
}

bool changes_save(const struct changes *c, const struct changes *known,
                  const char *path, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    fputs("kernel,gpu,grid,tb,key,value,before_us,after_us,model_pct,"
          "hybrid_pct,lo_pct,hi_pct,whole\n",
          f);
    for (size_t i = 0; i < c->count; i++)
        put_change(f, &c->item[i]);
    for (size_t i = 0; i < known->count; i++)
        if (changes_find(c, &known->item[i]) == NULL)
            put_change(f, &known->item[i]);
    return fclose(f) == 0 ||
           error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

bool changes_add(struct changes *c, const struct change *one, struct error *e)
{
    void *grown = realloc(c->item, (c->count + 1) * sizeof(*c->item));
    if (grown == NULL)
        return error_no_memory(e);
    c->item = grown;
    c->item[c->count++] = *one;
    return true;
}

void changes_free(struct changes *c)
{
    free(c->item);
    *c = (struct changes){0};
}

const struct change *changes_find(const struct changes *c,
                                  const struct change *like)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct change *at = &c->item[i];
        if (strcmp(at->kernel, like->kernel) == 0 &&
            strcmp(at->gpu, like->gpu) == 0 &&
            strcmp(at->grid, like->grid) == 0 && at->tb == like->tb &&
            strcmp(at->key, like->key) == 0 &&
            strcmp(at->value, like->value) == 0)
            return at;
    }
    return NULL;
}

double change_truth(const struct change *c)
{
    return 100 * (c->after_us / c->before_us - 1);
}
