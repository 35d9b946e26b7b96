/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/cpl.h"

#include "base/bits.h"

void cpl_init(struct cpl *c, uint64_t period, bool is_signed)
{
    *c = (struct cpl){
        .period = period, .next_look = period, .is_signed = is_signed};
}

/* ---- accuracy ----------------------------------------------------------- */

static uint64_t block_mates(const struct cpl *c, const struct warp_table *t,
                            int warp)
{
    uint64_t mates = 0;
    for (uint64_t live = c->live; live != 0; live &= live - 1) {
        int w = __builtin_ctzll(live);
        if (t->block_slot[w] == t->block_slot[warp])
            mates |= BIT(w);
    }
    return mates;
}

/* Nothing has changed since the last event, so the looks due by now all see the
 * same. */
static void look(struct cpl *c, const struct warp_table *t, uint64_t cycle)
{
    uint64_t due = (cycle - c->next_look) / c->period + 1;
    c->next_look += due * c->period;
    for (uint64_t left = c->live; left != 0;) {
        int first = __builtin_ctzll(left);
        uint64_t mates = block_mates(c, t, first);
        left &= ~mates;
        c->looks[t->block_slot[first]] += due;
        for (uint64_t m = mates; m != 0; m &= m - 1) {
            int w = __builtin_ctzll(m);
            if (cpl_slow(t, w, mates))
                c->warp[w].slow_looks += due;
        }
    }
}

static void catch_up(struct cpl *c, const struct warp_table *t, uint64_t cycle)
{
    if (cycle >= c->next_look)
        look(c, t, cycle);
}

/* ---- counters ----------------------------------------------------------- */

static void rate(const struct cpl *c, struct warp_table *t, int warp,
                 uint64_t cycle)
{
    const struct cpl_warp *w = &c->warp[warp];
    double insts = w->insts > 0 ? (double)w->insts : 1;
    double cpi = (double)(cycle - w->launched) / insts;
    t->criticality[warp] = (double)w->pending * cpi + (double)w->stalled;
}

void cpl_launch(struct cpl *c, struct warp_table *t, int warp, uint64_t cycle)
{
    catch_up(c, t, cycle);
    c->live |= BIT(warp);
    c->warp[warp] = (struct cpl_warp){.launched = cycle};
    t->criticality[warp] = 0;
}

void cpl_issue(struct cpl *c, struct warp_table *t, int warp, uint64_t cycle)
{
    struct cpl_warp *w = &c->warp[warp];
    catch_up(c, t, cycle);
    if (w->insts > 0 && cycle > w->last_issue)
        w->stalled += cycle - w->last_issue - 1;
    w->last_issue = cycle;
    w->insts++;
    rate(c, t, warp, cycle);
}

static void subtract_one(const struct cpl *c, struct cpl_warp *w)
{
    if (c->is_signed || w->pending > 0)
        w->pending--;
}

void cpl_branch(struct cpl *c, struct warp_table *t, int warp, uint64_t insts,
                uint64_t cycle)
{
    catch_up(c, t, cycle);
    subtract_one(c, &c->warp[warp]);
    c->warp[warp].pending += (int64_t)insts;
    rate(c, t, warp, cycle);
}

void cpl_commit(struct cpl *c, struct warp_table *t, int warp, uint64_t cycle)
{
    catch_up(c, t, cycle);
    subtract_one(c, &c->warp[warp]);
    rate(c, t, warp, cycle);
}

void cpl_end(struct cpl *c, const struct warp_table *t, int warp,
             uint64_t cycle)
{
    catch_up(c, t, cycle);
    c->live &= ~BIT(warp);
}

void cpl_block_end(struct cpl *c, int block_slot, int last_warp,
                   struct sampler_counts *counts)
{
    counts->cpl_looks += c->looks[block_slot];
    counts->cpl_looks_slow += c->warp[last_warp].slow_looks;
    c->looks[block_slot] = 0;
}

/* ---- rules -------------------------------------------------------------- */

static uint64_t distance(uint32_t from, uint32_t to)
{
    return to > from ? to - from : 0;
}

uint64_t cpl_branch_insts(const struct inst *branch, uint32_t index,
                          uint32_t mask, uint32_t taken_mask)
{
    uint32_t target = branch->target;
    if (target == NO_INST)
        return 0;
    if (target <= index)
        return taken_mask != 0 ? index - target + 1 : 0;
    uint32_t join = branch->reconverge != NO_INST ? branch->reconverge : target;
    uint64_t insts = 0;
    if (taken_mask != 0)
        insts += distance(target, join);
    if ((mask & ~taken_mask) != 0)
        insts += distance(index + 1, target < join ? target : join);
    return insts;
}

bool cpl_slow(const struct warp_table *t, int warp, uint64_t mates)
{
    int count = 0, not_above = 0;
    for (; mates != 0; mates &= mates - 1) {
        int w = __builtin_ctzll(mates);
        count++;
        not_above += t->criticality[w] <= t->criticality[warp];
    }
    return 2 * not_above >= count;
}

bool cpl_critical(const struct warp_table *t, int warp, uint64_t mates)
{
    for (; mates != 0; mates &= mates - 1)
        if (t->criticality[__builtin_ctzll(mates)] > t->criticality[warp])
            return false;
    return true;
}
