/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a warp as bytes: of each what differs from the one before,
 * mostly one byte. */
#ifndef KERNELS_FORM_STEP_BYTES_H
#define KERNELS_FORM_STEP_BYTES_H

#include "kernels/form/kernel.h"

/* What a step of a warp leaves for the next one. */
struct last_step {
    uint32_t inst, mask;
    int64_t stride;
};

/* Of a warp that has made none. */
#define NO_STEP ((struct last_step){.inst = NO_INST})

struct step_writer {
    uint8_t *bytes;        /* the caller's to free */
    size_t count, room;    /* of them: written, and at most so far */
    struct last_step last; /* at first NO_STEP */
};

/* Where a reader is: at == end behind the last step. */
struct step_reader {
    const uint8_t *at, *end;
    struct last_step last; /* at first NO_STEP */
};

/* A step of kernel k at the end. False without memory. */
bool step_write(struct step_writer *w, const struct kernel *k,
                const struct step *s);

/* The next step, of what a front end tells all that may be looked at: lanes
 * that are off, and counts where the instruction has none, stay as they are. */
void step_read(struct step_reader *r, const struct kernel *k, struct step *out);

#endif
