/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_text.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES    (1u << 20)
#define XZ_INPUT_BYTES  (1u << 16)
#define XZ_MEMORY_LIMIT (UINT64_C(1) << 31) /* xz -9 takes 65 MiB */

struct trace_xz {
    lzma_stream stream;
    bool input_ended, done;
    uint8_t input[XZ_INPUT_BYTES];
};

/* ---- hash: multiply and fold, eight bytes at a time --------------------- */

uint64_t trace_hash_add(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

static void hash_bytes(struct trace_text *t, const char *bytes, size_t n)
{
    while (n > 0 && t->hash_rest_bytes > 0) {
        t->hash_rest |= (uint64_t)(uint8_t)*bytes << (8 * t->hash_rest_bytes);
        bytes++;
        n--;
        if (++t->hash_rest_bytes < 8)
            continue;
        t->hash = trace_hash_add(t->hash, t->hash_rest);
        t->hash_rest = t->hash_rest_bytes = 0;
    }
    for (; n >= 8; n -= 8, bytes += 8) {
        uint64_t word;

        memcpy(&word, bytes, 8);
        t->hash = trace_hash_add(t->hash, word);
    }
    for (; n > 0; n--, bytes++)
        t->hash_rest |= (uint64_t)(uint8_t)*bytes << (8 * t->hash_rest_bytes++);
}

uint64_t trace_text_hash(const struct trace_text *t)
{
    uint64_t hash = trace_hash_add(t->hash, t->hash_rest);

    return trace_hash_add(hash, t->hash_rest_bytes);
}

/* ---- errors ------------------------------------------------------------- */

#define MESSAGE_BYTES 384

static bool report(const struct trace_text *t, uint64_t line, struct error *e,
                   const char *message)
{
    return error_set(e, STATUS_BAD_INPUT, "%s:%llu: %s", t->path,
                     (unsigned long long)line, message);
}

bool trace_fail(const struct trace_text *t, struct error *e, const char *format,
                ...)
{
    char message[MESSAGE_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    return report(t, t->line > 0 ? t->line : 1, e, message);
}

bool trace_fail_at(const struct trace_text *t, uint64_t line, struct error *e,
                   const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    return report(t, line, e, message);
}

const char *trace_show(char out[SHOWN_SIZE], struct span text)
{
    size_t n = (size_t)(text.end - text.at);
    bool cut = n > SHOWN_SIZE - 4;

    n = cut ? SHOWN_SIZE - 4 : n;
    for (size_t i = 0; i < n; i++)
        out[i] = text.at[i] >= ' ' && text.at[i] <= '~' ? text.at[i] : '?';
    memcpy(out + n, cut ? "..." : "", cut ? 4 : 1);
    return out;
}

/* ---- reading ------------------------------------------------------------ */

static ssize_t read_some(struct trace_text *t, void *out, size_t n,
                         struct error *e)
{
    ssize_t got;

    do
        got = read(t->fd, out, n);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        error_set(e, STATUS_BAD_INPUT, "%s: cannot be read: %s", t->path,
                  strerror(errno));
    return got;
}

static bool xz_fail(const struct trace_text *t, lzma_ret code, struct error *e)
{
    if (code == LZMA_BUF_ERROR)
        return trace_fail(t, e, "compressed data ends too early");
    if (code == LZMA_MEM_ERROR)
        return error_no_memory(e);
    return trace_fail(t, e, "compressed data is damaged (xz error %d)",
                      (int)code);
}

/* Decompress up to n bytes; the number, 0 at the end, -1 on an error. */
static ssize_t read_xz(struct trace_text *t, void *out, size_t n,
                       struct error *e)
{
    struct trace_xz *xz = t->xz;

    xz->stream.next_out = out;
    xz->stream.avail_out = n;
    while (!xz->done && xz->stream.avail_out == n) {
        lzma_ret code;

        if (xz->stream.avail_in == 0 && !xz->input_ended) {
            ssize_t got = read_some(t, xz->input, sizeof(xz->input), e);

            if (got < 0)
                return -1;
            xz->input_ended = got == 0;
            xz->stream.next_in = xz->input;
            xz->stream.avail_in = (size_t)got;
        }
        code = lzma_code(&xz->stream, xz->input_ended ? LZMA_FINISH : LZMA_RUN);
        if (code != LZMA_OK && code != LZMA_STREAM_END) {
            xz_fail(t, code, e);
            return -1;
        }
        xz->done = code == LZMA_STREAM_END;
    }
    return (ssize_t)(n - xz->stream.avail_out);
}

/* Move what is left to the front and fill the buffer up. */
static bool refill(struct trace_text *t, struct error *e)
{
    memmove(t->buffer, t->buffer + t->at, t->fill - t->at);
    t->fill -= t->at;
    t->at = 0;
    while (!t->ended && t->fill < BUFFER_BYTES) {
        char *to = t->buffer + t->fill;
        size_t room = BUFFER_BYTES - t->fill;
        ssize_t got =
            t->xz != NULL ? read_xz(t, to, room, e) : read_some(t, to, room, e);

        if (got < 0)
            return false;
        hash_bytes(t, to, (size_t)got);
        t->ended = got == 0;
        t->fill += (size_t)got;
    }
    return true;
}

static bool start_xz(struct trace_text *t, struct error *e)
{
    t->xz = calloc(1, sizeof(*t->xz));
    if (t->xz == NULL)
        return error_no_memory(e);
    t->xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&t->xz->stream, XZ_MEMORY_LIMIT,
                            LZMA_CONCATENATED) != LZMA_OK)
        return error_no_memory(e);
    return true;
}

/* The first bytes tell an xz file, not its name. */
static bool detect(struct trace_text *t, struct error *e)
{
    static const uint8_t magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    uint8_t head[sizeof(magic)];
    ssize_t got = read_some(t, head, sizeof(head), e);

    if (got < 0)
        return false;
    if (lseek(t->fd, 0, SEEK_SET) != 0)
        return error_set(e, STATUS_BAD_INPUT, "%s: is not a regular file",
                         t->path);
    if (got == (ssize_t)sizeof(magic) &&
        memcmp(head, magic, sizeof(magic)) == 0)
        return start_xz(t, e);
    return true;
}

bool trace_text_open(struct trace_text *t, const char *path, struct error *e)
{
    memset(t, 0, sizeof(*t));
    t->path = path;
    t->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (t->fd < 0)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    t->buffer = malloc(BUFFER_BYTES);
    if (t->buffer == NULL)
        error_no_memory(e);
    if (t->buffer == NULL || !detect(t, e)) {
        trace_text_close(t);
        return false;
    }
    return true;
}

void trace_text_close(struct trace_text *t)
{
    if (t->xz != NULL)
        lzma_end(&t->xz->stream);
    free(t->xz);
    free(t->buffer);
    close(t->fd);
    t->xz = NULL;
    t->buffer = NULL;
}

enum trace_line trace_text_line(struct trace_text *t, struct span *out,
                                struct error *e)
{
    char *newline = memchr(t->buffer + t->at, '\n', t->fill - t->at);

    if (newline == NULL && !t->ended) {
        if (!refill(t, e))
            return TRACE_ERROR;
        newline = memchr(t->buffer, '\n', t->fill);
    }
    if (newline == NULL && t->at == t->fill)
        return TRACE_END;
    t->line++;
    if (newline == NULL && !t->ended) {
        trace_fail(t, e, "line of more than %u bytes", BUFFER_BYTES);
        return TRACE_ERROR;
    }
    out->at = t->buffer + t->at;
    out->end = newline != NULL ? newline : t->buffer + t->fill;
    t->at = (size_t)(out->end - t->buffer) + (newline != NULL ? 1 : 0);
    while (out->end > out->at && span_blank(out->end[-1]))
        out->end--;
    return TRACE_LINE;
}

/* ---- scanning ----------------------------------------------------------- */

bool span_starts(struct span s, const char *text)
{
    size_t n = strlen(text);

    return (size_t)(s.end - s.at) >= n && memcmp(s.at, text, n) == 0;
}

bool span_word(struct span *s, struct span *out)
{
    if (span_empty(s))
        return false;
    out->at = s->at;
    while (s->at < s->end && !span_blank(*s->at))
        s->at++;
    out->end = s->at;
    return true;
}

/* Value of a hexadecimal digit plus one; 0 for what is none. */
// clang-format off
static const uint8_t hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
    ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};
// clang-format on

/* Read the rest of a field whose digits from `first` to `at` have that value.
 */
static bool hex_rest(struct span *s, const char *first, const char *at,
                     uint64_t value, uint64_t *out)
{
    const char *end = s->end;
    uint64_t digit;

    for (; at < end && (digit = hex_digits[(uint8_t)*at]) != 0; at++)
        value = value << 4 | (digit - 1);
    if (at == first || at - first > 16 || (at < end && !span_blank(*at)))
        return false;
    s->at = at;
    *out = value;
    return true;
}

static bool has_hex_mark(const struct span *s)
{
    return s->end - s->at > 2 && s->at[0] == '0' &&
           (s->at[1] == 'x' || s->at[1] == 'X');
}

bool span_hex(struct span *s, uint64_t *out)
{
    const char *first;

    if (span_empty(s))
        return false;
    first = s->at + (has_hex_mark(s) ? 2 : 0);
    return hex_rest(s, first, first, 0, out);
}

/* Bytes at the beginning of s that are those of the field, as far as it is
 * worth to look. */
static int same_bytes(const struct span *s, const struct hex_field *f)
{
    ptrdiff_t room = s->end - s->at;
    int most = room < f->length ? (int)room : f->length;

    if (most < 8 || memcmp(s->at, f->at, 8) != 0)
        return 0;
    return most >= 12 && memcmp(s->at + 8, f->at + 8, 4) == 0 ? 12 : 8;
}

bool span_hex_like(struct span *s, struct hex_field *f)
{
    const char *at, *first;
    uint64_t value = f->value;
    int same;

    if (span_empty(s))
        return false;
    at = s->at;
    first = at + (has_hex_mark(s) ? 2 : 0);
    same = same_bytes(s, f);
    value = same > 0 ? value >> 4 * (f->length - same) : 0;
    if (!hex_rest(s, first, same > 0 ? at + same : first, value, &f->value))
        return false;
    f->at = at;
    f->length = (int)(s->at - at);
    return true;
}

bool span_decimal(struct span *s, int64_t *out)
{
    const char *at, *first;
    int64_t value = 0;
    bool negative;

    if (span_empty(s))
        return false;
    at = s->at;
    negative = *at == '-';
    at += negative ? 1 : 0;
    for (first = at; at < s->end && *at >= '0' && *at <= '9'; at++) {
        if (at - first >= 18)
            return false;
        value = value * 10 + (*at - '0');
    }
    if (at == first || (at < s->end && !span_blank(*at)))
        return false;
    s->at = at;
    *out = negative ? -value : value;
    return true;
}
