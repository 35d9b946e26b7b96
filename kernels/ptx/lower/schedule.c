/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * List scheduling (Gibbons and Muchnick, "Efficient Instruction Scheduling for
 * a Pipelined Architecture", 1986): of the instructions whose predecessors are
 * out and done, the one with the longest way to the end comes first. */
#include "kernels/ptx/lower/schedule.h"

#include "kernels/ptx/lower/ranges.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 256 /* instructions looked at together */
#define TRIES  8   /* to come under the budget */

#define MEMORY_CYCLES  193 /* of a load, cycles_of() says why */
#define ADDRESS_CYCLES 8   /* of two dependent instructions */

/* Registers of 32 bits that hamper no resident warp: a multiprocessor has 65536
 * for 2048 threads (CUDA C++ Programming Guide, "Compute Capabilities"). */
#define REGS_FREE 32

struct run {
    struct ptx_low *low; /* in source order */
    uint32_t count;
    uint8_t *edge;   /* [from * count + to]: cycles between, 0: none */
    uint32_t *waits; /* predecessors that are not out */
    uint32_t *height, *start;
    bool *out;
};

struct scheduler {
    struct ptx_low_code *c;
    uint8_t *bytes;           /* of a slot's register */
    uint32_t *reads;          /* of a slot, in the function */
    uint32_t *inside, *left;  /* ... in the run, in what of it is not out */
    bool *live;               /* slot: made in the run, to be read still */
    uint32_t now, peak, most; /* registers of those; most allowed */
    bool is_twofold; /* most: in a run twice what its source's order takes */
};

/* ---- dependences -------------------------------------------------------- */

/* Result latencies of Volta (Jia et al., "Dissecting the NVIDIA Volta GPU
 * Architecture via Microbenchmarking", arXiv 1804.06826, Tables 3.1 and 4.1, as
 * configs/v100.cfg has them): arithmetic 4 cycles, double precision 8, shared
 * memory 19, an L2 hit 193; ptxas puts as many loads from memory before what
 * reads the first of them as registers allow (13.0, sm_75 and sm_90). The
 * special function and the tensor unit are taken for as long as double
 * precision (unchecked). */
static uint8_t cycles_of(const struct ptx_low_code *c,
                         const struct ptx_low *low)
{
    switch (low->op_class) {
    case OP_LOAD:
    case OP_ATOMIC:
        return ptx_low_op(c, low->op)->space == PTX_SHARED ? 19 : MEMORY_CYCLES;
    case OP_SFU:
    case OP_CONVERT:
    case OP_DP:
    case OP_TENSOR:
        return 8;
    default:
        return 4;
    }
}

static bool share(const int32_t *a, unsigned as, const int32_t *b, unsigned bs)
{
    for (unsigned i = 0; i < as; i++)
        for (unsigned k = 0; k < bs; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

static bool is_memory(const struct ptx_low *low)
{
    return low->op_class == OP_LOAD || low->op_class == OP_STORE ||
           low->op_class == OP_ATOMIC || low->op_class == OP_FENCE;
}

/* Whether nobody can write where a load reads: constant memory, .nc (PTX ISA,
 * "ld.global.nc"), textures (CUDA C++ Programming Guide, "Read/Write
 * Coherency"). */
static bool is_read_only(const struct ptx_op *op)
{
    return op->inst->modifier[GROUP_NC] == MOD_NC ||
           op->inst->modifier[GROUP_SPACE] == MOD_CONST ||
           op->action == ACTION_TEXTURE || op->action == ACTION_GATHER;
}

static bool only_reads(const struct ptx_op *op)
{
    return op->action == ACTION_LOAD || op->action == ACTION_LOAD_FRAGMENT;
}

static bool is_ordered(const struct ptx_op *op)
{
    return op->inst->modifier[GROUP_ORDER] != MOD_NONE;
}

/* Accesses keep their order unless both read or their spaces are apart. */
static bool may_alias(const struct ptx_low_code *c, const struct ptx_low *a,
                      const struct ptx_low *b)
{
    const struct ptx_op *x = ptx_low_op(c, a->op), *y = ptx_low_op(c, b->op);
    if (a->op_class == OP_FENCE || b->op_class == OP_FENCE ||
        (is_ordered(x) && is_ordered(y)))
        return true;
    if (is_read_only(x) || is_read_only(y) ||
        (a->op_class == OP_LOAD && b->op_class == OP_LOAD && only_reads(x) &&
         only_reads(y)))
        return false;
    return x->space == PTX_GENERIC || y->space == PTX_GENERIC ||
           x->action == ACTION_COPY || y->action == ACTION_COPY ||
           x->space == y->space;
}

/* Cycles that b has to be behind a; 0: it need not be. */
static uint8_t distance(const struct ptx_low_code *c, const struct ptx_low *a,
                        const struct ptx_low *b)
{
    if (share(a->written, a->writes, b->read, b->reads))
        return cycles_of(c, a);
    if (a->op == b->op || share(a->read, a->reads, b->written, b->writes) ||
        share(a->written, a->writes, b->written, b->writes))
        return 1;
    return is_memory(a) && is_memory(b) && may_alias(c, a, b);
}

static void find_edges(const struct ptx_low_code *c, struct run *r)
{
    memset(r->waits, 0, r->count * sizeof(*r->waits));
    for (uint32_t i = r->count; i-- > 0;) {
        r->height[i] = 0;
        r->start[i] = 0;
        r->out[i] = false;
        for (uint32_t k = i + 1; k < r->count; k++) {
            uint8_t d = distance(c, &r->low[i], &r->low[k]);
            r->edge[i * r->count + k] = d;
            r->waits[k] += d > 0;
            if (d > 0 && r->height[k] + d > r->height[i])
                r->height[i] = r->height[k] + d;
        }
    }
}

/* ---- registers ---------------------------------------------------------- */

static uint32_t registers_of(const struct scheduler *s, int32_t slot)
{
    return s->bytes[slot] == UINT8_MAX ? 0 : (s->bytes[slot] + 3U) / 4;
}

static uint32_t gained(const struct scheduler *s, const struct ptx_low *low)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < low->writes; i++)
        if (!s->live[low->written[i]])
            n += registers_of(s, low->written[i]);
    return n;
}

/* Whether what of the run is left reads a register that the run made no more
 * often than `times`. */
static bool ends(const struct scheduler *s, int32_t slot, uint32_t times)
{
    return s->live[slot] && s->left[slot] <= times &&
           s->reads[slot] == s->inside[slot];
}

static uint32_t times_read(const struct ptx_low *low, unsigned which)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < low->reads; i++)
        n += low->read[i] == low->read[which];
    return n;
}

/* Registers that are read for the last time. */
static uint32_t given_back(const struct scheduler *s, const struct ptx_low *low)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < low->reads; i++) {
        uint32_t times = times_read(low, i);
        if (ends(s, low->read[i], times))
            n += registers_of(s, low->read[i]) / times;
    }
    return n;
}

static void count_left(struct scheduler *s, const struct run *r)
{
    size_t slots = ptx_low_of(s->c)->slots;
    memset(s->inside, 0, slots * sizeof(*s->inside));
    memset(s->live, 0, slots * sizeof(*s->live));
    s->now = 0;
    for (uint32_t i = 0; i < r->count; i++)
        for (unsigned k = 0; k < r->low[i].reads; k++)
            s->inside[r->low[i].read[k]]++;
    memcpy(s->left, s->inside, slots * sizeof(*s->left));
}

static void note_registers(struct scheduler *s, const struct ptx_low *low)
{
    s->now += gained(s, low);
    s->peak = s->now > s->peak ? s->now : s->peak;
    for (unsigned i = 0; i < low->writes; i++)
        s->live[low->written[i]] = true;
    for (unsigned i = 0; i < low->reads; i++) {
        int32_t slot = low->read[i];
        s->left[slot]--;
        if (!ends(s, slot, 0))
            continue;
        s->live[slot] = false;
        s->now -= registers_of(s, slot);
    }
}

/* ---- a run -------------------------------------------------------------- */

/* Registers more that are live when it is out. */
static int32_t growth(const struct scheduler *s, const struct ptx_low *low)
{
    return (int32_t)gained(s, low) - (int32_t)given_back(s, low);
}

/* When it can start. A load from memory takes so long that what it waits for an
 * address does not count: else those whose addresses are there would fill the
 * registers before those whose results are read first. */
static uint32_t start_of(const struct scheduler *s, const struct run *r,
                         uint32_t clock, uint32_t i)
{
    const struct ptx_low *low = &r->low[i];
    uint32_t slack =
        low->op_class == OP_LOAD && cycles_of(s->c, low) == MEMORY_CYCLES
            ? ADDRESS_CYCLES
            : 0;
    return r->start[i] > clock + slack ? r->start[i] - slack : clock;
}

/* Whether i goes before the best so far, which stands before it in the source:
 * when it fits and that does not, where neither does when it takes fewer
 * registers, else when it can start earlier, else when more waits for it. */
static bool is_better(const struct scheduler *s, const struct run *r,
                      uint32_t clock, uint32_t i, uint32_t best)
{
    int64_t mine = growth(s, &r->low[i]), its = growth(s, &r->low[best]);
    bool fits = s->now + mine <= s->most;
    bool best_fits = s->now + its <= s->most;
    if (fits != best_fits)
        return fits;
    if (!fits)
        return mine < its;
    uint32_t start = start_of(s, r, clock, i);
    uint32_t best_start = start_of(s, r, clock, best);
    if (start != best_start)
        return start < best_start;
    return r->height[i] > r->height[best];
}

static void put_out(struct run *r, uint32_t i, uint32_t clock)
{
    r->out[i] = true;
    for (uint32_t k = i + 1; k < r->count; k++) {
        uint8_t d = r->edge[i * r->count + k];
        if (d == 0)
            continue;
        r->waits[k]--;
        if (r->start[k] < clock + d)
            r->start[k] = clock + d;
    }
}

/* Most registers made in a run that are live at the same time in the order of
 * its source. */
static uint32_t own_peak(struct scheduler *s, const struct run *r)
{
    uint32_t before = s->peak;
    count_left(s, r);
    s->peak = 0;
    for (uint32_t i = 0; i < r->count; i++)
        note_registers(s, &r->low[i]);
    uint32_t own = s->peak;
    s->peak = before;
    return own;
}

static void schedule_run(struct scheduler *s, struct run *r, struct ptx_low *to)
{
    uint32_t clock = 0;
    find_edges(s->c, r);
    if (s->is_twofold)
        s->most = 2 * own_peak(s, r);
    count_left(s, r);
    for (uint32_t n = 0; n < r->count; n++) {
        uint32_t best = r->count;
        for (uint32_t i = 0; i < r->count; i++)
            if (!r->out[i] && r->waits[i] == 0 &&
                (best == r->count || is_better(s, r, clock, i, best)))
                best = i;
        if (r->start[best] > clock)
            clock = r->start[best];
        put_out(r, best, clock++);
        note_registers(s, &r->low[best]);
        to[n] = r->low[best];
    }
}

/* ---- a function --------------------------------------------------------- */

/* Where the run that starts at an instruction ends: before the next leader, a
 * jump or the window's end. */
static uint32_t run_end(const struct ptx_low_code *c,
                        const struct ptx_low *source, uint32_t from)
{
    uint32_t i = from;
    while (i < c->lows && i - from < WINDOW &&
           source[i].op_class != OP_BRANCH && source[i].op_class != OP_EXIT) {
        i++;
        if (i < c->lows && source[i].op != source[i - 1].op)
            for (uint32_t op = source[i - 1].op + 1; op <= source[i].op; op++)
                if (c->leader[op])
                    return i;
    }
    return i > from ? i : from + 1;
}

static void schedule_all(struct scheduler *s, struct run *r,
                         struct ptx_low *source)
{
    s->peak = 0;
    for (uint32_t from = 0; from < s->c->lows; from += r->count) {
        r->low = source + from;
        r->count = run_end(s->c, source, from) - from;
        schedule_run(s, r, s->c->low + from);
    }
}

static uint32_t pressure(const struct ptx_low_code *c, uint16_t *number,
                         bool *ok)
{
    return *ok ? ptx_number_registers(c, number, ok) : 0;
}

/* The function's registers in the order of its source fill more than a thread
 * has: an assembler makes values again where they are cheap and keeps some that
 * are a warp's in registers of their own, neither of which is followed here.
 * Each run gets what double buffering takes; not where a thread has REGS_FREE
 * or less, for then the assembler left it at that (ptxas V13.0.88, sm_90:
 * product_tensor of bench/hardware/suite, 32 registers, loads what one product
 * takes behind the last one; product_registers, 56, two). */
static void schedule_twofold(struct scheduler *s, struct run *r,
                             struct ptx_low *source)
{
    s->is_twofold = true;
    schedule_all(s, r, source);
}

/* Freely at first, then with the most live registers in a run that bring the
 * function under the budget, found by halves. */
static bool schedule_under(struct scheduler *s, struct run *r,
                           struct ptx_low *source, uint16_t *number,
                           uint32_t budget)
{
    bool ok = true, fits = false;
    uint32_t enough = 0, too_many = UINT32_MAX; /* enough: under the budget */
    s->most = UINT32_MAX;
    for (int i = 0; ok && i < TRIES && s->most > enough; i++) {
        schedule_all(s, r, source);
        fits = pressure(s->c, number, &ok) <= budget;
        if (fits)
            enough = s->most;
        else
            too_many = s->most < s->peak ? s->most : s->peak;
        s->most = enough / 2 + too_many / 2 + (enough % 2 + too_many % 2) / 2;
    }
    s->most = enough;
    if (!fits)
        schedule_all(s, r, source);
    return ok;
}

static bool schedule_within(struct scheduler *s, struct run *r,
                            struct ptx_low *source, uint16_t *number,
                            uint32_t registers)
{
    bool ok = true;
    uint32_t own = pressure(s->c, number, &ok);
    uint32_t budget = REGS_FREE - PTX_STACK_REGS;
    if (registers != 0)
        budget = registers > PTX_STACK_REGS ? registers - PTX_STACK_REGS : 1;
    if (registers <= REGS_FREE && own > budget)
        budget = own;
    if (ok && own > budget)
        schedule_twofold(s, r, source);
    else if (ok)
        ok = schedule_under(s, r, source, number, budget);
    return ok;
}

static bool open_run(struct run *r)
{
    r->edge = malloc(sizeof(*r->edge) * WINDOW * WINDOW);
    r->waits = malloc(WINDOW * sizeof(*r->waits));
    r->height = malloc(WINDOW * sizeof(*r->height));
    r->start = malloc(WINDOW * sizeof(*r->start));
    r->out = malloc(WINDOW * sizeof(*r->out));
    return r->edge != NULL && r->waits != NULL && r->height != NULL &&
           r->start != NULL && r->out != NULL;
}

static void close_run(struct run *r)
{
    free(r->edge);
    free(r->waits);
    free(r->height);
    free(r->start);
    free(r->out);
}

static bool open_scheduler(struct scheduler *s)
{
    size_t slots = (size_t)ptx_low_of(s->c)->slots + 1;
    s->bytes = malloc(slots * sizeof(*s->bytes));
    s->reads = calloc(slots, sizeof(*s->reads));
    s->inside = calloc(slots, sizeof(*s->inside));
    s->left = calloc(slots, sizeof(*s->left));
    s->live = calloc(slots, sizeof(*s->live));
    if (s->bytes == NULL || s->reads == NULL || s->inside == NULL ||
        s->left == NULL || s->live == NULL)
        return false;
    ptx_slot_bytes(s->c, s->bytes);
    for (uint32_t i = 0; i < s->c->lows; i++)
        for (unsigned k = 0; k < s->c->low[i].reads; k++)
            s->reads[s->c->low[i].read[k]]++;
    return true;
}

static void close_scheduler(struct scheduler *s)
{
    free(s->bytes);
    free(s->reads);
    free(s->inside);
    free(s->left);
    free(s->live);
}

bool ptx_schedule(struct ptx_low_code *c, uint32_t registers)
{
    struct scheduler s = {.c = c};
    struct run r = {.count = 0};
    size_t bytes = ((size_t)c->lows + 1) * sizeof(*c->low);
    struct ptx_low *source = malloc(bytes);
    uint16_t *number =
        malloc(((size_t)ptx_low_of(c)->slots + 1) * sizeof(*number));
    bool ok =
        open_scheduler(&s) && open_run(&r) && source != NULL && number != NULL;
    if (ok) {
        memcpy(source, c->low, c->lows * sizeof(*source));
        ok = schedule_within(&s, &r, source, number, registers);
    }
    free(number);
    free(source);
    close_run(&r);
    close_scheduler(&s);
    return ok;
}
