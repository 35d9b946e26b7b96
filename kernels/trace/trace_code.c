/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_code.h"

#include <string.h>

enum tag {
    TAG_JUMP = 0x01,
    TAG_MASK_BEFORE = 0x02,
    TAG_MASK_NEW = 0x04,
    TAG_MASK = 0x06,
    TAG_STRIDE_SAME = 0x08,
    TAG_STRIDE_NEW = 0x10,
    TAG_LIST = 0x18,
    TAG_FORM = 0x18,
    TAG_TAKEN_ALL = 0x20,
    TAG_TAKEN_SOME = 0x40,
    TAG_TAKEN = 0x60,
    TAG_RUN = 0x80
};

#define RUN_MAX 128

void trace_code_start(struct trace_code *c)
{
    *c = (struct trace_code){.inst = UINT32_MAX, .mask = UINT32_MAX};
}

/* ---- integers ----------------------------------------------------------- */

static uint8_t *put_unsigned(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static uint8_t *put_signed(uint8_t *to, uint64_t value)
{
    return put_unsigned(to, value << 1 ^ (value >> 63 ? UINT64_MAX : 0));
}

static uint64_t get_unsigned(const uint8_t **from)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*from)++;

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

static uint64_t get_signed(const uint8_t **from)
{
    uint64_t value = get_unsigned(from);

    return value >> 1 ^ (value & 1 ? UINT64_MAX : 0);
}

/* ---- writing ------------------------------------------------------------ */

void trace_encode_start(struct trace_encoder *w, struct trace_spool *spool)
{
    w->spool = spool;
    w->run = 0;
    trace_code_start(&w->code);
}

void trace_encode_end(struct trace_encoder *w)
{
    uint8_t byte;

    if (w->run == 0)
        return;
    byte = (uint8_t)(TAG_RUN | (w->run - 1));
    trace_spool_put(w->spool, &byte, 1);
    w->run = 0;
}

static unsigned mask_tag(struct trace_code *c, uint32_t mask)
{
    uint32_t before = c->mask;

    if (mask == before)
        return 0;
    c->mask = mask;
    if (mask == c->mask_before) {
        c->mask_before = before;
        return TAG_MASK_BEFORE;
    }
    c->mask_before = before;
    return TAG_MASK_NEW;
}

static unsigned form_tag(const struct trace_code *c, const struct step *s)
{
    if (s->form == ADDR_NONE)
        return 0;
    if (s->form == ADDR_LIST)
        return TAG_LIST;
    return s->stride == c->stride ? TAG_STRIDE_SAME : TAG_STRIDE_NEW;
}

static unsigned taken_tag(const struct step *s)
{
    if (s->taken_mask == 0)
        return 0;
    return s->taken_mask == s->mask ? TAG_TAKEN_ALL : TAG_TAKEN_SOME;
}

static unsigned first_lane(uint32_t mask)
{
    return mask != 0 ? (unsigned)__builtin_ctz(mask) : 0;
}

static uint8_t *put_addresses(uint8_t *to, struct trace_code *c,
                              const struct step *s, unsigned tag)
{
    unsigned first = first_lane(s->mask);
    uint64_t address = s->form == ADDR_LIST
                           ? s->lane_address[first]
                           : s->base + (uint64_t)s->stride * first;

    to = put_signed(to, address - c->address);
    c->address = address;
    if (tag == TAG_STRIDE_NEW) {
        to = put_signed(to, (uint64_t)s->stride);
        c->stride = s->stride;
    }
    if (tag != TAG_LIST)
        return to;
    for (uint32_t lanes = s->mask & (s->mask - 1); lanes != 0;
         lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctz(lanes);

        to = put_signed(to, s->lane_address[l] - address);
        address = s->lane_address[l];
    }
    return to;
}

static void put_record(struct trace_encoder *w, const struct step *s)
{
    struct trace_code *c = &w->code;
    uint8_t *start = trace_spool_reserve(w->spool, TRACE_RECORD_MAX);
    uint8_t *to = start + 1;
    unsigned masks = mask_tag(c, s->mask);
    unsigned form = form_tag(c, s), taken = taken_tag(s);
    unsigned jump = s->inst != c->inst + 1 ? TAG_JUMP : 0;

    *start = (uint8_t)(jump | masks | form | taken);
    if (jump)
        to = put_signed(to, (uint64_t)((int64_t)s->inst - c->inst));
    if (masks == TAG_MASK_NEW)
        to = put_unsigned(to, s->mask);
    if (taken == TAG_TAKEN_SOME)
        to = put_unsigned(to, s->taken_mask);
    if (form != 0)
        to = put_addresses(to, c, s, form);
    c->inst = s->inst;
    trace_spool_advance(w->spool, (uint32_t)(to - start));
}

void trace_encode(struct trace_encoder *w, const struct step *s)
{
    if (s->inst == w->code.inst + 1 && s->mask == w->code.mask &&
        s->form == ADDR_NONE && s->taken_mask == 0) {
        w->code.inst++;
        if (++w->run == RUN_MAX)
            trace_encode_end(w);
        return;
    }
    trace_encode_end(w);
    put_record(w, s);
}

/* ---- reading ------------------------------------------------------------ */

void trace_decode_start(struct trace_decoder *r, uint64_t start, uint64_t end)
{
    r->next = start;
    r->end = end;
    r->run = r->at = r->fill = 0;
    trace_code_start(&r->code);
}

/* Have a whole record in the window, or all there is. */
static bool refill(struct trace_decoder *r, const struct trace_spool *spool)
{
    uint32_t left = r->fill - r->at;
    uint64_t more = r->end - r->next;
    uint32_t n = TRACE_WINDOW - left;

    if (left >= TRACE_RECORD_MAX || more == 0)
        return true;
    n = more < n ? (uint32_t)more : n;
    memmove(r->window, r->window + r->at, left);
    r->at = 0;
    r->fill = left + n;
    if (!trace_spool_read(spool, r->next, r->window + left, n))
        return false;
    r->next += n;
    return true;
}

static void get_addresses(const uint8_t **from, struct trace_code *c,
                          unsigned tag, struct step *out)
{
    uint64_t address = c->address + get_signed(from);

    c->address = address;
    if (tag == TAG_LIST) {
        out->form = ADDR_LIST;
        for (uint32_t lanes = out->mask; lanes != 0; lanes &= lanes - 1) {
            if (lanes != out->mask)
                address += get_signed(from);
            out->lane_address[__builtin_ctz(lanes)] = address;
        }
        return;
    }
    if (tag == TAG_STRIDE_NEW)
        c->stride = (int64_t)get_signed(from);
    out->form = ADDR_STRIDE;
    out->stride = c->stride;
    out->base = address - (uint64_t)c->stride * first_lane(out->mask);
}

static void get_record(struct trace_decoder *r, struct step *out)
{
    struct trace_code *c = &r->code;
    const uint8_t *from = r->window + r->at;
    unsigned tag = *from++;
    uint32_t before = c->mask;

    c->inst += tag & TAG_JUMP ? (uint32_t)get_signed(&from) : 1;
    if (tag & TAG_MASK) {
        c->mask = (tag & TAG_MASK) == TAG_MASK_NEW
                      ? (uint32_t)get_unsigned(&from)
                      : c->mask_before;
        c->mask_before = before;
    }
    out->inst = c->inst;
    out->mask = c->mask;
    out->taken_mask = (tag & TAG_TAKEN) == TAG_TAKEN_ALL ? c->mask : 0;
    if ((tag & TAG_TAKEN) == TAG_TAKEN_SOME)
        out->taken_mask = (uint32_t)get_unsigned(&from);
    out->form = ADDR_NONE;
    if (tag & TAG_FORM)
        get_addresses(&from, c, tag & TAG_FORM, out);
    r->at = (uint32_t)(from - r->window);
}

enum trace_decoded trace_decode(struct trace_decoder *r,
                                const struct trace_spool *spool,
                                struct step *out)
{
    if (r->run == 0) {
        if (r->fill - r->at < TRACE_RECORD_MAX && !refill(r, spool))
            return TRACE_READ_FAILED;
        if (r->at == r->fill)
            return TRACE_NO_STEP;
        if (!(r->window[r->at] & TAG_RUN)) {
            get_record(r, out);
            return TRACE_STEP;
        }
        r->run = (r->window[r->at++] & 0x7fu) + 1;
    }
    r->run--;
    out->inst = ++r->code.inst;
    out->mask = r->code.mask;
    out->taken_mask = 0;
    out->form = ADDR_NONE;
    return TRACE_STEP;
}
