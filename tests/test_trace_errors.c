/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that can be wrong with a trace: one line that names the file and
 * the line, what was found and what was expected. */
#include "tests/trace_files.h"

#include <signal.h>
#include <sys/resource.h>

/* A change to tests/traces/encodings.traceg and what it is to be told by. */
static const struct change {
    const char *from, *to;
    int line;
    const char *found;
} changes[] = {
    /* header */
    {"-kernel name", "\001\377 kernel name", 1, "?? kernel name"},
    {"-kernel name = encodings", "-kernel name =", 1, "without a name"},
    {"(2,1,1)", "(-2,1,1)", 3, "(-2,1,1)"},
    {"(2,1,1)", "(2,1)", 3, "(x,y,z)"},
    {"(2,1,1)", "(2,0,1)", 3, "1 to 2147483647"},
    {"(2,1,1)", "(2,1,1", 3, "(x,y,z)"},
    {"(2,1,1)", "(1000000000,1,1)", 3,
     "grid of 1000000000 blocks, 2 in the trace"},
    {"(2,1,1)", "(3,1,1)", 3, "grid of 3 blocks, 2 in the trace"},
    {"(2,1,1)", "(2147483647,2147483647,8)", 3, "2^64"},
    {"(64,1,1)", "(64,64,1)", 4, "2048 threads"},
    {"shmem = 1024", "shmem = -1", 5, "\"-1\""},
    {"nregs = 20", "nregs = 256", 6, "\"256\", expected registers"},
    {"nregs = 20", "nregs = 2x", 6, "\"2x\""},
    {"version = 70", "version = 7", 7, "\"7\", expected a binary version"},
    {"0x00007f0000000000", "here", 9, "\"here\", expected an address"},
    {"tracer version = 3", "tracer version = 2", 12, "version 3, 4 or 5"},
    {"tracer version = 3", "tracer version = 6", 12, "version 3, 4 or 5"},
    {"-nregs = 20\n", "", 13, "header without \"-nregs\""},

    /* blocks and warps */
    {"#END_TB", "#END", 41, "#BEGIN_TB, expected the end"},
    {"#BEGIN_TB", "#BEGIN", 18, "thread block without #BEGIN_TB"},
    {"thread block = 0,0,0", "thread block = 2,0,0", 18, "grid (2,1,1)"},
    {"thread block = 0,0,0", "thread block = 0,0", 18, "grid (2,1,1)"},
    {"thread block = 1,0,0", "thread block = 0,0,0", 41,
     "block 0 of the grid is in the trace twice"},
    {"thread block = 0,0,0", "", 20, "warp outside of a thread block"},
    {"warp = 1\n", "warp = 2\n", 34, "warp 2 in blocks of 64 threads"},
    {"warp = 1\n", "warp = 0\n", 34, "warp 0 again, its first is in line 20"},
    {"warp = 1\n", "warp = one\n", 34, "\"warp = N\""},
    {"warp = 1\n", "\n", 35, "\"insts\" without \"warp\""},
    {"warp = 1\ninsts = 2\n0000 ffffffff 1 R2 S2R 0 0\n"
     "0090 ffffffff 0 EXIT 0 0\n",
     "", 35, "block has 1 of its 2 warps"},
    {"insts = 11", "insts = 12", 21, "insts = 12, found 11 instructions"},
    {"insts = 11", "insts = 9", 31, "insts = 9 in line 21"},
    {"insts = 11", "insts = 0", 21, "at least one instruction"},
    {"insts = 11", "insts = -1", 21, "at least one instruction"},

    /* instructions */
    {"0010 ffffffff", "001x ffffffff", 23, "expected an instruction"},
    {"0010 ffffffff", "0010 1ffffffff", 23, "32 bits"},
    {"1 R4 LDG.E.SYS", "9 R4 LDG.E.SYS", 23, "destination registers, 0 to 8"},
    {"1 R4 LDG.E.SYS", "1 R99999999999 LDG.E.SYS", 23, "R0 to R255"},
    {"1 R4 LDG.E.SYS", "1 R256 LDG.E.SYS", 23, "\"R256\""},
    {"1 R4 LDG.E.SYS", "1 P4 LDG.E.SYS", 23, "\"P4\""},
    {"1 R4 LDG.E.SYS", "2 R4 LDG.E.SYS", 23, "\"LDG.E.SYS\", expected a reg"},
    {"LDG.E.SYS 1 R2", "ldg 1 R2", 23, "\"ldg\", expected an opcode"},
    {"LDG.E.SYS 1 R2", "FROBNICATE.E 1 R2", 23,
     "unknown opcode FROBNICATE for sm_70, expected"},
    {"LDG.E.SYS 1 R2 4 1 0x7f1000000000 4", "LDG.E.SYS 1 R2", 23,
     "line ends where the memory width"},
    {"LDG.E.SYS 1 R2 4 1 0x7f1000000000 4", "LDG.E.SYS 1 R2 0", 23,
     "LDG.E.SYS without addresses"},
    {"LDG.E.SYS 1 R2 4 1", "LDG.E.SYS 1 R2 3 1", 23, "memory width 3"},
    {"LDG.E.SYS 1 R2 4 1", "LDG.E.SYS 1 R2 4 3", 23, "mode 0, 1 or 2"},
    {"0x7f1000000000 4\n", "0x7f1000000000\n", 23, "the stride"},
    {"0x7f1000000000 4\n", "q 4\n", 23, "first address"},
    {"0x7f1000000000 4\n", "0x7f1000000000 4 0 1\n", 23,
     "\"1\", expected an immediate or the end"},
    {" 0x7f1000000000\n", "\n", 24, "line ends where an address for each"},
    {"32 -16 0 100", "32 -16 0", 25, "line ends where an address difference"},
    {"0090 ffffffff 0 EXIT 0 0\n", "0090 ffffffff 0 EXIT\n", 32,
     "source registers"},
};

/* Load `path`, which must fail; the message. */
static struct error fail_to_load(const char *path, const struct load_options *o)
{
    struct kernel_list list;
    struct error e;

    ck_assert(!trace_load(&list, path, o, &e));
    ck_assert_uint_eq(list.count, 0);
    return e;
}

static void check_message(const struct error *e, const char *path, int line,
                          const char *found)
{
    char place[64];

    snprintf(place, sizeof(place), "%s:%d: ", path, line);
    ck_assert_int_eq(e->status, STATUS_BAD_INPUT);
    ck_assert_msg(strncmp(e->text, place, strlen(place)) == 0,
                  "\"%s\" does not begin with \"%s\"", e->text, place);
    ck_assert_msg(strstr(e->text, found) != NULL, "no \"%s\" in \"%s\"", found,
                  e->text);
}

START_TEST(changed_trace)
{
    const char *const files[] = {"bad.traceg", NULL};
    const struct change *c = &changes[_i];
    char *text = read_text("tests/traces/encodings.traceg"), *bad, folder[32];
    struct error e;

    enter_folder(folder);
    bad = replaced(text, c->from, c->to);
    write_text("bad.traceg", bad);
    e = fail_to_load("bad.traceg", &no_options);
    check_message(&e, "bad.traceg", c->line, c->found);
    remove_folder(folder, files);
    free(bad);
    free(text);
}
END_TEST

/* However it is cut short, a trace is an error, in a line that it has. */
START_TEST(truncated_trace)
{
    const char *const files[] = {"bad.traceg", NULL};
    char *text = read_text("tests/traces/encodings.traceg"), folder[32];
    size_t whole = (size_t)(strrchr(text, '#') - text) + strlen("#END_TB");

    enter_folder(folder);
    for (size_t n = 0; n < whole; n++) {
        struct error e;

        write_bytes("bad.traceg", text, n);
        e = fail_to_load("bad.traceg", &no_options);
        ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
        ck_assert_msg(strncmp(e.text, "bad.traceg:", 11) == 0, "%s", e.text);
        ck_assert_int_ge(atoi(e.text + 11), 1);
        ck_assert_int_le(atoi(e.text + 11), 54);
    }
    remove_folder(folder, files);
    free(text);
}
END_TEST

/* Any one byte changed: an error or a trace, but no crash and no hang. */
START_TEST(damaged_trace)
{
    const char *const files[] = {"bad.traceg", NULL};
    char *text = read_text("tests/traces/divergence.traceg"), folder[32];
    static const char bytes[] = {'\0', '\377', ' ', '9', '-', '\n'};
    int accepted = 0, refused = 0;

    enter_folder(folder);
    for (size_t i = 0; i < strlen(text); i += 3) {
        struct kernel_list list;
        struct error e;
        char kept = text[i];

        text[i] = bytes[i / 3 % sizeof(bytes)];
        write_bytes("bad.traceg", text,
                    text[i] == '\0' ? i + 1 + strlen(text + i + 1)
                                    : strlen(text));
        if (trace_load(&list, "bad.traceg", &no_options, &e)) {
            accepted++;
            kernel_list_free(&list);
        } else {
            refused++;
        }
        text[i] = kept;
    }
    ck_assert_int_gt(accepted, 0);
    ck_assert_int_gt(refused, 0);
    remove_folder(folder, files);
    free(text);
}
END_TEST

START_TEST(several_unknown_opcodes)
{
    const char *const files[] = {"bad.traceg", NULL};
    char *text = read_text("tests/traces/encodings.traceg"), folder[32];
    char *once = replaced(text, "LDG.E.U8", "BLAH.X");
    char *twice = replaced(once, "STS.128", "BLAH.Y");
    char *thrice = replaced(twice, "LDS.U.16", "QUUX");
    const struct load_options o = {.trace.unknown_op = "memory"};
    struct error e;

    enter_folder(folder);
    write_text("bad.traceg", thrice);
    e = fail_to_load("bad.traceg", &no_options);
    check_message(&e, "bad.traceg", 25,
                  "BLAH for sm_70 (and 1 other unknown opcode)");
    e = fail_to_load("bad.traceg", &o);
    ck_assert_int_eq(e.status, STATUS_USAGE);
    remove_folder(folder, files);
    free(thrice);
    free(twice);
    free(once);
    free(text);
}
END_TEST

/* No grid hides these: what is traced twice, or a trace of nothing. */
START_TEST(errors_in_spite_of_grid)
{
    const char *const files[] = {"bad.traceg", NULL};
    const struct load_options o = {.launch.grid = {5, 1, 1}};
    const struct load_options huge = {.launch.grid = {5, 1, 1},
                                      .launch.block = {1024, 3, 1}};
    char *text = read_text("tests/traces/encodings.traceg"), folder[32];
    char *twice =
        replaced(text, "thread block = 1,0,0", "thread block = 0,0,0");
    struct error e;

    enter_folder(folder);
    write_text("bad.traceg", twice);
    e = fail_to_load("bad.traceg", &o);
    check_message(&e, "bad.traceg", 41, "twice");
    *strstr(text, "#BEGIN_TB") = '\0';
    write_text("bad.traceg", text);
    e = fail_to_load("bad.traceg", &o);
    check_message(&e, "bad.traceg", 15, "no thread block");
    e = fail_to_load("bad.traceg", &huge);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    remove_folder(folder, files);
    free(twice);
    free(text);
}
END_TEST

START_TEST(files_and_lists)
{
    const char *const files[] = {"kernelslist.g", "long.traceg",
                                 "short.traceg.xz", NULL};
    static const uint8_t xz[] = {0xfd, '7', 'z', 'X', 'Z', 0, 0, 4};
    char folder[32], *line = malloc(3 << 20);
    struct error e;

    ck_assert(line != NULL);
    enter_folder(folder);
    e = fail_to_load("none.traceg", &no_options);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert(strstr(e.text, "none.traceg") != NULL);
    e = fail_to_load(folder, &no_options);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert(strstr(e.text, "kernelslist.g") != NULL);
    write_text("kernelslist.g", "MemcpyHtoD,0x0,4\nkernel-9.traceg\n");
    e = fail_to_load("kernelslist.g", &no_options);
    check_message(&e, "kernelslist.g", 2, "kernel-9.traceg");
    write_text("kernelslist.g", "MemcpyHtoD,0x0,4\nlaunch\n");
    e = fail_to_load("kernelslist.g", &no_options);
    check_message(&e, "kernelslist.g", 2, "\"launch\"");
    write_text("kernelslist.g", "MemcpyHtoD,0x0,4\n");
    e = fail_to_load("kernelslist.g", &no_options);
    check_message(&e, "kernelslist.g", 1, "no kernel");
    memset(line, '#', 3 << 20);
    write_bytes("long.traceg", line, 3 << 20);
    e = fail_to_load("long.traceg", &no_options);
    check_message(&e, "long.traceg", 1, "line of more than");
    write_bytes("short.traceg.xz", xz, sizeof(xz));
    e = fail_to_load("short.traceg.xz", &no_options);
    check_message(&e, "short.traceg.xz", 1, "ends too early");
    remove_folder(folder, files);
    free(line);
}
END_TEST

START_TEST(no_room_for_the_streams)
{
    const struct rlimit none = {0, 0};
    struct error e;

    setenv("TMPDIR", "/nonexistent", 1);
    e = fail_to_load("tests/traces/encodings.traceg", &no_options);
    ck_assert_int_eq(e.status, STATUS_FAILED);
    ck_assert(strstr(e.text, "/nonexistent") != NULL);
    setenv("TMPDIR", "/tmp", 1);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert(setrlimit(RLIMIT_FSIZE, &none) == 0);
    e = fail_to_load("tests/traces/encodings.traceg", &no_options);
    ck_assert_int_eq(e.status, STATUS_FAILED);
    ck_assert(strstr(e.text, "cannot write") != NULL);
    _exit(0); /* nothing can be written any more, not even a test report */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace errors");
    TCase *cases = tcase_create("bad traces");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(cases, changed_trace, 0,
                        sizeof(changes) / sizeof(changes[0]));
    tcase_add_test(cases, truncated_trace);
    tcase_add_test(cases, damaged_trace);
    tcase_add_test(cases, several_unknown_opcodes);
    tcase_add_test(cases, errors_in_spite_of_grid);
    tcase_add_test(cases, files_and_lists);
    tcase_add_exit_test(cases, no_room_for_the_streams, 0);
    tcase_set_timeout(cases, 300);
    suite_add_tcase(suite, cases);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
