/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applications: what a sequence of launches in a kernel file comes to. */
#include "tests/kernel_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
    "buffers: { x = { bytes = 1000; }; y = { bytes = 1000; }; };\n"            \
    "kernels: {\n"                                                             \
    "  a: { launch: { grid = 4; block = 32; registers = 8; };\n"               \
    "       program = \"ldg.4 r1, [x + 1024*launch + 4*tid]\n"                 \
    "                   exit\"; };\n"                                          \
    "  b: { launch: { grid = [2]; block = 64; registers = 9; };\n"             \
    "       program = \"stg.4 [y + 4*gtid], r1\n"                              \
    "                   exit\"; };\n"                                          \
    "  c: { launch: { grid = 1; block = 32; registers = 8; };\n"               \
    "       program = \"ldg.4 r1, [src + n]\n"                                 \
    "                   exit\"; };\n"                                          \
    "};\n"

static bool load(struct kernel_list *out, const char *application,
                 const struct launch_options *o, struct error *e)
{
    static char text[TEXT_MAX];
    int n = snprintf(text, sizeof(text), "%sapplication = %s;\n", HEAD,
                     application);
    ck_assert_int_lt(n, TEXT_MAX);
    return kernel_file_load(out, text, strlen(text), "dir/app.kernel", o, e);
}

static struct kernel_list must_load(const char *application)
{
    struct kernel_list l;
    struct error e;
    ck_assert_msg(load(&l, application, NULL, &e), "%s", e.text);
    return l;
}

/* Address of the first instruction of block 0 warp 0. */
static uint64_t first_address(const struct kernel *k)
{
    struct step s;
    void *state = open_block(k, 0);
    ck_assert(k->ops->next(k, state, 0, &s));
    uint64_t address = step_address(&s, 0);
    close_block(k, state);
    return address;
}

static const uint64_t x = (uint64_t)1 << 32, y = ((uint64_t)1 << 32) + 1024;

START_TEST(launches_in_order)
{
    struct kernel_list l = must_load("( \"a\", \"b\", \"a\" )");
    static const char *const names[] = {"app.a", "app.b", "app.a"};
    ck_assert_uint_eq(l.count, 3);
    ck_assert_str_eq(l.application, "app");
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(l.kernel[i]->name, names[i]);
    ck_assert_uint_eq(l.kernel[1]->threads_per_block, 64);
    ck_assert_uint_eq(l.kernel[1]->regs_per_thread, 9);
    kernel_list_free(&l);
}
END_TEST

START_TEST(launch_number_and_shared_buffers)
{
    struct kernel_list l = must_load("( \"a\", \"b\", \"a\" )");
    ck_assert_uint_eq(first_address(l.kernel[0]), x);
    ck_assert_uint_eq(first_address(l.kernel[1]), y);
    ck_assert_uint_eq(first_address(l.kernel[2]), x + 2048);
    kernel_list_free(&l);
}
END_TEST

START_TEST(repeats)
{
    struct kernel_list l =
        must_load("( { repeat = 3; launches = ( \"a\", { repeat = 2; "
                  "launches = ( \"b\" ); } ); }, \"a\" )");
    static const char *const names[] = {"app.a", "app.b", "app.b"};
    ck_assert_uint_eq(l.count, 10);
    for (size_t i = 0; i < 9; i++)
        ck_assert_str_eq(l.kernel[i]->name, names[i % 3]);
    ck_assert_str_eq(l.kernel[9]->name, "app.a");
    kernel_list_free(&l);
}
END_TEST

START_TEST(grids_follow_counters)
{
    struct kernel_list l = must_load(
        "( { repeat = 3; index = \"i\"; launches = ( { repeat = \"i\"; "
        "index = \"j\"; launches = ( { kernel = \"a\"; grid = (\"i + 1\", 2);"
        " block = \"32 * (j + 1)\"; shared_bytes = 100; } ); } ); } )");
    static const uint32_t grid[] = {2, 3, 3}, block[] = {32, 32, 64};
    ck_assert_uint_eq(l.count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(l.kernel[i]->grid.x, grid[i]);
        ck_assert_uint_eq(l.kernel[i]->grid.y, 2);
        ck_assert_uint_eq(l.kernel[i]->blocks, 2 * grid[i]);
        ck_assert_uint_eq(l.kernel[i]->block.x, block[i]);
        ck_assert_uint_eq(l.kernel[i]->shared_bytes, 100);
    }
    kernel_list_free(&l);
}
END_TEST

START_TEST(arguments_choose_buffers)
{
    struct kernel_list l = must_load(
        "( { repeat = 3; index = \"i\"; launches = ( { kernel = \"c\"; "
        "arguments: { n = 4; src = \"x + (i & 1) * (y - x) + n\"; }; } ); } )");
    ck_assert_uint_eq(l.count, 3);
    ck_assert_uint_eq(first_address(l.kernel[0]), x + 8);
    ck_assert_uint_eq(first_address(l.kernel[1]), y + 8);
    ck_assert_uint_eq(first_address(l.kernel[2]), x + 8);
    /* Launches that do the same are the same to what is kept of results. */
    ck_assert_uint_eq(l.kernel[0]->hash, l.kernel[2]->hash);
    ck_assert_uint_ne(l.kernel[0]->hash, l.kernel[1]->hash);
    kernel_list_free(&l);
}
END_TEST

START_TEST(overrides)
{
    struct kernel_list l;
    struct error e;
    struct launch_options o = {.regs_per_thread = 20};
    ck_assert_msg(load(&l, "( \"a\", \"b\" )", &o, &e), "%s", e.text);
    ck_assert_uint_eq(l.kernel[0]->regs_per_thread, 20);
    ck_assert_uint_eq(l.kernel[1]->regs_per_thread, 20);
    kernel_list_free(&l);
    o = (struct launch_options){.grid = {1, 1, 1}};
    ck_assert(!load(&l, "( \"a\" )", &o, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
}
END_TEST

static const struct {
    const char *application, *message;
} bad[] = {
    {"\"a\"", "expected a list of launches"},
    {"( )", "expected a list of launches"},
    {"( 3 )", "expected a kernel's name"},
    {"( \"d\" )", "found 'd', expected the name of a kernel"},
    {"( { grid = 1; } )", "expected a key 'kernel' or 'repeat'"},
    {"( { kernel = 1; } )", "expected the name of a kernel"},
    {"( { kernel = \"a\"; gird = 1; } )", "(did you mean 'grid'?)"},
    {"( { kernel = \"a\"; grid = 0; } )", "a whole number from 1 to"},
    {"( { kernel = \"a\"; grid = \"0 * 2\"; } )", "found 0, expected a number"},
    {"( { kernel = \"a\"; grid = \"tid\"; } )", "differs between threads"},
    {"( { kernel = \"a\"; grid = \"nblocks\"; } )", "found 'nblocks'"},
    {"( { kernel = \"a\"; grid = \"1 1\"; } )",
     "13:43: found '1', expected the end of the expression"},
    {"( { kernel = \"c\"; } )", "found 'src', expected a variable"},
    {"( { kernel = \"c\"; arguments: { x = 1; }; } )", "that nothing else has"},
    {"( { kernel = \"c\"; arguments: { tid = 1; }; } )",
     "that nothing else has"},
    {"( { kernel = \"c\"; arguments = 1; } )", "a group of named values"},
    {"( { repeat = 0; launches = ( \"a\" ); } )", "at least one launch"},
    {"( { repeat = 65537; launches = ( \"a\" ); } )", "a whole number from 0"},
    {"( \"b\", { repeat = 65536; launches = ( \"a\" ); } )",
     "at most 65536 launches"},
    {"( { repeat = 2; } )", "a key 'launches'"},
    {"( { repeat = 2; index = 1; launches = ( \"a\" ); } )",
     "a name in quotes"},
    {"( { repeat = 2; index = \"1i\"; launches = ( \"a\" ); } )",
     "that nothing else has"},
    {"( { repeat = 65536; launches = ( { repeat = 65536; launches = "
     "( { repeat = 0; launches = ( \"a\" ); } ); } ); } )",
     "fewer repetitions"},
};

START_TEST(errors)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(!load(&l, bad[_i].application, NULL, &e), "%s",
                  bad[_i].application);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, bad[_i].message) != NULL, "%s", e.text);
    ck_assert_msg(strncmp(e.text, "dir/app.kernel:", 15) == 0, "%s", e.text);
    ck_assert_ptr_null(l.kernel);
}
END_TEST

START_TEST(no_application)
{
    struct error e;
    struct kernel_list l;
    static const char text[] = HEAD;
    ck_assert(!kernel_file_load(&l, text, sizeof(text) - 1, "f", NULL, &e));
    ck_assert_msg(strstr(e.text, "found no list 'application'") != NULL, "%s",
                  e.text);
    static const char only[] = "application = ( \"a\" );";
    ck_assert(!kernel_file_load(&l, only, sizeof(only) - 1, "f", NULL, &e));
    ck_assert_msg(strstr(e.text, "found no group 'kernels'") != NULL, "%s",
                  e.text);
}
END_TEST

START_TEST(a_program_of_its_own_kernel)
{
    struct error e;
    struct kernel_list l;
    static const char text[] =
        "kernels: { a: { launch: { grid = 1; block = 32; registers = 8; }; };\n"
        "           b: { launch: { grid = 1; block = 32; registers = 8; };\n"
        "                program = \"mov r1\nexit\"; };\n"
        "           c: { launch: { grid = 1; block = 32; registers = 8; };\n"
        "                program = \"exit\"; }; };\n"
        "application = ( \"b\", \"c\", \"a\" );";
    ck_assert(!kernel_file_load(&l, text, sizeof(text) - 1, "f", NULL, &e));
    ck_assert_msg(strstr(e.text, "f:1: found no string 'program'") != NULL,
                  "%s", e.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("application");
    TCase *t = tcase_create("all");
    tcase_add_test(t, launches_in_order);
    tcase_add_test(t, launch_number_and_shared_buffers);
    tcase_add_test(t, repeats);
    tcase_add_test(t, grids_follow_counters);
    tcase_add_test(t, arguments_choose_buffers);
    tcase_add_test(t, overrides);
    tcase_add_loop_test(t, errors, 0, sizeof(bad) / sizeof(bad[0]));
    tcase_add_test(t, no_application);
    tcase_add_test(t, a_program_of_its_own_kernel);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
