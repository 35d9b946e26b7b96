/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dependences between the blocks of a launch: what they tell each other through
 * global memory. Streams execute each block by itself, so that it is not seen
 * there: what is found here says so, for one instruction. */
#ifndef KERNELS_PTX_EXECUTE_INTERBLOCK_H
#define KERNELS_PTX_EXECUTE_INTERBLOCK_H

#include "kernels/ptx/execute/exec.h"

enum ptx_interblock_kind {
    INTERBLOCK_NONE,
    INTERBLOCK_LOAD,   /* op reads what another block writes */
    INTERBLOCK_STORE,  /* op writes what another block reads */
    INTERBLOCK_WAIT,   /* a loop goes on until op loads something else */
    INTERBLOCK_PATH,   /* what the atomic op returns decides where `use` goes on
                        */
    INTERBLOCK_ADDRESS /* ... where `use` reads or writes */
};

struct ptx_interblock {
    enum ptx_interblock_kind kind;
    const struct ptx_op *op, *use;
    bool waits; /* a block does not end before another one has written */
};

/* What the code alone shows, inside each function that the entry may run:
 * atomics on global memory whose result decides a branch or an address,
 * directly or through registers, shared and local memory, but for those that
 * draw (tickets.h), with claims or without, and loops that poll an ordered
 * load. Calls hand nothing on. False: no memory. */
bool ptx_interblock_code(struct ptx_interblock *out, const struct ptx_launch *l,
                         bool claims);

/* What those that may draw decide. */
enum ptx_draws { DRAWS_NOTHING, DRAWS_PLACES, DRAWS_WAYS };

/* False: no memory. */
bool ptx_interblock_draws(enum ptx_draws *out, const struct ptx_launch *l);

/* Execute some blocks, the first always, each by itself, and see which bytes
 * of global memory one writes and another reads before it has written them, by
 * loads, stores, atomics and copies, matrix fragments, textures and surfaces
 * (of a fetch one texel). What they write is forgotten. A block that reads what
 * the first one writes and goes on and on without it waits for it. False with e
 * set when the first block cannot be executed; the others only end the search.
 * The view is private. */
bool ptx_interblock_run(struct ptx_interblock *out, const struct ptx_launch *l,
                        const struct ptx_view *view, struct error *e);

#define PTX_INTERBLOCK_CHARS 512

/* A line for the user; empty for INTERBLOCK_NONE. */
void ptx_interblock_say(char out[PTX_INTERBLOCK_CHARS],
                        const struct ptx_interblock *a,
                        const struct ptx_module *m);

#endif
