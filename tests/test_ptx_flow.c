/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Control flow, calls, barriers, memory and what lanes tell each other, on
 * small kernels whose results can be worked out by hand. */
#include "tests/ptx_run.h"

#include <stdio.h>

#define LANES 32

#define THREAD                                                                 \
    ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<8>;\n"                   \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n"                          \
    "mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1;\n"
#define KERNEL(body)                                                           \
    PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n" THREAD body "\n}\n"
#define STORE "st.global.u32 [%d1], %r1;\n"

/* What %r1 of every thread is at the end of a kernel of one block. */
static void run_block(const char *text, uint32_t threads, uint32_t *out)
{
    static const char *const arg[] = {"buf:1024:u32:zero:o", NULL};
    struct ptx_run r;
    ptx_must_run(&r, text, 1, threads, arg);
    ptx_take(&r, "o", out, threads * sizeof(*out));
    ptx_done(&r);
}

static void must_fail(const char *text, uint32_t threads, const char *expected)
{
    static const char *const arg[] = {"buf:1024:u32:zero:o", NULL};
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, text, 1, threads, arg, &e));
    ck_assert_msg(strstr(e.text, expected) != NULL, "%s", e.text);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
}

/* ---- branches ----------------------------------------------------------- */

/* Lane l goes l times round the loop; all meet behind it. */
START_TEST(test_loop)
{
    uint32_t out[LANES];
    run_block(KERNEL("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                     "again: setp.ge.u32 %p1, %r2, %r0; @%p1 bra done;\n"
                     "add.u32 %r1, %r1, 3; add.u32 %r2, %r2, 1;\n"
                     "bra again;\n"
                     "done: activemask.b32 %r3; setp.ne.u32 %p2, %r3, -1;\n"
                     "@%p2 mov.u32 %r1, 9999;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], 3 * l);
}
END_TEST

/* Lanes that leave a loop keep no others apart in it: r1 of a lane is how many
 * lanes were at the loop's end with it, trip by trip. `in` decides, by the trip
 * r2 and the lane r0, which lanes go to `latch` and which to `done`. */
#define LOOP(in)                                                               \
    KERNEL("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"                                 \
           "again: add.u32 %r3, %r0, %r2; and.b32 %r3, %r3, 1;\n"              \
           "setp.eq.u32 %p1, %r3, 0; setp.gt.u32 %p2, %r2, %r0;\n" in          \
           "latch: activemask.b32 %r4; popc.b32 %r4, %r4;\n"                   \
           "add.u32 %r1, %r1, %r4; add.u32 %r2, %r2, 1;\n"                     \
           "setp.lt.u32 %p3, %r2, 40; @%p3 bra again;\n"                       \
           "done: activemask.b32 %r5; setp.ne.u32 %p4, %r5, -1;\n"             \
           "@%p4 mov.u32 %r1, 9999;\n" STORE "ret;")

/* A lane leaves in the trip behind its number, which it does not skip. */
static uint32_t together(uint32_t lane)
{
    uint32_t sum = 0;
    for (uint32_t trip = 0; trip <= lane; trip++)
        sum += LANES - trip;
    return sum;
}

START_TEST(test_break)
{
    static const char *const loops[] = {
        LOOP("@%p2 bra done;\n"),
        /* inside a branch: continue, then break */
        LOOP("@%p1 bra latch; @%p2 bra done;\n"),
        LOOP("@!%p1 bra on; bra latch;\n"
             "on: @!%p2 bra latch; bra done;\n"),
        /* those that leave do more on their way */
        LOOP("@%p1 bra latch; @!%p2 bra latch;\n"
             "add.u32 %r6, %r0, 1; bra done;\n"),
        /* two ends of a trip */
        LOOP("@!%p1 bra on; add.u32 %r6, %r0, 1; bra latch;\n"
             "on: @%p2 bra done;\nbra latch;\n"),
    };
    for (size_t i = 0; i < sizeof(loops) / sizeof(*loops); i++) {
        uint32_t out[LANES];
        run_block(loops[i], LANES, out);
        for (uint32_t l = 0; l < LANES; l++)
            ck_assert_msg(out[l] == together(l),
                          "loop %zu, lane %u: %u, expected %u", i, l, out[l],
                          together(l));
    }
}
END_TEST

/* From the inner of two loops out of both: lanes 8 and up in the third trip of
 * the inner one, in the outer's second. The others meet in either loop. */
START_TEST(test_break_two)
{
    uint32_t out[LANES];
    run_block(KERNEL("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                     "outer: mov.u32 %r3, 0;\n"
                     "inner: add.u32 %r4, %r0, %r3; and.b32 %r4, %r4, 1;\n"
                     "setp.eq.u32 %p1, %r4, 0; @%p1 bra latch;\n"
                     "setp.gt.u32 %p2, %r0, 7; setp.eq.u32 %p3, %r2, 1;\n"
                     "setp.gt.u32 %p4, %r3, 1;\n"
                     "and.pred %p2, %p2, %p3; and.pred %p2, %p2, %p4;\n"
                     "@%p2 bra done;\n"
                     "latch: activemask.b32 %r5; popc.b32 %r5, %r5;\n"
                     "add.u32 %r1, %r1, %r5; add.u32 %r3, %r3, 1;\n"
                     "setp.lt.u32 %p5, %r3, 4; @%p5 bra inner;\n"
                     "activemask.b32 %r5; popc.b32 %r5, %r5;\n"
                     "mad.lo.u32 %r1, %r5, 1000, %r1;\n"
                     "add.u32 %r2, %r2, 1; setp.lt.u32 %p6, %r2, 3;\n"
                     "@%p6 bra outer;\n"
                     "done: activemask.b32 %r5; setp.ne.u32 %p7, %r5, -1;\n"
                     "@%p7 mov.u32 %r1, 9999;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++) {
        /* odd lanes leave in trip 2, even ones in trip 3 */
        uint32_t second = 32 + 32 + 20;
        uint32_t expected = l < 8
                                ? 128 + 32000 + (second + 8) + 8000 + 32 + 8000
                            : l % 2 == 1 ? 128 + 32000 + 64
                                         : 128 + 32000 + second;
        ck_assert_msg(out[l] == expected, "lane %u: %u, expected %u", l, out[l],
                      expected);
    }
}
END_TEST

/* One of several targets is outside of the loop: lane l goes round as often as
 * its number's last digit has it. */
START_TEST(test_break_index)
{
    uint32_t out[LANES];
    run_block(KERNEL("t: .branchtargets again, other, done;\n"
                     "mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                     "rem.u32 %r6, %r0, 10;\n"
                     "again: add.u32 %r1, %r1, 1;\n"
                     "other: add.u32 %r1, %r1, 100; add.u32 %r2, %r2, 1;\n"
                     "and.b32 %r3, %r0, 1; setp.gt.u32 %p1, %r2, %r6;\n"
                     "@%p1 mov.u32 %r3, 2;\n"
                     "brx.idx %r3, t;\n"
                     "done: activemask.b32 %r5; setp.ne.u32 %p4, %r5, -1;\n"
                     "@%p4 mov.u32 %r1, 9999;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t rounds = l % 10;
        ck_assert_uint_eq(out[l], 101 + rounds * (l % 2 == 0 ? 101 : 100));
    }
}
END_TEST

/* Two nested branches: the inner meets before the outer. */
START_TEST(test_nested)
{
    uint32_t out[LANES];
    run_block(KERNEL("and.b32 %r2, %r0, 1; and.b32 %r3, %r0, 2;\n"
                     "setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r3, 0;\n"
                     "@%p1 bra even;\n"
                     "@%p2 bra odd_low;\n"
                     "mov.u32 %r1, 30; bra odd;\n"
                     "odd_low: mov.u32 %r1, 10;\n"
                     "odd: activemask.b32 %r4; popc.b32 %r4, %r4;\n"
                     "add.u32 %r1, %r1, %r4; bra end;\n"
                     "even: mov.u32 %r1, 2;\n"
                     "end: activemask.b32 %r4; popc.b32 %r4, %r4;\n"
                     "add.u32 %r1, %r1, %r4;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], 32 + (l % 2 == 0   ? 2
                                        : l % 4 == 1 ? 10 + 16
                                                     : 30 + 16));
}
END_TEST

/* Lanes that have left no longer count, the others go on together. */
START_TEST(test_guarded_exit)
{
    uint32_t out[LANES];
    run_block(KERNEL("mov.u32 %r1, 1; setp.lt.u32 %p1, %r0, 5;\n"
                     "@%p1 exit;\n"
                     "activemask.b32 %r1;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], l < 5 ? 0 : 0xFFFFFFE0);
}
END_TEST

START_TEST(test_branch_index)
{
    uint32_t out[LANES];
    run_block(KERNEL("rem.u32 %r2, %r0, 3;\n"
                     "list: .branchtargets zero, one, two;\n"
                     "brx.idx %r2, list;\n"
                     "zero: mov.u32 %r1, 100; bra end;\n"
                     "one: mov.u32 %r1, 200; bra end;\n"
                     "two: mov.u32 %r1, 300;\n"
                     "end: activemask.b32 %r3; popc.b32 %r3, %r3;\n"
                     "add.u32 %r1, %r1, %r3;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], 100 * (l % 3 + 1) + 32);
    must_fail(KERNEL("list: .branchtargets zero;\n"
                     "brx.idx %r0, list;\nzero: ret;"),
              LANES,
              "t.ptx:10:1: brx: found index 1 in lane 1, expected one "
              "of 1");
}
END_TEST

/* ---- calls -------------------------------------------------------------- */

/* fib(n) by recursion, lane by lane differently deep. */
START_TEST(test_recursion)
{
    static const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    uint32_t out[10];
    run_block(PTX_HEAD
              ".func (.param .b32 result) fib(.param .b32 n)\n{\n"
              ".reg .pred %p; .reg .b32 %r<8>;\n"
              "ld.param.u32 %r1, [n]; setp.lt.u32 %p, %r1, 2;\n"
              "@%p bra small;\n"
              "sub.u32 %r2, %r1, 1; sub.u32 %r3, %r1, 2;\n"
              "{ .param .b32 a; st.param.b32 [a+0], %r2; .param .b32 b;\n"
              "call.uni (b), fib, (a); ld.param.b32 %r4, [b+0]; }\n"
              "{ .param .b32 a; st.param.b32 [a], %r3; .param .b32 b;\n"
              "call (b), fib, (a); ld.param.b32 %r5, [b]; }\n"
              "add.u32 %r1, %r4, %r5;\n"
              "small: st.param.b32 [result], %r1; ret;\n}\n"
              ".visible .entry k(.param .u64 out)\n{\n" THREAD
              "{ .param .b32 a; st.param.b32 [a], %r0; .param .b32 b;\n"
              "call (b), fib, (a); ld.param.b32 %r1, [b]; }\n" STORE "ret;\n}",
              10, out);
    for (int l = 0; l < 10; l++)
        ck_assert_uint_eq(out[l], fib[l]);
}
END_TEST

/* Lanes call one of two functions through a table in memory. */
START_TEST(test_indirect_call)
{
    uint32_t out[LANES];
    run_block(PTX_HEAD
              ".func (.reg .u32 o) twice(.reg .u32 i) { add.u32 o, i, i; }\n"
              ".func (.reg .u32 o) plus(.reg .u32 i) { add.u32 o, i, 7; ret; "
              "}\n"
              ".global .align 8 .u64 table[2] = {twice, plus};\n"
              ".visible .entry k(.param .u64 out)\n{\n" THREAD
              "and.b32 %r2, %r0, 1; mul.wide.u32 %d2, %r2, 8;\n"
              "mov.u64 %d3, table; add.s64 %d3, %d3, %d2;\n"
              "ld.global.u64 %d4, [%d3];\n"
              "proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
              "call (%r1), %d4, (%r0), proto;\n" STORE "ret;\n}",
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], l % 2 == 0 ? 2 * l : l + 7);
}
END_TEST

START_TEST(test_endless_recursion)
{
    must_fail(PTX_HEAD ".func f() { .local .b8 room[4096]; call f; ret; }\n"
                       ".visible .entry k(.param .u64 out) { call f; ret; }",
              1, "t.ptx:4:36: call: found calls too deep");
    must_fail(PTX_HEAD ".extern .func g();\n"
                       ".visible .entry k(.param .u64 out) { call g; ret; }",
              1, "call of 'g', which has no body");
}
END_TEST

/* ---- barriers ----------------------------------------------------------- */

/* Thread t reads what thread 95 - t wrote before the barrier. */
START_TEST(test_barrier)
{
    uint32_t out[96];
    run_block(KERNEL(".shared .align 4 .b8 room[384];\n"
                     "mov.u32 %r2, room; shl.b32 %r3, %r0, 2;\n"
                     "add.u32 %r4, %r2, %r3; st.shared.u32 [%r4], %r0;\n"
                     "bar.sync 0;\n"
                     "sub.u32 %r5, 380, %r3; add.u32 %r5, %r5, %r2;\n"
                     "ld.shared.u32 %r1, [%r5];\n" STORE "ret;"),
              96, out);
    for (uint32_t t = 0; t < 96; t++)
        ck_assert_uint_eq(out[t], 95 - t);
}
END_TEST

/* Warps go on together, as under any scheduler of a GPU: what one has written
 * long ago another one finds, without a barrier, after 300 instructions. */
START_TEST(test_turns)
{
    uint32_t out[2 * LANES];
    run_block(KERNEL(".shared .align 4 .u32 told; mov.u32 %r2, 0;\n"
                     "setp.lt.u32 %p1, %r0, 32; @%p1 bra wait;\n"
                     "st.shared.u32 [told], 7;\n"
                     "wait: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100;\n"
                     "@%p2 bra wait;\n"
                     "ld.shared.u32 %r1, [told];\n" STORE "ret;"),
              2 * LANES, out);
    for (uint32_t i = 0; i < 2 * LANES; i++)
        ck_assert_uint_eq(out[i], 7);
}
END_TEST

/* Warp 0 waits at barrier 1 for two more warps, that only arrive; warp 3 ends
 * at once and barrier 0 does not wait for it. */
START_TEST(test_counted_barrier)
{
    uint32_t out[128];
    run_block(KERNEL(".shared .align 4 .u32 sum;\n"
                     "shr.u32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 3;\n"
                     "@%p1 exit;\n"
                     "setp.eq.u32 %p2, %r2, 0; @%p2 bra wait;\n"
                     "atom.shared.add.u32 %r3, [sum], %r2;\n"
                     "bar.arrive 1, 96; bra all;\n"
                     "wait: bar.sync 1, 96;\n"
                     "all: ld.shared.u32 %r1, [sum]; bar.sync 0;\n" STORE
                     "ret;"),
              128, out);
    for (uint32_t t = 0; t < 32; t++)
        ck_assert_uint_eq(out[t], 32 * 1 + 32 * 2);
    ck_assert_uint_eq(out[127], 0);
}
END_TEST

START_TEST(test_reducing_barrier)
{
    uint32_t out[64];
    run_block(KERNEL("setp.lt.u32 %p1, %r0, 40;\n"
                     "bar.red.popc.u32 %r1, 0, %p1;\n"
                     "bar.red.and.pred %p2, 0, %p1;\n"
                     "bar.red.or.pred %p3, 0, !%p1;\n"
                     "@%p2 add.u32 %r1, %r1, 1000;\n"
                     "@%p3 add.u32 %r1, %r1, 100;\n" STORE "ret;"),
              64, out);
    for (uint32_t t = 0; t < 64; t++)
        ck_assert_uint_eq(out[t], 140);
}
END_TEST

START_TEST(test_stuck)
{
    must_fail(KERNEL("setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 0;\n"
                     "bar.sync 1;\nret;"),
              64, "t.ptx:11:1: bar: found that no warp of the block can go on");
}
END_TEST

/* A warp that waits for what never comes is told from one that is slow by a
 * limit on its instructions. */
START_TEST(test_endless)
{
    static const char *const arg[] = {"buf:1:u32", NULL};
    static const char text[] =
        KERNEL("wait: ld.volatile.global.u32 %r1, [%d0];\n"
               "setp.eq.u32 %p1, %r1, 0; @%p1 bra wait;\nret;");
    struct ptx_module m;
    struct ptx_session s;
    struct ptx_totals t;
    struct error e = {STATUS_OK, ""};
    const struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .arg = arg, .args = 1};
    ck_assert(ptx_parse(&m, text, sizeof(text) - 1, "t.ptx", &e));
    ck_assert(ptx_session_open(&s, &m, &request, &e));
    s.launch.steps_max = 1000;
    ck_assert(!ptx_session_run(&s, &t, &e));
    ck_assert_msg(strstr(e.text, "found no end of the warp after 1000") != NULL,
                  "%s", e.text);
    ptx_session_close(&s);
    ptx_module_free(&m);
}
END_TEST

/* Of all warps together: a run is left where its patience ends. */
START_TEST(test_patience)
{
    static const char *const arg[] = {"buf:1:u32", NULL};
    static const char text[] = KERNEL("again: bra again;\nret;");
    struct ptx_module m;
    struct ptx_session s;
    struct ptx_block b;
    struct error e = {STATUS_OK, ""};
    const struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {256, 1, 1}, .arg = arg, .args = 1};
    ck_assert(ptx_parse(&m, text, sizeof(text) - 1, "t.ptx", &e));
    ck_assert(ptx_session_open(&s, &m, &request, &e));
    struct ptx_view view = {.memory = &s.memory, .is_private = true};
    ck_assert(ptx_block_open(&b, &s.launch, view, &e));
    b.patience = 100000;
    ck_assert(ptx_block_start(&b, 0) && ptx_block_run(&b));
    ck_assert_uint_ge(b.warp_steps, 100000);
    ck_assert_uint_lt(b.warp_steps, 200000);
    for (uint32_t i = 0; i < b.warps; i++)
        ck_assert_int_eq(b.warp[i].state, WARP_READY);
    b.patience = 0; /* too many, as counted from the block's start */
    b.steps_before = b.warp_steps - PTX_BLOCK_STEPS_MAX;
    ck_assert(!ptx_block_run(&b));
    ck_assert_msg(strstr(e.text, "bra: found no end of the block") != NULL,
                  "%s", e.text);
    ptx_block_close(&b);
    ptx_session_close(&s);
    ptx_module_free(&m);
}
END_TEST

/* ---- memory ------------------------------------------------------------- */

START_TEST(test_outside)
{
    must_fail(KERNEL("st.global.u32 [%d1+4093], %r0;\nret;"), 1,
              "t.ptx:9:1: st: lane 0: found address 0x100000ffd, expected a "
              "multiple of 4");
    must_fail(
        KERNEL("st.global.u32 [%d1+4088], %r0;\nret;"), 3,
        "t.ptx:9:1: st: lane 2: found 4 bytes at address 0x100001000, "
        "outside every buffer and 0 bytes behind the 4096 at 0x100000000");
    must_fail(KERNEL("st.global.u32 [%d1+-260], %r0;\nret;"), 1,
              "outside every buffer and 260 bytes before the 4096 at");
    must_fail(KERNEL("mov.u64 %d1, 64; st.global.u32 [%d1], %r0;\nret;"), 1,
              "outside every buffer (block");
    must_fail(KERNEL(".loc 1 7 3\nst.global.u32 [%d1+4096], %r0;\nret;"), 1,
              "t.ptx:10:1 (source line 7): st: lane 0: found 4 bytes");
    must_fail(KERNEL("ld.shared.u32 %r1, [16];\nret;"), 1,
              "outside the block's shared memory");
}
END_TEST

/* Lane by lane through atomics: every old value comes up once. */
START_TEST(test_atomics)
{
    uint32_t out[64], seen[64] = {0};
    run_block(KERNEL(".shared .align 4 .u32 next;\n"
                     "atom.shared.add.u32 %r1, [next], 1;\n" STORE "ret;"),
              64, out);
    for (int t = 0; t < 64; t++)
        seen[out[t] & 63]++;
    for (int t = 0; t < 64; t++)
        ck_assert_uint_eq(seen[t], 1);
    run_block(KERNEL(".shared .align 4 .u32 s[4];\n"
                     "atom.shared.inc.u32 %r2, [s], 2;\n"
                     "atom.shared.max.s32 %r2, [s+4], %r0;\n"
                     "atom.shared.cas.b32 %r2, [s+8], 0, %r0;\n"
                     "red.shared.or.b32 [s+12], %r0;\n"
                     "ld.shared.u32 %r1, [s]; ld.shared.u32 %r2, [s+4];\n"
                     "mad.lo.u32 %r1, %r2, 100, %r1;\n"
                     "ld.shared.u32 %r2, [s+8];\n"
                     "mad.lo.u32 %r1, %r2, 10000, %r1;\n"
                     "ld.shared.u32 %r2, [s+12];\n"
                     "mad.lo.u32 %r1, %r2, 1000000, %r1;\n" STORE "ret;"),
              4, out);
    /* inc wraps at 2: 0 1 2 0, so 1; greatest 3; lane 1 is the first to put
     * what is not 0; 0 | 1 | 2 | 3. */
    ck_assert_uint_eq(out[0], 3 * 1000000 + 1 * 10000 + 3 * 100 + 1);
}
END_TEST

/* The same bytes by a generic address, through local and shared memory. */
START_TEST(test_generic)
{
    uint32_t out[LANES];
    run_block(KERNEL(".local .align 8 .b8 own[64]; .shared .align 8 .b8 all[8];"
                     "\nmov.u64 %d2, own; cvta.local.u64 %d3, %d2;\n"
                     "st.u32 [%d3+8], %r0; ld.local.u32 %r2, [own+8];\n"
                     "mov.u64 %d2, all; cvta.shared.u64 %d4, %d2;\n"
                     "st.shared.u32 [all+4], 5; ld.u32 %r3, [%d4+4];\n"
                     "isspacep.shared %p1, %d4; isspacep.global %p2, %d4;\n"
                     "add.u32 %r1, %r2, %r3; @%p1 add.u32 %r1, %r1, 100;\n"
                     "@%p2 add.u32 %r1, %r1, 1000;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], l + 105);
}
END_TEST

/* Initial values: braces, addresses, floats; signed bytes extend. */
START_TEST(test_initial)
{
    uint32_t out[4];
    run_block(PTX_HEAD
              ".const .align 4 .u32 grid[2][3] = {{1, 2}, {4, 5, 6}};\n"
              ".global .align 8 .u64 to = grid+12;\n"
              ".global .align 4 .f32 half = 0f3F000000;\n"
              ".global .s8 small[] = {-1, -2};\n"
              ".visible .entry k(.param .u64 out)\n{\n" THREAD
              "ld.global.u64 %d2, [to]; ld.u32 %r1, [%d2+8];\n"
              "ld.const.u32 %r2, [grid+8]; add.u32 %r1, %r1, %r2;\n"
              "ld.global.u32 %r3, [half]; shr.u32 %r3, %r3, 24;\n"
              "add.u32 %r1, %r1, %r3; ld.global.s8 %r4, [small+1];\n"
              "mad.lo.s32 %r1, %r4, 100, %r1;\n" STORE "ret;\n}",
              1, out);
    ck_assert_int_eq((int32_t)out[0], 6 + 0 + 0x3F - 200);
}
END_TEST

START_TEST(test_special)
{
    uint32_t out[LANES];
    run_block(KERNEL("mov.u32 %r1, %laneid; mov.u32 %r2, %lanemask_lt;\n"
                     "popc.b32 %r2, %r2; mad.lo.u32 %r1, %r2, 100, %r1;\n"
                     "mov.u32 %r2, %ntid.x; mad.lo.u32 %r1, %r2, 10000, %r1;\n"
                     "mov.u32 %r2, WARP_SZ; mad.lo.u32 %r1, %r2, 1000000, "
                     "%r1;\n" STORE "ret;"),
              20, out);
    for (uint32_t l = 0; l < 20; l++)
        ck_assert_uint_eq(out[l], 32000000 + 200000 + 101 * l);
}
END_TEST

/* What is reserved of shared memory is apart from what is declared. */
START_TEST(test_reserved_shared)
{
    uint32_t out[LANES];
    run_block(KERNEL(".shared .align 4 .b8 s[128];\n"
                     "shl.b32 %r2, %r0, 2; mov.u32 %r3, s;\n"
                     "add.u32 %r3, %r3, %r2;\n"
                     "mov.u32 %r4, %reserved_smem_offset_1;\n"
                     "add.u32 %r2, %r2, %r4; add.u32 %r4, %r0, 1000;\n"
                     "st.shared.u32 [%r3], %r0; st.shared.u32 [%r2], %r4;\n"
                     "ld.shared.u32 %r1, [%r3]; ld.shared.u32 %r3, [%r2];\n"
                     "sub.u32 %r1, %r3, %r1;\n"
                     "mov.u32 %r2, %reserved_smem_offset_begin;\n"
                     "mov.u32 %r3, %reserved_smem_offset_end;\n"
                     "sub.u32 %r3, %r3, %r2;\n"
                     "mov.u32 %r4, %reserved_smem_offset_cap;\n"
                     "sub.u32 %r3, %r3, %r4; add.u32 %r1, %r1, %r3;\n" STORE
                     "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], 1000);
}
END_TEST

/* Four cycles a step: three steps from one reading to the next. */
START_TEST(test_clock)
{
    uint32_t out[LANES];
    run_block(KERNEL("mov.u32 %r2, %clock; add.u32 %r4, %r0, 1;\n"
                     "add.u32 %r4, %r4, 1; mov.u32 %r3, %clock;\n"
                     "sub.u32 %r1, %r3, %r2;\n" STORE "ret;"),
              LANES, out);
    for (uint32_t l = 0; l < LANES; l++)
        ck_assert_uint_eq(out[l], 12);
}
END_TEST

/* ---- lanes among each other --------------------------------------------- */

/* %r3: the mask of the lane's half of the warp, %r2: 0 or 16 */
#define HALVES                                                                 \
    "and.b32 %r2, %r0, 16; mov.u32 %r3, 65535; shl.b32 %r3, %r3, %r2;\n"

struct exchange {
    const char *code;     /* %r0: the lane, %r1: the result */
    uint32_t expected[4]; /* of lanes 0, 1, 17 and 31 */
};

static const struct exchange exchanges[] = {
    {"shfl.sync.up.b32 %r1, %r0, 1, 0, -1;", {0, 0, 16, 30}},
    {"shfl.sync.down.b32 %r1, %r0, 2, 31, -1;", {2, 3, 19, 31}},
    {"shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;", {16, 17, 1, 15}},
    {"shfl.sync.idx.b32 %r1, %r0, 5, 31, -1;", {5, 5, 5, 5}},
    {"shfl.sync.idx.b32 %r1, %r0, 3, 6175, -1;", {3, 3, 19, 27}},
    {"setp.lt.u32 %p1, %r0, 4; mov.u32 %r1, 99; /* lane 1: from none */\n"
     "@%p1 shfl.sync.down.b32 %r1, %r0, 3, 31, 15;",
     {3, 0, 99, 99}},
    {"shfl.sync.up.b32 %r1|%p1, %r0, 1, 6144, -1;\n"
     "@!%p1 mov.u32 %r1, 99;",
     {99, 0, 16, 30}},
    {"setp.gt.u32 %p1, %r0, 16; vote.sync.ballot.b32 %r1, %p1, -1;",
     {0xFFFE0000, 0xFFFE0000, 0xFFFE0000, 0xFFFE0000}},
    {"setp.gt.u32 %p1, %r0, 0; vote.sync.all.pred %p2, %p1, -1;\n"
     "vote.sync.any.pred %p3, !%p1, -1; selp.u32 %r1, 1, 0, %p2;\n"
     "@%p3 add.u32 %r1, %r1, 2;",
     {2, 2, 2, 2}},
    {"and.b32 %r2, %r0, 1; match.any.sync.b32 %r1, %r2, -1;",
     {0x55555555, 0xAAAAAAAA, 0xAAAAAAAA, 0xAAAAAAAA}},
    {"match.all.sync.b32 %r1|%p1, %r0, -1; @%p1 mov.u32 %r1, 7;", {0, 0, 0, 0}},
    {"redux.sync.add.u32 %r1, %r0, -1;", {496, 496, 496, 496}},
    {"sub.s32 %r2, %r0, 5; redux.sync.min.s32 %r1, %r2, -1;",
     {UINT32_MAX - 4, UINT32_MAX - 4, UINT32_MAX - 4, UINT32_MAX - 4}},
    {"elect.sync %r1|%p1, -1; @%p1 mov.u32 %r1, 42;", {42, 0, 0, 0}},
    {HALVES "redux.sync.add.u32 %r1, %r0, %r3;", {120, 120, 376, 376}},
    {"and.b32 %r2, %r0, 1; match.any.sync.b32 %r3, %r2, -1; /* two mixed */\n"
     "redux.sync.max.u32 %r1, %r0, %r3;",
     {30, 31, 31, 31}},
    {HALVES "setp.gt.u32 %p1, %r0, 14; vote.sync.ballot.b32 %r1, %p1, %r3;",
     {0x8000, 0x8000, 0xFFFF0000, 0xFFFF0000}},
    {HALVES "setp.gt.u32 %p1, %r0, 15; vote.sync.all.pred %p2, %p1, %r3;\n"
            "vote.sync.any.pred %p3, %p1, %r3; selp.u32 %r1, 1, 0, %p2;\n"
            "@%p3 add.u32 %r1, %r1, 2;",
     {0, 0, 3, 3}},
    {HALVES "match.all.sync.b32 %r1, %r2, %r3;",
     {0xFFFF, 0xFFFF, 0xFFFF0000, 0xFFFF0000}},
    {HALVES "elect.sync %r1|%p1, %r3; @%p1 mov.u32 %r1, 42;", {42, 0, 16, 16}},
};

START_TEST(test_exchange)
{
    static const uint32_t lane[] = {0, 1, 17, 31};
    uint32_t out[LANES];
    char text[2048];
    snprintf(text, sizeof(text), "%s%s\n%s",
             PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n" THREAD,
             exchanges[_i].code, STORE "ret;\n}\n");
    run_block(text, LANES, out);
    for (int k = 0; k < 4; k++)
        ck_assert_msg(out[lane[k]] == exchanges[_i].expected[k],
                      "%s lane %u: got %u, expected %u", exchanges[_i].code,
                      lane[k], out[lane[k]], exchanges[_i].expected[k]);
}
END_TEST

/* Blocks see each other's atomics, in order. */
START_TEST(test_grid)
{
    static const char *const arg[] = {"buf:1:u32:zero:o", "buf:16:u32:iota:5:2",
                                      NULL};
    struct ptx_run r;
    uint32_t sum;
    ptx_must_run(&r,
                 PTX_HEAD
                 ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
                 ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
                 "ld.param.u64 %d0, [out]; ld.param.u64 %d1, [in];\n"
                 "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x;\n"
                 "mov.u32 %r2, %tid.x; mad.lo.u32 %r0, %r0, %r1, %r2;\n"
                 "mul.wide.u32 %d2, %r0, 4; add.s64 %d1, %d1, %d2;\n"
                 "ld.global.u32 %r3, [%d1];\n"
                 "red.global.add.u32 [%d0], %r3;\nret;\n}\n",
                 4, 4, arg);
    ptx_take(&r, "o", &sum, sizeof(sum));
    ck_assert_uint_eq(sum, 16 * 5 + 2 * 120);
    ck_assert_uint_eq(r.totals.blocks, 4);
    ck_assert_uint_eq(r.totals.warp_steps, 4 * 11);
    ck_assert_uint_eq(r.totals.lane_steps, 16 * 11);
    ptx_done(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_flow");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_loop);
    tcase_add_test(c, test_break);
    tcase_add_test(c, test_break_two);
    tcase_add_test(c, test_break_index);
    tcase_add_test(c, test_nested);
    tcase_add_test(c, test_guarded_exit);
    tcase_add_test(c, test_branch_index);
    tcase_add_test(c, test_recursion);
    tcase_add_test(c, test_indirect_call);
    tcase_add_test(c, test_endless_recursion);
    tcase_add_test(c, test_barrier);
    tcase_add_test(c, test_turns);
    tcase_add_test(c, test_counted_barrier);
    tcase_add_test(c, test_reducing_barrier);
    tcase_add_test(c, test_stuck);
    tcase_add_test(c, test_endless);
    tcase_add_test(c, test_patience);
    tcase_add_test(c, test_outside);
    tcase_add_test(c, test_atomics);
    tcase_add_test(c, test_generic);
    tcase_add_test(c, test_initial);
    tcase_add_test(c, test_special);
    tcase_add_test(c, test_reserved_shared);
    tcase_add_test(c, test_clock);
    tcase_add_loop_test(c, test_exchange, 0,
                        sizeof(exchanges) / sizeof(exchanges[0]));
    tcase_add_test(c, test_grid);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
