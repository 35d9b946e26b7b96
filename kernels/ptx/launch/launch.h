/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a module and what the user says of a launch to one that can run. */
#ifndef KERNELS_PTX_LAUNCH_LAUNCH_H
#define KERNELS_PTX_LAUNCH_LAUNCH_H

#include "kernels/form/load_options.h"
#include "kernels/ptx/execute/exec.h"

struct ptx_request {
    const char *entry;       /* NULL: the only one */
    struct dim3 cluster;     /* x = 0: as the entry declares */
    struct dim3 grid, block; /* x = 0: not given */
    uint64_t dynamic_shared_bytes;
    const char *const *arg; /* ptx_argument_parse(), or a buffer's name */
    size_t args;
    const void *const *value;  /* in place of arg: where each parameter's bytes
                                * are; NULL: not so */
    const char *const *symbol; /* "NAME=SPEC": ptx_session_set_symbol() */
    size_t symbols;
    bool is_alone;  /* its blocks cannot wait for all others of the grid */
    bool from_file; /* not from the command line, for messages */
    bool code_only; /* it will not run: arguments may be missing */
    uint64_t seed;  /* of buffers filled at random */
};

/* What the options ask for; its texts are theirs. */
struct ptx_request ptx_request_of(const struct load_options *o);

/* The text, *size bytes and a NUL, in the file of that path, which the caller
 * frees; `expected` is what should be there. NULL with e set. */
char *ptx_read_text(const char *path, size_t *size, const char *expected,
                    struct error *e);
/* The module in the file of that path. */
bool ptx_read(struct ptx_module *out, const char *path, struct error *e);

/* A module with its memory, and the launch that is set up. */
struct ptx_session {
    uint64_t base; /* address of the module's own memory */
    struct ptx_program program;
    struct ptx_memory memory;
    struct ptx_launch launch;
};

/* Decode the module, place its variables and the buffers, set up the launch.
 * False with e set. The module must outlive the session. */
bool ptx_session_open(struct ptx_session *s, const struct ptx_module *m,
                      const struct ptx_request *request, struct error *e);
/* Likewise without a launch: for several, one after another. */
bool ptx_session_prepare(struct ptx_session *s, const struct ptx_module *m,
                         struct error *e);
/* Likewise for launches of function `entry` (PTX_NONE: of none) over memory of
 * the caller's own: the module's variables are to be at `base`, where
 * ptx_session_image() writes what they hold at first. */
bool ptx_session_prepare_at(struct ptx_session *s, const struct ptx_module *m,
                            uint32_t entry, uint64_t base, struct error *e);
uint64_t ptx_session_image_bytes(const struct ptx_session *s);
void ptx_session_image(const struct ptx_session *s, uint8_t *image);
/* Place a buffer of a launch file, "buf:COUNT:TYPE[:FILL]" or "tex:..", that
 * launches may name. */
bool ptx_session_buffer(struct ptx_session *s, const char *name,
                        const char *spec, uint64_t seed, struct error *e);
/* Set up a launch in place of the one before; memory stays as that left it.
 * False with e set: there is no launch, the session is still to be closed. */
bool ptx_session_launch(struct ptx_session *s,
                        const struct ptx_request *request, struct error *e);
/* Hand the launch that is set up over with its program, *out pointing to
 * *program; the session is then without one. False with e set: nothing is
 * handed over. */
bool ptx_session_take_launch(struct ptx_session *s, struct ptx_launch *out,
                             struct ptx_program *program, struct error *e);
void ptx_session_close(struct ptx_session *s);

struct ptx_totals {
    uint64_t blocks, warp_steps, lane_steps;
};

/* Execute every block, one after another. */
bool ptx_session_run(struct ptx_session *s, struct ptx_totals *out,
                     struct error *e);
/* Likewise of any launch, over memory as `view` has it. */
bool ptx_launch_run(const struct ptx_launch *l, struct ptx_view view,
                    struct ptx_totals *out, struct error *e);

#endif
