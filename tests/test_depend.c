/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Producer-consumer dependences between launches, on kernels whose counts
 * follow by hand. */
#include "base/stop.h"
#include "kernels/form/depend.h"
#include "tests/kernel_text.h"

#include <check.h>

#define BUFFERS                                                                \
    "buffers: { a = { bytes = 65536; }; b = { bytes = 65536; };"               \
    " c = { bytes = 1024; host = true; }; };\n"

/* One kernel of this grid whose program may use in and out, swapped from launch
 * to launch. */
static struct depend_counts count_of(const char *grid, const char *program,
                                     int repeat, struct depend_counts *each)
{
    static char text[TEXT_MAX];
    struct kernel_list l;
    struct depend_counts c;
    struct error e;
    int n = snprintf(
        text, sizeof(text),
        BUFFERS "kernels: { k: { launch: { grid = %s; block = 32;"
                " registers = 8; }; program = \"%s\nexit\"; }; };\n"
                "application = ( { repeat = %d; index = \"i\"; launches = ( "
                "{ kernel = \"k\"; arguments: { in = \"a + (i & 1) * (b - a)\";"
                " out = \"b + (i & 1) * (a - b)\"; }; } ); } );",
        grid, program, repeat);
    ck_assert_int_lt(n, TEXT_MAX);
    ck_assert_msg(kernel_file_load(&l, text, strlen(text), "t", NULL, &e), "%s",
                  e.text);
    ck_assert(depend_count(&c, each, l.kernel, l.count, &e));
    kernel_list_free(&l);
    return c;
}

static void expect(const struct depend_counts *c, uint64_t self, uint64_t ghost,
                   uint64_t other, uint64_t none)
{
    ck_assert_uint_eq(c->self, self);
    ck_assert_uint_eq(c->ghost, ghost);
    ck_assert_uint_eq(c->other, other);
    ck_assert_uint_eq(c->none, none);
}

/* Asked to stop, a walk of long loops is given up. */
START_TEST(stopped)
{
    static const char text[] =
        "launch: { grid = 4; block = 32; registers = 4; };\n"
        "program = \"loop i, 4294967295\niadd r1, r2\nendloop\nexit\";\n";
    const volatile int cancel = 1;
    const struct stop stop = {.cancel = &cancel};
    struct kernel_list l;
    struct depend_counts c;
    struct error e;
    ck_assert(kernel_file_load(&l, text, strlen(text), "t", NULL, &e));
    l.kernel[0]->stop = &stop;
    ck_assert(!depend_count(&c, NULL, l.kernel, l.count, &e));
    ck_assert_int_eq(e.status, STATUS_STOPPED);
    kernel_list_free(&l);
}
END_TEST

#define STORE_OUT "\nstg.4 [out + 4*gtid], r1"

START_TEST(own_data)
{
    struct depend_counts each[3];
    struct depend_counts c =
        count_of("8", "ldg.4 r1, [in + 4*gtid]" STORE_OUT, 3, each);
    expect(&c, 2 * 256, 0, 0, 256);
    expect(&each[0], 0, 0, 0, 256);
    expect(&each[2], 256, 0, 0, 0);
    ck_assert_double_eq(depend_percent(&c, c.self), 100);
}
END_TEST

/* The template of ikra Fig. 1: me, left and right. Per block of 32, the words
 * of each thread are 96 of which 2 lie in a neighbour; the outermost are
 * outside of what is written. */
START_TEST(three_points)
{
    struct depend_counts c = count_of(
        "8",
        "ldg.4 r1, [in + 1024 + 4*gtid]\nldg.4 r1, [in + 1020 + 4*gtid]\n"
        "ldg.4 r1, [in + 1028 + 4*gtid]\nstg.4 [out + 1024 + 4*gtid], r1",
        2, NULL);
    expect(&c, 8 * 94, 2 * 7, 0, 3 * 256 + 2);
}
END_TEST

/* A word counts once a thread however often it is loaded, and 4-byte words of
 * a wider load each for themselves. */
START_TEST(unique_loads)
{
    struct depend_counts c =
        count_of("8",
                 "ldg.4 r1, [in + 16*gtid]\nldg.16 r4, [in + 16*gtid]\n"
                 "ldg.1 r1, [in + 16*gtid + 3]\nstg.16 [out + 16*gtid], r4",
                 2, NULL);
    expect(&c, 4 * 256, 0, 0, 4 * 256);
}
END_TEST

START_TEST(far_blocks_and_reversal)
{
    /* Reads of the mirrored block: the middle two are neighbours. */
    struct depend_counts c =
        count_of("8", "ldg.4 r1, [in + 4*(255 - gtid)]" STORE_OUT, 2, NULL);
    expect(&c, 0, 2 * 32, 6 * 32, 256);
}
END_TEST

START_TEST(neighbours_in_two_dimensions)
{
    /* 4 x 2 blocks; each reads what stands one row (4 blocks) on, modulo 8: the
     * block above or below. */
    struct depend_counts c = count_of(
        "[4, 2]", "ldg.4 r1, [in + 4*((gtid + 128) % 256)]" STORE_OUT, 2, NULL);
    expect(&c, 0, 256, 0, 256);
    /* In a row of 8 blocks those are no neighbours. */
    c = count_of("8", "ldg.4 r1, [in + 4*((gtid + 128) % 256)]" STORE_OUT, 2,
                 NULL);
    expect(&c, 0, 0, 256, 256);
}
END_TEST

START_TEST(older_launches)
{
    /* Written in the first launch alone. */
    struct depend_counts c = count_of(
        "8",
        "ldg.4 r1, [a + 4*gtid]\nif launch == 0\nstg.4 [a + 4*gtid], r1\nendif",
        3, NULL);
    expect(&c, 256, 0, 256, 256);
    ck_assert_uint_eq(c.older_self, 256);
}
END_TEST

START_TEST(inside_a_launch)
{
    /* What the block itself has just written is no dependence; what another
     * block writes in this launch is not yet there. */
    struct depend_counts c = count_of(
        "8", "stg.4 [a + 4*gtid], r1\nldg.4 r1, [a + 4*gtid]", 2, NULL);
    expect(&c, 0, 0, 0, 0);
    c = count_of("8",
                 "ldg.4 r1, [a + 4*((gtid + 32) % 256)]\n"
                 "stg.4 [a + 4*gtid], r1",
                 2, NULL);
    expect(&c, 0, 7 * 32, 32, 256);
}
END_TEST

START_TEST(atomics_write)
{
    struct depend_counts c = count_of(
        "8", "ldg.4 r1, [in + 4*gtid]\nred.4 [out + 4*gtid], r1", 2, NULL);
    expect(&c, 256, 0, 0, 256);
}
END_TEST

/* What the host writes anew between launches; what was there before the first
 * is nobody's. */
START_TEST(from_the_host)
{
    struct depend_counts each[3];
    struct depend_counts c = count_of(
        "8", "ldg.4 r1, [c + 4*gtid]\nldc.4 r1, [in + 4*gtid]", 3, each);
    expect(&each[0], 0, 0, 0, 512);
    expect(&each[1], 0, 0, 256, 256);
    expect(&c, 0, 0, 512, 1024);
    ck_assert_uint_eq(c.older_self, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("depend");
    TCase *t = tcase_create("all");
    tcase_add_test(t, own_data);
    tcase_add_test(t, stopped);
    tcase_add_test(t, three_points);
    tcase_add_test(t, unique_loads);
    tcase_add_test(t, far_blocks_and_reversal);
    tcase_add_test(t, neighbours_in_two_dimensions);
    tcase_add_test(t, older_launches);
    tcase_add_test(t, inside_a_launch);
    tcase_add_test(t, atomics_write);
    tcase_add_test(t, from_the_host);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
