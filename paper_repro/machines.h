/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine of a paper's claims: the simulator that the paper used, in its
 * configuration, or the hardware where it used that or does not say how it
 * configured its simulator (perfsat). Beside it, never chosen by outcome, the
 * other of the two: the board by its data sheet, or the simulator. */
#ifndef PAPER_REPRO_MACHINES_H
#define PAPER_REPRO_MACHINES_H

struct machine {
    const char *paper, *gpu;
    const char *second; /* NULL: gpu is all there is */
    const char *study;  /* policies of estimates; NULL: its kernels are
                         * applications, or on a mesh */
};

/* Ends with a NULL paper. perfsat's K20X follows from its M2090
 * (saturation.h). */
extern const struct machine machines[];
/* NULL: no such paper. */
const struct machine *machine_of(const char *paper);

#endif
