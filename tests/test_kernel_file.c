/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel files as a whole: what they say and how they are found. */
#include "kernels/load.h"
#include "tests/kernel_text.h"

#include <check.h>
#include <sys/stat.h>
#include <unistd.h>

static const char saxpy[] =
    "name    = \"saxpy-1\";\n"
    "summary = \"y = a*x + y\";\n"
    "source  = \"textbook\";\n"
    "launch: { grid = [64, 2]; block = [128]; registers = 10;\n"
    "          shared_bytes = 512; };\n"
    "buffers: { x = { bytes = 100; }; y = { bytes = 4294967296L; };\n"
    "           z = { bytes = 1; }; };\n"
    "program = \"\n"
    "    ldg.4 r3, [x + 4*gtid]\n"
    "    stg.4 [z], r3\n"
    "    exit\n"
    "\";\n";

static struct kernel *parse(const char *text, const struct load_options *o,
                            struct error *e)
{
    return kernel_file_parse(text, strlen(text), "dir/file.kernel", o, e);
}

START_TEST(whole_file)
{
    struct error e;
    struct kernel *k = parse(saxpy, NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    ck_assert_str_eq(k->name, "saxpy-1");
    ck_assert_str_eq(k->summary, "y = a*x + y");
    ck_assert_str_eq(k->path, "dir/file.kernel");
    ck_assert_uint_eq(k->grid.x, 64);
    ck_assert_uint_eq(k->grid.y, 2);
    ck_assert_uint_eq(k->grid.z, 1);
    ck_assert_uint_eq(k->blocks, 128);
    ck_assert_uint_eq(k->threads_per_block, 128);
    ck_assert_uint_eq(k->warps_per_block, 4);
    ck_assert_uint_eq(k->regs_per_thread, 10);
    ck_assert_uint_eq(k->shared_bytes, 512);
    kernel_free(k);
}
END_TEST

START_TEST(buffers_lie_one_after_another)
{
    struct error e;
    struct step s;
    struct kernel *k = parse(saxpy, NULL, &e);
    void *state = open_block(k, 0);
    ck_assert(k->ops->next(k, state, 0, &s));
    ck_assert_uint_eq(s.base, (uint64_t)1 << 32);
    ck_assert(k->ops->next(k, state, 0, &s));
    ck_assert_uint_eq(s.base, ((uint64_t)1 << 33) + 256);
    close_block(k, state);
    kernel_free(k);
}
END_TEST

/* A constant's name stands for its number, in addresses and in trip counts. */
START_TEST(constants_are_numbers)
{
    static const char text[] =
        "launch: { grid = 1; block = 32; registers = 4; };\n"
        "buffers: { x = { bytes = 1000; }; };\n"
        "constants: { far = 100; none = -1; };\n"
        "program = \"\nloop i, none + 4\n"
        "ldg.4 r1, [x + 4*lane + far]\nendloop\nexit\n\";\n";
    struct error e;
    struct kernel *k =
        kernel_file_parse(text, strlen(text), "t.kernel", NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    ck_assert_uint_eq(k->buffers, 1);
    void *state = open_block(k, 0);
    struct step s;
    int loads = 0;
    while (k->ops->next(k, state, 0, &s))
        if (k->inst[s.inst].op == OP_LOAD) {
            ck_assert_uint_eq(step_address(&s, 0), k->buffer[0].address + 100);
            loads++;
        }
    ck_assert_int_eq(loads, 3);
    close_block(k, state);
    kernel_free(k);
}
END_TEST

START_TEST(name_from_file)
{
    struct error e;
    struct kernel *k = parse("launch: { grid = 1; block = 1; registers = 1; };"
                             "program = \"exit\";",
                             NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    ck_assert_str_eq(k->name, "file");
    ck_assert_str_eq(k->summary, "");
    kernel_free(k);
}
END_TEST

START_TEST(overrides)
{
    struct error e;
    struct load_options o = {.launch.grid = {7, 0, 0},
                             .launch.block = {32, 3, 0},
                             .launch.regs_per_thread = 20,
                             .launch.shared_bytes = 0,
                             .launch.shared_given = true};
    struct kernel *plain = parse(saxpy, NULL, &e);
    struct kernel *k = parse(saxpy, &o, &e);
    ck_assert_uint_eq(k->blocks, 7);
    ck_assert_uint_eq(k->threads_per_block, 96);
    ck_assert_uint_eq(k->regs_per_thread, 20);
    ck_assert_uint_eq(k->shared_bytes, 0);
    ck_assert_uint_ne(k->hash, plain->hash);
    kernel_free(k);
    o = (struct load_options){.seed = 1};
    k = parse(saxpy, &o, &e);
    ck_assert_uint_ne(k->hash, plain->hash);
    kernel_free(k);
    k = parse(saxpy, NULL, &e);
    ck_assert_uint_eq(k->hash, plain->hash);
    kernel_free(k);
    kernel_free(plain);
}
END_TEST

static const char sides_of_block[] =
    "launch: { grid = [16, 4]; block = 32; registers = 4; };\n"
    "buffers: { x = { bytes = 65536; }; };\n"
    "program = \"\n    ldg.4 r1, [x + %s], r0\n    exit\n\";\n";

/* A grid that is given changes what is made of its sides, and nothing where the
 * file makes them of the block's number. */
START_TEST(rows_are_those_that_addresses_have)
{
    struct error e;
    char text[512];
    struct load_options o = {.launch.grid = {64, 1, 1}};
    snprintf(text, sizeof(text), sides_of_block,
             "4096 * (block / 16) + 64 * (block % 16)");
    struct kernel *k = parse(text, &o, &e);
    ck_assert_uint_eq(k->row, 16);
    kernel_free(k);
    snprintf(text, sizeof(text), sides_of_block, "4096 * by + 64 * bx");
    k = parse(text, &o, &e);
    ck_assert_uint_eq(k->row, 64);
    kernel_free(k);
}
END_TEST

static const struct {
    struct launch launch;
    const char *message;
} bad_launches[] = {
    {{.block = {1025, 1, 1}}, "1025 x 1 x 1 threads, expected at most 1024"},
    {{.block = {64, 64, 1}}, "64 x 64 x 1 threads"},
    {{.block = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}, "expected at most 1024"},
    {{.grid = {1u << 31, 1u << 31, 4}}, "blocks, expected at most 2^40"},
    {{.grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}, "at most 2^40"},
    {{.regs_per_thread = 256}, "256 registers a thread"},
    {{.shared_bytes = 1u << 30, .shared_given = true}, "shared memory"},
};

START_TEST(launch_errors)
{
    struct error e = {STATUS_OK, ""};
    const struct load_options o = {.launch = bad_launches[_i].launch};
    ck_assert_ptr_null(parse(saxpy, &o, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, bad_launches[_i].message) != NULL, "%s",
                  e.text);
    ck_assert(strncmp(e.text, "dir/file.kernel: ", 17) == 0);
}
END_TEST

/* ---- loading by name ---------------------------------------------------- */

/* A file with this text in a folder of its own. */
struct scratch {
    char folder[64], path[100];
};

static struct scratch write_file(const char *name, const char *text)
{
    struct scratch s = {.folder = "/tmp/estimate_test_XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(s.folder));
    snprintf(s.path, sizeof(s.path), "%s/%s", s.folder, name);
    FILE *f = fopen(s.path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    return s;
}

static void remove_file(const struct scratch *s)
{
    remove(s->path);
    rmdir(s->folder);
}

START_TEST(load_a_file)
{
    struct kernel_list list;
    struct error e;
    struct scratch file = write_file("a.kernel", saxpy);
    ck_assert_msg(kernel_load(&list, file.path, NULL, &e), "%s", e.text);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_str_eq(list.kernel[0]->path, file.path);
    ck_assert_uint_eq(list.kernel[0]->phase_count, 2);
    kernel_list_free(&list);
    remove_file(&file);
}
END_TEST

START_TEST(load_errors)
{
    static const struct {
        const char *input;
        enum status status;
        const char *message;
    } cases[] = {
        {"/nonexistent.kernel", STATUS_BAD_INPUT, "no such file"},
        {"nonexistent.kernel", STATUS_BAD_INPUT, "no such file"},
        {"./nonexistent", STATUS_BAD_INPUT, "no such file"},
        {"nonexistent.traceg.xz", STATUS_BAD_INPUT, "no such file"},
        {"kernelslist.g", STATUS_BAD_INPUT, "no such file"},
        {"nonexistent", STATUS_USAGE, "found 'nonexistent', expected a bund"},
        {"", STATUS_USAGE, "found '', expected a bundled kernel"},
        {"/dev/null", STATUS_BAD_INPUT,
         "/dev/null: found an unknown kind of file, expected .kernel, .ptx, "
         ".launch, .traceg, .traceg.xz, kernelslist.g or a folder"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct kernel_list list;
        struct error e = {STATUS_OK, ""};
        ck_assert(!kernel_load(&list, cases[i].input, NULL, &e));
        ck_assert_uint_eq(list.count, 0);
        ck_assert_msg(e.status == cases[i].status, "%s", e.text);
        ck_assert_msg(strstr(e.text, cases[i].message) != NULL, "%s", e.text);
    }
}
END_TEST

/* Whatever its name ends in, a folder is one of traces. */
START_TEST(load_a_folder)
{
    static const char *const names[] = {"a.kernel", "a.ptx", "a.launch", "a.g"};
    char folder[] = "/tmp/test_kernel_XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct kernel_list list;
        struct error e = {STATUS_OK, ""};
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        ck_assert(!kernel_load(&list, path, NULL, &e));
        ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
        ck_assert_msg(strstr(e.text, "kernelslist.g") != NULL, "%s", e.text);
        rmdir(path);
    }
    rmdir(folder);
}
END_TEST

START_TEST(load_ptx)
{
    struct kernel_list list;
    struct error e = {STATUS_OK, ""};
    struct scratch file = write_file("a.ptx", ".version 6.0\n.target sm_60");
    ck_assert(!kernel_load(&list, file.path, NULL, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, "a.ptx: found no entry") != NULL, "%s",
                  e.text);
    remove_file(&file);
}
END_TEST

START_TEST(bundled_kernels_load)
{
    size_t count, paws;
    const char *const *names = kernel_bundled_names(&count);
    const char *const *set = kernel_default_names(&paws);
    struct kernel_list list;
    struct error e = {STATUS_OK, ""};
    for (size_t i = 0; i < count; i++) {
        ck_assert(i == 0 || strcmp(names[i - 1], names[i]) < 0);
        ck_assert_msg(kernel_load(&list, names[i], NULL, &e), "%s", e.text);
        ck_assert_str_eq(list.application != NULL ? list.application
                                                  : list.kernel[0]->name,
                         names[i]);
        kernel_list_free(&list);
    }
    ck_assert_uint_eq(paws, 14);
    for (size_t i = 0; i < paws; i++) {
        ck_assert_msg(kernel_load(&list, set[i], NULL, &e), "%s", e.text);
        kernel_list_free(&list);
    }
    ck_assert(!kernel_load(&list, "heartwal", NULL, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(e.text, "did you mean 'heartwall'?"));
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table[0]))

int main(void)
{
    Suite *suite = suite_create("kernel_file");
    TCase *t = tcase_create("kernel_file");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, whole_file);
    tcase_add_test(t, buffers_lie_one_after_another);
    tcase_add_test(t, constants_are_numbers);
    tcase_add_test(t, name_from_file);
    tcase_add_test(t, overrides);
    tcase_add_test(t, rows_are_those_that_addresses_have);
    tcase_add_loop_test(t, launch_errors, 0, COUNT(bad_launches));
    tcase_add_test(t, load_a_file);
    tcase_add_test(t, load_errors);
    tcase_add_test(t, load_a_folder);
    tcase_add_test(t, load_ptx);
    tcase_add_test(t, bundled_kernels_load);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
