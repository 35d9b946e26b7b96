/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks on several threads leave what blocks in order leave, whatever they
 * tell each other. Each kernel runs with one thread, whose memory is checked
 * against what the same does in C, and with several. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <check.h>
#include <estimate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCKS  3000
#define THREADS 64
#define WORDS   (BLOCKS * THREADS)
#define BYTES   (4 * (size_t)WORDS)

/* Parameters a and b, the thread's number in the grid times 4 in %rd9 behind
 * a in %rd3 and b in %rd4; %r1 the block, %r2 the thread, %r4 their number. */
static const char frame[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry %s(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .pred %%p<8>;\n.reg .b32 %%r<32>;\n.reg .f32 %%f<8>;\n"
    ".reg .b64 %%rd<32>;\n"
    "ld.param.u64 %%rd1, [a];\nld.param.u64 %%rd2, [b];\n"
    "mov.u32 %%r1, %%ctaid.x;\nmov.u32 %%r2, %%tid.x;\n"
    "mov.u32 %%r3, %%ntid.x;\nmad.lo.s32 %%r4, %%r1, %%r3, %%r2;\n"
    "mul.wide.u32 %%rd9, %%r4, 4;\nadd.s64 %%rd3, %%rd1, %%rd9;\n"
    "add.s64 %%rd4, %%rd2, %%rd9;\n%sret;\n}\n";

static const struct {
    const char *name, *body;
} kernels[] = {
    /* b[i] = 3 a[i] */
    {"alone", "ld.global.u32 %r5, [%rd3];\nmul.lo.u32 %r5, %r5, 3;\n"
              "st.global.u32 [%rd4], %r5;\n"},
    /* a[i] += 1, in place */
    {"place", "ld.global.u32 %r5, [%rd3];\nadd.u32 %r5, %r5, 1;\n"
              "st.global.u32 [%rd3], %r5;\n"},
    /* a[i] = a[i - 64] + 1: what the block before wrote */
    {"chain", "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra end;\n"
              "ld.global.u32 %r5, [%rd3+-256];\nadd.u32 %r5, %r5, 1;\n"
              "st.global.u32 [%rd3], %r5;\nend:\n"},
    /* a[i] = b[0], then b[0] = block, in each block */
    {"last", "ld.global.u32 %r5, [%rd2];\nst.global.u32 [%rd3], %r5;\n"
             "bar.sync 0;\nst.global.u32 [%rd2], %r1;\n"},
    /* a byte in 64 of every word: no block reads or writes another's */
    {"bytes", "mul.wide.u32 %rd5, %r2, 4096;\ncvt.u64.u32 %rd6, %r1;\n"
              "add.s64 %rd5, %rd5, %rd6;\nadd.s64 %rd5, %rd5, %rd1;\n"
              "add.u32 %r6, %r1, %r2;\nst.global.u8 [%rd5], %r6;\n"},
    /* atomics whose result is not used: of floats, so that order shows */
    {"sum", "cvt.rn.f32.u32 %f1, %r4;\nmul.f32 %f1, %f1, 0f3DCCCCCD;\n"
            "red.global.add.f32 [%rd2], %f1;\n"
            "atom.global.max.u32 %r9, [%rd2+64], %r4;\n"},
    /* tickets: a[i] = what the counter was */
    {"ticket", "atom.global.add.u32 %r5, [%rd2], 1;\n"
               "st.global.u32 [%rd3], %r5;\n"},
    /* a block adds to what it then reads: a[i] = b[0] */
    {"mixed", "red.global.add.u32 [%rd2], 1;\nbar.sync 0;\n"
              "ld.global.u32 %r5, [%rd2];\nst.global.u32 [%rd3], %r5;\n"},
    /* wait until the block before has set its flag, then set one's own */
    {"wait", "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd5, %rd2, %rd5;\n"
             "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra go;\n"
             "again:\nld.volatile.global.u32 %r5, [%rd5+-4];\n"
             "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra again;\n"
             "go:\nbar.sync 0;\nmov.u32 %r6, 1;\n"
             "st.volatile.global.u32 [%rd5], %r6;\n"
             "st.global.u32 [%rd3], %r1;\n"},
    /* block 2000 writes behind the end of a */
    {"fault", "setp.eq.u32 %p1, %r1, 2000;\nmul.wide.u32 %rd5, %r4, 400;\n"
              "@%p1 add.s64 %rd3, %rd3, %rd5;\n"
              "st.global.u32 [%rd3], %r1;\n"},
};
#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))

static uint32_t *memory(uint64_t offset)
{
    void *at = mmap((void *)(uintptr_t)(ESTIMATE_DEVICE_FIRST + offset), BYTES,
                    PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    ck_assert(at != MAP_FAILED);
    return at;
}

struct left { /* by a launch */
    uint32_t *a, *b;
    struct estimate_executed executed;
    struct estimate_error e;
    bool ok;
};

/* Launch it `launches` times over a[i] = i and zeros. */
static void launch(struct left *out, size_t kernel, int threads, int launches)
{
    char text[2048];
    snprintf(text, sizeof(text), frame, kernels[kernel].name,
             kernels[kernel].body);
    struct estimate_error e;
    uint32_t *a = memory(0), *b = memory(UINT64_C(1) << 30);
    struct estimate_device *d = estimate_device_create(&e);
    ck_assert(estimate_device_threads(d, threads, &e));
    ck_assert(estimate_device_add(d, a, BYTES, &e));
    ck_assert(estimate_device_add(d, b, BYTES, &e));
    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = i;
    struct estimate_module *m =
        estimate_module_load(d, text, strlen(text), "t.ptx", &e);
    ck_assert_msg(m != NULL, "%s", e.text);
    struct estimate_function *f =
        estimate_module_function(m, kernels[kernel].name, &e);
    ck_assert_msg(f != NULL, "%s", e.text);
    const void *const value[] = {&a, &b};
    const struct estimate_call call = {
        .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}, .value = value};
    const struct estimate_executed *x = NULL;
    for (int i = 0; i < launches; i++) {
        ck_assert(estimate_function_set(f, &call, &e));
        x = estimate_function_run(f, &out->e);
    }
    out->ok = x != NULL;
    if (out->ok)
        out->executed = *x;
    out->a = malloc(BYTES);
    out->b = malloc(BYTES);
    memcpy(out->a, a, BYTES);
    memcpy(out->b, b, BYTES);
    estimate_device_free(d);
}

static void forget(struct left *l)
{
    free(l->a);
    free(l->b);
}

static float sum(void)
{
    float s = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        s += (float)i * 0.1F;
    return s;
}

static bool is_expected(const char *name, const struct left *l)
{
    uint64_t wrong = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t block = i / THREADS, a = l->a[i], b = l->b[i];
        uint32_t warp_first = i / 32 * 32, lane = i % 32;
        if (strcmp(name, "alone") == 0)
            wrong += a != i || b != 3 * i;
        else if (strcmp(name, "place") == 0)
            wrong += a != i + 3; /* launched three times */
        else if (strcmp(name, "chain") == 0)
            wrong += a != i % THREADS + block;
        else if (strcmp(name, "last") == 0)
            wrong += a != (block > 0 ? block - 1 : 0);
        else if (strcmp(name, "ticket") == 0)
            wrong += a != warp_first + lane;
        else if (strcmp(name, "mixed") == 0)
            wrong += a != (block + 1) * THREADS;
        else if (strcmp(name, "wait") == 0)
            wrong += a != block || (i < BLOCKS && b != 1);
        else if (strcmp(name, "bytes") == 0 && i < THREADS * 1024)
            wrong += ((const uint8_t *)l->a)[(size_t)(i / 1024) * 4096] !=
                     (uint8_t)(i / 1024);
    }
    if (strcmp(name, "sum") == 0) {
        float s = sum();
        wrong += memcmp(&s, l->b, 4) != 0 || l->b[16] != WORDS - 1;
    }
    return wrong == 0;
}

START_TEST(as_in_order)
{
    static const int threads[] = {2, 3, 8};
    const char *name = kernels[_i].name;
    int launches = strcmp(name, "place") == 0 ? 3 : 1;
    struct left one, more;
    launch(&one, (size_t)_i, 1, launches);
    ck_assert_msg(one.ok && is_expected(name, &one), "%s", name);
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        launch(&more, (size_t)_i, threads[i], launches);
        ck_assert_msg(more.ok, "%s: %s", name, more.e.text);
        ck_assert_msg(memcmp(one.a, more.a, BYTES) == 0 &&
                          memcmp(one.b, more.b, BYTES) == 0,
                      "%s, %d threads", name, threads[i]);
        ck_assert_uint_eq(one.executed.warp_insts, more.executed.warp_insts);
        ck_assert_uint_eq(one.executed.thread_insts,
                          more.executed.thread_insts);
        forget(&more);
    }
    forget(&one);
}
END_TEST

START_TEST(faults)
{
    struct left one, more;
    launch(&one, KERNELS - 1, 1, 1);
    launch(&more, KERNELS - 1, 4, 1);
    ck_assert(!one.ok && !more.ok);
    ck_assert_str_eq(one.e.text, more.e.text);
    ck_assert(strstr(one.e.text, "block 2000, warp 0") != NULL);
    forget(&one);
    forget(&more);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("together");
    TCase *t = tcase_create("blocks");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, as_in_order, 0, (int)KERNELS - 1);
    tcase_add_test(t, faults);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
