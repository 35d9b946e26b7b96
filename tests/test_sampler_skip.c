/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sampler jumps over cycles in which it thinks nothing can happen. Here it
 * also visits every one, and nothing at all may differ. */
#include "tests/script_table.h"

static void assert_same(const struct script_run *jump,
                        const struct script_run *tick, const char *gpu,
                        const char *policy, const char *kernel)
{
    const uint64_t *a = (const uint64_t *)&jump->counts;
    const uint64_t *b = (const uint64_t *)&tick->counts;
    for (size_t i = 0; i < sizeof(jump->counts) / sizeof(*a); i++)
        ck_assert_msg(a[i] == b[i],
                      "%s, %s, %s: counter %zu is %llu, ticking %llu; cycles "
                      "%llu, ticking %llu",
                      gpu, policy, kernel, i, (unsigned long long)a[i],
                      (unsigned long long)b[i],
                      (unsigned long long)jump->counts.cycles,
                      (unsigned long long)tick->counts.cycles);
    ck_assert_msg(jump->lives == tick->lives, "%s, %s, %s: lives differ", gpu,
                  policy, kernel);
}

START_TEST(jumping_changes_nothing)
{
    struct gpu g = script_gpu(_i);
    for (size_t p = 0; warp_policies[p] != NULL; p++)
        for (size_t c = 0; c < SCRIPT_CASES; c++) {
            struct script_run jump =
                run_case(&script_cases[c], &g, warp_policies[p], false);
            struct script_run tick =
                run_case(&script_cases[c], &g, warp_policies[p], true);
            assert_same(&jump, &tick, g.name, warp_policies[p]->info.name,
                        script_cases[c].name);
        }
}
END_TEST

/* Two-level schedulers move warps in cycles of their own; with small ready
 * queues there is always one to move. */
START_TEST(jumping_changes_no_moves_between_queues)
{
    struct gpu g = script_gpu(_i);
    for (size_t i = 0; warp_policies[i] != NULL; i++)
        for (size_t c = 0; c < SCRIPT_CASES; c++)
            for (int ready = 1; ready <= 3; ready++) {
                const struct script_case *k = &script_cases[c];
                struct policy_set p = policies_of(warp_policies[i]);
                if (!p.warp.policy->traits.two_level)
                    continue;
                p.warp.param[0] = ready;
                struct sampler_options o = {.tick_every_cycle = false};
                struct script_run jump =
                    run_options(&k->script, k->blocks, k->warps, &g, &p, o);
                o.tick_every_cycle = true;
                struct script_run tick =
                    run_options(&k->script, k->blocks, k->warps, &g, &p, o);
                assert_same(&jump, &tick, g.name, p.warp.policy->info.name,
                            k->name);
            }
}
END_TEST

/* A run cut short at any cycle has the same past. */
START_TEST(jumping_changes_no_partial_run)
{
    struct gpu g = script_gpu(_i);
    struct policy_set p = policies_of(warp_policies[0]);
    for (size_t c = 0; c < SCRIPT_CASES; c++)
        for (uint64_t max = 1; max < 4000; max = max * 3 + 1) {
            const struct script_case *k = &script_cases[c];
            struct sampler_options o = {.max_cycles = max};
            struct script_run jump =
                run_options(&k->script, k->blocks, k->warps, &g, &p, o);
            o.tick_every_cycle = true;
            struct script_run tick =
                run_options(&k->script, k->blocks, k->warps, &g, &p, o);
            ck_assert_int_eq(jump.result.partial, tick.result.partial);
            assert_same(&jump, &tick, g.name, "cut short", k->name);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sampler: jumps over idle cycles");
    TCase *tc = tcase_create("jump");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, jumping_changes_nothing, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, jumping_changes_no_moves_between_queues, 0,
                        SCRIPT_GPUS);
    tcase_add_loop_test(tc, jumping_changes_no_partial_run, 0, SCRIPT_GPUS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
