/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launch files: what they say, what is wrong with one and where. */
#include "base/bundled.h"
#include "kernels/ptx/launch/launch_file.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static bool parse(struct launch_file *out, const char *text, struct error *e)
{
    return launch_file_parse(out, text, strlen(text), "dir/file.launch", e);
}

static void must_parse(struct launch_file *out, const char *text)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(parse(out, text, &e), "%s", e.text);
}

/* ---- what a file says --------------------------------------------------- */

START_TEST(test_everything)
{
    struct launch_file f;
    must_parse(&f, "ptx = \"sub/k.ptx\"; name = \"ptx-k\";\n"
                   "summary = \"one line\"; source = \"own\";\n"
                   "buffers: { x = \"buf:8:f32:random:-1:1\";\n"
                   "           y_2 = \"buf:9:u8\"; };\n"
                   "launches = ({ entry = \"k\";\n"
                   "  grid = [2, 3]; block = [4, 5, 6];\n"
                   "  shared = 100; regs = 40;\n"
                   "  args = (7, \"y_2\", -0.1, \"s64:-9\", \"x\",\n"
                   "          8589934592L); });");
    ck_assert_str_eq(f.path, "dir/file.launch");
    ck_assert_str_eq(f.name, "ptx-k");
    ck_assert_str_eq(f.summary, "one line");
    ck_assert_str_eq(f.module, "dir/sub/k.ptx");
    ck_assert_uint_eq(f.buffers, 2);
    ck_assert_str_eq(f.buffer[0].name, "x");
    ck_assert_str_eq(f.buffer[0].spec, "buf:8:f32:random:-1:1");
    ck_assert_uint_eq(f.buffer[0].line, 3);
    ck_assert_str_eq(f.buffer[1].name, "y_2");
    ck_assert_uint_eq(f.buffer[1].line, 4);
    ck_assert_uint_eq(f.launches, 1);
    ck_assert_uint_eq(f.turns, 1);
    ck_assert_uint_eq(f.order[0], 0);
    const struct file_launch *l = &f.launch[0];
    ck_assert_str_eq(l->entry, "k");
    ck_assert(l->grid.x == 2 && l->grid.y == 3 && l->grid.z == 1);
    ck_assert(l->block.x == 4 && l->block.y == 5 && l->block.z == 6);
    ck_assert_uint_eq(l->shared_bytes, 100);
    ck_assert_uint_eq(l->regs_per_thread, 40);
    ck_assert_uint_eq(l->arguments, 6);
    ck_assert_str_eq(l->argument[0].value, "7");
    ck_assert(l->argument[1].value == NULL && l->argument[1].buffer == 1);
    ck_assert(strtod(l->argument[2].value, NULL) == -0.1);
    ck_assert_str_eq(l->argument[3].value, "s64:-9");
    ck_assert(l->argument[4].value == NULL && l->argument[4].buffer == 0);
    ck_assert_str_eq(l->argument[5].value, "8589934592");
    launch_file_free(&f);
}
END_TEST

START_TEST(test_paths_of_fills)
{
    struct launch_file f;
    must_parse(&f, "ptx = \"k\"; buffers: {\n"
                   "a = \"buf:8:f32:file:x:y\"; b = \"buf:8:f32:file:/x\";\n"
                   "c = \"buf:8:f32:zero\"; d = \"buf:8\"; };\n"
                   "launches = ({ entry = \"k\"; grid = 1; block = 1;\n"
                   "args = (\"bytes:file:z\", \"bytes:00ff\"); });");
    ck_assert_str_eq(f.launch[0].argument[0].value, "bytes:file:dir/z");
    ck_assert_str_eq(f.launch[0].argument[1].value, "bytes:00ff");
    ck_assert_str_eq(f.buffer[0].spec, "buf:8:f32:file:dir/x:y");
    ck_assert_str_eq(f.buffer[1].spec, "buf:8:f32:file:/x");
    ck_assert_str_eq(f.buffer[2].spec, "buf:8:f32:zero");
    ck_assert_str_eq(f.buffer[3].spec, "buf:8");
    launch_file_free(&f);
}
END_TEST

START_TEST(test_least)
{
    struct launch_file f;
    must_parse(&f, "ptx = \"/k.ptx\"; launches = ({ entry = \"k\"; grid = 1;"
                   " block = 1024; });");
    ck_assert_str_eq(f.name, "file");
    ck_assert_str_eq(f.summary, "");
    ck_assert_str_eq(f.module, "/k.ptx");
    ck_assert_uint_eq(f.buffers, 0);
    ck_assert_uint_eq(f.launch[0].arguments, 0);
    ck_assert_uint_eq(f.launch[0].shared_bytes, 0);
    ck_assert_uint_eq(f.launch[0].regs_per_thread, 0);
    ck_assert_uint_eq(f.launch[0].block.x, 1024);
    launch_file_free(&f);
}
END_TEST

START_TEST(test_no_folder)
{
    static const char text[] = "ptx = \"k.ptx\"; launches = ({ entry = \"k\";"
                               " grid = 1; block = 1; });";
    struct launch_file f;
    ck_assert(launch_file_parse(&f, text, strlen(text), "a.b.launch", NULL));
    ck_assert_str_eq(f.module, "k.ptx");
    ck_assert_str_eq(f.name, "a.b");
    launch_file_free(&f);
}
END_TEST

#define K(name) "{ entry = \"" name "\"; grid = 1; block = 1; }"

/* a (b (c c) (c c) (c c)) (b ...) d: repeats multiply, and run in place. */
START_TEST(test_order)
{
    static const char expected[] = "abccccccbccccccd";
    struct launch_file f;
    must_parse(&f,
               "ptx = \"k\"; launches = (" K(
                   "a") ",\n"
                        "{ repeat = 2; launches = (" K(
                            "b") ",\n"
                                 "  { repeat = 3; launches = ({ repeat = 2; "
                                 "launches = "
                                 "(" K("c") "); }); },\n"
                                            "  { repeat = 0; launches = (" K(
                                                "x") "); },\n"
                                                     "  { repeat = 65536; "
                                                     "launches = (); }\n"
                                                     "); }, " K("d") ");");
    ck_assert_uint_eq(f.launches, 5);
    ck_assert_uint_eq(f.turns, strlen(expected));
    for (size_t i = 0; i < f.turns; i++)
        ck_assert_int_eq(f.launch[f.order[i]].entry[0], expected[i]);
    ck_assert_uint_eq(f.launch[0].line, 1);
    ck_assert_uint_eq(f.launch[1].line, 2);
    ck_assert_uint_eq(f.launch[4].line, 6);
    launch_file_free(&f);
}
END_TEST

START_TEST(test_most_launches)
{
    struct launch_file f;
    must_parse(&f, "ptx = \"k\"; launches = ({ repeat = 65535; launches = "
                   "(" K("a") "); }, " K("b") ");");
    ck_assert_uint_eq(f.turns, 65536);
    ck_assert_uint_eq(f.order[65534], 0);
    ck_assert_uint_eq(f.order[65535], 1);
    launch_file_free(&f);
}
END_TEST

/* ---- what is wrong ------------------------------------------------------ */

#define PTX       "ptx = \"k.ptx\";\n"
#define ONE       "launches = (" K("a") ");"
#define LAUNCH(s) PTX "launches = ({ " s " });"
#define SIZES     "entry = \"a\"; grid = 1; block = 1; "
#define DEEP_4                                                                 \
    "{ repeat = 1; launches = ({ repeat = 1; launches = ("                     \
    "{ repeat = 1; launches = ({ repeat = 1; launches = ("
#define END_4 "); }); }); });} "

// clang-format off
static const struct {
    const char *text, *message;
} bad[] = {
    {"", ":1: found no key 'ptx', expected one"},
    {"ptx = $;", ":1: found \"syntax error\", expected libconfig text"},
    {"ptx = \"k", ":1:7: found a string without end"},
    {"ptx = \"\";" ONE, ":1: found 'ptx', expected the path of a PTX file"},
    {"ptx = 5;" ONE, ":1: found 'ptx', expected the path of a PTX file"},
    {ONE, ":1: found no key 'ptx', expected one"},
    {PTX ONE "\nlaunch = 1;", ":3: found unknown key 'launch', expected a known "
                              "one (did you mean 'launches'?)"},
    {PTX ONE "name = \"\";", ":2: found 'name', expected letters, digits"},
    {PTX ONE "name = \"a b\";", ":2: found 'name', expected letters, digits"},
    {PTX ONE "name = 5;", ":2: found 'name', expected a string"},
    {PTX ONE "summary = 5;", ":2: found 'summary', expected a string"},
    {PTX ONE "source = 5;", ":2: found 'source', expected a string"},
    {PTX, ":1: found no list 'launches', expected one"},
    {PTX "launches = 5;", ":2: found 'launches', expected a list in round"},
    {PTX "launches = ();", ":2: found 'launches', expected at least one launch"},
    {PTX "launches = ({ repeat = 0; launches = (" K("a") "); });",
     ":2: found 'launches', expected at least one launch"},
    {PTX "launches = (\n5);", ":3: found a value, expected a group that is a "
                              "launch or repeat"},
    {PTX "launches = ({ repeat = 2; });",
     ":2: found a group, expected a key 'launches' in it"},
    {PTX "launches = ({ repeat = -1; launches = (); });",
     ":2: found 'repeat', expected a whole number from 0 to 65536"},
    {PTX "launches = ({ repeat = \"2\"; launches = (); });",
     ":2: found 'repeat', expected a whole number from 0 to 65536"},
    {PTX "launches = ({ repeat = 2; launches = 5; });",
     ":2: found 'launches', expected a list in round brackets"},
    {PTX "launches = ({ repeat = 2; index = \"i\"; launches = (); });",
     ":2: found unknown key 'index'"},
    {PTX "launches = (" K("a") ",\n{ repeat = 65536; launches = (" K("b") "); });",
     ":3: found a group, expected at most 65536 launches in all"},
    {PTX "launches = ({ repeat = 65536; launches = (" K("b") "); },\n" K("a") ");",
     ":3: found a group, expected at most 65536 launches in all"},
    {PTX "launches = (" DEEP_4 DEEP_4 DEEP_4 DEEP_4 "{ repeat = 1; launches = ()"
     "; }" END_4 END_4 END_4 END_4 ");",
     ":2: found 'launches', expected repeats nested at most 16 deep"},
    {LAUNCH("grid = 1; block = 1;"), "found a group, expected a key 'entry'"},
    {LAUNCH("entry = 5; grid = 1; block = 1;"),
     ":2: found 'entry', expected the name of an entry in quotes"},
    {LAUNCH("entry = \"\"; grid = 1; block = 1;"),
     ":2: found 'entry', expected the name of an entry in quotes"},
    {LAUNCH("entry = \"a\"; block = 1;"), "expected a key 'grid' in it"},
    {LAUNCH("entry = \"a\"; grid = 1;"), "expected a key 'block' in it"},
    {LAUNCH(SIZES "arg = (1);"), "found unknown key 'arg', expected a known one "
                                 "(did you mean 'args'?)"},
    {LAUNCH("entry = \"a\"; block = 1; grid = 0;"),
     "found 'grid', expected a whole number from 1 to 2147483647"},
    {LAUNCH("entry = \"a\"; block = 1; grid = [];"),
     "found 'grid', expected one to three numbers"},
    {LAUNCH("entry = \"a\"; block = 1; grid = [1, 1, 1, 1];"),
     "found 'grid', expected one to three numbers"},
    {LAUNCH("entry = \"a\"; block = 1; grid = [1048576, 1048577];"),
     "found 'grid', expected at most 1099511627776 in all"},
    {LAUNCH("entry = \"a\"; grid = 1; block = 1025;"),
     "found 'block', expected at most 1024 in all"},
    {LAUNCH("entry = \"a\"; grid = 1; block = [32, 11, 3];"),
     "found 'block', expected at most 1024 in all"},
    {LAUNCH(SIZES "shared = -1;"), "found 'shared', expected a whole number"},
    {LAUNCH(SIZES "shared = 262145;"), "expected a whole number from 0 to 262144"},
    {LAUNCH(SIZES "regs = 0;"), "found 'regs', expected a whole number from 1"},
    {LAUNCH(SIZES "regs = 256;"), "expected a whole number from 1 to 255"},
    {LAUNCH(SIZES "args = 5;"), "found 'args', expected a list in round"},
    {LAUNCH(SIZES "args = (true);"), "expected a number or a string"},
    {LAUNCH(SIZES "args = ({});"), "expected a number or a string"},
    {LAUNCH(SIZES "args = (\"x\");"),
     ":2: found 'x', expected a buffer's name, TYPE:NUMBER, @NAME+OFFSET or "
     "bytes:HEX"},
    {PTX "buffers: { cost = \"buf:1:u8\"; };\nlaunches = ({" SIZES
     "args = (\n\"cots\"); });",
     ":4: found 'cots', expected a buffer's name, TYPE:NUMBER, @NAME+OFFSET or "
     "bytes:HEX (did "
     "you mean 'cost'?)"},
    {PTX ONE "buffers = 5;", ":2: found 'buffers', expected a group of buffers"},
    {PTX ONE "buffers: {\nx = 5; };",
     ":3: found 'x', expected \"buf:COUNT:TYPE[:FILL]\""},
    {PTX ONE "buffers: { x = \"1:u8\"; };",
     ":2: found 'x', expected \"buf:COUNT:TYPE[:FILL]\""},
    {PTX ONE "buffers: { x-y = \"buf:1:u8\"; };",
     ":2: found 'x-y', expected letters, digits and _ in its name"},
    {PTX ONE "buffers: { x = \"buf:1:u8\";\nx = \"buf:1:u8\"; };",
     ":3: found \"duplicate setting name"},
};
// clang-format on

START_TEST(test_errors)
{
    struct launch_file f;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(!parse(&f, bad[_i].text, &e), "taken: %s", bad[_i].text);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, bad[_i].message) != NULL,
                  "found %s\nexpected %s", e.text, bad[_i].message);
    ck_assert_int_eq(strncmp(e.text, "dir/file.launch:", 16), 0);
    launch_file_free(&f);
}
END_TEST

START_TEST(test_nul)
{
    static const char text[] = PTX "\0" ONE;
    struct launch_file f;
    struct error e;
    ck_assert(!launch_file_parse(&f, text, sizeof(text) - 1, "f", &e));
    ck_assert_str_eq(e.text, "f:2:1: found a NUL character, expected text");
}
END_TEST

/* ---- the bundled ones --------------------------------------------------- */

static const struct bundled_file *find_module(const char *path)
{
    for (size_t i = 0; i < bundled_module_count; i++)
        if (strcmp(bundled_modules[i].path, path) == 0)
            return &bundled_modules[i];
    return NULL;
}

/* Every example has its PTX text beside it, is named as it is listed, and
 * uses each of its buffers. */
START_TEST(test_bundled)
{
    const struct bundled_file *b = &bundled_examples[_i];
    struct launch_file f;
    struct error e;
    ck_assert_msg(launch_file_parse(&f, b->text, b->size, b->path, &e), "%s",
                  e.text);
    ck_assert_str_eq(f.name, b->name);
    ck_assert_str_ne(f.summary, "");
    ck_assert_msg(find_module(f.module) != NULL, "%s", f.module);
    for (size_t i = 0; i < f.buffers; i++) {
        size_t uses = 0;
        for (size_t l = 0; l < f.launches; l++)
            for (size_t a = 0; a < f.launch[l].arguments; a++)
                uses += f.launch[l].argument[a].value == NULL &&
                        f.launch[l].argument[a].buffer == i;
        ck_assert_msg(uses > 0, "%s: %s", b->name, f.buffer[i].name);
    }
    launch_file_free(&f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("launch files");
    TCase *t = tcase_create("all");
    tcase_add_test(t, test_everything);
    tcase_add_test(t, test_paths_of_fills);
    tcase_add_test(t, test_least);
    tcase_add_test(t, test_no_folder);
    tcase_add_test(t, test_order);
    tcase_add_test(t, test_most_launches);
    tcase_add_loop_test(t, test_errors, 0, sizeof(bad) / sizeof(bad[0]));
    tcase_add_test(t, test_nul);
    tcase_add_loop_test(t, test_bundled, 0, (int)bundled_example_count);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
