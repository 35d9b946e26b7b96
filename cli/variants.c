/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/variants.h"

#include "cli/columns.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IGNORED_MAX 4096

struct gpu_list {
    struct gpu *gpu;
    size_t count;
};

static bool add_gpu(struct gpu_list *list, const char *name, FILE *notes,
                    struct error *e)
{
    char ignored[IGNORED_MAX] = "";
    struct gpu *grown =
        realloc(list->gpu, (list->count + 1) * sizeof(*list->gpu));
    if (grown == NULL)
        return error_no_memory(e);
    list->gpu = grown;
    struct gpu *g = &list->gpu[list->count];
    if (!gpu_load(g, name, ignored, sizeof(ignored), e))
        return false;
    if (ignored[0] != '\0')
        fprintf(notes, "%s: options without a counterpart: %s\n", name,
                ignored);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->gpu[i].name, g->name) == 0)
            return error_set(e, STATUS_USAGE, "--gpu: '%s' is named twice",
                             g->name);
    list->count++;
    return true;
}

static bool add_bundled(struct gpu_list *list, FILE *notes, struct error *e)
{
    size_t count;
    const char *const *names = gpu_bundled_names(&count);
    for (size_t i = 0; i < count; i++)
        if (!add_gpu(list, names[i], notes, e))
            return false;
    return true;
}

/* Bytes of the first entry of a list: up to the last comma before which stands
 * the name of a file, else up to the first one. */
static bool entry_length(const char *list, size_t *length, struct error *e)
{
    size_t first = strcspn(list, ",");
    char *name = strdup(list);
    if (name == NULL)
        return error_no_memory(e);
    *length = strlen(list);
    while (*length > first && access(name, F_OK) != 0) {
        while (list[--*length] != ',')
            ;
        name[*length] = '\0';
    }
    free(name);
    return true;
}

static bool add_entry(struct gpu_list *list, const char *entry, size_t length,
                      FILE *notes, struct error *e)
{
    char *name = strndup(entry, length);
    if (name == NULL)
        return error_no_memory(e);
    bool ok = strcmp(name, "all") == 0 ? add_bundled(list, notes, e)
                                       : add_gpu(list, name, notes, e);
    free(name);
    return ok;
}

bool gpus_load(struct gpu **out, size_t *count, const struct options *o,
               FILE *notes, struct error *e)
{
    struct gpu_list list = {0};
    bool ok = true, more = true;
    for (const char *p = o->gpu; ok && more;) {
        size_t length = 0;
        ok = entry_length(p, &length, e) &&
             add_entry(&list, p, length, notes, e);
        more = ok && p[length] == ',';
        p += more ? length + 1 : 0;
    }
    *out = list.gpu;
    *count = list.count;
    return ok;
}

/* An error of a swept value is one of usage, whatever the library calls it. */
static bool sweep_error(const struct plan *p, const struct variant *v,
                        struct error *e)
{
    char values[256] = "";
    int used = 0;
    for (size_t k = 0; k < p->keys && used < (int)sizeof(values); k++) {
        char value[COLUMN_VALUE_MAX];
        swept_text(value, p->key[k], v->swept[k]);
        used += snprintf(values + used, sizeof(values) - (size_t)used,
                         "%s%s=%s", k > 0 ? ", " : "", p->key[k]->key, value);
    }
    struct error cause = *e;
    return error_set(e, STATUS_USAGE, "--sweep: %s with %s: %s", v->gpu.name,
                     values, cause.text);
}

/* Combination `index` of the swept values: a number in mixed radix. */
static bool set_swept(struct plan *p, const struct sweep *const *sweep,
                      struct variant *v, uint64_t index, struct error *e)
{
    for (size_t k = p->keys; k-- > 0;) {
        v->swept[k] = sweep_value(sweep[k], index % sweep[k]->count);
        index /= sweep[k]->count;
    }
    for (size_t k = 0; k < p->keys; k++)
        if (!gpu_key_set(&v->gpu, p->key[k], v->swept[k], e))
            return sweep_error(p, v, e);
    return p->keys == 0 || gpu_validate(&v->gpu, e) || sweep_error(p, v, e);
}

bool variants_create(struct plan *p, const struct options *o,
                     const struct gpu *gpus, size_t count, struct error *e)
{
    const struct sweep *sweep[SWEEPS_MAX];
    uint64_t combinations = 1;
    for (size_t i = 0; i < o->sweeps; i++) {
        if (o->sweep[i].key == NULL)
            continue;
        sweep[p->keys] = &o->sweep[i];
        p->key[p->keys++] = o->sweep[i].key;
        combinations = saturating_product(combinations, o->sweep[i].count);
    }
    uint64_t total = saturating_product(combinations, count);
    if (total <= SIZE_MAX / sizeof(*p->variant))
        p->variant = calloc(total, sizeof(*p->variant));
    if (p->variant == NULL)
        return error_set(e, STATUS_FAILED,
                         "out of memory: %llu GPU configurations",
                         (unsigned long long)total);
    for (uint64_t i = 0; i < total; i++) {
        struct variant *v = &p->variant[p->variants++];
        v->gpu = gpus[i / combinations];
        if (!set_swept(p, sweep, v, i % combinations, e))
            return false;
    }
    return true;
}
