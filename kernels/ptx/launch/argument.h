/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments of a launch as written: "5", "f32:0.5", "bytes:HEX",
 * "bytes:file:PATH", "buf:COUNT:TYPE[:FILL][:NAME]",
 * "tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL[:MODE..][:FILL][:NAME]" (manual page,
 * --arg). */
#ifndef KERNELS_PTX_LAUNCH_ARGUMENT_H
#define KERNELS_PTX_LAUNCH_ARGUMENT_H

#include "kernels/ptx/execute/memory.h"

struct ptx_argument {
    bool is_buffer;
    struct ptx_buffer buffer; /* not placed yet; owns its name and bytes */
    uint8_t type;             /* of a number: PTX_NO_TYPE: the parameter's */
    const char *number;       /* in the text given */
    uint8_t *bytes;           /* NULL: it is one of the others; owned */
    size_t count;             /* of them */
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

/* The bits of a number as a value of `type`. False when it is none. */
bool ptx_number_bits(const char *text, enum ptx_type type, uint64_t *out);

#endif
