/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that kernels of CUDA programs allocate. */
#include "tests/cuda_program.h"

#include <check.h>
#include <stdlib.h>

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
    static char take_stub, give_stub;
    uint64_t first[HEAP_THREADS], second[HEAP_THREADS], *at;
    uint32_t value;
    void **handle = register_text(heap_kernels, PLAIN);
    register_kernel(handle, &take_stub, "take");
    register_kernel(handle, &give_stub, "give");
    __cudaRegisterFatBinaryEnd(handle);
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

int main(void)
{
    Suite *s = suite_create("cuda_heap");
    TCase *c = tcase_create("cuda_heap");
    tcase_add_test(c, memory_of_kernels);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
