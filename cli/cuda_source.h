/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUDA sources as inputs: nvcc makes PTX of them. */
#ifndef CLI_CUDA_SOURCE_H
#define CLI_CUDA_SOURCE_H

#include "cli/options.h"

/* Put the PTX of every input that ends in .cu in its place, for the
 * architecture of the first GPU of --gpu, or nvcc's own where that is not
 * given. It is kept in the cache folder under a hash of source, architecture
 * and compiler, unless the source includes files of its own. What is run is
 * noted. ESTIMATE_BAD_INPUT with the compiler's first error when it refuses. */
bool cuda_sources_compile(struct options *o, struct estimate_error *e);

/* An error of the whole of such PTX is one of its source: name that. One of a
 * line of it stays as it is. */
void cuda_sources_name(const struct options *o, struct estimate_error *e);

#endif
