/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/store.h"

#include "base/hash.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/policy/policy.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT         "estimate-fit 5"
#define PATH_MAX_BYTES 4096
#define SUM_BYTES      17 /* 16 digits and a newline */

/* ---- key ---------------------------------------------------------------- */

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

/* The limits of a run are left out: a result they touched is never kept. */
static uint64_t key_of(const struct job *job)
{
    const struct study *study = job->study;
    uint64_t number[] = {study_hash(study),
                         gpu_hash(study->gpu),
                         job->options->seed,
                         (uint64_t)study->tb_count,
                         (uint64_t)study->policy_count,
                         (uint64_t)study->reference};
    double real[] = {job->error_pct, job->budget};
    const char *revision = job->options->revision;
    uint64_t h = hash_text(HASH_START, FORMAT " " ESTIMATE_VERSION);
    h = hash_text(h, revision != NULL ? revision : "");
    h = hash_bytes(h, number, sizeof(number));
    h = hash_bytes(h, real, sizeof(real));
    h = hash_bytes(h, study->tb, (size_t)study->tb_count * sizeof(*study->tb));
    for (int q = 0; q < study->policy_count; q++)
        h = hash_policies(h, &study->policies[q]);
    return h;
}

/* ---- folder ------------------------------------------------------------- */

static bool folder_of(char *out, const struct calib_options *options)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (options->cache_dir != NULL)
        n = snprintf(out, PATH_MAX_BYTES, "%s", options->cache_dir);
    else if (xdg != NULL && xdg[0] == '/')
        n = snprintf(out, PATH_MAX_BYTES, "%s/estimate", xdg);
    else if (home != NULL && home[0] == '/')
        n = snprintf(out, PATH_MAX_BYTES, "%s/.cache/estimate", home);
    return n > 0 && n < PATH_MAX_BYTES;
}

static bool path_of(char *out, const struct job *job)
{
    char folder[PATH_MAX_BYTES];
    if (!folder_of(folder, job->options))
        return false;
    int n = snprintf(out, PATH_MAX_BYTES, "%s/%016" PRIx64 ".fit", folder,
                     key_of(job));
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

/* ---- text --------------------------------------------------------------- */

/* Written when `out` is set, else read from `in`: one walk over the fields does
 * both. Reals are hexadecimal, so that what is read is what was written. */
struct tape {
    FILE *out;
    const char *in;
    bool good;
};

static void tape_real(struct tape *t, double *value)
{
    if (t->out != NULL) {
        fprintf(t->out, "%a\n", *value);
        return;
    }
    char *end;
    *value = strtod(t->in, &end);
    t->good &= end != t->in && *end == '\n';
    t->in = t->good ? end + 1 : t->in;
}

static void tape_int(struct tape *t, int *value, int max)
{
    double real = *value;
    tape_real(t, &real);
    t->good &= real >= 0 && real <= max;
    *value = t->good ? (int)real : 0;
}

static void tape_line(struct tape *t, char *text, size_t size)
{
    if (t->out != NULL) {
        fprintf(t->out, "%s\n", text);
        return;
    }
    size_t n = strcspn(t->in, "\n");
    t->good &= n < size && t->in[n] == '\n';
    if (!t->good)
        return;
    memcpy(text, t->in, n);
    text[n] = '\0';
    t->in += n + 1;
}

static void tape_result(struct tape *t, struct result *r)
{
    double *real[] = {&r->cycles,     &r->cycles_lo,    &r->cycles_hi,
                      &r->warp_insts, &r->thread_insts, &r->ipc,
                      &r->time_us,    &r->occupancy,    &r->l1_miss,
                      &r->l2_miss,    &r->l2_fill,      &r->dram_gbps,
                      &r->energy_uj};
    for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
        tape_real(t, real[i]);
    for (int i = 0; i < STALLS; i++)
        tape_real(t, &r->stall[i]);
    for (int i = 0; i < SERVED_CLASSES; i++)
        tape_real(t, &r->memory.served[i]);
    for (int i = 0; i < NOC_CLASSES; i++)
        tape_real(t, &r->memory.crossings[i]);
    for (int i = 0; i < ENERGY_PARTS; i++)
        tape_real(t, &r->memory.energy_uj[i]);
    int limiter = (int)r->limiter, sampled = r->sampled;
    tape_int(t, &limiter, LIMITERS - 1);
    tape_int(t, &sampled, 1);
    r->limiter = (enum limiter)limiter;
    r->sampled = sampled != 0;
}

static void tape_delta(struct tape *t, struct paired_delta *d)
{
    tape_real(t, &d->pct);
    tape_real(t, &d->lo);
    tape_real(t, &d->hi);
}

static void tape_fit(struct tape *t, const struct job *job)
{
    struct study_result *out = job->out;
    double insts = (double)out->sample_insts;
    tape_real(t, &insts);
    t->good &= insts >= 0 && insts < 0x1p64;
    out->sample_insts = t->good ? (uint64_t)insts : 0;
    tape_int(t, &out->samples, INT_MAX);
    tape_int(t, &out->rank, MODEL_PARAMS);
    tape_real(t, &out->full_insts);
    tape_real(t, &out->leave_one_out_pct);
    tape_real(t, &out->slice_pct);
    tape_line(t, out->fit_note, sizeof(out->fit_note));
    for (int i = 0; i < MODEL_PARAMS; i++) {
        tape_real(t, &out->params.value[i]);
        tape_real(t, &out->param_sd[i]);
    }
    for (size_t i = 0; i < job_points(job) && t->good; i++) {
        tape_result(t, &out->result[i]);
        tape_delta(t, &out->delta[i]);
        tape_delta(t, &out->versus[i]);
    }
}

/* ---- files -------------------------------------------------------------- */

/* A file is its sum in one line, then the text. */
static void write_file(const char *path, const char *text, size_t size)
{
    char part[PATH_MAX_BYTES + 32];
    snprintf(part, sizeof(part), "%s.%ld", path, (long)getpid());
    FILE *f = fopen(part, "w");
    if (f == NULL)
        return;
    fprintf(f, "%016" PRIx64 "\n", hash_bytes(HASH_START, text, size));
    bool good = fwrite(text, 1, size, f) == size;
    good &= fclose(f) == 0;
    if (!good || rename(part, path) != 0)
        remove(part);
}

/* The text of a whole file, or NULL. */
static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return NULL;
    char *text = NULL;
    size_t room = 0;
    ssize_t size = getdelim(&text, &room, '\0', f);
    fclose(f);
    uint64_t sum;
    if (size > SUM_BYTES && sscanf(text, "%16" SCNx64, &sum) == 1 &&
        sum ==
            hash_bytes(HASH_START, text + SUM_BYTES, (size_t)size - SUM_BYTES))
        return text;
    free(text);
    return NULL;
}

bool store_read(struct job *job)
{
    char path[PATH_MAX_BYTES];
    const struct calib_options *o = job->options;
    if (!o->use_cache || o->refresh || !path_of(path, job))
        return false;
    char *text = read_file(path);
    if (text == NULL)
        return false;
    struct tape t = {.in = text + SUM_BYTES, .good = true};
    tape_fit(&t, job);
    t.good &= *t.in == '\0';
    free(text);
    return t.good;
}

void store_write(const struct job *job)
{
    char path[PATH_MAX_BYTES];
    if (!job->options->use_cache || !path_of(path, job) || !make_folders(path))
        return;
    char *text = NULL;
    size_t size = 0;
    struct tape t = {.out = open_memstream(&text, &size), .good = true};
    if (t.out == NULL)
        return;
    tape_fit(&t, job);
    if (fclose(t.out) == 0)
        write_file(path, text, size);
    free(text);
}
