/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch.h"

#include <stdio.h>

struct ptx_request ptx_request_of(const struct load_options *o)
{
    return (struct ptx_request){
        .entry = o->ptx.entry,
        .grid = o->launch.grid,
        .block = o->launch.block,
        .dynamic_shared_bytes = o->launch.shared_bytes,
        .arg = o->ptx.arg,
        .args = o->ptx.args,
        .code_only = o->code_only,
        .seed = o->seed,
    };
}

bool ptx_request_note(char *out, size_t size, const char *path,
                      const struct ptx_request *r)
{
    bool no_grid = r->grid.x == 0, no_block = r->block.x == 0;
    if (no_grid || no_block)
        snprintf(out, size, "%.200s: launched with %s%s%s", path,
                 no_grid ? "a grid of 1 block (no --grid)" : "",
                 no_grid && no_block ? " and " : "",
                 no_block ? "a block of 1 thread (no --block)" : "");
    return no_grid || no_block;
}
