/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/memory.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/apart.h"
#include "kernels/ptx/forms/half.h"

#include <math.h>
#include <stdatomic.h>

#define TOTAL_MAX   (UINT64_C(1) << 40) /* bytes of all buffers */
#define ADDRESS_MAX (UINT64_C(1) << 46) /* where windows begin */
#define LATER_MAX   (UINT64_C(2) << 30) /* bytes in versions but the first */

void ptx_memory_open(struct ptx_memory *m)
{
    *m = (struct ptx_memory){.end = PTX_GLOBAL_BASE};
}

static void free_page(struct ptx_page *page)
{
    while (page != NULL) {
        struct ptx_page *older = page->older;
        free(page);
        page = older;
    }
}

void ptx_memory_free(struct ptx_memory *m)
{
    for (size_t i = 0; i < m->buffers; i++) {
        struct ptx_buffer *b = &m->buffer[i];
        for (size_t k = 0; k < b->pages; k++)
            free_page(atomic_load(&b->page[k]));
        free(b->page);
        free(b->name);
        free(b->owned);
        free(b->written);
    }
    free(m->buffer);
    *m = (struct ptx_memory){0};
}

void ptx_memory_clear_use(struct ptx_memory *m)
{
    for (size_t i = 0; i < m->buffers; i++)
        m->buffer[i].use = 0;
}

uint64_t ptx_buffer_span(const struct ptx_buffer *b)
{
    uint64_t texel = (uint64_t)ptx_types[b->type].bytes * b->texture.channels;
    uint64_t span = ptx_texture_span(&b->texture, b->texture.side[0] * texel);
    return span > b->bytes ? span : b->bytes + b->pad;
}

static uint64_t pages_of(uint64_t bytes)
{
    return (bytes + PTX_PAGE - 1) >> PTX_PAGE_BITS;
}

/* Each buffer starts a page, with an empty page behind it, so that running off
 * the end of one is seen. */
struct ptx_buffer *ptx_memory_add(struct ptx_memory *m,
                                  const struct ptx_buffer *b, struct error *e)
{
    uint64_t room = b->bytes + b->pad;
    uint64_t address = b->address != 0 ? b->address : m->end;
    size_t pages = (size_t)pages_of(room);
    uint64_t least = m->buffers > 0 ? m->end - PTX_PAGE : m->end; /* no gap */
    if (address < least || address % PTX_PAGE != 0) {
        error_set(e, STATUS_BAD_INPUT,
                  "found address 0x%llx, expected a multiple of %llu from "
                  "0x%llx on",
                  (unsigned long long)address, (unsigned long long)PTX_PAGE,
                  (unsigned long long)least);
        return NULL;
    }
    uint64_t first = b->address != 0 ? b->address : PTX_GLOBAL_BASE;
    if (b->bytes > TOTAL_MAX || b->pad > TOTAL_MAX ||
        address - first > TOTAL_MAX - room || address > ADDRESS_MAX) {
        error_set(e, STATUS_BAD_INPUT, "found more than 1 TiB of buffers");
        return NULL;
    }
    _Atomic(struct ptx_page *) *page = calloc(pages + 1, sizeof(*page));
    if (page == NULL || !array_room(&m->buffer, m->buffers, 1)) {
        free(page);
        error_no_memory(e);
        return NULL;
    }
    struct ptx_buffer *added = &m->buffer[m->buffers++];
    *added = *b;
    added->address = address;
    added->page = page;
    added->pages = pages;
    m->end =
        address + ((pages_of(ptx_buffer_span(added)) + 1) << PTX_PAGE_BITS);
    return added;
}

struct ptx_buffer *ptx_memory_add_live(struct ptx_memory *m, void *at,
                                       uint64_t bytes, struct error *e)
{
    uint64_t address = (uint64_t)(uintptr_t)at;
    size_t i = m->buffers;
    if (!array_room(&m->buffer, m->buffers, 1)) {
        error_no_memory(e);
        return NULL;
    }
    for (; i > 0 && m->buffer[i - 1].address > address; i--)
        m->buffer[i] = m->buffer[i - 1];
    m->buffer[i] = (struct ptx_buffer){
        .address = address, .bytes = bytes, .type = PTX_B8, .live = at};
    m->buffers++;
    return &m->buffer[i];
}

bool ptx_memory_remove_live(struct ptx_memory *m, const void *at)
{
    size_t i = 0;
    while (i < m->buffers && m->buffer[i].live != at)
        i++;
    if (i == m->buffers)
        return false;
    free(m->buffer[i].written);
    m->buffers--;
    memmove(&m->buffer[i], &m->buffer[i + 1],
            (m->buffers - i) * sizeof(*m->buffer));
    return true;
}

bool ptx_buffer_watch_written(struct ptx_buffer *b)
{
    b->written = calloc(b->bytes / 8 + 1, 1);
    return b->written != NULL;
}

void ptx_buffer_set_written(struct ptx_buffer *b, uint64_t at, uint64_t bytes)
{
    uint64_t end = at + bytes;
    while (at < end && (at % 8 != 0 || end - at < 8)) {
        b->written[at / 8] |= (uint8_t)(1u << at % 8);
        at++;
    }
    uint64_t whole = (end - at) / 8;
    memset(b->written + at / 8, 0xFF, whole);
    for (at += 8 * whole; at < end; at++)
        b->written[at / 8] |= (uint8_t)(1u << at % 8);
}

bool ptx_buffer_is_written(const struct ptx_buffer *b, uint64_t at,
                           uint64_t bytes)
{
    for (uint64_t i = at; i < at + bytes; i++)
        if ((b->written[i / 8] >> i % 8 & 1) == 0)
            return false;
    return true;
}

/* ---- fill rules --------------------------------------------------------- */

static void store_value(uint8_t *at, enum ptx_type type, double value)
{
    uint64_t bits;
    switch (type) {
    case PTX_F16:
        bits = half_from_double(value, MOD_RN);
        break;
    case PTX_BF16:
        bits = bfloat_from_double(value, MOD_RN);
        break;
    case PTX_F32:
        bits = float_bits((float)value);
        break;
    case PTX_F64:
        bits = double_bits(value);
        break;
    default:
        bits = value < 0 ? 0 - (uint64_t)-value : (uint64_t)value;
        break;
    }
    memcpy(at, &bits, ptx_types[type].bytes);
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): element i of a stream. */
static uint64_t mixed(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void store_random(const struct ptx_buffer *b, uint8_t *at, uint64_t i)
{
    uint64_t bits = mixed(b->seed, i);
    double unit = ldexp((double)(bits >> 11), -53); /* 0 <= unit < 1 */
    if (b->full_range)
        memcpy(at, &bits, ptx_types[b->type].bytes);
    else if (ptx_types[b->type].is_float)
        store_value(at, (enum ptx_type)b->type,
                    b->low + unit * (b->high - b->low));
    else
        store_value(at, (enum ptx_type)b->type,
                    b->low + floor(unit * (b->high - b->low + 1)));
}

static void fill_page(const struct ptx_buffer *b, uint8_t *page, uint64_t start)
{
    uint64_t size = ptx_types[b->type].bytes;
    uint64_t end = b->bytes - start < PTX_PAGE ? b->bytes : start + PTX_PAGE;
    if (b->fill == FILL_BYTES && start < b->source_bytes)
        memcpy(page, b->source + start,
               b->source_bytes - start < PTX_PAGE ? b->source_bytes - start
                                                  : PTX_PAGE);
    if ((b->fill != FILL_IOTA && b->fill != FILL_RANDOM) || start >= b->bytes)
        return;
    for (uint64_t at = start; at < end; at += size) {
        uint64_t i = at / size;
        if (b->fill == FILL_IOTA)
            store_value(page + (at - start), (enum ptx_type)b->type,
                        b->first + (double)i * b->step);
        else
            store_random(b, page + (at - start), i);
    }
}

/* ---- access ------------------------------------------------------------- */

static struct ptx_buffer *buffer_at(const struct ptx_memory *m,
                                    uint64_t address)
{
    size_t low = 0, high = m->buffers;
    while (low < high) {
        size_t middle = (low + high) / 2;
        struct ptx_buffer *b = &m->buffer[middle];
        if (address < b->address)
            high = middle;
        else if (address - b->address >= b->bytes + b->pad)
            low = middle + 1;
        else
            return b;
    }
    return NULL;
}

/* The newest page up to the version. Of several threads that fill one at the
 * same time one wins. */
static struct ptx_page *page_of(struct ptx_buffer *b, uint64_t number,
                                uint32_t version)
{
    struct ptx_page *page = atomic_load(&b->page[number]), *none = NULL;
    while (page != NULL && page->version > version)
        page = page->older;
    if (page != NULL)
        return page;
    page = calloc(1, sizeof(*page));
    if (page == NULL)
        return NULL;
    fill_page(b, page->bytes, number << PTX_PAGE_BITS);
    if (atomic_compare_exchange_strong(&b->page[number], &none, page))
        return page;
    free(page);
    while (none->version > version)
        none = none->older;
    return none;
}

/* A copy of the newest page as a later version. */
static struct ptx_page *add_version(struct ptx_view *v, struct ptx_buffer *b,
                                    uint64_t number, struct ptx_page *newest)
{
    if (v->memory->later_pages >= LATER_MAX / PTX_PAGE) {
        v->failure = "found more than 2 GiB that launches and blocks leave to "
                     "later ones";
        return NULL;
    }
    struct ptx_page *page = malloc(sizeof(*page));
    if (page == NULL)
        return NULL;
    memcpy(page->bytes, newest->bytes, PTX_PAGE);
    page->version = v->version;
    page->older = newest;
    v->memory->later_pages++;
    atomic_store(&b->page[number], page);
    return page;
}

/* The slot of a private page, or the empty one where it would go. */
static struct ptx_private_page *slot_of(const struct ptx_view *v,
                                        uint64_t start)
{
    size_t i =
        (size_t)((start >> PTX_PAGE_BITS) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    while (v->slot[i & (v->slots - 1)].start != 0 &&
           v->slot[i & (v->slots - 1)].start != start)
        i++;
    return &v->slot[i & (v->slots - 1)];
}

static bool grow_view(struct ptx_view *v)
{
    struct ptx_view old = *v;
    size_t slots = v->slots != 0 ? 2 * v->slots : 16;
    struct ptx_private_page *slot = calloc(slots, sizeof(*slot));
    if (slot == NULL)
        return false;
    v->slot = slot;
    v->slots = slots;
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].start != 0)
            *slot_of(v, old.slot[i].start) = old.slot[i];
    free(old.slot);
    return true;
}

static uint8_t *add_private(struct ptx_view *v, uint64_t start,
                            const uint8_t *from)
{
    if (2 * v->used >= v->slots && !grow_view(v))
        return NULL;
    uint8_t *bytes = malloc(PTX_PAGE);
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, from, PTX_PAGE);
    *slot_of(v, start) = (struct ptx_private_page){start, bytes};
    v->used++;
    return bytes;
}

/* Of a buffer that has pages. */
static bool find_page(struct ptx_view *v, struct ptx_buffer *b,
                      uint64_t address, bool write, struct ptx_stretch *out)
{
    uint64_t number = (address - b->address) >> PTX_PAGE_BITS;
    uint64_t rest = b->bytes + b->pad - (number << PTX_PAGE_BITS);
    *out = (struct ptx_stretch){
        .start = b->address + (number << PTX_PAGE_BITS),
        .limit = rest < PTX_PAGE ? rest : PTX_PAGE,
        .writable = true,
        .use = &v->no_use,
        .moved = write,
    };
    out->bytes = v->slots != 0 ? slot_of(v, out->start)->bytes : NULL;
    if (out->bytes != NULL) {
        out->moved = false;
        return true;
    }
    struct ptx_page *page = page_of(b, number, v->version);
    out->writable = write || (!v->is_private && page != NULL &&
                              page->version == v->version);
    if (page != NULL && write && !v->is_private && page->version < v->version)
        page = add_version(v, b, number, page);
    if (page != NULL)
        out->bytes = write && v->is_private
                         ? add_private(v, out->start, page->bytes)
                         : page->bytes;
    if (out->bytes == NULL && v->failure == NULL)
        v->failure = "out of memory";
    return out->bytes != NULL;
}

bool ptx_view_find(struct ptx_view *v, uint64_t address, bool write,
                   struct ptx_stretch *out)
{
    struct ptx_buffer *b = buffer_at(v->memory, address);
    out->bytes = NULL;
    if (b == NULL || v->failure != NULL)
        return false;
    if (b->live == NULL)
        return find_page(v, b, address, write, out);
    if (v->apart != NULL)
        return ptx_apart_find(v, b, address, write, out);
    *out = (struct ptx_stretch){.bytes = b->live,
                                .start = b->address,
                                .limit = b->bytes,
                                .writable = true,
                                .use = &b->use};
    return true;
}

void ptx_view_note(struct ptx_view *v, const struct ptx_buffer *b, uint8_t use)
{
    size_t number = (size_t)(b - v->memory->buffer);
    if (b->live != NULL)
        *(v->apart != NULL ? &v->apart->use[number]
                           : &v->memory->buffer[number].use) |= use;
}

void ptx_view_reset(struct ptx_view *v)
{
    for (size_t i = 0; i < v->slots; i++)
        free(v->slot[i].bytes);
    free(v->slot);
    v->slot = NULL;
    v->slots = v->used = 0;
}

bool ptx_memory_read(struct ptx_memory *m, size_t buffer, uint64_t offset,
                     void *out, uint64_t bytes)
{
    struct ptx_buffer *b = &m->buffer[buffer];
    uint8_t *to = out;
    while (bytes > 0) {
        uint64_t within = offset & (PTX_PAGE - 1);
        uint64_t n = PTX_PAGE - within < bytes ? PTX_PAGE - within : bytes;
        const struct ptx_page *page =
            page_of(b, offset >> PTX_PAGE_BITS, UINT32_MAX);
        if (page == NULL)
            return false;
        memcpy(to, page->bytes + within, n);
        to += n;
        offset += n;
        bytes -= n;
    }
    return true;
}

struct ptx_buffer *ptx_memory_live(struct ptx_memory *m, uint64_t address)
{
    struct ptx_buffer *b = buffer_at(m, address);
    return b != NULL && b->live != NULL ? b : NULL;
}

const struct ptx_buffer *ptx_memory_at(const struct ptx_memory *m,
                                       uint64_t address)
{
    return buffer_at(m, address);
}

const struct ptx_buffer *ptx_memory_named(const struct ptx_memory *m,
                                          const char *name)
{
    for (size_t i = 0; i < m->buffers; i++)
        if (m->buffer[i].name != NULL && strcmp(m->buffer[i].name, name) == 0)
            return &m->buffer[i];
    return NULL;
}
