/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/runtime.h"

struct error_row {
    cudaError_t error;
    const char *name, *text;
};

#define ROW(name, text)                                                        \
    {                                                                          \
        name, #name, text                                                      \
    }

static const struct error_row rows[] = {
    ROW(cudaSuccess, "no error"),
    ROW(cudaErrorInvalidValue, "invalid argument"),
    ROW(cudaErrorMemoryAllocation, "out of memory"),
    ROW(cudaErrorInitializationError, "initialization error"),
    ROW(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ROW(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ROW(cudaErrorInvalidSymbol, "invalid device symbol"),
    ROW(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    ROW(cudaErrorInvalidTexture, "invalid texture reference"),
    ROW(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ROW(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ROW(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ROW(cudaErrorInvalidDevice, "invalid device ordinal"),
    ROW(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ROW(cudaErrorNoKernelImageForDevice,
        "no kernel image is available for execution on the device"),
    ROW(cudaErrorPeerAccessUnsupported,
        "peer access is not supported between these two devices"),
    ROW(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ROW(cudaErrorIllegalState, "operation not permitted in this state"),
    ROW(cudaErrorNotReady, "device not ready"),
    ROW(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ROW(cudaErrorLaunchOutOfResources,
        "too many resources requested for launch"),
    ROW(cudaErrorHostMemoryAlreadyRegistered,
        "part or all of the requested memory range is already mapped"),
    ROW(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ROW(cudaErrorLaunchFailure, "unspecified launch failure"),
    ROW(cudaErrorCooperativeLaunchTooLarge,
        "too many blocks in cooperative launch"),
    ROW(cudaErrorNotSupported, "operation not supported"),
    ROW(cudaErrorStreamCaptureUnsupported,
        "operation not permitted when stream is capturing"),
    ROW(cudaErrorUnknown, "unknown error"),
};

static const struct error_row *row_of(cudaError_t error)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].error == error)
            return &rows[i];
    return NULL;
}

CUDA_API const char *cudaGetErrorName(cudaError_t error)
{
    const struct error_row *row = row_of(error);
    return row != NULL ? row->name : "unrecognized error code";
}

CUDA_API const char *cudaGetErrorString(cudaError_t error)
{
    const struct error_row *row = row_of(error);
    return row != NULL ? row->text : "unrecognized error code";
}

CUDA_API cudaError_t cudaPeekAtLastError(void)
{
    struct runtime *r = runtime_enter();
    cudaError_t last = r->last_error;
    runtime_leave(r, cudaSuccess);
    return last;
}

CUDA_API cudaError_t cudaGetLastError(void)
{
    struct runtime *r = runtime_enter();
    cudaError_t last = r->last_error;
    r->last_error = cudaSuccess;
    runtime_leave(r, cudaSuccess);
    return last;
}
