/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program registers before it begins: its fat binaries, and of each the
 * kernels and variables by the addresses that stand for them in the program. A
 * fat binary is read when something of it is first used. */
#ifndef CUDA_MODULES_H
#define CUDA_MODULES_H

#include "cuda/machine.h"
#include "cuda/repeat.h"

struct fat_binary {
    const void *image;
    struct estimate_module *module; /* NULL: not read yet */
};

struct registered_kernel {
    const void *host;
    const char *name;
    struct fat_binary *from;
    struct estimate_function *function; /* NULL: not used yet */
    int max_shared_bytes;               /* as the program allowed it, or 0 */
    unsigned registers;                 /* of a thread; 0: not asked for yet */
    struct repeats repeats;
};

struct registered_variable {
    const void *host;
    const char *name;
    struct fat_binary *from;
    void **managed; /* where the program keeps its address; NULL: it does not */
};

struct modules {
    struct fat_binary **binary;
    struct registered_kernel **kernel;
    struct registered_variable *variable;
    size_t binaries, kernels, variables;
};

struct fat_binary *modules_add(struct modules *m, const void *image);
bool modules_add_kernel(struct modules *m, struct fat_binary *from,
                        const void *host, const char *name);
bool modules_add_variable(struct modules *m,
                          const struct registered_variable *v);

/* The kernel that `host` stands for, ready to be launched. A fat binary that
 * cannot be used ends the program. NULL: none was registered. */
struct registered_kernel *
modules_kernel(struct modules *m, struct machine *machine, const void *host);
/* Where the variable is that `host` stands for; NULL: none was registered. */
void *modules_variable(struct modules *m, struct machine *machine,
                       const void *host, uint64_t *bytes);

/* Read what holds managed variables, whose addresses the program wants. */
void modules_read_managed(struct modules *m, struct machine *machine,
                          struct fat_binary *b);

#endif
