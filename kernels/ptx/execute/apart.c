/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/apart.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

#define NOT_APART "found that the block uses what it only adds to otherwise"

static void forget_chunks(struct ptx_apart *a)
{
    if (a->chunks > 0)
        memset(a->slot, 0, a->slots * sizeof(*a->slot));
    a->chunks = 0;
}

bool ptx_apart_reset(struct ptx_apart *a, const struct ptx_memory *m)
{
    forget_chunks(a);
    a->deferreds = 0;
    if (a->buffers != m->buffers) {
        free(a->use);
        a->use = malloc(m->buffers + 1);
        a->buffers = a->use != NULL ? m->buffers : 0;
    }
    if (a->use == NULL)
        return false;
    memset(a->use, 0, a->buffers);
    return true;
}

void ptx_apart_free(struct ptx_apart *a)
{
    for (size_t i = 0; i < a->room; i++)
        free(a->chunk[i]);
    free(a->chunk);
    free(a->slot);
    free(a->use);
    free(a->deferred);
    *a = (struct ptx_apart){0};
}

/* ---- chunks -------------------------------------------------------------- */

static uint32_t *slot_of(const struct ptx_apart *a, uint64_t start)
{
    size_t i =
        (size_t)((start >> PTX_CHUNK_BITS) * UINT64_C(0x9E3779B97F4A7C15) >>
                 32);
    while (a->slot[i & (a->slots - 1)] != 0 &&
           a->chunk[a->slot[i & (a->slots - 1)] - 1]->start != start)
        i++;
    return &a->slot[i & (a->slots - 1)];
}

static bool grow_slots(struct ptx_apart *a)
{
    size_t slots = a->slots != 0 ? 2 * a->slots : 64;
    uint32_t *slot = calloc(slots, sizeof(*slot));
    if (slot == NULL)
        return false;
    free(a->slot);
    a->slot = slot;
    a->slots = slots;
    for (size_t i = 0; i < a->chunks; i++)
        *slot_of(a, a->chunk[i]->start) = (uint32_t)i + 1;
    return true;
}

/* Room for another chunk, as those of earlier runs are kept. */
static bool reach_chunk(struct ptx_apart *a)
{
    if (a->chunks < a->room)
        return true;
    struct ptx_chunk **grown =
        realloc(a->chunk, (a->room + 1) * sizeof(struct ptx_chunk *));
    if (grown == NULL)
        return false;
    a->chunk = grown;
    a->chunk[a->room] = malloc(sizeof(struct ptx_chunk));
    if (a->chunk[a->room] == NULL)
        return false;
    a->room++;
    return true;
}

static const struct ptx_chunk *chunk_at(const struct ptx_apart *a,
                                        uint64_t start)
{
    uint32_t number = a->slots != 0 ? *slot_of(a, start) : 0;
    return number != 0 ? a->chunk[number - 1] : NULL;
}

/* The chunk that begins there, which is made where there is none yet. */
static struct ptx_chunk *chunk_of(struct ptx_apart *a, uint64_t start,
                                  uint8_t *live)
{
    if (2 * (a->chunks + 1) >= a->slots && !grow_slots(a))
        return NULL;
    uint32_t *slot = slot_of(a, start);
    if (*slot != 0)
        return a->chunk[*slot - 1];
    if (!reach_chunk(a))
        return NULL;
    struct ptx_chunk *c = a->chunk[a->chunks++];
    *slot = (uint32_t)a->chunks;
    c->start = start;
    c->live = live;
    c->is_copied = false;
    memset(c->read, 0, sizeof(c->read));
    memset(c->written, 0, sizeof(c->written));
    return c;
}

/* ---- what a block sees --------------------------------------------------- */

static bool find_in_chunk(struct ptx_view *v, struct ptx_buffer *b,
                          uint64_t address, bool write, struct ptx_stretch *out)
{
    uint64_t start = address & ~(PTX_CHUNK - 1), at = start - b->address;
    uint64_t limit = b->bytes - at < PTX_CHUNK ? b->bytes - at : PTX_CHUNK;
    struct ptx_chunk *c = chunk_of(v->apart, start, b->live + at);
    if (c == NULL) {
        v->failure = "out of memory";
        return false;
    }
    if (write && !c->is_copied) {
        memcpy(c->bytes, c->live, limit);
        c->is_copied = out->moved = true;
    }
    out->bytes = c->is_copied ? c->bytes : c->live;
    out->start = start;
    out->limit = limit;
    out->writable = c->is_copied;
    out->chunk = c;
    return true;
}

bool ptx_apart_find(struct ptx_view *v, struct ptx_buffer *b, uint64_t address,
                    bool write, struct ptx_stretch *out)
{
    uint8_t *use = &v->apart->use[b - v->memory->buffer];
    *out = (struct ptx_stretch){.use = use};
    if ((*use & PTX_USE_DEFERRED) != 0) {
        v->failure = NOT_APART;
        return false;
    }
    if (!write && !b->both && (*use & PTX_USE_WRITTEN) == 0) {
        *use |= PTX_USE_READ | PTX_USE_UNNOTED;
        out->bytes = b->live;
        out->start = b->address;
        out->limit = b->bytes;
        return true;
    }
    out->moved = write && (*use & PTX_USE_WRITTEN) == 0;
    *use |= write ? PTX_USE_WRITTEN : PTX_USE_READ;
    return find_in_chunk(v, b, address, write, out);
}

bool ptx_apart_defer(const struct ptx_view *v, const struct ptx_buffer *b,
                     uint64_t address, const struct ptx_deferred *d)
{
    struct ptx_apart *a = v->apart;
    if (b->live == NULL || b->bytes - (address - b->address) < d->bytes ||
        address % d->bytes != 0 || !array_room(&a->deferred, a->deferreds, 1))
        return false;
    uint8_t *use = &a->use[b - v->memory->buffer];
    if ((*use & (PTX_USE_READ | PTX_USE_WRITTEN)) != 0)
        return false;
    *use |= PTX_USE_DEFERRED;
    a->deferred[a->deferreds] = *d;
    a->deferred[a->deferreds++].live = b->live + (address - b->address);
    return true;
}

/* ---- in turn ------------------------------------------------------------- */

static bool chunk_conflicts(const struct ptx_chunk *c,
                            const struct ptx_chunk *w)
{
    uint64_t both = 0;
    for (size_t i = 0; w != NULL && i < PTX_CHUNK_WORDS; i++)
        both |= c->read[i] & w->written[i];
    return both != 0;
}

bool ptx_apart_conflicts(const struct ptx_apart *a,
                         const struct ptx_apart *written)
{
    for (size_t i = 0; i < a->buffers; i++)
        if ((a->use[i] & PTX_USE_UNNOTED) != 0 &&
            (written->use[i] & PTX_USE_WRITTEN) != 0)
            return true;
    for (size_t i = 0; i < a->chunks; i++)
        if (chunk_conflicts(a->chunk[i], chunk_at(written, a->chunk[i]->start)))
            return true;
    return false;
}

static void put_word(const struct ptx_chunk *c, size_t word)
{
    uint64_t bits = c->written[word];
    size_t from = 64 * word;
    if (bits == UINT64_MAX) {
        memcpy(c->live + from, c->bytes + from, 64);
        return;
    }
    for (; bits != 0; bits &= bits - 1) {
        size_t at = from + (size_t)__builtin_ctzll(bits);
        c->live[at] = c->bytes[at];
    }
}

static bool put_chunk(const struct ptx_chunk *c, struct ptx_apart *written)
{
    if (!c->is_copied)
        return true;
    struct ptx_chunk *w = chunk_of(written, c->start, c->live);
    for (size_t i = 0; w != NULL && i < PTX_CHUNK_WORDS; i++) {
        put_word(c, i);
        w->written[i] |= c->written[i];
    }
    return w != NULL;
}

static bool put_deferred(const struct ptx_deferred *d,
                         struct ptx_apart *written, uint64_t address)
{
    uint64_t start = address & ~(PTX_CHUNK - 1);
    struct ptx_chunk *w = chunk_of(written, start, d->live);
    if (w == NULL)
        return false;
    d->update(d->live, d->op, d->x, d->y);
    ptx_chunk_write(w, address, d->bytes);
    return true;
}

bool ptx_apart_commit(const struct ptx_apart *a, struct ptx_memory *m,
                      struct ptx_apart *written)
{
    bool ok = true;
    for (size_t i = 0; i < a->chunks && ok; i++)
        ok = put_chunk(a->chunk[i], written);
    for (size_t i = 0; i < a->deferreds && ok; i++)
        ok = put_deferred(&a->deferred[i], written,
                          (uint64_t)(uintptr_t)a->deferred[i].live);
    for (size_t i = 0; i < a->buffers; i++) {
        uint8_t use = a->use[i];
        if ((use & PTX_USE_DEFERRED) != 0)
            use |= PTX_USE_READ | PTX_USE_WRITTEN;
        written->use[i] |= use;
        m->buffer[i].use |= use & (PTX_USE_READ | PTX_USE_WRITTEN);
    }
    return ok;
}
