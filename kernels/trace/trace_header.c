/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_parse.h"

#include "kernels/trace/sass.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SHARED_BYTES (1 << 20)
#define MAX_REGISTERS    255

static bool wrong(const struct trace_text *t, struct span value,
                  const char *expected, struct error *e)
{
    char shown[SHOWN_SIZE];

    return trace_fail(t, e, "found \"%s\", expected %s",
                      trace_show(shown, value), expected);
}

/* The one number of a value. */
static bool number(struct span value, int64_t low, int64_t high, int64_t *out)
{
    struct span rest = value;

    return span_decimal(&rest, out) && span_empty(&rest) && *out >= low &&
           *out <= high;
}

static bool read_name(struct trace_header *h, const struct trace_text *t,
                      struct span value, struct error *e)
{
    size_t n = (size_t)(value.end - value.at);

    if (n == 0)
        return trace_fail(t, e, "kernel without a name");
    free(h->name);
    h->name = malloc(n + 1);
    if (h->name == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < n; i++)
        h->name[i] =
            value.at[i] >= ' ' && value.at[i] <= '~' ? value.at[i] : '?';
    h->name[n] = '\0';
    return true;
}

/* "(x,y,z)" */
static bool read_dims(struct dim3 *out, const struct trace_text *t,
                      struct span value, struct error *e)
{
    uint32_t *dims[3] = {&out->x, &out->y, &out->z};
    const char *at = value.at;

    for (int i = 0; i < 3; i++) {
        uint64_t n = 0;
        const char *first = at + 1;

        if (at == value.end || *at != "(,,"[i])
            return wrong(t, value, "three dimensions, \"(x,y,z)\"", e);
        for (at = first; at < value.end && *at >= '0' && *at <= '9'; at++)
            n = n > INT32_MAX ? n : n * 10 + (uint64_t)(*at - '0');
        if (at == first || n == 0 || n > INT32_MAX)
            return wrong(t, value, "three dimensions of 1 to 2147483647", e);
        *dims[i] = (uint32_t)n;
    }
    if (value.end - at != 1 || *at != ')')
        return wrong(t, value, "three dimensions, \"(x,y,z)\"", e);
    return true;
}

static bool read_grid(struct trace_header *h, const struct trace_text *t,
                      struct span value, struct error *e)
{
    uint64_t blocks;

    h->grid_line = t->line;
    if (!read_dims(&h->grid, t, value, e))
        return false;
    if (__builtin_mul_overflow((uint64_t)h->grid.x * h->grid.y,
                               (uint64_t)h->grid.z, &blocks))
        return wrong(t, value, "fewer than 2^64 blocks", e);
    return true;
}

static bool read_block(struct trace_header *h, const struct trace_text *t,
                       struct span value, struct error *e)
{
    uint64_t plane, most = (uint64_t)MAX_WARPS_A_BLOCK * WARP_LANES;

    if (!read_dims(&h->block, t, value, e))
        return false;
    plane = (uint64_t)h->block.x * h->block.y;
    if (plane > most || plane * h->block.z > most)
        return wrong(t, value, "at most 2048 threads a block", e);
    return true;
}

static bool read_shared(struct trace_header *h, const struct trace_text *t,
                        struct span value, struct error *e)
{
    int64_t n;

    if (!number(value, 0, MAX_SHARED_BYTES, &n))
        return wrong(t, value, "bytes of shared memory, 0 to 1048576", e);
    h->shared_bytes = (uint32_t)n;
    return true;
}

static bool read_regs(struct trace_header *h, const struct trace_text *t,
                      struct span value, struct error *e)
{
    int64_t n;

    if (!number(value, 1, MAX_REGISTERS, &n))
        return wrong(t, value, "registers a thread, 1 to 255", e);
    h->regs = (uint32_t)n;
    return true;
}

static bool read_arch(struct trace_header *h, const struct trace_text *t,
                      struct span value, struct error *e)
{
    int64_t n;

    if (!number(value, 0, INT32_MAX, &n) || !sass_arch_known((int)n))
        return wrong(t, value,
                     "a binary version from 35 (Kepler) to 90 (Hopper)", e);
    h->arch = (int)n;
    return true;
}

static bool read_version(struct trace_header *h, const struct trace_text *t,
                         struct span value, struct error *e)
{
    int64_t n;

    if (!number(value, 3, 5, &n))
        return wrong(t, value, "tracer version 3, 4 or 5", e);
    h->version = (int)n;
    return true;
}

static bool read_line_info(struct trace_header *h, const struct trace_text *t,
                           struct span value, struct error *e)
{
    int64_t n;

    if (!number(value, 0, 1, &n))
        return wrong(t, value, "0 or 1", e);
    h->line_info = n == 1;
    return true;
}

static bool read_address(uint64_t *out, const struct trace_text *t,
                         struct span value, struct error *e)
{
    struct span rest = value;

    if (!span_hex(&rest, out) || !span_empty(&rest))
        return wrong(t, value, "an address, hexadecimal", e);
    return true;
}

static bool read_shared_base(struct trace_header *h, const struct trace_text *t,
                             struct span value, struct error *e)
{
    return read_address(&h->shared_base, t, value, e);
}

static bool read_local_base(struct trace_header *h, const struct trace_text *t,
                            struct span value, struct error *e)
{
    return read_address(&h->local_base, t, value, e);
}

/* Lines "-key = value"; others are of no interest here. */
static const struct {
    const char *key;
    bool needed;
    bool (*read)(struct trace_header *h, const struct trace_text *t,
                 struct span value, struct error *e);
} keys[] = {
    {"kernel name", false, read_name},
    {"grid dim", true, read_grid},
    {"block dim", true, read_block},
    {"shmem", true, read_shared},
    {"nregs", true, read_regs},
    {"binary version", true, read_arch},
    {"accelsim tracer version", true, read_version},
    {"enable lineinfo", false, read_line_info},
    {"shmem base_addr", false, read_shared_base},
    {"local mem base_addr", false, read_local_base},
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* Split "-key = value". */
static bool split(struct span line, struct span *key, struct span *value)
{
    const char *equals = memchr(line.at, '=', (size_t)(line.end - line.at));

    if (equals == NULL)
        return false;
    *key = (struct span){line.at + 1, equals};
    while (key->end > key->at && key->end[-1] == ' ')
        key->end--;
    *value = (struct span){equals + 1, line.end};
    span_empty(value);
    return true;
}

static bool read_line(struct trace_header *h, const struct trace_text *t,
                      struct span line, struct error *e)
{
    struct span key, value;

    if (*line.at != '-' || !split(line, &key, &value))
        return wrong(t, line, "the header of a trace, \"-key = value\"", e);
    for (size_t i = 0; i < KEYS; i++)
        if (strlen(keys[i].key) == (size_t)(key.end - key.at) &&
            span_starts(key, keys[i].key)) {
            h->seen |= 1u << i;
            return keys[i].read(h, t, value, e);
        }
    return true;
}

static bool read_lines(struct trace_header *h, struct trace_text *t,
                       struct error *e)
{
    struct span line;

    for (;;) {
        enum trace_line got = trace_text_line(t, &line, e);

        if (got == TRACE_ERROR)
            return false;
        if (got == TRACE_END)
            return trace_fail(t, e, "%s, expected a trace",
                              t->line == 0 ? "empty file"
                                           : "file ends in the header");
        if (span_empty(&line))
            continue;
        if (*line.at == '#') {
            h->in_block = span_starts(line, "#BEGIN_TB");
            return true;
        }
        if (!read_line(h, t, line, e))
            return false;
    }
}

bool trace_header_read(struct trace_header *out, struct trace_text *t,
                       struct error *e)
{
    memset(out, 0, sizeof(*out));
    if (read_lines(out, t, e)) {
        size_t i = 0;

        while (i < KEYS && (!keys[i].needed || (out->seen >> i & 1) != 0))
            i++;
        if (i == KEYS)
            return true;
        trace_fail(t, e, "header without \"-%s\"", keys[i].key);
    }
    free(out->name);
    out->name = NULL;
    return false;
}
