/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any text taken for PTX, all the way to the streams that engines read. Nothing
 * is expected but that it comes back, having freed what it took. */
#ifndef TESTS_PTX_EXERCISE_H
#define TESTS_PTX_EXERCISE_H

#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/ptx/launch/sequence.h"

#include <stdlib.h>

#define EXERCISE_PARAMS 16
#define EXERCISE_STEPS  4096 /* of a warp, at most */
#define EXERCISE_BLOCKS 2

static inline void exercise_blocks(const struct kernel *k)
{
    struct error e;
    struct step s;
    void *state = malloc(k->ops->state_size(k));
    for (uint64_t b = 0; state != NULL && b < k->blocks; b++) {
        if (!k->ops->open(k, state, b, &e))
            break;
        for (uint32_t w = k->warps_per_block; w-- > 0;)
            while (k->ops->next(k, state, w, &s))
                ;
        k->ops->close(k, state);
    }
    free(state);
}

/* Entry `entry` as a kernel; what is 8 bytes wide is taken for an address,
 * of a buffer that is a texture too. */
static inline bool exercise_set_up(struct ptx_sequence *t, uint32_t entry,
                                   struct error *e)
{
    const struct ptx_function *f = &t->module.function[entry];
    const char *arg[EXERCISE_PARAMS];
    struct ptx_request request = {.entry = f->name,
                                  .grid = {EXERCISE_BLOCKS, 1, 1},
                                  .block = {40, 1, 1},
                                  .arg = arg};
    if (f->exact_threads != 0)
        request.block.x = f->exact_threads;
    for (; request.args < f->params && request.args < EXERCISE_PARAMS;
         request.args++) {
        uint32_t index = f->param[request.args].index;
        bool wide = t->module.variable[index].bytes == 8;
        arg[request.args] = wide ? "tex:64x128:u16:iota" : "20";
    }
    if (!ptx_session_open(&t->session, &t->module, &request, e) ||
        !ptx_sequence_set(t, 0, e))
        return false;
    t->part[0].launch.steps_max = EXERCISE_STEPS;
    return true;
}

/* What blocks tell each other, even where none can be executed. */
static inline bool exercise_interblock(struct ptx_sequence *t)
{
    struct error e;
    struct ptx_interblock found;
    struct ptx_view view;
    const struct ptx_launch *l = &t->part[0].launch;
    if (!ptx_interblock_draws(&t->part[0].draws, l))
        return false;
    if (ptx_sequence_view(t, 0, 0, &view, &e))
        ptx_interblock_run(&found, l, &view, &e);
    return ptx_interblock_code(&t->part[0].interblock, l, false);
}

static inline void exercise_entry(struct ptx_sequence *t, uint32_t entry)
{
    struct error e;
    struct kernel *room[1];
    struct kernel_list list = {.kernel = room};
    const struct ptx_kernel_about about = {.name = "k", .summary = ""};
    t->in_order = t->module.insts % 2 != 0; /* some so, some so */
    if (!exercise_set_up(t, entry, &e) || !ptx_sequence_count(t, &e) ||
        !exercise_interblock(t))
        return;
    if (ptx_kernel_add(&list, t, 0, &about, &e) &&
        phases_analyse(list.kernel[0], 0, &e))
        exercise_blocks(list.kernel[0]);
    if (list.count > 0)
        kernel_free(list.kernel[0]);
}

/* size bytes and a NUL. */
static inline void ptx_exercise(const char *text, size_t size)
{
    struct error e;
    size_t functions = 1;
    for (uint32_t entry = 0; entry < functions; entry++) {
        struct ptx_sequence *t = ptx_sequence_create(1, 1);
        if (t == NULL)
            return;
        functions = 0;
        if (ptx_parse(&t->module, text, size, "t.ptx", &e)) {
            functions = t->module.functions;
            if (entry < functions && t->module.function[entry].is_entry)
                exercise_entry(t, entry);
        }
        ptx_sequence_release(t);
    }
}

#endif
