/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Global memory: buffers at virtual addresses, filled by a rule and allocated
 * page by page when first touched. Pages have versions: what one launch leaves
 * does not change what the ones before it find. */
#ifndef KERNELS_PTX_EXECUTE_MEMORY_H
#define KERNELS_PTX_EXECUTE_MEMORY_H

#include "base/error.h"
#include "kernels/ptx/execute/texture.h"

#include <stdint.h>

#define PTX_GLOBAL_BASE (UINT64_C(1) << 32)
#define PTX_PAGE_BITS   12
#define PTX_PAGE        (UINT64_C(1) << PTX_PAGE_BITS)

enum ptx_fill { FILL_ZERO, FILL_IOTA, FILL_RANDOM, FILL_BYTES };

struct ptx_page {
    uint32_t version;       /* of the memory it came with, 0: by the rule */
    struct ptx_page *older; /* what it was before; NULL in version 0 */
    uint8_t bytes[PTX_PAGE];
};

#define PTX_USE_READ    1u
#define PTX_USE_WRITTEN 2u

struct ptx_buffer {
    char *name; /* NULL: it has none */
    uint64_t address, bytes;
    uint64_t pad; /* bytes behind these that may be used too; zeros at first */
    uint8_t type; /* enum ptx_type of an element */
    struct ptx_texture texture;
    enum ptx_fill fill;
    double first, step;    /* iota: element i is first + i * step */
    double low, high;      /* random: between them, whole numbers included */
    bool full_range;       /* random: every bit of a whole number */
    uint64_t seed;         /* random: of this buffer */
    const uint8_t *source; /* bytes: what it holds at first */
    uint64_t source_bytes;
    uint8_t *owned; /* source, when it is to be freed */
    uint8_t *live;  /* its bytes, the caller's, at this very address; it has no
                     * pages and no other versions. NULL: it has pages */
    /* A live texture: its texels are in another buffer, from there on, row by
     * row so many bytes apart. 0: in this one. */
    uint64_t texels, pitch;
    uint8_t *written; /* live: a bit for each byte that was; NULL: all were */
    uint8_t use;      /* live: PTX_USE_.. since it was cleared */
    bool both; /* live: blocks of one launch read it and write it, so that
                * those that run apart note what they read of it */
    /* The newest version; NULL: not touched yet. */
    _Atomic(struct ptx_page *) *page;
    size_t pages;
};

struct ptx_memory {
    struct ptx_buffer *buffer; /* by address */
    size_t buffers;
    uint64_t end;         /* of the last buffer's pages */
    uint64_t later_pages; /* of other versions than 0 */
};

void ptx_memory_open(struct ptx_memory *m);
void ptx_memory_free(struct ptx_memory *m);

/* Add a buffer behind the others: every field but page and pages as given,
 * name and owned are taken over. Its address is the next free one when it is
 * given as 0. NULL with e set, and nothing taken over: no memory, too large, or
 * an address that is not behind the others. */
struct ptx_buffer *ptx_memory_add(struct ptx_memory *m,
                                  const struct ptx_buffer *b, struct error *e);

/* Add `bytes` bytes of the caller's own memory, which keep their address; they
 * must not overlap any other buffer. Such a memory is for views that are not
 * private. NULL with e set: no memory. */
struct ptx_buffer *ptx_memory_add_live(struct ptx_memory *m, void *at,
                                       uint64_t bytes, struct error *e);
/* The one that an address lies in, or NULL. */
struct ptx_buffer *ptx_memory_live(struct ptx_memory *m, uint64_t address);
/* Begin to keep which bytes of a live buffer are written, none yet. False: no
 * memory. */
bool ptx_buffer_watch_written(struct ptx_buffer *b);
void ptx_buffer_set_written(struct ptx_buffer *b, uint64_t at, uint64_t bytes);
bool ptx_buffer_is_written(const struct ptx_buffer *b, uint64_t at,
                           uint64_t bytes);
/* Take a buffer of the caller's own out again. False: there is none there. */
bool ptx_memory_remove_live(struct ptx_memory *m, const void *at);
/* Nothing has been read or written from here on. */
void ptx_memory_clear_use(struct ptx_memory *m);

/* Addresses that a buffer takes: more than its bytes where it is an array in
 * tiles. */
uint64_t ptx_buffer_span(const struct ptx_buffer *b);

/* How one reader and writer sees the memory: in one version, which it writes
 * itself, or (is_private) with what it writes in pages of its own, so that any
 * number of them can run at the same time and each sees its own writes alone.
 * One that is not private may run beside private ones of older versions. */
struct ptx_view {
    struct ptx_memory *memory;
    bool is_private;
    bool by_block; /* a version for each block that is run, not the launch */
    uint32_t version;
    struct ptx_private_page {
        uint64_t start; /* address; 0: an empty slot */
        uint8_t *bytes;
    } * slot;
    size_t slots, used;
    const char *failure;     /* why there was no page; NULL: none failed */
    uint8_t no_use;          /* use of buffers of which nobody asks */
    struct ptx_apart *apart; /* writes to live buffers go here (apart.h); NULL:
                              * to the buffers */
    const struct ptx_tickets *tickets; /* what its atomics return (tickets.h);
                                        * NULL: what the memory holds */
    struct ptx_drawing *drawing;       /* ... or are to; NULL: likewise */
};

/* A stretch of memory that is in one piece: `limit` bytes from address `start`
 * on are at `bytes`. */
struct ptx_stretch {
    uint8_t *bytes; /* NULL: none */
    uint64_t start, limit;
    bool writable;
    uint8_t *use;            /* who reads or writes notes PTX_USE_.. here */
    struct ptx_chunk *chunk; /* ... and which bytes here; NULL: need not */
    bool moved;              /* stretches found before hold no more */
};

/* The stretch that holds `address`; it may be written when asked for with
 * `write`. False when the address is outside every buffer, or v->failure says
 * why. */
bool ptx_view_find(struct ptx_view *v, uint64_t address, bool write,
                   struct ptx_stretch *out);
/* Note what is done to a live buffer other than by way of its stretches. */
void ptx_view_note(struct ptx_view *v, const struct ptx_buffer *b, uint8_t use);
/* Forget what was written to private pages. */
void ptx_view_reset(struct ptx_view *v);

/* Copy `bytes` at `offset` of a buffer out, filled as it is in the newest
 * version. */
bool ptx_memory_read(struct ptx_memory *m, size_t buffer, uint64_t offset,
                     void *out, uint64_t bytes);

/* The buffer that holds the byte at an address, its padding included, or NULL.
 */
const struct ptx_buffer *ptx_memory_at(const struct ptx_memory *m,
                                       uint64_t address);

/* The buffer of that name, or NULL. */
const struct ptx_buffer *ptx_memory_named(const struct ptx_memory *m,
                                          const char *name);

#endif
