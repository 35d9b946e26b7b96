/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/frame.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/access.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 1024
#define PATHS_MAX  65536

bool ptx_insert_path(struct ptx_block *b, struct ptx_warp *w, size_t at,
                     struct ptx_path path)
{
    if (w->paths == PATHS_MAX || !array_room(&w->path, w->paths, 1))
        return ptx_no_memory(b);
    memmove(&w->path[at + 1], &w->path[at], (w->paths - at) * sizeof(*w->path));
    w->path[at] = path;
    w->paths++;
    return true;
}

bool ptx_push_path(struct ptx_block *b, struct ptx_warp *w,
                   struct ptx_path path)
{
    return ptx_insert_path(b, w, w->paths, path);
}

bool ptx_come_again(struct ptx_block *b, struct ptx_warp *w, uint32_t lanes)
{
    struct ptx_path *p = ptx_top(w);
    const struct ptx_path again = {p->pc, p->pc + 1, lanes, p->depth};
    p->pc++;
    return lanes == 0 || ptx_push_path(b, w, again);
}

void ptx_drop_lanes(struct ptx_warp *w, size_t from, uint32_t mask)
{
    for (size_t i = from; i < w->paths; i++)
        w->path[i].mask &= ~mask;
}

/* ---- frames ------------------------------------------------------------- */

bool ptx_reach_local(struct ptx_block *b, struct ptx_warp *w, uint64_t bytes)
{
    if (bytes <= w->local_bytes)
        return true;
    uint8_t *grown = calloc(WARP_LANES, bytes);
    if (grown == NULL)
        return ptx_no_memory(b);
    for (uint64_t i = 0; i < WARP_LANES && w->local != NULL; i++)
        memcpy(grown + i * bytes, w->local + i * w->local_bytes,
               w->local_bytes);
    free(w->local);
    w->local = grown;
    w->local_bytes = bytes;
    return true;
}

static bool reach_registers(struct ptx_block *b, struct ptx_warp *w,
                            size_t values)
{
    if (values <= w->regs_room)
        return true;
    uint64_t *grown = realloc(w->reg, values * sizeof(*grown));
    if (grown == NULL)
        return ptx_no_memory(b);
    w->reg = grown;
    w->regs_room = values;
    return true;
}

/* The first byte behind the local memory of the warp's top frame, of any lane.
 */
static uint64_t end_of_local(const struct ptx_block *b,
                             const struct ptx_warp *w)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    const struct ptx_code *c = &b->launch->program->code[f->function];
    uint64_t end = f->local + c->local_bytes;
    const uint64_t *stack =
        c->stack != PTX_SLOT_NONE ? ptx_slot(b, w, c->stack) : NULL;
    for (int i = 0; stack != NULL && i < WARP_LANES; i++)
        if (stack[i] > end && stack[i] <= w->local_bytes)
            end = stack[i];
    return end;
}

bool ptx_push_frame(struct ptx_block *b, struct ptx_warp *w, uint32_t function,
                    const struct ptx_op *call, uint32_t mask)
{
    const struct ptx_program *p = b->launch->program;
    const struct ptx_code *c = &p->code[function];
    struct ptx_frame f = {.function = function,
                          .call = call,
                          .mask = mask,
                          .row = c->row,
                          .paths = w->paths};
    if (w->frames > 0) {
        const struct ptx_frame *caller = &w->frame[w->frames - 1];
        const struct ptx_code *cc = &p->code[caller->function];
        f.regs = caller->regs + (size_t)cc->rows * WARP_LANES;
        f.local = (end_of_local(b, w) + 15) & ~UINT64_C(15);
    }
    size_t values = f.regs + (size_t)c->rows * WARP_LANES;
    if (call != NULL &&
        (w->frames == FRAMES_MAX || f.local + c->local_bytes > PTX_LOCAL_MAX))
        return ptx_fault(b, w, call,
                         "found calls too deep, expected at most "
                         "512 KiB of local memory a thread");
    if (!array_room(&w->frame, w->frames, 1) ||
        !reach_registers(b, w, values + WARP_LANES) ||
        !ptx_reach_local(b, w, f.local + c->local_bytes))
        return b->failed ? false : ptx_no_memory(b);
    memset(w->reg + f.regs, 0, (values - f.regs) * sizeof(*w->reg));
    w->frame[w->frames++] = f;
    ptx_fill_specials(b, w, c, f.local);
    return ptx_push_path(b, w,
                         (struct ptx_path){.pc = c->first,
                                           .reconverge = PTX_NONE,
                                           .mask = mask});
}
