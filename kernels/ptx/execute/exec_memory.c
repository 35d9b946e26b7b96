/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads, stores and addresses (PTX ISA 9.0, sections 5.1 and 9.7.9). */
#include "kernels/ptx/execute/exec.h"

#include <string.h>

/* ---- addresses ---------------------------------------------------------- */

void ptx_addresses(struct ptx_block *b, const struct ptx_warp *w, int32_t base,
                   int64_t offset, uint64_t *out)
{
    const uint64_t *from = base != PTX_SLOT_NONE ? ptx_slot(b, w, base) : NULL;
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = (from != NULL ? from[i] : 0) + (uint64_t)offset;
}

/* The space a generic address is in; it becomes the address inside. */
static enum ptx_space resolve(uint64_t *address)
{
    static const struct {
        uint64_t window;
        enum ptx_space space;
    } windows[] = {{PTX_SHARED_WINDOW, PTX_SHARED},
                   {PTX_LOCAL_WINDOW, PTX_LOCAL},
                   {PTX_PARAM_WINDOW, PTX_PARAM}};
    for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
        if (*address - windows[i].window < PTX_WINDOW) {
            *address -= windows[i].window;
            return windows[i].space;
        }
    }
    return PTX_GLOBAL;
}

static const char *const space_name[] = {
    [PTX_GENERIC] = "memory",
    [PTX_GLOBAL] = "every buffer",
    [PTX_SHARED] = "the block's shared memory",
    [PTX_LOCAL] = "the thread's local memory",
    [PTX_PARAM] = "the parameters",
};

static uint8_t *outside(struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, enum ptx_space space, int lane,
                        uint64_t address, uint64_t bytes)
{
    if (b->view.failure != NULL)
        error_set(b->e, STATUS_FAILED, "%s", b->view.failure);
    else
        ptx_fault(b, w, op,
                  "lane %d: found %llu bytes at address 0x%llx, outside %s",
                  lane, (unsigned long long)bytes, (unsigned long long)address,
                  space_name[space]);
    b->failed = true;
    return NULL;
}

static uint8_t *global_bytes(struct ptx_block *b, uint64_t address,
                             uint64_t bytes, bool write)
{
    uint64_t at = address - b->page_start;
    if (b->page == NULL || at >= b->page_limit ||
        (write && !b->page_writable)) {
        b->page = ptx_view_page(&b->view, address, write, &b->page_start,
                                &b->page_limit, &b->page_writable);
        if (b->page == NULL)
            return NULL;
        at = address - b->page_start;
    }
    return bytes <= b->page_limit - at ? b->page + at : NULL;
}

static uint8_t *within(uint8_t *memory, uint64_t size, uint64_t address,
                       uint64_t bytes)
{
    return address < size && bytes <= size - address ? memory + address : NULL;
}

uint8_t *ptx_bytes_at(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, enum ptx_space space, int lane,
                      uint64_t address, uint64_t bytes, bool write)
{
    uint8_t *at;
    uint64_t inside = address;
    if (address % bytes != 0) {
        ptx_fault(b, w, op,
                  "lane %d: found address 0x%llx, expected a multiple of %llu",
                  lane, (unsigned long long)address, (unsigned long long)bytes);
        return NULL;
    }
    if (space == PTX_GENERIC)
        space = resolve(&inside);
    switch (space) {
    case PTX_SHARED:
        at = within(b->shared, b->launch->shared_bytes, inside, bytes);
        break;
    case PTX_LOCAL:
        at = within(w->local + (uint64_t)lane * w->local_bytes, w->local_bytes,
                    inside, bytes);
        break;
    case PTX_PARAM:
        at = within(b->launch->param, b->launch->param_bytes, inside, bytes);
        break;
    default:
        at = global_bytes(b, inside, bytes, write);
        break;
    }
    return at != NULL ? at : outside(b, w, op, space, lane, address, bytes);
}

/* ---- values ------------------------------------------------------------- */

/* What a load of the type leaves in a register of `width` bytes. */
static uint64_t loaded(const uint8_t *at, enum ptx_type type, unsigned width)
{
    uint64_t value = 0;
    unsigned bits = 8u * ptx_types[type].bytes;
    memcpy(&value, at, bits / 8);
    if (!ptx_types[type].is_signed || bits == 64)
        return value;
    value = (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
    return width < 8 ? value & ((UINT64_C(1) << 8 * width) - 1) : value;
}

static bool load(struct ptx_block *b, struct ptx_warp *w,
                 const struct ptx_op *op, uint32_t mask)
{
    uint64_t value[PTX_PARTS_MAX][WARP_LANES];
    enum ptx_type type = (enum ptx_type)op->inst->type[0];
    uint64_t bytes = (uint64_t)op->bytes * op->results;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0)
            continue;
        const uint8_t *at =
            ptx_bytes_at(b, w, op, (enum ptx_space)op->space, lane,
                         b->event.address[lane], bytes, false);
        if (at == NULL)
            return false;
        for (int k = 0; k < op->results; k++)
            value[k][lane] =
                loaded(at + (unsigned)k * op->bytes, type, op->result_bytes);
    }
    for (int k = 0; k < op->results; k++)
        ptx_write(b, w, op->result[k], mask, value[k]);
    return true;
}

static bool store(struct ptx_block *b, struct ptx_warp *w,
                  const struct ptx_op *op, uint32_t mask)
{
    uint64_t bytes = (uint64_t)op->bytes * op->sources;
    const uint64_t *s[PTX_PARTS_MAX];
    for (int k = 0; k < op->sources; k++)
        s[k] = ptx_slot(b, w, op->source[k]);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0)
            continue;
        uint8_t *at = ptx_bytes_at(b, w, op, (enum ptx_space)op->space, lane,
                                   b->event.address[lane], bytes, true);
        if (at == NULL)
            return false;
        for (int k = 0; k < op->sources; k++)
            memcpy(at + (unsigned)k * op->bytes, &s[k][lane], op->bytes);
    }
    return true;
}

/* cp.async: done at once. Without a size of the source all of it is copied,
 * else the rest is zeros. */
static bool copy(struct ptx_block *b, struct ptx_warp *w,
                 const struct ptx_op *op, uint32_t mask)
{
    uint64_t to[WARP_LANES];
    const uint64_t *size = ptx_slot(b, w, op->source[0]);
    const uint64_t *used = ptx_slot(b, w, op->source[op->sources > 1 ? 1 : 0]);
    memcpy(to, b->event.address, sizeof(to));
    ptx_addresses(b, w, op->second_base, op->second_offset, b->event.address);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0)
            continue;
        if (size[lane] != 4 && size[lane] != 8 && size[lane] != 16)
            return ptx_fault(b, w, op, "found a size that is not 4, 8 or 16");
        uint8_t *d = ptx_bytes_at(b, w, op, PTX_SHARED, lane, to[lane],
                                  size[lane], true);
        if (d == NULL)
            return false;
        uint64_t n = (uint32_t)used[lane] < size[lane] ? (uint32_t)used[lane]
                                                       : size[lane];
        memset(d, 0, size[lane]);
        if (n == 0)
            continue;
        const uint8_t *from =
            ptx_bytes_at(b, w, op, PTX_GLOBAL, lane, b->event.address[lane],
                         size[lane], false);
        if (from == NULL)
            return false;
        memcpy(d, from, n);
    }
    return true;
}

/* ---- cvta, isspacep ----------------------------------------------------- */

static uint64_t window_of(enum ptx_space space)
{
    switch (space) {
    case PTX_SHARED:
        return PTX_SHARED_WINDOW;
    case PTX_LOCAL:
        return PTX_LOCAL_WINDOW;
    case PTX_PARAM:
        return PTX_PARAM_WINDOW;
    default:
        return 0;
    }
}

static void convert_address(struct ptx_block *b, struct ptx_warp *w,
                            const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    const uint64_t *more = /* a local variable: base + offset */
        op->sources == 2 ? ptx_slot(b, w, op->source[1]) : NULL;
    bool to_space = op->inst->word[GROUP_TO] != WORD_NONE;
    uint64_t window = window_of((enum ptx_space)op->space);
    uint64_t value[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++)
        value[i] = (to_space ? from[i] - window : from[i] + window) +
                   (more != NULL ? more[i] : 0);
    ptx_write(b, w, op->result[0], mask, value);
}

static void test_space(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    uint64_t value[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t address = from[i];
        value[i] = resolve(&address) == (enum ptx_space)op->space;
    }
    ptx_write(b, w, op->result[0], mask, value);
}

bool ptx_execute_memory(struct ptx_block *b, struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t mask)
{
    switch ((enum ptx_action)op->action) {
    case ACTION_CONVERT_ADDRESS:
        convert_address(b, w, op, mask);
        return true;
    case ACTION_SPACE_TEST:
        test_space(b, w, op, mask);
        return true;
    default:
        break;
    }
    ptx_addresses(b, w, op->base, op->offset, b->event.address);
    if (op->action == ACTION_LOAD)
        return load(b, w, op, mask);
    if (op->action == ACTION_STORE)
        return store(b, w, op, mask);
    return copy(b, w, op, mask);
}
