/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches over memory of one's own: PTX modules whose kernels are executed at
 * once, on the CPU, where a program that has kernels of its own launches them.
 * Pointers mean the same to the program and to its kernels. */
#ifndef ESTIMATE_DEVICE_H
#define ESTIMATE_DEVICE_H

#include <estimate/inputs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Addresses that the memory of a device may have, so that what is kept of a
 * launch can be launched again: multiples of ESTIMATE_DEVICE_ALIGN. */
#define ESTIMATE_DEVICE_FIRST (UINT64_C(1) << 45)
#define ESTIMATE_DEVICE_BYTES (UINT64_C(1) << 39)
#define ESTIMATE_DEVICE_ALIGN 4096

/* One thread may use a device and what belongs to it at a time. */
struct estimate_device;
ESTIMATE_API struct estimate_device *
estimate_device_create(struct estimate_error *e);
ESTIMATE_API void estimate_device_free(struct estimate_device *d);

/* Let launches run on so many threads; 0: as many as there are processors. What
 * comes of them is the same for any number. False with e set: no threads. */
ESTIMATE_API bool estimate_device_threads(struct estimate_device *d,
                                          int threads,
                                          struct estimate_error *e);

/* Let kernels use `bytes` bytes at `at`, which stay the caller's and must not
 * overlap others given before; and no longer. */
ESTIMATE_API bool estimate_device_add(struct estimate_device *d, void *at,
                                      uint64_t bytes, struct estimate_error *e);
ESTIMATE_API bool estimate_device_remove(struct estimate_device *d,
                                         const void *at);

/* A texture or surface over memory of the device. */
struct estimate_texture {
    const void *at;      /* its first texel */
    uint64_t pitch;      /* bytes from one row to the next */
    uint32_t dimensions; /* 1 to 3; layers count as one */
    uint32_t side[3];    /* texels in a row, rows, layers */
    const char *texel;   /* as in --arg tex: "f32", "u8x4" */
    const char *mode;    /* words as there, with spaces between */
};

/* Let `handle`, the first of bytes that estimate_device_add() was told of,
 * stand for a texture in kernels; there must be as many bytes as the texture
 * has, in tiles of 64 bytes by 128 rows, which are never looked at. */
ESTIMATE_API bool estimate_device_texture(struct estimate_device *d,
                                          void *handle,
                                          const struct estimate_texture *t,
                                          struct estimate_error *e);

/* Look for mistakes in launches, one block after another: reads of bytes that
 * no launch has written and estimate_device_written() was not told of, of
 * memory given from now on and of shared memory; and races of warps on shared
 * memory between barriers. `tell` is called once for each instruction, with a
 * line as errors have it. */
#define ESTIMATE_CHECK_INIT  1u
#define ESTIMATE_CHECK_RACES 2u
ESTIMATE_API void
estimate_device_check(struct estimate_device *d, unsigned checks,
                      void (*tell)(void *user, const char *text), void *user);
/* The caller has written bytes of memory it has given. */
ESTIMATE_API void estimate_device_written(struct estimate_device *d,
                                          const void *at, uint64_t bytes);

/* What the last launch did with the bytes given at `at`: a sum of these. */
#define ESTIMATE_READ    1u
#define ESTIMATE_WRITTEN 2u
ESTIMATE_API unsigned estimate_device_use(const struct estimate_device *d,
                                          const void *at);

/* A PTX text, which `name` stands for in errors. It lives as long as the
 * device. */
struct estimate_module;
ESTIMATE_API struct estimate_module *
estimate_module_load(struct estimate_device *d, const char *text, size_t size,
                     const char *name, struct estimate_error *e);

/* The text it was loaded from, with a NUL behind it. */
ESTIMATE_API const char *estimate_module_text(const struct estimate_module *m,
                                              size_t *size);

/* Bytes of its variables in global and constant memory, and where they are to
 * be: bytes that estimate_device_add() was told of, which become what the
 * variables hold at first. To be called once, before anything below, where
 * there are any. */
ESTIMATE_API uint64_t estimate_module_bytes(const struct estimate_module *m);
ESTIMATE_API bool estimate_module_place(struct estimate_module *m, void *at,
                                        struct estimate_error *e);
/* Where a variable is and how many bytes it has; NULL: there is none. */
ESTIMATE_API void *estimate_module_variable(const struct estimate_module *m,
                                            const char *name, uint64_t *bytes);

/* An entry of a module; NULL with e set: there is none of that name, or it
 * needs instructions that are not supported. It lives as long as the device. */
struct estimate_function;
ESTIMATE_API struct estimate_function *
estimate_module_function(struct estimate_module *m, const char *name,
                         struct estimate_error *e);

struct estimate_function_info {
    const char *name;
    uint64_t shared_bytes;    /* static, of a block */
    uint32_t max_threads;     /* of a block, as it declares; 0: not */
    uint32_t target;          /* sm_ number of its module */
    size_t parameters;        /* their number */
    uint64_t parameter_bytes; /* of them all */
    bool may_print;           /* its module calls printf() */
};
ESTIMATE_API const struct estimate_function_info *
estimate_function_info(const struct estimate_function *f);
struct estimate_call {
    struct estimate_dim grid, block;
    struct estimate_dim cluster; /* x = 0: as the entry declares */
    uint64_t shared_bytes;       /* dynamic, of a block */
    bool cooperative;            /* blocks may wait for all others */
    const void *const *value;    /* where the bytes of each parameter are */
};

/* Make a launch ready: what is wrong with it shows here. */
ESTIMATE_API bool estimate_function_set(struct estimate_function *f,
                                        const struct estimate_call *call,
                                        struct estimate_error *e);
/* The bytes of the parameters of the launch that was made ready. */
ESTIMATE_API const void *
estimate_function_parameters(const struct estimate_function *f);
/* Where parameter i begins among these bytes. */
ESTIMATE_API uint64_t
estimate_function_parameter(const struct estimate_function *f, size_t i);
/* Execute the launch that was made ready. NULL with e set when it faults. */
ESTIMATE_API const struct estimate_executed *
estimate_function_run(struct estimate_function *f, struct estimate_error *e);

/* What the device's memory holds, all of it, to keep a launch of it: taken
 * before the launch is run, written after it, when it shows what of it the
 * launch touched. */
struct estimate_snapshot;
ESTIMATE_API struct estimate_snapshot *
estimate_snapshot_take(struct estimate_device *d, struct estimate_error *e);
/* As FOLDER/NAME.launch, with its bytes in files beside it; the PTX text is
 * written there as well when it is not there yet. */
ESTIMATE_API bool estimate_snapshot_write(const struct estimate_snapshot *s,
                                          const struct estimate_function *f,
                                          const char *folder, const char *name,
                                          struct estimate_error *e);
ESTIMATE_API void estimate_snapshot_free(struct estimate_snapshot *s);

#ifdef __cplusplus
}
#endif

#endif
