/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * L1 replacement policies on sequences of accesses followed by hand. */
#include "sampler/learned.h"
#include "sampler/memory/cache.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/l1/rrip.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/table.h"
#include "tests/script_gate.h"

/* One set of 128-byte lines. */
static struct cache one_set(const char *policy, int ways)
{
    struct cache c;
    struct choice choice;
    struct error e;
    ck_assert(choice_parse(&choice, NULL, POLICY_L1, policy, &e));
    ck_assert(cache_init(&c, ways * 128.0 / 1024, ways, 128, false, &choice));
    ck_assert_int_eq(c.sets, 1);
    return c;
}

static struct cache_access by(uint32_t pc, uint64_t line, bool critical)
{
    return (struct cache_access){.line = line,
                                 .address = line * 128,
                                 .pc = pc,
                                 .critical = critical,
                                 .warp = 1};
}

/* Access a line; returns whether it was there. A missing one is filled at once.
 */
static bool touch(struct cache *c, struct cache_access a)
{
    struct cache_line old;
    int way = cache_find(c, 0, a.line);
    if (way != NO_WAY)
        cache_touch(c, 0, way, &a);
    else
        ck_assert_int_ne(cache_allocate(c, 0, &a, &old), NO_WAY);
    return way != NO_WAY;
}

static bool use(struct cache *c, uint64_t line)
{
    return touch(c, by(1, line, false));
}

static bool has(const struct cache *c, uint64_t line)
{
    return cache_find(c, 0, line) != NO_WAY;
}

/* ---- srrip -------------------------------------------------------------- */

/* Values (A B C D): fills 2 2 2 2, a hit on A 0 2 2 2. E ages all by one and
 * takes the first at 3: 1 E C D, then F takes C and G takes D. H finds 1 2 2 2,
 * ages them and takes E. */
START_TEST(srrip_keeps_what_was_hit)
{
    struct cache c = one_set("srrip", 4);
    enum { A = 10, B, C, D, E, F, G, H };
    for (uint64_t line = A; line <= D; line++)
        ck_assert(!use(&c, line));
    ck_assert(use(&c, A));
    use(&c, E);
    ck_assert(has(&c, A) && !has(&c, B) && has(&c, C) && has(&c, D));
    use(&c, F);
    ck_assert(!has(&c, C) && has(&c, D));
    use(&c, G);
    ck_assert(!has(&c, D) && has(&c, E));
    use(&c, H);
    ck_assert(has(&c, A) && !has(&c, E) && has(&c, F) && has(&c, G));
    cache_free(&c);
}
END_TEST

/* A line hit at any time ages like the others: with no further hit it goes
 * after as many rounds as it is ahead. */
START_TEST(srrip_forgets)
{
    struct cache c = one_set("srrip", 2);
    use(&c, 1);
    use(&c, 1); /* 0 */
    use(&c, 2); /* 0 2 */
    use(&c, 3); /* 1 2: took 2 */
    ck_assert(has(&c, 1) && !has(&c, 2));
    use(&c, 4); /* 2 2: took 3 */
    ck_assert(has(&c, 1) && !has(&c, 3));
    use(&c, 5); /* both 3: the first goes */
    ck_assert(!has(&c, 1) && has(&c, 4));
    cache_free(&c);
}
END_TEST

/* Under every policy: a way that waits for its fill stays, and when all do
 * there is no room. */
START_TEST(locked_ways_stay)
{
    struct cache c = one_set(cache_policies[_i]->info.name, 4);
    struct cache_line old;
    int filled = 0;
    for (uint64_t line = 0; line < 4; line++) {
        struct cache_access a = by(1, line * 256, false);
        int way = cache_allocate(&c, 0, &a, &old);
        if (way == NO_WAY)
            break;
        ck_assert_uint_eq(old.tag, UINT64_MAX);
        cache_set_pending(&c, 0, way, 1);
        filled++;
    }
    /* cacp has the non-critical half to give. */
    ck_assert_int_eq(filled, c.policy->partitioned ? 2 : 4);
    struct cache_access more = by(1, 4096, false);
    ck_assert_int_eq(cache_allocate(&c, 0, &more, &old), NO_WAY);
    int way = cache_find(&c, 0, 256);
    cache_set_pending(&c, 0, way, 0);
    ck_assert_int_eq(cache_allocate(&c, 0, &more, &old), way);
    ck_assert_uint_eq(old.tag, 256);
    cache_free(&c);
}
END_TEST

/* ---- ship --------------------------------------------------------------- */

/* Instruction 7 streams: its counter falls from 1 to 0 with the first line that
 * goes unused, and later ones come in at 3 and go first. Instruction 9's lines
 * come in at 2 all along. */
START_TEST(ship_lets_streams_go_first)
{
    struct cache c = one_set("ship", 2);
    touch(&c, by(9, 100, false)); /* 2 */
    touch(&c, by(7, 1, false));   /* 2 2 */
    touch(&c, by(9, 101, false)); /* took 100, unused: 9 is at 0, too */
    ck_assert(!has(&c, 100));
    ck_assert(touch(&c, by(9, 101, false))); /* hit: 9 back at 1 */
    touch(&c, by(9, 102, false)); /* 1 of 7 is the older: took it, 7 at 0 */
    ck_assert(!has(&c, 1) && has(&c, 101));
    /* 101 at 0 or 1, 102 at 2. 7's next line replaces 102 at 3; it is then the
     * one to go, line after line. */
    touch(&c, by(7, 2, false));
    ck_assert(has(&c, 101));
    for (uint64_t line = 3; line < 20; line++) {
        touch(&c, by(7, line, false));
        ck_assert(has(&c, 101) && has(&c, line) && !has(&c, line - 1));
    }
    cache_free(&c);
}
END_TEST

/* A cache that begins with what another one learned has 7's first line at 3,
 * which goes before the older one of 9. */
START_TEST(ship_begins_with_what_another_learned)
{
    struct cache teacher = one_set("ship", 2), pupil = one_set("ship", 2);
    struct learned l = {.size = 0};
    touch(&teacher, by(7, 1, false));
    touch(&teacher, by(7, 2, false));
    touch(&teacher, by(7, 3, false)); /* took 1, unused: 7 at 0 */
    ck_assert(learned_take(&l, &teacher));
    learned_give(&l, &pupil);
    touch(&pupil, by(9, 100, false));
    touch(&pupil, by(7, 1, false));
    touch(&pupil, by(9, 101, false));
    ck_assert(has(&pupil, 100) && !has(&pupil, 1));
    learned_free(&l);
    cache_free(&teacher);
    cache_free(&pupil);
}
END_TEST

/* Of a whole run SM 0's; a policy that learns nothing leaves it be. */
START_TEST(runs_tell_what_they_learn)
{
    static const char *const policies[] = {"lru", "ship", "cacp"};
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 128,
                                 .iteration_step = 4096));
    struct gpu g = plain_gpu();
    s.repeat = 64;
    for (int i = 0; i < 3; i++) {
        struct learned l = {.size = 0};
        struct policy_set p = policies_of(warp_policies[0]);
        struct error e;
        ck_assert(choice_parse(&p.l1, NULL, POLICY_L1, policies[i], &e));
        run_options(&s, 2, 4, &g, &p, (struct sampler_options){.learned = &l});
        ck_assert_int_eq(policies_learn(&p), i > 0);
        ck_assert_int_eq(l.bytes != NULL, i > 0);
        size_t changed = 0;
        for (size_t k = 0; k < l.size; k++)
            changed += l.bytes[k] != COUNTER_START;
        ck_assert_int_eq(changed > 0, i > 0);
        learned_free(&l);
    }
}
END_TEST

/* The same stream under srrip drives the line out: it comes in at 2. */
START_TEST(srrip_does_not)
{
    struct cache c = one_set("srrip", 2);
    use(&c, 101);
    use(&c, 101);
    for (uint64_t line = 3; line < 20; line++)
        use(&c, line);
    ck_assert(!has(&c, 101));
    cache_free(&c);
}
END_TEST

/* ---- cacp: cawa Algorithm 4 --------------------------------------------- */

/* Four ways: 0 and 1 are critical. The signature is PC xor line address, low 8
 * bits; with one PC, lines 256 lines apart share it. */
#define NEXT(line, n) ((line) + (uint64_t)(n)*256)

static int way_of(const struct cache *c, uint64_t line)
{
    return cache_find(c, 0, line);
}

static bool is_critical_way(const struct cache *c, uint64_t line)
{
    ck_assert_int_ne(way_of(c, line), NO_WAY);
    return way_of(c, line) < 2;
}

START_TEST(cacp_starts_in_the_other_ways)
{
    struct cache c = one_set("cacp", 4);
    for (uint64_t line = 1; line <= 4; line++) {
        ck_assert(!touch(&c, by(2 * (uint32_t)line, line, true)));
        ck_assert(!is_critical_way(&c, line));
    }
    ck_assert(has(&c, 3) && has(&c, 4) && !has(&c, 1) && !has(&c, 2));
    cache_free(&c);
}
END_TEST

/* A hit by a critical warp lifts the signature's counter from 1 to 2, above the
 * threshold: the next line of it goes to the critical ways. One by another warp
 * does not. */
START_TEST(cacp_learns_who_uses_lines_again)
{
    struct cache c = one_set("cacp", 4);
    touch(&c, by(5, 1, false));
    ck_assert(touch(&c, by(5, 1, false)));
    touch(&c, by(5, NEXT(1, 1), false));
    ck_assert(!is_critical_way(&c, NEXT(1, 1)));
    ck_assert(touch(&c, by(5, 1, true)));
    touch(&c, by(5, NEXT(1, 2), false));
    ck_assert(is_critical_way(&c, NEXT(1, 2)));
    /* The signature is that of the line's fill, not of the hit. */
    touch(&c, by(8, 2, false));
    ck_assert(touch(&c, by(77, 2, true)));
    touch(&c, by(8, NEXT(2, 1), false));
    ck_assert(is_critical_way(&c, NEXT(2, 1)));
    touch(&c, by(77, NEXT(2, 2), false));
    ck_assert(!is_critical_way(&c, NEXT(2, 2)));
    cache_free(&c);
}
END_TEST

/* Regions of memory are told apart (cawa Sec. 3.3): every line within 256 of
 * them has a signature of its own, two bytes of one line do not. Instruction 5
 * and line 1 have that of 6 and 2, and that of 5 and 257. */
START_TEST(cacp_signature_is_of_the_line)
{
    struct cache c = one_set("cacp", 16);
    touch(&c, by(5, 1, false));
    touch(&c, by(5, 1, true));
    touch(&c, by(5, 2, false));
    touch(&c, by(5, 3, false));
    touch(&c, by(6, 5, false));
    touch(&c, by(5, 257, false));
    touch(&c, by(6, 258, false));
    ck_assert_int_ge(way_of(&c, 2), 8);
    ck_assert_int_ge(way_of(&c, 3), 8);
    ck_assert_int_ge(way_of(&c, 5), 8);
    ck_assert_int_lt(way_of(&c, 257), 8);
    ck_assert_int_lt(way_of(&c, 258), 8);
    cache_free(&c);
}
END_TEST

/* Bring signature 1 (line 1, PC 0) to the counter CCBP = 2 and fill both
 * critical ways with lines of it; signature 2 likewise, so that its lines may
 * evict. */
static struct cache full_of_critical(void)
{
    struct cache c = one_set("cacp", 4);
    for (uint64_t line = 1; line <= 2; line++) {
        touch(&c, by(0, line, false));
        touch(&c, by(0, line, true));
    }
    touch(&c, by(0, NEXT(1, 1), false));
    touch(&c, by(0, NEXT(1, 2), false));
    ck_assert(is_critical_way(&c, NEXT(1, 1)));
    ck_assert(is_critical_way(&c, NEXT(1, 2)));
    return c;
}

/* Used again, but not by a critical warp, and evicted from the critical ways:
 * the prediction was wrong, CCBP falls to 1. */
START_TEST(cacp_unlearns_wrong_partitions)
{
    struct cache c = full_of_critical();
    touch(&c, by(0, NEXT(1, 1), false));
    touch(&c, by(0, NEXT(1, 2), false));
    touch(&c, by(0, NEXT(2, 1), false)); /* evicts one of them */
    ck_assert(is_critical_way(&c, NEXT(2, 1)));
    touch(&c, by(0, NEXT(1, 3), false));
    ck_assert(!is_critical_way(&c, NEXT(1, 3)));
    cache_free(&c);
}
END_TEST

/* Used again by a critical warp: nothing is unlearned. */
START_TEST(cacp_keeps_right_partitions)
{
    struct cache c = full_of_critical();
    touch(&c, by(0, NEXT(1, 1), true)); /* CCBP 3 */
    touch(&c, by(0, NEXT(1, 1), false));
    touch(&c, by(0, NEXT(1, 2), true));
    touch(&c, by(0, NEXT(2, 1), false));
    touch(&c, by(0, NEXT(2, 2), false));
    touch(&c, by(0, NEXT(1, 3), false));
    ck_assert(is_critical_way(&c, NEXT(1, 3)));
    cache_free(&c);
}
END_TEST

/* Not used again at all: SHiP falls, CCBP stays. From 0 on lines come in at 3
 * and go before one that came in at 2. */
START_TEST(cacp_lets_unused_lines_go_first)
{
    struct cache c = one_set("cacp", 4);
    touch(&c, by(0, 1, false)); /* way 2 at 2 */
    touch(&c, by(2, 9, false)); /* way 3 at 2 */
    touch(&c, by(4, 8, false)); /* 1 goes, unused: its SHiP at 0 */
    ck_assert(!has(&c, 1) && has(&c, 9) && has(&c, 8));
    touch(&c, by(2, 9, false));          /* near */
    touch(&c, by(0, NEXT(1, 1), false)); /* 8 goes; comes in at 3 */
    ck_assert(!has(&c, 8));
    touch(&c, by(6, 20, false)); /* so it is the one to go */
    ck_assert(has(&c, 9) && !has(&c, NEXT(1, 1)));
    cache_free(&c);
}
END_TEST

/* Look-up is in all ways: a line stays where it was put when its signature's
 * prediction changes. */
START_TEST(cacp_finds_lines_in_both_halves)
{
    struct cache c = full_of_critical();
    ck_assert(touch(&c, by(0, 1, false)));
    ck_assert(!is_critical_way(&c, 1));
    ck_assert(touch(&c, by(0, NEXT(1, 2), false)));
    cache_free(&c);
}
END_TEST

/* Lines dropped at a kernel's start leave free ways, which are used first. */
START_TEST(cacp_uses_dropped_ways)
{
    struct cache c = full_of_critical();
    cache_invalidate(&c);
    ck_assert(!has(&c, NEXT(1, 1)));
    touch(&c, by(0, NEXT(1, 4), false));
    touch(&c, by(0, NEXT(1, 5), false));
    ck_assert_int_eq(way_of(&c, NEXT(1, 4)), 0);
    ck_assert_int_eq(way_of(&c, NEXT(1, 5)), 1);
    cache_free(&c);
}
END_TEST

/* ---- on the machine ----------------------------------------------------- */

/* The accesses add up, the work is done, and jumping over idle cycles changes
 * nothing. */
static void assert_sound(const struct script_case *k, const struct gpu *g,
                         const struct policy_set *p)
{
    struct sampler_options o = {.tick_every_cycle = false};
    struct sampler_counts n =
        run_options(&k->script, k->blocks, k->warps, g, p, o).counts;
    ck_assert_uint_eq(n.l1_hits + n.l1_misses + n.l1_merges, n.l1_accesses);
    ck_assert_uint_le(n.l1_critical_hits, n.l1_critical_accesses);
    ck_assert_uint_le(n.l1_critical_accesses, n.l1_accesses);
    ck_assert_uint_le(n.l1_critical_evictions, n.l1_evictions);
    ck_assert_uint_eq(n.blocks_done, k->blocks);
    o.tick_every_cycle = true;
    struct sampler_counts tick =
        run_options(&k->script, k->blocks, k->warps, g, p, o).counts;
    ck_assert_mem_eq(&n, &tick, sizeof(n));
}

/* Two warps load the same lines one after another, the second while the fill is
 * on its way: that is a use. Every line that is evicted has been used twice. */
START_TEST(joining_a_fill_is_a_use)
{
    struct gpu g = plain_gpu();
    struct script s = {.count = 25, .repeat = 1};
    for (int i = 0; i < 12; i++) {
        s.op[2 * i] =
            (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4,
                                  .base = (uint64_t)i * 128, .stride = 4);
        s.op[2 * i + 1] = (struct script_op)ALU(OP_SP, 2, 1, 2);
    }
    s.op[24] = (struct script_op)PLAIN(OP_EXIT);
    g.l1.size_kb = 0.5; /* a set of four lines */
    g.l1.ways = 4;
    struct policy_set p = policies_of(&warp_lrr);
    struct sampler_options o = {.max_cycles = 0};
    struct sampler_counts n = run_options(&s, 1, 2, &g, &p, o).counts;
    ck_assert_uint_eq(n.l1_merges, 12);
    ck_assert_uint_eq(n.l1_evictions, 8);
    ck_assert_uint_eq(n.l1_evictions_unused, 0);
}
END_TEST

/* Each pair with each kernel on one of the machines. */
START_TEST(every_policy_under_every_scheduler)
{
    struct gpu g = script_gpu(_i);
    for (size_t c = 0; c < SCRIPT_CASES; c++)
        for (size_t w = 0; warp_policies[w] != NULL; w++) {
            struct policy_set p = policies_of(warp_policies[w]);
            struct error e;
            if ((c + w) % SCRIPT_GPUS != (size_t)_i)
                continue;
            for (size_t l = 1; cache_policies[l] != NULL; l++) {
                const char *name = cache_policies[l]->info.name;
                ck_assert(choice_parse(&p.l1, NULL, POLICY_L1, name, &e));
                assert_sound(&script_cases[c], &g, &p);
            }
        }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("L1 policies");
    int policies = 0;
    while (cache_policies[policies] != NULL)
        policies++;
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, srrip_keeps_what_was_hit);
    tcase_add_test(tc, srrip_forgets);
    tcase_add_loop_test(tc, locked_ways_stay, 0, policies);
    tcase_add_test(tc, ship_lets_streams_go_first);
    tcase_add_test(tc, ship_begins_with_what_another_learned);
    tcase_add_test(tc, runs_tell_what_they_learn);
    tcase_add_test(tc, srrip_does_not);
    tcase_add_test(tc, cacp_starts_in_the_other_ways);
    tcase_add_test(tc, cacp_learns_who_uses_lines_again);
    tcase_add_test(tc, cacp_signature_is_of_the_line);
    tcase_add_test(tc, cacp_unlearns_wrong_partitions);
    tcase_add_test(tc, cacp_keeps_right_partitions);
    tcase_add_test(tc, cacp_lets_unused_lines_go_first);
    tcase_add_test(tc, cacp_finds_lines_in_both_halves);
    tcase_add_test(tc, cacp_uses_dropped_ways);
    tcase_add_test(tc, joining_a_fill_is_a_use);
    tcase_add_loop_test(tc, every_policy_under_every_scheduler, 0, SCRIPT_GPUS);
    return run_suite("L1 policies", tc);
}
