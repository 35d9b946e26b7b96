/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a launch is given beside numbers and whole buffers: pointers into
 * buffers, padding behind them, and values for variables of the module. */
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS    8
#define ARGS_MAX 4

/* p points at four words: their sum; q is a structure of a pointer, a number
 * and a pointer: what the first points at times the number, and the second. */
static const char module[] = PTX_HEAD
    ".global .align 4 .u32 g[4] = {1, 2, 3, 4};\n"
    ".const .align 4 .b8 c[16];\n.global .u64 to;\n.global .align 4 .u32 one;\n"
    ".visible .entry k(.param .u64 out, .param .u64 p,\n"
    ".param .align 8 .b8 q[24])\n{\n"
    ".reg .u64 o, a, b; .reg .b32 x<4>, n;\n"
    "ld.param.u64 o, [out]; ld.param.u64 a, [p];\n"
    "ld.global.v4.u32 {x0, x1, x2, x3}, [a];\n"
    "add.u32 x0, x0, x1; add.u32 x2, x2, x3; add.u32 x0, x0, x2;\n"
    "st.global.u32 [o], x0;\n"
    "ld.param.u64 a, [q]; ld.param.u32 n, [q+8]; ld.param.u64 b, [q+16];\n"
    "ld.global.u32 x0, [a]; mul.lo.u32 x0, x0, n; st.global.u32 [o+4], x0;\n"
    "ld.global.u32 x0, [b]; st.global.u32 [o+8], x0;\nret;\n}\n"
    ".visible .entry v(.param .u64 out)\n{\n"
    ".reg .u64 o, a; .reg .b32 x<4>; .reg .pred p;\n"
    "ld.param.u64 o, [out];\n"
    "ld.global.v4.u32 {x0, x1, x2, x3}, [g];\n"
    "st.global.v4.u32 [o], {x0, x1, x2, x3};\n"
    "ld.const.u32 x0, [c]; ld.const.u32 x1, [c+12];\n"
    "st.global.v2.u32 [o+16], {x0, x1}; ld.global.u32 x2, [one];\n"
    "ld.global.u64 a, [to]; setp.ne.u64 p, a, 0; mov.u32 x3, 0;\n"
    "@p ld.global.u32 x3, [a]; st.global.v2.u32 [o+24], {x2, x3};\nret;\n}\n";

static bool run(uint32_t *word, const char *entry, const char *const *arg,
                size_t args, const char *const *symbol, struct error *e)
{
    struct ptx_run r;
    struct ptx_request request = {.entry = entry,
                                  .grid = {1, 1, 1},
                                  .block = {1, 1, 1},
                                  .arg = arg,
                                  .args = args,
                                  .symbol = symbol,
                                  .seed = 1};
    while (symbol != NULL && symbol[request.symbols] != NULL)
        request.symbols++;
    ck_assert(ptx_parse(&r.module, module, strlen(module), "t.ptx", e));
    bool ok = ptx_session_open(&r.session, &r.module, &request, e);
    if (!ok) {
        ptx_module_free(&r.module);
        return false;
    }
    ok = ptx_session_run(&r.session, &r.totals, e);
    if (ok)
        ptx_take(&r, "o", word, WORDS * sizeof(*word));
    ptx_done(&r);
    return ok;
}

/* ---- pointers and padding ----------------------------------------------- */

/* Numbers are little-endian. a holds 0, 1, .. and 0 behind its eight words. */
static const struct {
    const char *arg[ARGS_MAX];
    uint32_t word[3];
} given[] = {
    {{"buf:8:u32:zero:o", "buf:8:u32:iota:a",
      "bytes:@a+4,05000000,00000000,@a+28"},
     {0 + 1 + 2 + 3, 1 * 5, 7}},
    {{"buf:64:u32:iota:o", "@o+16", "bytes:@o+0x24,u64:3,@o-0"},
     {4 + 5 + 6 + 7, 9 * 3, 4 + 5 + 6 + 7}},
    {{"buf:8:u32:zero:o", "buf:4:u32:pad=8:iota:5:a",
      "bytes:@a+16,u64:3,@a+20"},
     {5 + 6 + 7 + 8, 0, 0}},
    {{"buf:8:u32:zero:o", "buf:2:u32:iota:5:pad=8:a", "bytes:@a+4,u64:3,@a"},
     {5 + 6, 18, 5}},
};

START_TEST(what_they_point_at)
{
    struct error e = {STATUS_OK, ""};
    uint32_t word[WORDS];
    ck_assert_msg(run(word, "k", given[_i].arg, 3, NULL, &e), "%s", e.text);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(word[i], given[_i].word[i]);
}
END_TEST

static const struct {
    const char *arg[ARGS_MAX];
    size_t args;
    const char *error;
} refused[] = {
    {{"buf:8:u32:o", "@b", "bytes:@o,u64:3,@o"},
     3,
     "--arg @b: found no buffer 'b'"},
    {{"bytes:@o", "@o+8", "bytes:@o+12,u32:4,f32:1.0,@o+4"},
     3,
     "--arg bytes:@o: found no buffer 'o'"},
    {{"buf:8:u32:o", "@o+x", "bytes:@o,u64:3,@o"},
     3,
     "--arg @o+x: expected pairs of hexadecimal digits, TYPE:NUMBER or @NAME"},
    {{"buf:8:u32:o", "@", "bytes:@o,u64:3,@o"}, 3, "--arg @: expected"},
    {{"buf:8:u32:o", "@o", "bytes:@o,u65:3,@o"},
     3,
     "--arg bytes:@o,u65:3,@o: expected pairs of"},
    {{"buf:8:u32:o", "@o", "bytes:@o,u64:3"},
     3,
     "--arg bytes: found 16 bytes for parameter q, expected its 24"},
    {{"buf:8:u32:o", "@o", "@o"},
     3,
     "--arg @o: found 8 bytes for parameter q, expected its 24"},
    {{"buf:8:u32:o", "@o", "bytes:@o,,@o"}, 3, "expected pairs of"},
    {{"buf:8:u32:pad=x:o", "@o", "bytes:@o,u64:3,@o"},
     3,
     "expected a number of bytes in pad=BYTES"},
    {{"buf:8:u32:pad=-1:o", "@o", "bytes:@o,u64:3,@o"},
     3,
     "expected a number of bytes in pad=BYTES"},
    {{"buf:8:u32:pad=4:o", "@o", "bytes:@o+36,u64:3,@o"},
     3,
     "outside every buffer"},
};

START_TEST(is_refused)
{
    struct error e = {STATUS_OK, ""};
    uint32_t word[WORDS];
    ck_assert(!run(word, "k", refused[_i].arg, refused[_i].args, NULL, &e));
    ck_assert_msg(strstr(e.text, refused[_i].error) != NULL, "'%s' lacks '%s'",
                  e.text, refused[_i].error);
}
END_TEST

/* ---- variables ---------------------------------------------------------- */

static const struct {
    const char *symbol[3];
    uint32_t word[WORDS];
} values[] = {
    {{NULL}, {1, 2, 3, 4, 0, 0, 0, 0}},
    {{"g=7,-1"}, {7, 0xFFFFFFFF, 3, 4, 0, 0, 0, 0}},
    {{"g=iota:10:5"}, {10, 15, 20, 25, 0, 0, 0, 0}},
    {{"g=zero", "one=0x10"}, {0, 0, 0, 0, 0, 0, 16, 0}},
    {{"c=f32:1,0,0,0.5", "one=3"}, {1, 2, 3, 4, 0x3F800000, 0x3F000000, 3, 0}},
    {{"c=s16:-2,1"}, {1, 2, 3, 4, 0x1FFFE, 0, 0, 0}},
    {{"c=1,2,3,4"}, {1, 2, 3, 4, 0x04030201, 0, 0, 0}},
    {{"c=u32:iota:3"}, {1, 2, 3, 4, 3, 6, 0, 0}},
    {{"to=@o+28", "g=u8:5"}, {5, 2, 3, 4, 0, 0, 0, 9}},
};

START_TEST(what_variables_hold)
{
    const char *const arg[] = {"buf:8:u32:iota:2:o"}; /* the last is 9 */
    struct error e = {STATUS_OK, ""};
    uint32_t word[WORDS];
    ck_assert_msg(run(word, "v", arg, 1, values[_i].symbol, &e), "%s", e.text);
    ck_assert_mem_eq(word, values[_i].word, sizeof(word));
}
END_TEST

START_TEST(variables_from_files)
{
    const char *const arg[] = {"buf:8:u32:zero:o"};
    char path[] = "/tmp/estimate_test_XXXXXX", spec[64];
    const char *const symbol[] = {spec, NULL};
    struct error e = {STATUS_OK, ""};
    uint32_t word[WORDS];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    snprintf(spec, sizeof(spec), "g=file:%s", path);
    ck_assert_int_eq(write(fd, "abcdefgh", 8), 8);
    ck_assert(!run(word, "v", arg, 1, symbol, &e));
    ck_assert_msg(strstr(e.text, "found 8 bytes, expected the 16") != NULL,
                  "%s", e.text);
    ck_assert_int_eq(write(fd, "ijklmnop", 8), 8);
    ck_assert_msg(run(word, "v", arg, 1, symbol, &e), "%s", e.text);
    ck_assert_uint_eq(word[3], 0x706F6E6D);
    close(fd);
    unlink(path);
}
END_TEST

static const struct {
    const char *symbol, *error;
} wrong[] = {
    {"h=1", "--set-symbol h=1: found no variable 'h' of the module in .global "
            "or .const, did you mean '"},
    {"out=1", "found no variable 'out'"},
    {"g", "expected NAME=FILL or NAME=VALUE[,VALUE..]"},
    {"g=", "expected NAME=FILL or NAME=VALUE[,VALUE..]"},
    {"=1", "expected NAME=FILL or NAME=VALUE[,VALUE..]"},
    {"g=1,2,3,4,5", "found more values than the 4 that fit the variable's 16"},
    {"c=f64:1,2,3", "found more values than the 2 that fit the variable's 16"},
    {"g=x", "found 'x', expected a number of type u32"},
    {"g=1,,2", "found '', expected a number of type u32"},
    {"g=u8:256", "found '256', expected a number of type u8"},
    {"g=@o", "expected @NAME[+OFFSET] in a type of 64 bits"},
    {"to=@x", "found no buffer 'x'"},
    {"g=iota:x", "expected zero, iota[:FIRST[:STEP]], random[:LO:HI] or file"},
    {"g=pred:1", "expected a type like f32"},
    {"one=f64:iota", "expected a type whose bytes divide the variable's"},
};

START_TEST(variables_refused)
{
    const char *const arg[] = {"buf:8:u32:zero:o"};
    const char *const symbol[] = {wrong[_i].symbol, NULL};
    struct error e = {STATUS_OK, ""};
    uint32_t word[WORDS];
    ck_assert(!run(word, "v", arg, 1, symbol, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, wrong[_i].error) != NULL, "'%s' lacks '%s'",
                  e.text, wrong[_i].error);
}
END_TEST

/* ---- sides -------------------------------------------------------------- */

START_TEST(sides_must_be_given)
{
    struct ptx_module m;
    struct ptx_session s;
    struct error e = {STATUS_OK, ""};
    struct ptx_request r = {.entry = "v"};
    ck_assert(ptx_parse(&m, module, strlen(module), "t.ptx", &e));
    ck_assert(!ptx_session_open(&s, &m, &r, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert_str_eq(
        e.text,
        "t.ptx: found no --grid, expected --grid X[,Y[,Z]], its blocks");
    r.grid = (struct dim3){1, 1, 1};
    ck_assert(!ptx_session_open(&s, &m, &r, &e));
    ck_assert_str_eq(e.text, "t.ptx: found no --block, expected --block "
                             "X[,Y[,Z]], the threads of each of its blocks");
    r.code_only = true;
    r.grid.x = 0;
    ck_assert_msg(ptx_session_open(&s, &m, &r, &e), "%s", e.text);
    ptx_session_close(&s);
    ptx_module_free(&m);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
    Suite *suite = suite_create("ptx: arguments");
    TCase *tc = tcase_create("arguments");
    tcase_add_loop_test(tc, what_they_point_at, 0, COUNT(given));
    tcase_add_loop_test(tc, is_refused, 0, COUNT(refused));
    tcase_add_loop_test(tc, what_variables_hold, 0, COUNT(values));
    tcase_add_test(tc, variables_from_files);
    tcase_add_loop_test(tc, variables_refused, 0, COUNT(wrong));
    tcase_add_test(tc, sides_must_be_given);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
