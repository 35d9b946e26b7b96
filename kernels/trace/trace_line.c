/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_line.h"

#include <string.h>

/* Report the field at s and return false. */
static bool expected(const struct trace_text *t, struct span s,
                     const char *what, struct error *e)
{
    char shown[SHOWN_SIZE];
    struct span field = {s.at, s.at};

    if (!span_word(&s, &field))
        return trace_fail(t, e, "line ends where %s is expected", what);
    return trace_fail(t, e, "found \"%s\", expected %s",
                      trace_show(shown, field), what);
}

static bool parse_register(uint8_t *out, struct span *s,
                           const struct trace_text *t, struct error *e)
{
    struct span rest = *s;
    int64_t number;

    if (!span_empty(&rest) && *rest.at == 'R') {
        rest.at++;
        if (rest.at < rest.end && *rest.at >= '0' && *rest.at <= '9' &&
            span_decimal(&rest, &number) && number <= SASS_RZ) {
            *out = (uint8_t)number;
            *s = rest;
            return true;
        }
    }
    return expected(t, *s, "a register, R0 to R255", e);
}

static bool parse_registers(uint8_t *list, uint8_t *count, int room,
                            const char *what, struct span *s,
                            const struct trace_text *t, struct error *e)
{
    struct span rest = *s;
    int64_t number;

    if (!span_decimal(&rest, &number) || number < 0 || number > room)
        return expected(t, *s, what, e);
    *s = rest;
    *count = (uint8_t)number;
    for (int i = 0; i < number; i++)
        if (!parse_register(&list[i], s, t, e))
            return false;
    return true;
}

bool trace_static_parse(struct trace_static *out, struct span *s,
                        const struct trace_text *t, struct error *e)
{
    struct span rest;

    memset(out, 0, sizeof(*out));
    if (!parse_registers(out->listed.dst, &out->listed.dst_count, INST_MAX_DST,
                         "the number of destination registers, 0 to 8", s, t,
                         e))
        return false;
    if (!span_word(s, &out->opcode) || *out->opcode.at < 'A' ||
        *out->opcode.at > 'Z') {
        s->at = out->opcode.at != NULL ? out->opcode.at : s->at;
        return expected(t, *s, "an opcode", e);
    }
    if (!parse_registers(out->listed.src, &out->listed.src_count, INST_MAX_SRC,
                         "the number of source registers, 0 to 8", s, t, e))
        return false;
    rest = *s;
    if (!span_decimal(&rest, &out->width) || out->width < 0)
        return expected(t, *s, "the memory width in bytes or 0", e);
    *s = rest;
    return true;
}

static bool parse_stride(struct step *out, struct span *s,
                         const struct trace_text *t, struct error *e)
{
    struct span rest = *s;
    uint64_t first;

    if (!span_hex(&rest, &first))
        return expected(t, *s, "the first address, hexadecimal", e);
    *s = rest;
    if (!span_decimal(&rest, &out->stride))
        return expected(t, *s, "the stride in bytes", e);
    *s = rest;
    out->form = ADDR_STRIDE;
    out->base = first;
    if (out->mask != 0)
        out->base -= (uint64_t)out->stride * (uint64_t)__builtin_ctz(out->mask);
    return true;
}

/* A list whose lanes are one stride apart is stored as such. */
static void detect_stride(struct step *s)
{
    uint32_t lanes = s->mask & (s->mask - 1);
    unsigned first = (unsigned)__builtin_ctz(s->mask);
    int64_t stride = 0;

    s->form = ADDR_LIST;
    if (lanes != 0) {
        unsigned second = (unsigned)__builtin_ctz(lanes);
        int64_t gap =
            (int64_t)(s->lane_address[second] - s->lane_address[first]);

        stride = gap / (int64_t)(second - first);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctz(lanes);

        if (s->lane_address[l] !=
            s->lane_address[first] + (uint64_t)stride * (l - first))
            return;
    }
    s->form = ADDR_STRIDE;
    s->stride = stride;
    s->base = s->lane_address[first] - (uint64_t)stride * first;
}

static bool parse_list(struct step *out, struct span *s,
                       const struct trace_text *t, struct error *e)
{
    struct hex_field address = {0, NULL, 0};

    for (uint32_t lanes = out->mask; lanes != 0; lanes &= lanes - 1) {
        if (!span_hex_like(s, &address))
            return expected(t, *s, "an address for each active lane", e);
        out->lane_address[__builtin_ctz(lanes)] = address.value;
    }
    return true;
}

static bool parse_deltas(struct step *out, struct span *s,
                         const struct trace_text *t, struct error *e)
{
    uint32_t lanes = out->mask;
    struct span rest = *s;
    uint64_t address;
    int64_t delta;

    if (!span_hex(&rest, &address))
        return expected(t, *s, "the first address, hexadecimal", e);
    *s = rest;
    for (; lanes != 0; lanes &= lanes - 1) {
        if (lanes != out->mask) {
            if (!span_decimal(&rest, &delta))
                return expected(
                    t, *s, "an address difference for each further lane", e);
            *s = rest;
            address += (uint64_t)delta;
        }
        out->lane_address[__builtin_ctz(lanes)] = address;
    }
    return true;
}

bool trace_addresses_parse(struct step *out, struct span *s,
                           const struct trace_text *t, struct error *e)
{
    struct span rest = *s;
    int64_t mode;

    if (!span_decimal(&rest, &mode) || mode < 0 || mode > 2)
        return expected(t, *s, "address mode 0, 1 or 2", e);
    *s = rest;
    if (mode == 1)
        return parse_stride(out, s, t, e);
    if (mode == 0 ? !parse_list(out, s, t, e) : !parse_deltas(out, s, t, e))
        return false;
    out->form = ADDR_STRIDE;
    out->base = 0;
    out->stride = 0;
    if (out->mask != 0)
        detect_stride(out);
    return true;
}

bool trace_immediate_parse(int64_t *out, bool *found, struct span *s,
                           const struct trace_text *t, struct error *e)
{
    *found = span_decimal(s, out);
    if (!span_empty(s) && !span_starts(*s, "STORE_DATA"))
        return expected(t, *s, "an immediate or the end of the line", e);
    return true;
}

uint64_t trace_first_address(const struct step *s)
{
    unsigned first;

    if (s->mask == 0)
        return 0;
    first = (unsigned)__builtin_ctz(s->mask);
    if (s->form == ADDR_LIST)
        return s->lane_address[first];
    return s->base + (uint64_t)s->stride * first;
}

void trace_addresses_shift(struct step *s, uint64_t base)
{
    if (s->form == ADDR_STRIDE)
        s->base -= base;
    else
        for (uint32_t lanes = s->mask; lanes != 0; lanes &= lanes - 1)
            s->lane_address[__builtin_ctz(lanes)] -= base;
}
