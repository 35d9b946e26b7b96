/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/store.h"

#include "base/hash.h"
#include "calib/sample_bytes.h"
#include "calib/store_file.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/policy/policy.h"
#include "sampler/sampler.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_MAX_BYTES 4096

/* A transaction is written once it has so many samples, or those that took so
 * many seconds to run and so many times as long as the last one to write. */
#define PENDING_MAX     1000
#define PENDING_SECONDS 0.1
#define PENDING_WRITES  50

struct pending {
    uint64_t key;
    size_t size;
    unsigned char *bytes;
};

struct sample_store {
    char path[PATH_MAX_BYTES];
    bool named, refresh;
    sqlite3 *db;
    sqlite3_stmt *find, *keep;
    struct pending *pending; /* [PENDING_MAX] */
    int count;
    double seconds, write_s; /* of those pending; of the last transaction */
    struct error failure;    /* the first, while writing */
};

/* ---- keys --------------------------------------------------------------- */

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text, strlen(text) + 1);
}

static uint64_t hash_policies(uint64_t h, const struct policy_set *p)
{
    char label[256];
    choice_label(label, sizeof(label), &p->warp);
    h = hash_text(h, label);
    choice_label(label, sizeof(label), &p->block);
    h = hash_text(h, label);
    choice_label(label, sizeof(label), &p->l1);
    return hash_text(h, label);
}

static uint64_t hash_window(uint64_t h, const struct window *w)
{
    uint64_t number[] = {
        w->kind, w->first,    w->count,        w->resident,
        w->warm, w->underway, w->slice_blocks, (uint64_t)w->slice_sms};
    double real[] = {w->settle,  w->insts, w->start, w->start_settle,
                     w->in_step, w->more,  w->enough};
    h = hash_bytes(h, number, sizeof(number));
    return hash_bytes(h, real, sizeof(real));
}

/* The limits of a run are left out: a sample they touched is never kept. */
uint64_t sample_key(const struct sample *sample,
                    const struct sample_request *request,
                    const struct calib_options *options)
{
    uint64_t number[] = {gpu_hash(request->gpu), options->seed,
                         (uint64_t)request->tb, request->kernels};
    uint64_t h = hash_text(HASH_START, "sample " ESTIMATE_VERSION);
    h = hash_text(h, options->sources != NULL ? options->sources : "");
    h = hash_bytes(h, number, sizeof(number));
    for (size_t i = 0; i < request->kernels; i++)
        h = hash_bytes(h, &request->kernel[i]->hash, sizeof(uint64_t));
    for (size_t i = 0; i < request->befores; i++) {
        const struct sampler_launch *l = &request->before[i];
        h = hash_bytes(h, &l->kernel->hash, sizeof(uint64_t));
        h = hash_bytes(h, &l->blocks, sizeof(l->blocks));
    }
    h = hash_policies(h, &request->policies);
    return hash_window(h, &sample->window);
}

/* ---- the file ----------------------------------------------------------- */

/* In the cache folder, where each version has a file of its own. */
static bool cache_path(char *out, const struct calib_options *options)
{
    static const char name[] = "samples-" ESTIMATE_VERSION ".db";
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (options->cache_dir != NULL)
        n = snprintf(out, PATH_MAX_BYTES, "%s/%s", options->cache_dir, name);
    else if (xdg != NULL && xdg[0] == '/')
        n = snprintf(out, PATH_MAX_BYTES, "%s/estimate/%s", xdg, name);
    else if (home != NULL && home[0] == '/')
        n = snprintf(out, PATH_MAX_BYTES, "%s/.cache/estimate/%s", home, name);
    return n > 0 && n < PATH_MAX_BYTES;
}

/* Make every folder that path leads through. */
static bool make_folders(const char *path)
{
    char part[PATH_MAX_BYTES];
    for (const char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

static bool prepare(struct sample_store *s, struct error *e)
{
    static const char find[] = "SELECT outcome FROM samples WHERE key = ?";
    static const char keep[] = "INSERT OR REPLACE INTO samples VALUES (?, ?)";
    s->pending = calloc(PENDING_MAX, sizeof(*s->pending));
    if (s->pending == NULL)
        return error_no_memory(e);
    s->db = store_file_open(s->path, e);
    if (s->db == NULL)
        return false;
    if (sqlite3_prepare_v2(s->db, find, -1, &s->find, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(s->db, keep, -1, &s->keep, NULL) == SQLITE_OK)
        return true;
    return database_failed(s->db, s->path, e);
}

static void store_free(struct sample_store *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->pending[i].bytes);
    free(s->pending);
    sqlite3_finalize(s->find);
    sqlite3_finalize(s->keep);
    sqlite3_close(s->db);
    free(s);
}

static struct sample_store *store_at(const char *path, bool named,
                                     struct error *e)
{
    struct sample_store *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        error_no_memory(e);
        return NULL;
    }
    snprintf(s->path, sizeof(s->path), "%s", path);
    s->named = named;
    if (prepare(s, e))
        return s;
    store_free(s);
    return NULL;
}

static bool is_empty(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && s.st_size == 0;
}

/* One that is damaged is made anew: nothing depends on it. */
static struct sample_store *cache_store(const struct calib_options *options)
{
    char path[PATH_MAX_BYTES];
    struct error e;
    struct sample_store *s = NULL;
    bool damaged = true;
    if (!cache_path(path, options) || !make_folders(path))
        return NULL;
    for (int tries = 0; s == NULL && damaged && tries < 2; tries++) {
        s = store_at(path, false, &e);
        damaged = s == NULL && e.status == STATUS_BAD_INPUT;
        if (damaged || (s == NULL && is_empty(path)))
            remove(path);
    }
    return s;
}

bool sample_store_open(struct sample_store **out,
                       const struct calib_options *options, struct error *e)
{
    *out = NULL;
    if (options->store != NULL)
        *out = store_at(options->store, true, e);
    else if (options->use_cache && options->mode != MODE_MODEL)
        *out = cache_store(options);
    if (*out != NULL)
        (*out)->refresh = options->refresh;
    return *out != NULL || options->store == NULL;
}

/* ---- samples ------------------------------------------------------------ */

bool sample_store_find(struct sample_store *s, uint64_t key,
                       uint64_t max_cycles, struct sample *sample)
{
    struct sample kept = *sample;
    bool found = false;
    if (s == NULL || s->refresh)
        return false;
    sqlite3_bind_int64(s->find, 1, (sqlite3_int64)key);
    if (sqlite3_step(s->find) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(s->find, 0);
        int size = sqlite3_column_bytes(s->find, 0);
        found = bytes != NULL && sample_unpack(&kept, bytes, (size_t)size);
    }
    sqlite3_reset(s->find);
    found = found && (max_cycles == 0 || kept.longest < (double)max_cycles);
    if (found)
        *sample = kept;
    return found;
}

static bool write_pending(struct sample_store *s, const struct pending *p)
{
    sqlite3_bind_int64(s->keep, 1, (sqlite3_int64)p->key);
    sqlite3_bind_blob64(s->keep, 2, p->bytes, p->size, SQLITE_STATIC);
    bool ok = sqlite3_step(s->keep) == SQLITE_DONE;
    sqlite3_reset(s->keep);
    return ok;
}

static bool is_due(const struct sample_store *s)
{
    return s->count == PENDING_MAX ||
           (s->seconds >= PENDING_SECONDS &&
            s->seconds >= PENDING_WRITES * s->write_s);
}

/* All that is pending, in one transaction. */
static void write_all(struct sample_store *s)
{
    bool ok =
        sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    for (int i = 0; i < s->count; i++) {
        ok = ok && write_pending(s, &s->pending[i]);
        free(s->pending[i].bytes);
    }
    s->count = 0;
    s->seconds = 0;
    if (ok && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return;
    if (s->failure.status == STATUS_OK)
        database_failed(s->db, s->path, &s->failure);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

static void flush(struct sample_store *s)
{
    double start = omp_get_wtime();
    write_all(s);
    s->write_s = omp_get_wtime() - start;
}

void sample_store_keep(struct sample_store *s, uint64_t key,
                       const struct sample *sample, double seconds)
{
    unsigned char bytes[SAMPLE_BYTES_MAX];
    if (s == NULL)
        return;
    struct pending p = {key, sample_pack(bytes, sample), NULL};
    p.bytes = malloc(p.size);
    if (p.bytes == NULL)
        return;
    memcpy(p.bytes, bytes, p.size);
#pragma omp critical(calib_store)
    {
        s->pending[s->count++] = p;
        s->seconds += seconds;
        if (is_due(s))
            flush(s);
    }
}

bool sample_store_close(struct sample_store *s, struct error *e)
{
    if (s == NULL)
        return true;
    if (s->count > 0)
        flush(s);
    bool ok = !s->named || s->failure.status == STATUS_OK;
    if (!ok && e != NULL)
        *e = s->failure;
    store_free(s);
    return ok;
}
