/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of configurations. A public key is a row of the table of keys. */
#include "api/handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct gpu_key *row(const struct estimate_key *k)
{
    return (const struct gpu_key *)k;
}

const struct estimate_key *estimate_key(size_t i)
{
    return i < gpu_key_count ? (const struct estimate_key *)&gpu_keys[i] : NULL;
}

const struct estimate_key *estimate_key_find(const char *name,
                                             struct estimate_error *out)
{
    struct error e;
    const struct gpu_key *k = gpu_key_find(name);
    if (k == NULL) {
        const char *near = gpu_key_nearest(name);
        error_set(&e, STATUS_USAGE, "unknown key '%s'%s%s%s", name,
                  near != NULL ? ", did you mean '" : "",
                  near != NULL ? near : "", near != NULL ? "'?" : "");
        tell(out, &e);
    }
    return (const struct estimate_key *)k;
}

const char *estimate_key_name(const struct estimate_key *k)
{
    return row(k)->key;
}

enum estimate_key_type estimate_key_type(const struct estimate_key *k)
{
    static const enum estimate_key_type types[] = {
        [GPU_INT] = ESTIMATE_KEY_WHOLE,
        [GPU_REAL] = ESTIMATE_KEY_REAL,
        [GPU_BOOL] = ESTIMATE_KEY_FLAG,
        [GPU_ENUM] = ESTIMATE_KEY_NAME,
    };
    return types[row(k)->type];
}

const char *estimate_key_unit(const struct estimate_key *k)
{
    return row(k)->unit;
}

const char *estimate_key_help(const struct estimate_key *k)
{
    return row(k)->help;
}

double estimate_key_min(const struct estimate_key *k)
{
    return row(k)->min;
}

double estimate_key_max(const struct estimate_key *k)
{
    return row(k)->max;
}

double estimate_key_default(const struct estimate_key *k)
{
    return row(k)->fallback;
}

const char *estimate_key_source(const struct estimate_key *k)
{
    return row(k)->source;
}

const char *estimate_key_value_name(const struct estimate_key *k, size_t value)
{
    const char *const *names = row(k)->names;
    for (size_t i = 0; names != NULL && names[i] != NULL; i++)
        if (i == value)
            return names[i];
    return NULL;
}

void estimate_key_text(const struct estimate_key *k, double value, char *out,
                       size_t size)
{
    const char *name =
        value >= 0 ? estimate_key_value_name(k, (size_t)value) : NULL;
    if (name != NULL)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, "%.12g", value);
}

double estimate_gpu_get(const struct estimate_gpu *g,
                        const struct estimate_key *k)
{
    return gpu_key_get(&g->gpu, row(k));
}

/* A key was set: it is another GPU than that on which kernels were measured. */
static void follow(struct estimate_gpu *g, const struct gpu_key *key,
                   const struct gpu *before)
{
    if (gpu_key_get(&g->gpu, key) != gpu_key_get(before, key))
        g->gpu.measured = (struct gpu_measured){0};
    g->dram_clock |= strcmp(key->key, "clock.dram_mhz") == 0;
    if (!g->dram_clock && g->gpu.dram.gbps != before->dram.gbps)
        gpu_follow_bandwidth(&g->gpu, before->dram.gbps);
}

bool estimate_gpu_set(struct estimate_gpu *g, const struct estimate_key *k,
                      double value, struct estimate_error *out)
{
    struct error e;
    const struct gpu before = g->gpu;
    if (!gpu_key_set(&g->gpu, row(k), value, &e))
        return tell(out, &e);
    follow(g, row(k), &before);
    return true;
}

bool estimate_gpu_set_text(struct estimate_gpu *g, const char *key,
                           const char *value, struct estimate_error *out)
{
    struct error e;
    const struct gpu before = g->gpu;
    if (!gpu_set(&g->gpu, key, value, &e))
        return tell(out, &e);
    follow(g, gpu_key_find(key), &before);
    return true;
}
