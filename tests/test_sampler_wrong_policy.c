/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that answer what they must not: the run ends with an error that
 * names them, whoever runs it goes on. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/l1/cache_policy.h"
#include "tests/script_gate.h"

#define STATELESS(name_)                                                       \
    {                                                                          \
        .name = name_, .summary = "wrong", .paper = "none"                     \
    }

/* Runs 8 blocks of 4 warps under the policies; the error's text. */
static const char *error_under(const struct policy_set *p)
{
    static struct error e;
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .base = 0, OWN_LINES),
               ALU(OP_SP, 2, 1, -1));
    s.repeat = 20;
    struct kernel *k = script_kernel(&s, 8, 4);
    struct sampler_run run;
    g.sms = 2;
    g.l1.size_kb = 1;
    bool ok = sampler_simulate(
        &run,
        &(struct sampler_job){
            .kernel = &k, .kernels = 1, .gpu = &g, .policies = p},
        &e);
    k->ops->destroy(k);
    ck_assert(!ok);
    ck_assert_int_eq(e.status, STATUS_FAILED);
    return e.text;
}

/* ---- warp schedulers ---------------------------------------------------- */

static int lowest_not_ready(void *state, const struct warp_table *table,
                            uint64_t ready, uint64_t cycle)
{
    (void)state, (void)table, (void)cycle;
    return __builtin_ctzll(~ready);
}

static int no_slot(void *state, const struct warp_table *table, uint64_t ready,
                   uint64_t cycle)
{
    (void)state, (void)table, (void)ready, (void)cycle;
    return MAX_WARP_SLOTS;
}

START_TEST(warps_that_are_not_ready)
{
    static const struct warp_policy wrong[] = {
        {.info = STATELESS("lowest"), .pick = lowest_not_ready},
        {.info = STATELESS("beyond"), .pick = no_slot},
    };
    for (int i = 0; i < 2; i++) {
        const struct policy_set p = policies_of(&wrong[i]);
        const char *text = error_under(&p);
        ck_assert_msg(strstr(text, wrong[i].info.name) != NULL, "%s", text);
        ck_assert_msg(strstr(text, "is not ready") != NULL, "%s", text);
    }
}
END_TEST

/* ---- thread-block schedulers -------------------------------------------- */

static int64_t
block_behind_the_last(void *state, const struct block_context *context, int sm)
{
    (void)state, (void)sm;
    return (int64_t)context->blocks;
}

static int sm_behind_the_last(void *state, const struct block_context *context)
{
    (void)state;
    return context->sms;
}

static int sm_before_the_first(void *state, const struct block_context *context)
{
    (void)state, (void)context;
    return -1;
}

START_TEST(blocks_and_sms_that_there_are_not)
{
    static const struct block_policy wrong[] = {
        {.info = STATELESS("block8"), .next = block_behind_the_last},
        {.info = STATELESS("sm2"), .first_sm = sm_behind_the_last},
        {.info = STATELESS("negative"), .first_sm = sm_before_the_first},
    };
    static const char *const what[] = {"gave SM 0 block 8 of a grid of 8",
                                       "SM 2 is to be first of 2",
                                       "SM -1 is to be first of 2"};
    for (int i = 0; i < 3; i++) {
        struct policy_set p = policy_set_default();
        p.block = choice_of(&wrong[i].info);
        const char *text = error_under(&p);
        ck_assert_msg(strstr(text, wrong[i].info.name) != NULL, "%s", text);
        ck_assert_msg(strstr(text, what[i]) != NULL, "%s", text);
    }
}
END_TEST

/* ---- L1 policies -------------------------------------------------------- */

static int way_behind_the_last(void *state, int set, const uint8_t *locked,
                               const struct cache_access *a)
{
    (void)state, (void)set, (void)locked, (void)a;
    return 1000;
}

static int always_the_first(void *state, int set, const uint8_t *locked,
                            const struct cache_access *a)
{
    (void)state, (void)set, (void)locked, (void)a;
    return 0;
}

START_TEST(lines_that_may_not_go)
{
    static const struct cache_policy wrong[] = {
        {.info = STATELESS("beyond"), .victim = way_behind_the_last},
        {.info = STATELESS("locked"), .victim = always_the_first},
    };
    for (int i = 0; i < 2; i++) {
        struct policy_set p = policy_set_default();
        p.l1 = choice_of(&wrong[i].info);
        const char *text = error_under(&p);
        ck_assert_msg(strstr(text, wrong[i].info.name) != NULL, "%s", text);
        ck_assert_msg(strstr(text, "chose a line") != NULL, "%s", text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sampler: wrong policies");
    TCase *tc = tcase_create("answers");
    tcase_add_test(tc, warps_that_are_not_ready);
    tcase_add_test(tc, blocks_and_sms_that_there_are_not);
    tcase_add_test(tc, lines_that_may_not_go);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
