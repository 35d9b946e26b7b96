/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is wrong with a kernel file and where; depth, length and garbage. */
#include "tests/kernel_text.h"

#include <check.h>

static struct kernel *parse(const char *text, const struct load_options *o,
                            struct error *e)
{
    return kernel_file_parse(text, strlen(text), "dir/file.kernel", o, e);
}

/* In a program that begins in line 4: what is wrong, where, what is said. */
static const struct {
    const char *program, *message;
} bad_programs[] = {
    {"", "5:1: program ends here, expected 'exit'"},
    {"mov r1, r2", "5:1: program ends here"},
    {"exit\nmov r1", "5:1: found 'mov' behind the 'exit'"},
    {"ffna r1\nexit", "4:1: found 'ffna', expected an operation (did you mean "
                      "'ffma'?)"},
    {"  endlop", "4:3: found 'endlop', expected an operation (did you mean "
                 "'endloop'?)"},
    {"zzzzzzzz", "4:1: found 'zzzzzzzz', expected an operation"},
    {"$", "4:1: found '$', expected an operation"},
    {"mov", "4:4: line ends here, expected a register"},
    {"mov r255", "4:5: found 'r255', expected a register r0..r254 or p0..p6"},
    {"mov p1", "4:5: found 'p1', expected a register r0..r254 as destination"},
    {"isetp r1, r2", "4:7: found 'r1', expected a predicate"},
    {"isetp p7, r2", "4:7: found 'p7', expected a register"},
    {"mov r1 r2", "4:8: found 'r2', expected ','"},
    {"mov r1, r2, r3", "4:11: found ',', expected the end of the line"},
    {"mov r1, x", "4:9: found 'x', expected a register"},
    {"mov r1, 1.2.3", "4:9: found '1.2.3', expected a number"},
    {"mov.4 r1", "4:4: found '.4', expected no width"},
    {"ldg r1, [x]", "4:5: found 'r1', expected a width"},
    {"ldg.3 r1, [x]", "4:4: found '.3', expected a width .1 .2 .4 .8 or .16"},
    {"ldg.4 r1, x", "4:11: found 'x', expected an address in brackets"},
    {"ldg.4 r1, [x", "4:13: line ends here, expected ']'"},
    {"ldg.4 r1, [x 4]", "4:14: found '4]', expected ']'"},
    {"ldg.4 r1, []", "4:12: found ']', expected a number or name"},
    {"ldg.4 [x]", "4:7: found '[x]', expected a register"},
    {"ldg.16 r252, [x]", "4:12: found a register without 3 more"},
    {"ldg.4 r1, [x], r1, r2, r3, r4, r5", "4:30: found ',', expected the end"},
    {"stg.4 r1, [x]", "4:7: found 'r1', expected an address"},
    {"bar r1", "4:5: found 'r1', expected the end of the line"},
    {"@r1 mov r2", "4:2: found 'r1', expected a predicate p0..p6 as guard"},
    {"@p1 exit", "4:5: found a guard on 'exit'"},
    {"@p1 loop i, 2", "4:5: found a guard on 'loop'"},
    {"@p1", "4:4: line ends here, expected an operation"},
    {"ldg.4 r1, [q]", "4:12: found 'q', expected a variable"},
    {"ldg.4 r1, [gtif]", "(did you mean 'gtid'?)"},
    {"ldg.4 r1, [1 + ]", "4:16: found ']', expected a number or name"},
    {"ldg.4 r1, [(1]", "4:14: found ']', expected ')'"},
    {"ldg.4 r1, [1 / 0]", "4:16: found a division by zero"},
    {"ldg.4 r1, [tid % (2 - 2)]", "4:18: found a division by zero"},
    {"ldg.4 r1, [99999999999999999999]", "expected a number below 2^63"},
    {"ldg.4 r1, [12ab]", "4:12: found '12ab]', expected a whole number"},
    {"ldg.4 r1, [0x]", "4:12: found '0x]', expected a whole number"},
    {"ldg.4 r1, [1.5]", "4:12: found '1.5]', expected a whole number"},
    {"ldg.4 r1, [rand]", "4:16: found ']', expected '('"},
    {"ldg.4 r1, [rand()]", "4:17: found ')]', expected a number or name"},
    {"ldg.4 r1, [rand(0)]", "4:17: found 0, expected a count of at least 1"},
    {"ldg.4 r1, [hash(1)]", "4:18: found ')]', expected ','"},
    {"ldg.4 r1, [hash(1, -3)]", "4:20: found -3, expected a count"},
    {"ldg.4 r1, [min(1, 2, 3)]", "4:20: found ',', expected ')'"},
    {"ldg.4 r1, [zipf(tid, 1)]", "4:17: found an expression, expected a const"},
    {"ldg.4 r1, [zipf(9, tid)]", "4:20: found 'tid)]', expected a number"},
    {"ldg.4 r1, [zipf(9, 17)]", "4:20: found 17, expected a number from 0 to"},
    {"ldg.4 r1, [geom(0.5)]", "4:17: found 0.5, expected a number from 1 to"},
    {"ldg.4 r1, [chance(1.5)]", "found 1.5, expected a number from 0 to 1"},
    {"ldg.4 r1, [chance(-1)]", "4:19: found '-1)]', expected a number"},
    {"loop", "4:5: line ends here, expected a loop variable"},
    {"loop i", "4:7: line ends here, expected ',' and a trip count"},
    {"loop i,", "4:8: line ends here, expected a number or name"},
    {"loop tid, 2", "4:6: found 'tid', expected a loop variable whose name"},
    {"loop r1, 2", "4:6: found 'r1', expected a loop variable whose name"},
    {"loop x, 2", "4:6: found 'x', expected a loop variable whose name"},
    {"loop i, 2\nloop i, 2", "5:6: found 'i', expected a loop variable whose"},
    {"loop i, 2, q1", "4:12: found 'q1', expected a register"},
    {"loop i, 2 p1", "4:11: found 'p1', expected ','"},
    {"loop i, 2\nmov r1\nexit", "4:1: found 'loop' without end, expected its"},
    {"if 1\nmov r1", "4:1: found 'if' without end, expected its 'endif'"},
    {"mov r1\nendloop", "5:1: found 'endloop', expected a 'loop' before it"},
    {"mov r1\nendif", "5:1: found 'endif', expected an 'if' before it"},
    {"else", "4:1: found 'else', expected an 'if' before it"},
    {"if 1\nendloop", "5:1: found 'endloop', expected the 'endif' of an open"},
    {"loop i, 2\nelse", "5:1: found 'else', expected the 'endloop' of an open"},
    {"if 1\nelse\nelse", "6:1: found a second 'else', expected 'endif'"},
    {"sub", "4:4: line ends here, expected a name"},
    {"sub f\nmov r1\nexit", "6:1: found 'exit' in a subroutine, expected str"},
    {"sub f\nbar", "5:1: found 'bar' in a subroutine, expected straight code"},
    {"sub f\nif 1", "5:1: found 'if' in a subroutine, expected straight code"},
    {"sub f\nloop i, 2", "5:1: found 'loop' in a subroutine, expected str"},
    {"sub f\nsub g", "5:1: found 'sub', expected it outside of loops, ifs and"},
    {"if 1\nsub g", "5:1: found 'sub', expected it outside of loops, ifs and"},
    {"sub f\nendsub\nsub f", "6:5: found 'f', expected a name of its own"},
    {"sub f\ncall f", "5:1: found 'call', expected it outside of subroutines"},
    {"endsub", "4:1: found 'endsub', expected a 'sub' before it"},
    {"sub f\nmov r1", "4:5: found a 'sub' without end, expected its 'endsub'"},
    {"call f", "4:6: found 'f', expected a subroutine that stands before it"},
    {"call", "4:5: line ends here, expected a subroutine's name"},
    {"sub f g", "4:7: found 'g', expected the end of the line"},
    {"if", "4:3: line ends here, expected a number or name"},
    {"if lane < ", "4:11: line ends here, expected a number or name"},
    {"if lane < 2 < ", "expected a number or name"},
    {"loop i, 2\nendloop x\nexit", "5:9: found 'x', expected the end of the l"},
    {"loop i, 2\nendloop\nmov r1, i\nexit", "6:9: found 'i', expected a reg"},
    {"loop i, 2\nendloop\nldg.4 r1, [i]\nexit", "6:12: found 'i', expected a"},
    {"ldl.4 r1, [0]\nexit",
     ":3: found 'program', expected a key 'local_bytes'"},
};

START_TEST(program_errors)
{
    static char text[TEXT_MAX], where[300];
    struct error e = {STATUS_OK, ""};
    kernel_text(text, "grid = 1; block = 32;", bad_programs[_i].program);
    ck_assert_ptr_null(parse(text, NULL, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    bool place = bad_programs[_i].message[0] >= '0' &&
                 bad_programs[_i].message[0] <= '9';
    snprintf(where, sizeof(where), "%s%s", place ? "dir/file.kernel:" : "",
             bad_programs[_i].message);
    ck_assert_msg(strstr(e.text, where) != NULL, "found %s\nexpected %s",
                  e.text, where);
}
END_TEST

#define LAUNCH  "launch: { grid = 1; block = 1; registers = 1; };\n"
#define PROGRAM "program = \"exit\";\n"
static const struct {
    const char *text, *message;
} bad_files[] = {
    {"", ":1: found no group 'launch', expected one"},
    {PROGRAM, ":1: found no group 'launch'"},
    {LAUNCH, ":1: found no string 'program'"},
    {LAUNCH "program = 5;", "found no string 'program'"},
    {LAUNCH "\nprogram = \"exi\\t\";",
     ":3: found 'program', expected one plain"},
    {LAUNCH "program = \"mov r1\n\" \"exit\";",
     ":2: found 'program', expected"},
    {LAUNCH PROGRAM "program = \"exit\";",
     ":3: found \"duplicate setting name"},
    {LAUNCH "program = \"exit;",
     ":2:11: found a string without end, expected '\"'"},
    {"launch = $;", ":1: found \"syntax error\""},
    {LAUNCH PROGRAM "\nlanch = 1;", ":4: found unknown key 'lanch', expected a "
                                    "known one (did you mean 'launch'?)"},
    {"launch: { grid = 1;\n blok = 1; };" PROGRAM,
     ":2: found unknown key 'blok', expected a known one (did you mean "
     "'block'"},
    {"launch = 5;" PROGRAM, "found no group 'launch'"},
    {"launch: { block = 1; registers = 1; };" PROGRAM,
     ":1: found 'launch', expected a key 'grid' in it"},
    {"launch: { grid = 1; registers = 1; };" PROGRAM, "a key 'block' in it"},
    {"launch: { grid = 1; block = 1; };" PROGRAM, "a key 'registers' in it"},
    {"launch: { grid = []; block = 1; registers = 1; };" PROGRAM,
     "found 'grid', expected one to three numbers"},
    {"launch: { grid = [1, 1, 1, 1]; block = 1; registers = 1; };" PROGRAM,
     "found 'grid', expected one to three numbers"},
    {"launch: { grid = 0; block = 1; registers = 1; };" PROGRAM,
     "found 'grid', expected a whole number from 1 to"},
    {"launch: { grid = [1, 0]; block = 1; registers = 1; };" PROGRAM,
     "expected a whole number from 1 to"},
    {"launch: { grid = \"1\"; block = 1; registers = 1; };" PROGRAM,
     "found 'grid', expected a whole number"},
    {"launch: { grid = 1.5; block = 1; registers = 1; };" PROGRAM,
     "found 'grid', expected a whole number"},
    {"launch: { grid = 1; block = 1025; registers = 1; };" PROGRAM,
     "1025 x 1 x 1 threads, expected at most 1024"},
    {"launch: { grid = 1; block = 1; registers = 256; };" PROGRAM,
     "found 'registers', expected a whole number from 1 to 255"},
    {"launch: { grid = 1; block = 1; registers = 1; shared_bytes = -1; "
     "};" PROGRAM,
     "found 'shared_bytes', expected a whole number from 0"},
    {"launch: { grid = 4294967297; block = 1; registers = 1; };" PROGRAM,
     ":1:18: found 4294967297, expected a number up to 2^31 - 1, or an L"},
    {LAUNCH "buffers: { a = { bytes = 0x1FFFFFFFFFFFFFFFFL; }; };" PROGRAM,
     ":2:26: found 0x1FFFFFFFFFFFFFFFFL, expected a number up to 2^63 - 1"},
    {LAUNCH "buffers = 1;" PROGRAM, "found 'buffers', expected a group"},
    {LAUNCH "buffers: { a = 1; };" PROGRAM, "found 'a', expected a group"},
    {LAUNCH "buffers: { a = { }; };" PROGRAM, "found 'a', expected a key 'byt"},
    {LAUNCH "buffers: { a = { bytes = 0; }; };" PROGRAM,
     "found 'bytes', expec"},
    {LAUNCH "buffers: { a = { byte = 1; }; };" PROGRAM,
     "(did you mean 'bytes'"},
    {LAUNCH "buffers: { tid = { bytes = 1; }; };" PROGRAM,
     "found 'tid', expected a buffer name"},
    {LAUNCH "buffers: { a-b = { bytes = 1; }; };" PROGRAM,
     "found 'a-b', expected a buffer name"},
    {LAUNCH "buffers: { a = { bytes = 1099511627776L; };\nb = { bytes = 1; }; "
            "};" PROGRAM,
     ":3: found 'b', expected buffers of at most 2^40 bytes"},
    {LAUNCH "constants = 1;" PROGRAM, "found 'constants', expected a group"},
    {LAUNCH "constants: { tid = 1; };" PROGRAM,
     "found 'tid', expected a name of letters, digits and _ that nothing"},
    {LAUNCH "buffers: { a = { bytes = 4; }; };\nconstants: { a = 1; };" PROGRAM,
     ":3: found 'a', expected a name of letters, digits and _ that nothing"},
    {LAUNCH "constants: { n = \"1\"; };" PROGRAM, "found 'n', expected a"},
    {"launch: { grid = -1; block = 32; registers = 4; };\n" PROGRAM,
     ":1: found 'grid', expected a whole number from 1 to 2147483647, not -1"},
    {"launch: { grid = 2; block = 32; registers = 0; };\n" PROGRAM,
     "found 'registers', expected a whole number from 1 to 255, not 0"},
    {LAUNCH "facts: { };" PROGRAM, "found unknown key 'facts'"},
    {LAUNCH "name = 3;" PROGRAM, "found 'name', expected a string"},
    {LAUNCH "name = \"a,b\";" PROGRAM, "found 'name', expected letters"},
    {LAUNCH "name = \"\";" PROGRAM, "found 'name', expected letters"},
    {LAUNCH "source = 3;" PROGRAM, "found 'source', expected a string"},
    {LAUNCH "@include \"/etc/passwd\"\n" PROGRAM,
     ":2:1: found '@include', expected a file that stands on its own"},
};

START_TEST(file_errors)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_ptr_null(parse(bad_files[_i].text, NULL, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strncmp(e.text, "dir/file.kernel:", 16) == 0, "%s", e.text);
    ck_assert_msg(strstr(e.text, bad_files[_i].message) != NULL,
                  "found %s\nexpected %s", e.text, bad_files[_i].message);
}
END_TEST

/* What looks like a mistake and is none. */
START_TEST(odd_but_right)
{
    static const char *const texts[] = {
        "/* program = \"x\" */ // @include\n# 99999999999\n" LAUNCH
        "name = \"p\"; summary = \"program = 99999999999 @include\";"
        "program : \n /* here */ \"exit # program = 1\";",
        "program = \"exit\"; launch = { grid = (1, 2); block = [32]; registers "
        "="
        " 0xff; };",
        LAUNCH "program = \"\r\n  exit\r\n\";",
        LAUNCH "program = \"mov r1 # no @p end\n exit # more ] [\";",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct error e = {STATUS_OK, ""};
        struct kernel *k = parse(texts[i], NULL, &e);
        ck_assert_msg(k != NULL, "%s: %s", texts[i], e.text);
        kernel_free(k);
    }
}
END_TEST

START_TEST(nul_character)
{
    struct error e = {STATUS_OK, ""};
    static const char text[] = LAUNCH "\0" PROGRAM;
    ck_assert_ptr_null(
        kernel_file_parse(text, sizeof(text) - 1, "f", NULL, &e));
    ck_assert_str_eq(e.text, "f:2:1: found a NUL character, expected text");
}
END_TEST

/* ---- depth -------------------------------------------------------------- */

static char *repeated(const char *before, const char *piece, int n,
                      const char *after)
{
    static char text[TEXT_MAX];
    size_t used = strlen(before), size = strlen(piece);
    ck_assert_uint_lt(used + size * (size_t)n + strlen(after), sizeof(text));
    strcpy(text, before);
    for (int i = 0; i < n; i++, used += size)
        strcpy(text + used, piece);
    strcpy(text + used, after);
    return text;
}

START_TEST(deep_nesting)
{
    static const struct {
        const char *before, *piece, *message;
        int n;
    } cases[] = {
        {LAUNCH "program = \"ldg.4 r1, [", "(", "64 nested parentheses", 20000},
        {LAUNCH "program = \"ldg.4 r1, [", "-", "64 nested parentheses", 20000},
        {LAUNCH "program = \"ldg.4 r1, [", "tid+(", "16 intermediate values",
         60},
        {LAUNCH "program = \"ldg.4 r1, [", "hash(", "64 nested parenth", 9000},
        {LAUNCH "program = \"", "if 1\n", "64 nested loops and ifs", 5000},
        {LAUNCH "x = ", "(", "expected libconfig text", 60000},
        {LAUNCH "x = ", "{a=", "expected libconfig text", 20000},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error e = {STATUS_OK, ""};
        bool in_string = strchr(cases[i].before, '"') != NULL;
        char *text = repeated(cases[i].before, cases[i].piece, cases[i].n,
                              in_string ? "1\";" : "1");
        ck_assert_ptr_null(parse(text, NULL, &e));
        ck_assert_msg(strstr(e.text, cases[i].message) != NULL, "%s", e.text);
    }
}
END_TEST

START_TEST(long_programs)
{
    struct error e = {STATUS_OK, ""};
    struct kernel *k = parse(
        repeated(LAUNCH "program = \"", "mov r1\n", 9000, "exit\";"), NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    ck_assert_uint_eq(k->inst_count, 9001);
    kernel_free(k);
    k = parse(
        repeated(LAUNCH "program = \"stg.4 [0", " + 1", 9000, "]\nexit\";"),
        NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    kernel_free(k);
}
END_TEST

/* ---- garbage ------------------------------------------------------------ */

static const char fuzz_seed[] =
    LAUNCH "buffers: { x = { bytes = 4096; }; };\n"
           "program = \"\n"
           "  loop i, 2 + lane % 3, p0\n"
           "    ldg.8 r2, [x + 4*(tx + 16*ty) + hash(i, 9)], r1\n"
           "    if lane < 8 && chance(0.5), p1\n"
           "      @p2 lds.4 r3, [4*(lane ^ 3)]\n"
           "      exit\n"
           "    else\n"
           "      atoms.4 [zipf(9, 1.1) << 2], r4\n"
           "    endif\n"
           "  endloop\n"
           "  exit\n"
           "\";\n";

/* Whatever the text: a kernel whose streams can be walked, or an error. */
static void survive(const char *text)
{
    struct error e = {STATUS_OK, ""};
    struct kernel *k = parse(text, NULL, &e);
    if (k == NULL) {
        ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
        ck_assert(strncmp(e.text, "dir/file.kernel:", 16) == 0);
        return;
    }
    void *state = open_block(k, k->blocks - 1);
    struct step s;
    ck_assert(phases_analyse(k, 0, &e));
    for (int n = 0; n < 300 && k->ops->next(k, state, 0, &s); n++) {
        ck_assert_uint_lt(s.inst, k->inst_count);
        ck_assert_uint_ne(s.mask, 0);
    }
    close_block(k, state);
    kernel_free(k);
}

START_TEST(truncated_files)
{
    char text[sizeof(fuzz_seed)];
    for (size_t n = 0; n <= strlen(fuzz_seed); n++) {
        memcpy(text, fuzz_seed, n);
        text[n] = '\0';
        survive(text);
    }
}
END_TEST

START_TEST(mutated_files)
{
    static const char alphabet[] = "\"{}[]();,.#@=:+-*/%<>&|^!\n 019xrpLie\x80";
    uint32_t random = (uint32_t)_i;
    char text[sizeof(fuzz_seed)];
    for (int n = 0; n < 300; n++) {
        memcpy(text, fuzz_seed, sizeof(text));
        for (int change = 0; change < 1 + n % 4; change++) {
            random = random * 1664525u + 1013904223u;
            text[(random >> 8) % (sizeof(text) - 1)] =
                alphabet[random % (sizeof(alphabet) - 1)];
        }
        survive(text);
    }
}
END_TEST

START_TEST(binary_garbage)
{
    char text[3000];
    uint32_t random = (uint32_t)_i + 77;
    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        random = random * 1664525u + 1013904223u;
        text[i] = (char)(1 + (random >> 8) % 255);
    }
    text[sizeof(text) - 1] = '\0';
    survive(text);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table[0]))

int main(void)
{
    Suite *suite = suite_create("kernel_errors");
    TCase *t = tcase_create("kernel_errors");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, program_errors, 0, COUNT(bad_programs));
    tcase_add_loop_test(t, file_errors, 0, COUNT(bad_files));
    tcase_add_test(t, odd_but_right);
    tcase_add_test(t, nul_character);
    tcase_add_test(t, deep_nesting);
    tcase_add_test(t, long_programs);
    tcase_add_test(t, truncated_files);
    tcase_add_loop_test(t, mutated_files, 0, 8);
    tcase_add_loop_test(t, binary_garbage, 0, 20);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
