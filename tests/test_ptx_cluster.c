/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clusters of blocks (PTX ISA 9.0, sections 9.7.13.4, 9.7.9.23 and 10.14):
 * places, the shared memory of others, barriers. */
#include "tests/ptx_run.h"

#define HEAD                                                                   \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                          \
    ".visible .entry k(.param .u64 out) "
#define BODY(text)                                                             \
    "{\n.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .b16 %h;\n"  \
    ".shared .align 8 .b64 bar; .shared .align 16 .b32 s[8];\n"                \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"   \
    "mov.u32 %r2, %cluster_ctarank; setp.ne.u32 %p0, %r0, 0;\n" text           \
    "ret;\n}\n"
#define MEET                                                                   \
    "barrier.cluster.arrive.release.aligned;\n"                                \
    "barrier.cluster.wait.acquire.aligned;\n"

static const char *const arg[] = {"buf:256:u32:iota:o", NULL};

static bool try(const char *text, struct dim3 grid, struct dim3 cluster,
                uint32_t *out, struct error *e)
{
    struct ptx_module m;
    struct ptx_session s;
    struct ptx_totals totals;
    const struct ptx_request request = {.grid = grid,
                                        .block = {32, 1, 1},
                                        .cluster = cluster,
                                        .arg = arg,
                                        .args = 1};
    if (!ptx_parse(&m, text, strlen(text), "t.ptx", e))
        return false;
    bool ok = ptx_session_open(&s, &m, &request, e);
    if (ok) {
        ok = ptx_session_run(&s, &totals, e);
        if (ok)
            ck_assert(ptx_memory_read(&s.memory, 0, 0, out, 1024));
        ptx_session_close(&s);
    }
    ptx_module_free(&m);
    return ok;
}

static void run(const char *text, struct dim3 grid, struct dim3 cluster,
                uint32_t *out)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(try(text, grid, cluster, out, &e), "%s", e.text);
}

/* A grid of 4 x 2 in clusters of 2 x 2: block (3, 1) is (1, 1) of cluster (1,
 * 0), of rank 3. */
START_TEST(test_places)
{
    uint32_t out[256];
    run(HEAD BODY("mov.u32 %r3, %ctaid.y; mad.lo.u32 %r4, %r3, 4, %r1;\n"
                  "mul.wide.u32 %d1, %r4, 4; add.u64 %d0, %d0, %d1;\n"
                  "mov.u32 %r5, %cluster_ctaid.y; mad.lo.u32 %r2, %r5, 10, "
                  "%r2;\nmov.u32 %r5, %cluster_ctaid.x; mad.lo.u32 %r2, %r5, "
                  "100, %r2;\nmov.u32 %r5, %clusterid.x; mad.lo.u32 %r2, %r5, "
                  "1000, %r2;\nmov.u32 %r5, %nclusterid.x; mad.lo.u32 %r2, "
                  "%r5, 10000, %r2;\nmov.u32 %r5, %cluster_nctarank; "
                  "mad.lo.u32 %r2, %r5, 100000, %r2;\n"
                  "st.global.u32 [%d0], %r2;\n"),
        (struct dim3){4, 2, 1}, (struct dim3){2, 2, 1}, out);
    ck_assert_uint_eq(out[0], 420000);
    ck_assert_uint_eq(out[1], 420101);
    ck_assert_uint_eq(out[4 + 2], 421012);
    ck_assert_uint_eq(out[4 + 3], 421113);
}
END_TEST

/* Each block reads what the next of its cluster of four has: by an address of
 * shared memory, and by a generic one. */
START_TEST(test_others_memory)
{
    uint32_t out[256];
    run(HEAD ".reqnctapercluster 4, 1, 1 " BODY(
            "add.u32 %r3, %r1, 100; @!%p0 st.shared.u32 [s], %r3;\n" MEET
            "add.u32 %r4, %r2, 1; and.b32 %r4, %r4, 3; mov.u32 %r5, s;\n"
            "mapa.shared::cluster.u32 %r6, %r5, %r4;\n"
            "ld.shared::cluster.u32 %r7, [%r6];\n"
            "mul.wide.u32 %d1, %r1, 16; add.u64 %d1, %d0, %d1;\n"
            "@!%p0 st.global.u32 [%d1], %r7;\n"
            "getctarank.shared::cluster.u32 %r8, %r6;\n"
            "@!%p0 st.global.u32 [%d1+4], %r8;\n"
            "mov.u64 %d3, s; cvta.shared.u64 %d3, %d3;\n"
            "mapa.u64 %d2, %d3, %r4; ld.u32 %r7, [%d2];\n"
            "@!%p0 st.global.u32 [%d1+8], %r7;\n"),
        (struct dim3){8, 1, 1}, (struct dim3){0, 0, 0}, out);
    for (uint32_t b = 0; b < 8; b++) {
        uint32_t next = b / 4 * 4 + (b + 1) % 4;
        ck_assert_uint_eq(out[4 * b], 100 + next);
        ck_assert_uint_eq(out[4 * b + 1], next % 4);
        ck_assert_uint_eq(out[4 * b + 2], 100 + next);
    }
}
END_TEST

/* Rank 1 adds to rank 0's memory and arrives at its mbarrier; rank 0 waits. */
START_TEST(test_remote_arrival)
{
    uint32_t out[256];
    run(HEAD BODY(
            "@!%p0 mbarrier.init.shared.b64 [bar], 32;\n"
            "@!%p0 st.shared.u32 [s], 5;\n" MEET
            "setp.ne.u32 %p1, %r2, 0; @%p1 bra gives;\n"
            "wait: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n"
            "@!%p2 bra wait; ld.shared.u32 %r3, [s];\n"
            "mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d0, %d1;\n"
            "st.global.u32 [%d1], %r3; bra end;\n"
            "gives: mov.u32 %r5, s; mapa.shared::cluster.u32 %r6, %r5, 0;\n"
            "atom.shared::cluster.add.u32 %r7, [%r6], 2;\n"
            "mov.u32 %r5, bar; mapa.shared::cluster.u32 %r6, %r5, 0;\n"
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];\n"
            "end:\n" MEET),
        (struct dim3){4, 1, 1}, (struct dim3){2, 1, 1}, out);
    ck_assert_uint_eq(out[0], 5 + 64);
    ck_assert_uint_eq(out[2], 5 + 64);
}
END_TEST

/* One copy to both blocks, each of which waits for its bytes. */
START_TEST(test_multicast)
{
    uint32_t out[256];
    run(HEAD BODY(
            "@!%p0 mbarrier.init.shared.b64 [bar], 1;\n"
            "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;\n" MEET
            "setp.ne.u32 %p1, %r2, 0; or.pred %p1, %p1, %p0; mov.u16 %h, 3;\n"
            "mov.u32 %r5, s; mov.u32 %r6, bar;\n"
            "@!%p1 cp.async.bulk.shared::cluster.global"
            ".mbarrier::complete_tx::bytes.multicast::cluster "
            "[%r5], [%d0+64], 32, [%r6], %h;\n"
            "wait: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n"
            "@!%p2 bra wait; ld.shared.u32 %r3, [s+8];\n"
            "mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d0, %d1;\n"
            "st.global.u32 [%d1+512], %r3;\n"),
        (struct dim3){2, 1, 1}, (struct dim3){2, 1, 1}, out);
    ck_assert_uint_eq(out[128], 18);
    ck_assert_uint_eq(out[129], 18);
}
END_TEST

/* Lanes of rank 1 store 8 bytes each to rank 0, and add 1 to what lane 0 put
 * there before; rank 0 waits for all of it. */
START_TEST(test_async_stores)
{
    uint32_t out[256];
    run(HEAD BODY(
            ".shared .align 8 .b64 t[33];\n"
            "@!%p0 mbarrier.init.shared.b64 [bar], 1;\n"
            "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 384;\n"
            "@!%p0 st.shared.u32 [t+256], 100;\n" MEET
            "mov.u32 %r5, t; mov.u32 %r6, bar; setp.eq.u32 %p1, %r2, 0;\n"
            "mapa.shared::cluster.u32 %r6, %r6, 0;\n"
            "mapa.shared::cluster.u32 %r7, %r5, 0; @%p1 bra wait;\n"
            "mul.lo.u32 %r8, %r0, 8; add.u32 %r8, %r7, %r8; mov.u32 %r9, 7;\n"
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 "
            "[%r8], {%r0, %r9}, [%r6];\n"
            "red.async.relaxed.cluster.shared::cluster"
            ".mbarrier::complete_tx::bytes.add.u32 [%r7+256], 1, [%r6];\n"
            "bra end;\n"
            "wait: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n"
            "@!%p2 bra wait; ld.shared.v2.u32 {%r10, %r11}, [t+40];\n"
            "@!%p0 st.global.v2.u32 [%d0], {%r10, %r11};\n"
            "ld.shared.u32 %r10, [t+256]; @!%p0 st.global.u32 [%d0+8], %r10;\n"
            "end:\n" MEET),
        (struct dim3){2, 1, 1}, (struct dim3){2, 1, 1}, out);
    ck_assert_uint_eq(out[0], 5);
    ck_assert_uint_eq(out[1], 7);
    ck_assert_uint_eq(out[2], 132);
}
END_TEST

static const struct {
    const char *text;
    struct dim3 grid, cluster;
    const char *error;
} wrong[] = {
    {HEAD BODY(""),
     {3, 1, 1},
     {2, 1, 1},
     "--grid: found 3,1,1, expected whole clusters of 2,1,1 blocks"},
    {HEAD ".reqnctapercluster 2 " BODY(""),
     {4, 1, 1},
     {4, 1, 1},
     "--cluster: found 4,1,1, expected 2,1,1 as 'k' declares"},
    {HEAD BODY(""),
     {32, 1, 1},
     {32, 1, 1},
     "--cluster: found 32 blocks, expected at most 16"},
    {HEAD BODY("mapa.u64 %d1, %d0, 2;\n"),
     {2, 1, 1},
     {2, 1, 1},
     "mapa: lane 0: found rank 2, expected one of a cluster of 2 blocks"},
    {HEAD BODY("setp.ne.u32 %p1, %r2, 0; @%p1 bra end;\n"
               "wait: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n"
               "@!%p2 bra wait; end:\n"),
     {2, 1, 1},
     {2, 1, 1},
     "found no mbarrier object"},
};

START_TEST(test_faults)
{
    uint32_t out[256];
    struct error e = {STATUS_OK, ""};
    ck_assert(!try(wrong[_i].text, wrong[_i].grid, wrong[_i].cluster, out, &e));
    ck_assert_msg(strstr(e.text, wrong[_i].error) != NULL, "%s", e.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_cluster");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_places);
    tcase_add_test(c, test_others_memory);
    tcase_add_test(c, test_remote_arrival);
    tcase_add_test(c, test_multicast);
    tcase_add_test(c, test_async_stores);
    tcase_add_loop_test(c, test_faults, 0,
                        (int)(sizeof(wrong) / sizeof(wrong[0])));
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
