/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NVIDIA's assembler, run for the registers that it gives a kernel. Nothing of
 * what it makes is kept. */
#ifndef KERNELS_PTX_LAUNCH_PTXAS_H
#define KERNELS_PTX_LAUNCH_PTXAS_H

#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTXAS_PATH_MAX 4096
#define PTXAS_WHY_MAX  256

/* The program to run: what `wanted` names (NULL: not given; "none" or empty:
 * nothing), or else the first ptxas in the folders of `folders`, a PATH, or
 * CUDA's own folder. False: none. Whether it can be run shows when it is. */
bool ptxas_find(char out[PTXAS_PATH_MAX], const char *wanted,
                const char *folders);

struct ptxas_request {
    const char *program;
    const char *path; /* of the PTX text */
    const char *entry;
    const char *target;      /* "sm_75", as the text has it */
    int arch;                /* the GPU's, sm_ number; 0: any */
    const struct stop *stop; /* NULL: none */
};

/* Assemble for the GPU's architecture or, where the text needs a newer one or
 * ptxas does not know that, for the text's own target, or else for the one that
 * ptxas takes by default, the oldest it knows. *registers of a thread, and the
 * target in `target`. False with `why` set when it cannot be run, fails, takes
 * more than 20 s or does not say. */
bool ptxas_registers(uint32_t *registers, char target[32],
                     const struct ptxas_request *r, char why[PTXAS_WHY_MAX]);

/* The registers that the output of ptxas -v gives an entry; target as above.
 * False: it does not. */
bool ptxas_parse(uint32_t *registers, char target[32], const char *output,
                 const char *entry);

#endif
