/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows of a grid: what the blocks before them have left in the caches, and
 * blocks that are under way when they begin. */
#include "sampler/policy/l1/table.h"
#include "sampler/warm.h"
#include "sampler/warmed.h"
#include "tests/quiet_memory.h"
#include "tests/script_gate.h"

/* ---- the caches --------------------------------------------------------- */

/* Lines that blocks before a window touch are in the L2 as if they had run, as
 * many as there is room to look for. */
START_TEST(blocks_before_warm_the_l2)
{
    struct gpu g = plain_gpu();
    g.l1.caches_global = 0;
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4));
    struct kernel *k = script_kernel(&s, 40, 1);
    const uint64_t warm[] = {0, 1, 30};
    uint64_t reads[3];
    for (int i = 0; i < 3; i++)
        reads[i] = run_kernels(&k, 1, &g,
                               &(struct sampler_options){.first_block = 30,
                                                         .block_count = 5,
                                                         .warm = warm[i]})
                       .counts.dram_reads;
    ck_assert_uint_gt(reads[0], 0);
    ck_assert_uint_eq(reads[1], 0);
    ck_assert_uint_eq(reads[2], 0);
    k->ops->destroy(k);
}
END_TEST

/* A line that all blocks load is in the L1, on each of two SMs, unless stores
 * of it that go through drop it or another policy than LRU has the L1. */
START_TEST(blocks_before_warm_the_l1)
{
    const struct {
        bool stores, lru;
        int write_policy;
        uint64_t misses[2]; /* of a cold L1 and a warm one */
    } rows[] = {{false, true, L1_WRITE_THROUGH, {2, 0}},
                {true, true, L1_WRITE_THROUGH, {2, 2}},
                {true, true, L1_WRITE_UPDATE, {2, 0}},
                {false, false, L1_WRITE_THROUGH, {2, 2}}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct gpu g = plain_gpu();
        struct script s =
            SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4),
                   MEM(rows[i].stores ? OP_STORE : OP_LOAD, SPACE_GLOBAL, -1, 1,
                       4, .stride = 4));
        struct kernel *k = script_kernel(&s, 100, 1);
        g.sms = 2;
        g.l1.write_policy = rows[i].write_policy;
        for (int warm = 0; warm < 2; warm++) {
            struct sampler_options o = {
                .first_block = 60, .block_count = 2, .warm = warm ? 60 : 0};
            struct policy_set p = policies_of(warp_policies[0]);
            if (!rows[i].lru)
                p.l1 = choice_of(&cache_ship.info);
            struct sampler_run run;
            struct error e;
            ck_assert(sampler_simulate(
                &run, &(struct sampler_job){&k, 1, &g, &p, &o}, &e));
            ck_assert_uint_eq(run.counts.l1_misses, rows[i].misses[warm]);
        }
        k->ops->destroy(k);
    }
}
END_TEST

/* Forty blocks with a line each, which a launch before has brought to the L2:
 * the last ten of them, or the first half as the GPU of a slice. No L1 has any
 * of it, nor does the L2 where the window's blocks are not the grid's first. */
START_TEST(launches_before_warm_the_l2_alone)
{
    const struct {
        uint64_t looked_at, first, warm;
        double share;
        uint64_t misses;
    } rows[] = {{0, 0, 0, 1, 40},    {40, 0, 0, 1, 0},   {10, 0, 0, 1, 30},
                {40, 0, 0, 0.5, 20}, {40, 20, 20, 1, 0}, {40, 20, 10, 1, 20}};
    struct gpu g = plain_gpu();
    g.l1.size_kb = 64;
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .block_step = 128));
    struct kernel *k = script_kernel(&s, 40, 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct sampler_launch before = {k, rows[i].looked_at};
        const struct sampler_options o = {.first_block = rows[i].first,
                                          .block_count = 40 - rows[i].first,
                                          .warm = rows[i].warm,
                                          .before = &before,
                                          .befores = rows[i].looked_at > 0,
                                          .before_share = rows[i].share};
        const struct sampler_run run = run_kernels(&k, 1, &g, &o);
        ck_assert_uint_eq(run.counts.l2_misses, rows[i].misses);
        ck_assert_uint_eq(run.counts.l1_misses, 40 - rows[i].first);
    }
    k->ops->destroy(k);
}
END_TEST

#define SECOND_LINES UINT64_C(0x100000)

static bool holds(const struct memory *m, uint64_t address)
{
    const struct cache *tags = &m->slice[0].tags;
    return cache_find(tags, 0, address / 128) != NO_WAY;
}

/* Blocks that touch one line when they begin and another when they end. Of one
 * after the other the last eight lines are those of the last four; of eight
 * side by side the last one's first line is older than all but one of their
 * second ones. */
START_TEST(lines_are_warmed_in_the_order_of_the_accesses)
{
    struct gpu g = plain_gpu();
    g.l1.caches_global = 0;
    g.l2.banks = g.dram.channels = 1;
    g.l2.size_kb = 1; /* a set of eight lines */
    struct script s = {.repeat = 1, .count = 34};
    s.op[0] = (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4,
                                    .block_step = 128);
    for (int i = 1; i < 32; i++)
        s.op[i] = (struct script_op)ALU(OP_SP, 1, 1, -1);
    s.op[32] = (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4,
                                     .base = SECOND_LINES, .block_step = 128);
    s.op[33] = (struct script_op){.op = OP_EXIT, -1, -1, -1};
    struct kernel *k = script_kernel(&s, 200, 1);
    struct warm_blocks blocks = {.first = 100, .most = 100};
    for (int side_by_side = 0; side_by_side < 2; side_by_side++) {
        struct memory m;
        const struct warm_caches l2 = {.memory = &m};
        struct error e;
        blocks.at_once = side_by_side ? 8 : 1;
        open_memory(&m, &g);
        ck_assert(warm_caches(&l2, k, &blocks, &e));
        ck_assert_double_eq(memory_lines_held(&m), 8);
        for (uint64_t age = 1; age <= 7; age++) {
            uint64_t line = (100 - age) * 128;
            bool recent = side_by_side || age <= 4;
            ck_assert_int_eq(holds(&m, SECOND_LINES + line), recent);
            if (age > 1)
                ck_assert_int_eq(holds(&m, line), !side_by_side && age <= 4);
        }
        memory_free(&m);
    }
    k->ops->destroy(k);
}
END_TEST

/* Each block loads a sector of a table that the L2 holds, at random. From the
 * new lines of 32 of them it follows that 1,536 touch all lines of the L2, but
 * these touch two sectors in five. All touch each sector 12 times. */
START_TEST(blocks_before_touch_all_that_they_share)
{
    struct gpu g = plain_gpu();
    const double table = 100 * 1024, sectors = table / g.l2.sector_bytes;
    g.l1.caches_global = 0;
    g.l2.size_kb = 128;
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4,
                                 .random_bytes = (uint64_t)table, .mask = 1));
    struct kernel *k = script_kernel(&s, 40000, 1);
    const struct warm_blocks blocks = {
        .first = 40000, .most = 40000, .at_once = 8};
    struct memory m;
    const struct warm_caches l2 = {.memory = &m};
    struct error e;
    open_memory(&m, &g);
    ck_assert(warm_caches(&l2, k, &blocks, &e));
    ck_assert_double_ge(memory_sectors_held(&m), 0.99 * sectors);
    ck_assert_double_le(memory_sectors_held(&m), sectors);
    memory_free(&m);
    k->ops->destroy(k);
}
END_TEST

static const struct kernel_source_ops *counted;
static int opened;

static bool opens_counted(const struct kernel *k, void *state, uint64_t block,
                          struct error *e)
{
    opened++;
    return counted->open(k, state, block, e);
}

/* Runs that share a warmed L2 read the blocks before them once, and go as if
 * each had; of another beginning it is another. */
START_TEST(runs_share_a_warmed_l2)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4,
                                 .random_bytes = 1 << 20));
    struct kernel *k = script_kernel(&s, 400, 1);
    counted = k->ops;
    struct kernel_source_ops ops = *counted;
    ops.open = opens_counted;
    k->ops = &ops;
    const uint64_t first[] = {300, 300, 200, 300, 200};
    const int warming[] = {1, 0, 1, 0, 0};
    struct warmed *w = warmed_create(k);
    for (int i = 0; i < 5; i++) {
        struct sampler_options o = {
            .first_block = first[i], .block_count = 5, .warm = 100};
        opened = 0;
        uint64_t alone = run_kernels(&k, 1, &g, &o).counts.cycles;
        int by_itself = opened;
        o.warmed = w;
        opened = 0;
        ck_assert_uint_eq(run_kernels(&k, 1, &g, &o).counts.cycles, alone);
        ck_assert_int_eq(opened, warming[i] ? by_itself : 5);
    }
    warmed_free(w);
    k->ops = counted;
    k->ops->destroy(k);
}
END_TEST

/* The L2 is warmed by the same blocks whether the L1, here larger, is warmed
 * with it or not, as under other policies than LRU: so that runs under any may
 * share it. */
START_TEST(no_policy_changes_what_warms_the_l2)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4,
                                 .random_bytes = 1 << 16));
    struct kernel *k = script_kernel(&s, 2000, 1);
    counted = k->ops;
    struct kernel_source_ops ops = *counted;
    ops.open = opens_counted;
    k->ops = &ops;
    g.l1.size_kb = 64;
    g.l2.size_kb = 16;
    struct policy_set ship = policies_of(warp_policies[0]);
    ship.l1 = choice_of(&cache_ship.info);
    const struct sampler_options o = {
        .first_block = 1500, .block_count = 5, .warm = 1500};
    struct sampler_run run;
    struct error e;
    opened = 0;
    run_kernels(&k, 1, &g, &o);
    int under_lru = opened;
    opened = 0;
    ck_assert(sampler_simulate(
        &run, &(struct sampler_job){&k, 1, &g, &ship, &o}, &e));
    ck_assert_int_eq(opened, under_lru);
    k->ops = counted;
    k->ops->destroy(k);
}
END_TEST

/* ---- blocks under way ---------------------------------------------------- */

/* Blocks of warps of a hundred steps and an end. */
struct hundred {
    struct gpu gpu;
    struct script script;
    struct kernel *kernel;
};

static void hundred_open(struct hundred *h, uint32_t warps)
{
    h->gpu = plain_gpu();
    h->script = SCRIPT(ALU(OP_SP, 1, 1, -1));
    h->script.repeat = 100;
    h->kernel = script_kernel(&h->script, 200, warps);
}

static struct sampler_counts hundred_run(struct hundred *h,
                                         const struct sampler_options *o)
{
    return run_kernels(&h->kernel, 1, &h->gpu, o).counts;
}

static void hundred_close(struct hundred *h)
{
    h->kernel->ops->destroy(h->kernel);
}

/* A block whose stream tells how long it is is not read twice to begin in its
 * middle, and begins where it otherwise would. */
static uint64_t told_steps(const struct kernel *k, const void *state,
                           uint32_t warp)
{
    (void)k;
    (void)state;
    (void)warp;
    return 101;
}

START_TEST(told_lengths_are_not_counted)
{
    struct hundred h;
    hundred_open(&h, 2);
    struct sampler_options o = {.block_count = 50, .underway.blocks = 20};
    counted = h.kernel->ops;
    struct kernel_source_ops ops = *counted;
    ops.open = opens_counted;
    h.kernel->ops = &ops;
    opened = 0;
    uint64_t insts = hundred_run(&h, &o).warp_insts;
    ck_assert_int_eq(opened, 50 + 20);
    ops.steps = told_steps;
    opened = 0;
    ck_assert_uint_eq(hundred_run(&h, &o).warp_insts, insts);
    ck_assert_int_eq(opened, 50);
    h.kernel->ops = counted;
    hundred_close(&h);
}
END_TEST

/* Blocks under way have a part of their steps behind them, the same in every
 * run; those after them none. */
START_TEST(blocks_under_way_end_sooner)
{
    struct hundred h;
    hundred_open(&h, 1);
    struct sampler_options o = {.block_count = 100, .underway.blocks = 60};
    struct sampler_counts some = hundred_run(&h, &o);
    struct sampler_counts again = hundred_run(&h, &o);
    ck_assert_uint_eq(some.cycles, again.cycles);
    ck_assert_uint_eq(some.warp_insts, again.warp_insts);
    /* 40 whole blocks of 101, and 60 of which a number from 0 to 1 is left:
     * its mean is 0.5 give or take 0.29 / sqrt(60), here four times that */
    ck_assert_double_eq_tol((double)some.warp_insts, 101 * (40 + 60 * 0.5),
                            101 * 60 * 4 * 0.29 / sqrt(60));
    hundred_close(&h);
}
END_TEST

/* Blocks that issue nothing until the end of their time have all before them;
 * those that issue all at its beginning have nothing left. */
START_TEST(blocks_under_way_are_where_their_course_says)
{
    struct hundred h;
    hundred_open(&h, 1);
    const double late[COURSE_PARTS + 1] = {0};
    double early[COURSE_PARTS + 1];
    for (int i = 0; i <= COURSE_PARTS; i++)
        early[i] = 1;
    struct sampler_options o = {.block_count = 100,
                                .underway = {.blocks = 60, .course = late}};
    ck_assert_uint_eq(hundred_run(&h, &o).warp_insts, 101 * 100);
    o.underway.course = early;
    ck_assert_uint_eq(hundred_run(&h, &o).warp_insts, 101 * 40);
    hundred_close(&h);
}
END_TEST

static uint64_t skimmed;

static bool skims_counted(const struct kernel *k, void *state, uint32_t warp,
                          struct step *out)
{
    skimmed++;
    return counted->next(k, state, warp, out);
}

static bool states_are_bytes(const struct kernel *k, const void *state)
{
    (void)k;
    (void)state;
    return true;
}

/* Runs that begin with the same blocks at the same places behind the same ones,
 * on the same GPU, take them there once, whatever their policy, and go as if
 * each had. */
START_TEST(runs_share_blocks_under_way)
{
    static const double late[COURSE_PARTS + 1] = {[COURSE_PARTS] = 1};
    const struct {
        uint64_t first, warm;
        const double *course;
        bool other_gpu, shared;
    } rows[] = {{100, 0, NULL, false, false}, {100, 0, NULL, false, true},
                {101, 0, NULL, false, false}, {100, 0, NULL, false, true},
                {101, 0, late, false, false}, {101, 0, late, false, true},
                {101, 0, late, true, false},  {101, 9, late, true, false},
                {101, 9, late, true, true},   {100, 0, NULL, false, false}};
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4,
                                 .random_bytes = 1 << 16));
    s.repeat = 50;
    struct kernel *k = script_kernel(&s, 300, 2);
    counted = k->ops;
    struct kernel_source_ops ops = *counted;
    ops.skim = skims_counted;
    ops.is_bytes = states_are_bytes;
    k->ops = &ops;
    struct warmed *w = warmed_create(k);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct gpu g = plain_gpu();
        g.l1.caches_global = 0;
        g.l2.size_kb = rows[i].other_gpu ? 32 : 16;
        struct sampler_options o = {
            .first_block = rows[i].first,
            .block_count = 60,
            .warm = rows[i].warm,
            .underway = {.blocks = 8, .course = rows[i].course}};
        skimmed = 0;
        struct sampler_counts alone = run_kernels(&k, 1, &g, &o).counts;
        uint64_t by_itself = skimmed;
        o.warmed = w;
        skimmed = 0;
        struct sampler_counts c = run_kernels(&k, 1, &g, &o).counts;
        ck_assert_mem_eq(&c, &alone, sizeof(c));
        ck_assert_uint_gt(by_itself, 0);
        ck_assert_uint_eq(skimmed, rows[i].shared ? 0 : by_itself);
    }
    warmed_free(w);
    k->ops = counted;
    k->ops->destroy(k);
}
END_TEST

static bool keeps_insts(void *user, const struct sampler_block *b)
{
    uint64_t *of_block = user;
    of_block[b->block] = b->insts;
    return true;
}

/* Blocks are launched in order: a later one has as much before it, or more. */
START_TEST(blocks_under_way_are_in_order)
{
    struct hundred h;
    hundred_open(&h, 1);
    uint64_t insts[100];
    struct sampler_options o = {.block_count = 100,
                                .underway.blocks = 60,
                                .block_done = keeps_insts,
                                .user = insts};
    hundred_run(&h, &o);
    for (int i = 1; i < 100; i++)
        ck_assert_uint_ge(insts[i], insts[i - 1]);
    ck_assert_uint_lt(insts[0], 101 / 4);
    ck_assert_uint_eq(insts[60], 101);
    hundred_close(&h);
}
END_TEST

struct placed {
    int sm[100];
    uint64_t insts[100];
};

static bool keeps_places(void *user, const struct sampler_block *b)
{
    struct placed *p = user;
    p->sm[b->block] = b->sm;
    p->insts[b->block] = b->insts;
    return true;
}

/* Of a circle of a block's instructions the shorter way. */
static double way(uint64_t a, uint64_t b)
{
    double there = fabs((double)a - (double)b);
    return fmin(there, 101 - there);
}

/* Those of an SM are a hundredth of a block from where they are on average,
 * here no two of them eight times that; all together are anywhere. */
START_TEST(blocks_of_an_sm_are_near_each_other)
{
    struct hundred h;
    hundred_open(&h, 1);
    h.gpu.sms = 6;
    struct placed p;
    struct sampler_options o = {.block_count = 100,
                                .underway = {.blocks = 24, .apart_on_sm = 0.01},
                                .block_done = keeps_places,
                                .user = &p};
    hundred_run(&h, &o);
    double far = 0;
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < i; j++) {
            if (p.sm[i] == p.sm[j])
                ck_assert_double_le(way(p.insts[i], p.insts[j]), 101 * 0.08);
            far = fmax(far, way(p.insts[i], p.insts[j]));
        }
    ck_assert_double_ge(far, 101 * 0.3);
    hundred_close(&h);
}
END_TEST

struct launched {
    int sm[100];
    uint64_t start[100];
};

static void keeps_launch(void *user, const struct sampler_warp *w)
{
    struct launched *l = user;
    l->sm[w->block] = w->sm;
    l->start[w->block] = w->start;
}

/* Blocks under way are all there at once, on one SM after the other; those that
 * begin with the grid are launched one a cycle and SM. */
START_TEST(blocks_under_way_are_there_at_once)
{
    struct hundred h;
    hundred_open(&h, 1);
    h.gpu.sms = 4;
    struct launched l;
    struct sampler_options o = {.block_limit = 8,
                                .block_count = 100,
                                .warp_done = keeps_launch,
                                .user = &l};
    hundred_run(&h, &o);
    for (uint64_t i = 0; i < 32; i++)
        ck_assert_uint_eq(l.start[i] - l.start[0], i / 4);
    o.underway.blocks = 32;
    hundred_run(&h, &o);
    for (int i = 0; i < 32; i++) {
        ck_assert_int_eq(l.sm[i], i % 4);
        ck_assert_uint_eq(l.start[i], l.start[0]);
    }
    hundred_close(&h);
}
END_TEST

static uint64_t uneven_steps(const struct kernel *k, const void *state,
                             uint32_t warp)
{
    (void)k, (void)state;
    return 25 * (warp + 1);
}

/* Four warps that wait for each other in each repeat, of which the later ones
 * are further on: what they have raised by then does not come again. */
START_TEST(blocks_under_way_have_raised_their_counts)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(
        ALU(OP_SP, 1, 1, -1),
        {.op = OP_BARRIER, .dst = -1, .src0 = -1, .src1 = -1, .times = 4});
    s.repeat = 50;
    struct kernel *k = script_kernel(&s, 200, 4);
    struct kernel_source_ops ops = *k->ops;
    const struct kernel_source_ops *own = k->ops;
    ops.steps = uneven_steps;
    k->ops = &ops;
    struct sampler_options o = {.block_count = 100, .underway.blocks = 60};
    struct sampler_counts c = run_kernels(&k, 1, &g, &o).counts;
    ck_assert_uint_eq(c.blocks_done, 100);
    /* of 404 instructions up to 25, 50, 75 and 100 are behind them */
    ck_assert_double_eq_tol((double)c.warp_insts, 404 * 100 - 60 * 250 * 0.5,
                            250 * 60 * 4 * 0.29 / sqrt(60));
    k->ops = own;
    k->ops->destroy(k);
}
END_TEST

static bool is_near_an_end(void *user, const struct sampler_block *b)
{
    (void)user;
    ck_assert(b->block >= 60 || b->insts <= 101 * 0.2 || b->insts >= 101 * 0.8);
    return true;
}

/* Of blocks that are a twentieth of a block from step all have either just
 * begun or are about to end: 0.2 are four deviations. */
START_TEST(blocks_near_step_are_at_their_ends)
{
    struct hundred h;
    hundred_open(&h, 1);
    struct sampler_options o = {.block_count = 100,
                                .underway.blocks = 60,
                                .underway.apart = 0.05,
                                .block_done = is_near_an_end};
    struct sampler_counts some = hundred_run(&h, &o);
    /* half of them each way, give or take sqrt(60) / 2, here four times that */
    ck_assert_double_eq_tol((double)some.warp_insts, 101 * (40 + 60 * 0.5),
                            101 * 4 * sqrt(60) / 2);
    hundred_close(&h);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("windows");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, launches_before_warm_the_l2_alone);
    tcase_add_test(tc, blocks_before_warm_the_l2);
    tcase_add_test(tc, blocks_before_warm_the_l1);
    tcase_add_test(tc, blocks_before_touch_all_that_they_share);
    tcase_add_test(tc, lines_are_warmed_in_the_order_of_the_accesses);
    tcase_add_test(tc, runs_share_a_warmed_l2);
    tcase_add_test(tc, no_policy_changes_what_warms_the_l2);
    tcase_add_test(tc, told_lengths_are_not_counted);
    tcase_add_test(tc, blocks_under_way_end_sooner);
    tcase_add_test(tc, blocks_under_way_are_where_their_course_says);
    tcase_add_test(tc, runs_share_blocks_under_way);
    tcase_add_test(tc, blocks_under_way_are_in_order);
    tcase_add_test(tc, blocks_under_way_are_there_at_once);
    tcase_add_test(tc, blocks_under_way_have_raised_their_counts);
    tcase_add_test(tc, blocks_near_step_are_at_their_ends);
    tcase_add_test(tc, blocks_of_an_sm_are_near_each_other);
    return run_suite("sampler: windows", tc);
}
