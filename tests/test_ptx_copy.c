/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous copies (PTX ISA 9.0, section 9.7.9.25): what they leave in
 * memory, and what the streams tell of when they are complete. */
#include "kernels/form/box.h"
#include "kernels/ptx/launch/ptx_kernel.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD ".version 8.0\n.target sm_90a\n.address_size 64\n"
#define THREAD                                                                 \
    ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<16>;\n"                  \
    ".shared .align 8 .b64 bar[2]; .shared .align 128 .b8 tile[1024];\n"       \
    "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x;\n"  \
    "mov.u32 %r1, tile; mov.u32 %r2, bar;\n"                                   \
    "setp.ne.u32 %p0, %r0, 0;\n"
#define KERNEL(body)                                                           \
    HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n" THREAD body \
         "ret;\n}\n"
#define INIT(count) "@!%p0 mbarrier.init.shared.b64 [%r2], " count ";\n"
#define WAIT                                                                   \
    "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n"               \
    "@!%p1 bra wait;\n"
#define LOAD                                                                   \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
#define STORE  "cp.async.bulk.global.shared::cta.bulk_group "
#define FINISH "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"

static const char *const arg[] = {"buf:256:u32:iota:i", "buf:256:u32:iota:o",
                                  NULL};

static void run(const char *text, uint32_t threads, uint32_t *out)
{
    struct ptx_run r;
    ptx_must_run(&r, text, 1, threads, arg);
    ptx_take(&r, "o", out, 1024);
    ptx_done(&r);
}

/* There and back: bytes 64 to 319 of one buffer come to byte 16 of the other.
 */
START_TEST(test_bulk)
{
    uint32_t out[256];
    run(KERNEL(INIT("1") "@%p0 bra end;\n"
                         "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 256;\n"
                         "add.u64 %d0, %d0, 64;\n" LOAD
                         "[%r1], [%d0], 256, [%r2];\n" WAIT STORE
                         "[%d1+16], [%r1], 256;\n" FINISH "end:\n"),
        32, out);
    for (uint32_t i = 0; i < 256; i++)
        ck_assert_uint_eq(out[i], i >= 4 && i < 68 ? i + 12 : i);
}
END_TEST

/* Each of four lanes copies a row of its own, and adds it. */
START_TEST(test_reduce_by_lanes)
{
    uint32_t out[256];
    run(KERNEL(INIT(
            "4") "bar.sync 0; setp.ge.u32 %p2, %r0, 4; @%p2 bra end;\n"
                 "shl.b32 %r3, %r0, 5; add.u32 %r4, %r1, %r3;\n"
                 "cvt.u64.u32 %d2, %r3; add.u64 %d0, %d0, %d2;\n"
                 "add.u64 %d1, %d1, %d2;\n"
                 "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 32;\n" LOAD
                 "[%r4], [%d0], 32, [%r2];\n" WAIT
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"
                 " [%d1], [%r4], 32;\n" FINISH "end:\n"),
        32, out);
    for (uint32_t i = 0; i < 256; i++)
        ck_assert_uint_eq(out[i], i < 32 ? 2 * i : i);
}
END_TEST

/* The arrival of copies is one more than the phase waits for, unless .noinc. */
START_TEST(test_copy_arrives)
{
    uint32_t out[256];
    run(KERNEL(INIT("1") "@%p0 bra end;\n"
                         "cp.async.cg.shared.global [%r1], [%d0+32], 16;\n"
                         "cp.async.mbarrier.arrive.shared.b64 [%r2];\n"
                         "mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 0;\n"
                         "selp.u32 %r5, 1, 0, %p3; st.global.u32 [%d1], %r5;\n"
                         "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];\n"
                         "mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 0;\n"
                         "selp.u32 %r5, 1, 0, %p3; st.global.u32 [%d1+4], "
                         "%r5;\n"
                         "ld.shared.u32 %r5, [%r1+4]; st.global.u32 [%d1+8], "
                         "%r5;\n"
                         "end:\n"),
        32, out);
    ck_assert_uint_eq(out[0], 0);
    ck_assert_uint_eq(out[1], 1);
    ck_assert_uint_eq(out[2], 9);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    {KERNEL(INIT("1") LOAD "[%r1], [%d0], 24, [%r2];\n"),
     "cp: lane 0: found a size of 24, expected a multiple of 16"},
    {KERNEL(INIT("1") LOAD "[%r1], [%d0+8], 32, [%r2];\n"),
     "expected a multiple of 16"},
    {KERNEL(LOAD "[%r1], [%d0], 32, [%r2];\n"), "found no mbarrier object"},
    {KERNEL(INIT("1") LOAD "[%r1], [%d0], 2048, [%r2];\n"), "outside every"},
    {KERNEL(INIT("1") "cp.async.bulk.shared::cluster.global"
                      ".mbarrier::complete_tx::bytes.multicast::cluster "
                      "[%r1], [%d0], 32, [%r2];\n"),
     "found no mask of blocks"},
};

START_TEST(test_faults)
{
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, wrong[_i].text, 1, 1, arg, &e));
    ck_assert_msg(strstr(e.text, wrong[_i].error) != NULL, "%s", e.text);
}
END_TEST

/* ---- streams ------------------------------------------------------------ */

#define STEPS 64

struct loaded {
    struct kernel_list list;
    struct step step[STEPS]; /* of warp 0 of block 0 */
    size_t steps;
};

static void load(struct loaded *l, const char *text, uint32_t threads)
{
    char path[] = "/tmp/test_ptx_XXXXXX";
    struct error e = {STATUS_OK, ""};
    struct load_options o = {
        .launch = {.grid = {1, 1, 1}, .block = {threads, 1, 1}},
        .ptx = {.arg = arg, .args = 2}};
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (int)strlen(text));
    close(file);
    l->list = (struct kernel_list){0};
    bool ok = ptx_kernel_load(&l->list, path, &o, &e);
    remove(path);
    ck_assert_msg(ok, "%s", e.text);
    const struct kernel *k = l->list.kernel[0];
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 0, &e));
    for (l->steps = 0;
         l->steps < STEPS && k->ops->next(k, state, 0, &l->step[l->steps]);
         l->steps++)
        ;
    k->ops->close(k, state);
    free(state);
}

/* The n-th step of an instruction of this mnemonic that syncs. */
static const struct step *nth(const struct loaded *l, const char *mnemonic,
                              int n)
{
    for (size_t i = 0; i < l->steps; i++) {
        const struct inst *inst = &l->list.kernel[0]->inst[l->step[i].inst];
        if (strcmp(inst->mnemonic, mnemonic) == 0 && inst->sync != SYNC_NONE &&
            n-- == 0)
            return &l->step[i];
    }
    ck_abort_msg("no such step");
    return NULL;
}

/* A copy of 8 bytes a lane is a global access; its group is waited for by how
 * many copies were made before. */
START_TEST(test_groups)
{
    static struct loaded l;
    load(&l,
         KERNEL("shl.b32 %r3, %r0, 3; add.u32 %r1, %r1, %r3;\n"
                "cvt.u64.u32 %d2, %r3; add.u64 %d0, %d0, %d2;\n"
                "cp.async.ca.shared.global [%r1], [%d0], 8;\n"
                "cp.async.ca.shared.global [%r1+256], [%d0+256], 8;\n"
                "cp.async.commit_group;\n"
                "cp.async.ca.shared.global [%r1+512], [%d0+512], 8;\n"
                "cp.async.commit_group;\n"
                "cp.async.wait_group 1; cp.async.wait_group 0;\n"),
         32);
    const struct kernel *k = l.list.kernel[0];
    const struct step *first = nth(&l, "cp", 0);
    ck_assert_int_eq(k->inst[first->inst].space, SPACE_GLOBAL);
    ck_assert_uint_eq(k->inst[first->inst].width, 8);
    ck_assert_uint_eq(first->base, k->buffer[0].address);
    ck_assert_int_eq(first->stride, 8);
    ck_assert_uint_ne(first->signal, 0);
    ck_assert_uint_eq(nth(&l, "cp", 3)->signal, first->signal);
    ck_assert_uint_eq(nth(&l, "cp", 5)->await, first->signal);
    ck_assert_uint_eq(nth(&l, "cp", 5)->await_count, 2);
    ck_assert_uint_eq(nth(&l, "cp", 6)->await_count, 3);
    kernel_list_free(&l.list);
}
END_TEST

/* A bulk copy is one step, which raises the count that the wait waits for, as
 * does the arrival. */
START_TEST(test_box)
{
    static struct loaded l;
    load(&l,
         KERNEL(INIT("1") "@%p0 bra end;\n"
                          "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], "
                          "512;\n" LOAD "[%r1], [%d0+64], 512, [%r2];\n" WAIT
                          "end:\n"),
         32);
    const struct kernel *k = l.list.kernel[0];
    const struct step *copy = nth(&l, "cp", 0),
                      *arrival = nth(&l, "mbarrier", 1),
                      *wait = nth(&l, "mbarrier", 2);
    ck_assert_int_eq(copy->form, ADDR_BOX);
    ck_assert_uint_eq(copy->base, k->buffer[0].address + 64);
    ck_assert_uint_eq(box_bytes(&copy->box), 512);
    ck_assert_uint_eq(arrival->signal, copy->signal);
    ck_assert_uint_eq(wait->await, copy->signal);
    ck_assert_uint_eq(wait->await_count, 2);
    kernel_list_free(&l.list);
}
END_TEST

/* 96 bytes from byte 64 on, twice, 256 bytes apart: two sectors to the end of
 * a line of 128 bytes, one of the next; by sides of 2 x 1. */
START_TEST(test_box_lines)
{
    const struct step s = {
        .form = ADDR_BOX,
        .base = 64,
        .box = {.bytes = 96, .count = {2, 1, 1, 1}, .stride = {256}}};
    static const struct transaction expected[] = {
        {.line = 0, .sectors = 0xC, .whole = 0xC},
        {.line = 1, .sectors = 0x1, .whole = 0x1},
        {.line = 2, .sectors = 0xC, .whole = 0xC},
        {.line = 3, .sectors = 0x1, .whole = 0x1}};
    struct box_walk w = box_begin(&s);
    struct transaction t;
    ck_assert_uint_eq(box_bytes(&s.box), 192);
    for (int i = 0; i < 4; i++) {
        ck_assert(box_next(&w, 128, 32, &t));
        ck_assert_uint_eq(t.line, expected[i].line);
        ck_assert_uint_eq(t.sectors, expected[i].sectors);
        ck_assert_uint_eq(t.whole, expected[i].whole);
    }
    ck_assert(!box_next(&w, 128, 32, &t));
}
END_TEST

/* 80 bytes from byte 16 on: the second half of a sector and two whole ones;
 * eight bytes within one are none of it whole. */
START_TEST(test_box_parts)
{
    static const struct {
        uint64_t base;
        uint32_t bytes, sectors, whole;
    } cases[] = {{16, 80, 0x7, 0x6}, {8, 8, 0x1, 0}, {0, 128, 0xF, 0xF}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct step s = {
            .form = ADDR_BOX,
            .base = cases[i].base,
            .box = {.bytes = cases[i].bytes, .count = {1, 1, 1, 1}}};
        struct box_walk w = box_begin(&s);
        struct transaction t;
        ck_assert(box_next(&w, 128, 32, &t));
        ck_assert_uint_eq(t.sectors, cases[i].sectors);
        ck_assert_uint_eq(t.whole, cases[i].whole);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_copy");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_bulk);
    tcase_add_test(c, test_reduce_by_lanes);
    tcase_add_test(c, test_copy_arrives);
    tcase_add_loop_test(c, test_faults, 0,
                        (int)(sizeof(wrong) / sizeof(wrong[0])));
    tcase_add_test(c, test_groups);
    tcase_add_test(c, test_box);
    tcase_add_test(c, test_box_lines);
    tcase_add_test(c, test_box_parts);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
