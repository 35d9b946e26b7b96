/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/sample_bytes.h"
#include "calib/store.h"
#include "tests/calib_bench.h"

#include <check.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define POINTS (8 * SYNTHETIC_POLICIES)

static char folder[] = "/tmp/calib-test-XXXXXX";
static char file[64];

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(file, sizeof(file), "%s/kept.db", folder);
}

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

/* Runs of the sampler that a study takes. */
static int runs(struct study_result *out, const struct study *study,
                const struct calib_options *o)
{
    struct error e;
    synthetic_runs = 0;
    ck_assert_msg(calib_study(out, study, o, &e), "%s", e.text);
    return synthetic_runs;
}

static int runs_alone(const struct study *study, const struct calib_options *o)
{
    struct study_result r;
    int n = runs(&r, study, o);
    study_result_free(&r);
    return n;
}

START_TEST(what_was_sampled_is_not_sampled_again)
{
    struct bench b;
    bench_make(&b, 11, 16 * 400);
    struct calib_options o = {.mode = MODE_HYBRID, .cache_dir = folder};
    struct study_result fresh, first, again;
    char path[4096];
    int all = runs(&fresh, &b.study, &o);
    ck_assert_int_gt(all, 0);
    ck_assert(!kept_file(path, sizeof(path)));

    o.use_cache = true;
    ck_assert_int_eq(runs(&first, &b.study, &o), all);
    ck_assert(kept_file(path, sizeof(path)));
    ck_assert_int_eq(runs(&again, &b.study, &o), 0);
    ck_assert(same_results(&b.study, &fresh, &first));
    ck_assert(same_results(&b.study, &fresh, &again));
    study_result_free(&again);

    o.refresh = true;
    ck_assert_int_eq(runs_alone(&b.study, &o), all);
    o.refresh = false;

    FILE *f = fopen(path, "r+");
    for (int i = 0; i < 4096; i++)
        fputc('x', f);
    fclose(f);
    ck_assert_int_eq(runs(&again, &b.study, &o), all);
    ck_assert(same_results(&b.study, &fresh, &again));
    ck_assert_int_eq(runs_alone(&b.study, &o), 0);
    study_result_free(&fresh);
    study_result_free(&first);
    study_result_free(&again);
}
END_TEST

/* Under other policies, seeds, block counts; in full detail a point is a
 * sample. */
START_TEST(a_sample_is_found_by_what_it_depends_on)
{
    struct bench b;
    bench_make(&b, 13, 400);
    struct calib_options o = {.mode = MODE_DETAILED, .store = file, .seed = 1};
    b.study.policy_count--;
    ck_assert_int_eq(runs_alone(&b.study, &o), POINTS - 8);
    b.study.policy_count++;
    ck_assert_int_eq(runs_alone(&b.study, &o), 8);
    b.study.tb_count = 3;
    ck_assert_int_eq(runs_alone(&b.study, &o), 0);
    o.seed = 2;
    ck_assert_int_gt(runs_alone(&b.study, &o), 0);
    o.seed = 1;
    b.kernel.hash++;
    ck_assert_int_gt(runs_alone(&b.study, &o), 0);
    b.kernel.hash--;
    struct gpu other = synthetic_gpu;
    other.dram.gbps *= 2;
    b.study.gpu = &other;
    ck_assert_int_gt(runs_alone(&b.study, &o), 0);
}
END_TEST

START_TEST(samples_of_another_build_are_not_used)
{
    struct bench b;
    bench_make(&b, 12, 16 * 400);
    struct calib_options o = {.mode = MODE_HYBRID, .store = file};
    o.sources = "1234567";
    ck_assert_int_gt(runs_alone(&b.study, &o), 0);
    ck_assert_int_eq(runs_alone(&b.study, &o), 0);
    o.sources = "89abcde";
    ck_assert_int_gt(runs_alone(&b.study, &o), 0);
    o.sources = NULL;
    ck_assert_int_gt(runs_alone(&b.study, &o), 0);
    o.sources = "89abcde";
    ck_assert_int_eq(runs_alone(&b.study, &o), 0);
}
END_TEST

START_TEST(what_a_limit_touches_is_not_kept)
{
    struct bench b;
    bench_make(&b, 14, 400);
    struct calib_options o = {.mode = MODE_DETAILED, .store = file};
    struct study_result cut, whole, again;
    o.max_cycles = 3;
    ck_assert_int_eq(runs(&cut, &b.study, &o), POINTS);
    ck_assert(cut.result[0].partial);
    o.max_cycles = 0;
    ck_assert_int_eq(runs(&whole, &b.study, &o), POINTS);
    ck_assert(!whole.result[0].partial);
    o.max_cycles = 3;
    ck_assert_int_eq(runs(&again, &b.study, &o), POINTS);
    ck_assert(same_results(&b.study, &cut, &again));
    o.max_cycles = UINT64_C(1) << 40;
    ck_assert_int_eq(runs_alone(&b.study, &o), 0);
    study_result_free(&cut);
    study_result_free(&whole);
    study_result_free(&again);
}
END_TEST

/* Two processes write to a file at the same time, each some of the samples. */
START_TEST(processes_share_a_file)
{
    struct bench b;
    bench_make(&b, 15, 400);
    struct calib_options o = {
        .mode = MODE_DETAILED, .store = file, .threads = 1};
    for (int half = 0; half < 2; half++)
        if (fork() == 0) {
            struct study_result r;
            struct error e;
            b.study.tb += 4 * half;
            b.study.tb_count = 4;
            for (int i = 0; i < 20; i++) {
                o.seed = (uint64_t)i;
                if (!calib_study(&r, &b.study, &o, &e))
                    _exit(EXIT_FAILURE);
                study_result_free(&r);
            }
            _exit(EXIT_SUCCESS);
        }
    for (int status, left = 2; left > 0; left--) {
        ck_assert(wait(&status) > 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    }
    for (int i = 0; i < 20; i++) {
        o.seed = (uint64_t)i;
        ck_assert_int_eq(runs_alone(&b.study, &o), 0);
    }
}
END_TEST

static void sql(const char *statement)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(file, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

START_TEST(a_named_file_that_is_no_store_is_an_error)
{
    struct bench b;
    struct error e = {STATUS_OK, ""};
    struct study_result r;
    bench_make(&b, 16, 400);
    struct calib_options o = {.mode = MODE_MODEL, .store = file};
    ck_assert_int_eq(runs_alone(&b.study, &o), 0);
    sql("UPDATE about SET value = '99.9' WHERE name = 'version'");
    ck_assert(!calib_study(&r, &b.study, &o, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "99.9"));

    FILE *f = fopen(file, "w");
    fputs("some text of more than sixteen bytes\n", f);
    fclose(f);
    ck_assert(!calib_study(&r, &b.study, &o, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, file));

    o.store = "/nonexistent/kept.db";
    ck_assert(!calib_study(&r, &b.study, &o, &e));
    ck_assert_int_eq(e.status, STATUS_FAILED);
}
END_TEST

/* A full disk, as SQLite sees one. */
START_TEST(samples_that_cannot_be_kept_are_told)
{
    struct bench b;
    bench_make(&b, 17, 400);
    struct error unkept = {STATUS_OK, ""};
    struct calib_options o = {
        .mode = MODE_DETAILED, .store = file, .unkept = &unkept};
    b.study.tb_count = 1;
    runs_alone(&b.study, &o);
    ck_assert_int_eq(unkept.status, STATUS_OK);
    sql("CREATE TRIGGER full BEFORE INSERT ON samples BEGIN "
        "SELECT RAISE(ABORT, 'disk is full'); END");
    b.study.tb_count = 2;
    ck_assert_int_eq(runs_alone(&b.study, &o), SYNTHETIC_POLICIES);
    ck_assert_int_eq(unkept.status, STATUS_FAILED);
    ck_assert_ptr_nonnull(strstr(unkept.text, "disk is full"));
}
END_TEST

static struct sample a_sample(void)
{
    struct sample s = {.tb_index = 3,
                       .policy_index = 2,
                       .started = true,
                       .done = true,
                       .steady = {1.5, 2.5, 3.5, 4.5, 9.5, {1, 2, 3, 4, 5, 6}},
                       .start = {5.5, 6.5, 7.5, 8.5, 10.5, {0}},
                       .blocks = UINT64_C(1) << 40,
                       .insts = 1e9,
                       .longest = 5e6,
                       .spread = 0.125,
                       .issued = 0.25};
    s.run =
        (struct result){.cycles = 7, .l1_miss = NAN, .limiter = LIMITER_DRAM};
    s.run.memory.energy_uj[ENERGY_PARTS - 1] = 3.25;
    return s;
}

START_TEST(bytes_hold_a_sample)
{
    unsigned char bytes[SAMPLE_BYTES_MAX], again[SAMPLE_BYTES_MAX];
    struct sample s = a_sample(), t = {.tb_index = 5};
    size_t size = sample_pack(bytes, &s);
    ck_assert(sample_unpack(&t, bytes, size));
    ck_assert_uint_eq(sample_pack(again, &t), size);
    ck_assert_mem_eq(bytes, again, size);
    ck_assert_int_eq(t.tb_index, 5);
    ck_assert(t.blocks == s.blocks && isnan(t.run.l1_miss));
    ck_assert(t.done && t.started && !t.partial);
    ck_assert_mem_eq(&t.steady, &s.steady, sizeof(t.steady));
    ck_assert_mem_eq(&t.start, &s.start, sizeof(t.start));
    ck_assert(t.spread == 0.125 && t.issued == 0.25 && t.longest == 5e6);
    ck_assert(t.run.cycles == 7);
    ck_assert(t.run.limiter == LIMITER_DRAM);
    ck_assert(t.run.memory.energy_uj[ENERGY_PARTS - 1] == 3.25);
    for (size_t i = 0; i < size; i++) {
        ck_assert(!sample_unpack(&t, bytes, i));
        bytes[i] ^= 4;
        ck_assert(!sample_unpack(&t, bytes, size));
        bytes[i] ^= 4;
    }
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
    tcase_set_timeout(c, 300);
    tcase_add_checked_fixture(c, make_folder, empty_folder);
    tcase_add_test(c, what_was_sampled_is_not_sampled_again);
    tcase_add_test(c, a_sample_is_found_by_what_it_depends_on);
    tcase_add_test(c, samples_of_another_build_are_not_used);
    tcase_add_test(c, what_a_limit_touches_is_not_kept);
    tcase_add_test(c, processes_share_a_file);
    tcase_add_test(c, a_named_file_that_is_no_store_is_an_error);
    tcase_add_test(c, samples_that_cannot_be_kept_are_told);
    tcase_add_test(c, bytes_hold_a_sample);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
