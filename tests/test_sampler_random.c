/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random kernels on random machines under random policies: a run ends, counts
 * what there is to count, and jumping over idle cycles changes nothing. The
 * first argument is the number of cases (default 100), the second the seed. */
#include "tests/script_table.h"

static int cases = 100;
static uint64_t seed = 1;

static uint64_t draw(uint64_t n)
{
    seed = mix(seed);
    return seed % n;
}

static int one_of(const int *values, size_t count)
{
    return values[draw(count)];
}
#define ONE_OF(...)                                                            \
    one_of((const int[]){__VA_ARGS__},                                         \
           sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void random_core(struct gpu *g)
{
    g->sms = ONE_OF(1, 1, 2, 3);
    g->launch.kernel_cycles = ONE_OF(0, 0, 1, 50);
    g->launch.block_cycles = ONE_OF(0, 1, 30);
    g->launch.block_period = ONE_OF(0, 0, 1, 7) / 2.0;
    g->sm.schedulers = ONE_OF(1, 2, 4, 8);
    g->sm.issue_width = ONE_OF(1, 1, 2, 4);
    g->sm.issue_period = ONE_OF(1, 1, 2, 3);
    g->sm.dual_distinct = ONE_OF(0, 1);
    g->fetch.warps_per_cycle = ONE_OF(1, 2, 8);
    g->fetch.buffer = ONE_OF(1, 2, 3, 8);
    g->fetch.latency = ONE_OF(0, 1, 5);
    g->fetch.branch_latency = ONE_OF(0, 1, 9);
    g->fetch.when_empty = ONE_OF(0, 1);
    g->fetch.past_branches = ONE_OF(0, 1);
    g->icache.perfect = ONE_OF(0, 1);
    g->icache.from_l2 = ONE_OF(0, 1);
    g->icache.mshr = ONE_OF(1, 2);
    g->icache.mshr_merge = ONE_OF(1, 2, 32);
    g->icache.size_kb = 0.5;
    g->icache.miss_latency = ONE_OF(0, 3, 200);
    g->collector.generic = ONE_OF(0, 8, 16);
    g->collector.sp = ONE_OF(1, 2, 8);
    g->collector.sfu = ONE_OF(1, 8);
    g->collector.mem = ONE_OF(1, 2, 8);
    g->collector.banks = ONE_OF(1, 4, 16);
    g->collector.ports = ONE_OF(1, 2);
    g->unit.sp = ONE_OF(1, 2, 8);
    g->unit.integer = ONE_OF(0, 1, 8);
    g->unit.mem = ONE_OF(1, 2);
    g->unit.branch = ONE_OF(0, 0, 8);
    g->unit.results = ONE_OF(0, 1, 4);
    g->stage.registers = ONE_OF(0, 1);
    g->stage.by_class = ONE_OF(0, 1);
    g->stage.sp = ONE_OF(1, 2, 8);
    g->stage.mem = ONE_OF(1, 8);
    g->stage.sp_moves = ONE_OF(1, 2);
    g->stage.mem_moves = ONE_OF(1, 2);
    g->shared.wide = ONE_OF(0, 1);
    g->ldst.sectors = ONE_OF(0, 1);
    g->ldst.banked = ONE_OF(0, 1);
    g->ldst.last_first = ONE_OF(0, 1);
    g->ldst.late_tags = ONE_OF(0, 1);
    g->ldst.one_miss = ONE_OF(0, 1);
    g->ldst.write_back = ONE_OF(0, 1);
    g->latency.sp = ONE_OF(1, 4, 30);
    g->interval.sp = ONE_OF(1, 2, 5);
    g->interval.mem = ONE_OF(1, 2, 3);
}

static void random_memory(struct gpu *g)
{
    g->l1.size_kb = ONE_OF(1, 2, 16);
    g->l1.ways = ONE_OF(1, 2, 4);
    g->l1.sector_bytes = ONE_OF(32, 64, 128);
    g->l1.mshr = ONE_OF(1, 2, 64);
    g->l1.mshr_merge = ONE_OF(1, 2, 8);
    g->l1.miss_queue = ONE_OF(1, 8);
    g->l1.accesses_per_cycle = ONE_OF(1, 3, 4);
    g->l1.caches_global = ONE_OF(0, 1, 1);
    g->l1.write_policy = ONE_OF(L1_WRITE_THROUGH, L1_WRITE_UPDATE,
                                L1_WRITE_BACK, L1_WRITE_ALLOCATE);
    g->l1.hashed = ONE_OF(0, 1);
    g->l1.set_hash = ONE_OF(SETS_FOLDED, SETS_FERMI, SETS_IPOLY, SETS_XOR);
    g->icnt.latency = ONE_OF(0, 1, 12);
    g->icnt.flit_bytes = ONE_OF(8, 32, 200);
    g->icnt.header_bytes = ONE_OF(0, 8);
    g->icnt.mesh = ONE_OF(0, 0, 1);
    g->icnt.sector_packets = ONE_OF(0, 1);
    g->icnt.sector_answers = ONE_OF(0, 1);
    g->icnt.input_queue = ONE_OF(0, 1, 60);
    g->icnt.output_queue = ONE_OF(0, 1, 60);
    g->l2.banks = ONE_OF(1, 2, 4, 6);
    g->l2.ways = ONE_OF(1, 4);
    g->l2.size_kb = g->l2.banks * g->l2.ways * ONE_OF(1, 8) / 8.0;
    g->l2.sector_bytes = ONE_OF(32, 64, 128);
    g->l2.latency = ONE_OF(1, 20, 300);
    g->l2.mshr = ONE_OF(1, 2, 100);
    g->l2.mshr_merge = ONE_OF(1, 4);
    g->l2.fetch_bytes = ONE_OF(g->l2.sector_bytes, 128);
    g->l2.queue = ONE_OF(1, 3, 60);
    g->l2.unreserved = ONE_OF(0, 1);
    g->l2.staged = ONE_OF(0, 1);
    g->icnt.next_step = ONE_OF(0, 1);
    g->icnt.by_channel = ONE_OF(0, 1);
    g->icnt.router = ONE_OF(ROUTER_NONE, ROUTER_PACKETS, ROUTER_FLITS);
    g->icnt.speedup = ONE_OF(1, 2);
    g->icnt.answer_queue = ONE_OF(0, 1);
    g->stage.by_port = ONE_OF(0, 1);
    g->fetch.no_end = ONE_OF(0, 1);
    g->l2.memory_queue = ONE_OF(1, 3, 60);
    g->l2.hashed = ONE_OF(0, 1);
    g->l2.set_hash = ONE_OF(SETS_FOLDED, SETS_FERMI, SETS_IPOLY, SETS_XOR);
    g->l2.hash_bits = ONE_OF(0, 1, 13);
    g->l2.slice_hash =
        ONE_OF(SLICE_PLAIN, SLICE_ROTATED, SLICE_IPOLY, SLICE_RANDOM);
    g->l2.interleave_bytes = ONE_OF(0, 128, 512);
    g->dram.channels = 2;
    g->dram.queue = ONE_OF(1, 2, 50);
    g->dram.banks = ONE_OF(4, 16);
    g->dram.groups_interleaved = ONE_OF(0, 1);
    g->dram.bank_hash = ONE_OF(BANK_PLAIN, BANK_ROTATED, BANK_XOR);
    g->dram.dual_command = ONE_OF(0, 1);
    g->dram.rtp_group = ONE_OF(0, 1);
    g->dram.row_first = ONE_OF(0, 1);
    g->dram.clocked = ONE_OF(0, 1);
    g->dram.in_flight = ONE_OF(0, 1, 70);
    g->dram.rows = ONE_OF(0, 8);
    g->dram.gbps = ONE_OF(1, 20, 500);
    g->dram.latency = ONE_OF(0, 60);
    g->clock.icnt_mhz = ONE_OF(300, 1000, 1700);
    g->clock.l2_mhz = ONE_OF(300, 1000, 1700);
    g->clock.dram_mhz = ONE_OF(300, 1000, 1700);
}

static struct gpu random_gpu(void)
{
    struct gpu g;
    struct error e;
    do {
        g = plain_gpu();
        strcpy(g.name, "random");
        random_core(&g);
        random_memory(&g);
    } while (!gpu_validate(&g, &e));
    return g;
}

static struct script_op random_memory_op(void)
{
    static const uint8_t op[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_ATOMIC};
    static const uint8_t widths[] = {1, 4, 4, 8, 16};
    struct script_op o = {.op = op[draw(4)],
                          .width = widths[draw(5)],
                          .base = draw(4) * 65536,
                          .stride = ONE_OF(0, 1, 4, 4, 4, 12, 128, -4, 1000),
                          .block_step = ONE_OF(0, 128, 4096),
                          .warp_step = ONE_OF(0, 128, 1024),
                          .iteration_step = ONE_OF(0, 32, 8192)};
    if (o.stride < 0)
        o.base += MiB;
    if (draw(5) == 0)
        o.random_bytes = draw(2) != 0 ? 2048 : MiB;
    if (o.op == OP_ATOMIC)
        o.space = draw(3) == 0 ? SPACE_SHARED : SPACE_GLOBAL;
    else if (o.op == OP_STORE)
        o.space =
            (enum mem_space)ONE_OF(SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED);
    else
        o.space =
            (enum mem_space)ONE_OF(SPACE_GLOBAL, SPACE_GLOBAL, SPACE_LOCAL,
                                   SPACE_SHARED, SPACE_CONST, SPACE_TEXTURE);
    return o;
}

static struct script_op random_op(void)
{
    static const uint8_t op[] = {OP_INT,   OP_IMUL,   OP_SP,     OP_SFU,
                                 OP_DP,    OP_TENSOR, OP_BRANCH, OP_BARRIER,
                                 OP_FENCE, OP_CONVERT};
    struct script_op o = {.op = op[draw(sizeof(op))]};
    if (draw(5) < 2)
        o = random_memory_op();
    o.dst = o.op == OP_STORE || o.op == OP_BRANCH ? -1 : (int)draw(9) - 1;
    o.src0 = (int)draw(9) - 1;
    o.src1 = (int)draw(9) - 1;
    if (o.op == OP_BARRIER || o.op == OP_FENCE)
        o.dst = o.src0 = o.src1 = -1;
    if (draw(4) == 0)
        o.mask = (uint32_t)draw(UINT32_MAX) | 1;
    return o;
}

static struct script random_script(void)
{
    struct script s = {.count = 2 + (int)draw(9),
                       .repeat = 1 + (int)draw(6),
                       .warp_repeat = (int)draw(3),
                       .phases = true,
                       .pc_bytes = draw(2) != 0 ? 8 : 100};
    for (int i = 0; i < s.count - 1; i++)
        s.op[i] = random_op();
    s.op[s.count - 1] = (struct script_op)PLAIN(OP_EXIT);
    return s;
}

static size_t length_of(const void *const *table)
{
    size_t n = 0;
    while (table[n] != NULL)
        n++;
    return n;
}

static struct policy_set random_policies(void)
{
    size_t warps = length_of((const void *const *)warp_policies);
    size_t blocks = length_of((const void *const *)block_policies);
    size_t caches = length_of((const void *const *)cache_policies);
    struct policy_set p = policies_of(warp_policies[draw(warps)]);
    p.block = block_of(block_policies[draw(blocks)]);
    p.l1 = cache_of(cache_policies[draw(caches)]);
    if (choice_param(&p.warp, ROLE_READY_QUEUE, 0) > 0 && draw(2) != 0)
        p.warp.param[0] = 1 + (double)draw(4);
    return p;
}

static void check_case(int number)
{
    struct gpu g = random_gpu();
    struct script s = random_script();
    struct policy_set p = random_policies();
    uint32_t blocks = 1 + (uint32_t)draw(12), warps = 1 + (uint32_t)draw(8);
    struct sampler_options o = {.block_limit = (int)draw(4)};
    if (draw(4) == 0)
        o.max_cycles = 1 + draw(3000);
    struct script_run jump = run_options(&s, blocks, warps, &g, &p, o);
    o.tick_every_cycle = true;
    struct script_run tick = run_options(&s, blocks, warps, &g, &p, o);
    const struct sampler_counts *c = &jump.counts;
    ck_assert_msg(
        memcmp(c, &tick.counts, sizeof(*c)) == 0 && jump.lives == tick.lives,
        "case %d under %s and %s: %llu cycles, ticking %llu", number,
        p.warp.warp->info.name, p.block.block->info.name,
        (unsigned long long)c->cycles, (unsigned long long)tick.counts.cycles);
    uint64_t slots = 0;
    for (int i = 0; i < STALLS; i++)
        slots += c->stalls[i];
    ck_assert_uint_eq(slots, c->cycles * (uint64_t)(g.sm.schedulers * g.sms));
    ck_assert_uint_eq(c->l1_hits + c->l1_misses + c->l1_merges, c->l1_accesses);
    ck_assert_uint_eq(c->l2_hits + c->l2_misses + c->l2_merges, c->l2_accesses);
    if (!jump.result.partial)
        ck_assert_uint_eq(c->blocks_done, blocks);
}

START_TEST(random_runs)
{
    for (int i = 0; i < cases; i++)
        check_case(i);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        cases = atoi(argv[1]);
    if (argc > 2)
        seed = (uint64_t)atoll(argv[2]);
    Suite *suite = suite_create("sampler: random kernels and machines");
    TCase *tc = tcase_create("random");
    tcase_set_timeout(tc, 3600);
    tcase_add_test(tc, random_runs);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
