/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the public handles hold, and what all of api/ needs: how structs that
 * callers fill are taken over and how errors get out. */
#ifndef API_HANDLES_H
#define API_HANDLES_H

#include "base/error.h"
#include "base/stop.h"
#include "configs/gpu.h"
#include "kernels/form/load_options.h"
#include "sampler/policy/registry.h"

#include <estimate.h>

struct estimate_kernel {
    struct estimate_kernel_info info;
    const struct kernel *first;
    const struct kernel_list *application;     /* NULL: `first` alone */
    const struct estimate_launch_info *launch; /* [info.launches] */
};

struct estimate_input {
    struct kernel_list list;
    struct stop stop;                    /* the kernels' */
    struct estimate_launch_info *launch; /* [list.count] */
    struct estimate_kernel *kernel;
    size_t kernels;
};

struct estimate_gpu {
    struct gpu gpu;
    char *ignored;   /* NULL: nothing */
    bool dram_clock; /* clock.dram_mhz was set by itself */
};

struct estimate_context {
    struct policy_registry registry;
    void **policy; /* what was registered, as the engines want it */
    size_t policies;
};

/* A kernel on a GPU at some numbers of blocks. */
struct study_case {
    const struct estimate_kernel *kernel;
    const struct estimate_gpu *gpu;
    struct gpu *found; /* as its kernels find it (gpu_for_kernels); NULL: as it
                        * is */
    int *tb;
    size_t tb_count;
};

#define LABEL_BYTES 128 /* of a policy with its parameters */

struct policy_labels {
    char sched[LABEL_BYTES], tb_sched[LABEL_BYTES], l1_policy[LABEL_BYTES];
};

struct estimate_study {
    struct policy_set *policy;
    struct policy_labels *label;
    size_t policies, reference;
    bool registered; /* some policy is not built in */
    struct study_case *at;
    size_t cases, capacity;
};

/* The GPU on which its kernels run. */
const struct gpu *found_gpu(const struct study_case *c);

/* What names mean there; NULL: the built-in policies. */
const struct policy_registry *registry_of(const struct estimate_context *c);
enum policy_kind kind_of(enum estimate_policy_kind kind);

/* Fill what the caller may want to know of a failure; returns false. */
bool tell(struct estimate_error *out, const struct error *e);
bool tell_no_memory(struct estimate_error *out);

/* Take over a struct that begins with its size: `known`, of known_size bytes,
 * holds the defaults. False with e set when `given` was never initialised. */
bool take_struct(void *known, size_t known_size, const void *given,
                 struct error *e);

/* estimate_max_blocks(). */
int max_blocks(const struct estimate_kernel *k, const struct estimate_gpu *g,
               struct error *e);

/* Copy to a struct that may be an older, shorter one. */
void give_struct(void *out, size_t out_size, const void *known,
                 size_t known_size);

/* The launch as the loaders want it, *stop being what it is given up for.
 * False with e set. `launch` NULL: the defaults. */
bool load_options_of(struct load_options *out, struct stop *stop,
                     const struct estimate_launch *launch, struct error *e);

#endif
