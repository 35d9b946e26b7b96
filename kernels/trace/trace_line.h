/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One instruction line of a trace, tracer versions 3 to 5:
 *
 *   [line] PC mask ndst [dst] opcode nsrc [src] width [mode addresses] [imm]
 *
 * `line` stands there with "-enable lineinfo = 1", `imm` from version 5 on. PC,
 * mask and addresses are hexadecimal. With width > 0 addresses follow: mode 0
 * lists one for each active lane; mode 1 is the first active lane's and the
 * stride to the next lane; mode 2 is the first active lane's and, for each
 * further one, the difference to the one before. Some tracers add the values
 * stored ("STORE_DATA ..."), which are skipped. */
#ifndef KERNELS_TRACE_TRACE_LINE_H
#define KERNELS_TRACE_TRACE_LINE_H

#include "kernels/form/kernel.h"
#include "kernels/trace/sass.h"
#include "kernels/trace/trace_text.h"

/* The part of a line between mask and addresses: the same whenever an
 * instruction is executed. */
struct trace_static {
    struct sass_operands listed;
    struct span opcode;
    int64_t width;
};

/* Take it off s, which is left behind the width. */
bool trace_static_parse(struct trace_static *out, struct span *s,
                        const struct trace_text *t, struct error *e);

/* Take the mode and the addresses off s into out's form, base, stride and
 * lane_address; out->mask tells the active lanes. Lists with a constant stride
 * become ADDR_STRIDE. */
bool trace_addresses_parse(struct step *out, struct span *s,
                           const struct trace_text *t, struct error *e);

/* What may follow: an immediate (then *found) and stored values. */
bool trace_immediate_parse(int64_t *out, bool *found, struct span *s,
                           const struct trace_text *t, struct error *e);

/* Address of the first active lane, 0 when none is. */
uint64_t trace_first_address(const struct step *s);

/* Subtract `base` from every address. */
void trace_addresses_shift(struct step *s, uint64_t base);

#endif
