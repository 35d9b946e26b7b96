/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads of memory that nothing has written and races on shared memory: kernels
 * that have one, each beside a like one that has none. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <check.h>
#include <estimate.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define THREADS 64
#define WORDS   (2 * THREADS)

/* %r2 is the thread, %rd3 where its word of a is, %r3 where its word of s. */
static const char frame[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 a)\n{\n.shared .align 4 .b8 s[256];\n"
    ".reg .pred %%p<4>;\n.reg .b32 %%r<16>;\n.reg .b64 %%rd<8>;\n"
    "ld.param.u64 %%rd1, [a];\nmov.u32 %%r2, %%tid.x;\n"
    "mul.wide.u32 %%rd2, %%r2, 4;\nadd.s64 %%rd3, %%rd1, %%rd2;\n"
    "mov.u32 %%r3, s;\nmad.lo.u32 %%r3, %%r2, 4, %%r3;\nmov.u32 %%r8, s;\n"
    "setp.lt.u32 %%p1, %%r2, 32;\n"
    "%s\nret;\n}\n";

/* From the 18th line of the text on. Of a the caller has written the first
 * half. */
static const struct {
    const char *body, *found; /* NULL: nothing */
} rows[] = {
    {"ld.global.u32 %r4, [%rd3];", NULL},
    {"ld.global.u32 %r4, [%rd3+4];",
     "k: t.ptx:18:1: ld: lane 31: found 4 bytes at address 0x200000000100 of "
     "global memory, of which nothing has written all (block 0, warp 1)"},
    {"st.global.u32 [%rd3+256], %r2;\nld.global.u32 %r4, [%rd3+256];", NULL},
    {"red.global.add.u32 [%rd3+256], %r2;",
     "k: t.ptx:18:1: red: lane 0: found 4 bytes at address 0x200000000100 of "
     "global memory, of which nothing has written all (block 0, warp 0)"},
    {"ld.shared.u32 %r4, [%r3];",
     "k: t.ptx:18:1: ld: lane 0: found 4 bytes at address 0x0 of shared "
     "memory, of which nothing has written all (block 0, warp 0)"},
    {"st.shared.u32 [%r3], %r2;\nld.shared.u32 %r4, [%r3];", NULL},
    /* each warp reads what the other one wrote */
    {"st.shared.u32 [%r3], %r2;\nxor.b32 %r3, %r3, 128;\nbar.sync 0;\n"
     "ld.shared.u32 %r4, [%r3];",
     NULL},
    {"st.shared.u32 [%r3], %r2;\nxor.b32 %r3, %r3, 128;\n"
     "@!%p1 ld.shared.u32 %r4, [%r3];",
     "k: t.ptx:20:7: ld: lane 0: found that warp 0 has written address 0x0 of "
     "shared memory at t.ptx:18:1, with no barrier since (block 0, warp 1)"},
    /* one writes what the other one has read: after a barrier the last warp
     * that came goes on first */
    {"st.shared.u32 [%r3], %r2;\nbar.sync 0;\n"
     "@!%p1 ld.shared.u32 %r4, [%r3+-128];\n@%p1 st.shared.u32 [%r3], %r2;",
     "k: t.ptx:21:6: st: lane 0: found that warp 1 has read address 0x0 of "
     "shared memory at t.ptx:20:7, with no barrier since (block 0, warp 0)"},
    /* both write the same word */
    {"st.shared.u32 [%r8], %r2;",
     "k: t.ptx:18:1: st: lane 0: found that warp 0 has written address 0x0 of "
     "shared memory at t.ptx:18:1, with no barrier since (block 0, warp 1)"},
    /* with the lines that a compiler says */
    {".loc 1 7 3\nst.shared.u32 [%r8], %r2;",
     "k: t.ptx:19:1 (source line 7): st: lane 0: found that warp 0 has written "
     "address 0x0 of shared memory at t.ptx:19:1 (source line 7), with no "
     "barrier since (block 0, warp 1)"},
    /* atomics are in no race; lanes of one warp neither */
    {"st.shared.u32 [%r3], %r2;\nbar.sync 0;\nred.shared.add.u32 [%r8], %r2;",
     NULL},
    {"@%p1 st.shared.u32 [%r3], %r2;\n@%p1 ld.shared.u32 %r4, [%r8];", NULL},
    /* a warp that waits for some of the others only: not looked at */
    {"bar.arrive 1, 64;\nst.shared.u32 [%r8], %r2;", NULL},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct said {
    unsigned lines;
    char first[512];
};

static void tell(void *user, const char *text)
{
    struct said *s = user;
    if (s->lines++ == 0)
        snprintf(s->first, sizeof(s->first), "%s", text);
}

/* What is said of two launches of a kernel. */
static struct said check(const char *body, unsigned checks)
{
    struct said said = {0};
    struct estimate_error e;
    char text[2048];
    void *a = mmap((void *)(uintptr_t)ESTIMATE_DEVICE_FIRST, 4096,
                   PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    ck_assert(a != MAP_FAILED);
    snprintf(text, sizeof(text), frame, body);
    struct estimate_device *d = estimate_device_create(&e);
    ck_assert(estimate_device_threads(d, 2, &e));
    estimate_device_check(d, checks, tell, &said);
    ck_assert(estimate_device_add(d, a, 4 * WORDS, &e));
    estimate_device_written(d, a, 4 * THREADS);
    struct estimate_module *m =
        estimate_module_load(d, text, strlen(text), "t.ptx", &e);
    ck_assert_msg(m != NULL, "%s", e.text);
    struct estimate_function *f = estimate_module_function(m, "k", &e);
    ck_assert_msg(f != NULL, "%s", e.text);
    const void *const value[] = {&a};
    const struct estimate_call call = {
        .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .value = value};
    for (int i = 0; i < 2; i++) {
        ck_assert(estimate_function_set(f, &call, &e));
        ck_assert_msg(estimate_function_run(f, &e) != NULL, "%s", e.text);
    }
    estimate_device_free(d);
    return said;
}

START_TEST(mistakes)
{
    const unsigned all = ESTIMATE_CHECK_INIT | ESTIMATE_CHECK_RACES;
    struct said s = check(rows[_i].body, all);
    ck_assert_msg(s.lines == (rows[_i].found != NULL), "%s: %u %s",
                  rows[_i].body, s.lines, s.first);
    ck_assert_str_eq(s.first, rows[_i].found != NULL ? rows[_i].found : "");
    ck_assert_uint_eq(check(rows[_i].body, 0).lines, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("check");
    TCase *t = tcase_create("mistakes");
    tcase_add_loop_test(t, mistakes, 0, (int)ROWS);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
