/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory and launches of CUDA programs. */
#include "cuda/arena.h"
#include "cuda/runtime.h"
#include "tests/cuda_program.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value);
cudaError_t cudaArrayGetPlane(void);

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

/* ---- launches -------------------------------------------------------------
 */

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

/* Launches of one kernel and geometry that read a small buffer, another one of
 * its size and a large one: the last behaves in its own way. */
START_TEST(work_by_arguments)
{
    char folder[] = "/tmp/estimate-test-XXXXXX", command[64];
    uint32_t *small, *like, *large, *out;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("ESTIMATE_RUN_FOLDER", folder, 1);
    start_program();
    cudaMalloc((void **)&small, 128);
    cudaMalloc((void **)&like, 128);
    cudaMalloc((void **)&large, 1024);
    cudaMalloc((void **)&out, 128);
    launch_copy(small, out);
    struct runtime *r = runtime_enter();
    ck_assert_uint_eq(launches_work(r->launches).looked_at, 1);
    runtime_leave(r, cudaSuccess);
    launch_copy(large, out);
    launch_copy(large, out);
    r = runtime_enter();
    ck_assert_uint_eq(launches_work(r->launches).looked_at, 2);
    ck_assert_uint_eq(launches_work(r->launches).executed, 2);
    runtime_leave(r, cudaSuccess);
    launch_copy(like, out);
    snprintf(command, sizeof(command), "test $(ls %s/*.launch | wc -l) = 2",
             folder);
    ck_assert_int_eq(system(command), 0);
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
    Suite *s = suite_create("cuda_launches");
    TCase *c = tcase_create("cuda_launches");
    tcase_add_test(c, addresses);
    tcase_add_test(c, changes);
    tcase_add_test(c, launches_and_variables);
    tcase_add_test(c, repeated_launches);
    tcase_add_test(c, work_of_many_launches);
    tcase_add_test(c, work_by_arguments);
    tcase_add_test(c, repeated_contents);
    tcase_add_test(c, counts_are_not_repeated);
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
