/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random kernels on bundled GPUs under the interval model: more SMs, bandwidth,
 * capacity or units never cost more than 1 %, and twice the grid of a wave
 * takes at most twice the time. No two blocks touch the same lines: where they
 * do, more of them at a time may need more of the L2. */
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "tests/gpu_named.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { KERNELS = 40 };

static const char *const machines[] = {"gtx480", "k20x", "titanx", "v100",
                                       "t4",     "a100", "l4",     "h100"};
static const char *const schedulers[] = {"gto", "lrr", "paws", "swl"};

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*state >> 33) % n;
}

static struct script_op random_op(uint64_t *state)
{
    static const enum op_class alu[] = {OP_INT, OP_SP, OP_SP, OP_SFU, OP_DP};
    struct script_op op = {.dst = 1 + (int)draw(state, 8),
                           .src0 = 1 + (int)draw(state, 8),
                           .src1 = -1,
                           .width = 4,
                           .stride = 4};
    uint64_t kind = draw(state, 8);
    op.op = kind < 5 ? alu[kind] : kind < 7 ? OP_LOAD : OP_STORE;
    if (kind < 5)
        return op;
    op.space = SPACE_GLOBAL;
    op.dst = op.op == OP_STORE ? -1 : op.dst;
    op.base = (1 + draw(state, 4)) << 36;
    op.stride = (int64_t)4 << draw(state, 3);
    op.block_step = (1 << 20) + 5 * 128; /* fills all sets alike */
    op.warp_step = 1 << 15;
    op.iteration_step = (int64_t)draw(state, 2) * 1024;
    return op;
}

static struct script random_script(uint64_t *state)
{
    struct script s = {.count = 2 + (int)draw(state, 24),
                       .repeat = 1 + (int)draw(state, 8)};
    for (int i = 0; i < s.count - 1; i++)
        s.op[i] = random_op(state);
    s.op[s.count - 1] =
        (struct script_op){.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1};
    return s;
}

/* A random kernel, its launch, and where and how it runs. */
struct subject {
    struct script script;
    uint32_t grid, warps;
    int blocks;
    const char *gpu, *scheduler;
};

static struct subject random_subject(uint64_t *state)
{
    struct subject s = {.script = random_script(state)};
    s.warps = 1 + (uint32_t)draw(state, 8);
    s.grid = 16 + (uint32_t)draw(state, 4000);
    s.blocks = 1 + (int)draw(state, 6);
    s.gpu = machines[draw(state, COUNT(machines))];
    s.scheduler = schedulers[draw(state, COUNT(schedulers))];
    return s;
}

static double cycles(const struct subject *s, const struct gpu *g,
                     uint32_t grid)
{
    struct model_params params;
    struct policy_set set;
    struct result r;
    struct error e;
    struct kernel *k = script_kernel(&s->script, grid, s->warps);
    struct profile *p = profile_create(k, g, 1, &e);
    ck_assert_ptr_nonnull(p);
    ck_assert(policy_set_parse(&set, NULL, s->scheduler, NULL, NULL, &e));
    model_params_default(&params);
    model_estimate(&r, p, g, &set, s->blocks, &params);
    profile_free(p);
    k->ops->destroy(k);
    return r.cycles;
}

static void assert_not_slower(double before, double after, double times,
                              const struct subject *s, int i)
{
    ck_assert_msg(after <= 1.01 * times * before,
                  "kernel %d on %s, %u blocks of %u warps, %d resident, %s: "
                  "%.1f, then %.1f cycles",
                  i, s->gpu, s->grid, s->warps, s->blocks, s->scheduler, before,
                  after);
}

static void more_bandwidth(struct gpu *g)
{
    g->dram.gbps *= 1.5;
}
static void larger_l2(struct gpu *g)
{
    g->l2.size_kb *= 2;
}
static void larger_l1(struct gpu *g)
{
    g->l1.size_kb *= 2;
}
static void more_mshrs(struct gpu *g)
{
    g->l1.mshr *= 2;
}
static void more_units(struct gpu *g)
{
    g->unit.sp *= 2;
    g->unit.integer *= 2;
    g->unit.sfu *= 2;
    g->unit.dp *= 2;
}
static void wider_network(struct gpu *g)
{
    g->icnt.flit_bytes *= 2;
    g->l2.port_bytes *= 2;
}

START_TEST(more_of_anything_is_not_slower)
{
    static void (*const change[])(struct gpu * g) = {
        more_bandwidth, larger_l2,  larger_l1,
        more_mshrs,     more_units, wider_network};
    uint64_t state = 3;
    for (int i = 0; i < KERNELS; i++) {
        struct subject s = random_subject(&state);
        struct gpu g = gpu_named(s.gpu);
        double before = cycles(&s, &g, s.grid);
        change[_i](&g);
        assert_not_slower(before, cycles(&s, &g, s.grid), 1, &s, i);
    }
}
END_TEST

/* Each with its share of the L2, and of many waves: a last one may be full or
 * not. */
START_TEST(more_sms_are_not_slower)
{
    uint64_t state = 5;
    for (int i = 0; i < KERNELS; i++) {
        struct subject s = random_subject(&state);
        struct gpu g = gpu_named(s.gpu);
        int whole = g.sms;
        double before = INFINITY, l2_kb = g.l2.size_kb;
        s.grid = 60 * (uint32_t)(whole * s.blocks);
        for (int tenth = 6; tenth <= 10; tenth++) {
            g.sms = (whole * tenth + 9) / 10;
            g.l2.size_kb = l2_kb / whole * g.sms;
            double now = cycles(&s, &g, s.grid);
            assert_not_slower(before, now, 1, &s, i);
            before = now;
        }
    }
}
END_TEST

/* Within a wave: the L2 keeps of a larger grid's stores no more than of a
 * smaller one's. */
START_TEST(twice_the_grid_takes_at_most_twice_the_time)
{
    uint64_t state = 7;
    for (int i = 0; i < KERNELS; i++) {
        struct subject s = random_subject(&state);
        struct gpu g = gpu_named(s.gpu);
        s.grid = 1 + (uint32_t)draw(&state, (uint64_t)(g.sms * s.blocks / 2));
        double once = cycles(&s, &g, s.grid);
        assert_not_slower(once, cycles(&s, &g, 2 * s.grid), 2, &s, i);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: machines");
    TCase *c = tcase_create("machines");
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(c, more_of_anything_is_not_slower, 0, 6);
    tcase_add_test(c, more_sms_are_not_slower);
    tcase_add_test(c, twice_the_grid_takes_at_most_twice_the_time);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
