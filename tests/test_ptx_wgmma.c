/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of warp groups (PTX ISA 9.0, section 9.7.15) of matrices that lie in
 * shared memory in each of the layouts, against the sums written out. */
#include "configs/exec.h"
#include "kernels/ptx/forms/half.h"
#include "kernels/ptx/launch/ptx_kernel.h"
#include "tests/ptx_run.h"

#include <math.h>
#include <stdio.h>

#define M     64
#define N     64
#define BYTES 8192 /* of a matrix in shared memory */
#define TEXT  16384

/* Where row r (of m or n) and byte x of its 32 begin; lead and stride are of
 * the descriptor. */
static unsigned plain(unsigned r, unsigned x)
{
    return r / 8 * 256 + x / 16 * 128 + r % 8 * 16 + x % 16;
}

/* The third and fourth 16 bytes of rows of 128. */
static unsigned by_128(unsigned r, unsigned x)
{
    return r * 128 + ((x / 16 + 2) ^ r % 8) * 16 + x % 16;
}

static unsigned by_64(unsigned r, unsigned x)
{
    return r * 64 + ((x / 16) ^ r / 2 % 4) * 16 + x % 16;
}

static unsigned by_32(unsigned r, unsigned x)
{
    return r * 32 + ((x / 16) ^ r / 4 % 2) * 16 + x % 16;
}

/* k by rows of 128 bytes, 64 of m or n: x is 2 k. */
static unsigned turned(unsigned r, unsigned x)
{
    unsigned k = x / 2;
    return k / 8 * 1024 + k % 8 * 128 + (r / 8 ^ k % 8) * 16 + r % 8 * 2;
}

static const struct layout {
    unsigned (*at)(unsigned r, unsigned x);
    unsigned begin, leading, stride, swizzle;
    bool is_turned;
} layouts[] = {
    {plain, 0, 128, 256, 0, false},   {by_128, 32, 16, 1024, 1, false},
    {by_64, 0, 16, 512, 2, false},    {by_32, 0, 16, 256, 3, false},
    {turned, 0, 4096, 1024, 1, true},
};
#define LAYOUTS 5

static const struct kind {
    const char *shape, *types; /* of d, a and b */
    const char *fill;
    enum ptx_type type;
    unsigned bytes;
    bool may_turn;
} kinds[] = {
    {"m64n64k16", "f32.f16.f16", "f16:random:-2:2", PTX_F16, 2, true},
    {"m64n64k16", "f32.bf16.bf16", "u16:random:16256:16383", PTX_BF16, 2, true},
    {"m64n64k8", "f32.tf32.tf32", "f32:random:-2:2", PTX_TF32, 4, false},
    {"m64n64k32", "f32.e4m3.e4m3", "u8:random:40:72", PTX_E4M3, 1, false},
    {"m64n64k32", "f32.e5m2.e5m2", "u8:random:40:72", PTX_E5M2, 1, false},
    {"m64n64k32", "s32.s8.u8", "u8:random:0:127", PTX_S8, 1, false},
};
#define KINDS 6

static double element(enum ptx_type type, const uint8_t *at)
{
    uint32_t word = 0;
    float f;
    switch (type) {
    case PTX_F16:
        return half_to_double((uint64_t)at[0] | (uint64_t)at[1] << 8);
    case PTX_BF16:
        return bfloat_to_double((uint64_t)at[0] | (uint64_t)at[1] << 8);
    case PTX_TF32:
        memcpy(&word, at, 4);
        word &= 0xFFFFE000;
        memcpy(&f, &word, 4);
        return (double)f;
    case PTX_S8:
        return (int8_t)at[0];
    default:
        return fp8_to_double(at[0], type);
    }
}

static void add(char *text, const char *more)
{
    ck_assert_uint_lt(strlen(text) + strlen(more), TEXT);
    strcat(text, more);
}

static void add_descriptor(char *text, const char *name, const char *at,
                           const struct layout *l)
{
    char line[256];
    uint64_t rest = (uint64_t)(l->leading / 16) << 16 |
                    (uint64_t)(l->stride / 16) << 32 |
                    (uint64_t)l->swizzle << 62;
    snprintf(line, sizeof(line),
             "mov.u32 %%r1, %s; add.u32 %%r1, %%r1, %u; shr.u32 %%r1, %%r1, 4;"
             " cvt.u64.u32 %s, %%r1;\nor.b64 %s, %s, 0x%llx;\n",
             at, l->begin, name, name, name, (unsigned long long)rest);
    add(text, line);
}

static void add_product(char *text, const struct kind *k,
                        const struct layout *a, const struct layout *b,
                        const char *scale, int sign)
{
    char line[128];
    snprintf(line, sizeof(line), "wgmma.mma_async.sync.aligned.%s.%s {",
             k->shape, k->types);
    add(text, line);
    for (int i = 0; i < N / 2; i++) {
        snprintf(line, sizeof(line), "%sd%d", i > 0 ? ", " : "", i);
        add(text, line);
    }
    snprintf(line, sizeof(line), "}, %%da, %%db, %s", scale);
    add(text, line);
    if (k->type != PTX_S8) {
        snprintf(line, sizeof(line), ", %d, 1", sign);
        add(text, line);
    }
    if (k->bytes == 2) {
        snprintf(line, sizeof(line), ", %d, %d", a->is_turned, b->is_turned);
        add(text, line);
    }
    add(text, ";\n");
}

/* Both matrices to shared memory as they are; d = a * b, then `products` - 1
 * times more with the last of that sign; d by rows. */
static void make_text(char *text, const struct kind *k, const struct layout *a,
                      const struct layout *b, int products, int sign)
{
    const char *type = k->type == PTX_S8 ? "s32" : "f32";
    char line[256];
    text[0] = '\0';
    add(text, ".version 8.0\n.target sm_90a\n.address_size 64\n"
              ".visible .entry k(.param .u64 pa, .param .u64 pb, "
              ".param .u64 pd) {\n.reg .pred p, q; .reg .b32 %r<8>;\n"
              ".reg .b64 %d<8>, %da, %db;\n"
              ".shared .align 1024 .b8 sa[8192];\n"
              ".shared .align 1024 .b8 sb[8192]; .shared .align 8 .b64 bar;\n");
    snprintf(line, sizeof(line), ".reg .%s d<%d>;\n", type, N / 2);
    add(text, line);
    add(text,
        "ld.param.u64 %d0, [pa]; ld.param.u64 %d1, [pb];\n"
        "ld.param.u64 %d2, [pd]; mov.u32 %r0, %tid.x;\n"
        "setp.ne.u32 p, %r0, 0; @p bra there;\n"
        "mbarrier.init.shared.b64 [bar], 1;\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16384;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [sa], [%d0], 8192, [bar];\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [sb], [%d1], 8192, [bar];\n"
        "there: bar.sync 0;\n"
        "wait: mbarrier.try_wait.parity.shared.b64 q, [bar], 0;\n"
        "@!q bra wait;\n");
    add_descriptor(text, "%da", "sa", a);
    add_descriptor(text, "%db", "sb", b);
    add(text, "wgmma.fence.sync.aligned; setp.eq.u32 p, 0, 1;\n");
    for (int i = 0; i < products; i++)
        add_product(text, k, a, b, i == 0 ? "p" : "!p",
                    i + 1 == products ? sign : 1);
    add(text, "wgmma.commit_group.sync.aligned;\n"
              "wgmma.wait_group.sync.aligned 0;\n"
              /* row 16 (tid / 32) + lane / 4, column 2 (lane mod 4) */
              "shr.u32 %r1, %r0, 5; shl.b32 %r1, %r1, 4; and.b32 %r2, %r0, 31;"
              " shr.u32 %r3, %r2, 2; add.u32 %r1, %r1, %r3; and.b32 %r2, %r2, "
              "3;\nshl.b32 %r1, %r1, 8; shl.b32 %r2, %r2, 3; add.u32 %r1, %r1, "
              "%r2; cvt.u64.u32 %d3, %r1; add.u64 %d2, %d2, %d3;\n");
    for (int i = 0; i < N / 2; i++) {
        snprintf(line, sizeof(line), "st.global.%s [%%d2+%d], d%d;\n", type,
                 i / 2 % 2 * 8 * 4 * N + i / 4 * 32 + i % 2 * 4, i);
        add(text, line);
    }
    add(text, "ret;\n}\n");
}

static double expected(const struct kind *k, const uint8_t *a,
                       const struct layout *la, const uint8_t *b,
                       const struct layout *lb, unsigned m, unsigned n)
{
    double sum = 0;
    for (unsigned x = 0; x < 32; x += k->bytes)
        sum += element(k->type, a + la->at(m, x)) *
               element(k->type, b + lb->at(n, x));
    return sum;
}

static void run(const struct kind *k, const struct layout *la,
                const struct layout *lb, int products, int sign)
{
    static char text[TEXT];
    static uint8_t a[BYTES], b[BYTES];
    static uint32_t d[M][N];
    char spec[2][80];
    const char *arg[] = {spec[0], spec[1], "buf:4096:u32:zero:d", NULL};
    struct ptx_run r;
    for (int i = 0; i < 2; i++)
        snprintf(spec[i], sizeof(spec[i]), "buf:%u:%s:%c", BYTES / k->bytes,
                 k->fill, "ab"[i]);
    make_text(text, k, la, lb, products, sign);
    ptx_must_run(&r, text, 1, 128, arg);
    ptx_take(&r, "a", a, sizeof(a));
    ptx_take(&r, "b", b, sizeof(b));
    ptx_take(&r, "d", d, sizeof(d));
    for (unsigned m = 0; m < M; m++)
        for (unsigned n = 0; n < N; n++) {
            double want =
                (products - 1 + sign) * expected(k, a, la, b, lb, m, n);
            float got;
            memcpy(&got, &d[m][n], 4);
            double have = k->type == PTX_S8 ? (int32_t)d[m][n] : (double)got;
            ck_assert_msg(fabs(have - want) <= 1e-5 * fabs(want) + 1e-5,
                          "%s %s %u,%u: got %g, expected %g", k->shape,
                          k->types, m, n, have, want);
        }
    ptx_done(&r);
}

/* Every type with every layout of a and b that it has. */
START_TEST(test_layouts)
{
    const struct kind *k = &kinds[_i];
    for (int a = 0; a < LAYOUTS; a++)
        for (int b = 0; b < LAYOUTS; b++)
            if (k->may_turn || !(layouts[a].is_turned || layouts[b].is_turned))
                run(k, &layouts[a], &layouts[b], 1, 1);
}
END_TEST

/* Products add up, one with the sign turned takes away. */
START_TEST(test_sums)
{
    run(&kinds[0], &layouts[1], &layouts[1], 3, 1);
    run(&kinds[0], &layouts[1], &layouts[1], 3, -1);
    run(&kinds[5], &layouts[0], &layouts[1], 2, 1);
}
END_TEST

/* Factors in registers: ones in the first of lane 5 of warp 1, which is row 16
 * + 5 / 4; b is the number of its row in the first element of each. */
START_TEST(test_registers)
{
    static const char text[] =
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 pd) {\n.reg .pred p;\n"
        ".reg .b32 %r<8>, x, z; .reg .b64 %d<8>; .reg .f32 d<4>;\n"
        ".reg .b16 h; .reg .f32 f; .shared .align 1024 .b8 sb[256];\n"
        "ld.param.u64 %d2, [pd]; mov.u32 %r0, %tid.x;\n"
        /* plain: element (n, k) at n * 16 + k / 8 * 128 + k % 8 * 2 */
        "setp.ge.u32 p, %r0, 128; @p bra made;\n"
        "and.b32 %r1, %r0, 7; add.u32 %r1, %r1, 1; cvt.rn.f32.u32 f, %r1;\n"
        "cvt.rn.f16.f32 h, f; shr.u32 %r2, %r0, 3; and.b32 %r3, %r0, 7;\n"
        "shr.u32 %r4, %r2, 3; and.b32 %r2, %r2, 7; shl.b32 %r4, %r4, 7;\n"
        "shl.b32 %r3, %r3, 4; add.u32 %r4, %r4, %r3; shl.b32 %r2, %r2, 1;\n"
        "add.u32 %r4, %r4, %r2; mov.u32 %r5, sb; add.u32 %r4, %r4, %r5;\n"
        "st.shared.b16 [%r4], h;\n"
        "made: bar.sync 0; mov.b32 x, 0; mov.b32 z, 0;\n"
        "setp.eq.u32 p, %r0, 37; @p mov.b32 x, 0x3C00;\n"
        "mov.u32 %r5, sb; shr.u32 %r5, %r5, 4; cvt.u64.u32 %d1, %r5;\n"
        "or.b64 %d1, %d1, 0x1000080000;\n" /* 128, 256 bytes */
        "setp.ne.u32 p, 0, 0;\n"
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2, d3}, "
        "{x, z, z, z}, %d1, p, 1, 1, 0;\n"
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
        "mul.wide.u32 %d3, %r0, 16; add.u64 %d2, %d2, %d3;\n"
        "st.global.v4.f32 [%d2], {d0, d1, d2, d3}; ret;\n}\n";
    static const char *const arg[] = {"buf:512:f32:zero:d", NULL};
    float d[128][4];
    struct ptx_run r;
    ptx_must_run(&r, text, 1, 128, arg);
    ptx_take(&r, "d", d, sizeof(d));
    ptx_done(&r);
    for (int t = 0; t < 128; t++)
        for (int i = 0; i < 4; i++) {
            bool in_row = t / 4 == 32 / 4 + 1 && i < 2;
            float column = (float)(2 * (t % 4) + i + 1);
            ck_assert_float_eq(d[t][i], in_row ? column : 0);
        }
}
END_TEST

/* One warp is no group. */
START_TEST(test_one_warp)
{
    static const char text[] =
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k() {\nwgmma.fence.sync.aligned;\nret;\n}\n";
    static const char *const none[] = {NULL};
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, text, 1, 32, none, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_str_eq(e.text, "t.ptx:5:1: wgmma: found a block of 1 warps, "
                             "expected groups of four warps, 128 threads "
                             "(block 0, warp 0)");
    ptx_must_run(&r, text, 1, 128, none);
    ptx_done(&r);
}
END_TEST

/* ---- cost --------------------------------------------------------------- */

/* With 512 multiply-adds a cycle in each of four tensor cores and 128 bytes a
 * cycle from shared memory: 16 rows of a warp by n by 16; less than 64 columns
 * wait for a and b, (64 + n) * 32 bytes. */
static const struct {
    unsigned n;
    uint32_t cycles;
} costs[] = {{8, 18}, {32, 24}, {64, 32}, {128, 64}, {256, 128}};

START_TEST(test_cost)
{
    static char text[TEXT];
    const struct ptx_request request = {.grid = {1, 1, 1},
                                        .block = {128, 1, 1}};
    const struct ptx_kernel_about about = {.name = "k", .summary = ""};
    struct ptx_sequence *t = ptx_sequence_create(1, 1);
    struct kernel *room[1];
    struct kernel_list list = {.kernel = room};
    struct error e = {STATUS_OK, ""};
    struct gpu g;
    struct exec_table exec;
    char line[128];
    unsigned found = 0;
    snprintf(text, sizeof(text),
             ".version 8.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k() {\n.reg .f32 d; .reg .b64 a;\n"
             "wgmma.mma_async.sync.aligned.m64n%uk16.f32.f16.f16 {d",
             costs[_i].n);
    for (unsigned i = 1; i < costs[_i].n / 2; i++)
        add(text, ", d");
    snprintf(line, sizeof(line), "}, a, a, 1, 1, 1, 0, 0;\nret;\n}\n");
    add(text, line);
    ck_assert_msg(ptx_parse(&t->module, text, strlen(text), "t.ptx", &e), "%s",
                  e.text);
    ck_assert(ptx_session_open(&t->session, &t->module, &request, &e));
    ck_assert(ptx_sequence_set(t, 0, &e));
    ck_assert(ptx_kernel_add(&list, t, 0, &about, &e));
    ck_assert(gpu_load(&g, "h100", NULL, 0, &e));
    exec_table_init(&exec, &g);
    for (uint32_t i = 0; i < room[0]->inst_count; i++)
        if (room[0]->inst[i].op == OP_TENSOR) {
            found++;
            ck_assert_int_eq(exec_interval(&exec, &room[0]->inst[i]),
                             costs[_i].cycles);
        }
    ck_assert_uint_eq(found, 1);
    ptx_sequence_release(t);
    kernel_free(room[0]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_wgmma");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_layouts, 0, KINDS);
    tcase_add_loop_test(c, test_cost, 0, 5);
    tcase_add_test(c, test_sums);
    tcase_add_test(c, test_registers);
    tcase_add_test(c, test_one_warp);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
