/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef KERNELS_TARGET_H
#define KERNELS_TARGET_H

/* The architecture that an input's code is for, sm_ number: a PTX file's
 * .target, the binary version of a trace's first kernel. Only the beginnings of
 * files are read. 0: it does not say, or cannot be read. */
int input_target(const char *input);

#endif
