/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments of a launch as written: "5", "f32:0.5", "@NAME[+OFFSET]",
 * "bytes:PART[,PART..]", "bytes:file:PATH",
 * "buf:COUNT:TYPE[:pad=BYTES][:at=ADDRESS][:FILL][:NAME]",
 * "tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL[:MODE..][:at=ADDRESS][:FILL][:NAME]",
 * "tmap:NAME[+OFFSET]:TYPE:SIDES:BOX[:SWIZZLE][:stride=..]" (manual page,
 * --arg). */
#ifndef KERNELS_PTX_LAUNCH_ARGUMENT_H
#define KERNELS_PTX_LAUNCH_ARGUMENT_H

#include "kernels/ptx/execute/memory.h"

/* @NAME[+OFFSET], to be the address of a buffer. */
struct ptx_pointer {
    const char *name; /* in the text given */
    size_t length;
    int64_t offset;
    size_t at; /* the byte of the argument where it begins */
};

struct ptx_argument {
    bool is_buffer;
    struct ptx_buffer buffer;    /* not placed yet; owns its name and bytes */
    uint8_t type;                /* of a number: PTX_NO_TYPE: the parameter's */
    const char *number;          /* in the text given */
    uint8_t *bytes;              /* NULL: it is one of the others; owned */
    size_t count;                /* of them */
    struct ptx_pointer *pointer; /* in the bytes; owned */
    size_t pointers;
};

/* An argument as written, and what messages call it: "--arg" on the command
 * line. */
struct ptx_spec {
    const char *option, *text;
};

/* What `spec` says; its text must outlive *out. Relative paths of files are
 * seen from the working folder. False with e set, nothing is left to free. */
bool ptx_argument_parse(struct ptx_argument *out, const struct ptx_spec *spec,
                        struct error *e);
void ptx_argument_free(struct ptx_argument *a);

/* Whether a text has a pointer in it: other arguments have to be placed first.
 */
bool ptx_argument_points(const char *text);
/* "@NAME[+OFFSET]", all `length` characters. False when it is none. */
bool ptx_pointer_parse(struct ptx_pointer *out, const char *text,
                       size_t length);
/* Likewise without the @. */
bool ptx_pointer_named(struct ptx_pointer *out, const char *text,
                       size_t length);
/* The address in that memory. False with e set: there is no such buffer. */
bool ptx_pointer_address(const struct ptx_pointer *p,
                         const struct ptx_memory *m,
                         const struct ptx_spec *spec, uint64_t *out,
                         struct error *e);
/* The fill of a buffer whose type and bytes are set: "iota:0:2", "file:PATH".
 * What it read is owned by the buffer. */
bool ptx_fill_parse(struct ptx_buffer *b, const char *fill,
                    const struct ptx_spec *spec, struct error *e);

/* The bits of a number as a value of `type`. False when it is none. */
bool ptx_number_bits(const char *text, enum ptx_type type, uint64_t *out);

#endif
