/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How an input is to be loaded: what its launch is to be instead of its own,
 * and what each front end wants to know beside that. A struct of zeros asks for
 * the input as it is. */
#ifndef KERNELS_FORM_LOAD_OPTIONS_H
#define KERNELS_FORM_LOAD_OPTIONS_H

#include "kernels/form/kernel.h"

/* What replaces a launch's own values. */
struct launch {
    struct dim3 grid, block;  /* x = 0: as the input says; y, z = 0: 1 */
    uint32_t regs_per_thread; /* 0: as the input says */
    uint32_t shared_bytes;    /* counts when shared_given */
    bool shared_given;
};

struct trace_options {
    const char *unknown_op; /* NULL or "error": unknown opcodes are errors;
                             * otherwise the class to take them for */
};

struct ptx_options {
    const char *entry;      /* NULL: the only one */
    struct dim3 cluster;    /* blocks of one; x = 0: as the entry declares */
    const char *const *arg; /* its arguments (manual page, --arg) */
    size_t args;
    const char *const *symbol; /* what variables hold (--set-symbol) */
    size_t symbols;
    const char *ptxas; /* the assembler to ask for registers; NULL: none */
    int arch;      /* which the assembler is asked for (gpu.arch), or what comes
                    * closest; 0: the text's target */
    bool exec_all; /* execute whole grids, each block over what those before it
                    * leave */
};

struct load_options {
    struct launch launch;
    struct trace_options trace;
    struct ptx_options ptx;
    uint64_t seed; /* of what kernel files and PTX buffers draw at random */
    const struct stop *stop; /* becomes kernel.stop */
    bool code_only; /* nobody will read streams: PTX arguments may be missing */
};

/* The program's defaults: the input as it is, drawn with seed 1. */
struct load_options load_options_default(void);

#endif
