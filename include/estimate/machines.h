/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPUs: load, look at, change key by key. */
#ifndef ESTIMATE_MACHINES_H
#define ESTIMATE_MACHINES_H

#include <estimate/base.h>
#include <estimate/inputs.h>

#ifdef __cplusplus
extern "C" {
#endif

struct estimate_gpu;

/* Names of the bundled GPUs, sorted; NULL behind the last. */
ESTIMATE_API const char *estimate_bundled_gpu(size_t i);

/* A bundled GPU's name, a .cfg file or a gpgpusim.config. */
ESTIMATE_API struct estimate_gpu *estimate_gpu_load(const char *name_or_path,
                                                    struct estimate_error *e);
ESTIMATE_API struct estimate_gpu *
estimate_gpu_copy(const struct estimate_gpu *g, struct estimate_error *e);
ESTIMATE_API void estimate_gpu_free(struct estimate_gpu *g);

ESTIMATE_API const char *estimate_gpu_name(const struct estimate_gpu *g);
ESTIMATE_API const char *estimate_gpu_summary(const struct estimate_gpu *g);
/* Options of a gpgpusim.config that have no counterpart here, separated by
 * commas; empty when there are none. */
ESTIMATE_API const char *estimate_gpu_ignored(const struct estimate_gpu *g);
/* The warp scheduler that a gpgpusim.config names; empty when there is none. */
ESTIMATE_API const char *estimate_gpu_scheduler(const struct estimate_gpu *g);
/* How long kernels that were measured on the GPU itself take: of `kernels` of
 * them `held` take less_pct less to more_pct more cycles than samples say. All
 * 0 where none were measured, or a key was set since the GPU was loaded. */
struct estimate_measured {
    int kernels, held;
    double less_pct, more_pct;
};
ESTIMATE_API struct estimate_measured
estimate_gpu_measured(const struct estimate_gpu *g);
/* Of every key, not of the name. */
ESTIMATE_API uint64_t estimate_gpu_hash(const struct estimate_gpu *g);

/* The whole configuration in the syntax of a .cfg file, which reads back as the
 * same GPU. To be freed by free(). */
ESTIMATE_API char *estimate_gpu_config(const struct estimate_gpu *g,
                                       struct estimate_error *e);

/* ---- keys ---------------------------------------------------------------- */

/* A key of the configuration, "l1.size_kb". Keys are the library's and live for
 * ever: two are the same when their pointers are. */
struct estimate_key;

enum estimate_key_type {
    ESTIMATE_KEY_WHOLE,
    ESTIMATE_KEY_REAL,
    ESTIMATE_KEY_FLAG, /* 0 or 1 */
    ESTIMATE_KEY_NAME  /* values have names and are numbered from 0 on */
};

/* In the order of a configuration file; NULL behind the last. */
ESTIMATE_API const struct estimate_key *estimate_key(size_t i);
/* NULL and ESTIMATE_USAGE, with the nearest name, when there is none. */
ESTIMATE_API const struct estimate_key *
estimate_key_find(const char *name, struct estimate_error *e);
ESTIMATE_API const char *estimate_key_name(const struct estimate_key *k);
ESTIMATE_API enum estimate_key_type
estimate_key_type(const struct estimate_key *k);
ESTIMATE_API const char *estimate_key_unit(const struct estimate_key *k);
ESTIMATE_API const char *estimate_key_help(const struct estimate_key *k);
ESTIMATE_API double estimate_key_min(const struct estimate_key *k);
ESTIMATE_API double estimate_key_max(const struct estimate_key *k);
/* The value where a configuration file does not say. */
ESTIMATE_API double estimate_key_default(const struct estimate_key *k);
/* Where that value is from; NULL: every file that is based on no other states
 * the key, with its source beside it. */
ESTIMATE_API const char *estimate_key_source(const struct estimate_key *k);
/* The name of a value of an ESTIMATE_KEY_NAME; NULL behind the last. */
ESTIMATE_API const char *estimate_key_value_name(const struct estimate_key *k,
                                                 size_t value);
/* A value as text: its name, or a number. */
ESTIMATE_API void estimate_key_text(const struct estimate_key *k, double value,
                                    char *out, size_t size);

ESTIMATE_API double estimate_gpu_get(const struct estimate_gpu *g,
                                     const struct estimate_key *k);
/* Another dram.gbps takes clock.dram_mhz with it: a memory of the same width is
 * faster by its clock, and its timings are counted in it. Not so once that is
 * set itself. ESTIMATE_USAGE when the value is out of the key's range. What
 * several keys must agree on is looked at by estimate_gpu_check() and before a
 * run. */
ESTIMATE_API bool estimate_gpu_set(struct estimate_gpu *g,
                                   const struct estimate_key *k, double value,
                                   struct estimate_error *e);
/* The same by text: a number, true or false, or the name of a value. */
ESTIMATE_API bool estimate_gpu_set_text(struct estimate_gpu *g, const char *key,
                                        const char *value,
                                        struct estimate_error *e);
ESTIMATE_API bool estimate_gpu_check(const struct estimate_gpu *g,
                                     struct estimate_error *e);

/* ---- occupancy ----------------------------------------------------------- */

struct estimate_occupancy {
    int blocks;         /* resident on an SM at once; 0: not even one fits */
    const char *launch; /* the launch that decides it, of an application */
    const char *limit;  /* what there is least of: "registers", ... */
};
/* How many blocks of k fit on an SM of g; 0 and ESTIMATE_BAD_INPUT when not
 * even one does. */
ESTIMATE_API int estimate_max_blocks(const struct estimate_kernel *k,
                                     const struct estimate_gpu *g,
                                     struct estimate_error *e);
/* Likewise, with what decides it. `size` is that of *out. */
ESTIMATE_API void estimate_occupancy(struct estimate_occupancy *out,
                                     size_t size,
                                     const struct estimate_kernel *k,
                                     const struct estimate_gpu *g);

/* The same of a block of so many threads, with so many registers each and so
 * many bytes of shared memory. */
ESTIMATE_API void estimate_block_occupancy(struct estimate_occupancy *out,
                                           size_t size,
                                           const struct estimate_gpu *g,
                                           uint32_t threads, uint32_t registers,
                                           uint64_t shared_bytes);

/* ---- where a warp's time goes -------------------------------------------- */

/* The share of its time that a warp spends in each of the first `count` phases
 * of a launch's code (estimate_code_phase()) when no other holds it up, with
 * `tb` blocks resident, as the model has it. */
ESTIMATE_API bool estimate_phase_shares(double *out, size_t count,
                                        const struct estimate_kernel *k,
                                        size_t launch,
                                        const struct estimate_gpu *g, int tb,
                                        struct estimate_error *e);

#ifdef __cplusplus
}
#endif

#endif
