/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inputs that fuzzing starts from and those it has found, given to the
 * parsers: nothing may crash, hang or leak. */
#include "tests/fuzz/fuzz.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define FOLDER         "tests/fuzz"
#define SIZE_MAX_BYTES (1 << 20)

static const struct {
    const char *name;
    fuzz_target *run;
} targets[] = {{"argument", fuzz_argument},
               {"csv", fuzz_csv},
               {"gpgpusim", fuzz_gpgpusim},
               {"gpu", fuzz_gpu},
               {"kernel", fuzz_kernel},
               {"launch", fuzz_launch},
               {"list", fuzz_list},
               {"ptx", fuzz_ptx},
               {"sample", fuzz_sample},
               {"trace", fuzz_trace},
               {"xz", fuzz_xz}};
#define TARGETS (int)(sizeof(targets) / sizeof(targets[0]))

static void run_file(fuzz_target *run, const char *path)
{
    uint8_t *data = malloc(SIZE_MAX_BYTES);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(data != NULL && f != NULL, "%s", path);
    size_t size = fread(data, 1, SIZE_MAX_BYTES, f);
    fclose(f);
    run(data, size);
    free(data);
}

/* How many files there are in the folder. */
static int run_folder(fuzz_target *run, const char *folder)
{
    int files = 0;
    DIR *d = opendir(folder);
    if (d == NULL)
        return 0;
    for (struct dirent *f; (f = readdir(d)) != NULL;) {
        char path[512];
        if (f->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, f->d_name);
        run_file(run, path);
        files++;
    }
    closedir(d);
    return files;
}

START_TEST(corpus)
{
    char folder[64];
    snprintf(folder, sizeof(folder), FOLDER "/corpus/%s", targets[_i].name);
    ck_assert_int_gt(run_folder(targets[_i].run, folder), 0);
}
END_TEST

START_TEST(found)
{
    char folder[64];
    snprintf(folder, sizeof(folder), FOLDER "/found/%s", targets[_i].name);
    run_folder(targets[_i].run, folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fuzz");
    TCase *tc = tcase_create("inputs");
    tcase_add_loop_test(tc, corpus, 0, TARGETS);
    tcase_add_loop_test(tc, found, 0, TARGETS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
