/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws that the interval model obeys, over random scripts. */
#include "tests/model_scripts.h"

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (*state >> 33) % n;
}

static struct script_op random_op(uint64_t *state, bool *barrier)
{
    static const enum op_class alu[] = {OP_INT, OP_IMUL, OP_SP, OP_SFU};
    struct script_op op = {
        .dst = (int)draw(state, 6), .src0 = (int)draw(state, 6), .src1 = -1};
    uint64_t kind = draw(state, 12);

    op.op = alu[draw(state, 4)];
    if (kind == 0 && *barrier)
        op = (struct script_op){
            .op = OP_BARRIER, .dst = -1, .src0 = -1, .src1 = -1};
    if (kind < 1 || kind > 4)
        return op;
    op.op = kind == 4 ? OP_STORE : OP_LOAD;
    op.dst = op.op == OP_STORE ? -1 : op.dst;
    op.space = draw(state, 4) == 0 ? SPACE_SHARED : SPACE_GLOBAL;
    op.width = 4;
    op.stride = (int64_t)(4u << draw(state, 6));
    op.base = draw(state, 4) << 24;
    op.warp_step = (int64_t)draw(state, 3) * 128;
    op.block_step = (int64_t)draw(state, 3) * 1024;
    op.iteration_step = (int64_t)draw(state, 3) * 4096;
    return op;
}

static struct script random_script(uint64_t *state)
{
    struct script s = {.count = 2 + (int)draw(state, 40),
                       .repeat = 1 + (int)draw(state, 12)};
    bool barrier = draw(state, 2) == 0;

    for (int i = 0; i < s.count - 1; i++)
        s.op[i] = random_op(state, &barrier);
    s.op[s.count - 1] =
        (struct script_op){.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1};
    return s;
}

static void assert_sane(const struct result *r)
{
    double sum = 0;

    ck_assert(isfinite(r->cycles) && r->cycles > 0);
    ck_assert(r->cycles_lo > 0 && r->cycles_lo < r->cycles);
    ck_assert(r->cycles_hi > r->cycles && isfinite(r->cycles_hi));
    ck_assert(r->ipc > 0 && r->time_us > 0 && r->warp_insts > 0);
    ck_assert(r->occupancy > 0 && r->occupancy <= 1);
    ck_assert(r->l1_miss >= 0 && r->l1_miss <= 1 + 1e-6);
    ck_assert(r->l2_miss >= 0 && r->l2_miss <= 1 + 1e-6);
    ck_assert(r->dram_gbps >= 0 && isfinite(r->dram_gbps));
    ck_assert(r->energy_uj >= 0 && isfinite(r->energy_uj));
    ck_assert(!r->sampled && !r->partial);
    ck_assert(r->limiter >= 0 && r->limiter < LIMITERS);
    for (int i = 0; i < STALLS; i++) {
        ck_assert(r->stall[i] >= 0 && r->stall[i] <= 1);
        sum += r->stall[i];
    }
    ck_assert(fabs(sum - 1) < 1e-9);
}

START_TEST(every_policy_and_point_is_sane)
{
    uint64_t state = 5;

    for (int i = 0; i < 60; i++) {
        struct script s = random_script(&state);
        uint32_t warps = 1 + (uint32_t)draw(&state, 6);
        uint32_t grid = 1 + (uint32_t)draw(&state, 90);
        struct gpu g = plain_gpu();

        g.sms = 1 + (int)draw(&state, 20);
        g.sm.issue_period = 1 + (int)draw(&state, 2);
        g.l1.caches_global = (int)draw(&state, 2);
        g.l1.write_policy = (int)draw(&state, 3);
        for (int p = 0; warp_policies[p] != NULL; p++) {
            struct result r =
                estimate(&s, &g, grid, warps, 1 + (int)draw(&state, 8),
                         warp_policies[p]);

            assert_sane(&r);
        }
    }
}
END_TEST

/* Where blocks share lines, a faster machine may let them get out of step, so
 * that they bring more. The cycle-level engine is no different: when memory
 * answers in half the time it takes longer for 14 of these kernels, 13 of which
 * share lines; for number 24 it is 6.5 %. Twice that is allowed. */
#define OUT_OF_STEP 0.13

static bool blocks_share_lines(const struct script *s, const struct gpu *g,
                               uint32_t grid, uint32_t warps)
{
    struct error e;
    struct kernel *k = script_kernel(s, grid, warps);
    struct profile *p = profile_create(k, g, 1, &e);
    ck_assert_ptr_nonnull(p);
    bool shared = profile_private_share(p) < 1;
    profile_free(p);
    k->ops->destroy(k);
    return shared;
}

/* On random kernels: what `change` does to the machine never costs time, or,
 * where their blocks share lines, at most that share of it. */
static void assert_never_slower(void (*change)(struct gpu *g),
                                double out_of_step)
{
    uint64_t state = 17;

    for (int i = 0; i < 60; i++) {
        struct script s = random_script(&state);
        uint32_t warps = 1 + (uint32_t)draw(&state, 6);
        uint32_t grid = 100 + (uint32_t)draw(&state, 200);
        int blocks = 1 + (int)draw(&state, 8);
        const struct warp_policy *policy = i % 2 ? &round_robin : &greedy;
        struct gpu g = plain_gpu();
        double before, after;

        g.sms = 4;
        double slack =
            blocks_share_lines(&s, &g, grid, warps) ? out_of_step : 1e-6;
        before = estimate(&s, &g, grid, warps, blocks, policy).cycles;
        change(&g);
        after = estimate(&s, &g, grid, warps, blocks, policy).cycles;
        ck_assert_msg(after <= before * (1 + slack),
                      "kernel %d: %.1f, then %.1f cycles", i, before, after);
    }
}

static void more_bandwidth(struct gpu *g)
{
    g->dram.gbps *= 4;
}
static void wider_network(struct gpu *g)
{
    g->icnt.flit_bytes *= 2;
    g->l2.port_bytes *= 2;
}
static void faster_memory(struct gpu *g)
{
    g->dram.latency /= 2;
    g->l2.latency /= 2;
}
static void faster_alus(struct gpu *g)
{
    g->latency.integer = g->latency.sp = 4;
}

START_TEST(better_machines_are_never_slower)
{
    assert_never_slower(more_bandwidth, 0);
    assert_never_slower(wider_network, 0);
    assert_never_slower(faster_memory, OUT_OF_STEP);
    assert_never_slower(faster_alus, OUT_OF_STEP);
}
END_TEST

START_TEST(more_sms_are_never_slower)
{
    struct gpu small = plain_gpu(), large = plain_gpu();

    /* Each SM brings its share of the rest, as in a real family of chips. */
    small.sms = 4;
    large.sms = 8;
    large.dram.gbps *= 2;
    large.l2.banks *= 2;
    large.l2.size_kb *= 2;
    for (int blocks = 1; blocks <= 8; blocks++)
        for (uint32_t grid = 16; grid <= 256; grid *= 2) {
            double few =
                estimate(&stream, &small, grid, 4, blocks, &greedy).cycles;
            double many =
                estimate(&stream, &large, grid, 4, blocks, &greedy).cycles;

            ck_assert_msg(many <= few * (1 + 1e-6),
                          "%u blocks, %d at a time: %.1f, then %.1f", grid,
                          blocks, few, many);
        }
}
END_TEST

START_TEST(larger_grids_take_longer)
{
    struct gpu g = plain_gpu();

    g.sms = 4;
    for (int i = 0; i < 2; i++) {
        const struct warp_policy *policy = i ? &round_robin : &greedy;
        double last = 0;

        for (uint32_t grid = 1; grid < 3000; grid = grid * 5 / 4 + 1) {
            double cycles =
                estimate(&independent, &g, grid, 4, 4, policy).cycles;

            ck_assert_msg(cycles >= last * (1 - 1e-3), "%u blocks", grid);
            last = cycles;
        }
    }
}
END_TEST

START_TEST(policies_differ_by_traits)
{
    struct gpu g = plain_gpu();
    double wide, narrow, limited, all;

    /* Two ready warps cannot hide a latency of ten cycles, 64 can. */
    struct kernel *k = script_kernel(&dependent, 64, 8);
    struct policy_set set = with_warp_policy(&two_level);

    narrow = estimate_set(k, &g, &set, 4).cycles;
    set.warp.param[0] = 64;
    wide = estimate_set(k, &g, &set, 4).cycles;
    k->ops->destroy(k);
    ck_assert(narrow > 3 * wide);

    limited = estimate(&dependent, &g, 64, 8, 4, &limit).cycles;
    all = estimate(&dependent, &g, 64, 8, 4, &greedy).cycles;
    assert_near(limited, 64 * 8 * 1000.0, 0.05);
    ck_assert(limited > 5 * all);
}
END_TEST

/* One warp may issue, of two a block: 100 dependent instructions of ten cycles
 * and 300. While the longer one's block waits for it, the other has made room
 * for the next block's. */
START_TEST(warps_that_are_done_make_room_under_a_limit)
{
    struct gpu g = plain_gpu();
    struct script s = dependent;

    s.warp_repeat = 200;
    assert_near(estimate(&s, &g, 64, 2, 4, &limit).cycles, 64 * 4000.0, 0.05);
}
END_TEST

START_TEST(parameters_have_effect_and_priors_in_range)
{
    struct gpu g = plain_gpu();
    struct kernel *k = script_kernel(&stream, 64, 8);
    struct policy_set set = with_warp_policy(&round_robin);
    struct model_params params;
    struct error e;
    struct profile *p = profile_create(k, &g, 1, &e);
    struct result low, high;

    for (int i = 0; i < MODEL_PARAMS; i++) {
        const struct model_param_info *info = &model_param_info[i];

        ck_assert(info->name != NULL && info->help != NULL);
        ck_assert(info->min <= info->prior && info->prior <= info->max);
        ck_assert(info->sigma > 0);
    }
    model_params_default(&params);
    params.value[PARAM_LATENCY] = 0.5;
    model_estimate(&low, p, &g, &set, 1, &params);
    params.value[PARAM_LATENCY] = 2;
    model_estimate(&high, p, &g, &set, 1, &params);
    ck_assert(high.cycles > 1.5 * low.cycles);
    profile_free(p);
    k->ops->destroy(k);
}
END_TEST

START_TEST(same_seed_same_estimate)
{
    struct gpu g = plain_gpu();
    struct result a = estimate(&stream, &g, 300, 8, 4, &greedy);
    struct result b = estimate(&stream, &g, 300, 8, 4, &greedy);

    ck_assert(a.cycles == b.cycles && a.l2_miss == b.l2_miss);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");

    tcase_add_test(all, every_policy_and_point_is_sane);
    tcase_add_test(all, better_machines_are_never_slower);
    tcase_add_test(all, more_sms_are_never_slower);
    tcase_add_test(all, larger_grids_take_longer);
    tcase_add_test(all, policies_differ_by_traits);
    tcase_add_test(all, warps_that_are_done_make_room_under_a_limit);
    tcase_add_test(all, parameters_have_effect_and_priors_in_range);
    tcase_add_test(all, same_seed_same_estimate);
    tcase_set_timeout(all, 300);
    return run_suite("model scripts", all);
}
