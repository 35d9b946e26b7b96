/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/runtime.h"

#include <pthread.h>
#include <stdlib.h>

#define DEFAULT_GPU "m2090"

static struct runtime the_runtime;
static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;

static void set_up(struct runtime *r)
{
    struct estimate_error e;
    struct machine *m = &r->machine;
    const char *gpu = run_option("GPU"), *threads = run_option("THREADS");
    r->ready = true;
    m->device = estimate_device_create(&e);
    if (m->device == NULL || !arena_open(&m->arena, &e) ||
        !estimate_device_threads(m->device, threads != NULL ? atoi(threads) : 0,
                                 &e))
        end_program(e.status, "%s", e.text);
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
