/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointers into buffers as written: "@NAME", "@NAME+64", "@NAME-0x40". */
#include "kernels/ptx/launch/argument.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET_CHARS 32

bool ptx_argument_points(const char *text)
{
    bool is_bytes =
        strncmp(text, "bytes:", 6) == 0 && strncmp(text + 6, "file:", 5) != 0;
    return text[0] == '@' || strncmp(text, "tmap:", 5) == 0 ||
           (is_bytes && strchr(text, '@') != NULL);
}

static bool read_offset(const char *text, size_t length, int64_t *out)
{
    char number[OFFSET_CHARS], *end;
    if (length < 2 || length >= sizeof(number) ||
        !isdigit((unsigned char)text[1]))
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    errno = 0;
    *out = strtoll(number, &end, 0);
    return errno == 0 && *end == '\0';
}

bool ptx_pointer_parse(struct ptx_pointer *out, const char *text, size_t length)
{
    return length > 0 && text[0] == '@' &&
           ptx_pointer_named(out, text + 1, length - 1);
}

bool ptx_pointer_named(struct ptx_pointer *out, const char *text, size_t length)
{
    size_t name = 0;
    while (name < length && text[name] != '+' && text[name] != '-')
        name++;
    out->name = text;
    out->length = name;
    out->offset = 0;
    out->at = 0;
    return out->length > 0 &&
           (name == length ||
            read_offset(text + name, length - name, &out->offset));
}

bool ptx_pointer_address(const struct ptx_pointer *p,
                         const struct ptx_memory *m,
                         const struct ptx_spec *spec, uint64_t *out,
                         struct error *e)
{
    for (size_t i = 0; i < m->buffers; i++) {
        const struct ptx_buffer *b = &m->buffer[i];
        if (b->name == NULL || strlen(b->name) != p->length ||
            memcmp(b->name, p->name, p->length) != 0)
            continue;
        *out = b->address + (uint64_t)p->offset;
        return true;
    }
    return error_set(e, STATUS_BAD_INPUT, "%s %s: found no buffer '%.*s'",
                     spec->option, spec->text, (int)p->length, p->name);
}
