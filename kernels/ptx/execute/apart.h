/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one block does to live buffers (memory.h), kept apart until the blocks
 * before it have ended: the bytes that it writes, which bytes it reads that it
 * has not written before, and the atomics whose result it does not use. Blocks
 * that run at the same time all find what the buffers hold then. If none of the
 * bytes that a block has read was written by one before it, it did what it
 * would have done in its turn, and what it wrote is put into the buffers. */
#ifndef KERNELS_PTX_EXECUTE_APART_H
#define KERNELS_PTX_EXECUTE_APART_H

#include "kernels/ptx/execute/memory.h"

#define PTX_CHUNK_BITS  10
#define PTX_CHUNK       (UINT64_C(1) << PTX_CHUNK_BITS)
#define PTX_CHUNK_WORDS (PTX_CHUNK / 64)

struct ptx_chunk {
    uint64_t start;                 /* address, a multiple of PTX_CHUNK */
    uint64_t read[PTX_CHUNK_WORDS]; /* a bit a byte: before it wrote it */
    uint64_t written[PTX_CHUNK_WORDS];
    uint8_t *live;
    bool is_copied; /* `bytes` is what the block sees, else `live` */
    uint8_t bytes[PTX_CHUNK];
};

struct ptx_op;

struct ptx_deferred { /* an atomic that is still to be done */
    void (*update)(uint8_t *at, const struct ptx_op *op, uint64_t x,
                   uint64_t y);
    const struct ptx_op *op;
    uint64_t x, y, bytes;
    uint8_t *live; /* set by ptx_apart_defer() */
};

/* Of a buffer, beside PTX_USE_..: a block reads it and does not note what; it
 * has atomics there that are deferred. */
#define PTX_USE_UNNOTED  4u
#define PTX_USE_DEFERRED 8u

struct ptx_apart {
    uint8_t *use; /* by buffer */
    size_t buffers;
    struct ptx_chunk **chunk; /* room for so many, the first are used */
    size_t chunks, room;
    uint32_t *slot; /* hash: number of a chunk + 1 */
    size_t slots;
    struct ptx_deferred *deferred;
    size_t deferreds;
    bool defers; /* atomics may be deferred */
};

/* All zeros is empty. Begin anew over a memory. False: no memory. */
bool ptx_apart_reset(struct ptx_apart *a, const struct ptx_memory *m);
void ptx_apart_free(struct ptx_apart *a);

/* ptx_view_find() of a live buffer, for a view with v->apart. */
bool ptx_apart_find(struct ptx_view *v, struct ptx_buffer *b, uint64_t address,
                    bool write, struct ptx_stretch *out);

/* `count` bits from bit `first` of a word on. */
static inline uint64_t ptx_chunk_bits(uint64_t first, uint64_t count)
{
    return (count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
}

/* Bytes of a chunk that the block reads or writes; none is behind its end. */
static inline void ptx_chunk_read(struct ptx_chunk *c, uint64_t address,
                                  uint64_t bytes)
{
    for (uint64_t at = address - c->start, n; bytes > 0; at += n, bytes -= n) {
        n = bytes < 64 - at % 64 ? bytes : 64 - at % 64;
        c->read[at / 64] |= ptx_chunk_bits(at % 64, n) & ~c->written[at / 64];
    }
}

static inline void ptx_chunk_write(struct ptx_chunk *c, uint64_t address,
                                   uint64_t bytes)
{
    for (uint64_t at = address - c->start, n; bytes > 0; at += n, bytes -= n) {
        n = bytes < 64 - at % 64 ? bytes : 64 - at % 64;
        c->written[at / 64] |= ptx_chunk_bits(at % 64, n);
    }
}

/* Put an atomic on a buffer off. False: it cannot be, as the block also reads
 * or writes the buffer otherwise, or there is no memory. */
bool ptx_apart_defer(const struct ptx_view *v, const struct ptx_buffer *b,
                     uint64_t address, const struct ptx_deferred *d);

/* Whether what `a` read was written, `written` holding that of blocks before
 * it. */
bool ptx_apart_conflicts(const struct ptx_apart *a,
                         const struct ptx_apart *written);

/* Put what the block wrote into the buffers and note its uses there; `written`
 * takes the bytes written in. False: no memory, for `written`. */
bool ptx_apart_commit(const struct ptx_apart *a, struct ptx_memory *m,
                      struct ptx_apart *written);

#endif
