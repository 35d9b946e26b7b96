/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the peephole simplifications share. */
#ifndef KERNELS_PTX_LOWER_PEEPHOLE_H
#define KERNELS_PTX_LOWER_PEEPHOLE_H

#include "kernels/ptx/lower/lower_code.h"

struct peephole {
    struct ptx_low_code *c;
    uint32_t ops;
    uint32_t *defs, *def_at, *uses; /* of a slot, among what remains */
};

/* Whether an op's mnemonic is in a list that NULL ends. */
bool ptx_is_one_of(const struct ptx_op *op, const char *const *mnemonic);

/* Whether an op reads, or writes, a slot, by the name it has there. */
bool ptx_reads(const struct ptx_op *op, int32_t slot);
bool ptx_writes(const struct ptx_op *op, int32_t slot);

/* Whether a slot holds at op `to` what it held at op `from`. */
bool ptx_is_unchanged(const struct peephole *s, int32_t slot, uint32_t from,
                      uint32_t to);

/* Whether an op adds whole numbers of so many bytes, whatever its lanes. */
bool ptx_is_add(const struct ptx_op *op, unsigned bytes);

/* fuse.c: drop what the op that reads it takes in, and note it in `fused`. */
void ptx_fuse(struct peephole *s);

#endif
