/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under denovo words are owned: lines of which several SMs own some. */
#include "sampler/memory/owners.h"
#include "tests/coherence_acts.h"

START_TEST(who_owns_words)
{
    struct owners o;
    int sm = NO_OWNER;
    ck_assert(owners_init(&o));
    ck_assert_uint_eq(owners_other(&o, 7, UINT32_MAX, 0, &sm), 0);
    ck_assert(owners_set(&o, 7, 0x0000000f, 3));
    ck_assert(owners_set(&o, 7, 0x80000000, 3));
    ck_assert(owners_set(&o, 7, 0x00000ff0, 140));
    ck_assert(owners_set(&o, 7, 0x00000100, NO_OWNER));
    ck_assert_uint_eq(owners_words(&o, 7, 3), 0x8000000f);
    ck_assert_uint_eq(owners_words(&o, 7, 140), 0x00000ef0);
    ck_assert_uint_eq(owners_any(&o, 7), 0x80000eff);
    /* The owner of the lowest word comes first, with all of its words that are
     * asked for. */
    ck_assert_uint_eq(owners_other(&o, 7, 0xfffffffe, 0, &sm), 0x8000000e);
    ck_assert_int_eq(sm, 3);
    ck_assert_uint_eq(owners_other(&o, 7, 0xfffffffe, 3, &sm), 0x00000ef0);
    ck_assert_int_eq(sm, 140);
    ck_assert_uint_eq(owners_other(&o, 7, 0x00000100, 0, &sm), 0);
    owners_free(&o);
}
END_TEST

/* ---- words of a line ---------------------------------------------------- */

/* Two SMs write halves of a line and do not take them from each other. */
START_TEST(writers_of_halves)
{
    struct gpu g = machine(2);
    struct act a[] = {
        {"store 0 16", 0, 0},  {"store 16 16", 1, 0}, {"store 0 16", 0, 0},
        {"store 16 16", 1, 0}, {"load 0 16", 0, 0},   {"load 16 16", 1, 0},
        {"load 0 16", 1, 0},   {"load 31 1", 0, 0},   {"store 15 1", 1, 0},
        {"load 0 15", 0, 0},   {"load 15 1", 0, 0}};
    EXPECT(&g, a, L2, L2, L1, L1, L1, L1, REMOTE, REMOTE, REMOTE, L1, REMOTE);
}
END_TEST

/* A third SM reads the line: 16 words from each, 72 bytes or five
 * flits with the header. */
START_TEST(reader_of_halves)
{
    struct gpu g = machine(3);
    struct act a[] = {
        {"store 0 16", 0, 0}, {"store 16 16", 1, 0}, {"load", 2, 0}};
    EXPECT(&g, a, L2, L2, REMOTE);
    uint64_t before = run_acts(a, 2, &g, NULL).noc_flits;
    ck_assert_uint_eq(run_acts(a, 3, &g, NULL).noc_flits - before,
                      1 + 2 + 2 * 5);
}
END_TEST

/* What nobody else owns comes from the L2, and with the words asked for the
 * rest of the line as far as it is there. */
START_TEST(words_along)
{
    struct gpu g = machine(2);
    struct act all[] = {{"twice 0 1", 1, 0}};
    struct sampler_counts c = run_acts(all, 1, &g, NULL);
    ck_assert_uint_eq(c.served_memory, 1);
    ck_assert_uint_eq(c.served_l1, 1);
    struct act half[] = {{"store 16 16", 0, 0}, {"twice 0 1", 1, 0}};
    c = run_acts(half, 2, &g, NULL);
    ck_assert_uint_eq(c.served_memory, 1);
    ck_assert_uint_eq(c.served_remote, 1);
    ck_assert_uint_eq(c.served_l1, 0);
    struct act owned[] = {{"store", 0, 0}, {"twice 5 2", 1, 0}};
    c = run_acts(owned, 2, &g, NULL);
    ck_assert_uint_eq(c.served_remote, 1);
    ck_assert_uint_eq(c.served_l1, 1);
}
END_TEST

/* A load of a line that is on its way sends nothing of its own; what the answer
 * does not bring is asked for again. Cold, with half owned by the other SM: a
 * request and a line from memory, or with half a line and then a request, one
 * passed on and the other half; 64 bytes and a header are 5 flits, a
 * line and a header 9. */
START_TEST(lines_on_their_way)
{
    struct gpu g = machine(2);
    g.icnt.mesh = 0;
    struct act all[] = {{"both 0 1", 1, 0}};
    struct sampler_counts c = run_acts(all, 1, &g, NULL);
    ck_assert_uint_eq(c.served_memory, 1);
    ck_assert_uint_eq(c.served_l1, 1);
    ck_assert_uint_eq(c.noc_flits, 1 + 9);
    struct act half[] = {{"store 16 16", 0, 0}, {"both 0 1", 1, 0}};
    uint64_t before = run_acts(half, 1, &g, NULL).noc_flits;
    c = run_acts(half, 2, &g, NULL);
    ck_assert_uint_eq(c.served_memory, 1);
    ck_assert_uint_eq(c.served_l1, 1); /* as it went into the L1's list */
    ck_assert_uint_eq(c.noc_flits - before, 1 + 5 + 1 + 1 + 5);
}
END_TEST

/* At a boundary a line keeps the words that are owned. */
START_TEST(half_a_line_stays)
{
    struct gpu g = machine(2);
    struct act a[] = {{"load", 0, 0},       {"store 0 16", 0, 0},
                      {"load 0 16", 0, 0},  {"load 16 16", 0, 0},
                      {"store 0 32", 1, 0}, {"load 0 16", 0, 0}};
    EXPECT(&g, a, MEMORY, L2, L1, L2, REMOTE, REMOTE);
}
END_TEST

/* An evicted line takes the words it owns along, 16 with a header in 5 flits,
 * and no others: those are with the other SM still. */
START_TEST(words_written_back)
{
    struct gpu g = machine(2);
    g.l1.size_kb = 0.125;
    g.l1.ways = 1;
    g.icnt.mesh = 0;
    struct act a[] = {{"store 0 16", 0, 0},
                      {"store 16 16", 1, 0},
                      {"store", 0, 1},
                      {"load 16 16", 0, 0},
                      {"load 0 16", 1, 0}};
    struct sampler_counts c = run_acts(a, 3, &g, NULL);
    ck_assert_uint_eq(c.noc_crossings[NOC_WRITEBACK], 5);
    EXPECT(&g, a, L2, L2, L2, REMOTE, L2);
}
END_TEST

/* An atomic on words of two owners and on words of none. */
START_TEST(atomics_over_owners)
{
    struct gpu g = machine(3);
    struct act a[] = {{"add 0 8", 0, 0},   {"store 8 8", 1, 0},
                      {"add", 2, 0},       {"add", 2, 0},
                      {"load 0 8", 0, 0},  {"load 8 24", 1, 0},
                      {"store 0 8", 0, 0}, {"load 8 24", 2, 0}};
    EXPECT(&g, a, MEMORY, L2, REMOTE, L1, REMOTE, REMOTE, REMOTE, L1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("coherence: words");
    TCase *t = tcase_create("all");
    tcase_add_test(t, who_owns_words);
    tcase_add_test(t, writers_of_halves);
    tcase_add_test(t, reader_of_halves);
    tcase_add_test(t, words_along);
    tcase_add_test(t, lines_on_their_way);
    tcase_add_test(t, half_a_line_stays);
    tcase_add_test(t, words_written_back);
    tcase_add_test(t, atomics_over_owners);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
