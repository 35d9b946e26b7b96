/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Perf-Sat: its state machine fed by hand, then the policy around it. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/perfsat_search.h"
#include "tests/block_driver.h"

#include <string.h>

/* ---- the state machine -------------------------------------------------- */

/* A sample and where it must lead. */
struct fed {
    uint64_t sample;
    int blocks;
    enum perfsat_state state;
    bool history;
    int toggles;
};

#define WI PERFSAT_WEAK_INCREASE
#define SI PERFSAT_STRONG_INCREASE
#define WD PERFSAT_WEAK_DECREASE
#define SD PERFSAT_STRONG_DECREASE

static void feed(struct perfsat_search *s, const struct fed *fed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        perfsat_search_sample(s, fed[i].sample);
        ck_assert_msg(
            s->blocks == fed[i].blocks && s->state == fed[i].state &&
                s->history == fed[i].history && s->toggles == fed[i].toggles,
            "sample %zu: N=%d %s history %d toggles %d, expected "
            "N=%d %s history %d toggles %d",
            i + 1, s->blocks, perfsat_state_names[s->state], s->history,
            s->toggles, fed[i].blocks, perfsat_state_names[fed[i].state],
            fed[i].history, fed[i].toggles);
    }
}

#define FEED(search, ...)                                                      \
    do {                                                                       \
        const struct fed fed[] = {__VA_ARGS__};                                \
        feed(search, fed, sizeof(fed) / sizeof(fed[0]));                       \
    } while (0)

static void assert_done(const struct perfsat_search *s, int blocks,
                        enum perfsat_reason reason)
{
    ck_assert_int_eq(s->state, PERFSAT_DONE);
    ck_assert_int_eq(s->blocks, blocks);
    ck_assert_int_eq(s->reason, reason);
}

/* Sec. IV-B3: N_max = 15, N_optimal = 12. */
START_TEST(the_papers_example)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, true);
    ck_assert_int_eq(s.blocks, 8);
    FEED(&s, {100, 9, WI, false, 0}, {90, 9, WI, true, 0},
         {91, 10, SI, true, 0}, {85, 11, SI, true, 0}, {80, 12, SI, true, 0},
         {75, 13, SI, true, 0}, {78, 13, WI, false, 0},
         {76, 12, PERFSAT_DONE, false, 0});
    assert_done(&s, 12, PERFSAT_NO_LOWER);
}
END_TEST

/* Sec. IV-B2: 9 blocks stall more than 8, and the next sample agrees. */
START_TEST(the_way_down)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, true);
    FEED(&s, {100, 9, WI, false, 0}, {110, 8, WD, true, 1},
         {100, 7, SD, true, 0}, {90, 6, SD, true, 0}, {95, 6, WD, false, 0},
         {90, 7, PERFSAT_DONE, false, 0});
    assert_done(&s, 7, PERFSAT_NO_LOWER);
}
END_TEST

/* The other reading: two further samples have to agree. */
START_TEST(the_long_way_down)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, false);
    FEED(&s, {100, 9, WI, false, 0}, {110, 8, WD, false, 1},
         {100, 8, WD, true, 1}, {101, 7, SD, true, 0}, {90, 6, SD, true, 0},
         {95, 6, WD, false, 0}, {90, 7, PERFSAT_DONE, false, 0});
    assert_done(&s, 7, PERFSAT_NO_LOWER);
}
END_TEST

/* A turn that the next sample does not confirm takes the history bit back; the
 * one after it turns again. */
START_TEST(turns_that_nothing_confirms)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, true);
    FEED(&s, {100, 9, WI, false, 0}, {110, 8, WD, true, 1},
         {120, 8, WD, false, 1}, {130, 9, WI, true, 2}, {140, 9, WI, false, 2},
         {129, 9, WI, true, 2}, {128, 10, SI, true, 0});
}
END_TEST

START_TEST(a_discarded_sample)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, true);
    FEED(&s, {100, 9, WI, false, 0}, {90, 9, WI, true, 0},
         {90, 10, SI, true, 0}, {95, 10, WI, false, 0},
         {92, 9, PERFSAT_DONE, false, 0});
    ck_assert_uint_eq(s.stored, 90);
}
END_TEST

/* Sec. IV-B2: an incoherent sample only takes the history bit back. */
START_TEST(history_is_taken_back)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, false);
    FEED(&s, {100, 9, WI, false, 0}, {90, 9, WI, true, 0},
         {100, 9, WI, false, 0}, {99, 9, WI, true, 0}, {150, 9, WI, false, 0},
         {120, 8, WD, false, 1}, {119, 8, WD, true, 1}, {120, 8, WD, false, 1},
         {121, 9, WI, false, 2});
    ck_assert_uint_eq(s.stored, 121);
}
END_TEST

START_TEST(toggling_between_increase_and_decrease)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, false);
    FEED(&s, {100, 9, WI, false, 0}, {110, 8, WD, false, 1},
         {120, 9, WI, false, 2}, {130, 8, WD, false, 3},
         {140, 9, PERFSAT_DONE, false, 4});
    assert_done(&s, 9, PERFSAT_NO_DIRECTION);
}
END_TEST

/* Equal counts are not lower: nothing to gain goes the same way. */
START_TEST(equal_counts)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 6, false);
    FEED(&s, {7, 4, WI, false, 0}, {7, 3, WD, false, 1}, {7, 4, WI, false, 2},
         {7, 3, WD, false, 3}, {7, 4, PERFSAT_DONE, false, 4});
}
END_TEST

/* Sec. IV-B3; toggles of the second kind are counted by themselves. */
START_TEST(toggling_between_weak_and_strong)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 15, false);
    FEED(&s, {100, 9, WI, false, 0}, {110, 8, WD, false, 1},
         {120, 9, WI, false, 2}, {119, 9, WI, true, 2}, {118, 10, SI, true, 0},
         {118, 10, WI, false, 0}, {117, 11, SI, false, 1},
         {120, 11, WI, false, 1}, {116, 12, SI, false, 2},
         {120, 12, WI, false, 2}, {115, 13, SI, false, 3},
         {115, 13, WI, false, 3}, {114, 12, PERFSAT_DONE, false, 4});
    assert_done(&s, 12, PERFSAT_WEAK_AND_STRONG);
}
END_TEST

START_TEST(one_block_fits)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 1, true);
    assert_done(&s, 1, PERFSAT_ONE_FITS);
}
END_TEST

START_TEST(up_to_all_that_fit)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 4, true);
    FEED(&s, {9, 3, WI, false, 0}, {8, 3, WI, true, 0}, {7, 4, SI, true, 0},
         {6, 4, PERFSAT_DONE, true, 0});
    assert_done(&s, 4, PERFSAT_BOUND);
}
END_TEST

START_TEST(all_that_fit_is_one_too_many)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 4, true);
    FEED(&s, {9, 3, WI, false, 0}, {8, 3, WI, true, 0}, {7, 4, SI, true, 0},
         {7, 4, WI, false, 0}, {7, 3, PERFSAT_DONE, false, 0});
}
END_TEST

/* In doubt at first, then better after all. */
START_TEST(all_that_fit_at_second_sight)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 4, true);
    FEED(&s, {9, 3, WI, false, 0}, {8, 3, WI, true, 0}, {7, 4, SI, true, 0},
         {7, 4, WI, false, 0}, {6, 4, PERFSAT_DONE, false, 1});
    assert_done(&s, 4, PERFSAT_BOUND);
}
END_TEST

START_TEST(down_to_one)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 4, true);
    FEED(&s, {5, 3, WI, false, 0}, {9, 2, WD, true, 1}, {7, 1, SD, true, 0},
         {6, 1, PERFSAT_DONE, true, 0});
    assert_done(&s, 1, PERFSAT_BOUND);
}
END_TEST

/* Two fit: 1 and 2 are both tried and both bounds. */
START_TEST(two_blocks_fit)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 2, true);
    FEED(&s, {9, 2, WI, false, 0}, {8, 2, WI, true, 0},
         {8, 2, PERFSAT_DONE, true, 0});
    assert_done(&s, 2, PERFSAT_BOUND);
    perfsat_search_start(&s, 2, true);
    FEED(&s, {9, 2, WI, false, 0}, {9, 1, WD, true, 1},
         {8, 1, PERFSAT_DONE, true, 0});
    assert_done(&s, 1, PERFSAT_BOUND);
}
END_TEST

/* Stalls that fall up to some count and rise beyond it: it is found, whatever
 * fits. */
START_TEST(one_minimum_is_found)
{
    for (int max = 1; max <= 32; max++)
        for (int best = 1; best <= max; best++) {
            struct perfsat_search s;
            perfsat_search_start(&s, max, _i != 0);
            for (int i = 0; i < 200 && s.state != PERFSAT_DONE; i++) {
                ck_assert(s.blocks >= 1 && s.blocks <= max);
                perfsat_search_sample(&s, (uint64_t)abs(s.blocks - best));
            }
            ck_assert_int_eq(s.state, PERFSAT_DONE);
            ck_assert_int_eq(s.blocks, best);
        }
}
END_TEST

/* Whatever the samples, N stays in range; what is logged are the samples. */
START_TEST(any_samples)
{
    uint32_t x = 1;
    for (int run = 0; run < 2000; run++) {
        struct perfsat_search s;
        int max = 1 + run % 16;
        perfsat_search_start(&s, max, _i != 0);
        uint32_t samples = 0;
        for (; samples < 150 && s.state != PERFSAT_DONE; samples++) {
            x = x * 1664525 + 1013904223;
            uint64_t sample = x >> 28;
            perfsat_search_sample(&s, sample);
            ck_assert(s.blocks >= 1 && s.blocks <= max);
            ck_assert_int_le(s.toggles, 4);
            if (samples < PERFSAT_LOG)
                ck_assert_uint_eq(s.log[samples].sample, sample);
        }
        ck_assert_uint_eq(s.samples, samples);
    }
}
END_TEST

/* ---- the policy --------------------------------------------------------- */

static const uint64_t no_stalls[STALLS] = {0};

/* One sample: `count` stalled slots of four kinds among others. */
static void sample(struct driver *d, int sm, uint64_t count)
{
    driver_sample(d, sm,
                  (uint64_t[STALLS]){[STALL_ISSUED] = 1000,
                                     [STALL_IDLE] = 500,
                                     [STALL_SB_MEM] = count - 6,
                                     [STALL_SB_ALU] = 1,
                                     [STALL_PIPE_MEM] = 2,
                                     [STALL_PIPE_ALU] = 3});
}

/* Sec. IV-B1: the time of the SM's first block, times Nmax. */
START_TEST(period)
{
    struct driver d;
    driver_open(&d, "perfsat", 2, 6);
    driver_kernel(&d, 0, 1000, 1);
    ck_assert_int_eq(driver_limit(&d, 0), 3);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    ck_assert_int_eq(driver_launch(&d, 0, 100), 0);
    ck_assert_int_eq(driver_launch(&d, 1, 110), 1);
    ck_assert_int_eq(driver_launch(&d, 0, 120), 2);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    driver_end(&d, 0, 250, 10, 30);
    ck_assert_uint_eq(driver_due(&d, 0), 250 + 6 * 150);
    ck_assert_uint_eq(driver_due(&d, 1), UINT64_MAX);
    driver_end(&d, 0, 270, 10, 30);
    ck_assert_uint_eq(driver_due(&d, 0), 250 + 6 * 150);
    driver_sample(&d, 0, no_stalls);
    ck_assert_uint_eq(driver_due(&d, 0), 250 + 2 * 6 * 150);
    driver_close(&d);
}
END_TEST

/* Its words: the time in which Nmax blocks complete, three at a time. */
START_TEST(period_side_by_side)
{
    struct driver d;
    driver_open(&d, "perfsat:1:1", 1, 6);
    driver_kernel(&d, 0, 1000, 1);
    ck_assert_int_eq(driver_limit(&d, 0), 3);
    driver_launch(&d, 0, 100);
    driver_end(&d, 0, 250, 10, 30);
    ck_assert_uint_eq(driver_due(&d, 0), 250 + 2 * 150);
    driver_close(&d);
}
END_TEST

/* Each SM searches for itself; the count is of scoreboard and pipeline stalls
 * of the period alone. */
START_TEST(each_sm_for_itself)
{
    struct driver d;
    driver_open(&d, "perfsat", 2, 2);
    driver_kernel(&d, 0, 1000, 1);
    d.stalls[STALL_SB_MEM] = 12345;
    for (int sm = 0; sm < 2; sm++) {
        driver_launch(&d, sm, 0);
        driver_end(&d, sm, 50, 1, 1);
        ck_assert_int_eq(driver_limit(&d, sm), 1);
    }
    const uint64_t up[] = {100, 99, 98};
    for (int i = 0; i < 3; i++)
        sample(&d, 1, up[i]);
    ck_assert(driver_settled(&d, 1));
    ck_assert(!driver_settled(&d, 0));
    ck_assert_int_eq(driver_limit(&d, 1), 2);
    ck_assert_int_eq(driver_limit(&d, 0), 1);
    ck_assert_uint_eq(driver_due(&d, 1), UINT64_MAX);
    char *text = driver_explain(&d, 1);
    ck_assert_str_eq(
        text,
        "kernel 0 SM 1: period 100 cycles\n"
        "kernel 0 SM 1: sample 1: N=1 stalled=100 -> weak-increase N=2 "
        "history=0 toggles=0\n"
        "kernel 0 SM 1: sample 2: N=2 stalled=99 < stored 100 -> "
        "weak-increase N=2 history=1 toggles=0\n"
        "kernel 0 SM 1: sample 3: N=2 stalled=98 < stored 100 -> done N=2 "
        "history=1 toggles=0\n"
        "kernel 0 SM 1: done N=2 of 2 after 3 samples: still better at the "
        "end of the range\n");
    free(text);
    driver_close(&d);
}
END_TEST

/* With nothing left to launch a period says nothing of N. */
START_TEST(short_grid)
{
    struct driver d;
    driver_open(&d, "perfsat", 1, 4);
    driver_kernel(&d, 3, 2, 1);
    driver_launch(&d, 0, 0);
    driver_end(&d, 0, 10, 1, 1);
    sample(&d, 0, 100);
    ck_assert_int_eq(driver_limit(&d, 0), 3);
    driver_launch(&d, 0, 60);
    sample(&d, 0, 90);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    ck_assert(!driver_settled(&d, 0));
    char *text = driver_explain(&d, 0);
    ck_assert_str_eq(
        text, "kernel 3 SM 0: period 40 cycles\n"
              "kernel 3 SM 0: sample 1: N=2 stalled=100 -> weak-increase N=3 "
              "history=0 toggles=0\n"
              "kernel 3 SM 0: stopped N=3 of 4 after 1 sample: unfinished\n");
    free(text);
    driver_close(&d);
}
END_TEST

START_TEST(a_new_kernel_starts_again)
{
    struct driver d;
    driver_open(&d, "perfsat", 1, 2);
    for (int k = 0; k < 3; k++) {
        uint64_t start = (uint64_t)k * 10000;
        driver_kernel(&d, k, 100, 1);
        ck_assert_int_eq(driver_limit(&d, 0), 1);
        ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
        ck_assert_int_eq(driver_launch(&d, 0, start), 0);
        driver_end(&d, 0, start + 20, 1, 1);
        ck_assert_uint_eq(driver_due(&d, 0), start + 20 + 40);
        for (uint64_t i = 0; i < 3; i++)
            sample(&d, 0, 100 - i);
        ck_assert_int_eq(driver_limit(&d, 0), 2);
    }
    driver_close(&d);
}
END_TEST

START_TEST(one_block_needs_no_samples)
{
    struct driver d;
    driver_open(&d, "perfsat", 1, 1);
    driver_kernel(&d, 0, 100, 1);
    ck_assert(driver_settled(&d, 0));
    driver_launch(&d, 0, 0);
    driver_end(&d, 0, 20, 1, 1);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    driver_close(&d);
}
END_TEST

/* A search that cannot make up its mind is told by its first samples. */
START_TEST(a_long_log)
{
    struct perfsat_search s;
    perfsat_search_start(&s, 8, true);
    perfsat_search_sample(&s, 100);
    for (int i = 1; i < 100; i++)
        perfsat_search_sample(&s, i % 2 == 1 ? 90 : 110);
    ck_assert_int_eq(s.state, PERFSAT_WEAK_INCREASE);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    perfsat_search_explain(&s, "", out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "sample 64: "));
    ck_assert_ptr_null(strstr(text, "sample 65: "));
    ck_assert_ptr_nonnull(strstr(text, "\n36 more samples\n"
                                       "stopped N=5 of 8 after 100 samples: "
                                       "unfinished\n"));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfsat");
    TCase *machine = tcase_create("state machine");
    tcase_add_test(machine, the_papers_example);
    tcase_add_test(machine, the_way_down);
    tcase_add_test(machine, the_long_way_down);
    tcase_add_test(machine, turns_that_nothing_confirms);
    tcase_add_test(machine, a_discarded_sample);
    tcase_add_test(machine, history_is_taken_back);
    tcase_add_test(machine, toggling_between_increase_and_decrease);
    tcase_add_test(machine, equal_counts);
    tcase_add_test(machine, toggling_between_weak_and_strong);
    tcase_add_test(machine, one_block_fits);
    tcase_add_test(machine, up_to_all_that_fit);
    tcase_add_test(machine, all_that_fit_is_one_too_many);
    tcase_add_test(machine, all_that_fit_at_second_sight);
    tcase_add_test(machine, down_to_one);
    tcase_add_test(machine, two_blocks_fit);
    tcase_add_loop_test(machine, one_minimum_is_found, 0, 2);
    tcase_add_loop_test(machine, any_samples, 0, 2);
    tcase_add_test(machine, a_long_log);
    suite_add_tcase(suite, machine);
    TCase *policy = tcase_create("policy");
    tcase_add_test(policy, period);
    tcase_add_test(policy, period_side_by_side);
    tcase_add_test(policy, each_sm_for_itself);
    tcase_add_test(policy, short_grid);
    tcase_add_test(policy, a_new_kernel_starts_again);
    tcase_add_test(policy, one_block_needs_no_samples);
    suite_add_tcase(suite, policy);
    return driver_main(suite);
}
