/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arithmetic of inner loops: whole cycles, and masks of one word and of more.
 */
#include "base/bits.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

START_TEST(whole_cycles)
{
    static const struct {
        double time;
        uint64_t cycle;
    } row[] = {{0, 0},
               {0.25, 1},
               {1, 1},
               {7.5, 8},
               {4503599627370495.5, UINT64_C(4503599627370496)},
               /* None may be read as a time. */
               {-0.5, 0},
               {-1e300, 0},
               {NAN, 0},
               {-INFINITY, 0},
               {0x1p62, UINT64_C(1) << 62},
               {1e300, UINT64_C(1) << 62},
               {INFINITY, UINT64_C(1) << 62}};
    ck_assert_uint_eq(whole_cycle(row[_i].time), row[_i].cycle);
}
END_TEST

START_TEST(bits_of_a_word)
{
    uint64_t mask = BIT(3) | BIT(63);
    ck_assert_int_eq(take_bit(&mask), 3);
    ck_assert_int_eq(take_bit(&mask), 63);
    ck_assert_uint_eq(mask, 0);
    ck_assert_int_eq(count_bits(0), 0);
    ck_assert_int_eq(count_bits(UINT32_C(0x80000001)), 2);
    ck_assert_int_eq(count_bits(UINT32_MAX), 32);
}
END_TEST

/* Bits on both sides of the words' borders, looked for from each and up to
 * each. */
START_TEST(bits_of_several_words)
{
    static const int bits[] = {0, 5, 63, 64, 127, 129};
    enum { COUNT = sizeof(bits) / sizeof(*bits), END = 130 };
    uint64_t mask[3] = {0};
    for (int i = 0; i < COUNT; i++)
        mask_set(mask, bits[i]);
    int i = 0;
    for (int from = 0; from < END; from++) {
        ck_assert_int_eq(mask_next(mask, from, END), bits[i]);
        ck_assert_int_eq(mask_next(mask, from, bits[i] + 1), bits[i]);
        ck_assert_int_eq(mask_next(mask, from, bits[i]), NO_BIT);
        ck_assert_int_eq(mask_has(mask, from), from == bits[i]);
        i += from == bits[i];
    }
    for (i = 0; i < COUNT; i++)
        mask_clear(mask, bits[i]);
    ck_assert_int_eq(mask_next(mask, 0, END), NO_BIT);
}
END_TEST

/* One that is set behind the present one takes its turn, one before it does
 * not; one that is taken out has had its turn. */
START_TEST(masks_change_on_the_way)
{
    uint64_t mask[2] = {BIT(1), BIT(6)};
    int seen[4], count = 0;
    EACH_BIT (n, mask, 128) {
        ck_assert_int_lt(count, 4);
        seen[count++] = n;
        mask_clear(mask, n);
        if (n == 1) {
            mask_set(mask, 0);
            mask_set(mask, 100);
        }
    }
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(seen[0], 1);
    ck_assert_int_eq(seen[1], 70);
    ck_assert_int_eq(seen[2], 100);
    ck_assert_int_eq(mask_next(mask, 0, 128), 0);
}
END_TEST

/* A round from bit 66 on: 66 to 127, then 0 to 63, then 64 and 65. */
START_TEST(rounds_begin_anywhere)
{
    const uint64_t mask[2] = {BIT(0) | BIT(63), BIT(1) | BIT(2) | BIT(63)};
    static const int order[] = {66, 127, 0, 63, 65};
    int count = 0;
    for (size_t step = 0; step <= 2; step++) {
        size_t word;
        uint64_t part = round_bits(mask, 2, 66, step, &word);
        while (part != 0) {
            int bit = (int)(word * 64) + take_bit(&part);
            ck_assert_int_eq(bit, order[count++]);
        }
    }
    ck_assert_int_eq(count, 5);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bits");
    TCase *t = tcase_create("all");
    tcase_add_loop_test(t, whole_cycles, 0, 12);
    tcase_add_test(t, bits_of_a_word);
    tcase_add_test(t, bits_of_several_words);
    tcase_add_test(t, masks_change_on_the_way);
    tcase_add_test(t, rounds_begin_anywhere);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
