/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a grid's blocks come in waves, and how full the last one is. */
#include "model/waves.h"
#include "tests/run_suite.h"

#include <check.h>
#include <math.h>
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
    double blocks, sms, resident; /* of the grid, the GPU, an SM */
    double whole, of_sm, used;    /* waves; blocks of an SM, and SMs */
} grids[] = {
    {56, 14, 4, 0, 4, 14}, /* one wave is the last one */
    {57, 14, 4, 1, 1, 1},         {64, 14, 4, 1, 1, 8},
    {56 + 21, 14, 4, 1, 2, 10.5}, {3 * 56, 14, 4, 2, 4, 14},
    {5, 14, 4, 0, 1, 5},
};

START_TEST(grid)
{
    struct waves w =
        waves_of(grids[_i].blocks, grids[_i].sms, grids[_i].resident);
    ck_assert_double_eq(w.whole, grids[_i].whole);
    ck_assert_double_eq(w.of_sm, grids[_i].of_sm);
    ck_assert_double_eq(w.sms, grids[_i].used);
}
END_TEST

/* Of 56 blocks that end together 8 are followed by another one. Where SMs do
 * not differ each is with a chance of 1/7: of 14 SMs 0.15 are expected with
 * three and more, 1.4 with two. Where only SMs differ the first one to end
 * takes four. SMs that go on alike take one each. */
START_TEST(first_to_end_take_more)
{
    ck_assert_double_eq(waves_in_step(64, 14, 4, 0).of_sm, 2);
    ck_assert_double_eq(waves_in_step(64, 14, 4, 1).of_sm, 4);
    ck_assert_double_eq(waves_in_step(64, 14, 4, 1).sms, 2);
    ck_assert_double_eq(waves_in_step(64, 14, 4, -1).of_sm, 1);
    ck_assert_double_eq(waves_in_step(64, 14, 4, -0.5).of_sm, 1.5);
    double before = 0;
    for (int i = 0; i < 30; i++) {
        double now = waves_in_step(64, 14, 4, waves_alike(ldexp(1, i))).of_sm;
        ck_assert_double_ge(now, before);
        before = now;
    }
}
END_TEST

/* However much SMs differ. */
START_TEST(what_leaves_no_choice)
{
    static const double alike[] = {0, 0.05, 1};
    double all = alike[_i];
    ck_assert_double_eq(waves_in_step(56, 14, 4, all).of_sm, 4);
    ck_assert_double_eq(waves_in_step(20, 14, 4, all).of_sm, 2);
    ck_assert_double_eq(waves_in_step(57, 14, 4, all).of_sm, 1);
    ck_assert_double_eq(waves_in_step(112, 14, 4, all).of_sm, 4);
    ck_assert_double_eq(waves_in_step(20, 14, 1, all).of_sm, 1);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("waves");
    tcase_add_loop_test(t, grid, 0, (int)COUNT(grids));
    tcase_add_test(t, first_to_end_take_more);
    tcase_add_loop_test(t, what_leaves_no_choice, 0, 3);
    return run_suite("model: waves", t);
}
