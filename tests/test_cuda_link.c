/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX of several objects as one module: what becomes of each name. */
#include "cuda/link.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *what, *text[2], *expected;
} rows[] = {
    {"version and target of the first",
     {".version 8.0\n.target sm_75, debug\n.address_size 64\n"
      ".global .u32 a;",
      ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 b;"},
     ".version 8.0\n.target sm_75\n.address_size 64\n.global .u32 a;\n"
     ".global .u32 b;\n"},
    {"a function that the other has is declared as it is there",
     {".extern .func (.param .b32 r) f(.param .b32 x)\n;",
      ".weak .func (.param .b32 r) f(.param .b32 x)\n{ ret; }"},
     ".weak .func (.param .b32 r) f(.param .b32 x)\n;\n"
     ".weak .func (.param .b32 r) f(.param .b32 x)\n{ ret; }\n"},
    {"one that none has stays outside",
     {".extern .func vprintf(.param .b64 a);", ".global .u32 b;"},
     ".extern .func vprintf(.param .b64 a);\n.global .u32 b;\n"},
    {"of what both set the first",
     {".weak .func f() { ret; }\n.weak .shared .b8 s[4];",
      ".weak .func f() { ret; }\n.weak .shared .b8 s[4];\n.global .u32 b;"},
     ".weak .func f() { ret; }\n.weak .shared .b8 s[4];\n.global .u32 b;\n"},
    {"an external variable stays declared",
     {".extern .const .align 4 .b8 t[8];",
      ".visible .const .align 4 .b8 t[8];"},
     ".extern .const .align 4 .b8 t[8];\n.visible .const .align 4 .b8 t[8];\n"},
    {"names of their own",
     {".global .b8 $s[2] = {65, 0};\n.func f() { mov.u64 %d, $s; }",
      ".global .b8 $s[2] = {66, 0};\n.func f() { mov.u64 %d, $s; call f; }"},
     ".global .b8 $s[2] = {65, 0};\n.func f() { mov.u64 %d, $s; }\n"
     ".global .b8 $s$of$2[2] = {66, 0};\n"
     ".func f$of$2() { mov.u64 %d, $s$of$2; call f$of$2; }\n"},
    {"an own name that the other gives to all",
     {".global .u32 n;\n.func f() { mov.u64 %d, n; }",
      ".visible .global .u32 n;"},
     ".global .u32 n$of$1;\n.func f() { mov.u64 %d, n$of$1; }\n"
     ".visible .global .u32 n;\n"},
    {"texts and comments are no names",
     {".global .u32 n; // n\n", ".global .u32 n; /* n; */\n.pragma \"n\";"},
     ".global .u32 n;\n.global .u32 n$of$2;\n.pragma \"n\";\n"},
    {"attributes are no names",
     {".global .attribute(.managed) .u32 m;",
      ".global .attribute(.managed) .u32 m;"},
     ".global .attribute(.managed) .u32 m;\n"
     ".global .attribute(.managed) .u32 m$of$2;\n"},
    {"lines of sources, and nothing else for debuggers",
     {".file 1 \"a.cu\"\n.section .debug { .b8 1; s: }\n"
      ".func f()\n{\n.loc 1 7 5\nret;\n}",
      ".file\t1 \"b.cu\"\n.section .debug { .b8 1; s: }\n"
      ".func g()\n{\n.loc\t1 8 5, function_name s, inlined_at 1 2 3\nret;\n}"},
     ".file\t1 \"a.cu\"\n.func f()\n{\n.loc\t1 7 5\nret;\n}\n"
     ".file\t100001 \"b.cu\"\n.func g()\n{\n.loc\t100001 8 5\nret;\n}\n"},
    {"what is not whole",
     {".func f() {", ".global .u32 \"n"},
     ".func f() {\n.global .u32 \"n\n"},
};

START_TEST(names)
{
    char *text[2];
    size_t size;
    for (size_t i = 0; i < 2; i++)
        text[i] = strdup(rows[_i].text[i]);
    char *all = link_texts(text, 2, &size);
    ck_assert_ptr_nonnull(all);
    ck_assert_msg(strcmp(all, rows[_i].expected) == 0, "%s: got\n%s",
                  rows[_i].what, all);
    ck_assert_uint_eq(size, strlen(all));
    free(all);
    for (size_t i = 0; i < 2; i++)
        free(text[i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cuda_link");
    TCase *c = tcase_create("cuda_link");
    tcase_add_loop_test(c, names, 0, sizeof(rows) / sizeof(rows[0]));
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
