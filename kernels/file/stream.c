/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dynamic instruction stream of an assembled program. A block's state is an
 * array of equal warp states:
 *
 *     struct warp | frame[depth] | trips[lane_trips][32] | generator state
 *
 * Lanes that leave a loop or wait for the other side of an if are remembered in
 * the frames; `live` are the lanes that have not exited, so that a remembered
 * mask is cut by it when it is taken up again. */
#include "kernels/file/program.h"

#include <stdlib.h>

struct warp {
    uint32_t node;
    uint32_t mask;  /* lanes that run now */
    uint32_t live;  /* lanes that have not exited */
    uint32_t index; /* in the block */
    uint32_t back;  /* where the subroutine that runs returns to */
    int64_t block, bx, by, bz;
};

struct layout {
    size_t frames, trips, generator, size; /* bytes from the warp's start */
};

/* All parts are multiples of 8 bytes, so that every part is aligned. */
static struct layout layout_of(const struct program *p)
{
    struct layout l;
    l.frames = sizeof(struct warp);
    l.trips = l.frames + (size_t)p->depth * sizeof(struct frame);
    l.generator = l.trips + (size_t)p->lane_trips * WARP_LANES * 4;
    size_t generator = p->pool.draws ? draw_state_size() : 0;
    l.size = l.generator + (generator + 7) / 8 * 8;
    return l;
}

/* A warp's state, taken apart. */
struct view {
    const struct kernel *kernel;
    const struct program *program;
    struct warp *warp;
    struct frame *frame;
    uint32_t (*trips)[WARP_LANES];
    void *generator;
};

static struct view view_of(const struct kernel *k, void *state, uint32_t warp)
{
    const struct program *p = k->source;
    struct layout l = layout_of(p);
    char *start = (char *)state + l.size * warp;
    return (struct view){k,
                         p,
                         (void *)start,
                         (void *)(start + l.frames),
                         (void *)(start + l.trips),
                         start + l.generator};
}

static size_t stream_state_size(const struct kernel *k)
{
    return layout_of(k->source).size * k->warps_per_block;
}

static bool stream_open(const struct kernel *k, void *state, uint64_t block,
                        struct error *e)
{
    (void)e;
    const struct program *p = k->source;
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        struct view v = view_of(k, state, w);
        uint32_t lanes = kernel_full_mask(k, w);
        *v.warp = (struct warp){
            .mask = lanes,
            .live = lanes,
            .index = w,
            .block = (int64_t)block,
            .bx = (int64_t)(block % k->grid.x),
            .by = (int64_t)(block / k->grid.x % k->grid.y),
            .bz = (int64_t)(block / k->grid.x / k->grid.y),
        };
        if (p->pool.draws)
            draw_seed(v.generator, p->seed, block, w);
    }
    return true;
}

/* ---- expressions -------------------------------------------------------- */

static void evaluate(struct view *v, struct expr e,
                     struct value stack[EXPR_STACK])
{
    const struct warp *w = v->warp;
    struct expr_context context = {
        .code = v->program->pool.code,
        .zipf = v->program->pool.zipf,
        .block = w->block,
        .bx = w->bx,
        .by = w->by,
        .bz = w->bz,
        .warp = w->index,
        .first_thread = w->block * v->kernel->threads_per_block +
                        (int64_t)w->index * WARP_LANES,
        .frame = v->frame,
        .mask = w->mask,
        .rng = draw_generator(v->generator),
    };
    expr_eval(&context, e, stack);
}

/* A thread's local memory is interleaved with that of its warp's other lanes,
 * as CUDA has it (CUDA C++ Programming Guide, "Local Memory": consecutive
 * 32-bit words are accessed by consecutive thread IDs): words of `width` bytes,
 * four at least, at the same offset lie side by side. */
static void interleave_local(const struct view *v, uint32_t width,
                             struct value *a)
{
    uint64_t word = width < 4 ? 4 : width;
    uint64_t warp =
        (uint64_t)v->warp->block * v->kernel->warps_per_block + v->warp->index;
    uint64_t region = (uint64_t)v->program->local_bytes * WARP_LANES;
    uint64_t start = LOCAL_BASE + warp * region % LOCAL_SPAN;
    bool uniform = a->affine && a->stride == 0;
    for (int l = 0; l < (uniform ? 1 : WARP_LANES); l++) {
        uint64_t offset = (uint64_t)value_lane(a, l);
        uint64_t inside = offset % word;
        uint64_t address = start + (offset - inside) * WARP_LANES + inside;
        if (uniform) {
            a->base = (int64_t)address;
            a->stride = (int64_t)word;
            return;
        }
        a->lane[l] = (int64_t)(address + (uint64_t)l * word);
    }
    a->affine = false;
}

static void set_address(struct view *v, const struct node *n, struct step *out)
{
    struct value stack[EXPR_STACK];
    const struct inst *i = &v->kernel->inst[n->inst];
    evaluate(v, n->expr, stack);
    if (i->space == SPACE_LOCAL)
        interleave_local(v, i->width, &stack[0]);
    value_make_affine(&stack[0], out->mask);
    if (stack[0].affine) {
        out->form = ADDR_STRIDE;
        out->base = (uint64_t)stack[0].base;
        out->stride = stack[0].stride;
        return;
    }
    out->form = ADDR_LIST;
    for (int l = 0; l < WARP_LANES; l++)
        out->lane_address[l] = (uint64_t)stack[0].lane[l];
}

/* ---- loops and ifs ------------------------------------------------------ */

static uint32_t clamp_trips(int64_t n)
{
    return n < 1 ? 1 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static void enter_loop(struct view *v, const struct node *n)
{
    struct value stack[EXPR_STACK];
    struct frame *f = &v->frame[n->depth];
    evaluate(v, n->expr, stack);
    *f = (struct frame){.outer = v->warp->mask};
    if (stack[0].affine && stack[0].stride == 0) {
        f->trips = clamp_trips(stack[0].base);
        return;
    }
    for (int l = 0; l < WARP_LANES; l++)
        v->trips[n->lane_trips][l] = clamp_trips(value_lane(&stack[0], l));
}

/* Lanes of mask that have iterations of the loop left. */
static uint32_t lanes_going_on(const struct view *v, const struct node *n)
{
    const struct frame *f = &v->frame[n->depth];
    if (f->trips != 0)
        return f->iteration < f->trips ? v->warp->mask : 0;
    const uint32_t *trips = v->trips[n->lane_trips];
    uint32_t lanes = 0;
    for (int l = 0; l < WARP_LANES; l++)
        lanes |= (uint32_t)(f->iteration < trips[l]) << l;
    return lanes & v->warp->mask;
}

/* Go on behind node n with `lanes`, or where the scope n stands in ends when
 * none of them is left. */
static void go_on(struct view *v, const struct node *n, uint32_t lanes)
{
    struct warp *w = v->warp;
    w->mask = lanes & w->live;
    w->node = w->mask != 0 ? w->node + 1 : n->scope_end;
}

static void end_iteration(struct view *v, const struct node *n,
                          struct step *out)
{
    v->frame[n->depth].iteration++;
    out->taken_mask = lanes_going_on(v, n);
    if (out->taken_mask == 0) {
        go_on(v, n, v->frame[n->depth].outer);
        return;
    }
    v->warp->mask = out->taken_mask;
    v->warp->node = n->to;
}

static void split(struct view *v, const struct node *n, struct step *out)
{
    struct value stack[EXPR_STACK];
    struct warp *w = v->warp;
    evaluate(v, n->expr, stack);
    uint32_t then = value_true_lanes(&stack[0], w->mask);
    uint32_t other = w->mask & ~then;
    v->frame[n->depth] = (struct frame){.outer = w->mask, .other = other};
    out->taken_mask = other;
    w->node = then != 0 ? w->node + 1 : n->to;
    w->mask = then != 0 ? then : other;
}

static void start_other_side(struct view *v, const struct node *n)
{
    struct warp *w = v->warp;
    w->mask = v->frame[n->depth].other;
    w->node = w->mask != 0 ? w->node + 1 : n->to;
}

static void end_lanes(struct view *v, const struct node *n)
{
    struct warp *w = v->warp;
    w->live &= ~w->mask;
    w->mask = 0;
    w->node = n->scope_end;
}

/* ---- steps -------------------------------------------------------------- */

static void run_node(struct view *v, const struct node *n, struct step *out,
                     bool wants_address)
{
    switch ((enum node_kind)n->kind) {
    case NODE_MEMORY:
        if (wants_address)
            set_address(v, n, out);
        v->warp->node++;
        break;
    case NODE_ENDLOOP:
        end_iteration(v, n, out);
        break;
    case NODE_IF:
        split(v, n, out);
        break;
    case NODE_ELSE:
        out->taken_mask = out->mask;
        start_other_side(v, n);
        break;
    case NODE_BRANCH:
        out->taken_mask = out->mask;
        v->warp->node++;
        break;
    case NODE_CALL:
        out->taken_mask = out->mask;
        v->warp->back = v->warp->node + 1;
        v->warp->node = n->to;
        break;
    case NODE_ENDSUB:
        out->taken_mask = out->mask;
        v->warp->node = v->warp->back;
        break;
    case NODE_EXIT:
        end_lanes(v, n);
        break;
    case NODE_PLAIN:
    case NODE_LOOP:
    case NODE_ENDIF:
    case NODE_SUB:
        v->warp->node++;
        break;
    }
}

/* Pass the nodes that are no step: loops, endifs, subroutines not called, and
 * the ends of parts whose lanes have all exited. */
static const struct node *next_step_node(struct view *v)
{
    for (;;) {
        const struct node *n = &v->program->node[v->warp->node];
        bool empty = v->warp->mask == 0;
        if (n->kind == NODE_LOOP) {
            enter_loop(v, n);
            v->warp->node++;
        } else if (n->kind == NODE_ENDIF ||
                   (n->kind == NODE_ENDLOOP && empty)) {
            go_on(v, n, v->frame[n->depth].outer);
        } else if (n->kind == NODE_ELSE && empty) {
            start_other_side(v, n);
        } else if (n->kind == NODE_SUB) {
            v->warp->node = n->to;
        } else {
            return n;
        }
    }
}

/* Addresses that are drawn move the generator on. */
static bool skims_address(const struct view *v, const struct node *n)
{
    return !v->program->pool.draws &&
           !inst_reaches_l2(&v->kernel->inst[n->inst]);
}

static bool step(const struct kernel *k, void *state, uint32_t warp,
                 struct step *out, bool skims)
{
    struct view v = view_of(k, state, warp);
    if (v.warp->live == 0)
        return false;
    const struct node *n = next_step_node(&v);
    out->inst = n->inst;
    out->mask = v.warp->mask;
    out->taken_mask = 0;
    out->form = ADDR_NONE;
    run_node(&v, n, out, !skims || !skims_address(&v, n));
    return true;
}

static bool stream_next(const struct kernel *k, void *state, uint32_t warp,
                        struct step *out)
{
    return step(k, state, warp, out, false);
}

static bool stream_skim(const struct kernel *k, void *state, uint32_t warp,
                        struct step *out)
{
    return step(k, state, warp, out, true);
}

static bool stream_is_bytes(const struct kernel *k, const void *state)
{
    (void)k;
    (void)state;
    return true;
}

static void stream_close(const struct kernel *k, void *state)
{
    (void)k;
    (void)state;
}

static void stream_destroy(struct kernel *k)
{
    program_free(k->source);
    free(k->source);
}

const struct kernel_source_ops program_source_ops = {
    .state_size = stream_state_size,
    .open = stream_open,
    .next = stream_next,
    .skim = stream_skim,
    .is_bytes = stream_is_bytes,
    .close = stream_close,
    .destroy = stream_destroy,
};
