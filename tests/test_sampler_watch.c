/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a watch is told of every warp in every cycle. In plain_gpu() a block
 * that is dispatched in cycle 0 starts in 1, where its first instructions are
 * fetched; they are decoded in 2. Arithmetic issues 9 + 1 cycles after what it
 * depends on; lrr takes warps in turn. */
#include "tests/script_gate.h"

#define CYCLES 1000

/* A row a warp, a character a cycle; a space: not resident. */
struct rows {
    char row[4][CYCLES + 1];
    uint64_t end, insts;
    int stop_after; /* stretches, 0: never */
};

static char character(const struct sampler_state *s, int warp, bool first)
{
    uint64_t bit = UINT64_C(1) << warp;
    return first && s->issued & bit ? 'I'
           : s->at_barrier & bit    ? 'b'
           : s->waits_memory & bit  ? 'm'
           : s->waits_alu & bit     ? 'a'
           : s->ready & bit         ? 'p'
           : s->live & bit          ? '.'
                                    : ' ';
}

static bool note_state(void *user, const struct sampler_state *s)
{
    struct rows *r = user;
    ck_assert_uint_eq(s->from, r->end);
    for (uint64_t c = s->from; c < s->to; c++)
        for (int w = 0; w < 4 && c < CYCLES; w++)
            r->row[w][c] = character(s, w, c == s->from);
    r->end = s->to;
    r->insts += (uint64_t)__builtin_popcountll(s->issued);
    return r->stop_after == 0 || --r->stop_after > 0;
}

static struct sampler_run watch(struct rows *r, const struct script *s,
                                uint32_t warps, const struct gpu *g)
{
    struct kernel *k = script_kernel(s, 1, warps);
    struct policy_set p = policies_of(warp_policies[0]);
    struct sampler_options o = {.watch = note_state, .user = r};
    struct sampler_job job = {
        .kernel = &k, .kernels = 1, .gpu = g, .policies = &p, .options = &o};
    struct sampler_run run;
    struct error e;
    ck_assert_msg(sampler_simulate(&run, &job, &e), "%s", e.text);
    k->ops->destroy(k);
    return run;
}

static void assert_row(const struct rows *r, int warp, const char *expected)
{
    ck_assert_str_eq(r->row[warp], expected);
}

/* Three in a chain, the exit behind the last, whose result ends the warp. */
START_TEST(a_chain)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 1, 1, -1),
                             ALU(OP_SP, 1, 1, -1));
    struct rows r = {.end = 0};
    struct sampler_run run = watch(&r, &s, 1, &g);
    assert_row(&r, 0, " .IaaaaaaaaaIaaaaaaaaaII........ ");
    ck_assert_uint_eq(run.counts.cycles, 32);
    ck_assert_uint_eq(r.end, run.counts.cycles + 1);
    ck_assert_uint_eq(r.insts, run.counts.warp_insts);
}
END_TEST

/* Two warps share the slot, each waits for its turn. */
START_TEST(two_in_turn)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP), PLAIN(OP_SP), PLAIN(OP_SP));
    struct rows r = {.end = 0};
    watch(&r, &s, 2, &g);
    assert_row(&r, 0, " .IpIpIpI.......  ");
    assert_row(&r, 1, " .pIpIpIpI....... ");
}
END_TEST

/* They come in turn; the last lets all go, and they leave in turn. */
START_TEST(three_at_a_barrier)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_BARRIER));
    struct rows r = {.end = 0};
    watch(&r, &s, 3, &g);
    assert_row(&r, 0, " .IbpI  ");
    assert_row(&r, 1, " .pIppI ");
    assert_row(&r, 2, " .ppIppI");
}
END_TEST

/* An instruction that reads what a load brings waits for memory to the cycle,
 * and the one behind it for it alone. */
START_TEST(a_load)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4),
                             ALU(OP_SP, 2, 1, -1), ALU(OP_SP, 3, 2, -1));
    struct rows r = {.end = 0};
    struct sampler_run run = watch(&r, &s, 1, &g);
    size_t wait = strspn(r.row[0] + 3, "m");
    ck_assert_uint_gt(wait, 1);
    ck_assert_int_eq(strncmp(r.row[0], " .I", 3), 0);
    ck_assert_str_eq(r.row[0] + 3 + wait, "IaaaaaaaaaII........ ");
    ck_assert_uint_eq(run.counts.stalls[STALL_SB_MEM], wait);
}
END_TEST

/* With a slot every second cycle a chain of latency 10 waits for the next: it
 * is free in cycle 2 + 11, issues in 14, and its result is there in 25. */
START_TEST(slots_every_second_cycle)
{
    struct gpu g = plain_gpu();
    g.sm.issue_period = 2;
    g.latency.sp = 10;
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 1, 1, -1));
    struct rows r = {.end = 0};
    watch(&r, &s, 1, &g);
    assert_row(&r, 0, " .IaaaaaaaaaapIpI........ ");
}
END_TEST

/* A watch ends the run, and hears no more. */
START_TEST(a_watch_that_stops)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 1, 1, -1));
    struct rows r = {.stop_after = 4};
    struct sampler_run run = watch(&r, &s, 1, &g);
    ck_assert_uint_lt(run.counts.cycles, 22);
    ck_assert_uint_le(r.end, run.counts.cycles);
}
END_TEST

/* What the L1 is asked, and whether the predictor's numbers were there. */
struct lines {
    struct sampler_line told[4];
    int count;
    bool criticality;
};

static void note_line(void *user, const struct sampler_line *l)
{
    struct lines *to = user;
    ck_assert_int_lt(to->count, 4);
    to->told[to->count++] = *l;
}

static bool note_criticality(void *user, const struct sampler_state *s)
{
    struct lines *to = user;
    to->criticality = s->criticality != NULL;
    return true;
}

/* A line is brought, and found by a load that waits for it; a second one takes
 * its place in an L1 of one. Of one warp, which is so the critical one. */
START_TEST(lines_of_the_l1)
{
    struct gpu g = plain_gpu();
    g.l1.size_kb = g.l1.line_bytes / 1024.0;
    g.l1.ways = 1;
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4),
               MEM(OP_LOAD, SPACE_GLOBAL, 2, 1, 4, .stride = 4),
               MEM(OP_LOAD, SPACE_GLOBAL, 3, 2, 4, .stride = 4, .base = 4096));
    for (int predicts = 0; predicts < 2; predicts++) {
        struct lines to = {.count = 0};
        struct kernel *k = script_kernel(&s, 1, 1);
        struct policy_set p = policies_of(warp_policies[0]);
        struct sampler_options o = {.watch = note_criticality,
                                    .line = note_line,
                                    .criticality = predicts,
                                    .user = &to};
        struct sampler_job job = {.kernel = &k,
                                  .kernels = 1,
                                  .gpu = &g,
                                  .policies = &p,
                                  .options = &o};
        struct sampler_run run;
        struct error e;
        ck_assert_msg(sampler_simulate(&run, &job, &e), "%s", e.text);
        ck_assert_int_eq(to.count, 4);
        ck_assert_int_eq(to.told[0].event, LINE_MISS);
        ck_assert_ptr_eq(to.told[0].inst, &k->inst[0]);
        ck_assert_int_eq(to.told[1].event, LINE_HIT);
        ck_assert_ptr_eq(to.told[1].inst, &k->inst[1]);
        ck_assert_uint_eq(to.told[1].line, to.told[0].line);
        ck_assert_int_eq(to.told[2].event, LINE_EVICTED);
        ck_assert_uint_eq(to.told[2].line, to.told[0].line);
        ck_assert_int_eq(to.told[3].event, LINE_MISS);
        ck_assert_uint_ne(to.told[3].line, to.told[0].line);
        ck_assert_int_eq(to.told[0].critical, predicts);
        ck_assert_int_eq(to.criticality, predicts);
        k->ops->destroy(k);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("watch");
    tcase_add_test(tc, a_chain);
    tcase_add_test(tc, two_in_turn);
    tcase_add_test(tc, three_at_a_barrier);
    tcase_add_test(tc, a_load);
    tcase_add_test(tc, slots_every_second_cycle);
    tcase_add_test(tc, a_watch_that_stops);
    tcase_add_test(tc, lines_of_the_l1);
    return run_suite("sampler: a watch", tc);
}
