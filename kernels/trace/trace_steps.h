/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the instruction lines of a warp to its packed steps: static instruction,
 * lanes, where addresses lie, and which lanes a jump takes. */
#ifndef KERNELS_TRACE_TRACE_STEPS_H
#define KERNELS_TRACE_TRACE_STEPS_H

#include "kernels/trace/trace_code.h"
#include "kernels/trace/trace_insts.h"
#include "kernels/trace/trace_known.h"
#include "kernels/trace/trace_parse.h"

struct trace_steps {
    const struct trace_header *header;
    const struct trace_text *text;
    struct error *e;
    struct trace_insts insts;
    struct trace_known known;
    uint64_t local_low, local_high; /* range of local addresses */

    /* the warp being read */
    struct trace_encoder encoder;
    uint32_t before; /* entry of the instruction before, NO_INST: none */
    uint32_t jump;   /* number of it when it is a jump or exit, else NO_INST */
    uint32_t jump_mask;
    bool has_pending; /* a jump whose outcome the next instruction tells */
    struct step pending;
};

void trace_steps_begin(struct trace_steps *p, struct trace_spool *spool);
/* Add a line of the warp. */
bool trace_steps_line(struct trace_steps *p, struct span line);
void trace_steps_end(struct trace_steps *p);

#endif
