/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the PTX parser refuses and where it says so, and what it takes. */
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>

struct refused {
    const char *text, *expected; /* of the error, the path left out */
};

#define BODY(code) PTX_HEAD ".entry k()\n{\n.reg .b32 %r<4>;\n" code "\n}\n"

static const struct refused refusals[] = {
    {"", ":1:1: found the end of the file, expected .version"},
    {"\x7f"
     "ELF\x02",
     ":1:1: found binary data, expected PTX text"},
    {".version x", ":1:10: found 'x', expected a version like 8.5"},
    {".version 8.0\n.target sm_80\n.address_size 32\n",
     ":3:1: found '.address_size', expected 64 behind it"},
    {PTX_HEAD "/* no end", ":4:1: found a comment without an end"},
    {PTX_HEAD ".global .u32 a[2] = {1, 2, 3};",
     ":4:28: found '3', expected no more values than"},
    {PTX_HEAD ".global .u32 a; .global .u32 a[99999999999];", ":4:32: found "},
    {PTX_HEAD ".global .align 3 .u32 a;", ":4:9: found '.align', expected a "
                                          "power of two"},
    {PTX_HEAD ".entry k() {", ":4:13: found the end of the file, expected an "
                              "instruction"},
    {PTX_HEAD ".entry k() { ret; }\n.entry k() { ret; }",
     ":5:8: found 'k', expected a name not declared before"},
    {BODY("frob.s32 %r1, %r2;"),
     ":7:1: found 'frob', expected an instruction that is known"},
    {BODY("frob.s32 %r1, %r2;\nadd.s32 %r1, %r1, 1;\nzap %r1;"),
     ":7:1: found 'frob', expected an instruction that is known (and 1 more"},
    {BODY("add.s33 %r1, %r2, 1;"),
     ":7:4: found '.s33', expected a modifier or a type"},
    {BODY("add.pred %r1, %r2, 1;"), ":7:1: found 'add', expected a form"},
    {BODY("add.wide.s32 %r1, %r2, 1;"),
     ":7:1: found 'add', expected no .wide with it"},
    {BODY("add.rn.rz.f32 %r1, %r2, %r1;"),
     ":7:7: found '.rz', expected no second modifier"},
    {BODY("add.s32 %r1, %r4, 1;"),
     ":7:14: found '%r4', expected a declared register"},
    {BODY("add.s32 %r1, %r04, 1;"), ":7:14: found '%r04', expected a"},
    {BODY("add.s64 %r1, %r2, 1;"),
     ":7:1: found 'add', expected operand 1 of it to be a register of 64 bits"},
    {BODY("add.s32 5, %r2, 1;"),
     ":7:1: found 'add', expected operand 1 of it to be a register"},
    {BODY("add.s32 %r1, %r2;"), ":7:1: found 'add', expected more operands"},
    {BODY("add.s32 %r1, %r2, 1, 2;"),
     ":7:1: found 'add', expected fewer operands"},
    {BODY("add.s32 %r1 %r2, 1;"), ":7:13: found '%r2', expected ','"},
    {BODY("@%r1 bra here;\nhere: ret;"),
     ":7:2: found '%r1', expected a predicate register"},
    {BODY("bra nowhere;"), ":7:5: found 'nowhere', expected a label"},
    {BODY("here:\nhere: ret;"),
     ":8:1: found 'here', expected a name not declared before"},
    {BODY("bra list;\nlist: .branchtargets here;\nhere: ret;"),
     ":7:5: found 'list', expected a label"},
    {BODY("brx.idx %r1, here;\nhere: ret;"),
     ":7:14: found 'here', expected a list of branch targets"},
    {BODY("ld.global.u32 %r1, %r2;"),
     ":7:1: found 'ld', expected operand 2 of it to be an address"},
    {BODY("ld.global.v2.u32 %r1, [%r2];"),
     ":7:1: found 'ld', expected operand 1 of it to be 2 registers in braces"},
    {BODY("mov.u32 %r1, %nope;"), ":7:14: found '%nope', expected a declared"},
    {BODY("mov.u32 %r1, 0f12;"), ":7:14: found '0f12', expected a number"},
    {BODY("mov.u32 %r1, 99999999999999999999;"),
     ":7:14: found '99999999999999999999', expected a number"},
    {BODY(".reg .b32 %q<0>;"), ":7:11: found '%q', expected at least one"},
    {BODY(".reg .b32 %q<99999999>;"), ":7:14: found '99999999', expected a "
                                      "whole number up to 1048576"},
    {BODY("mov.u32 %r1, \"text;\nret;"),
     ":7:14: found a string without an end"},
};

START_TEST(test_refused)
{
    const struct refused *r = &refusals[_i];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(!ptx_parse(&m, r->text, strlen(r->text), "t.ptx", &e),
                  "taken: %s", r->text);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strncmp(e.text, "t.ptx", 5) == 0 &&
                      strncmp(e.text + 5, r->expected, strlen(r->expected)) ==
                          0,
                  "got: %s\nexpected: %s", e.text, r->expected);
}
END_TEST

/* A text cut off anywhere is refused, or is whole up to there. */
START_TEST(test_cut)
{
    static const char text[] =
        BODY(".shared .align 4 .b8 s[16]; .reg .pred %p<2>; .reg .f32 %f<2>;\n"
             "{ .reg .b32 t; mov.b32 t, 0x10; @!%p1 bra L; }\n"
             "L: ld.shared.v2.u32 {%r1, %r2}, [s+8];\n"
             "fma.rn.ftz.f32 %f1, %f1, 0f3F800000, -1.5e-3;\n"
             "shfl.sync.up.b32 %r1|%p1, %r1, 1, 0, -1; // end\nret;");
    struct ptx_module m;
    for (size_t n = 0; n < sizeof(text); n++) {
        struct error e = {STATUS_OK, ""};
        char part[sizeof(text)] = "";
        memcpy(part, text, n);
        if (ptx_parse(&m, part, n, "t.ptx", &e)) {
            ck_assert(n < sizeof(PTX_HEAD) || n + 2 >= sizeof(text));
            ptx_module_free(&m);
        }
    }
}
END_TEST

/* What compilers write around the code. */
START_TEST(test_taken)
{
    static const char text[] =
        "//\n.version 8.5\n.target sm_90a, debug\n.address_size 64\n"
        ".file 1 \"a b.cu\", 12, 34\n"
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b)\n"
        ";\n.weak .func weak() { ret; }\n"
        ".extern .shared .align 16 .b8 dyn[];\n"
        ".visible .global .attribute(.managed) .align 4 .u32 m = 7;\n"
        ".global .texref tex;\n"
        ".visible .entry k(\n.param .u64 .ptr .global .align 16 k_0,\n"
        ".param .align 8 .b8 k_1[24]\n)\n"
        ".maxntid 128, 2, 1\n.minnctapersm 2\n"
        "{\n.pragma \"nounroll\";\n.loc 1 5 3, function_name $a, inlined_at 1\n"
        ".reg .b64 %SP; mov.u64 %SP, dyn;\nret;\n}\n"
        ".section .debug_str { $a: .b8 1, 2 }\n";
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    uint32_t entry;
    ck_assert_msg(ptx_parse(&m, text, sizeof(text) - 1, "t.ptx", &e), "%s",
                  e.text);
    ck_assert_uint_eq(m.version, 85);
    ck_assert_uint_eq(m.target, 90);
    ck_assert(ptx_find_entry(&m, NULL, &entry, &e));
    ck_assert_str_eq(m.function[entry].name, "k");
    ck_assert_uint_eq(m.function[entry].max_threads, 256);
    ck_assert_uint_eq(m.function[entry].params, 2);
    ck_assert_uint_eq(m.inst[m.function[entry].first].source_line, 5);
    ck_assert(!ptx_find_entry(&m, "kk", &entry, &e));
    ck_assert_str_eq(e.text, "t.ptx: found no entry 'kk', did you mean 'k'?");
    ptx_module_free(&m);
}
END_TEST

/* ---- arguments ---------------------------------------------------------- */

#define TWO                                                                    \
    PTX_HEAD ".entry k(.param .u32 n, .param .u64 b, .param .f32 f) .maxntid " \
             "64 { ret; }"

struct launch_error {
    const char *arg[4];
    uint32_t block;
    const char *expected;
};

static const struct launch_error launch_errors[] = {
    {{"1"}, 1, "found 1 arguments for 'k', expected --arg for each of its 3"},
    {{"x", "2", "3"}, 1, "--arg x: expected a number of type u32"},
    {{"-1", "2", "3"}, 65, "--block: found 65 threads, expected at most 64"},
    {{"4294967296", "2", "3"}, 1, "expected a number of type u32"},
    {{"u64:1", "2", "3"}, 1, "found 8 bytes for parameter n, expected its 4"},
    {{"buf:4:u32", "2", "3"}, 1, "found a buffer for parameter n of 4 bytes"},
    {{"1", "buf:4", "3"}, 1, "expected buf:COUNT:TYPE[:FILL][:NAME]"},
    {{"1", "buf:4:u31", "3"}, 1, "expected a type like f32 behind the count"},
    {{"1", "buf:4:u32:random:5", "3"}, 1, "random[:LO:HI]"},
    {{"1", "buf:4:u32:nope:name", "3"}, 1, "as its fill"},
    {{"1", "buf:4:u32:file:/nonexistent/file", "3"}, 1, "/nonexistent/file: "},
    {{"1", "2", "0x1p"}, 1, "expected a number of type f32"},
    {{"bytes:00112233", "bytes:0011223344556677", "bytes:001122"},
     1,
     "found 3 bytes for parameter f, expected its 4"},
    {{"bytes:", "2", "3"}, 1, "--arg bytes:: expected pairs of hexadecimal"},
    {{"bytes:001", "2", "3"}, 1, "expected pairs of hexadecimal digits"},
    {{"bytes:0011223g", "2", "3"}, 1, "expected pairs of hexadecimal digits"},
    {{"bytes:file:/nonexistent/file", "2", "3"}, 1, "/nonexistent/file: "},
    {{"bytes:file:/dev/zero", "2", "3"}, 1, "found more than 32764 bytes"},
};

START_TEST(test_launch_errors)
{
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, TWO, 1, launch_errors[_i].block,
                       launch_errors[_i].arg, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, launch_errors[_i].expected) != NULL, "%s",
                  e.text);
}
END_TEST

/* Fill rules, and the bytes of a file, by what the buffers hold at first. */
START_TEST(test_fills)
{
    char path[] = "/tmp/test_ptx_XXXXXX", file[64];
    const char *arg[] = {"3", file, "f32:2", NULL};
    uint32_t words[3];
    struct ptx_run r;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "wb");
    fwrite("abcdefghijkl", 1, 12, f);
    fclose(f);
    snprintf(file, sizeof(file), "buf:3:u32:file:%s:b", path);
    ptx_must_run(&r, TWO, 1, 1, arg);
    ptx_take(&r, "b", words, sizeof(words));
    ck_assert_mem_eq(words, "abcdefghijkl", 12);
    ptx_done(&r);
    remove(path);
    arg[1] = "buf:100000:u32:iota:5:3:b";
    ptx_must_run(&r, TWO, 1, 1, arg);
    ck_assert(ptx_memory_read(&r.session.memory, 0, 4 * 99999, words, 4));
    ck_assert_uint_eq(words[0], 5 + 3 * 99999);
    ptx_done(&r);
    arg[1] = "buf:50000:s32:random:-2:2:b";
    ptx_must_run(&r, TWO, 1, 1, arg);
    unsigned seen[5] = {0};
    for (uint64_t i = 0; i < 50000; i++) {
        int32_t v;
        ck_assert(ptx_memory_read(&r.session.memory, 0, 4 * i, &v, 4));
        ck_assert(v >= -2 && v <= 2);
        seen[v + 2]++;
    }
    for (int k = 0; k < 5; k++) /* 10000 each, a standard deviation of 90 */
        ck_assert(seen[k] > 9500 && seen[k] < 10500);
    ptx_done(&r);
}
END_TEST

/* A structure {u32, u8, u64} by value: its fields where C lays them. */
START_TEST(test_structure)
{
    static const char text[] =
        PTX_HEAD ".entry k(.param .align 8 .b8 s[16], .param .u64 b)\n{\n"
                 ".reg .b32 %r<3>; .reg .b64 %d<3>;\n"
                 "ld.param.u32 %r0, [s]; ld.param.u8 %r1, [s+4];\n"
                 "ld.param.u64 %d0, [s+8]; ld.param.u64 %d1, [b];\n"
                 "st.global.u32 [%d1], %r0; st.global.u32 [%d1+4], %r1;\n"
                 "st.global.u64 [%d1+8], %d0; ret;\n}\n";
    static const uint8_t bytes[] = {0x0D, 0x0C, 0x0B, 0x0A, 0xEE, 9, 9, 9,
                                    8,    7,    6,    5,    4,    3, 2, 1};
    char path[] = "/tmp/test_ptx_XXXXXX", file[64];
    const char *arg[] = {"bytes:0d0C0b0AeE0909090807060504030201",
                         "buf:4:u32:b", NULL};
    struct ptx_run r;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "wb");
    fwrite(bytes, 1, sizeof(bytes), f);
    fclose(f);
    snprintf(file, sizeof(file), "bytes:file:%s", path);
    for (int i = 0; i < 2; i++) {
        uint32_t word[2];
        uint64_t last;
        ptx_must_run(&r, text, 1, 1, arg);
        ptx_take(&r, "b", word, sizeof(word));
        ck_assert_uint_eq(word[0], 0x0A0B0C0D);
        ck_assert_uint_eq(word[1], 0xEE);
        ck_assert(ptx_memory_read(&r.session.memory, 0, 8, &last, 8));
        ck_assert_uint_eq(last, 0x0102030405060708);
        ptx_done(&r);
        arg[0] = file;
    }
    remove(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_parse");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_refused, 0,
                        sizeof(refusals) / sizeof(refusals[0]));
    tcase_add_test(c, test_cut);
    tcase_add_test(c, test_taken);
    tcase_add_loop_test(c, test_launch_errors, 0,
                        sizeof(launch_errors) / sizeof(launch_errors[0]));
    tcase_add_test(c, test_fills);
    tcase_add_test(c, test_structure);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
