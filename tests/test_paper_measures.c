/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured beyond a figure of a run: how performance goes with the
 * resident blocks, and what warps' lives tell. Runs are made up here. */
#include "kernels/form/kernel.h"
#include "paper_repro/lives.h"
#include "paper_repro/reuses.h"
#include "paper_repro/saturation.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MOST 6 /* blocks of lud on an M2090: perfsat Table II */

/* Cycles of lud with 1 to 6 blocks. */
static const uint64_t *cycles;
static struct lab_record made_up[MOST + 1];

const struct lab_record *lab_record(struct lab *l, const struct point *p,
                                    struct error *e)
{
    (void)l;
    (void)e;
    ck_assert_str_eq(p->kernel, "lud");
    ck_assert_str_eq(p->gpu, "m2090");
    ck_assert_int_ge(p->blocks, 1);
    ck_assert_int_le(p->blocks, MOST);
    struct lab_record *r = &made_up[p->blocks];
    r->run.counts.cycles = cycles[p->blocks - 1];
    return r;
}

enum window lab_window(const struct lab *l)
{
    (void)l;
    return WINDOW_QUICK;
}

static struct saturation swept(const uint64_t *of)
{
    static const struct view v = {.gpu = "m2090"};
    struct saturation s;
    struct error e;
    cycles = of;
    ck_assert_msg(saturation_sweep(&s, &v, "m2090", "lud", &e), "%s", e.text);
    ck_assert_int_eq(s.max, MOST);
    return s;
}

/* perfsat Sec. V-B: 4 blocks are 1.1 % faster than 3, which is less than 2; 6
 * are 2 % slower than 3. */
START_TEST(class_by_what_blocks_gain)
{
    static const uint64_t falls[] = {1000, 600, 450, 445, 446, 459},
                          stays[] = {1000, 600, 450, 445, 446, 450},
                          scales[] = {1000, 600, 450, 440, 430, 420};
    struct saturation s = swept(falls);
    ck_assert_int_eq(s.best, 3);
    ck_assert_int_eq(s.class, MEM);
    s = swept(stays);
    ck_assert_int_eq(s.best, 3);
    ck_assert_int_eq(s.class, C_WEAK);
    s = swept(scales);
    ck_assert_int_eq(s.best, MOST);
    ck_assert_int_eq(s.class, C_STRONG);
    ck_assert_double_eq_tol(saturation_speedup(&s, 3, 1), 2.22222, 1e-5);
}
END_TEST

START_TEST(two_readings_of_the_best_count)
{
    static const uint64_t pause[] = {1000, 600, 595, 400, 400, 400};
    struct saturation s = swept(pause);
    ck_assert_int_eq(s.best, 2);
    ck_assert_int_eq(s.last_best, 4);
}
END_TEST

START_TEST(kepler_beside_fermi)
{
    struct view v = {.gpu = "m2090"};
    ck_assert_str_eq(saturation_gpu(&v, FERMI), "m2090");
    ck_assert_str_eq(saturation_gpu(&v, KEPLER), "k20x");
    v.gpu = "m2090-gsim";
    ck_assert_str_eq(saturation_gpu(&v, KEPLER), "k20x-gsim");
}
END_TEST

/* Two launches: blocks 0 to 2 of two warps, one of which begins when another
 * has ended, then block 0 of one warp. */
static struct sampler_warp lives[] = {
    {.block = 0, .start = 0, .end = 100, .insts = 10, .sched_wait = 20},
    {.block = 0, .start = 0, .end = 120, .insts = 12, .sched_wait = 30},
    {.block = 1, .start = 0, .end = 200, .insts = 10},
    {.block = 2, .start = 121, .end = 221, .insts = 10, .sched_wait = 10},
    {.block = 1, .start = 0, .end = 300, .insts = 10, .sched_wait = 60},
    {.block = 2, .start = 121, .end = 321, .insts = 15, .sched_wait = 20},
    {.block = 0, .start = 321, .end = 821, .insts = 10},
};

START_TEST(lives_of_blocks)
{
    const struct lab_record r = {.warp = lives,
                                 .warps = sizeof(lives) / sizeof(lives[0])};
    struct lives l;
    struct error e;
    ck_assert(lives_look(&l, &r, &e));
    /* 20, 50 and 100 %; one warp has none */
    ck_assert_int_eq(l.blocks, 3);
    ck_assert_double_eq_tol(l.mean, 170 / 3.0, 1e-9);
    ck_assert_double_eq_tol(l.median, 50, 1e-9);
    ck_assert_double_eq_tol(l.most, 100, 1e-9);
    ck_assert_double_eq_tol(l.most_insts, 50, 1e-9);
    /* 30 of 120, 60 of 300, 20 of 200 cycles */
    ck_assert_double_eq_tol(l.critical_wait, (25 + 20 + 10) / 3.0, 1e-9);
    /* block 2 */
    ck_assert_int_eq(l.warps, 2);
    ck_assert_double_eq(lives_time(&l.warp[0]), 100);
    ck_assert_double_eq(lives_time(&l.warp[1]), 200);
    /* block 2 again, of 25 instructions */
    ck_assert_uint_eq(l.busiest_insts, 25);
    ck_assert_uint_eq(l.busiest.block, 2);
    ck_assert_double_eq(lives_time(&l.busiest), 200);
}
END_TEST

/* Block 2 takes 200 cycles, the block of the second launch 500. */
START_TEST(last_block_of_each_launch)
{
    const struct lab_record r = {.warp = lives,
                                 .warps = sizeof(lives) / sizeof(lives[0])};
    const struct lab_record none = {.warps = 0};
    ck_assert_double_eq_tol(lives_last_block(&r), 350, 1e-9);
    ck_assert(lives_last_block(&none) != lives_last_block(&none));
}
END_TEST

/* Lines of instructions at lines 10 and 11 of a file, in two launches: one that
 * all find, one that others than critical warps find on its way, one that
 * nobody does and that is brought again in the next launch; and what critical
 * warps did not bring. */
START_TEST(who_uses_lines_again)
{
    static const struct inst ten = {.line = 10}, eleven = {.line = 11};
    static const struct sampler_line told[] = {
        {LINE_MISS, 0, 0, 5, &ten, false, true},
        {LINE_HIT, 0, 0, 5, &eleven, true, false},
        {LINE_MISS, 1, 0, 5, &ten, false, true},
        {LINE_MISS, 1, 0, 5, &eleven, true, false},
        {LINE_HIT, 0, 0, 5, &eleven, true, true},
        {LINE_EVICTED, 0, 0, 5, NULL, false, true},
        {LINE_MISS, 0, 0, 6, &eleven, false, true},
        {LINE_MISS, 0, 0, 7, &eleven, false, false},
        {LINE_HIT, 0, 0, 7, &ten, true, true},
        {LINE_MISS, 0, 1, 6, &ten, false, true},
    };
    struct reuses r = {.held = NULL};
    struct lab_reuse *of;
    size_t count;
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        ck_assert(reuses_note(&r, &told[i]));
    ck_assert(reuses_take(&r, &of, &count));
    reuses_free(&r);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(of[0].line, 10);
    ck_assert_uint_eq(of[0].brought, 3);
    ck_assert_uint_eq(of[0].by_critical, 1);
    ck_assert_uint_eq(of[0].by_others, 1);
    ck_assert_uint_eq(of[1].line, 11);
    ck_assert_uint_eq(of[1].brought, 1);
    ck_assert_uint_eq(of[1].by_critical + of[1].by_others, 0);
    free(of);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paper measures");
    TCase *t = tcase_create("all");
    tcase_add_test(t, who_uses_lines_again);
    tcase_add_test(t, class_by_what_blocks_gain);
    tcase_add_test(t, two_readings_of_the_best_count);
    tcase_add_test(t, kepler_beside_fermi);
    tcase_add_test(t, lives_of_blocks);
    tcase_add_test(t, last_block_of_each_launch);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
