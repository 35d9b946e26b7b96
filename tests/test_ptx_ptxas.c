/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registers from ptxas: what it writes (a transcript of ptxas V13.0.88), and
 * programs in its place that answer, fail, babble or hang. */
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/ptx/launch/ptxas.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_CHARS 64

static const char transcript[] =
    "ptxas info    : 4 bytes gmem, 8 bytes cmem[4]\n"
    "ptxas info    : Compiling entry function 'matmul_tiled' for 'sm_75'\n"
    "ptxas info    : Function properties for matmul_tiled\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 60 registers, used 1 barriers, 2048 bytes smem, 384 "
    "bytes cmem[0]\n"
    "ptxas info    : Compile time = 41.988 ms\n"
    "ptxas info    : Compiling entry function 'matmul' for 'sm_90a'\n"
    "ptxas info    : Function properties for matmul\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 8 registers\n";

START_TEST(test_output)
{
    uint32_t n = 0;
    char target[32];
    ck_assert(ptxas_parse(&n, target, transcript, "matmul_tiled"));
    ck_assert_uint_eq(n, 60);
    ck_assert_str_eq(target, "sm_75");
    ck_assert(ptxas_parse(&n, target, transcript, "matmul"));
    ck_assert_uint_eq(n, 8);
    ck_assert_str_eq(target, "sm_90a");
    ck_assert(!ptxas_parse(&n, target, transcript, "matmul_"));
    ck_assert(!ptxas_parse(&n, target, "", "matmul"));
    ck_assert(!ptxas_parse(&n, target, "Used 8 registers\n", "matmul"));
    ck_assert(!ptxas_parse(
        &n, target,
        "Compiling entry function 'k' for 'sm_75'\nUsed 0 registers", "k"));
    ck_assert(!ptxas_parse(
        &n, target,
        "Compiling entry function 'k' for 'sm_75'\nUsed 256 registers", "k"));
    ck_assert(!ptxas_parse(&n, target, "Compiling entry function 'k", "k"));
}
END_TEST

/* ---- programs ----------------------------------------------------------- */

static void write_program(char path[PATH_CHARS], const char *script)
{
    snprintf(path, PATH_CHARS, "/tmp/test_ptxas_XXXXXX");
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    ck_assert_int_eq(fchmod(fd, 0700), 0);
    fclose(f);
}

#define SAYS(n, sm)                                                            \
    "echo \"ptxas info : Compiling entry function 'k' for '" sm "'\"\n"        \
    "echo 'ptxas info : Used " n " registers, used 0 barriers'\n"

static bool ask_for(const char *script, const char *path, int arch,
                    const struct stop *stop, uint32_t *n, char target[32],
                    char why[PTXAS_WHY_MAX])
{
    char program[PATH_CHARS];
    write_program(program, script);
    const struct ptxas_request r = {.program = program,
                                    .path = path,
                                    .entry = "k",
                                    .target = "sm_60",
                                    .arch = arch,
                                    .stop = stop};
    bool ok = ptxas_registers(n, target, &r, why);
    remove(program);
    return ok;
}

static bool ask(const char *script, const char *path, const struct stop *stop,
                uint32_t *n, char target[32], char why[PTXAS_WHY_MAX])
{
    return ask_for(script, path, 0, stop, n, target, why);
}

START_TEST(test_answers)
{
    uint32_t n = 0;
    char target[32], why[PTXAS_WHY_MAX];
    ck_assert_msg(ask(SAYS("33", "sm_60"), "x.ptx", NULL, &n, target, why),
                  "%s", why);
    ck_assert_uint_eq(n, 33);
    /* to either stream, behind megabytes */
    ck_assert(ask(
        "{\n" SAYS("34", "sm_60") "} >&2\n"
                                  "head -c 3000000 /dev/zero | tr '\\0' '\\n'",
        "x.ptx", NULL, &n, target, why));
    ck_assert_uint_eq(n, 34);
    /* what it is asked, with nothing that a shell would see to */
    ck_assert_msg(ask("[ \"$*\" = '-v -o /dev/null --entry=k ./-a $(b);c.ptx "
                      "--gpu-name=sm_60' ] || exit 3\n" SAYS("35", "sm_60"),
                      "-a $(b);c.ptx", NULL, &n, target, why),
                  "%s", why);
    ck_assert_uint_eq(n, 35);
    /* a target that it does not know any more: its own */
    ck_assert(ask("case \"$*\" in *gpu-name*) echo \"ptxas fatal   : Value "
                  "'sm_60' is not defined for option 'gpu-name'\" >&2\nexit 255"
                  ";; esac\n" SAYS("36", "sm_75"),
                  "x.ptx", NULL, &n, target, why));
    ck_assert_uint_eq(n, 36);
    ck_assert_str_eq(target, "sm_75");
}
END_TEST

/* A program that knows some targets, and which it assembles for. */
#define KNOWS(pattern)                                                         \
    "for last in \"$@\"; do :; done\ncase \"$last\" in " pattern               \
    ") sm=${last#*=};;\n*gpu-name*) echo 'ptxas fatal : not defined for "      \
    "gpu-name'; exit 255;;\n*) sm=sm_75;; esac\n"                              \
    "echo \"ptxas info : Compiling entry function 'k' for '$sm'\"\n"           \
    "echo 'ptxas info : Used 40 registers'\n"

/* The GPU's own target; else the text's, sm_60; else the default. */
START_TEST(test_targets)
{
    static const struct {
        const char *script;
        int arch;
        const char *target;
    } row[] = {
        {KNOWS("*sm_60|*sm_70"), 70, "sm_70"},
        {KNOWS("*sm_60|*sm_70"), 80, "sm_60"},
        {KNOWS("*sm_80"), 70, "sm_75"},
        {KNOWS("*sm_60|*sm_52"), 52, "sm_60"},
        {KNOWS("*sm_60"), 60, "sm_60"},
    };
    uint32_t n = 0;
    char target[32], why[PTXAS_WHY_MAX];
    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        ck_assert_msg(
            ask_for(row[i].script, "x.ptx", row[i].arch, NULL, &n, target, why),
            "%s", why);
        ck_assert_str_eq(target, row[i].target);
    }
}
END_TEST

START_TEST(test_failures)
{
    uint32_t n;
    char target[32], why[PTXAS_WHY_MAX];
    static const char *const program[][2] = {
        {"exit 7", ": exit status 7"},
        {"kill -9 $$", ": ended by signal 9"},
        {"echo hello; echo 'ptxas x.ptx, line 3; error : Unknown'; exit 255",
         ": ptxas x.ptx, line 3; error : Unknown"},
        {"echo 'x.ptx, line 3; error   : Unknown'; echo 'ptxas fatal   : Ptx "
         "assembly aborted due to errors'; exit 255",
         ": x.ptx, line 3; error   : Unknown"},
        {"echo hello", ": found no registers in what it writes"},
    };
    for (size_t i = 0; i < sizeof(program) / sizeof(*program); i++) {
        ck_assert(!ask(program[i][0], "x.ptx", NULL, &n, target, why));
        const char *said = strchr(why, ':');
        ck_assert_ptr_nonnull(said);
        ck_assert_str_eq(said, program[i][1]);
    }
    const struct ptxas_request r = {
        .program = "/nowhere/ptxas", .path = "x", .entry = "k", .target = ""};
    ck_assert(!ptxas_registers(&n, target, &r, why));
    ck_assert_str_eq(why, "/nowhere/ptxas: No such file or directory");
}
END_TEST

/* Whether it goes on writing, or stays when it has closed its output; what it
 * started goes with it. */
START_TEST(test_hangs)
{
    uint32_t n;
    char target[32], why[PTXAS_WHY_MAX];
    static const char *const program[] = {"sleep 100", "yes",
                                          "exec >&- 2>&-; sleep 100"};
    for (size_t i = 0; i < sizeof(program) / sizeof(*program); i++) {
        double start = stop_clock();
        const struct stop stop = {.deadline_s = start + 0.2};
        ck_assert(!ask(program[i], "x.ptx", &stop, &n, target, why));
        ck_assert_ptr_nonnull(strstr(why, ": took too long"));
        ck_assert_double_lt(stop_clock() - start, 10);
    }
}
END_TEST

START_TEST(test_find)
{
    char out[PTXAS_PATH_MAX], folder[] = "/tmp/test_ptxas_XXXXXX", path[64],
                              folders[128];
    ck_assert(ptxas_find(out, "/a/b", "/x"));
    ck_assert_str_eq(out, "/a/b");
    ck_assert(!ptxas_find(out, "none", "/x"));
    ck_assert(!ptxas_find(out, "", "/x"));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/ptxas", folder);
    snprintf(folders, sizeof(folders), ":/nowhere:%s:/usr/bin", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
    ck_assert(!ptxas_find(out, NULL, folders) || strcmp(out, path) != 0);
    ck_assert_int_eq(chmod(path, 0700), 0);
    ck_assert(ptxas_find(out, NULL, folders));
    ck_assert_str_eq(out, path);
    remove(path); /* a folder of that name is no program */
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(!ptxas_find(out, NULL, folders) || strcmp(out, path) != 0);
    rmdir(path);
    rmdir(folder);
}
END_TEST

/* ---- a kernel ----------------------------------------------------------- */

static void load(const char *script, int arch, uint32_t given,
                 uint32_t registers, const char *from, const char *note)
{
    char program[PATH_CHARS], path[] = "/tmp/test_ptx_XXXXXX";
    static const char text[] = PTX_HEAD ".visible .entry k()\n{ ret; }\n";
    struct kernel_list l = {0};
    struct error e = {STATUS_OK, ""};
    int fd = mkstemp(path);
    ck_assert_int_eq(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
    close(fd);
    write_program(program, script);
    const struct load_options o = {.ptx.ptxas = program,
                                   .ptx.arch = arch,
                                   .launch.grid = {1, 1, 1},
                                   .launch.block = {1, 1, 1},
                                   .launch.regs_per_thread = given};
    ck_assert_msg(ptx_kernel_load(&l, path, &o, &e), "%s", e.text);
    remove(program);
    remove(path);
    ck_assert_uint_eq(l.kernel[0]->regs_per_thread, registers);
    ck_assert_str_eq(l.kernel[0]->regs_from, from);
    if (note == NULL)
        ck_assert_ptr_null(l.kernel[0]->note);
    else
        ck_assert_ptr_nonnull(strstr(l.kernel[0]->note, note));
    kernel_list_free(&l);
}

START_TEST(test_kernel)
{
    load(SAYS("41", "sm_80"), 0, 0, 41, "ptxas for sm_80", NULL);
    load(SAYS("41", "sm_80"), 80, 0, 41, "ptxas for sm_80", NULL);
    load(SAYS("41", "sm_90a"), 90, 0, 41, "ptxas for sm_90a", NULL);
    load(SAYS("41", "sm_80"), 75, 0, 41, "ptxas for sm_80, newer than the GPU",
         NULL);
    load(SAYS("41", "sm_80"), 35, 0, 16, "liveness; ptxas for sm_80: 41", NULL);
    load("exit 1", 0, 0, 16, "liveness",
         ": exit status 1; registers by liveness");
    load("exit 1", 0, 50, 50, "--regs", NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_ptxas");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_output);
    tcase_add_test(c, test_answers);
    tcase_add_test(c, test_targets);
    tcase_add_test(c, test_failures);
    tcase_add_test(c, test_hangs);
    tcase_add_test(c, test_find);
    tcase_add_test(c, test_kernel);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
