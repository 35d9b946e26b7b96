/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device: the GPU that is being estimated, the only one there is. */
#include "cuda/runtime.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#ifndef CUDA_RUNTIME_VERSION
#define CUDA_RUNTIME_VERSION 13000 /* 1000 x major + 10 x minor */
#endif

#define SHARED_STATIC_MAX                                                      \
    49152                    /* bytes of a block, without asking for more      \
                              */
#define SHARED_RESERVED 1024 /* bytes of a block from sm_80 on */
#define CONSTANT_BYTES  65536
#define THREADS_MAX     1024

struct facts { /* of the GPU, as the interface has them */
    int major, minor, sms, threads, blocks, registers, bus_bits;
    int core_khz, memory_khz, l2_bytes, l2_persisting;
    size_t shared_sm, shared_block, memory_bytes;
};

static double key(const struct runtime *r, const char *name)
{
    struct estimate_error e;
    const struct estimate_key *k = estimate_key_find(name, &e);
    return k != NULL ? estimate_gpu_get(r->machine.gpu, k) : 0;
}

/* What may be set aside for accesses that persist: from 8.0 on three quarters
 * of the L2, 30 of 40 MB of an A100 (CUDA C++ Programming Guide, "L2 Set-Aside
 * Cache for Persisting Accesses"; NVIDIA A100 Tensor Core GPU Architecture). */
static int persisting_of(int arch, int l2_bytes)
{
    return arch >= 80 ? l2_bytes / 4 * 3 : 0;
}

static struct facts facts_of(const struct runtime *r)
{
    int arch = (int)key(r, "arch"), l2 = (int)(1024 * key(r, "l2.size_kb"));
    size_t shared = (size_t)key(r, "sm.shared_bytes"),
           reserved = (size_t)key(r, "sm.shared_reserved");
    double mhz = key(r, "clock.dram_mhz"), gbps = key(r, "dram.gbps");
    return (struct facts){
        .major = arch / 10,
        .minor = arch % 10,
        .sms = (int)key(r, "sms"),
        .threads = (int)key(r, "sm.max_threads"),
        .blocks = (int)key(r, "sm.max_blocks"),
        .registers = (int)key(r, "sm.registers"),
        .core_khz = (int)(1000 * key(r, "clock.core_mhz")),
        .memory_khz = (int)(1000 * mhz),
        /* two beats a clock */
        .bus_bits = mhz > 0 ? (int)(8e3 * gbps / (2 * mhz) + 0.5) : 0,
        .l2_bytes = l2,
        .l2_persisting = persisting_of(arch, l2),
        .shared_sm = shared,
        .shared_block = shared > reserved ? shared - reserved : 0,
        .memory_bytes = (size_t)ESTIMATE_DEVICE_BYTES >> 4,
    };
}

/* ---- which device -------------------------------------------------------- */

CUDA_API cudaError_t cudaGetDeviceCount(int *out)
{
    *out = 1;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGetDevice(int *out)
{
    *out = 0;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaSetDevice(int device)
{
    struct runtime *r = runtime_enter();
    return runtime_leave(r, device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

CUDA_API cudaError_t cudaChooseDevice(int *out, const void *wanted)
{
    (void)wanted;
    *out = 0;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDriverGetVersion(int *out)
{
    *out = CUDA_RUNTIME_VERSION;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaRuntimeGetVersion(int *out)
{
    *out = CUDA_RUNTIME_VERSION;
    return cudaSuccess;
}

/* ---- properties ---------------------------------------------------------- */

/* Versions 11 and 12 have a few fields more, in between, than 13. */
#define BEFORE_13 (CUDA_RUNTIME_VERSION < 13000)

struct properties { /* fields that are not named stay 0 */
    char name[256];
    char uuid[16], luid[8];
    unsigned luid_mask;
    size_t memory_bytes, shared_block;
    int registers, warp_lanes;
    size_t pitch_max;
    int block_threads, block_side[3], grid_side[3];
#if BEFORE_13
    int core_khz;
#endif
    size_t constant_bytes;
    int major, minor;
    size_t texture_alignment, texture_pitch;
#if BEFORE_13
    int overlap;
#endif
    int sms;
#if BEFORE_13
    int timeout;
#endif
    int integrated, maps_host;
#if BEFORE_13
    int compute_mode;
#endif
    int textures[39];
    size_t surface_alignment;
    int concurrent, ecc, pci[3], tcc, copy_engines, unified;
#if BEFORE_13
    int memory_khz;
#endif
    int bus_bits, l2_bytes, l2_persisting, sm_threads, priorities, l1_global,
        l1_local;
    size_t shared_sm;
    int sm_registers, managed, boards, board_group, host_atomics;
#if BEFORE_13
    int double_ratio;
#endif
    int pageable, managed_at_once, preemption, host_pointers, cooperative;
#if BEFORE_13
    int cooperative_devices;
#endif
    size_t shared_optin;
    int page_tables, direct_managed, sm_blocks, window;
    size_t shared_reserved;
#if CUDA_RUNTIME_VERSION >= 12000
    int rest[76];
#endif
};

#if !BEFORE_13
_Static_assert(sizeof(struct properties) == 1008 &&
                   offsetof(struct properties, sms) == 384 &&
                   offsetof(struct properties, concurrent) == 560 &&
                   offsetof(struct properties, shared_sm) == 624 &&
                   offsetof(struct properties, shared_reserved) == 696,
               "cudaDeviceProp of version 13");
#endif

static void describe(struct properties *p, const struct runtime *r)
{
    const struct facts f = facts_of(r);
    *p = (struct properties)
    {
        .memory_bytes = f.memory_bytes,
        .shared_block = f.shared_block < SHARED_STATIC_MAX ? f.shared_block
                                                           : SHARED_STATIC_MAX,
        .registers = f.registers, .warp_lanes = 32, .pitch_max = INT_MAX,
        .block_threads = THREADS_MAX,
        .block_side = {THREADS_MAX, THREADS_MAX, 64},
        .grid_side = {INT_MAX, 65535, 65535}, .constant_bytes = CONSTANT_BYTES,
        .major = f.major, .minor = f.minor, .texture_alignment = 512,
        .texture_pitch = 32, .sms = f.sms, .maps_host = 1,
        .surface_alignment = 512, .concurrent = 1, .copy_engines = 2,
        .unified = 1, .bus_bits = f.bus_bits, .l2_bytes = f.l2_bytes,
        .l2_persisting = f.l2_persisting, .window = f.l2_persisting,
        .sm_threads = f.threads, .l1_global = 1, .l1_local = 1,
        .shared_sm = f.shared_sm, .sm_registers = f.registers, .managed = 1,
        .managed_at_once = 1, .cooperative = 1, .shared_optin = f.shared_block,
        .sm_blocks = f.blocks, .shared_reserved = f.shared_sm - f.shared_block,
#if BEFORE_13
        .core_khz = f.core_khz, .memory_khz = f.memory_khz, .overlap = 1,
#endif
    };
    snprintf(p->name, sizeof(p->name), "%s", estimate_gpu_name(r->machine.gpu));
}

static cudaError_t properties(struct properties *out, int device)
{
    struct runtime *r = runtime_enter();
    if (device != 0)
        return runtime_leave(r, cudaErrorInvalidDevice);
    describe(out, r);
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaGetDeviceProperties(void *out, int device)
{
    return properties(out, device);
}

CUDA_API cudaError_t cudaGetDeviceProperties_v2(void *out, int device)
{
    return properties(out, device);
}

/* ---- attributes: enum cudaDeviceAttr ------------------------------------- */

CUDA_API cudaError_t cudaDeviceGetAttribute(int *out, int attribute, int device)
{
    struct runtime *r = runtime_enter();
    const struct facts f = facts_of(r);
    const struct {
        int attribute, value;
    } rows[] = {
        {1, THREADS_MAX},
        {2, THREADS_MAX},
        {3, THREADS_MAX},
        {4, 64},
        {5, INT_MAX},
        {6, 65535},
        {7, 65535},
        {8, SHARED_STATIC_MAX},
        {9, CONSTANT_BYTES},
        {10, 32},
        {11, INT_MAX},
        {12, f.registers},
        {13, f.core_khz},
        {14, 512},
        {15, 1},
        {16, f.sms},
        {19, 1},
        {30, 512},
        {31, 1},
        {36, f.memory_khz},
        {37, f.bus_bits},
        {38, f.l2_bytes},
        {39, f.threads},
        {40, 2},
        {41, 1},
        {51, 32},
        {75, f.major},
        {76, f.minor},
        {79, 1},
        {80, 1},
        {81, (int)f.shared_sm},
        {82, f.registers},
        {83, 1},
        {89, 1},
        {95, 1},
        {97, (int)f.shared_block},
        {99, 1},
        {106, f.blocks},
        {108, f.l2_persisting},
        {109, f.l2_persisting},
        {111, (int)(f.shared_sm - f.shared_block)},
        {115, 1},
        {120, f.major >= 9},
    };
    *out = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].attribute == attribute)
            *out = rows[i].value;
    return runtime_leave(r, device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
