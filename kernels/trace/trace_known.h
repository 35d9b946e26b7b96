/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instruction lines that were read before: warps of one kernel repeat most of
 * theirs, to the byte, and what such a line means need not be worked out
 * again. A fixed number is kept, the latest of those that share a place. */
#ifndef KERNELS_TRACE_TRACE_KNOWN_H
#define KERNELS_TRACE_TRACE_KNOWN_H

#include "kernels/form/kernel.h"
#include "kernels/trace/trace_text.h"

#include <stdbool.h>
#include <stddef.h>

/* 32 listed addresses of 48 bits and what stands before them. */
#define KNOWN_BYTES 544

/* What a line means: its entry in the table of static instructions, and the
 * step that it is, addresses relative to their space. */
struct known_line {
    uint32_t entry;
    struct step step;
    uint32_t length; /* of the text, 0: none is kept here */
    char text[KNOWN_BYTES];
};

struct trace_known {
    struct known_line *line; /* [KNOWN_LINES] */
};

/* False when memory is out; trace_known_free() is due in either case. */
bool trace_known_init(struct trace_known *k);
void trace_known_free(struct trace_known *k);

/* The place of a line, NULL when it is of a length that is not kept. */
struct known_line *trace_known_place(const struct trace_known *k,
                                     struct span line);
/* Whether it is the line that is kept there. */
bool trace_known_holds(const struct known_line *place, struct span line);
/* Keep it there, in the place of any other. */
void trace_known_keep(struct known_line *place, struct span line,
                      uint32_t entry, const struct step *step);

#endif
