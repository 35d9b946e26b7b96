/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The examples with pieces taken out, moved, doubled and changed: nothing may
 * crash, hang or leak. */
#include "base/bundled.h"
#include "tests/ptx_exercise.h"
#include "tests/ptx_mutate.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX (1 << 20)
#define MUTANTS  200 /* of an example */

START_TEST(test_mutants)
{
    static char text[TEXT_MAX];
    const struct bundled_file *b = &bundled_modules[_i];
    uint64_t state = (uint64_t)_i;
    for (int n = 0; n < MUTANTS; n++) {
        size_t size = b->size;
        memcpy(text, b->text, size + 1);
        for (size_t changes = 1 + draw_below(&state, 3); changes > 0; changes--)
            size = change_word(&state, text, size, TEXT_MAX);
        ptx_exercise(text, size);
    }
}
END_TEST

/* Likewise what is bundled with nothing. */
static const char *const more[] = {
    "tests/ptx/clang.ptx", "tests/ptx/surface.ptx", "tests/ptx/texture.ptx",
    "tests/ptx/wmma.ptx"};
#define MORE (int)(sizeof(more) / sizeof(more[0]))

START_TEST(test_more_mutants)
{
    static char whole[TEXT_MAX], text[TEXT_MAX];
    uint64_t state = (uint64_t)_i;
    FILE *f = fopen(more[_i], "rb");
    ck_assert_msg(f != NULL, "%s", more[_i]);
    size_t read = fread(whole, 1, TEXT_MAX - 1, f);
    fclose(f);
    ptx_exercise(whole, read);
    for (int n = 0; n < MUTANTS; n++) {
        size_t size = read;
        memcpy(text, whole, size + 1);
        for (size_t changes = 1 + draw_below(&state, 3); changes > 0; changes--)
            size = change_word(&state, text, size, TEXT_MAX);
        ptx_exercise(text, size);
    }
}
END_TEST

/* The texts do get as far as streams: unchanged, the examples must. */
START_TEST(test_examples)
{
    const struct bundled_file *b = &bundled_modules[_i];
    struct ptx_sequence *t = ptx_sequence_create(1, 1);
    struct error e;
    uint32_t entry = 0;
    ck_assert(ptx_parse(&t->module, b->text, b->size, b->path, &e));
    while (!t->module.function[entry].is_entry)
        entry++;
    ck_assert_msg(exercise_set_up(t, entry, &e), "%s", e.text);
    ptx_sequence_release(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_mutants");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_mutants, 0, (int)bundled_module_count);
    tcase_add_loop_test(c, test_more_mutants, 0, MORE);
    tcase_add_loop_test(c, test_examples, 0, (int)bundled_module_count);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
