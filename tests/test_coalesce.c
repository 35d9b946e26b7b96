/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/coalesce.h"

#include <check.h>
#include <stdlib.h>

static uint64_t lane_address(const struct step *s, int lane)
{
    return s->form == ADDR_LIST
               ? s->lane_address[lane]
               : s->base + (uint64_t)lane * (uint64_t)s->stride;
}

/* One byte at a time, by the definition. */
static int brute_coalesce(const struct step *s, unsigned width, unsigned line,
                          unsigned sector, struct transaction *out)
{
    int n = 0;

    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(s->mask >> lane & 1))
            continue;
        for (unsigned b = 0; b < width; b++) {
            uint64_t a = lane_address(s, lane) + b;
            int i = 0;

            while (i < n && out[i].line != a / line)
                i++;
            if (i == n)
                out[n++] = (struct transaction){.line = a / line};
            out[i].sectors |= UINT32_C(1) << (a % line / sector);
        }
    }
    return n;
}

/* Distinct words of every bank counted one bank after the other. */
static int brute_part(const struct step *s, int first, int lanes,
                      unsigned width, unsigned banks, unsigned bank_bytes)
{
    static uint64_t words[WARP_LANES * 16];
    int count = 0, degree = 0;

    for (int lane = first; lane < first + lanes; lane++)
        for (unsigned b = 0; b < width && (s->mask >> lane & 1); b++) {
            uint64_t word = (lane_address(s, lane) + b) / bank_bytes;
            int i = 0;

            while (i < count && words[i] != word)
                i++;
            if (i == count)
                words[count++] = word;
        }
    for (unsigned bank = 0; bank < banks; bank++) {
        int in_bank = 0;

        for (int i = 0; i < count; i++)
            in_bank += words[i] % banks == bank;
        degree = in_bank > degree ? in_bank : degree;
    }
    return degree;
}

static struct step random_step(unsigned width)
{
    static const int64_t strides[] = {0,  1,  2,   4,   8,   12, 16,
                                      32, 36, 128, 132, 512, -4, -128};
    struct step s = {0};

    s.form = rand() % 2 ? ADDR_LIST : ADDR_STRIDE;
    s.mask = rand() % 3 ? UINT32_MAX : (uint32_t)rand() << (rand() % 16);
    s.base = UINT64_C(0x700000000) + (uint64_t)(rand() % 4096);
    if (rand() % 2)
        s.base -= s.base % width;
    s.stride = strides[rand() % 14];
    for (int i = 0; i < WARP_LANES; i++)
        s.lane_address[i] = s.base + (uint64_t)(rand() % (1 << rand() % 16));
    return s;
}

START_TEST(coalesce_matches_the_definition)
{
    static const unsigned shapes[][2] = {{128, 32}, {128, 128}, {64, 16},
                                         {256, 32}, {32, 32},   {128, 4}};

    srand(1);
    for (int i = 0; i < 50000; i++) {
        unsigned width = 1u << (rand() % 5);
        const unsigned *shape = shapes[rand() % 6];
        struct step s = random_step(width);
        struct transaction got[MAX_TRANSACTIONS], want[WARP_LANES * 16];
        int n = coalesce(&s, width, shape[0], shape[1], got);
        int m = brute_coalesce(&s, width, shape[0], shape[1], want);

        ck_assert_int_eq(n, m);
        for (int t = 0; t < n; t++) {
            ck_assert_uint_eq(got[t].line, want[t].line);
            ck_assert_uint_eq(got[t].sectors, want[t].sectors);
        }
    }
}
END_TEST

START_TEST(bank_passes_match_the_definition)
{
    srand(2);
    for (int i = 0; i < 20000; i++) {
        unsigned width = 1u << (rand() % 5);
        unsigned bank_bytes = rand() % 2 ? 4 : 8;
        unsigned banks = rand() % 4 ? 32 : 16;
        unsigned parts = width <= bank_bytes ? 1 : width / bank_bytes;
        struct step s = random_step(width);
        int want = 0;

        for (unsigned p = 0; p < parts; p++)
            want += brute_part(&s, (int)(p * 32 / parts), (int)(32 / parts),
                               width, banks, bank_bytes);
        ck_assert_int_eq(
            shared_conflict_degree(&s, width, banks, bank_bytes, false), want);
    }
}
END_TEST

/* Lanes of 32 at so many words: in each of four sectors those at the address
 * that most share. */
START_TEST(lanes_of_an_address_are_serial)
{
    static const struct {
        uint32_t mask;
        int words[WARP_LANES];
        uint32_t serial;
    } cases[] = {
        {0x1, {5}, 1},                       /* one lane */
        {0xf, {5, 5, 5, 5}, 4},              /* of one address */
        {0xf, {0, 1, 2, 7}, 1},              /* of one sector */
        {0xf, {0, 1, 8, 31}, 3},             /* of three sectors */
        {0x3f, {0, 0, 1, 8, 8, 8}, 2 + 3},   /* two of the first, three */
        {0x3f, {0, 0, 1, 1, 30, 31}, 2 + 1}, /* twice two side by side */
        {0x2d, {0, 0, 1, 0, 0, 1}, 2},       /* lanes that are off */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct step s = {.form = ADDR_LIST, .mask = cases[i].mask};
        struct transaction t[MAX_TRANSACTIONS];
        for (int lane = 0; lane < WARP_LANES; lane++)
            s.lane_address[lane] = 4096 + 4 * (uint64_t)cases[i].words[lane];
        int n = coalesce(&s, 4, 128, 32, t);
        ck_assert_int_eq(n, 1);
        coalesce_serial(&s, 128, 32, t, n);
        ck_assert_uint_eq(t[0].serial, cases[i].serial);
    }
}
END_TEST

/* Addresses wrap in 64 bits: lane 2 of a stride of 2^63 - 1 lies 2 below the
 * base, and so on, two bytes a pair of lanes. */
START_TEST(strides_wrap)
{
    struct transaction out[MAX_TRANSACTIONS];
    struct step s = {.mask = UINT32_C(0x55555555),
                     .form = ADDR_STRIDE,
                     .base = 4096 + 31,
                     .stride = INT64_MAX};

    ck_assert_int_eq(coalesce(&s, 1, 128, 32, out), 1);
    ck_assert_uint_eq(out[0].line, 32);
    ck_assert_uint_eq(out[0].sectors, 1);
    ck_assert_int_eq(shared_conflict_degree(&s, 1, 32, 4, false), 1);
    s.stride = INT64_MIN + 1;
    ck_assert_int_eq(coalesce(&s, 1, 128, 32, out), 1);
    ck_assert_uint_eq(out[0].sectors, 3);
}
END_TEST

START_TEST(known_accesses)
{
    struct transaction out[MAX_TRANSACTIONS];
    struct step s = {.mask = UINT32_MAX, .form = ADDR_STRIDE, .base = 4096};

    s.stride = 4;
    ck_assert_int_eq(coalesce(&s, 4, 128, 32, out), 1);
    ck_assert_uint_eq(out[0].sectors, 0xf);
    ck_assert_int_eq(shared_conflict_degree(&s, 4, 32, 4, false), 1);
    s.stride = 8;
    ck_assert_int_eq(coalesce(&s, 4, 128, 32, out), 2);
    ck_assert_int_eq(shared_conflict_degree(&s, 4, 32, 4, false), 2);
    ck_assert_int_eq(shared_conflict_degree(&s, 8, 32, 4, false), 2);
    s.stride = 128;
    ck_assert_int_eq(coalesce(&s, 4, 128, 32, out), 32);
    ck_assert_uint_eq(out[5].sectors, 1);
    ck_assert_int_eq(shared_conflict_degree(&s, 4, 32, 4, false), 32);
    s.stride = 0;
    ck_assert_int_eq(coalesce(&s, 4, 128, 32, out), 1);
    ck_assert_uint_eq(out[0].sectors, 1);
    ck_assert_int_eq(shared_conflict_degree(&s, 4, 32, 4, false), 1);
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, false), 4);
    s.mask = 0;
    ck_assert_int_eq(coalesce(&s, 4, 128, 32, out), 0);
    ck_assert_int_eq(shared_conflict_degree(&s, 4, 32, 4, false), 0);
}
END_TEST

/* Of 16 bytes a lane: pairs of neighbours, and of neighbours but one, in halves
 * of the warp; no pairs in quarters. */
START_TEST(pairs_of_lanes)
{
    struct step s = {.mask = UINT32_MAX, .form = ADDR_STRIDE};
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, true), 2);
    ck_assert_int_eq(shared_conflict_degree(&s, 8, 32, 4, true), 1);
    s.stride = 16;
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, true), 4);
    s.form = ADDR_LIST;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        s.lane_address[lane] = 16 * (uint64_t)(lane / 2);
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, true), 2);
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, false), 4);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        s.lane_address[lane] = 16 * (uint64_t)(lane / 4 * 2 + lane % 2);
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, true), 2);
    s.lane_address[7] = 4096;
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, true), 5);
    s.mask = ~(UINT32_C(1) << 7);
    ck_assert_int_eq(shared_conflict_degree(&s, 16, 32, 4, true), 2);
}
END_TEST

START_TEST(addresses_of_a_warp)
{
    struct step s = {.mask = UINT32_MAX, .form = ADDR_STRIDE, .stride = 4};
    ck_assert_int_eq(distinct_addresses(&s), 32);
    s.mask = 0x90;
    ck_assert_int_eq(distinct_addresses(&s), 2);
    s.stride = 0;
    ck_assert_int_eq(distinct_addresses(&s), 1);
    s = (struct step){.mask = UINT32_MAX, .form = ADDR_LIST};
    for (int i = 0; i < WARP_LANES; i++)
        s.lane_address[i] = 64u * (unsigned)(i % 8);
    ck_assert_int_eq(distinct_addresses(&s), 8);
    s.mask = 0x00000f0f; /* lanes 0 to 3 and 8 to 11: four addresses */
    ck_assert_int_eq(distinct_addresses(&s), 4);
    s.mask = 0;
    ck_assert_int_eq(distinct_addresses(&s), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coalesce");
    TCase *tc = tcase_create("coalesce");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tc, coalesce_matches_the_definition);
    tcase_add_test(tc, bank_passes_match_the_definition);
    tcase_add_test(tc, lanes_of_an_address_are_serial);
    tcase_add_test(tc, strides_wrap);
    tcase_add_test(tc, known_accesses);
    tcase_add_test(tc, pairs_of_lanes);
    tcase_add_test(tc, addresses_of_a_warp);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
