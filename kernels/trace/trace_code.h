/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a warp's steps are packed: a byte for a run of up to 128 instructions
 * that follow one another with the same lanes and neither addresses nor a jump,
 * else a tag byte and what differs from the step before. Integers are base-128,
 * low part first, signed ones folded to 0, -1, 1, -2, ...
 *
 *   1nnnnnnn   run of n + 1 instructions
 *   0.......   bit 0: not the next instruction: its distance follows
 *              bits 1-2: lanes as before / as before those / new ones follow
 *              bits 3-4: no address / stride as before / stride follows / list
 *              bits 5-6: no lane jumps / all do / those that do follow
 *
 * Addresses are the first active lane's, less that of the warp's access before,
 * then for a list the differences from lane to lane. */
#ifndef KERNELS_TRACE_TRACE_CODE_H
#define KERNELS_TRACE_TRACE_CODE_H

#include "kernels/form/kernel.h"
#include "kernels/trace/trace_spool.h"

/* What both sides remember of a warp. */
struct trace_code {
    uint32_t inst, mask, mask_before;
    uint64_t address; /* first active lane's, of the access before */
    int64_t stride;
};

/* Tag, instruction, lanes and jumping lanes of up to 5 bytes, 32 addresses and
 * a stride of up to 10. */
#define TRACE_RECORD_MAX (1 + 3 * 5 + 33 * 10)

void trace_code_start(struct trace_code *c);

/* Packs one warp after the other into a spool. */
struct trace_encoder {
    struct trace_spool *spool;
    struct trace_code code;
    uint32_t run;
};

void trace_encode_start(struct trace_encoder *w, struct trace_spool *spool);
/* s->base is lane 0's address, as everywhere. */
void trace_encode(struct trace_encoder *w, const struct step *s);
void trace_encode_end(struct trace_encoder *w);

/* Reads a warp's records through a small window. */
#define TRACE_WINDOW 1024
struct trace_decoder {
    uint64_t next, end; /* part of the spool not read yet */
    struct trace_code code;
    uint32_t run;
    uint32_t at, fill;
    uint8_t window[TRACE_WINDOW];
};

void trace_decode_start(struct trace_decoder *r, uint64_t start, uint64_t end);

enum trace_decoded { TRACE_STEP, TRACE_NO_STEP, TRACE_READ_FAILED };
/* out->inst is what was encoded. Only fields that out->form needs are set. */
enum trace_decoded trace_decode(struct trace_decoder *r,
                                const struct trace_spool *spool,
                                struct step *out);

#endif
