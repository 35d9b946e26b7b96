/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/ranges.h"

#include <stdlib.h>

struct range {
    uint32_t first, last; /* instructions, first > last: never used */
    bool read_first;      /* its first use in the code is a reading */
    uint8_t bytes;        /* 0: a predicate; of no register: UINT8_MAX */
};

struct numbering {
    const struct ptx_low_code *c;
    const struct ptx_code *code;
    struct range *range;
    uint32_t *order;                 /* slots by where their range begins */
    uint32_t used[2][REG_PREDICATE]; /* end of the range a register holds */
};

/* ---- ranges ------------------------------------------------------------- */

static void touch(struct range *r, uint32_t at, bool read)
{
    if (r->first > r->last) {
        r->first = at;
        r->read_first = read;
    }
    r->last = at;
}

static void find_ranges(const struct numbering *n)
{
    for (uint32_t i = 0; i < n->c->lows; i++) {
        const struct ptx_low *low = &n->c->low[i];
        for (unsigned k = 0; k < low->reads; k++)
            touch(&n->range[low->read[k]], i, true);
        for (unsigned k = 0; k < low->writes; k++)
            touch(&n->range[low->written[k]], i, false);
    }
}

/* What lives when a loop begins and is used in it lives until it ends, and so
 * does what one turn leaves for the next. */
static bool extend_over(const struct numbering *n, uint32_t from, uint32_t to)
{
    bool changed = false;
    for (uint32_t s = 0; s < n->code->slots; s++) {
        struct range *r = &n->range[s];
        if (r->first > r->last || r->last < from || r->first > to)
            continue;
        bool enters = r->first < from || r->read_first;
        if (enters && r->last < to) {
            r->last = to;
            changed = true;
        }
        if (r->read_first && r->first > from) {
            r->first = from;
            changed = true;
        }
    }
    return changed;
}

static void extend_over_loops(const struct numbering *n)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n->code->count; i++) {
            const struct ptx_op *op = ptx_low_op(n->c, i);
            if (op->action == ACTION_BRANCH && op->target <= n->code->first + i)
                changed |=
                    extend_over(n, n->c->begin[op->target - n->code->first],
                                n->c->begin[i]);
        }
    }
}

/* ---- numbers ------------------------------------------------------------ */

static bool find_widths(const struct numbering *n)
{
    uint8_t *bytes = malloc((size_t)n->code->slots + 1);
    if (bytes == NULL)
        return false;
    ptx_slot_bytes(n->c, bytes);
    for (uint32_t s = 0; s < n->code->slots; s++)
        n->range[s] = (struct range){1, 0, false, bytes[s]};
    free(bytes);
    return true;
}

static void sort_by_beginning(const struct numbering *n, uint32_t *begin)
{
    for (uint32_t s = 0; s < n->code->slots; s++)
        if (n->range[s].first <= n->range[s].last)
            begin[n->range[s].first + 1]++;
    for (uint32_t i = 0; i < n->c->lows; i++)
        begin[i + 1] += begin[i];
    for (uint32_t s = 0; s < n->code->slots; s++)
        if (n->range[s].first <= n->range[s].last)
            n->order[begin[n->range[s].first]++] = s;
}

/* The lowest free register; when none is, one that ends soonest is shared. */
static uint16_t take(struct numbering *n, const struct range *r)
{
    uint32_t *used = n->used[r->bytes == 0], best = 0;
    for (uint32_t i = 0; i < REG_PREDICATE - 1; i++) {
        if (used[i] <= r->first) {
            best = i;
            break;
        }
        if (used[i] < used[best])
            best = i;
    }
    used[best] = r->last == r->first ? r->last + 1 : r->last;
    return (uint16_t)(r->bytes == 0 ? REG_PREDICATE + best : best);
}

static uint32_t pressure(const struct numbering *n, uint32_t *live)
{
    uint32_t most = 0, now = 0;
    for (uint32_t s = 0; s < n->code->slots; s++) {
        const struct range *r = &n->range[s];
        if (r->first > r->last || r->bytes == 0 || r->bytes == UINT8_MAX)
            continue;
        live[r->first] += r->bytes == 8 ? 2 : 1;
        live[r->last + 1] -= r->bytes == 8 ? 2 : 1;
    }
    for (uint32_t i = 0; i < n->c->lows; i++) {
        now += live[i];
        most = now > most ? now : most;
    }
    return most;
}

uint32_t ptx_number_registers(const struct ptx_low_code *code, uint16_t *number,
                              bool *ok)
{
    const struct ptx_code *c = ptx_low_of(code);
    struct numbering n = {.c = code, .code = c};
    uint32_t *begin = calloc((size_t)code->lows + 2, sizeof(*begin));
    uint32_t *live = calloc((size_t)code->lows + 2, sizeof(*live)), most = 0;
    n.range = calloc((size_t)c->slots + 1, sizeof(*n.range));
    n.order = calloc((size_t)c->slots + 1, sizeof(*n.order));
    *ok = begin != NULL && live != NULL && n.range != NULL && n.order != NULL &&
          find_widths(&n);
    if (*ok) {
        find_ranges(&n);
        extend_over_loops(&n);
        sort_by_beginning(&n, begin);
        for (uint32_t s = 0; s < c->slots; s++)
            number[s] = PTX_NO_REGISTER;
        uint32_t ranges = code->lows > 0 ? begin[code->lows - 1] : 0;
        for (uint32_t i = 0; i < ranges; i++)
            if (n.range[n.order[i]].bytes != UINT8_MAX)
                number[n.order[i]] = take(&n, &n.range[n.order[i]]);
        most = pressure(&n, live);
    }
    free(begin);
    free(live);
    free(n.range);
    free(n.order);
    return most;
}
