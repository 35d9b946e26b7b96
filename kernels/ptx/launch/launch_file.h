/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launch files (kernels/FORMAT.md, "Launch files"): a PTX text, the buffers its
 * kernels work on, and the launches over them one after another. */
#ifndef KERNELS_PTX_LAUNCH_LAUNCH_FILE_H
#define KERNELS_PTX_LAUNCH_LAUNCH_FILE_H

#include "kernels/form/kernel.h"

struct launch_buffer {
    char *name;
    char *spec;    /* "buf:COUNT:TYPE[:FILL]" or "tex:SIDES:TEXEL[:MODE..]
                    * [:FILL]", as --arg takes it; the path of
                    * a fill file:PATH as seen from the working folder */
    unsigned line; /* it stands in */
};

struct launch_symbol {
    char *spec; /* "NAME=SPEC", as --set-symbol takes it, paths as above */
    unsigned line;
};

struct launch_argument {
    char *value; /* a number, bare or "TYPE:NUMBER", "@NAME+OFFSET" or
                  * "bytes:..", as --arg takes them; NULL: the buffer */
    size_t buffer;
};

struct file_launch {
    char *entry;
    struct dim3 grid, block;
    struct dim3 cluster;      /* x = 0: not given */
    uint32_t shared_bytes;    /* dynamic */
    uint32_t regs_per_thread; /* 0: not given */
    struct launch_argument *argument;
    size_t arguments;
    unsigned line; /* it stands in */
};

struct launch_file {
    char *path;    /* as given */
    char *name;    /* its own, or the file's without extension */
    char *summary; /* one line, may be empty */
    char *module;  /* path of the PTX text */
    struct launch_buffer *buffer;
    size_t buffers;
    struct launch_symbol *symbol;
    size_t symbols;
    struct file_launch *launch; /* each once, as written */
    size_t launches;
    size_t *order; /* indices of `launch`, in the order of execution */
    size_t turns;  /* at least 1 */
};

/* What `text`, size bytes and a NUL, describes. False with e set when it is not
 * a valid launch file. `path` is what errors name, and where the PTX text and
 * files of buffers are looked for when their paths are relative. Whether the
 * PTX text exists and has these entries is not looked at. */
bool launch_file_parse(struct launch_file *out, const char *text, size_t size,
                       const char *path, struct error *e);
void launch_file_free(struct launch_file *file);

#endif
