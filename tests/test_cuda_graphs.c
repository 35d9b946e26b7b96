/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs of CUDA programs, captured from streams or made node by node. */
#include "tests/cuda_program.h"

#include <check.h>

struct graph;
struct graph_node;
cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute,
                                           uint64_t *out);
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
cudaError_t cudaGraphExecKernelNodeSetParams(struct graph *g,
                                             const struct graph_node *n,
                                             const void *p);
cudaError_t cudaGraphNodeSetEnabled(struct graph *g, const struct graph_node *n,
                                    unsigned is_enabled);
cudaError_t cudaGraphAddDependencies(struct graph *g,
                                     struct graph_node *const *from,
                                     struct graph_node *const *to,
                                     const void *third, size_t fourth);

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
    for (int attribute = 0; attribute < 4; attribute++) {
        uint64_t bytes = 0;
        cudaDeviceGetGraphMemAttribute(0, attribute, &bytes);
        ck_assert_uint_eq(bytes, 4096);
    }
    cudaGraphDestroy(graph);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cuda_graphs");
    TCase *c = tcase_create("cuda_graphs");
    tcase_add_test(c, captured_streams);
    tcase_add_test(c, graph_of_nodes);
    tcase_add_test(c, memory_of_graphs);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
