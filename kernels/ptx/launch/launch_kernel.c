/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch_kernel.h"

#include "kernels/ptx/launch/launch_read.h"
#include "kernels/ptx/launch/launch_run.h"
#include "kernels/ptx/launch/ptx_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS 512

bool launch_file_check_options(const char *input, const struct load_options *o,
                               struct error *e)
{
    const struct {
        const char *name;
        bool given;
    } of[] = {{"--entry", o->ptx.entry != NULL},
              {"--cluster", o->ptx.cluster.x > 0},
              {"--grid", o->launch.grid.x > 0},
              {"--block", o->launch.block.x > 0},
              {"--arg", o->ptx.args > 0},
              {"--set-symbol", o->ptx.symbols > 0},
              {"--shared", o->launch.shared_given}};
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
        if (of[i].given)
            return error_set(e, STATUS_USAGE,
                             "%s: found %s on the command line, expected the "
                             "launches of the file only",
                             input, of[i].name);
    return true;
}

/* Each launch once, the first time it is one's turn. */
static bool set_up(struct ptx_sequence *t, const struct launch_file *file,
                   uint64_t seed, struct error *e)
{
    if (!launch_file_open(&t->session, file, &t->module, seed, e))
        return false;
    for (uint32_t turn = 0; turn < t->turns; turn++) {
        size_t index = file->order[turn];
        t->order[turn] = (uint32_t)index;
        if (t->part[index].program.module == NULL &&
            (!launch_file_set_up(&t->session, file, turn, e) ||
             !ptx_sequence_set(t, index, e)))
            return false;
        t->part[index].registers_given =
            file->launch[index].regs_per_thread != 0;
    }
    return true;
}

static bool add_kernels(struct kernel_list *out, struct ptx_sequence *t,
                        const struct launch_file *file,
                        const struct load_options *o, struct error *e)
{
    uint64_t hash = ptx_sequence_hash(t);
    for (uint32_t turn = 0; turn < t->turns; turn++) {
        const struct file_launch *l = &file->launch[t->order[turn]];
        char name[NAME_CHARS];
        bool only = t->turns == 1;
        snprintf(name, sizeof(name), "%s%s%s", file->name, only ? "" : ".",
                 only ? "" : l->entry);
        hash = ptx_part_hash(hash, &t->part[t->order[turn]]);
        const struct ptx_kernel_about about = {
            .name = name,
            .summary = file->summary,
            .regs_per_thread = o->launch.regs_per_thread != 0
                                   ? o->launch.regs_per_thread
                                   : l->regs_per_thread,
            .regs_from =
                o->launch.regs_per_thread != 0 ? "--regs" : "launch file",
            .hash = hash};
        if (!ptx_kernel_add(out, t, turn, &about, e))
            return false;
    }
    return true;
}

/* A list with room for the kernels, of an application when there are
 * several. */
static bool make_list(struct kernel_list *out, const struct launch_file *file,
                      struct error *e)
{
    out->kernel = calloc(file->turns, sizeof(*out->kernel));
    out->application = file->turns > 1 ? strdup(file->name) : NULL;
    return (out->kernel != NULL &&
            (file->turns == 1 || out->application != NULL)) ||
           error_no_memory(e);
}

static bool load(struct kernel_list *out, const struct launch_file *file,
                 struct ptx_sequence *t, const struct load_options *o,
                 struct error *e)
{
    return make_list(out, file, e) && set_up(t, file, o->seed, e) &&
           ptx_kernel_prepare(t, o, e) && add_kernels(out, t, file, o, e);
}

bool launch_kernel_load(struct kernel_list *out, const char *input,
                        const struct load_options *o, struct error *e)
{
    struct launch_file file;
    struct ptx_module module;
    if (!launch_file_check_options(input, o, e) ||
        !launch_input_read(&file, &module, input, e))
        return false;
    struct ptx_sequence *t = ptx_sequence_create(file.launches, file.turns);
    bool ok = t != NULL;
    if (ok) {
        t->module = module;
        ok = load(out, &file, t, o, e);
        ptx_sequence_release(t);
    } else {
        error_no_memory(e);
        ptx_module_free(&module);
    }
    launch_file_free(&file);
    if (!ok)
        kernel_list_free(out);
    return ok;
}
