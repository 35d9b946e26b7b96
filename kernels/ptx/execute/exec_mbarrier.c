/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/mbarrier.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

#include <string.h>

#define COUNT_BITS 20
#define COUNT_MAX  ((INT64_C(1) << COUNT_BITS) - 1)
#define BYTES_AT   (2 * COUNT_BITS)
#define IS_THERE   (UINT64_C(1) << 62)
#define PARITY_AT  63

/* ---- an object ---------------------------------------------------------- */

struct object {
    int64_t pending, expected, bytes;
    uint64_t parity;
};

static struct object unpack(uint64_t bits)
{
    return (struct object){
        .pending = (int64_t)bits & COUNT_MAX,
        .expected = (int64_t)(bits >> COUNT_BITS) & COUNT_MAX,
        .bytes = (int64_t)(bits >> BYTES_AT & 0x1FFFFF) - COUNT_MAX,
        .parity = bits >> PARITY_AT};
}

static uint64_t pack(const struct object *o)
{
    return (uint64_t)o->pending | (uint64_t)o->expected << COUNT_BITS |
           (uint64_t)(o->bytes + COUNT_MAX) << BYTES_AT | IS_THERE |
           o->parity << PARITY_AT;
}

static uint8_t *bytes_of(struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, int lane, uint64_t address)
{
    uint64_t inside = address;
    if (op->space != PTX_SHARED &&
        ptx_space_of_generic(&inside) != PTX_SHARED) {
        ptx_fault(b, w, op,
                  "lane %d: found address 0x%llx, expected one of shared "
                  "memory",
                  lane, (unsigned long long)address);
        return NULL;
    }
    const struct ptx_access a = {.space = PTX_SHARED,
                                 .lane = lane,
                                 .address = inside,
                                 .bytes = sizeof(uint64_t),
                                 .write = true};
    return ptx_bytes_at(b, w, op, &a);
}

/* The state of the object there. False: a fault, there is none. */
static bool read_object(struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, int lane, uint64_t address,
                        uint64_t *state)
{
    const uint8_t *at = bytes_of(b, w, op, lane, address);
    if (at == NULL)
        return false;
    memcpy(state, at, sizeof(*state));
    return (*state & IS_THERE) != 0 ||
           ptx_fault(b, w, op,
                     "lane %d: found no mbarrier object at address 0x%llx that "
                     "mbarrier.init made",
                     lane, (unsigned long long)address);
}

/* ---- what the streams tell ---------------------------------------------- */

/* What is noted of the object at an address, by the block whose it is; NULL: no
 * memory. */
static struct ptx_mbarrier *noted(struct ptx_block *b, uint64_t address)
{
    ptx_space_of_generic(&address);
    b = ptx_owner_of_shared(b, &address);
    for (size_t i = 0; i < b->mbarriers; i++)
        if (b->mbarrier[i].address == address)
            return &b->mbarrier[i];
    if (!array_room(&b->mbarrier, b->mbarriers, 1)) {
        ptx_no_memory(b);
        return NULL;
    }
    struct ptx_mbarrier *m = &b->mbarrier[b->mbarriers++];
    *m = (struct ptx_mbarrier){.address = (uint32_t)address};
    return m;
}

static bool is_own(struct ptx_block *b, uint64_t address)
{
    ptx_space_of_generic(&address);
    return ptx_owner_of_shared(b, &address) == b;
}

/* The step changes an object: a count for its phase is raised, unless it is
 * another block's. */
static bool note_change(struct ptx_block *b, uint64_t address)
{
    if (!is_own(b, address))
        return true;
    struct ptx_mbarrier *m = noted(b, address);
    if (m == NULL)
        return false;
    if (b->event.signal != 0)
        return true;
    if (m->signal == 0)
        m->signal = ++b->signals;
    m->events++;
    b->event.signal = m->signal;
    return true;
}

/* A phase ends: those that test try again. */
static bool note_end(struct ptx_block *b, uint64_t address)
{
    struct ptx_mbarrier *m = noted(b, address);
    if (m == NULL)
        return false;
    m->passed = m->signal;
    m->passed_count = m->events;
    m->signal = m->events = 0;
    ptx_block_wake(b);
    return true;
}

/* The warp has found a phase to be over. */
static bool note_wait(struct ptx_block *b, uint64_t address)
{
    const struct ptx_mbarrier *m = noted(b, address);
    if (m == NULL)
        return false;
    b->event.await = m->passed_count > 0 ? m->passed : 0;
    b->event.await_count = m->passed_count;
    return true;
}

/* ---- changes ------------------------------------------------------------ */

static bool check_change(struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, int lane,
                         const struct object *o,
                         const struct ptx_mbarrier_change *change)
{
    if (o->pending < 0)
        return ptx_fault(b, w, op,
                         "lane %d: found %lld arrivals, expected %lld at most",
                         lane, (long long)change->arrivals,
                         (long long)o->pending + (long long)change->arrivals);
    if (o->bytes < -COUNT_MAX || o->bytes > COUNT_MAX)
        return ptx_fault(b, w, op,
                         "lane %d: found %lld bytes to wait for, expected less "
                         "than 2^20",
                         lane, (long long)o->bytes);
    return !change->must_not_end || o->pending != 0 || o->bytes != 0 ||
           ptx_fault(b, w, op,
                     "lane %d: found the end of the phase, which .noComplete "
                     "rules out",
                     lane);
}

bool ptx_mbarrier_change(struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, int lane, uint64_t address,
                         const struct ptx_mbarrier_change *change,
                         uint64_t *before)
{
    if (!read_object(b, w, op, lane, address, before))
        return false;
    struct object o = unpack(*before);
    o.pending -= change->arrivals;
    o.bytes += change->bytes;
    if (change->drops)
        o.expected -= change->arrivals;
    if (!check_change(b, w, op, lane, &o, change) || !note_change(b, address))
        return false;
    if (o.pending == 0 && o.bytes == 0) {
        o.pending = o.expected;
        o.parity ^= 1;
        if (!note_end(b, address))
            return false;
    }
    const uint64_t after = pack(&o);
    memcpy(bytes_of(b, w, op, lane, address), &after, sizeof(after));
    return true;
}

static uint64_t source_of(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, int i, int lane)
{
    return ptx_slot(b, w, op->source[i])[lane];
}

/* Arrivals and bytes, by the modifiers and the operand behind the address. */
static bool change_lane(struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, int lane, uint64_t *before)
{
    const uint8_t *m = op->inst->modifier;
    struct ptx_mbarrier_change change = {
        .arrivals = m[GROUP_SYNC] != MOD_NONE,
        .drops = m[GROUP_SYNC] == MOD_ARRIVE_DROP,
        .must_not_end = m[GROUP_PHASE] == MOD_NO_COMPLETE};
    int64_t value =
        op->sources > 0 ? (uint32_t)source_of(b, w, op, 0, lane) : 1;
    if (m[GROUP_TX] == MOD_NONE)
        change.arrivals = value;
    else
        change.bytes = m[GROUP_TX] == MOD_EXPECT_TX ? value : -value;
    return ptx_mbarrier_change(b, w, op, lane, b->event.address[lane], &change,
                               before);
}

/* ---- the others --------------------------------------------------------- */

static bool init_lane(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, int lane)
{
    uint64_t state = 0, address = b->event.address[lane];
    uint8_t *at = bytes_of(b, w, op, lane, address);
    if (at == NULL)
        return false;
    if (op->inst->modifier[GROUP_OBJECT] == MOD_INIT) {
        uint32_t count = (uint32_t)source_of(b, w, op, 0, lane);
        if (count == 0 || count > COUNT_MAX)
            return ptx_fault(b, w, op,
                             "lane %d: found a count of %u, expected 1 to "
                             "2^20 - 1",
                             lane, count);
        state = pack(&(struct object){.pending = count, .expected = count});
    }
    memcpy(at, &state, sizeof(state));
    struct ptx_mbarrier *m = noted(b, address);
    if (m != NULL)
        *m = (struct ptx_mbarrier){.address = m->address};
    return m != NULL;
}

/* Whether the phase that a state or a parity stands for is over. */
static bool is_over(const struct ptx_op *op, uint64_t state, uint64_t asked)
{
    uint64_t parity = op->inst->modifier[GROUP_PHASE] == MOD_PARITY
                          ? asked & 1
                          : asked >> PARITY_AT;
    return state >> PARITY_AT != parity;
}

/* The lanes of the mask whose phase is over. False: a fault. */
static bool find_over(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask, uint32_t *over)
{
    *over = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t state;
        if (!ptx_lane_is_in(mask, lane))
            continue;
        if (!read_object(b, w, op, lane, b->event.address[lane], &state))
            return false;
        *over |= (uint32_t)is_over(op, state, source_of(b, w, op, 0, lane))
                 << lane;
    }
    return true;
}

/* A test that does not hold lets the other warps go on first, as of one that
 * suspends its thread; when none can it fails. */
static bool execute_wait(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    uint64_t value[WARP_LANES];
    uint32_t over;
    if (!find_over(b, w, op, mask, &over))
        return false;
    if (over != mask && !w->tests_once) {
        w->state = WARP_POLLING;
        w->waiting = op;
        return true;
    }
    w->tests_once = false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        value[lane] = over >> lane & 1;
    ptx_write(b, w, op->result[0], mask, value);
    ptx_top(w)->pc++;
    return over == 0 || note_wait(b, b->event.address[__builtin_ctz(over)]);
}

static bool execute_count(const struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    uint64_t value[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        value[lane] = (uint64_t)unpack(source_of(b, w, op, 0, lane)).pending;
    ptx_write(b, w, op->result[0], mask, value);
    ptx_top(w)->pc++;
    return true;
}

static bool execute_change(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t mask)
{
    uint64_t before[WARP_LANES] = {0};
    bool is_made = op->inst->modifier[GROUP_OBJECT] != MOD_NONE;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (ptx_lane_is_in(mask, lane) &&
            !(is_made ? init_lane(b, w, op, lane)
                      : change_lane(b, w, op, lane, &before[lane])))
            return false;
    if (op->results > 0)
        ptx_write(b, w, op->result[0], mask, before);
    ptx_top(w)->pc++;
    return true;
}

bool ptx_execute_mbarrier(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    uint8_t verb = op->inst->modifier[GROUP_OBJECT];
    if (verb == MOD_PENDING_COUNT)
        return execute_count(b, w, op, mask);
    ptx_addresses(b, w, op, b->event.address);
    if (verb == MOD_TEST_WAIT || verb == MOD_TRY_WAIT)
        return execute_wait(b, w, op, mask);
    return execute_change(b, w, op, mask);
}
