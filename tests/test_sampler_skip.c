/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sampler jumps over cycles in which it thinks nothing can happen. Here it
 * also visits every one, and nothing at all may differ. */
#include "tests/script_table.h"

static void assert_same(const struct script_run *jump,
                        const struct script_run *tick, const char *gpu,
                        const char *policy, const char *kernel)
{
    const struct counter *c = counters_differ(&jump->counts, &tick->counts);
    ck_assert_msg(c == NULL, "%s, %s, %s: %s differ; cycles %llu, ticking %llu",
                  gpu, policy, kernel, c != NULL ? c->name : "",
                  (unsigned long long)jump->counts.cycles,
                  (unsigned long long)tick->counts.cycles);
    ck_assert_msg(jump->lives == tick->lives, "%s, %s, %s: lives differ", gpu,
                  policy, kernel);
}

static void compare(const struct script_case *k, const struct gpu *g,
                    const struct policy_set *p, struct sampler_options o,
                    const char *policy)
{
    o.tick_every_cycle = false;
    struct script_run jump =
        run_options(&k->script, k->blocks, k->warps, g, p, o);
    o.tick_every_cycle = true;
    struct script_run tick =
        run_options(&k->script, k->blocks, k->warps, g, p, o);
    ck_assert_int_eq(jump.result.partial, tick.result.partial);
    assert_same(&jump, &tick, g->name, policy, k->name);
}

/* Every kernel meets every policy on one machine in n, and a machine and a
 * policy meet every n-th kernel. */
static bool turn(size_t kernel, size_t policy, int gpu, size_t n)
{
    return (kernel + policy + (size_t)gpu) % n == 0;
}

START_TEST(under_warp_schedulers)
{
    struct gpu g = script_gpu(_i);
    for (size_t i = 0; warp_policies[i] != NULL; i++) {
        struct policy_set p = policies_of(warp_policies[i]);
        for (size_t c = 0; c < SCRIPT_CASES; c++)
            if (turn(c, i, _i, 2))
                compare(&script_cases[c], &g, &p, (struct sampler_options){0},
                        warp_policies[i]->info.name);
    }
}
END_TEST

/* Two-level schedulers move warps in cycles of their own; with small ready
 * queues there is always one to move. */
START_TEST(under_small_ready_queues)
{
    struct gpu g = script_gpu(_i);
    for (size_t i = 0; warp_policies[i] != NULL; i++) {
        struct policy_set p = policies_of(warp_policies[i]);
        if (choice_param(&p.warp, ROLE_READY_QUEUE, 0) == 0)
            continue;
        for (size_t c = 0; c < SCRIPT_CASES; c++) {
            p.warp.param[0] = 1 + (double)((c + (size_t)_i) % 3);
            if (p.warp.warp->info.param[1].name != NULL)
                p.warp.param[1] = (double)((c + (size_t)_i) / 3 % 2);
            compare(&script_cases[c], &g, &p, (struct sampler_options){0},
                    warp_policies[i]->info.name);
        }
    }
}
END_TEST

/* Several waves, so that those who search for a number of blocks find one. */
START_TEST(under_block_schedulers)
{
    struct gpu g = script_gpu(_i);
    for (size_t i = 0; block_policies[i] != NULL; i++) {
        struct policy_set p = policies_of(warp_policies[0]);
        p.block = block_of(block_policies[i]);
        for (size_t c = 0; c < SCRIPT_CASES; c++) {
            struct script_case k = script_cases[c];
            k.blocks *= 5;
            if (turn(c, i, _i, 5))
                compare(&k, &g, &p, (struct sampler_options){0},
                        block_policies[i]->info.name);
        }
    }
}
END_TEST

START_TEST(under_cache_policies)
{
    struct gpu g = script_gpu(_i);
    g.l1.size_kb /= 4; /* so that there is something to replace */
    g.l1.ways = g.l1.ways < 4 ? g.l1.ways : g.l1.ways / 4;
    for (size_t i = 0; cache_policies[i] != NULL; i++) {
        struct policy_set p = policies_of(warp_policies[1]);
        p.l1 = cache_of(cache_policies[i]);
        for (size_t c = 0; c < SCRIPT_CASES; c++)
            if (turn(c, i, _i, 2))
                compare(&script_cases[c], &g, &p,
                        (struct sampler_options){.criticality = true},
                        cache_policies[i]->info.name);
    }
}
END_TEST

/* A run cut short at any cycle has the same past. */
START_TEST(when_cut_short)
{
    struct gpu g = script_gpu(_i);
    struct policy_set p = policies_of(warp_policies[0]);
    for (size_t c = 0; c < SCRIPT_CASES; c++)
        for (uint64_t max = 1; max < 4000; max = max * 3 + 1)
            compare(&script_cases[c], &g, &p,
                    (struct sampler_options){.max_cycles = max}, "cut short");
}
END_TEST

static void note_moment(void *user, const struct sampler_moment *m)
{
    digest(user, m->cycle);
    digest(user, (uint64_t)m->sm << 32 | m->active_warps);
    digest(user, (uint64_t)m->alu_in_flight << 32 | m->mem_in_flight);
    for (uint32_t i = 0; i < m->phase_count; i++)
        digest(user, m->warps_in_phase[i]);
}

/* Cycle by cycle: ticking tells in shorter stretches. */
static bool note_state(void *user, const struct sampler_state *s)
{
    for (uint64_t c = s->from; c < s->to; c++) {
        digest(user, c << 8 | (uint64_t)s->kernel);
        digest(user, s->live);
        digest(user, c == s->from ? s->issued : 0);
        digest(user, s->at_barrier);
        digest(user, s->waits_memory);
        digest(user, s->waits_alu);
        digest(user, s->ready);
        for (int i = 0; i < s->schedulers; i++)
            digest(user, (uint64_t)s->stalled[i]);
        for (uint64_t live = s->live; live != 0; live &= live - 1) {
            int w = __builtin_ctzll(live);
            digest(user, s->block[w] << 32 | s->warp[w] << 16 | s->phase[w]);
        }
    }
    return true;
}

static const struct sampler_options with_moments = {.moment = note_moment,
                                                    .timeline_period = 97};
static const struct sampler_options with_watch = {.watch = note_state,
                                                  .watched_sm = 0};

/* Three kernels one after another, with what is told of them. */
static struct script_run run_application(const struct gpu *g, size_t first,
                                         struct sampler_options o,
                                         bool tick_every_cycle)
{
    struct policy_set p = policies_of(warp_policies[0]);
    struct kernel *k[3];
    for (size_t i = 0; i < 3; i++) {
        const struct script_case *c = &script_cases[(first + i) % SCRIPT_CASES];
        k[i] = script_kernel(&c->script, c->blocks, c->warps);
    }
    struct script_run r = {.lives = 0};
    o.tick_every_cycle = tick_every_cycle;
    o.warp_done = note_warp;
    o.user = &r;
    struct sampler_run run;
    struct error e;
    if (!sampler_simulate(&run,
                          &(struct sampler_job){.kernel = k,
                                                .kernels = 3,
                                                .gpu = g,
                                                .policies = &p,
                                                .options = &o},
                          &e))
        ck_abort_msg("%s", e.text);
    for (size_t i = 0; i < 3; i++)
        k[i]->ops->destroy(k[i]);
    r.counts = run.counts;
    return r;
}

static void compare_applications(int gpu, const struct sampler_options *o)
{
    struct gpu g = script_gpu(gpu);
    for (size_t c = 0; c < SCRIPT_CASES; c++) {
        struct script_run jump = run_application(&g, c, *o, false);
        struct script_run tick = run_application(&g, c, *o, true);
        assert_same(&jump, &tick, g.name, "lrr", script_cases[c].name);
    }
}

START_TEST(over_kernel_boundaries)
{
    compare_applications(_i, &with_moments);
}
END_TEST

START_TEST(what_a_watch_is_told)
{
    compare_applications(_i, &with_watch);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sampler: jumps over idle cycles");
    TCase *tc = tcase_create("jump");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, under_warp_schedulers, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, under_small_ready_queues, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, under_block_schedulers, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, under_cache_policies, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, when_cut_short, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, over_kernel_boundaries, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, what_a_watch_is_told, 0, SCRIPT_GPUS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
