/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What streams do, done at once. These take the runtime's lock. */
#ifndef CUDA_NOW_H
#define CUDA_NOW_H

#include "cuda/copy.h"

/* Launch the kernel that `host` stands for. */
cudaError_t launch_now(const void *host, const struct estimate_call *call);
/* Let an event be now. */
cudaError_t record_now(cudaEvent_t event);

#endif
