/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/step_bytes.h"

#include "base/arrays.h"
#include "base/bits.h"

#include <string.h>

#define LINE_BYTES 64 /* of a processor's cache */
/* Of one step, at most: a step holds more than is written of it. */
#define STEP_BYTES (sizeof(struct step) + 1)

/* A step's first byte: what follows. */
enum {
    HAS_INST = 1, /* where it is not the next one */
    HAS_MASK = 2, /* where it is another one */
    HAS_TAKEN = 4,
    HAS_STRIDE = 8, /* where it is another one */
    IS_WIDE = 16,   /* lanes are further apart than 32 bits reach */
    FORM_BIT = 5    /* enum address_form */
};

static void put(struct step_writer *w, const void *what, size_t size)
{
    memcpy(w->bytes + w->count, what, size);
    w->count += size;
}

static void put_if(struct step_writer *w, bool is_news, const void *what,
                   size_t size)
{
    if (is_news)
        put(w, what, size);
}

/* Lanes are kept by how far they are from the lowest one. */
static uint64_t lowest_lane(const struct step *s)
{
    return s->mask != 0 ? s->lane_address[__builtin_ctz(s->mask)] : 0;
}

static bool are_wide(const struct step *s)
{
    bool wide = false;
    for (uint64_t left = s->mask; left != 0;) {
        int64_t away =
            (int64_t)(s->lane_address[take_bit(&left)] - lowest_lane(s));
        wide |= away != (int32_t)away;
    }
    return wide;
}

static uint8_t news_of(const struct step *s, const struct last_step *last)
{
    bool strides = s->form == ADDR_STRIDE, lanes = s->form == ADDR_LIST;
    return (uint8_t)((s->inst != last->inst + 1 ? HAS_INST : 0) |
                     (s->mask != last->mask ? HAS_MASK : 0) |
                     (s->taken_mask != 0 ? HAS_TAKEN : 0) |
                     (strides && s->stride != last->stride ? HAS_STRIDE : 0) |
                     (lanes && are_wide(s) ? IS_WIDE : 0) |
                     s->form << FORM_BIT);
}

static void remember(struct last_step *last, const struct step *s)
{
    last->inst = s->inst;
    last->mask = s->mask;
    if (s->form == ADDR_STRIDE)
        last->stride = s->stride;
}

static void put_lanes(struct step_writer *w, const struct step *s, bool wide)
{
    for (uint64_t left = s->mask; left != 0;) {
        int64_t away =
            (int64_t)(s->lane_address[take_bit(&left)] - lowest_lane(s));
        int32_t short_away = (int32_t)away;
        if (wide)
            put(w, &away, sizeof(away));
        else
            put(w, &short_away, sizeof(short_away));
    }
}

static void put_address(struct step_writer *w, const struct step *s,
                        uint8_t news)
{
    uint64_t base = s->form == ADDR_LIST ? lowest_lane(s) : s->base;
    put(w, &base, sizeof(base));
    if (s->form == ADDR_LIST)
        put_lanes(w, s, news & IS_WIDE);
    else
        put_if(w, s->form == ADDR_BOX, &s->box, sizeof(s->box));
}

bool step_write(struct step_writer *w, const struct kernel *k,
                const struct step *s)
{
    uint8_t news = news_of(s, &w->last);
    if (!array_reserve(&w->bytes, &w->room, w->count + STEP_BYTES))
        return false;
    remember(&w->last, s);
    put(w, &news, 1);
    put_if(w, news & HAS_INST, &s->inst, sizeof(s->inst));
    put_if(w, news & HAS_MASK, &s->mask, sizeof(s->mask));
    put_if(w, news & HAS_TAKEN, &s->taken_mask, sizeof(s->taken_mask));
    put_if(w, news & HAS_STRIDE, &s->stride, sizeof(s->stride));
    if (s->form != ADDR_NONE)
        put_address(w, s, news);
    if (k->inst[s->inst].sync == SYNC_NONE)
        return true;
    put(w, &s->signal, sizeof(s->signal));
    put(w, &s->await, sizeof(s->await));
    put(w, &s->await_count, sizeof(s->await_count));
    return true;
}

static void get(struct step_reader *r, void *out, size_t size)
{
    memcpy(out, r->at, size);
    r->at += size;
}

static void get_lanes(struct step_reader *r, struct step *out, uint8_t news)
{
    uint64_t left = out->mask;
    int64_t away;
    int32_t short_away;
    while (left != 0 && (news & IS_WIDE)) {
        get(r, &away, sizeof(away));
        out->lane_address[take_bit(&left)] = out->base + (uint64_t)away;
    }
    while (left != 0) {
        get(r, &short_away, sizeof(short_away));
        out->lane_address[take_bit(&left)] =
            out->base + (uint64_t)(int64_t)short_away;
    }
}

static void get_address(struct step_reader *r, struct step *out, uint8_t news)
{
    get(r, &out->base, sizeof(out->base));
    if (out->form == ADDR_LIST)
        get_lanes(r, out, news);
    else if (out->form == ADDR_BOX)
        get(r, &out->box, sizeof(out->box));
    else
        out->stride = r->last.stride;
}

void step_read(struct step_reader *r, const struct kernel *k, struct step *out)
{
    uint8_t news = *r->at++;
    out->inst = r->last.inst + 1;
    out->mask = r->last.mask;
    out->taken_mask = 0;
    out->form = (enum address_form)(news >> FORM_BIT);
    if (news & HAS_INST)
        get(r, &out->inst, sizeof(out->inst));
    if (news & HAS_MASK)
        get(r, &out->mask, sizeof(out->mask));
    if (news & HAS_TAKEN)
        get(r, &out->taken_mask, sizeof(out->taken_mask));
    if (news & HAS_STRIDE)
        get(r, &r->last.stride, sizeof(r->last.stride));
    if (out->form != ADDR_NONE)
        get_address(r, out, news);
    r->last.inst = out->inst;
    r->last.mask = out->mask;
    if (k->inst[out->inst].sync != SYNC_NONE) {
        get(r, &out->signal, sizeof(out->signal));
        get(r, &out->await, sizeof(out->await));
        get(r, &out->await_count, sizeof(out->await_count));
    }
    __builtin_prefetch(r->at + LINE_BYTES);
}
