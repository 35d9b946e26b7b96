/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch_run.h"

#include "kernels/ptx/launch/launch_arguments.h"

#include <stdlib.h>

/* Put the line that e is about before what it says. */
static bool fail_at(const struct launch_file *file, unsigned line,
                    struct error *e)
{
    struct error said = *e;
    return error_set(e, said.status, "%s:%u: %s", file->path, line, said.text);
}

bool launch_file_open(struct ptx_session *s, const struct launch_file *file,
                      const struct ptx_module *m, uint64_t seed,
                      struct error *e)
{
    if (!ptx_session_prepare(s, m, e))
        return false;
    for (size_t i = 0; i < file->buffers; i++) {
        const struct launch_buffer *b = &file->buffer[i];
        if (!ptx_session_buffer(s, b->name, b->spec,
                                seed * UINT64_C(1000003) + i, e)) {
            ptx_session_close(s);
            return fail_at(file, b->line, e);
        }
    }
    for (size_t i = 0; i < file->symbols; i++) {
        const struct launch_symbol *y = &file->symbol[i];
        const struct ptx_spec spec = {"symbol", y->spec};
        uint64_t from = seed * UINT64_C(1000003) + file->buffers + i;
        if (!ptx_session_set_symbol(s, &spec, from, e)) {
            ptx_session_close(s);
            return fail_at(file, y->line, e);
        }
    }
    return true;
}

bool launch_file_set_up(struct ptx_session *s, const struct launch_file *file,
                        size_t turn, struct error *e)
{
    const struct file_launch *l = &file->launch[file->order[turn]];
    const char **arg = calloc(l->arguments + 1, sizeof(*arg));
    if (arg == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < l->arguments; i++)
        arg[i] = l->argument[i].value != NULL
                     ? l->argument[i].value
                     : file->buffer[l->argument[i].buffer].name;
    const struct ptx_request request = {
        .entry = l->entry,
        .grid = l->grid,
        .block = l->block,
        .cluster = l->cluster,
        .dynamic_shared_bytes = l->shared_bytes,
        .arg = arg,
        .args = l->arguments,
        .from_file = true,
    };
    bool ok = ptx_session_launch(s, &request, e);
    free(arg);
    return ok || fail_at(file, l->line, e);
}

bool launch_file_run(struct ptx_session *s, const struct launch_file *file,
                     struct ptx_totals *out, struct error *e)
{
    *out = (struct ptx_totals){0};
    for (size_t turn = 0; turn < file->turns; turn++) {
        struct ptx_totals one;
        if (!launch_file_set_up(s, file, turn, e) ||
            !ptx_session_run(s, &one, e))
            return false;
        out->blocks += one.blocks;
        out->warp_steps += one.warp_steps;
        out->lane_steps += one.lane_steps;
    }
    return true;
}
