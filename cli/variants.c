/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/variants.h"

#include "cli/columns.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool append_gpu(struct gpu_list *list, struct estimate_gpu *g,
                       struct estimate_error *e)
{
    void *grown = realloc(list->gpu, (list->count + 1) * sizeof(*list->gpu));
    if (grown == NULL) {
        estimate_gpu_free(g);
        return fail_no_memory(e);
    }
    list->gpu = grown;
    list->gpu[list->count++] = g;
    return true;
}

/* Their number; when verbose their names. */
static void note_ignored(FILE *notes, const char *name, const char *ignored,
                         bool verbose)
{
    size_t count = 1;
    for (const char *at = ignored; (at = strchr(at, ',')) != NULL; at++)
        count++;
    if (verbose)
        fprintf(notes, "%s: options without a counterpart: %s\n", name,
                ignored);
    else
        fprintf(notes,
                "%s: %zu option%s without a counterpart (--verbose: which)\n",
                name, count, count == 1 ? "" : "s");
}

static bool add_gpu(struct gpu_list *list, const char *name, bool verbose,
                    FILE *notes, struct estimate_error *e)
{
    struct estimate_gpu *g = estimate_gpu_load(name, e);
    if (g == NULL || !append_gpu(list, g, e))
        return false;
    if (estimate_gpu_ignored(g)[0] != '\0')
        note_ignored(notes, name, estimate_gpu_ignored(g), verbose);
    for (size_t i = 0; i + 1 < list->count; i++)
        if (strcmp(estimate_gpu_name(list->gpu[i]), estimate_gpu_name(g)) == 0)
            return fail(e, ESTIMATE_USAGE, "--gpu: '%s' is named twice",
                        estimate_gpu_name(g));
    return true;
}

static bool add_bundled(struct gpu_list *list, FILE *notes,
                        struct estimate_error *e)
{
    const char *name;
    for (size_t i = 0; (name = estimate_bundled_gpu(i)) != NULL; i++)
        if (!add_gpu(list, name, false, notes, e))
            return false;
    return true;
}

/* Bytes of the first entry of a list: up to the last comma before which stands
 * the name of a file, else up to the first one. */
static bool entry_length(const char *list, size_t *length,
                         struct estimate_error *e)
{
    size_t first = strcspn(list, ",");
    char *name = strdup(list);
    if (name == NULL)
        return fail_no_memory(e);
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
                      bool verbose, FILE *notes, struct estimate_error *e)
{
    char *name = strndup(entry, length);
    if (name == NULL)
        return fail_no_memory(e);
    bool ok = strcmp(name, "all") == 0 ? add_bundled(list, notes, e)
                                       : add_gpu(list, name, verbose, notes, e);
    free(name);
    return ok;
}

/* One --set. */
static bool set_key(struct estimate_gpu *g, const char *setting,
                    struct estimate_error *e)
{
    struct estimate_error why;
    const char *equals = strchr(setting, '=');
    char *key = strndup(setting, (size_t)(equals - setting));
    if (key == NULL)
        return fail_no_memory(e);
    bool ok = estimate_gpu_set_text(g, key, equals + 1, &why) ||
              fail(e, ESTIMATE_USAGE, "--set %s: %s", setting, why.text);
    free(key);
    return ok;
}

static bool set_keys(const struct gpu_list *list, const struct options *o,
                     struct estimate_error *e)
{
    struct estimate_error why;
    for (size_t i = 0; i < list->count; i++) {
        for (size_t k = 0; k < o->settings; k++)
            if (!set_key(list->gpu[i], o->setting[k], e))
                return false;
        if (o->settings > 0 && !estimate_gpu_check(list->gpu[i], &why))
            return fail(e, ESTIMATE_USAGE, "--set: %s: %s",
                        estimate_gpu_name(list->gpu[i]), why.text);
    }
    return true;
}

/* The input that code for an architecture is taken from, NULL: none says. */
static const char *input_with_target(const struct options *o, int *arch)
{
    for (size_t i = 0; i < o->inputs; i++) {
        *arch = estimate_input_target(o->input[i]);
        if (*arch > 0)
            return o->input[i];
    }
    return NULL;
}

/* The bundled GPU nearest to an architecture, of two the newer, which runs its
 * code; the usual default where it is as near. Variants of a GPU,
 * "titanx-gsim", are only meant where they are named. */
static const char *nearest_gpu(int arch, const char *usual)
{
    const char *name, *found = usual;
    int least = INT_MAX, newest = 0;
    for (size_t i = 0; (name = estimate_bundled_gpu(i)) != NULL; i++) {
        struct estimate_gpu *g = estimate_gpu_load(name, NULL);
        int has =
            g == NULL
                ? 0
                : (int)estimate_gpu_get(g, estimate_key_find("arch", NULL));
        estimate_gpu_free(g);
        int away = abs(has - arch);
        bool better =
            away < least || (away == least && has > newest) ||
            (away == least && has == newest && strcmp(name, usual) == 0);
        if (g == NULL || strchr(name, '-') != NULL || !better)
            continue;
        found = name;
        least = away;
        newest = has;
    }
    return found;
}

/* What --gpu is when it is not given. */
static const char *default_gpus(const struct options *o, FILE *notes)
{
    int arch;
    const char *input = input_with_target(o, &arch);
    if (options_given(o, "gpu") || o->command == COMMAND_RUN || input == NULL)
        return o->gpu;
    const char *gpu = nearest_gpu(arch, o->gpu);
    fprintf(notes, "GPU %s, the nearest to sm_%d of %s\n", gpu, arch, input);
    return gpu;
}

bool gpus_load(struct gpu_list *out, const struct options *o, FILE *notes,
               struct estimate_error *e)
{
    bool ok = true, more = true;
    for (const char *p = default_gpus(o, notes); ok && more;) {
        size_t length = 0;
        ok = entry_length(p, &length, e) &&
             add_entry(out, p, length, o->verbose, notes, e);
        more = ok && p[length] == ',';
        p += more ? length + 1 : 0;
    }
    return ok && set_keys(out, o, e);
}

void gpus_free(struct gpu_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        estimate_gpu_free(list->gpu[i]);
    free(list->gpu);
}

/* An error of a swept value is one of usage, whatever the library calls it. */
static bool sweep_error(const struct plan *p, const struct variant *v,
                        struct estimate_error *e)
{
    char values[256] = "";
    int used = 0;
    for (size_t k = 0; k < p->keys && used < (int)sizeof(values); k++) {
        char value[COLUMN_VALUE_MAX];
        swept_text(value, p->key[k], v->swept[k]);
        used +=
            snprintf(values + used, sizeof(values) - (size_t)used, "%s%s=%s",
                     k > 0 ? ", " : "", estimate_key_name(p->key[k]), value);
    }
    struct estimate_error cause = *e;
    return fail(e, ESTIMATE_USAGE, "--sweep: %s with %s: %s",
                estimate_gpu_name(v->gpu), values, cause.text);
}

static bool set_swept(struct plan *p, struct variant *v,
                      struct estimate_error *e)
{
    design_values(v->swept, p, v->number);
    for (size_t k = 0; k < p->keys; k++)
        if (!estimate_gpu_set(v->gpu, p->key[k], v->swept[k], e))
            return sweep_error(p, v, e);
    return p->keys == 0 || estimate_gpu_check(v->gpu, e) ||
           sweep_error(p, v, e);
}

static void skip(struct skipped *s, struct variant *v,
                 const struct estimate_error *why, const struct options *o,
                 FILE *notes)
{
    estimate_gpu_free(v->gpu);
    if (s->count++ == 0)
        s->first = *why;
    if (o->verbose)
        fprintf(notes, "skipped: %s\n", why->text);
}

/* Whether all kernels fit on it. */
static bool takes_kernels(const struct plan *p, const struct variant *v,
                          struct estimate_error *e)
{
    size_t k = 0;
    while (k < p->kernels && estimate_max_blocks(p->kernel[k], v->gpu, e) > 0)
        k++;
    return k == p->kernels || (p->keys > 0 && sweep_error(p, v, e));
}

void variants_skip_unfit(struct plan *p, const struct options *o, FILE *notes)
{
    struct estimate_error why;
    size_t kept = 0;
    for (size_t i = 0; i < p->variants; i++) {
        struct variant v = p->variant[i];
        if (takes_kernels(p, &v, &why))
            p->variant[kept++] = v;
        else
            skip(&p->skipped, &v, &why, o, notes);
    }
    p->variants = kept;
}

bool variants_any(const struct plan *p, struct estimate_error *e)
{
    if (p->skipped.count < p->designs)
        return true;
    *e = p->skipped.first;
    return false;
}

void variants_note_skipped(const struct plan *p, FILE *notes)
{
    const struct skipped *s = &p->skipped;
    if (s->count > 0)
        fprintf(notes,
                "%llu of %llu combinations are skipped as invalid (-v lists "
                "them), such as %s\n",
                (unsigned long long)s->count, (unsigned long long)p->designs,
                s->first.text);
}

void variants_begin(struct plan *p, const struct options *o)
{
    p->combinations = 1;
    for (size_t i = 0; i < o->sweeps; i++) {
        if (o->sweep[i].key == NULL)
            continue;
        p->combinations =
            saturating_product(p->combinations, o->sweep[i].count);
        p->swept[p->keys] = &o->sweep[i];
        p->key[p->keys++] = o->sweep[i].key;
    }
    p->designs = saturating_product(p->combinations, p->gpus.count);
}

void variants_free(struct plan *p)
{
    for (size_t i = 0; i < p->variants; i++)
        estimate_gpu_free(p->variant[i].gpu);
    free(p->variant);
    p->variant = NULL;
    p->variants = 0;
}

bool variants_take(struct plan *p, const struct options *o, uint64_t most,
                   FILE *notes, struct estimate_error *e)
{
    uint64_t left = p->designs - p->next, count = left < most ? left : most;
    struct estimate_error why;
    variants_free(p);
    if (count <= SIZE_MAX / sizeof(*p->variant))
        p->variant = calloc(count, sizeof(*p->variant));
    if (p->variant == NULL)
        return fail(e, ESTIMATE_FAILED,
                    "out of memory: %llu GPU configurations",
                    (unsigned long long)count);
    for (; count > 0; count--) {
        struct variant *v = &p->variant[p->variants];
        v->number = p->next++;
        v->gpu = estimate_gpu_copy(design_gpu(p, v->number), e);
        if (v->gpu == NULL)
            return false;
        if (set_swept(p, v, &why))
            p->variants++;
        else
            skip(&p->skipped, v, &why, o, notes);
    }
    return true;
}
