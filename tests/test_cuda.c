/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CUDA runtime that stands in for the real one: fat binaries, addresses,
 * and programs as nvcc leaves them. */
#include "cuda/arena.h"
#include "cuda/fatbin.h"
#include "cuda/runtime.h"
#include "cuda/types.h"

#include <check.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* ---- fat binaries, written as nvcc writes them ----------------------------
 */

enum packing { PLAIN, LZ4, ZSTD };

#define ENTRY_BYTES 64

static size_t put_entry(uint8_t *at, int kind, unsigned arch, const char *text,
                        enum packing packing)
{
    size_t bytes = strlen(text) + 1, packed = bytes;
    uint8_t *body = at + ENTRY_BYTES;
    memset(at, 0, ENTRY_BYTES);
    if (packing == LZ4)
        packed = (size_t)LZ4_compress_default(
            text, (char *)body, (int)bytes, (int)LZ4_compressBound((int)bytes));
    else if (packing == ZSTD)
        packed = ZSTD_compress(body, ZSTD_compressBound(bytes), text, bytes, 3);
    else
        memcpy(body, text, bytes);
    size_t padded = (packed + 7) / 8 * 8;
    memset(body + packed, 0, padded - packed);
    const uint16_t kind_and_version[] = {(uint16_t)kind, 0x101};
    const uint32_t header = ENTRY_BYTES, size = (uint32_t)packed;
    const uint64_t flags = packing == LZ4    ? 0x2011
                           : packing == ZSTD ? 0x8011
                                             : 0x11,
                   room = padded, before = bytes;
    memcpy(at, kind_and_version, 4);
    memcpy(at + 4, &header, 4);
    memcpy(at + 8, &room, 8);
    memcpy(at + 16, packing == PLAIN ? &(uint32_t){0} : &size, 4);
    memcpy(at + 28, &arch, 4);
    memcpy(at + 40, &flags, 8);
    memcpy(at + 56, packing == PLAIN ? &(uint64_t){0} : &before, 8);
    return ENTRY_BYTES + padded;
}

static void close_binary(uint8_t *image, size_t bytes)
{
    const uint32_t magic = 0xba55ed50;
    const uint16_t version_and_header[] = {1, 16};
    const uint64_t size = bytes - 16;
    memcpy(image, &magic, 4);
    memcpy(image + 4, version_and_header, 4);
    memcpy(image + 8, &size, 8);
}

static const char old_text[] =
    "// the text for sm_70, long enough to be packed "
    "packed packed packed packed packed packed";
static const char new_text[] =
    "// the text for sm_90, long enough to be packed "
    "packed packed packed packed packed packed";

START_TEST(text_for_the_gpu)
{
    static const struct {
        unsigned arch;
        const char *expected;
    } rows[] = {{70, old_text},
                {80, old_text},
                {90, new_text},
                {100, new_text},
                {20, old_text}};
    uint8_t image[2048];
    struct estimate_error e;
    size_t size, at = 16;
    at += put_entry(image + at, 2, 80, "machine code", PLAIN);
    at += put_entry(image + at, 1, 90, new_text, (enum packing)_i);
    at += put_entry(image + at, 1, 70, old_text, (enum packing)_i);
    close_binary(image, at);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *text = fatbin_ptx(image, rows[i].arch, &size, &e);
        ck_assert_msg(text != NULL, "%s", e.text);
        ck_assert_str_eq(text, rows[i].expected);
        ck_assert_uint_eq(size, strlen(text));
        free(text);
    }
}
END_TEST

START_TEST(no_text)
{
    uint8_t image[256] = {0};
    struct estimate_error e;
    size_t size, at = 16;
    at += put_entry(image + at, 2, 80, "machine code", PLAIN);
    close_binary(image, at);
    ck_assert(fatbin_ptx(image, 80, &size, &e) == NULL);
    ck_assert(e.status == ESTIMATE_BAD_INPUT);
    ck_assert(strstr(e.text, "-arch=compute_75") != NULL);
    image[0] = 0;
    ck_assert(fatbin_ptx(image, 80, &size, &e) == NULL);
    ck_assert(e.status == ESTIMATE_BAD_INPUT);
}
END_TEST

/* What a linked program registers: crt/link.stub of nvcc. */
START_TEST(text_of_linked_objects)
{
    uint8_t whole[64] = {0}, one[512], device_runtime[512];
    const void *linked[] = {one, device_runtime, NULL, NULL};
    const struct {
        uint32_t magic, version;
        const uint8_t *data;
        const void *const *linked;
    } wrapper = {0x466243b1, 2, whole, linked};
    struct estimate_error e;
    size_t size;
    close_binary(whole, 16);
    close_binary(one, 16 + put_entry(one + 16, 1, 70, old_text, PLAIN));
    close_binary(device_runtime,
                 16 + put_entry(device_runtime + 16, 1, 121, new_text, PLAIN));
    char *text = fatbin_ptx(&wrapper, 80, &size, &e);
    ck_assert_msg(text != NULL, "%s", e.text);
    ck_assert_str_eq(text, old_text);
    free(text);
    linked[2] = one;
    ck_assert(fatbin_ptx(&wrapper, 80, &size, &e) == NULL);
    ck_assert(e.status == ESTIMATE_BAD_INPUT);
    ck_assert(strstr(e.text, "several objects (nvcc -rdc=true)") != NULL);
}
END_TEST

START_TEST(text_that_is_not_whole)
{
    uint8_t image[1024];
    struct estimate_error e;
    size_t size, at = 16;
    at += put_entry(image + at, 1, 70, old_text, ZSTD);
    close_binary(image, at);
    memset(image + 16 + ENTRY_BYTES + 8, 0xff, 16);
    ck_assert(fatbin_ptx(image, 80, &size, &e) == NULL);
    ck_assert(strstr(e.text, "cannot be unpacked") != NULL);
}
END_TEST

/* ---- addresses ------------------------------------------------------------
 */

/* One arena a process: its addresses are its own. */
START_TEST(addresses)
{
    struct arena a;
    struct estimate_error e;
    ck_assert_msg(arena_open(&a, &e), "%s", e.text);
    uint8_t *x = arena_take(&a, 100, MEMORY_DEVICE);
    uint8_t *y = arena_take(&a, 4096, MEMORY_MANAGED);
    ck_assert_uint_eq((uintptr_t)x, ESTIMATE_DEVICE_FIRST);
    ck_assert_int_eq(y - x, 2 * ESTIMATE_DEVICE_ALIGN); /* a page and a guard */
    ck_assert(arena_find(&a, x + 99) != NULL);
    ck_assert(arena_find(&a, x + 100) == NULL);
    ck_assert(arena_find(&a, y)->kind == MEMORY_MANAGED);
    ck_assert_uint_eq(arena_used(&a), 4196);
    memset(x, 7, 100);
    ck_assert(!arena_give(&a, x + 1));
    ck_assert(arena_give(&a, x));
    ck_assert(!arena_give(&a, x));
    ck_assert(arena_find(&a, x) == NULL);
    ck_assert(arena_take(&a, 50, MEMORY_DEVICE) == x); /* as much room */
    ck_assert_int_eq(x[0], 0);
    ck_assert(arena_take(&a, ESTIMATE_DEVICE_BYTES, MEMORY_DEVICE) == NULL);
    free(a.allocation);
}
END_TEST

START_TEST(changes)
{
    struct arena a;
    struct estimate_error e;
    ck_assert(arena_open(&a, &e));
    uint8_t *x = arena_take(&a, 8, MEMORY_DEVICE),
            *y = arena_take(&a, 8, MEMORY_DEVICE);
    uint64_t before = arena_find(&a, x)->changed,
             other = arena_find(&a, y)->changed;
    arena_change(&a, x + 4);
    ck_assert(arena_find(&a, x)->changed > before);
    ck_assert(arena_find(&a, y)->changed == other);
    free(a.allocation);
}
END_TEST

/* ---- a program as nvcc leaves it ------------------------------------------
 */

static const char kernels[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 runs;\n"
    ".const .align 4 .u32 step = 3;\n"
    /* out[i] = in[i] + step, and runs counts blocks */
    ".visible .entry add(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %d<6>;\n.reg .pred %p<2>;\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r1, %r1, %r2, %r3;\nld.param.u32 %r2, [n];\n"
    "setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra done;\n"
    "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\n"
    "mul.wide.u32 %d3, %r1, 4;\nadd.u64 %d1, %d1, %d3;\n"
    "add.u64 %d2, %d2, %d3;\nld.global.u32 %r4, [%d1];\n"
    "ld.const.u32 %r5, [step];\nadd.u32 %r4, %r4, %r5;\n"
    "st.global.u32 [%d2], %r4;\n"
    "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra done;\n"
    "atom.global.add.u32 %r6, [runs], 1;\n"
    "done:\nret;\n}\n"
    ".visible .entry copy(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %d<6>;\n"
    "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\n"
    "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\n"
    "add.u64 %d1, %d1, %d3;\nadd.u64 %d2, %d2, %d3;\n"
    "ld.global.u32 %r2, [%d1];\nst.global.u32 [%d2], %r2;\nret;\n}\n";

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *t, void *b,
                            void *bs, void *gs, int *ws);
void __cudaRegisterVar(void **handle, char *host, char *address,
                       const char *name, int external, size_t bytes,
                       int constant, int global);
cudaError_t cudaMalloc(void **out, size_t bytes);
cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags);
cudaError_t cudaFree(void *at);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset, int kind);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset, int kind);
cudaError_t cudaLaunchKernel(const void *host, struct cuda_dim3 grid,
                             struct cuda_dim3 block, void **args,
                             size_t shared_bytes, cudaStream_t stream);
cudaError_t cudaGetLastError(void);
cudaError_t cudaArrayGetPlane(void);

struct graph;
struct graph_node;
cudaError_t cudaStreamCreate(cudaStream_t *out);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, struct graph **out);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *out);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *out);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                            cudaStream_t stream);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *),
                               void *user);
cudaError_t cudaGraphCreate(struct graph **out, unsigned flags);
cudaError_t cudaGraphDestroy(struct graph *g);
cudaError_t cudaGraphInstantiate(struct graph **out, const struct graph *g);
cudaError_t cudaGraphExecUpdate(struct graph *g, const struct graph *from,
                                uint64_t *result);
cudaError_t cudaGraphExecDestroy(struct graph *g);
cudaError_t cudaGraphLaunch(struct graph *g, cudaStream_t stream);
cudaError_t cudaGraphGetNodes(const struct graph *g, struct graph_node **out,
                              size_t *count);
cudaError_t cudaGraphGetRootNodes(const struct graph *g,
                                  struct graph_node **out, size_t *count);
cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **out, struct graph *g,
                                     struct graph_node *const *after,
                                     size_t afters, void *to, const void *from,
                                     size_t bytes, int kind);
cudaError_t cudaGraphAddMemsetNode(struct graph_node **out, struct graph *g,
                                   struct graph_node *const *after,
                                   size_t afters, const void *p);
cudaError_t cudaGraphAddKernelNode(struct graph_node **out, struct graph *g,
                                   struct graph_node *const *after,
                                   size_t afters, const void *p);
cudaError_t cudaGraphAddMemAllocNode(struct graph_node **out, struct graph *g,
                                     struct graph_node *const *after,
                                     size_t afters, void *p);
cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value);
cudaError_t cudaGraphExecKernelNodeSetParams(struct graph *g,
                                             const struct graph_node *n,
                                             const void *p);
cudaError_t cudaGraphNodeSetEnabled(struct graph *g, const struct graph_node *n,
                                    unsigned is_enabled);
cudaError_t cudaGraphAddDependencies(struct graph *g,
                                     struct graph_node *const *from,
                                     struct graph_node *const *to,
                                     const void *third, size_t fourth);

static char add_stub, copy_stub, step_stub, runs_stub;

static void start_program(void)
{
    static uint8_t image[8192];
    static struct {
        uint32_t magic, version;
        const uint8_t *data;
        void *names;
    } wrapper = {0x466243b1, 1, image, NULL};
    close_binary(image, 16 + put_entry(image + 16, 1, 70, kernels, LZ4));
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &add_stub, NULL, "add", -1, NULL, NULL, NULL,
                           NULL, NULL);
    __cudaRegisterFunction(handle, &copy_stub, NULL, "copy", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterVar(handle, &step_stub, NULL, "step", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &runs_stub, NULL, "runs", 0, 4, 0, 1);
    __cudaRegisterFatBinaryEnd(handle);
}

#define COUNT 1000

static cudaError_t launch_add(const uint32_t *in, const uint32_t *out)
{
    uint32_t n = COUNT;
    void *args[] = {&in, &out, &n};
    return cudaLaunchKernel(&add_stub, (struct cuda_dim3){4, 1, 1},
                            (struct cuda_dim3){256, 1, 1}, args, 0, NULL);
}

START_TEST(launches_and_variables)
{
    uint32_t host[COUNT], *in, *out, runs = 9, step = 0;
    start_program();
    for (uint32_t i = 0; i < COUNT; i++)
        host[i] = 5 * i;
    ck_assert_int_eq(cudaMalloc((void **)&in, sizeof(host)), cudaSuccess);
    ck_assert_int_eq(cudaMalloc((void **)&out, sizeof(host)), cudaSuccess);
    cudaMemcpy(in, host, sizeof(host), COPY_HOST_TO_DEVICE);
    cudaMemcpyFromSymbol(&step, &step_stub, 4, 0, COPY_DEVICE_TO_HOST);
    cudaMemcpyFromSymbol(&runs, &runs_stub, 4, 0, COPY_DEVICE_TO_HOST);
    ck_assert_uint_eq(step, 3);
    ck_assert_uint_eq(runs, 0);
    ck_assert_int_eq(launch_add(in, out), cudaSuccess);
    step = 10;
    cudaMemcpyToSymbol(&step_stub, &step, 4, 0, COPY_HOST_TO_DEVICE);
    ck_assert_int_eq(launch_add(out, out), cudaSuccess);
    cudaMemcpy(host, out, sizeof(host), COPY_DEVICE_TO_HOST);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_uint_eq(host[i], 5 * i + 13);
    cudaMemcpyFromSymbol(&runs, &runs_stub, 4, 0, COPY_DEVICE_TO_HOST);
    ck_assert_uint_eq(runs, 8); /* four blocks, twice */
}
END_TEST

static cudaError_t launch_copy(const uint32_t *in, const uint32_t *out)
{
    void *args[] = {&in, &out};
    return cudaLaunchKernel(&copy_stub, (struct cuda_dim3){1, 1, 1},
                            (struct cuda_dim3){32, 1, 1}, args, 0, NULL);
}

/* A launch that repeats the last one finds what it left, whatever is changed
 * in between. */
START_TEST(repeated_launches)
{
    uint32_t host[32], *in, *out, *managed;
    start_program();
    cudaMalloc((void **)&in, sizeof(host));
    cudaMalloc((void **)&out, sizeof(host));
    cudaMallocManaged((void **)&managed, sizeof(host), 1);
    cudaMemset(in, 1, sizeof(host));
    launch_copy(in, out);
    launch_copy(in, out);
    cudaMemset(out, 2, sizeof(host)); /* what it wrote is changed */
    launch_copy(in, out);
    cudaMemcpy(host, out, sizeof(host), COPY_DEVICE_TO_HOST);
    ck_assert_uint_eq(host[31], 0x01010101);
    cudaMemset(in, 3, sizeof(host)); /* what it reads is changed */
    launch_copy(in, out);
    cudaMemcpy(host, out, sizeof(host), COPY_DEVICE_TO_HOST);
    ck_assert_uint_eq(host[31], 0x03030303);
    for (uint32_t round = 1; round < 4; round++) { /* by the program itself */
        managed[31] = round;
        launch_copy(managed, out);
        cudaMemcpy(host, out, sizeof(host), COPY_DEVICE_TO_HOST);
        ck_assert_uint_eq(host[31], round);
    }
    for (int i = 0; i < 3; i++) { /* the address of what was given back */
        cudaFree(in);
        cudaMalloc((void **)&in, sizeof(host));
        cudaMemset(in, i, sizeof(host));
        launch_copy(in, out);
        cudaMemcpy(host, out, sizeof(host), COPY_DEVICE_TO_HOST);
        ck_assert_uint_eq(host[0], 0x01010101u * (unsigned)i);
    }
}
END_TEST

/* Launches that are kept: one that repeats another is executed once for all,
 * and of those that do, but show nothing new, ever fewer are looked at. */
START_TEST(work_of_many_launches)
{
    char folder[] = "/tmp/estimate-test-XXXXXX", command[64];
    uint32_t *in, *out;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("ESTIMATE_RUN_FOLDER", folder, 1);
    start_program();
    cudaMalloc((void **)&in, 128);
    cudaMalloc((void **)&out, 128);
    for (int i = 0; i < 500; i++)
        launch_copy(in, out);
    struct runtime *r = runtime_enter();
    struct launches_work same = launches_work(r->launches);
    runtime_leave(r, cudaSuccess);
    ck_assert_uint_eq(same.executed, 1);
    ck_assert_uint_eq(same.looked_at, 1);
    for (int i = 0; i < 500; i++) {
        cudaMemset(in, i, 128);
        launch_copy(in, out);
    }
    r = runtime_enter();
    struct launches_work other = launches_work(r->launches);
    runtime_leave(r, cudaSuccess);
    ck_assert_uint_eq(other.executed, 501);
    ck_assert_uint_le(other.looked_at, 10); /* of a power of two each */
    snprintf(command, sizeof(command), "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* A launch over memory that it changes, which is set up anew before each one:
 * executed until what it finds has been seen twice, again after a change. */
START_TEST(repeated_contents)
{
    uint32_t host[33], result[33], *at;
    start_program();
    cudaMalloc((void **)&at, sizeof(host));
    for (uint32_t round = 0; round < 60; round++) {
        for (uint32_t i = 0; i < 33; i++)
            host[i] = 100 + i + (round >= 30);
        cudaMemcpy(at, host, sizeof(host), COPY_HOST_TO_DEVICE);
        launch_copy(at, at + 1);
        cudaMemcpy(result, at, sizeof(host), COPY_DEVICE_TO_HOST);
        ck_assert_uint_eq(result[0], host[0]);
        for (uint32_t i = 0; i < 32; i++)
            ck_assert_uint_eq(result[i + 1], host[i]);
    }
    struct runtime *r = runtime_enter();
    struct launches_work work = launches_work(r->launches);
    runtime_leave(r, cudaSuccess);
    ck_assert_uint_eq(work.executed, 4);
}
END_TEST

/* A kernel that counts its blocks in a variable never finds what it found. */
START_TEST(counts_are_not_repeated)
{
    uint32_t runs, *in;
    start_program();
    cudaMalloc((void **)&in, COUNT * sizeof(*in));
    for (int i = 0; i < 20; i++)
        launch_add(in, in);
    cudaMemcpyFromSymbol(&runs, &runs_stub, 4, 0, COPY_DEVICE_TO_HOST);
    ck_assert_uint_eq(runs, 80);
}
END_TEST

/* ---- graphs -------------------------------------------------------------- */

static void count_up(void *user)
{
    ++*(int *)user;
}

/* in -> device -> out on one stream, a count on another one that waits for it:
 * nothing is done while they are captured, all of it at each launch. */
START_TEST(captured_streams)
{
    uint32_t host[32], result[32] = {0}, *in, *out;
    int calls = 0, captures = 9;
    cudaStream_t stream, other;
    cudaEvent_t event;
    struct graph *graph, *executable;
    start_program();
    cudaMalloc((void **)&in, sizeof(host));
    cudaMalloc((void **)&out, sizeof(host));
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaEventCreate(&event);
    ck_assert_int_eq(cudaStreamBeginCapture(stream, 0), cudaSuccess);
    cudaMemcpyAsync(in, host, sizeof(host), COPY_DEFAULT, stream);
    const void *const args[] = {&in, &out};
    ck_assert_int_eq(cudaLaunchKernel(&copy_stub, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){32, 1, 1},
                                      (void **)args, 0, stream),
                     cudaSuccess);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    cudaStreamIsCapturing(other, &captures);
    ck_assert_int_eq(captures, 1);
    cudaLaunchHostFunc(other, count_up, &calls);
    cudaMemcpyAsync(result, out, sizeof(host), COPY_DEFAULT, stream);
    ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaStreamIsCapturing(other, &captures);
    ck_assert_int_eq(captures, 0);
    ck_assert_int_eq(calls, 0);
    ck_assert_int_eq(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    cudaGraphDestroy(graph);
    for (uint32_t round = 1; round < 4; round++) {
        host[31] = 7 * round;
        ck_assert_uint_eq(result[31], 7 * (round - 1));
        ck_assert_int_eq(cudaGraphLaunch(executable, stream), cudaSuccess);
        ck_assert_uint_eq(result[31], 7 * round);
        ck_assert_int_eq(calls, (int)round);
    }
    cudaGraphExecDestroy(executable);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
}
END_TEST

struct kernel_node { /* cudaKernelNodeParams */
    const void *host;
    struct cuda_dim3 grid, block;
    unsigned shared_bytes;
    const void *const *value;
    void **extra;
};
struct fill_node { /* cudaMemsetParams */
    void *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

/* A copy that is added first, but comes behind the kernel, whose arguments are
 * kept as they are when its node is made; then other ones. */
START_TEST(graph_of_nodes)
{
    uint32_t result[32] = {0}, *in, *out, *third;
    struct graph *graph, *executable;
    struct graph_node *fill, *kernel, *copy;
    size_t nodes = 0, roots = 0;
    start_program();
    cudaMalloc((void **)&in, 128);
    cudaMalloc((void **)&out, 128);
    cudaMalloc((void **)&third, 128);
    cudaMemset(third, 3, 128);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, result, out, 128,
                             COPY_DEFAULT);
    const struct fill_node f = {in, 128, 0x1234, 4, 32, 1};
    cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &f);
    const void *value = in, *const args[] = {&value, &out};
    const struct kernel_node k = {&copy_stub, {1, 1, 1}, {32, 1, 1},
                                  0,          args,      NULL};
    ck_assert_int_eq(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &k),
                     cudaSuccess);
    value = NULL;
    cudaGraphAddDependencies(graph, &kernel, &copy, NULL, 1);
    cudaGraphGetNodes(graph, NULL, &nodes);
    cudaGraphGetRootNodes(graph, NULL, &roots);
    ck_assert_uint_eq(nodes, 3);
    ck_assert_uint_eq(roots, 1);
    ck_assert_int_eq(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    ck_assert_int_eq(cudaGraphLaunch(executable, NULL), cudaSuccess);
    ck_assert_uint_eq(result[5], 0x1234);
    value = third;
    ck_assert_int_eq(cudaGraphExecKernelNodeSetParams(executable, kernel, &k),
                     cudaSuccess);
    cudaGraphLaunch(executable, NULL);
    ck_assert_uint_eq(result[5], 0x03030303);
    uint64_t found = 9;
    cudaGraphExecUpdate(executable, graph, &found);
    ck_assert_uint_eq(found, 0);
    cudaGraphLaunch(executable, NULL);
    ck_assert_uint_eq(result[5], 0x1234);
    cudaMemset(out, 1, 128);
    cudaGraphNodeSetEnabled(executable, kernel, 0);
    cudaGraphLaunch(executable, NULL);
    ck_assert_uint_eq(result[5], 0x01010101);
    cudaGraphAddDependencies(graph, &copy, &kernel, NULL, 1); /* a circle */
    cudaGraphExecUpdate(executable, graph, NULL);
    ck_assert_int_eq(cudaGraphLaunch(executable, NULL), cudaErrorInvalidValue);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}
END_TEST

/* ---- memory that kernels allocate ---------------------------------------- */

/* Thread i keeps what malloc(bytes) gives it in at[i] and writes i behind 20
 * bytes of it, or gives at[i] back. */
static const char heap_kernels[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
    ".extern .func free (.param .b64 p);\n"
    ".visible .entry take(.param .u64 out, .param .u64 bytes)\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %d<5>;\n.reg .pred %p<2>;\n"
    "mov.u32 %r1, %tid.x;\nmad.lo.u32 %r1, %ctaid.x, %ntid.x, %r1;\n"
    "ld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r1, 8;\n"
    "add.u64 %d1, %d1, %d2;\nld.param.u64 %d3, [bytes];\n"
    "{\n.param .b64 n;\nst.param.b64 [n], %d3;\n.param .b64 r;\n"
    "call.uni (r), malloc, (n);\nld.param.b64 %d4, [r];\n}\n"
    "st.global.u64 [%d1], %d4;\nsetp.ne.u64 %p1, %d4, 0;\n"
    "@%p1 st.u32 [%d4+20], %r1;\nret;\n}\n"
    ".visible .entry give(.param .u64 in)\n{\n"
    ".reg .b32 %r<2>;\n.reg .b64 %d<4>;\n"
    "mov.u32 %r1, %tid.x;\nmad.lo.u32 %r1, %ctaid.x, %ntid.x, %r1;\n"
    "ld.param.u64 %d1, [in];\nmul.wide.u32 %d2, %r1, 8;\n"
    "add.u64 %d1, %d1, %d2;\nld.global.u64 %d3, [%d1];\n"
    "{\n.param .b64 p;\nst.param.b64 [p], %d3;\ncall.uni free, (p);\n}\n"
    "ret;\n}\n";

#define HEAP_THREADS 64 /* two blocks of 32 */

static void run_heap(const void *stub, uint64_t *at, uint64_t bytes)
{
    void *args[] = {&at, &bytes};
    ck_assert_int_eq(cudaLaunchKernel(stub, (struct cuda_dim3){2, 1, 1},
                                      (struct cuda_dim3){32, 1, 1}, args, 0,
                                      NULL),
                     cudaSuccess);
}

static int in_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Nobody's memory is another's, what is given back is taken again, and there
 * is an end to it. */
START_TEST(memory_of_kernels)
{
    static uint8_t image[8192];
    static struct {
        uint32_t magic, version;
        const uint8_t *data;
        void *names;
    } wrapper = {0x466243b1, 1, image, NULL};
    static char take_stub, give_stub;
    uint64_t first[HEAP_THREADS], second[HEAP_THREADS], *at;
    uint32_t value;
    close_binary(image, 16 + put_entry(image + 16, 1, 70, heap_kernels, PLAIN));
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &take_stub, NULL, "take", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &give_stub, NULL, "give", -1, NULL, NULL,
                           NULL, NULL, NULL);
    cudaMalloc((void **)&at, sizeof(first));
    run_heap(&take_stub, at, 24);
    cudaMemcpy(first, at, sizeof(first), COPY_DEVICE_TO_HOST);
    for (uint32_t i = 0; i < HEAP_THREADS; i++) {
        cudaMemcpy(&value, (void *)(uintptr_t)(first[i] + 20), 4,
                   COPY_DEVICE_TO_HOST);
        ck_assert_uint_eq(value, i);
    }
    run_heap(&give_stub, at, 0);
    run_heap(&take_stub, at, 24);
    cudaMemcpy(second, at, sizeof(second), COPY_DEVICE_TO_HOST);
    qsort(first, HEAP_THREADS, sizeof(*first), in_order);
    qsort(second, HEAP_THREADS, sizeof(*second), in_order);
    for (int i = 0; i < HEAP_THREADS; i++) {
        ck_assert_uint_eq(first[i], second[i]);
        ck_assert(i == 0 || first[i] - first[i - 1] >= 24);
        ck_assert_uint_eq(first[i] % 16, 0);
    }
    run_heap(&take_stub, at, 1 << 20);
    cudaMemcpy(first, at, sizeof(first), COPY_DEVICE_TO_HOST);
    int left = 0;
    for (int i = 0; i < HEAP_THREADS; i++)
        left += first[i] == 0;
    ck_assert_int_ge(left, HEAP_THREADS - 16); /* of 8 MiB, twice */
    ck_assert_int_le(left, HEAP_THREADS - 7);
}
END_TEST

/* A graph's memory is there when it runs again. */
START_TEST(memory_of_graphs)
{
    struct {
        char pool[88];
        const void *access;
        size_t accesses, bytes;
        void *at;
    } parameters = {.bytes = 4096};
    struct graph *graph;
    struct graph_node *node;
    start_program();
    cudaGraphCreate(&graph, 0);
    ck_assert_int_eq(
        cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &parameters),
        cudaSuccess);
    ck_assert_int_eq(cudaFree(parameters.at), cudaSuccess);
    ck_assert_int_eq(cudaMemset(parameters.at, 1, 4096), cudaSuccess);
    cudaGraphDestroy(graph);
}
END_TEST

static cudaError_t launch_with(size_t shared_bytes)
{
    uint32_t n = 0;
    void *at = NULL, *args[] = {&at, &at, &n};
    return cudaLaunchKernel(&add_stub, (struct cuda_dim3){1, 1, 1},
                            (struct cuda_dim3){32, 1, 1}, args, shared_bytes,
                            NULL);
}

/* CUDA C++ Programming Guide, "Shared Memory" of compute capability 7.x: more
 * than 48 KB only where the kernel's attribute allows it. */
START_TEST(shared_memory_is_asked_for)
{
    start_program();
    ck_assert_int_eq(launch_with(49152), cudaSuccess);
    ck_assert_int_eq(launch_with(49153), cudaErrorInvalidValue);
    cudaFuncSetAttribute(&add_stub, 8, 65536);
    ck_assert_int_eq(launch_with(65536), cudaSuccess);
    ck_assert_int_eq(launch_with(65537), cudaErrorInvalidValue);
}
END_TEST

START_TEST(errors)
{
    uint32_t host[4], *at;
    start_program();
    cudaMalloc((void **)&at, sizeof(host));
    ck_assert_int_eq(cudaMemcpy(at, host, 32, COPY_HOST_TO_DEVICE),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(at, NULL, 16, COPY_HOST_TO_DEVICE),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_int_eq(cudaFree(at + 1), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFree(NULL), cudaSuccess);
    ck_assert_int_eq(cudaLaunchKernel(&runs_stub, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){1, 1, 1}, NULL, 0,
                                      NULL),
                     cudaErrorInvalidDeviceFunction);
    ck_assert_int_eq(cudaLaunchKernel(&copy_stub, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){0, 1, 1}, NULL, 0,
                                      NULL),
                     cudaErrorInvalidConfiguration);
    ck_assert_int_eq(cudaMemcpyToSymbol(&add_stub, host, 4, 0, 1),
                     cudaErrorInvalidSymbol);
    ck_assert_int_eq(cudaMemcpyToSymbol(&step_stub, host, 4, 1, 1),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaArrayGetPlane(), cudaErrorNotSupported);
}
END_TEST

/* Status 3 and what happened where, in one line. */
START_TEST(fault_ends_the_program)
{
    uint32_t *at;
    start_program();
    cudaMalloc((void **)&at, 124);
    launch_copy(at, at);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cuda");
    TCase *c = tcase_create("cuda");
    tcase_add_loop_test(c, text_for_the_gpu, PLAIN, ZSTD + 1);
    tcase_add_test(c, no_text);
    tcase_add_test(c, text_of_linked_objects);
    tcase_add_test(c, text_that_is_not_whole);
    tcase_add_test(c, addresses);
    tcase_add_test(c, changes);
    tcase_add_test(c, launches_and_variables);
    tcase_add_test(c, repeated_launches);
    tcase_add_test(c, work_of_many_launches);
    tcase_add_test(c, repeated_contents);
    tcase_add_test(c, counts_are_not_repeated);
    tcase_add_test(c, captured_streams);
    tcase_add_test(c, graph_of_nodes);
    tcase_add_test(c, memory_of_kernels);
    tcase_add_test(c, memory_of_graphs);
    tcase_add_test(c, shared_memory_is_asked_for);
    tcase_add_test(c, errors);
    tcase_add_exit_test(c, fault_ends_the_program, ESTIMATE_BAD_INPUT);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
