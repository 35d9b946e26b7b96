/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/now.h"

#include "cuda/function.h"
#include "cuda/stream.h"

cudaError_t launch_now(const void *host, const struct estimate_call *call)
{
    struct runtime *r = runtime_enter();
    struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    if (call->shared_bytes > function_shared_max(k))
        return runtime_leave(r, cudaErrorInvalidValue);
    return runtime_leave(r, launches_run(r->launches, k, call));
}

cudaError_t record_now(cudaEvent_t event)
{
    struct runtime *r = runtime_enter();
    event->is_recorded = true;
    event->launches = launches_count(r->launches);
    return runtime_leave(r, cudaSuccess);
}
