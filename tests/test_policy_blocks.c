/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds under every thread-block scheduler, on the whole machine. */
#include "tests/script_gate.h"

#define KERNELS    3
#define MOST_SMS   16
#define MOST_GRID  200
#define RANDOM_SET 12 /* applications */

/* ---- applications ------------------------------------------------------- */

/* Loads, a barrier, uneven warps: blocks of different length. */
static const struct script busy = {
    {MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .base = 0, OWN_LINES),
     ALU(OP_SP, 2, 1, 2), PLAIN(OP_BARRIER), ALU(OP_INT, 3, 2, -1),
     MEM(OP_LOAD, SPACE_GLOBAL, 4, 3, 4, .random_bytes = MiB, .mask = 3),
     PLAIN(OP_BARRIER), PLAIN(OP_EXIT)},
    7,
    1,
    1,
    false,
    0};

struct application {
    int sms, tb;
    uint32_t blocks[KERNELS], warps;
};

static struct application draw(uint64_t seed)
{
    uint64_t r[KERNELS + 3];
    for (int i = 0; i < KERNELS + 3; i++)
        r[i] = mix(seed * 100 + (uint64_t)i);
    struct application a = {.sms = 1 + (int)(r[3] % MOST_SMS),
                            .tb = (int)(r[4] % 5),
                            .warps = 1 + (uint32_t)(r[5] % 3)};
    for (int i = 0; i < KERNELS; i++)
        a.blocks[i] = 1 + (uint32_t)(r[i] % MOST_GRID);
    if (seed % 4 == 0) /* the same grid again: chunks and queues are kept */
        a.blocks[1] = a.blocks[2] = a.blocks[0];
    return a;
}

static uint64_t work(const struct application *a)
{
    uint64_t block = 0, body = (uint64_t)busy.count - 1, insts = 0;
    for (uint32_t w = 0; w < a->warps; w++)
        block += body * (uint64_t)(busy.repeat + (int)w * busy.warp_repeat) + 1;
    for (int i = 0; i < KERNELS; i++)
        insts += block * a->blocks[i];
    return insts;
}

/* The blocks seen to end, kernel after kernel. */
struct ended {
    const struct application *application;
    int kernel;
    uint32_t count;
    bool seen[MOST_GRID];
    uint64_t digest;
};

static bool note_end(void *user, const struct sampler_block *b)
{
    struct ended *n = user;
    ck_assert_int_lt(n->kernel, KERNELS);
    ck_assert_uint_lt(b->block, n->application->blocks[n->kernel]);
    ck_assert(!n->seen[b->block]);
    n->seen[b->block] = true;
    n->digest = mix(n->digest ^ b->block ^ b->start << 10 ^ b->end << 40);
    if (++n->count == n->application->blocks[n->kernel]) {
        memset(n->seen, 0, sizeof(n->seen));
        n->count = 0;
        n->kernel++;
    }
    return true;
}

static struct policy_set under(const char *block)
{
    struct policy_set p = policies_of(warp_policies[0]);
    struct error e;
    if (!choice_parse(&p.block, NULL, POLICY_BLOCK, block, &e))
        ck_abort_msg("%s", e.text);
    return p;
}

/* Every block must have run exactly once. */
static struct sampler_run run_application(const struct application *a,
                                          const char *block, bool every_cycle,
                                          uint64_t *digest)
{
    struct gpu g = plain_gpu();
    g.sms = a->sms;
    struct kernel *k[KERNELS];
    for (int i = 0; i < KERNELS; i++)
        k[i] = script_kernel(&busy, a->blocks[i], a->warps);
    struct ended ended = {.application = a};
    struct policy_set p = under(block);
    struct sampler_run run;
    struct error e;
    if (!sampler_simulate(
            &run,
            &(struct sampler_job){
                .kernel = k,
                .kernels = KERNELS,
                .gpu = &g,
                .policies = &p,
                .options =
                    &(struct sampler_options){.block_limit = a->tb,
                                              .block_done = note_end,
                                              .user = &ended,
                                              .tick_every_cycle = every_cycle}},
            &e))
        ck_abort_msg("%s: %s", block, e.text);
    ck_assert_int_eq(ended.kernel, KERNELS);
    *digest = ended.digest;
    for (int i = 0; i < KERNELS; i++)
        k[i]->ops->destroy(k[i]);
    return run;
}

START_TEST(every_block_once)
{
    struct application a = draw((uint64_t)_i);
    for (size_t p = 0; block_policies[p] != NULL; p++) {
        uint64_t digest, again;
        const char *name = block_policies[p]->info.name;
        struct sampler_run r = run_application(&a, name, false, &digest);
        ck_assert_uint_eq(r.counts.warp_insts, work(&a));
        if (p % 4 != (size_t)_i % 4)
            continue;
        struct sampler_run s = run_application(&a, name, false, &again);
        ck_assert_int_eq(memcmp(&r.counts, &s.counts, sizeof(r.counts)), 0);
        ck_assert_uint_eq(digest, again);
    }
}
END_TEST

/* Samples are taken in the cycle they are due in, however time is jumped
 * over. */
START_TEST(jumps_change_nothing)
{
    struct application a = draw((uint64_t)_i);
    const char *const choices[] = {"rr",      "perfsat",           "steal",
                                   "steal:1", "dyncta:50:3:10:20", "lcs"};
    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
        uint64_t digest, slow;
        struct sampler_run r = run_application(&a, choices[i], false, &digest);
        struct sampler_run s = run_application(&a, choices[i], true, &slow);
        ck_assert_uint_eq(r.counts.cycles, s.counts.cycles);
        ck_assert_double_eq(r.search.blocks, s.search.blocks);
        ck_assert_int_eq(r.search.settled, s.search.settled);
        ck_assert_uint_eq(digest, slow);
    }
}
END_TEST

/* ---- equal schedulers --------------------------------------------------- */

static struct sampler_counts counts_under(const struct script_case *c,
                                          const struct gpu *g, uint32_t blocks,
                                          const char *block, int tb)
{
    struct policy_set p = under(block);
    return run_options(&c->script, blocks, c->warps, g, &p,
                       (struct sampler_options){.block_limit = tb})
        .counts;
}

/* Under every one of `choices` (NULL-ended) as under rr. */
static void assert_equal(const struct script_case *c, const struct gpu *g,
                         uint32_t blocks, const char *const *choices, int tb)
{
    struct sampler_counts rr = counts_under(c, g, blocks, "rr", tb);
    for (; *choices != NULL; choices++) {
        struct sampler_counts n = counts_under(c, g, blocks, *choices, tb);
        ck_assert_msg(memcmp(&rr, &n, sizeof(n)) == 0,
                      "%s, %s: %llu cycles under %s, %llu under rr", g->name,
                      c->name, (unsigned long long)n.cycles, *choices,
                      (unsigned long long)rr.cycles);
    }
}

/* Exactly one block per SM leaves nothing to choose: where there is room for
 * one only under every policy, else under those that serve the SMs in turn. */
START_TEST(one_block_an_sm)
{
    static const char *const in_turn[] = {"perfsat", "chunk",  "reset", "flip",
                                          "steal",   "dyncta", "lcs",   NULL};
    const char *names[32] = {NULL};
    for (size_t p = 0; block_policies[p] != NULL; p++)
        names[p] = block_policies[p]->info.name;
    struct gpu g = script_gpu(_i);
    g.sms = 3;
    for (size_t c = 0; c < SCRIPT_CASES; c++) {
        assert_equal(&script_cases[c], &g, 3, names, 1);
        assert_equal(&script_cases[c], &g, 3, in_turn, 0);
    }
}
END_TEST

/* With one resident block there is no number of blocks to look for. */
START_TEST(one_resident_block)
{
    const char *const choices[] = {"perfsat", "dyncta", "lcs", NULL};
    struct gpu g = script_gpu(_i);
    for (size_t c = 0; c < SCRIPT_CASES; c++)
        assert_equal(&script_cases[c], &g, script_cases[c].blocks, choices, 1);
}
END_TEST

/* ---- how many blocks are resident --------------------------------------- */

/* Warp 0 of each block of SM 0, as it lived. */
struct lives {
    uint64_t start[1024], end[1024];
    int count;
};

static void note_life(void *user, const struct sampler_warp *w)
{
    struct lives *l = user;
    if (w->sm != 0 || w->warp != 0)
        return;
    l->start[l->count] = w->start;
    l->end[l->count++] = w->end;
}

static int most_alive(const struct lives *l)
{
    int most = 0;
    for (int i = 0; i < l->count; i++) {
        int alive = 0;
        for (int j = 0; j < l->count; j++)
            alive += l->start[j] <= l->start[i] && l->start[i] < l->end[j];
        most = alive > most ? alive : most;
    }
    return most;
}

/* A chain of dependent instructions: one warp cannot fill an SM, and more
 * blocks are better as long as they fit. */
static const struct script chain = {
    {ALU(OP_SP, 1, 1, -1), PLAIN(OP_EXIT)}, 2, 40, 0, false, 0};

static struct sampler_run run_chain(const char *block, int tb, uint32_t blocks,
                                    struct lives *lives, FILE *explain)
{
    struct gpu g = plain_gpu();
    g.sms = 2;
    struct kernel *k = script_kernel(&chain, blocks, 1);
    struct policy_set p = under(block);
    struct sampler_run run;
    struct error e;
    *lives = (struct lives){.count = 0};
    ck_assert(sampler_simulate(
        &run,
        &(struct sampler_job){
            .kernel = &k,
            .kernels = 1,
            .gpu = &g,
            .policies = &p,
            .options = &(struct sampler_options){.block_limit = tb,
                                                 .warp_done = note_life,
                                                 .user = lives,
                                                 .explain = explain}},
        &e));
    k->ops->destroy(k);
    return run;
}

/* tb caps what a search may find; here more is better, so it finds that. */
START_TEST(search_up_to_the_cap)
{
    for (int tb = 1; tb <= 8; tb++) {
        struct lives lives;
        struct sampler_run r = run_chain("perfsat", tb, 1800, &lives, NULL);
        ck_assert_int_eq(r.search.settled, 2);
        ck_assert_double_eq(r.search.blocks, tb);
        ck_assert_int_eq(most_alive(&lives), tb);
    }
}
END_TEST

START_TEST(short_search)
{
    struct lives lives;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct sampler_run r = run_chain("perfsat", 8, 12, &lives, out);
    fclose(out);
    ck_assert_int_eq(r.search.settled, 0);
    ck_assert_double_eq(r.search.blocks, 4);
    ck_assert_int_eq(most_alive(&lives), 4);
    ck_assert_ptr_nonnull(
        strstr(text, "kernel 0 SM 1: stopped N=4 of 8 after 0 samples: "
                     "unfinished\n"));
    free(text);
}
END_TEST

/* Blocks alike and one issue slot a cycle: in a block's life the others issue
 * as much as it does, so as many are needed as fit. */
START_TEST(lazy_blocks)
{
    struct lives lives;
    struct sampler_run r = run_chain("lcs", 6, 200, &lives, NULL);
    ck_assert_int_eq(r.search.settled, 2);
    ck_assert_double_eq(r.search.blocks, 6);
    ck_assert_int_eq(most_alive(&lives), 6);
}
END_TEST

/* Never idle, never waiting for memory: from half up to all that fit. */
START_TEST(throttle_opens)
{
    struct lives lives;
    struct sampler_run r = run_chain("dyncta:500", 6, 400, &lives, NULL);
    ck_assert_double_eq(r.search.blocks, 6);
    ck_assert_int_eq(most_alive(&lives), 6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("thread-block schedulers: properties");
    TCase *tc = tcase_create("properties");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, every_block_once, 0, RANDOM_SET);
    tcase_add_loop_test(tc, jumps_change_nothing, 0, RANDOM_SET / 3);
    tcase_add_loop_test(tc, one_block_an_sm, 0, SCRIPT_GPUS);
    tcase_add_loop_test(tc, one_resident_block, 0, SCRIPT_GPUS);
    tcase_add_test(tc, search_up_to_the_cap);
    tcase_add_test(tc, short_search);
    tcase_add_test(tc, lazy_blocks);
    tcase_add_test(tc, throttle_opens);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
