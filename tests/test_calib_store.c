/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/calib_bench.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/calib-test-XXXXXX";

/* The path of the only file in folder, or false. */
static bool kept_file(char *path, size_t size)
{
    DIR *d = opendir(folder);
    int files = 0;
    if (d == NULL)
        return false;
    for (struct dirent *f; (f = readdir(d)) != NULL;)
        if (f->d_name[0] != '.') {
            snprintf(path, size, "%s/%s", folder, f->d_name);
            files++;
        }
    closedir(d);
    return files == 1;
}

START_TEST(kept_fits)
{
    struct bench b;
    bench_make(&b, 11, 16 * 400);
    struct calib_options o = {.mode = MODE_HYBRID, .cache_dir = folder};
    struct study_result fresh, kept, again;
    struct error e;
    char path[4096];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(calib_study(&fresh, &b.study, &o, &e));
    ck_assert(!kept_file(path, sizeof(path)));
    study_result_free(&fresh);

    o.use_cache = true;
    ck_assert(calib_study(&fresh, &b.study, &o, &e));
    ck_assert(kept_file(path, sizeof(path)));
    synthetic_runs = 0;
    ck_assert(calib_study(&kept, &b.study, &o, &e));
    ck_assert_int_eq(synthetic_runs, 0);
    ck_assert(same_results(&b.study, &fresh, &kept));
    ck_assert_str_eq(fresh.fit_note, kept.fit_note);

    FILE *f = fopen(path, "r+");
    fseek(f, 60, SEEK_SET);
    fputs("garbage", f);
    fclose(f);
    ck_assert(calib_study(&again, &b.study, &o, &e));
    ck_assert_int_gt(synthetic_runs, 0);
    ck_assert(same_results(&b.study, &fresh, &again));

    synthetic_runs = 0;
    b.study.policy_count--;
    study_result_free(&again);
    ck_assert(calib_study(&again, &b.study, &o, &e));
    ck_assert_int_gt(synthetic_runs, 0);
    ck_assert(!kept_file(path, sizeof(path)));
    study_result_free(&fresh);
    study_result_free(&kept);
    study_result_free(&again);
}
END_TEST

/* Runs of the sampler that a study took which keeps its fit. */
static int runs_of_build(const struct study *study, const char *revision)
{
    struct calib_options o = {.mode = MODE_HYBRID,
                              .cache_dir = folder,
                              .use_cache = true,
                              .revision = revision};
    struct study_result r;
    struct error e;
    synthetic_runs = 0;
    ck_assert(calib_study(&r, study, &o, &e));
    study_result_free(&r);
    return synthetic_runs;
}

START_TEST(fits_of_another_build_are_not_used)
{
    struct bench b;
    bench_make(&b, 12, 16 * 400);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_gt(runs_of_build(&b.study, "1234567"), 0);
    ck_assert_int_eq(runs_of_build(&b.study, "1234567"), 0);
    ck_assert_int_gt(runs_of_build(&b.study, "89abcde"), 0);
    ck_assert_int_gt(runs_of_build(&b.study, NULL), 0);
    ck_assert_int_eq(runs_of_build(&b.study, "89abcde"), 0);
}
END_TEST

static void empty_folder(void)
{
    DIR *d = opendir(folder);
    if (d == NULL)
        return;
    for (struct dirent *f; (f = readdir(d)) != NULL;) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, f->d_name);
        remove(path);
    }
    closedir(d);
    rmdir(folder);
}

int main(void)
{
    Suite *suite = suite_create("calib: store");
    TCase *c = tcase_create("store");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, NULL, empty_folder);
    tcase_add_test(c, kept_fits);
    tcase_add_test(c, fits_of_another_build_are_not_used);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
