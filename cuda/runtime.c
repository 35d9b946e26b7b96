/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/runtime.h"

#include <pthread.h>
#include <stdlib.h>

#define DEFAULT_GPU "m2090"

static struct runtime the_runtime;
static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;

/* The status of a program in which something was found. */
static void end_with_findings(void)
{
    end_program(ESTIMATE_BAD_INPUT, "checks: found %u, each named above",
                the_runtime.findings);
}

static void found(void *user, const char *text)
{
    struct runtime *r = user;
    if (r->findings++ == 0)
        atexit(end_with_findings);
    say("%s", text);
}

/* What a program is asked to be checked for. */
static void check(struct runtime *r)
{
    unsigned checks =
        (run_option("CHECK_INIT") != NULL ? ESTIMATE_CHECK_INIT : 0u) |
        (run_option("CHECK_RACES") != NULL ? ESTIMATE_CHECK_RACES : 0u);
    estimate_device_check(r->machine.device, checks, found, r);
}

static void set_up(struct runtime *r)
{
    struct estimate_error e;
    struct machine *m = &r->machine;
    const char *gpu = run_option("GPU"), *threads = run_option("THREADS");
    r->ready = true;
    m->heap_bytes = HEAP_BYTES;
    m->device = estimate_device_create(&e);
    if (m->device == NULL || !arena_open(&m->arena, &e) ||
        !estimate_device_threads(m->device, threads != NULL ? atoi(threads) : 0,
                                 &e))
        end_program(e.status, "%s", e.text);
    check(r);
    m->gpu = estimate_gpu_load(gpu != NULL ? gpu : DEFAULT_GPU, &e);
    if (m->gpu == NULL)
        end_program(e.status, "%s", e.text);
    r->launches = launches_open(m, &e);
    if (r->launches == NULL)
        end_program(e.status, "%s", e.text);
}

struct runtime *runtime_enter(void)
{
    pthread_mutex_lock(&the_lock);
    if (!the_runtime.ready)
        set_up(&the_runtime);
    return &the_runtime;
}

cudaError_t runtime_leave(struct runtime *r, cudaError_t status)
{
    if (status != cudaSuccess && status != cudaErrorNotReady)
        r->last_error = status;
    pthread_mutex_unlock(&the_lock);
    return status;
}
