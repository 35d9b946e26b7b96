/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Criticality prediction and the schedulers that go by it (cawa Sec. 3.1 and
 * 3.2), by hand and on the machine. */
#include "sampler/oracle.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/table.h"
#include "sampler/sm/cpl.h"
#include "tests/kernel_text.h"
#include "tests/script_gate.h"

#define W(n) (UINT64_C(1) << (n))

/* ---- nInst: Algorithm 2 ------------------------------------------------- */

/* PC1 @p0 bra L2; PC2 add; PC3 bra L3; PC4 L2: sub; PC5 L3: mov. */
static const struct inst if_else = {
    .op = OP_BRANCH, .target = 3, .reconverge = 4};

START_TEST(algorithm_2)
{
    ck_assert_uint_eq(cpl_branch_insts(&if_else, 0, UINT32_MAX, UINT32_MAX), 1);
    ck_assert_uint_eq(cpl_branch_insts(&if_else, 0, UINT32_MAX, 0), 2);
    ck_assert_uint_eq(cpl_branch_insts(&if_else, 0, UINT32_MAX, 0xff), 3);
    /* Lanes that are off take no side. */
    ck_assert_uint_eq(cpl_branch_insts(&if_else, 0, 0xff, 0xff), 1);
    /* PC3's jump over the other side puts nothing before the warp. */
    const struct inst over = {.op = OP_BRANCH, .target = 4, .reconverge = 4};
    ck_assert_uint_eq(cpl_branch_insts(&over, 2, 0xff, 0xff), 0);
}
END_TEST

START_TEST(if_without_else)
{
    const struct inst skip = {.op = OP_BRANCH, .target = 9, .reconverge = 9};
    ck_assert_uint_eq(cpl_branch_insts(&skip, 4, 3, 3), 0);
    ck_assert_uint_eq(cpl_branch_insts(&skip, 4, 3, 0), 4);
    ck_assert_uint_eq(cpl_branch_insts(&skip, 4, 3, 1), 4);
    /* The target stands in for a post-dominator that is not known. */
    const struct inst traced = {
        .op = OP_BRANCH, .target = 9, .reconverge = NO_INST};
    ck_assert_uint_eq(cpl_branch_insts(&traced, 4, 3, 1), 4);
}
END_TEST

START_TEST(loops_add_their_body)
{
    const struct inst back = {.op = OP_BRANCH, .target = 3, .reconverge = 8};
    ck_assert_uint_eq(cpl_branch_insts(&back, 7, 3, 3), 5);
    ck_assert_uint_eq(cpl_branch_insts(&back, 7, 3, 1), 5);
    ck_assert_uint_eq(cpl_branch_insts(&back, 7, 3, 0), 0);
    const struct inst unknown = {
        .op = OP_BRANCH, .target = NO_INST, .reconverge = NO_INST};
    ck_assert_uint_eq(cpl_branch_insts(&unknown, 7, 3, 1), 0);
}
END_TEST

/* The same out of a kernel file: 1, 2 and 3 for its three kinds of warps. */
START_TEST(algorithm_2_from_a_kernel_file)
{
    static const uint64_t insts[] = {1, 2, 3};
    struct kernel *k = kernel_of("grid = 1; block = 96;",
                                 "if (warp == 1 || warp == 2 && lane < 8)\n"
                                 "  iadd r1, r1, r2\n"
                                 "else\n"
                                 "  isub r1, r1, r2\n"
                                 "endif\n"
                                 "mov r2, r1\n"
                                 "exit");
    void *state = open_block(k, 0);
    for (uint32_t warp = 0; warp < 3; warp++) {
        struct step s;
        ck_assert(k->ops->next(k, state, warp, &s));
        const struct inst *branch = &k->inst[s.inst];
        ck_assert_int_eq(branch->op, OP_BRANCH);
        ck_assert_uint_eq(
            cpl_branch_insts(branch, s.inst, s.mask, s.taken_mask),
            insts[warp]);
    }
    close_block(k, state);
    kernel_free(k);
}
END_TEST

/* ---- the counters ------------------------------------------------------- */

static struct warp_table one_block(int warps)
{
    struct warp_table t = {.slots = 48, .schedulers = 1};
    for (int w = 0; w < warps; w++) {
        t.live |= W(w);
        t.age[w] = (uint64_t)w;
    }
    return t;
}

/* Issues at cycles 110, 111, 120 and 121: stalls of 8 cycles between the second
 * and the third (Algorithm 3); the wait before the first is none. */
START_TEST(algorithm_3)
{
    struct warp_table t = one_block(1);
    struct cpl c;
    cpl_init(&c, 1000, true);
    cpl_launch(&c, &t, 0, 100);
    ck_assert_double_eq(t.criticality[0], 0);
    cpl_issue(&c, &t, 0, 110);
    cpl_issue(&c, &t, 0, 111);
    ck_assert_double_eq(t.criticality[0], 0);
    cpl_issue(&c, &t, 0, 120);
    ck_assert_double_eq(t.criticality[0], 8);
    cpl_issue(&c, &t, 0, 121);
    cpl_issue(&c, &t, 0, 121); /* two in a cycle */
    ck_assert_double_eq(t.criticality[0], 8);
}
END_TEST

/* Equation 1: after 4 issues in 40 cycles CPI is 10; the branch puts 3
 * instructions before the warp, its own commit and each further one take one
 * away. At 56 cycles CPI is 14. */
static struct cpl after_a_branch(struct warp_table *t, bool is_signed)
{
    struct cpl c;
    *t = one_block(1);
    cpl_init(&c, 1000, is_signed);
    cpl_launch(&c, t, 0, 0);
    cpl_issue(&c, t, 0, 5);
    cpl_issue(&c, t, 0, 6);
    cpl_issue(&c, t, 0, 7);
    cpl_issue(&c, t, 0, 40); /* nStall 32 */
    cpl_branch(&c, t, 0, 3, 40);
    return c;
}

/* Below 0, as the text counts (Sec. 3.1: it "decrements whenever an instruction
 * is committed"): of warps without branches the one that has done more is the
 * less critical. */
START_TEST(equation_1)
{
    struct warp_table t;
    struct cpl c = after_a_branch(&t, true);
    ck_assert_double_eq(t.criticality[0], 2 * 10 + 32);
    cpl_commit(&c, &t, 0, 44);
    ck_assert_double_eq(t.criticality[0], 1 * 11 + 32);
    cpl_commit(&c, &t, 0, 48);
    ck_assert_double_eq(t.criticality[0], 32);
    cpl_commit(&c, &t, 0, 52);
    cpl_commit(&c, &t, 0, 56);
    ck_assert_double_eq(t.criticality[0], -2 * 14 + 32);
    cpl_branch(&c, &t, 0, 1, 60);
    ck_assert_double_eq(t.criticality[0], -2 * 15 + 32);
}
END_TEST

START_TEST(equation_1_down_to_none)
{
    struct warp_table t;
    struct cpl c = after_a_branch(&t, false);
    ck_assert_double_eq(t.criticality[0], 3 * 10 + 32); /* its own: from 0 */
    for (uint64_t cycle = 44; cycle <= 56; cycle += 4)
        cpl_commit(&c, &t, 0, cycle);
    ck_assert_double_eq(t.criticality[0], 32);
    cpl_branch(&c, &t, 0, 1, 60);
    ck_assert_double_eq(t.criticality[0], 15 + 32);
}
END_TEST

/* gcaws:0 is the other reading, on the machine too. */
START_TEST(the_reading_is_a_parameter)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 2, 2, -1));
    s.repeat = 20;
    s.warp_repeat = 10;
    struct policy_set p = policies_of(&warp_gcaws);
    struct sampler_options o = {.max_cycles = 0};
    struct error e;
    struct script_run is = run_options(&s, 6, 16, &g, &p, o);
    ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, "gcaws:1", &e));
    struct script_run same = run_options(&s, 6, 16, &g, &p, o);
    ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, "gcaws:0", &e));
    struct script_run other = run_options(&s, 6, 16, &g, &p, o);
    ck_assert_uint_eq(same.lives, is.lives);
    ck_assert_uint_ne(other.lives, is.lives);
}
END_TEST

START_TEST(slow_is_as_critical_as_half_of_the_block)
{
    struct warp_table t = one_block(8);
    for (int w = 0; w < 8; w++)
        t.criticality[w] = w;
    ck_assert(cpl_slow(&t, 0, W(0)));
    ck_assert(cpl_slow(&t, 0, W(0) | W(5)));
    ck_assert(!cpl_slow(&t, 0, W(0) | W(1) | W(2)));
    ck_assert(cpl_slow(&t, 1, W(0) | W(1) | W(2)));
    ck_assert(!cpl_slow(&t, 2, 0xff));
    ck_assert(cpl_slow(&t, 3, 0xff));
    ck_assert(cpl_slow(&t, 7, 0xff));
    t.criticality[0] = 3; /* as high as half of them: 0, 1, 2, 3 */
    ck_assert(cpl_slow(&t, 0, 0xff));
}
END_TEST

/* The slowest of the block alone, or several as slow; other blocks' warps (3 is
 * none of the mates) do not count. */
START_TEST(critical_is_the_slowest_of_the_block)
{
    struct warp_table t = {.criticality = {5, 3, 5, 9, 1}};
    const uint64_t mates = W(0) | W(1) | W(2) | W(4);
    ck_assert(cpl_critical(&t, 0, mates));
    ck_assert(cpl_critical(&t, 2, mates));
    ck_assert(!cpl_critical(&t, 1, mates));
    ck_assert(!cpl_critical(&t, 4, mates));
    ck_assert(cpl_critical(&t, 4, W(4)));
    ck_assert(cpl_slow(&t, 1, mates) && !cpl_slow(&t, 4, mates));
}
END_TEST

/* Looks at cycles 1000, 2000 and 3000; warp 2 ends last and is slow from the
 * second one on. The looks that fall between two events see what is then. */
START_TEST(accuracy_counts_looks)
{
    struct warp_table t = one_block(3);
    struct sampler_counts n = {.cycles = 0};
    struct cpl c;
    cpl_init(&c, 1000, true);
    for (int w = 0; w < 3; w++) {
        cpl_launch(&c, &t, w, 10);
        cpl_issue(&c, &t, w, 20);
    }
    cpl_issue(&c, &t, 0, 100);
    cpl_issue(&c, &t, 1, 200);  /* criticality 79, 179, 0 */
    cpl_issue(&c, &t, 2, 1500); /* 1479 */
    cpl_end(&c, &t, 0, 3200);
    cpl_end(&c, &t, 1, 3200);
    cpl_end(&c, &t, 2, 3300);
    cpl_block_end(&c, 0, 2, &n);
    ck_assert_uint_eq(n.cpl_looks, 3);
    ck_assert_uint_eq(n.cpl_looks_slow, 2);
    cpl_block_end(&c, 0, 2, &n);
    ck_assert_uint_eq(n.cpl_looks, 3);
}
END_TEST

/* ---- gcaws -------------------------------------------------------------- */

static char state[4096];

static void start(const struct warp_policy *p, const struct warp_context *c)
{
    ck_assert_uint_le(p->state_size, sizeof(state));
    warp_policy_start(p, state, c);
}

static const struct warp_policy *const by_prediction[] = {&warp_gcaws,
                                                          &warp_cawa};

START_TEST(most_critical_then_greedy)
{
    const struct warp_policy *p = by_prediction[_i];
    struct warp_table t = one_block(4);
    start(p, &(struct warp_context){.owned = 0xf});
    t.criticality[1] = 50;
    t.criticality[2] = 70;
    ck_assert_int_eq(p->pick(state, &t, 0xf, 1), 2);
    t.criticality[3] = 900; /* greedy: 2 goes on */
    ck_assert_int_eq(p->pick(state, &t, 0xf, 2), 2);
    ck_assert_int_eq(p->pick(state, &t, 0xf & ~W(2), 3), 3);
    ck_assert_int_eq(p->pick(state, &t, W(0) | W(1) | W(2), 4), 2);
    t.criticality[0] = t.criticality[1] = t.criticality[3] = 5;
    ck_assert_int_eq(p->pick(state, &t, 0xf & ~W(2), 5), 0);
    t.age[1] = 0;
    t.age[0] = 1;
    ck_assert_int_eq(p->pick(state, &t, W(1) | W(3), 6), 1);
}
END_TEST

START_TEST(cawa_brings_cacp)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(
        MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4, .warp_step = 128,
            .iteration_step = 4096, .base = 0),
        MEM(OP_LOAD, SPACE_GLOBAL, 2, -1, 4, .stride = 4, .warp_step = 128),
        ALU(OP_SP, 3, 1, 2));
    s.repeat = 30;
    struct sampler_options o = {.max_cycles = 0};
    struct policy_set cawa = policies_of(&warp_cawa);
    struct policy_set gcaws = policies_of(&warp_gcaws);
    struct error e;
    ck_assert_str_eq(warp_cawa.l1->info.name, "cacp");
    ck_assert_str_eq(cawa.l1.cache->info.name, "lru");
    struct script_run a = run_options(&s, 2, 8, &g, &cawa, o);
    struct script_run lru = run_options(&s, 2, 8, &g, &gcaws, o);
    ck_assert(choice_parse(&gcaws.l1, NULL, POLICY_L1, "cacp", &e));
    struct script_run b = run_options(&s, 2, 8, &g, &gcaws, o);
    ck_assert_mem_eq(&a.counts, &b.counts, sizeof(a.counts));
    ck_assert_uint_ne(a.counts.l1_hits, lru.counts.l1_hits);
}
END_TEST

/* ---- accuracy on the machine -------------------------------------------- */

/* cawa Fig. 11: with one or two warps a block every warp is slow. */
START_TEST(two_warps_a_block_are_always_right)
{
    struct gpu g = plain_gpu();
    struct policy_set p = policies_of(&warp_lrr);
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 1000;
    s.warp_repeat = 500;
    struct sampler_options o = {.criticality = true, .criticality_period = 100};
    struct sampler_counts n =
        run_options(&s, 4, (uint32_t)_i, &g, &p, o).counts;
    ck_assert_uint_gt(n.cpl_looks, 100);
    ck_assert_uint_eq(n.cpl_looks_slow, n.cpl_looks);
}
END_TEST

/* cawa Fig. 3: one warp (critical, being alone) goes through 20 lines twice. An
 * L1 of 16 ways and one set has lost each before it comes again; one of 32 has
 * not. */
START_TEST(lost_lines_are_counted)
{
    static const int ways[] = {16, 32};
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4),
                             ALU(OP_SP, 2, 1, -1));
    struct policy_set p = policies_of(&warp_lrr);
    struct sampler_options o = {.criticality = true};
    g.l1.ways = ways[_i];
    g.l1.size_kb = ways[_i] / 8.0;
    s.count = 41;
    s.repeat = 2;
    for (int i = 0; i < 20; i++) {
        s.op[2 * i] = s.op[0];
        s.op[2 * i].base = (uint64_t)i * 128;
        s.op[2 * i + 1] = s.op[1];
    }
    s.op[40] = (struct script_op)PLAIN(OP_EXIT);
    struct sampler_counts n = run_options(&s, 1, 1, &g, &p, o).counts;
    ck_assert_uint_eq(n.l1_critical_accesses, 40);
    ck_assert_uint_eq(n.l1_critical_lost, _i == 0 ? 20 : 0);
    ck_assert_uint_eq(n.l1_critical_found, _i == 0 ? 0 : 20);
    ck_assert_uint_eq(n.l1_critical_hits, _i == 0 ? 0 : 20);
    ck_assert_uint_eq(n.l1_critical_evictions, _i == 0 ? 24 : 0);
    ck_assert_uint_eq(n.l1_critical_evictions_unused, _i == 0 ? 24 : 0);
}
END_TEST

/* Nobody asks: nothing is counted. The count changes no run. */
START_TEST(counting_changes_nothing)
{
    struct gpu g = script_gpu(_i);
    for (size_t c = 0; c < SCRIPT_CASES; c++) {
        const struct script_case *k = &script_cases[c];
        struct policy_set p = policies_of(&warp_gto);
        struct sampler_options o = {.criticality = false};
        struct script_run off =
            run_options(&k->script, k->blocks, k->warps, &g, &p, o);
        o.criticality = true;
        o.criticality_period = 50;
        struct script_run on =
            run_options(&k->script, k->blocks, k->warps, &g, &p, o);
        ck_assert_uint_eq(on.lives, off.lives);
        ck_assert_uint_eq(on.counts.l1_hits, off.counts.l1_hits);
        ck_assert_uint_eq(off.counts.l1_critical_accesses, 0);
        ck_assert_uint_eq(off.counts.cpl_looks, 0);
        ck_assert_uint_le(on.counts.cpl_looks_slow, on.counts.cpl_looks);
    }
}
END_TEST

/* ---- caws --------------------------------------------------------------- */

/* Blocks 40 and 41 of two warps, the window's first block is 40. */
START_TEST(longest_first)
{
    static const uint32_t cycles[] = {100, 300, 250, 300};
    struct warp_table t = one_block(4);
    for (uint32_t w = 0; w < 4; w++) {
        t.block_slot[w] = w / 2;
        t.block_id[w] = 40 + w / 2;
        t.warp_in_block[w] = w % 2;
    }
    start(&warp_caws, &(struct warp_context){.owned = 0xf,
                                             .warp_cycles = cycles,
                                             .first_block = 40,
                                             .warps_per_block = 2});
    ck_assert_int_eq(warp_caws.pick(state, &t, 0xf, 1), 1);
    t.age[1] = 9;
    ck_assert_int_eq(warp_caws.pick(state, &t, 0xf, 2), 3);
    ck_assert_int_eq(warp_caws.pick(state, &t, W(0) | W(2), 3), 2);
    ck_assert_int_eq(warp_caws.pick(state, &t, 0xf, 4), 3); /* not greedy */
    ck_assert_int_eq(warp_caws.pick(state, &t, W(0), 5), 0);
}
END_TEST

/* The life of the last warp of a block, the one with the most to do. */
struct longest {
    uint32_t warp;
    uint64_t end, insts, heard;
};

static void note_longest(void *user, const struct sampler_warp *w)
{
    struct longest *l = user;
    l->heard++;
    if (w->warp == l->warp) {
        l->end = w->end;
        l->insts = w->insts;
    }
}

/* Its cycles. */
static uint64_t run_under(struct kernel **k, int count, const struct gpu *g,
                          const struct policy_set *p,
                          const struct sampler_options *o)
{
    struct sampler_run run;
    struct error e;
    ck_assert(sampler_simulate(&run,
                               &(struct sampler_job){.kernel = k,
                                                     .kernels = count,
                                                     .gpu = g,
                                                     .policies = p,
                                                     .options = o},
                               &e));
    return run.counts.cycles;
}

static struct longest run_uneven(const struct warp_policy *policy)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 2, 2, -1));
    s.repeat = 20;
    s.warp_repeat = 20;
    struct kernel *k = script_kernel(&s, 1, 16);
    struct policy_set p = policies_of(policy);
    struct longest l = {.warp = 15};
    struct sampler_options o = {.warp_done = note_longest, .user = &l};
    run_under(&k, 1, &g, &p, &o);
    k->ops->destroy(k);
    return l;
}

/* The oracle sees the longest warp, which then is never held up: 640
 * instructions, two every 10 cycles. Under lrr it shares the slots. */
START_TEST(the_longest_warp_is_not_held_up)
{
    struct longest lrr = run_uneven(&warp_lrr);
    struct longest caws = run_uneven(&warp_caws);
    ck_assert_uint_eq(caws.heard, 16); /* only of the second run */
    ck_assert_uint_eq(caws.insts, 2 * 20 * 16 + 1);
    ck_assert_uint_le(caws.end, 10 * 320 + 30);
    ck_assert_uint_lt(caws.end, lrr.end);
}
END_TEST

/* A window of the grid that does not begin at its first block. */
START_TEST(windows_have_their_own_oracle)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = s.warp_repeat = 10;
    struct policy_set p = policies_of(&warp_caws);
    struct script_run whole = run_options(
        &s, 5, 4, &g, &p, (struct sampler_options){.block_limit = 2});
    struct script_run part =
        run_options(&s, 9, 4, &g, &p,
                    (struct sampler_options){
                        .block_limit = 2, .first_block = 4, .block_count = 5});
    ck_assert_mem_eq(&part.counts, &whole.counts, sizeof(part.counts));
}
END_TEST

static bool stops_at_once(void *user, uint64_t cycle, uint64_t insts)
{
    (void)user, (void)cycle;
    return insts < 200;
}

/* A run under lrr, stopped long before, records what a first pass of 1200 warp
 * instructions would, and counts what it counts otherwise. */
START_TEST(a_run_under_lrr_is_a_first_pass)
{
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .base = 1 << 20, OWN_LINES),
               ALU(OP_SP, 1, 1, -1));
    s.repeat = s.warp_repeat = 10;
    struct policy_set first = policies_of(&warp_lrr);
    struct policy_set p = policies_of(&warp_caws);
    struct oracle oracle = {.complete = false};
    struct sampler_options o = {.block_limit = 2, .first_pass = 1200};
    struct script_run alone = run_options(&s, 16, 4, &g, &p, o);
    o.progress = stops_at_once;
    o.progress_period = 10;
    struct script_run plain = run_options(&s, 16, 4, &g, &first, o);
    o.oracle = &oracle;
    struct script_run records = run_options(&s, 16, 4, &g, &first, o);
    ck_assert(oracle.complete);
    ck_assert_mem_eq(&records.counts, &plain.counts, sizeof(plain.counts));
    o.progress = NULL;
    struct script_run second = run_options(&s, 16, 4, &g, &p, o);
    ck_assert_mem_eq(&second.counts, &alone.counts, sizeof(alone.counts));
    /* It knows as much as that pass, not the whole run. */
    o.oracle = NULL;
    o.first_pass = 0;
    struct script_run knows_all = run_options(&s, 16, 4, &g, &p, o);
    ck_assert_uint_ne(knows_all.counts.cycles, alone.counts.cycles);
    oracle_free(&oracle);
}
END_TEST

#define CHAIN 200 /* instructions of a warp, one after the other */

static uint64_t chain_steps(const struct kernel *k, const void *state,
                            uint32_t warp)
{
    (void)k, (void)state, (void)warp;
    return CHAIN + 1;
}

/* What lrr records of a warp's chain until so many warp instructions (0: its
 * end) have been issued. `tells`: its stream, how long it is. */
static uint32_t recorded(uint64_t first_pass, bool tells)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = CHAIN;
    struct kernel *k = script_kernel(&s, 1, 1);
    struct kernel_source_ops ops = *k->ops;
    struct policy_set p = policies_of(&warp_lrr);
    struct oracle oracle = {.complete = false};
    struct sampler_options o = {
        .block_limit = 1, .first_pass = first_pass, .oracle = &oracle};
    ops.steps = tells ? chain_steps : NULL;
    k->ops = &ops;
    run_under(&k, 1, &g, &p, &o);
    ck_assert(oracle.complete);
    uint32_t cycles = oracle.warp_cycles[0][0];
    oracle_free(&oracle);
    k->ops->destroy(k);
    return cycles;
}

/* A warp that a first pass ends before is recorded by how far it has come; not
 * at all where nobody knows how far that is. */
START_TEST(half_a_warp_tells_how_long_it_is)
{
    uint32_t whole = recorded(0, true);
    ck_assert_uint_eq(recorded(0, false), whole);
    ck_assert_double_eq_tol(recorded(CHAIN / 2, true), whole, 0.05 * whole);
    ck_assert_uint_eq(recorded(CHAIN / 2, false), 0);
}
END_TEST

/* Every kernel of an application has its own; without memory in play the
 * application takes as long as its kernels. */
START_TEST(kernels_have_their_own_oracle)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = s.warp_repeat = 10;
    struct policy_set p = policies_of(&warp_caws);
    struct sampler_options o = {.block_limit = 2};
    struct kernel *k[] = {script_kernel(&s, 5, 4), script_kernel(&s, 3, 16)};
    uint64_t apart =
        run_under(&k[0], 1, &g, &p, &o) + run_under(&k[1], 1, &g, &p, &o);
    ck_assert_uint_eq(run_under(k, 2, &g, &p, &o), apart);
    k[0]->ops->destroy(k[0]);
    k[1]->ops->destroy(k[1]);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("criticality");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, algorithm_2);
    tcase_add_test(tc, if_without_else);
    tcase_add_test(tc, loops_add_their_body);
    tcase_add_test(tc, algorithm_2_from_a_kernel_file);
    tcase_add_test(tc, algorithm_3);
    tcase_add_test(tc, equation_1);
    tcase_add_test(tc, equation_1_down_to_none);
    tcase_add_test(tc, the_reading_is_a_parameter);
    tcase_add_test(tc, slow_is_as_critical_as_half_of_the_block);
    tcase_add_test(tc, critical_is_the_slowest_of_the_block);
    tcase_add_test(tc, accuracy_counts_looks);
    tcase_add_loop_test(tc, most_critical_then_greedy, 0, 2);
    tcase_add_test(tc, cawa_brings_cacp);
    tcase_add_loop_test(tc, two_warps_a_block_are_always_right, 1, 3);
    tcase_add_loop_test(tc, lost_lines_are_counted, 0, 2);
    tcase_add_loop_test(tc, counting_changes_nothing, 0, SCRIPT_GPUS);
    tcase_add_test(tc, longest_first);
    tcase_add_test(tc, the_longest_warp_is_not_held_up);
    tcase_add_test(tc, windows_have_their_own_oracle);
    tcase_add_test(tc, kernels_have_their_own_oracle);
    tcase_add_test(tc, a_run_under_lrr_is_a_first_pass);
    tcase_add_test(tc, half_a_warp_tells_how_long_it_is);
    return run_suite("criticality", tc);
}
