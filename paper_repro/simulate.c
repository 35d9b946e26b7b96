/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/simulate.h"

#include "base/bundled.h"
#include "base/hash.h"
#include "kernels/load.h"
#include "paper_repro/scribe.h"
#include "paper_repro/words.h"
#include "sampler/policy/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef PAPER_SOURCES
#error                                                                         \
    "PAPER_SOURCES, PAPER_STUDIES: a hash of the sources that decide results (paper.mk)"
#endif

/* Field `n` of "a/b/c" into out, `fallback` when it is missing or empty. */
static void policy_field(char *out, size_t size, const char *text, int n,
                         const char *fallback)
{
    for (; n > 0 && text != NULL; n--) {
        text = strchr(text, '/');
        text = text != NULL ? text + 1 : NULL;
    }
    size_t length = text != NULL ? strcspn(text, "/") : 0;
    if (length == 0)
        snprintf(out, size, "%s", fallback);
    else
        snprintf(out, size, "%.*s", (int)length, text);
}

bool point_policies(struct policy_set *out, const char *text, struct error *e)
{
    char warp[64], block[64], l1[64];
    policy_field(warp, sizeof(warp), text, 0, "lrr");
    policy_field(block, sizeof(block), text, 1, "rr");
    policy_field(l1, sizeof(l1), text, 2, "lru");
    return policy_set_parse(out, NULL, warp, block, l1, e);
}

/* Set "key=value key=value". */
static bool set_keys(struct gpu *g, const char *keys, struct error *e)
{
    char word[128];
    while (next_word(word, sizeof(word), &keys)) {
        char *value = strchr(word, '=');
        if (value == NULL)
            return error_set(e, STATUS_USAGE, "%s: expected KEY=VALUE", word);
        *value = '\0';
        if (!gpu_set(g, word, value + 1, e))
            return false;
    }
    return gpu_validate(g, e);
}

bool point_gpu(struct gpu *out, const struct point *p, struct error *e)
{
    return gpu_load(out, p->gpu, NULL, 0, e) && set_keys(out, p->keys, e);
}

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool simulate_part(struct lab_record *out, const struct part *part,
                          struct kernel *const *kernel, const struct point *p,
                          const struct policy_set *policies, struct error *e)
{
    struct sampler_options o = {.block_count = part->blocks,
                                .block_limit = p->blocks,
                                .criticality = p->criticality};
    struct scribe *scribe = scribe_create(out, p, part->gpu.sms, &o);
    if (scribe == NULL)
        return error_no_memory(e);
    const struct sampler_job job = {.kernel = kernel + part->first,
                                    .kernels = part->launches,
                                    .gpu = &part->gpu,
                                    .policies = policies,
                                    .options = &o};
    double start = thread_seconds();
    bool ok = sampler_simulate(&out->run, &job, e);
    out->seconds = thread_seconds() - start;
    if (ok && !scribe_finish(scribe))
        ok = error_no_memory(e);
    scribe_free(scribe);
    return ok;
}

bool point_load(struct part *part, struct kernel_list *list,
                const struct point *p, struct error *e)
{
    struct gpu g;
    struct load_options load = load_options_default();
    if (!point_gpu(&g, p, e) || !kernel_load(list, p->kernel, &load, e))
        return false;
    enum window window = p->launches > 0 ? WINDOW_FULL : p->window;
    bool ok = window_choose(part, list, &g, window, e);
    if (p->launches > 0 && p->launches < part->launches)
        part->launches = p->launches;
    if (!ok)
        kernel_list_free(list);
    return ok;
}

bool point_simulate(struct lab_record *out, const struct point *p,
                    struct error *e)
{
    struct policy_set policies;
    struct part part;
    struct kernel_list list;
    memset(out, 0, sizeof(*out));
    if (!point_policies(&policies, p->policies, e) ||
        !point_load(&part, &list, p, e))
        return false;
    bool ok = simulate_part(out, &part, list.kernel, p, &policies, e);
    kernel_list_free(&list);
    if (!ok)
        lab_record_clear(out);
    return ok;
}

void lab_record_clear(struct lab_record *r)
{
    free(r->moment);
    free(r->warp);
    free(r->wait);
    free(r->rank);
    free(r->reuse);
    memset(r, 0, sizeof(*r));
}

/* ---- in the store ---------------------------------------------------------
 */

static uint64_t hash_file(uint64_t hash, const struct bundled_file *f)
{
    return hash_bytes(hash, f->text, f->size);
}

static bool hash_path(uint64_t *hash, const char *path)
{
    FILE *f = fopen(path, "rb");
    char bytes[4096];
    size_t size;
    if (f == NULL)
        return false;
    *hash = HASH_START;
    while ((size = fread(bytes, 1, sizeof(bytes), f)) > 0)
        *hash = hash_bytes(*hash, bytes, size);
    return fclose(f) == 0;
}

/* Of a kernel's text, or of all modules and examples for an example. */
static bool hash_input(uint64_t *hash, const char *name)
{
    if (strchr(name, '/') != NULL)
        return hash_path(hash, name);
    for (size_t i = 0; i < bundled_kernel_count; i++)
        if (strcmp(bundled_kernels[i].name, name) == 0) {
            *hash = hash_file(HASH_START, &bundled_kernels[i]);
            return true;
        }
    if (strncmp(name, "ptx-", 4) != 0)
        return false;
    *hash = HASH_START;
    for (size_t i = 0; i < bundled_module_count; i++)
        *hash = hash_file(*hash, &bundled_modules[i]);
    for (size_t i = 0; i < bundled_example_count; i++)
        *hash = hash_file(*hash, &bundled_examples[i]);
    return true;
}

const char *point_told(const struct point *p, char *out, size_t size)
{
    snprintf(
        out, size, "moments=%llu warps=%d waits=%d lines=%d follow=%d:%llu:%u",
        (unsigned long long)p->moments, p->warps, p->waits, p->lines,
        p->follow.launch, (unsigned long long)p->follow.block, p->follow.warp);
    return out;
}

/* Of an estimate: whatever the window, it is of the whole grid. */
static void print_name(FILE *f, const struct point *p, const char *part)
{
    char warp[64], block[64], l1[64], told[128];
    policy_field(warp, sizeof(warp), p->policies, 0, "lrr");
    policy_field(block, sizeof(block), p->policies, 1, "rr");
    policy_field(l1, sizeof(l1), p->policies, 2, "lru");
    fprintf(f, "%s %s %s/%s/%s [%s] ", p->kernel, p->gpu, warp, block, l1,
            p->keys);
    if (p->study[0] != '\0')
        fprintf(f, "study=[%s] resident=%d", p->study, p->blocks);
    else
        fprintf(f, "%s criticality=%d %s", part, p->criticality,
                point_told(p, told, sizeof(told)));
}

char *point_store_name(const struct point *p, const char *part)
{
    uint64_t hash;
    char *name = NULL;
    size_t size;
    FILE *f =
        hash_input(&hash, p->kernel) ? open_memstream(&name, &size) : NULL;
    if (f == NULL)
        return NULL;
    fprintf(f, "%s %016llx ",
            p->study[0] != '\0' ? PAPER_STUDIES : PAPER_SOURCES,
            (unsigned long long)hash);
    print_name(f, p, part);
    if (fclose(f) == 0)
        return name;
    free(name);
    return NULL;
}

bool store_record_get(struct store *s, const char *name, struct lab_record *out)
{
    struct store_part part[STORE_PARTS];
    if (!store_get(s, name, part))
        return false;
    if (part[0].size != sizeof(out->run) ||
        part[1].size != sizeof(out->seconds)) {
        for (int i = 0; i < STORE_PARTS; i++)
            free(part[i].bytes);
        return false;
    }
    memcpy(&out->run, part[0].bytes, sizeof(out->run));
    memcpy(&out->seconds, part[1].bytes, sizeof(out->seconds));
    free(part[0].bytes);
    free(part[1].bytes);
    out->moment = part[2].bytes;
    out->moments = part[2].size / sizeof(*out->moment);
    out->warp = part[3].bytes;
    out->warps = part[3].size / sizeof(*out->warp);
    out->wait = part[4].bytes;
    out->waits = part[4].size / sizeof(*out->wait);
    out->rank = part[5].bytes;
    out->ranks = part[5].size / sizeof(*out->rank);
    out->reuse = part[6].bytes;
    out->reuses = part[6].size / sizeof(*out->reuse);
    return true;
}

bool store_record_put(struct store *s, const char *name,
                      const struct lab_record *r, struct error *e)
{
    struct sampler_run run = r->run;
    double seconds = r->seconds;
    const struct store_part part[STORE_PARTS] = {
        {&run, sizeof(run)},
        {&seconds, sizeof(seconds)},
        {r->moment, r->moments * sizeof(*r->moment)},
        {r->warp, r->warps * sizeof(*r->warp)},
        {r->wait, r->waits * sizeof(*r->wait)},
        {r->rank, r->ranks * sizeof(*r->rank)},
        {r->reuse, r->reuses * sizeof(*r->reuse)}};
    return store_put(s, name, part, e);
}
