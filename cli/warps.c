/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/warps.h"

#include "cli/interrupt.h"

#include <stdlib.h>

#define BIT(slot) (UINT64_C(1) << (slot))

struct watch {
    struct warps *w;
    uint64_t most;
};

static void add_span(struct warps *w, int slot, uint64_t to)
{
    if (to == w->since[slot])
        return;
    if (w->spans == w->room) {
        size_t room = w->room > 0 ? 2 * w->room : 1024;
        struct warp_span *grown = realloc(w->span, room * sizeof(*grown));
        if (grown == NULL) {
            w->failed = true;
            return;
        }
        w->span = grown;
        w->room = room;
    }
    w->span[w->spans++] =
        (struct warp_span){slot, w->phase[slot], w->since[slot], to};
}

static bool is_same_warp(const struct warps *w, const struct estimate_moment *m,
                         int slot)
{
    return w->block[slot] == m->block[slot] && w->warp[slot] == m->warp[slot];
}

static void follow(struct warps *w, const struct estimate_moment *m, int slot)
{
    bool was = (w->live & BIT(slot)) != 0, is = (m->live & BIT(slot)) != 0;
    bool same = was && is && is_same_warp(w, m, slot);
    if (same && w->phase[slot] == m->phase[slot])
        return;
    if (was)
        add_span(w, slot, m->from);
    if (was && !same)
        w->left |= BIT(slot);
    w->live = is ? w->live | BIT(slot) : w->live & ~BIT(slot);
    w->since[slot] = m->from;
    w->block[slot] = m->block[slot];
    w->warp[slot] = m->warp[slot];
    w->phase[slot] = m->phase[slot];
}

static bool put_moment(void *user, const struct estimate_moment *m)
{
    const struct watch *watch = user;
    struct warps *w = watch->w;
    if (w->first == 0 && m->live == 0)
        return true;
    if (w->first == 0) {
        w->first = m->live;
        w->begin = m->from;
    }
    w->slots = m->slots;
    for (int slot = 0; slot < m->slots; slot++)
        follow(w, m, slot);
    w->whole = (w->first & ~w->left) == 0;
    w->end = w->whole                         ? m->from
             : m->to < w->begin + watch->most ? m->to
                                              : w->begin + watch->most;
    return !w->failed && !w->whole && m->to < w->begin + watch->most;
}

bool warps_watch(struct warps *out, const struct plan *p, uint64_t most,
                 struct estimate_error *e)
{
    struct watch watch = {out, most};
    struct estimate_watcher w;
    *out = (struct warps){.spans = 0};
    struct estimate_study *s = plan_study(p, e);
    if (s == NULL)
        return false;
    estimate_watcher_init(&w, sizeof(w));
    w.user = &watch;
    w.cancel = interrupt_flag();
    w.sm = 0;
    w.moment = put_moment;
    bool ok = estimate_watch(s, &w, e);
    estimate_study_free(s);
    for (int slot = 0; ok && slot < out->slots; slot++)
        if (out->live & BIT(slot) && out->since[slot] < out->end)
            add_span(out, slot, out->end);
    return ok && (!out->failed || fail_no_memory(e));
}

void warps_free(struct warps *w)
{
    free(w->span);
}
