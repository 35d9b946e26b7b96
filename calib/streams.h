/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the warps of a kernel's blocks do, made once for all samples that run
 * them: it depends on no schedule and on no GPU. Runs read it through the
 * interface of any kernel. */
#ifndef CALIB_STREAMS_H
#define CALIB_STREAMS_H

struct kernel;
struct streams;

/* Nothing is made yet. `kernel` outlives it. NULL without memory. */
struct streams *streams_create(const struct kernel *kernel);
void streams_free(struct streams *s);

/* The same kernel. A block is kept when it is first opened, as far as
 * STREAMS_BYTES reach; what is not kept is made at every reading. Any number of
 * threads may read. */
const struct kernel *streams_kernel(const struct streams *s);

#endif
