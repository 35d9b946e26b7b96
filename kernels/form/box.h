/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines and sectors of a copy without registers (struct box), one row after
 * another. Used by both engines. */
#ifndef KERNELS_FORM_BOX_H
#define KERNELS_FORM_BOX_H

#include "kernels/form/coalesce.h"

struct box_walk {
    struct box box;
    uint64_t base;
    uint64_t row; /* of all rows, the first side running fastest */
    uint64_t at;  /* byte of the row */
};

/* At the first byte of an ADDR_BOX step. */
struct box_walk box_begin(const struct step *s);

/* The next line of the box with its sectors; false behind the last. Lines as
 * coalesce() has them. */
bool box_next(struct box_walk *w, unsigned line_bytes, unsigned sector_bytes,
              struct transaction *out);

/* All bytes of the box. */
uint64_t box_bytes(const struct box *b);

#endif
