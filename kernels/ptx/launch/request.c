/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch.h"

struct ptx_request ptx_request_of(const struct load_options *o)
{
    return (struct ptx_request){
        .entry = o->ptx.entry,
        .grid = o->launch.grid,
        .block = o->launch.block,
        .cluster = o->ptx.cluster,
        .dynamic_shared_bytes = o->launch.shared_bytes,
        .arg = o->ptx.arg,
        .args = o->ptx.args,
        .symbol = o->ptx.symbol,
        .symbols = o->ptx.symbols,
        .code_only = o->code_only,
        .seed = o->seed,
    };
}
