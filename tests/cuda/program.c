/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A CUDA program as nvcc leaves one, written by hand so that it builds where
 * there is no nvcc: a fat binary, its registration, launches. It checks itself.
 * usage: program [scale|many|time|tell|outside|missing|abort] [STATUS] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT                                                                   \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                          \
    ".const .align 4 .f32 factor;\n"                                           \
    ".visible .entry scale(.param .u32 n, .param .u64 x, .param .u32 shift)\n" \
    "{\n"                                                                      \
    ".reg .b32 %r<6>;\n.reg .f32 %f<4>;\n.reg .b64 %d<4>;\n"                   \
    ".reg .pred %p<2>;\n"                                                      \
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"    \
    "mad.lo.u32 %r1, %r1, %r2, %r3;\nld.param.u32 %r2, [n];\n"                 \
    "setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra done;\n"                             \
    "ld.param.u32 %r4, [shift];\nadd.u32 %r1, %r1, %r4;\n"                     \
    "ld.param.u64 %d1, [x];\nmul.wide.u32 %d2, %r1, 4;\n"                      \
    "add.u64 %d1, %d1, %d2;\nld.global.f32 %f1, [%d1];\n"                      \
    "ld.const.f32 %f2, [factor];\nmul.f32 %f1, %f1, %f2;\n"                    \
    "st.global.f32 [%d1], %f1;\ndone:\nret;\n}\n"                              \
    ".global .align 1 .b8 said[24] = {108,97,110,101,32,37,100,32,37,115,58,"  \
    "32,37,46,50,102,32,37,108,120,10,0};\n"                                   \
    ".global .align 1 .b8 word[3] = {111,102,0};\n"                            \
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"   \
    ".visible .entry tell()\n{\n"                                              \
    ".local .align 8 .b8 v[32];\n.reg .b32 %r<3>;\n.reg .b64 %d<5>;\n"         \
    "mov.u64 %d1, v;\ncvta.local.u64 %d1, %d1;\nmov.u32 %r1, %tid.x;\n"        \
    "st.u32 [%d1], %r1;\nmov.u64 %d2, word;\ncvta.global.u64 %d2, %d2;\n"      \
    "st.u64 [%d1+8], %d2;\nmov.f64 %d3, 0d3FF8000000000000;\n"                 \
    "st.f64 [%d1+16], %d3;\nmov.u64 %d4, 0x123456789a;\n"                      \
    "st.u64 [%d1+24], %d4;\nmov.u64 %d2, said;\ncvta.global.u64 %d2, %d2;\n"   \
    "{\n.param .b64 a;\nst.param.b64 [a], %d2;\n.param .b64 b;\n"              \
    "st.param.b64 [b], %d1;\n.param .b32 r;\n"                                 \
    "call.uni (r), vprintf, (a, b);\n}\nret;\n}\n"

static const struct {
    struct {
        uint32_t magic;
        uint16_t version, bytes;
        uint64_t rest;
    } header;
    struct {
        uint16_t kind, version;
        uint32_t bytes;
        uint64_t room;
        uint32_t packed, options;
        uint16_t minor, major;
        uint32_t arch, name[2];
        uint64_t flags, zero, text;
    } entry;
    char text[(sizeof(TEXT) + 7) / 8 * 8];
} image = {{0xba55ed50, 1, 16, 64 + (sizeof(TEXT) + 7) / 8 * 8},
           {1,
            0x101,
            64,
            (sizeof(TEXT) + 7) / 8 * 8,
            0,
            0,
            0,
            0,
            70,
            {0, 0},
            0x11,
            0,
            0},
           TEXT};

static const struct {
    uint32_t magic, version;
    const void *data;
    void *names;
} wrapper = {0x466243b1, 1, &image, NULL};

struct dim3 {
    unsigned x, y, z;
};

void **__cudaRegisterFatBinary(const void *image);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *t, void *b,
                            void *bs, void *gs, int *ws);
void __cudaRegisterVar(void **handle, char *host, char *address,
                       const char *name, int external, size_t bytes,
                       int constant, int global);
int cudaMalloc(void **out, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                       size_t offset, int kind);
int cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block,
                     void **args, size_t shared_bytes, void *stream);
int cudaEventCreate(void **event);
int cudaEventRecord(void *event, void *stream);
int cudaEventElapsedTime(float *ms, void *from, void *to);
int cudaArrayGetPlane(void *desc, void *extent, unsigned *flags, void *array);
const char *cudaGetErrorName(int error);

static char scale_stub, tell_stub, factor_stub;

#define COUNT 5000

static void launch(float *x, uint32_t n, uint32_t shift)
{
    void *args[] = {&n, &x, &shift};
    int status =
        cudaLaunchKernel(&scale_stub, (struct dim3){(n + 127) / 128, 1, 1},
                         (struct dim3){128, 1, 1}, args, 0, NULL);
    if (status != 0)
        printf("launch: %s\n", cudaGetErrorName(status));
}

/* The number of wrong values after so many launches by a factor of 2. */
static int run(uint32_t shift, int launches)
{
    static float host[COUNT];
    float factor = 2, *x;
    int wrong = 0;
    cudaMalloc((void **)&x, sizeof(host));
    for (int i = 0; i < COUNT; i++)
        host[i] = (float)i;
    cudaMemcpy(x, host, sizeof(host), 1);
    cudaMemcpyToSymbol(&factor_stub, &factor, sizeof(factor), 0, 1);
    for (int i = 0; i < launches; i++) /* ever fewer threads do something */
        launch(x, COUNT >> i, shift);
    cudaMemcpy(host, x, sizeof(host), 2);
    for (int i = 0; i < COUNT; i++) {
        float expected = (float)i;
        for (int k = 0; k < launches; k++)
            expected *= i < COUNT >> k ? 2 : 1;
        wrong += host[i] != expected;
    }
    return wrong;
}

/* The same launch twice says everything twice. */
static void tell_twice(void)
{
    for (int i = 0; i < 2; i++)
        cudaLaunchKernel(&tell_stub, (struct dim3){1, 1, 1},
                         (struct dim3){2, 1, 1}, NULL, 0, NULL);
}

/* Two launches take longer than one. */
static int time_launches(void)
{
    void *event[3];
    float *x, one, both;
    cudaMalloc((void **)&x, COUNT * sizeof(*x));
    for (int i = 0; i < 3; i++)
        cudaEventCreate(&event[i]);
    cudaEventRecord(event[0], NULL);
    launch(x, COUNT, 0);
    cudaEventRecord(event[1], NULL);
    launch(x, COUNT, 0);
    cudaEventRecord(event[2], NULL);
    cudaEventElapsedTime(&one, event[0], event[1]);
    cudaEventElapsedTime(&both, event[0], event[2]);
    return !(one > 0 && both > 1.9F * one && both < 2.1F * one);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "scale";
    int wrong = 0;
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale_stub, NULL, "scale", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &tell_stub, NULL, "tell", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterVar(handle, &factor_stub, NULL, "factor", 0, 4, 1, 0);
    if (strcmp(what, "missing") == 0)
        printf("%s\n", cudaGetErrorName(cudaArrayGetPlane(0, 0, 0, 0)));
    else if (strcmp(what, "abort") == 0)
        abort();
    else if (strcmp(what, "tell") == 0)
        tell_twice();
    else if (strcmp(what, "time") == 0)
        wrong = time_launches();
    else
        wrong = run(strcmp(what, "outside") == 0,
                    strcmp(what, "many") == 0 ? 6 : 1);
    puts(wrong == 0 ? "passed" : "failed");
    return argc > 2 ? atoi(argv[2]) : wrong != 0;
}
