/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs: what is loaded, how it is launched, what its code is like, and
 * running PTX for what it computes. */
#ifndef ESTIMATE_INPUTS_H
#define ESTIMATE_INPUTS_H

#include <estimate/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an input came to: one or several kernels and applications. */
struct estimate_input;

/* What one estimate is of: a kernel, or an application, which is several
 * launches one after another over the same buffers. */
struct estimate_kernel;

struct estimate_dim {
    uint32_t x, y, z;
};

/* How an input is launched, and how much is asked of it. */
struct estimate_launch {
    size_t size;                     /* set by estimate_launch_init() */
    struct estimate_dim grid, block; /* x = 0: as the input says; y, z = 0: 1 */
    uint32_t registers;              /* of a thread; 0: as the input says */
    int64_t shared_bytes;            /* of a block; -1: as the input says */
    uint64_t seed; /* of what is drawn at random; 1, as the program's */
    /* Traces: the class to take unknown opcodes for, "int" say; NULL: they are
     * errors. */
    const char *unknown_op;
    /* PTX: the kernel of the file (NULL: the only one) and its arguments in
     * order, each as the program's --arg. */
    const char *entry;
    const char *const *arg;
    size_t args;
    /* PTX: the assembler to run for the registers (estimate_ptxas_find()),
     * NULL: run none; and the oldest architecture of the GPUs in question, sm_
     * number, 0: any. */
    const char *ptxas;
    int arch;
    bool exec_all;  /* PTX: execute the whole grid, block after block */
    bool code_only; /* only the code is asked for: arguments may be missing */
    /* Long work on the input, now or later, is given up with ESTIMATE_STOPPED
     * when *cancel is not 0 (NULL: nobody asks) or at deadline_s on
     * estimate_clock() (0: none). *cancel must outlive the input. */
    const volatile int *cancel;
    double deadline_s;
    /* PTX: what variables of the module hold, each as the program's
     * --set-symbol. */
    const char *const *symbol;
    size_t symbols;
    /* PTX: blocks of a cluster; x = 0: as the kernel declares. */
    struct estimate_dim cluster;
};

ESTIMATE_API void estimate_launch_init(struct estimate_launch *l, size_t size);

/* Names of the bundled kernels and PTX examples, sorted; NULL behind the last.
 * Likewise of those that the program takes when none is named. */
ESTIMATE_API const char *estimate_bundled_kernel(size_t i);
ESTIMATE_API const char *estimate_default_kernel(size_t i);

/* Classes that unknown opcodes may be taken for; NULL behind the last. */
ESTIMATE_API const char *estimate_opcode_class(size_t i);

enum estimate_input_kind {
    ESTIMATE_KERNEL_FILE,
    ESTIMATE_PTX, /* needs a launch: entry and arguments */
    ESTIMATE_LAUNCH_FILE,
    ESTIMATE_TRACE
};
/* A kernel's name in its source, without what it stands in: "add" of
 * "_ZN4math3addEPf", and other names as they are. */
ESTIMATE_API void estimate_short_name(char *out, size_t size, const char *name);

/* What an input is, without loading it. */
ESTIMATE_API bool estimate_input_kind(enum estimate_input_kind *out,
                                      const char *input,
                                      struct estimate_error *e);

/* The architecture that an input's code is for, sm_ number; 0: it does not
 * say. */
ESTIMATE_API int estimate_input_target(const char *input);

/* A kernel of a PTX file. */
struct estimate_entry {
    const char *name, *target;    /* "saxpy", "sm_75" */
    const char *const *parameter; /* types, "u64" */
    size_t parameters;
    uint32_t max_threads; /* of a block, as it declares; 0: not */
};
struct estimate_entries;
ESTIMATE_API struct estimate_entries *
estimate_entries_load(const char *path, struct estimate_error *e);
ESTIMATE_API void estimate_entries_free(struct estimate_entries *s);
/* In the order of the file; NULL behind the last. */
ESTIMATE_API const struct estimate_entry *
estimate_entry(const struct estimate_entries *s, size_t i);

/* A bundled name, a .kernel, .ptx, .launch or .traceg[.xz] file, a
 * kernelslist.g, or a folder that holds one. launch NULL: as it says. */
ESTIMATE_API struct estimate_input *
estimate_input_load(const char *input, const struct estimate_launch *launch,
                    struct estimate_error *e);
ESTIMATE_API void estimate_input_free(struct estimate_input *in);

/* Its kernels in order; they live as long as the input. NULL behind the last.
 */
ESTIMATE_API size_t estimate_input_kernels(const struct estimate_input *in);
ESTIMATE_API const struct estimate_kernel *
estimate_input_kernel(const struct estimate_input *in, size_t i);

struct estimate_kernel_info {
    const char *name;
    size_t launches;  /* 1 but for applications */
    bool application; /* its launches are run one after another */
    uint64_t hash;    /* of all that decides what it does */
};

/* One launch of a kernel. */
struct estimate_launch_info {
    const char *name, *summary;
    const char *note; /* lines on what is left out or went wrong, or NULL */
    struct estimate_dim grid, block;
    uint64_t blocks;
    uint32_t threads_per_block, registers, shared_bytes;
    const char *registers_from; /* PTX: whose number that is; else empty */
    uint32_t instructions, phases;
    bool matrix; /* some are matrix instructions, of tensor units */
};

ESTIMATE_API const struct estimate_kernel_info *
estimate_kernel_info(const struct estimate_kernel *k);
/* NULL behind the last launch. */
ESTIMATE_API const struct estimate_launch_info *
estimate_kernel_launch(const struct estimate_kernel *k, size_t i);

/* The assembler that the program runs: what `wanted` names (NULL: not given,
 * "none": none), else the first ptxas of `folders`, a PATH. False: none, or
 * `size` is too small for its path. */
ESTIMATE_API bool estimate_ptxas_find(char *out, size_t size,
                                      const char *wanted, const char *folders);

/* ---- phases -------------------------------------------------------------- */

/* Consecutive instructions none of which waits for a long-latency one of the
 * same phase (Lee et al., PAWS). */
struct estimate_phase {
    uint32_t first, count; /* instructions */
    uint32_t cycles;       /* to issue them all */
    uint32_t loads;        /* of long latency */
    const char *ended_by;  /* "dependence", "basic block" or "end" */
};

#define ESTIMATE_PREDICATE 256 /* predicate register p is this plus p */

struct estimate_instruction {
    const char *mnemonic, *class_name; /* "ldg.4", "load" */
    uint32_t address;                  /* bytes from the start of the code */
    uint32_t line;                     /* of the source, 0: unknown */
    uint32_t cycles;                   /* it adds to its phase */
    uint32_t left;                     /* cycles to the end of the phase */
    uint32_t written_count, read_count;
    const uint16_t *written, *read; /* registers */
};

/* Phases and instructions of a kernel's launch; NULL behind the last. */
struct estimate_code;
ESTIMATE_API struct estimate_code *
estimate_code_create(const struct estimate_kernel *k, size_t launch,
                     struct estimate_error *e);
ESTIMATE_API void estimate_code_free(struct estimate_code *c);
ESTIMATE_API const struct estimate_phase *
estimate_code_phase(const struct estimate_code *c, size_t i);
ESTIMATE_API const struct estimate_instruction *
estimate_code_instruction(const struct estimate_code *c, size_t i);

/* Of the words an application's launches load and a launch wrote, how many
 * percent were written last by the same block in the launch before, by its
 * neighbours there, by others; and those of the others that are the same
 * block's in an older launch. */
struct estimate_dependences {
    double self_pct, ghost_pct, other_pct, older_self_pct;
};
/* `size` is that of *out: what an older header lacks is left out. */
ESTIMATE_API bool estimate_dependences(struct estimate_dependences *out,
                                       size_t size,
                                       const struct estimate_kernel *k,
                                       struct estimate_error *e);

/* ---- execution ----------------------------------------------------------- */

/* PTX run on the CPU for what it computes: a .ptx file under a launch, or a
 * .launch file or example, which says all but the seed itself. */
struct estimate_execution;
ESTIMATE_API struct estimate_execution *
estimate_execution_open(const char *input, const struct estimate_launch *launch,
                        struct estimate_error *e);
ESTIMATE_API void estimate_execution_close(struct estimate_execution *x);

struct estimate_executed {
    const char *name; /* the entry's or the launch file's */
    uint64_t blocks, warp_insts, thread_insts;
};
/* Run everything once. NULL with e set when it faults. */
ESTIMATE_API const struct estimate_executed *
estimate_execution_run(struct estimate_execution *x, struct estimate_error *e);

/* Whether an argument names such a buffer, and how many bytes it has. */
ESTIMATE_API bool estimate_execution_buffer(const struct estimate_execution *x,
                                            const char *name, uint64_t *bytes);
/* Copy `count` bytes of it from offset `from` on; they must lie within it. */
ESTIMATE_API bool estimate_execution_read(struct estimate_execution *x,
                                          const char *name, uint64_t from,
                                          void *out, size_t count,
                                          struct estimate_error *e);

#ifdef __cplusplus
}
#endif

#endif
