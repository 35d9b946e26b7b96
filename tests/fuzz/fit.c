/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a kept fit holds behind its sum, which is made to fit here. */
#include "calib/job.h"
#include "calib/store.h"
#include "configs/gpu.h"
#include "sampler/policy/registry.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 2

/* FNV-1a (calib/store.c). */
static uint64_t sum_of(const uint8_t *data, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        h = (h ^ data[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* The name of the only .fit file in `folder`. */
static void find_fit(char *name, size_t size, const char *folder)
{
    DIR *d = opendir(folder);
    name[0] = '\0';
    for (struct dirent *f; d != NULL && (f = readdir(d)) != NULL;)
        if (strstr(f->d_name, ".fit") != NULL)
            snprintf(name, size, "%s", f->d_name);
    if (d != NULL)
        closedir(d);
}

/* Let the text be what is kept of the job. */
static void keep(const struct job *job, const uint8_t *data, size_t size)
{
    static char name[256];
    size_t room = size + 18;
    char *text = malloc(room);
    if (text == NULL)
        abort();
    if (name[0] == '\0') {
        store_write(job);
        find_fit(name, sizeof(name), job->options->cache_dir);
    }
    snprintf(text, room, "%016" PRIx64 "\n", sum_of(data, size));
    if (size > 0)
        memcpy(text + 17, data, size);
    free(fuzz_file(name, text, size + 17));
    free(text);
}

void fuzz_fit(const uint8_t *data, size_t size)
{
    static char name[] = "k";
    static const int tb[POINTS] = {1, 2};
    static struct gpu g;
    struct kernel k = {.name = name};
    const struct policy_set policy = policy_set_default();
    struct result result[POINTS] = {0};
    struct paired_delta delta[POINTS] = {0}, versus[POINTS] = {0};
    struct study_result out = {
        .result = result, .delta = delta, .versus = versus};
    struct error e;
    char *folder = fuzz_file("", NULL, 0);
    if (g.name[0] == '\0' && !gpu_load(&g, "m2090", NULL, 0, &e))
        abort();
    const struct study s = {.kernel = &k,
                            .gpu = &g,
                            .tb = tb,
                            .tb_count = POINTS,
                            .policies = &policy,
                            .policy_count = 1};
    const struct calib_options o = {.use_cache = true, .cache_dir = folder};
    struct job job = {.study = &s, .options = &o, .out = &out};
    keep(&job, data, size);
    store_read(&job);
    free(folder);
}
