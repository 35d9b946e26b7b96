/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/streams.h"

#include "calib/block_steps.h"
#include "calib/constants.h"
#include "kernels/form/step_bytes.h"

#include <omp.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A block's steps, warp after warp. */
struct kept {
    uint64_t block;
    struct kept *next;
    size_t *start;   /* [warps + 1] into bytes */
    uint64_t *steps; /* [warps] */
    uint8_t *bytes;
};

struct streams {
    struct kernel kernel;
    const struct kernel *made_by;
    struct block_steps *steps; /* of blocks that are not kept */
    int uncounted;             /* bool: there was no memory for one of them */
    omp_lock_t lock;           /* of what follows */
    void *tree;                /* tsearch() of struct kept */
    struct kept *first;
    size_t bytes;
    bool full; /* no more blocks are kept */
};

/* An open block: where the readers of its warps are, then the front end's own
 * state. */
struct reader {
    uint64_t block;
    const struct kept *kept; /* NULL: the front end reads */
    struct step_reader warp[];
};

/* A block that is being made: one of its warps. */
struct maker {
    struct step_writer writer;
    uint64_t steps;
    bool ended;
};

/* ---- making a block ------------------------------------------------------ */

enum made { MADE, TOO_LONG, FAILED };

static enum made no_memory(struct error *e)
{
    error_no_memory(e);
    return FAILED;
}

/* All steps of an open block, warps in turn. */
static enum made write_warps(struct maker *w, const struct kernel *k,
                             void *state, size_t most, struct error *e)
{
    struct step s = {.inst = 0};
    uint64_t steps = 0;
    uint32_t left = k->warps_per_block;
    for (uint32_t i = 0; left > 0; i = (i + 1) % k->warps_per_block) {
        size_t before = w[i].writer.count;
        for (int n = 0; n < WALK_TURN && !w[i].ended; n++) {
            if (!kernel_walk_goes_on(k, &steps, e))
                return FAILED;
            w[i].ended = !k->ops->next(k, state, i, &s);
            left -= w[i].ended;
            w[i].steps += !w[i].ended;
            if (!w[i].ended && !step_write(&w[i].writer, k, &s))
                return no_memory(e);
        }
        if (w[i].writer.count - before > most)
            return TOO_LONG;
        most -= w[i].writer.count - before;
    }
    return MADE;
}

static enum made write_block(struct maker *w, const struct kernel *k,
                             uint64_t block, size_t most, struct error *e)
{
    void *state = malloc(k->ops->state_size(k) + 1);
    enum made made = FAILED;
    if (state == NULL)
        return no_memory(e);
    if (k->ops->open(k, state, block, e)) {
        made = write_warps(w, k, state, most, e);
        k->ops->close(k, state);
    }
    free(state);
    return made;
}

static void kept_free(struct kept *kept)
{
    if (kept == NULL)
        return;
    free(kept->start);
    free(kept->steps);
    free(kept->bytes);
    free(kept);
}

/* What the warps' writers hold, in one piece; NULL without memory. */
static struct kept *join(const struct maker *w, uint32_t warps)
{
    size_t bytes = 0;
    struct kept *out = calloc(1, sizeof(*out));
    if (out == NULL)
        return NULL;
    out->start = calloc(warps + 1, sizeof(*out->start));
    for (uint32_t i = 0; i < warps; i++)
        bytes += w[i].writer.count;
    out->bytes = malloc(bytes + 1);
    out->steps = calloc(warps, sizeof(*out->steps));
    if (out->start == NULL || out->bytes == NULL || out->steps == NULL) {
        kept_free(out);
        return NULL;
    }
    for (uint32_t i = 0; i < warps; i++) {
        if (w[i].writer.count > 0)
            memcpy(out->bytes + out->start[i], w[i].writer.bytes,
                   w[i].writer.count);
        out->start[i + 1] = out->start[i] + w[i].writer.count;
        out->steps[i] = w[i].steps;
    }
    return out;
}

static enum made make(struct kept **out, const struct kernel *k, uint64_t block,
                      size_t most, struct error *e)
{
    struct maker *w = calloc(k->warps_per_block, sizeof(*w));
    if (w == NULL)
        return no_memory(e);
    for (uint32_t i = 0; i < k->warps_per_block; i++)
        w[i].writer.last = NO_STEP;
    enum made made = write_block(w, k, block, most, e);
    if (made == MADE && (*out = join(w, k->warps_per_block)) == NULL)
        made = no_memory(e);
    for (uint32_t i = 0; i < k->warps_per_block; i++)
        free(w[i].writer.bytes);
    free(w);
    return made;
}

/* ---- blocks that are kept ------------------------------------------------ */

static int by_block(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    return (x->block > y->block) - (x->block < y->block);
}

/* Block `block` in *out, NULL where it is not kept. False with e. */
static bool find(const struct kept **out, struct streams *s, uint64_t block,
                 struct error *e)
{
    const struct kernel *k = s->made_by;
    struct kept key = {.block = k->period > 0 ? block % k->period : block};
    struct kept *const *known = tfind(&key, &s->tree, by_block);
    struct kept *made = NULL;
    size_t room = STREAMS_BYTES - s->bytes;
    *out = known != NULL ? *known : NULL;
    if (*out != NULL || s->full)
        return true;
    if (room > STREAMS_BLOCK_BYTES)
        room = STREAMS_BLOCK_BYTES;
    enum made how = make(&made, k, block, room, e);
    s->full = how != MADE;
    if (how != MADE)
        return how == TOO_LONG;
    made->block = key.block;
    if (tsearch(made, &s->tree, by_block) == NULL) {
        kept_free(made);
        return error_no_memory(e);
    }
    made->next = s->first;
    s->first = made;
    s->bytes += made->start[k->warps_per_block];
    *out = made;
    return true;
}

/* ---- as a kernel --------------------------------------------------------- */

static size_t reader_bytes(const struct kernel *k)
{
    size_t bytes =
        sizeof(struct reader) + k->warps_per_block * sizeof(struct step_reader);
    return (bytes + 15) / 16 * 16;
}

static void *made_state(const struct kernel *k, void *state)
{
    return (char *)state + reader_bytes(k);
}

static const struct kernel *made_by(const struct kernel *k)
{
    return ((const struct streams *)k->source)->made_by;
}

static size_t streams_state_size(const struct kernel *k)
{
    const struct kernel *by = made_by(k);
    return reader_bytes(k) + by->ops->state_size(by);
}

static bool streams_open(const struct kernel *k, void *state, uint64_t block,
                         struct error *e)
{
    struct streams *s = k->source;
    struct reader *r = state;
    r->block = block;
    omp_set_lock(&s->lock);
    bool found = find(&r->kept, s, block, e);
    omp_unset_lock(&s->lock);
    if (!found)
        return false;
    if (r->kept == NULL)
        return s->made_by->ops->open(s->made_by, made_state(k, state), block,
                                     e);
    for (uint32_t w = 0; w < k->warps_per_block; w++)
        r->warp[w] = (struct step_reader){
            r->kept->bytes + r->kept->start[w],
            r->kept->bytes + r->kept->start[w + 1], NO_STEP};
    return true;
}

static bool streams_next(const struct kernel *k, void *state, uint32_t warp,
                         struct step *out)
{
    struct reader *r = state;
    struct step_reader *from = &r->warp[warp];
    if (r->kept == NULL)
        return made_by(k)->ops->next(made_by(k), made_state(k, state), warp,
                                     out);
    if (from->at == from->end)
        return false;
    step_read(from, k, out);
    return true;
}

static bool streams_skim(const struct kernel *k, void *state, uint32_t warp,
                         struct step *out)
{
    const struct reader *r = state;
    return r->kept == NULL
               ? kernel_skim(made_by(k), made_state(k, state), warp, out)
               : streams_next(k, state, warp, out);
}

static uint64_t streams_steps(const struct kernel *k, const void *state,
                              uint32_t warp)
{
    struct streams *s = k->source;
    const struct reader *r = state;
    const uint64_t *steps =
        r->kept != NULL ? r->kept->steps : block_steps_of(s->steps, r->block);
    if (steps != NULL)
        return steps[warp];
#pragma omp atomic write
    s->uncounted = true;
    return 0;
}

static bool streams_is_bytes(const struct kernel *k, const void *state)
{
    const struct reader *r = state;
    const struct kernel_source_ops *by = made_by(k)->ops;
    return r->kept != NULL ||
           (by->is_bytes != NULL &&
            by->is_bytes(made_by(k), (const char *)state + reader_bytes(k)));
}

static void streams_close(const struct kernel *k, void *state)
{
    const struct reader *r = state;
    if (r->kept == NULL)
        made_by(k)->ops->close(made_by(k), made_state(k, state));
}

static bool streams_check(const struct kernel *k, struct error *e)
{
    struct streams *s = k->source;
    int uncounted;
    if (!kernel_streams_check(made_by(k), e))
        return false;
#pragma omp atomic read
    uncounted = s->uncounted;
    return !uncounted || error_no_memory(e);
}

static const struct kernel_source_ops streams_ops = {
    .state_size = streams_state_size,
    .open = streams_open,
    .next = streams_next,
    .skim = streams_skim,
    .steps = streams_steps,
    .is_bytes = streams_is_bytes,
    .close = streams_close,
    .check = streams_check,
};

struct streams *streams_create(const struct kernel *kernel)
{
    struct streams *s = calloc(1, sizeof(*s));
    if (s == NULL)
        return NULL;
    s->steps = block_steps_create(kernel);
    if (s->steps == NULL) {
        free(s);
        return NULL;
    }
    s->made_by = kernel;
    s->kernel = *kernel;
    s->kernel.ops = &streams_ops;
    s->kernel.source = s;
    omp_init_lock(&s->lock);
    return s;
}

const struct kernel *streams_kernel(const struct streams *s)
{
    return &s->kernel;
}

void streams_free(struct streams *s)
{
    struct kept *next;
    if (s == NULL)
        return;
    for (struct kept *k = s->first; k != NULL; k = next) {
        next = k->next;
        tdelete(k, &s->tree, by_block);
        kept_free(k);
    }
    block_steps_free(s->steps);
    omp_destroy_lock(&s->lock);
    free(s);
}
