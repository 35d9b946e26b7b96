/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/print.h"

#include "kernels/ptx/execute/access.h"

#include <stdio.h>
#include <string.h>

#define TEXT_MAX       1024 /* characters of a format or a string */
#define CONVERSION_MAX 32   /* "%-08.3lld" */

/* What a lane prints from. */
struct call {
    struct ptx_block *b;
    const struct ptx_warp *w;
    const struct ptx_op *op;
    int lane;
    uint64_t values;
    FILE *f;
};

static bool read_bytes(const struct call *c, uint64_t address, uint64_t bytes,
                       void *out)
{
    const struct ptx_access a = {.space = PTX_GENERIC,
                                 .lane = c->lane,
                                 .address = address,
                                 .bytes = bytes};
    const uint8_t *at = ptx_bytes_at(c->b, c->w, c->op, &a);
    if (at != NULL)
        memcpy(out, at, bytes);
    return at != NULL;
}

static bool read_text(const struct call *c, uint64_t address,
                      char out[TEXT_MAX])
{
    size_t n = 0;
    for (; n + 1 < TEXT_MAX; n++)
        if (!read_bytes(c, address + n, 1, &out[n]))
            return false;
        else if (out[n] == '\0')
            return true;
    out[n] = '\0';
    return true;
}

/* The next value, of 4 or 8 bytes. */
static bool next_value(struct call *c, uint64_t bytes, uint64_t *out)
{
    uint64_t at = (c->values + bytes - 1) & ~(bytes - 1);
    *out = 0;
    c->values = at + bytes;
    return read_bytes(c, at, bytes, out);
}

/* Print a value by its conversion: `flags` stand between % and its letter,
 * without lengths. */
static bool put_value(struct call *c, const char *flags, bool is_long,
                      char letter)
{
    char conversion[CONVERSION_MAX + 8], text[TEXT_MAX];
    uint64_t bits;
    double real;
    bool is_real = strchr("aAeEfFgG", letter) != NULL;
    bool is_wide = is_real || is_long || letter == 's' || letter == 'p';
    if (!next_value(c, is_wide ? 8 : 4, &bits))
        return false;
    snprintf(conversion, sizeof(conversion), "%%%s%s%c", flags,
             is_real || letter == 's' || letter == 'c' ? "" : "ll",
             letter == 'p' ? 'x' : letter);
    if (is_real) {
        memcpy(&real, &bits, sizeof(real));
        fprintf(c->f, conversion, real);
    } else if (letter == 's') {
        if (!read_text(c, bits, text))
            return false;
        fprintf(c->f, conversion, text);
    } else if (letter == 'c') {
        fprintf(c->f, conversion, (int)bits);
    } else {
        bool is_signed = letter == 'd' || letter == 'i';
        long long value =
            is_signed && !is_wide ? (long long)(int32_t)bits : (long long)bits;
        fputs(letter == 'p' ? "0x" : "", c->f);
        fprintf(c->f, conversion, value);
    }
    return true;
}

/* What stands behind a %, to behind its letter in *text; a conversion that C
 * does not have is printed as it stands. */
static bool put_conversion(struct call *c, const char **text)
{
    char flags[CONVERSION_MAX];
    const char *from = *text, *at = from;
    size_t n = strspn(at, "-+ #0123456789.");
    bool is_long = false;
    if (*at == '%' || n >= sizeof(flags)) {
        fputc('%', c->f);
        *text = *at == '%' ? at + 1 : at;
        return true;
    }
    memcpy(flags, at, n);
    flags[n] = '\0';
    for (at += n; *at != '\0' && strchr("hlLjzt", *at) != NULL; at++)
        is_long |= *at != 'h' && *at != 'L';
    if (*at == '\0' || strchr("diouxXcspaAeEfFgG", *at) == NULL) {
        fprintf(c->f, "%%%.*s", (int)(at - from), from);
        *text = at;
        return true;
    }
    *text = at + 1;
    return put_value(c, flags, is_long, *at);
}

void ptx_print(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, int lane, uint64_t format,
               uint64_t values)
{
    char text[TEXT_MAX];
    struct call c = {b, w, op, lane, values, b->launch->print};
    if (!read_text(&c, format, text))
        return;
    for (const char *at = text; *at != '\0';)
        if (*at != '%')
            fputc(*at++, c.f);
        else if (at++, !put_conversion(&c, &at))
            return;
}
