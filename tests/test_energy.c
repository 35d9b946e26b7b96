/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Energy: events by hand, parts that sum, scaling from samples. */
#include "calib/calib.h"
#include "kernels/load.h"
#include "sampler/energy.h"
#include "tests/script_gate.h"

static struct sampler_run run_under(const struct script *s, uint32_t blocks,
                                    uint32_t warps, const struct gpu *g,
                                    const struct warp_policy *policy)
{
    struct policy_set p = policies_of(policy);
    struct kernel *k = script_kernel(s, blocks, warps);
    struct sampler_run run;
    struct error e;
    ck_assert_msg(sampler_simulate(
                      &run,
                      &(struct sampler_job){
                          .kernel = &k, .kernels = 1, .gpu = g, .policies = &p},
                      &e),
                  "%s", e.text);
    k->ops->destroy(k);
    return run;
}

static struct sampler_run run_of(const struct script *s, uint32_t blocks,
                                 uint32_t warps, const struct gpu *g)
{
    return run_under(s, blocks, warps, g, warp_policies[0]);
}

/* One key at 1 pJ, all others at 0: the events it stands for, in number. */
static double events_of(const char *key, const struct script *s, struct gpu g)
{
    memset(&g.energy, 0, sizeof(g.energy));
    ck_assert(gpu_key_set(&g, gpu_key_find(key), 1, NULL));
    struct sampler_run run = run_of(s, 1, 1, &g);
    return round(run.result.energy_uj * 1e6);
}

START_TEST(instructions)
{
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT(ALU(OP_INT, 1, 2, 3), ALU(OP_INT, 1, 2, 3), ALU(OP_SP, 4, 1, 1),
               ALU(OP_SFU, 5, 4, -1), ALU(OP_DP, 6, 4, 5),
               ALU(OP_IMUL, 7, 1, 2), ALU(OP_TENSOR, 8, 1, 2));
    ck_assert_double_eq(events_of("energy.issue", &s, g), 8);
    ck_assert_double_eq(events_of("energy.int", &s, g), 2 * 32);
    ck_assert_double_eq(events_of("energy.imul", &s, g), 32);
    ck_assert_double_eq(events_of("energy.sp", &s, g), 32);
    ck_assert_double_eq(events_of("energy.sfu", &s, g), 32);
    ck_assert_double_eq(events_of("energy.dp", &s, g), 32);
    ck_assert_double_eq(events_of("energy.tensor", &s, g), 32);
    ck_assert_double_eq(events_of("energy.register_read", &s, g), 13 * 32);
    ck_assert_double_eq(events_of("energy.register_write", &s, g), 7 * 32);
    ck_assert_double_eq(events_of("energy.l1_read", &s, g), 0);
    g.icache.perfect = 0;
    ck_assert_double_ge(events_of("energy.icache", &s, g), 1);
}
END_TEST

/* Lanes that are off take nothing. */
START_TEST(lanes)
{
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT({.op = OP_SP, .dst = 1, .src0 = 2, .src1 = -1, .mask = 0xff});
    ck_assert_double_eq(events_of("energy.sp", &s, g), 8);
    ck_assert_double_eq(events_of("energy.register_read", &s, g), 8);
}
END_TEST

/* A line loaded twice and another stored to; plain_gpu() has sectors of 32
 * bytes in the L2, flits of 40 and bursts of 64 bytes. */
START_TEST(memory)
{
    struct gpu g = plain_gpu();
    g.l1.write_policy = L1_WRITE_BACK;
    struct script s = SCRIPT(
        MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4),
        MEM(OP_LOAD, SPACE_GLOBAL, 2, 1, 4, .stride = 4),
        MEM(OP_STORE, SPACE_GLOBAL, -1, 2, 4, .base = 4096, .stride = 4));
    ck_assert_double_eq(events_of("energy.l1_read", &s, g), 2);
    ck_assert_double_eq(events_of("energy.l1_write", &s, g), 1);
    ck_assert_double_eq(events_of("energy.l2_read", &s, g), 4);
    ck_assert_double_eq(events_of("energy.l2_write", &s, g), 4);
    /* Request 1, answer 4; written through 4. */
    ck_assert_double_eq(events_of("energy.noc", &s, g), 9);
    ck_assert_double_eq(events_of("energy.dram_read", &s, g), 2);
    ck_assert_double_eq(events_of("energy.dram_write", &s, g), 0);
    ck_assert_double_eq(events_of("energy.dram_row", &s, g), 1);
}
END_TEST

/* Of an atomic both, of one sector. */
START_TEST(atomics)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(
        MEM(OP_ATOMIC, SPACE_GLOBAL, 1, -1, 4, .stride = 4, .mask = 0xff));
    ck_assert_double_eq(events_of("energy.l2_read", &s, g), 1);
    ck_assert_double_eq(events_of("energy.l2_write", &s, g), 1);
}
END_TEST

/* 32 lanes on even banks: two passes. */
START_TEST(other_spaces)
{
    struct gpu g = plain_gpu();
    struct script shared =
        SCRIPT(MEM(OP_LOAD, SPACE_SHARED, 1, -1, 4, .stride = 8));
    ck_assert_double_eq(events_of("energy.shared", &shared, g), 2);
    struct script constant =
        SCRIPT(MEM(OP_LOAD, SPACE_CONST, 1, -1, 4, .stride = 0),
               MEM(OP_LOAD, SPACE_CONST, 1, -1, 4, .stride = 0));
    ck_assert_double_eq(events_of("energy.constant", &constant, g), 2);
    struct script texture =
        SCRIPT(MEM(OP_LOAD, SPACE_TEXTURE, 1, -1, 4, .stride = 4),
               MEM(OP_LOAD, SPACE_TEXTURE, 2, 1, 4, .stride = 4));
    ck_assert_double_eq(events_of("energy.texture", &texture, g), 2);
}
END_TEST

START_TEST(parts_sum)
{
    size_t count;
    const char *const *gpus = gpu_bundled_names(&count);
    for (size_t i = 0; i < count; i++) {
        struct gpu g;
        ck_assert(gpu_load(&g, gpus[i], NULL, 0, NULL));
        const struct script_case *c = &script_cases[(size_t)_i];
        struct sampler_run run = run_of(&c->script, c->blocks, c->warps, &g);
        double sum = 0;
        for (int p = 0; p < ENERGY_PARTS; p++) {
            ck_assert_double_ge(run.energy.part[p], 0);
            sum += run.energy.part[p];
        }
        ck_assert_double_eq(sum, run.result.energy_uj);
        ck_assert_double_gt(run.energy.part[ENERGY_CORE], 0);
        bool moves = run.counts.noc_flits > 0;
        ck_assert_int_eq(run.energy.part[ENERGY_NETWORK] > 0, moves);
        ck_assert_int_eq(run.energy.part[ENERGY_L2] > 0, moves);
    }
}
END_TEST

/* What does not depend on the order of things takes the same energy whatever
 * the schedulers. */
START_TEST(policies_share_the_core)
{
    const struct script_case *c = &script_cases[2];
    struct gpu g = plain_gpu();
    double core = 0;
    for (int i = 0; warp_policies[i] != NULL; i++) {
        struct sampler_run run =
            run_under(&c->script, c->blocks, c->warps, &g, warp_policies[i]);
        core = i == 0 ? run.energy.part[ENERGY_CORE] : core;
        ck_assert_double_eq(run.energy.part[ENERGY_CORE], core);
    }
}
END_TEST

/* A sampled point's energy is the sample's, carried over by instructions. */
START_TEST(hybrid_carries_it)
{
    struct kernel_list l;
    struct error e;
    struct gpu g;
    ck_assert(gpu_load(&g, "m2090", NULL, 0, &e));
    ck_assert_msg(kernel_load(&l, "nn", NULL, &e), "%s", e.text);
    struct policy_set p = policies_of(warp_policies[0]);
    int tb = 2;
    struct study s = {.kernel = l.kernel[0],
                      .gpu = &g,
                      .tb = &tb,
                      .tb_count = 1,
                      .policies = &p,
                      .policy_count = 1};
    double energy[2];
    static const enum mode mode[] = {MODE_DETAILED, MODE_HYBRID};
    for (int i = 0; i < 2; i++) {
        struct study_result r;
        ck_assert(calib_study(&r, &s,
                              &(struct calib_options){.mode = mode[i],
                                                      .budget_insts = 20000,
                                                      .threads = 1},
                              &e));
        energy[i] = r.result[0].energy_uj;
        study_result_free(&r);
    }
    printf("energy of nn: %.1f uJ, from a sample %.1f\n", energy[0], energy[1]);
    ck_assert_double_eq_tol(energy[1] / energy[0], 1, 0.15);
    kernel_list_free(&l);
}
END_TEST

/* The model counts the same events without running them. */
static const struct modelled {
    const char *kernel, *gpu;
} modelled[] = {{"nn", "m2090"},  {"lud", "v100"}, {"pathfinder", "titanx"},
                {"cfd", "m2090"}, {"fwt", "v100"}, {"srad", "a100"}};

static double energy_by(enum mode mode, const struct study *s)
{
    struct study_result r;
    struct error e;
    ck_assert(calib_study(
        &r, s, &(struct calib_options){.mode = mode, .seed = 1}, &e));
    double sum = 0;
    for (int i = 0; i < ENERGY_PARTS; i++)
        sum += r.result[0].memory.energy_uj[i];
    double energy = r.result[0].energy_uj;
    ck_assert_double_eq_tol(sum / energy, 1, 1e-9);
    study_result_free(&r);
    return energy;
}

START_TEST(the_model_is_near_detail)
{
    struct kernel_list l;
    struct error e;
    struct gpu g;
    const struct load_options small = {.launch.grid.x = 120};
    ck_assert(gpu_load(&g, modelled[_i].gpu, NULL, 0, &e));
    ck_assert_msg(kernel_load(&l, modelled[_i].kernel, &small, &e), "%s",
                  e.text);
    struct policy_set p = policies_of(warp_policies[0]);
    int tb = 1;
    struct study s = {.kernel = l.kernel[0],
                      .gpu = &g,
                      .tb = &tb,
                      .tb_count = 1,
                      .policies = &p,
                      .policy_count = 1};
    double ratio = energy_by(MODE_MODEL, &s) / energy_by(MODE_DETAILED, &s);
    printf("energy of %s by the model over detail: %.2f\n", modelled[_i].kernel,
           ratio);
    ck_assert_double_gt(ratio, 0.5);
    ck_assert_double_lt(ratio, 2);
    kernel_list_free(&l);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, instructions);
    tcase_add_test(t, lanes);
    tcase_add_test(t, memory);
    tcase_add_test(t, atomics);
    tcase_add_test(t, other_spaces);
    tcase_add_loop_test(t, parts_sum, 0,
                        (int)(sizeof(script_cases) / sizeof(script_cases[0])));
    tcase_add_test(t, policies_share_the_core);
    tcase_add_test(t, hybrid_carries_it);
    tcase_add_loop_test(t, the_model_is_near_detail, 0,
                        (int)(sizeof(modelled) / sizeof(modelled[0])));
    return run_suite("energy", t);
}
