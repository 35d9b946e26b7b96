/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Of draft-eastlake-fnv, "FNV-1a 64 bit test vectors". */
static const struct {
    const char *text;
    uint64_t hash;
} row[] = {
    {"", UINT64_C(0xcbf29ce484222325)},
    {"a", UINT64_C(0xaf63dc4c8601ec8c)},
    {"foobar", UINT64_C(0x85944171f73967e8)},
};

START_TEST(published_vectors)
{
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        ck_assert_uint_eq(
            hash_bytes(HASH_START, row[i].text, strlen(row[i].text)),
            row[i].hash);
}
END_TEST

START_TEST(pieces_in_turn)
{
    uint64_t foo = hash_bytes(HASH_START, "foo", 3);
    ck_assert_uint_eq(hash_bytes(foo, "bar", 3), row[2].hash);
    ck_assert_uint_eq(hash_step(HASH_START, 'a'), row[1].hash);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, published_vectors);
    tcase_add_test(tc, pieces_in_turn);
    Suite *suite = suite_create("hash");
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
