/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies and fills that are asked for on a stream. */
#ifndef CUDA_QUEUE_H
#define CUDA_QUEUE_H

#include "cuda/stream.h"

/* Now, or when the graph is run that the stream is captured in. */
cudaError_t copy_on(cudaStream_t stream, const struct copied *c);
cudaError_t fill_on(cudaStream_t stream, const struct filled *f);

#endif
