/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of an SM alone, and what they are made of. */
#include "base/bits.h"
#include "base/pool.h"

#include <check.h>
#include <stdlib.h>

/* ---- bits --------------------------------------------------------------- */

START_TEST(bits_are_taken_from_the_lowest_up)
{
    uint64_t mask = BIT(0) | BIT(5) | BIT(63);
    ck_assert_int_eq(take_bit(&mask), 0);
    ck_assert_int_eq(take_bit(&mask), 5);
    ck_assert_int_eq(take_bit(&mask), 63);
    ck_assert_uint_eq(mask, 0);
    ck_assert_uint_eq(earliest(3, UINT64_MAX), 3);
    ck_assert_uint_eq(latest(3, UINT64_MAX), UINT64_MAX);
}
END_TEST

/* ---- pool --------------------------------------------------------------- */

struct record {
    uint32_t link;
    uint32_t value;
};

/* No record is handed out twice, and those in use keep what they hold as the
 * array grows. */
START_TEST(pool_records_are_distinct_and_kept)
{
    enum { RECORDS = 5000 };
    struct pool p = {0};
    struct record *r = NULL;
    uint32_t *held = malloc(RECORDS * sizeof(*held)), count = 0;
    srand(7);
    for (uint32_t i = 0; i < 50000; i++) {
        if (count < RECORDS && (count == 0 || rand() % 100 < 60)) {
            uint32_t id = pool_take(&p, &r);
            ck_assert_uint_lt(id, p.capacity);
            r[id].value = count;
            held[count++] = id;
        } else {
            count--;
            ck_assert_uint_eq(r[held[count]].value, count);
            pool_give(&p, r, held[count]);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(r[held[i]].value, i);
    free(held);
    free(r);
}
END_TEST

/* As many records as were ever in use at once are enough. */
START_TEST(pool_uses_records_again)
{
    struct pool p = {0};
    struct record *r = NULL;
    ck_assert(pool_reserve(&p, &r));
    uint32_t capacity = p.capacity;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < capacity; i++)
            ck_assert_uint_ne(pool_take(&p, &r), NO_RECORD);
        ck_assert_uint_eq(p.capacity, capacity);
        for (uint32_t i = 0; i < capacity; i++)
            pool_give(&p, r, i);
    }
    free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sm parts");
    TCase *t = tcase_create("parts");
    tcase_add_test(t, bits_are_taken_from_the_lowest_up);
    tcase_add_test(t, pool_records_are_distinct_and_kept);
    tcase_add_test(t, pool_uses_records_again);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
