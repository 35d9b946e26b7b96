/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points of the papers: run once, in parallel, and kept on disk. */
#include "paper_repro/lab.h"
#include "paper_repro/store.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/lab-XXXXXX";
static char path[64];

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/points.db", folder);
}

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

/* A part of gpu-small that takes a moment. */
static const struct point small = {.kernel = "ikra-gpu-small",
                                   .gpu = "ikra-micro",
                                   .policies = "gto/rr",
                                   .launches = 1};

static struct lab *new_lab(const char *store, int threads)
{
    struct error e;
    const struct lab_options o = {
        .window = WINDOW_QUICK, .store = store, .threads = threads};
    struct lab *l = lab_create(&o, &e);
    ck_assert_msg(l != NULL, "%s", e.text);
    return l;
}

static struct sampler_run run_of(struct lab *l, const struct point *p)
{
    struct error e;
    const struct sampler_run *r = lab_run(l, p, &e);
    ck_assert_msg(r != NULL, "%s", e.text);
    return *r;
}

START_TEST(test_store_keeps)
{
    struct error e;
    struct store_part got[STORE_PARTS];
    char text[] = "abc";
    const struct store_part put[STORE_PARTS] = {{text, 3}, {NULL, 0}, {text, 2},
                                                {text, 1}, {NULL, 0}, {text, 1},
                                                {NULL, 0}};
    struct store *s = store_open(path, &e);
    ck_assert(!store_get(s, "key", got));
    ck_assert(store_put(s, "key", put, &e));
    store_close(s);
    s = store_open(path, &e);
    ck_assert(store_get(s, "key", got));
    ck_assert(!store_get(s, "keys", got));
    for (int i = 0; i < STORE_PARTS; i++) {
        ck_assert_uint_eq(got[i].size, put[i].size);
        ck_assert(put[i].size == 0 ||
                  memcmp(got[i].bytes, text, put[i].size) == 0);
        free(got[i].bytes);
    }
    store_close(s);
}
END_TEST

START_TEST(test_store_says_what_is_wrong)
{
    struct error e;
    FILE *f = fopen(path, "w");
    fputs("this is no database, though it is long enough to be taken for one "
          "at a first look, which goes by the first hundred bytes",
          f);
    fclose(f);
    ck_assert_ptr_null(store_open(path, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "not a database"));
    ck_assert_ptr_null(store_open("/proc/none/points.db", &e));
    ck_assert_ptr_nonnull(strstr(e.text, "/proc/none"));
}
END_TEST

/* A second lab finds what the first one left, all of it. */
START_TEST(test_found_on_disk)
{
    struct error e;
    struct point p = small;
    p.moments = 500;
    p.warps = true;
    struct lab *first = new_lab(path, 1);
    const struct lab_record *a = lab_record(first, &p, &e);
    ck_assert_uint_gt(a->moments, 1);
    ck_assert_uint_gt(a->warps, 1);
    struct lab *second = new_lab(path, 1);
    const struct lab_record *b = lab_record(second, &p, &e);
    ck_assert(memcmp(&a->run, &b->run, sizeof(a->run)) == 0);
    ck_assert_uint_eq(a->moments, b->moments);
    ck_assert_uint_eq(a->warps, b->warps);
    ck_assert(memcmp(a->moment, b->moment, a->moments * sizeof(*a->moment)) ==
              0);
    ck_assert(memcmp(a->warp, b->warp, a->warps * sizeof(*a->warp)) == 0);
    lab_free(first);
    lab_free(second);
}
END_TEST

START_TEST(test_point_is_run_once)
{
    struct error e;
    struct lab *l = new_lab(NULL, 1);
    const struct sampler_run *a = lab_run(l, &small, &e);
    ck_assert_ptr_eq(a, lab_run(l, &small, &e));
    struct point other = small;
    other.blocks = 1;
    ck_assert_ptr_ne(a, lab_run(l, &other, &e));
    lab_free(l);
}
END_TEST

/* Keys and the block limit reach the run. */
START_TEST(test_keys_and_blocks)
{
    struct error e;
    struct lab *l = new_lab(NULL, 1);
    uint64_t cycles = run_of(l, &small).counts.cycles;
    struct point p = small;
    p.keys = "l1.size_kb=1 l1.ways=4";
    ck_assert_uint_ne(run_of(l, &p).counts.cycles, cycles);
    p = small;
    p.blocks = 1;
    ck_assert_uint_gt(run_of(l, &p).counts.cycles, cycles);
    p.keys = "l1.size_kb";
    ck_assert_ptr_null(lab_run(l, &p, &e));
    ck_assert_str_eq(e.text, "l1.size_kb: expected KEY=VALUE");
    lab_free(l);
}
END_TEST

struct work {
    struct lab *lab;
    int calls;
    uint64_t cycles[3];
};

static bool ask_for_three(void *user, struct error *e)
{
    static const char *const policies[] = {"gto/rr", "gto/chunk", "lrr"};
    struct work *w = user;
    w->calls++;
    for (int i = 0; i < 3; i++) {
        struct point p = small;
        p.policies = policies[i];
        const struct sampler_run *r = lab_run(w->lab, &p, e);
        if (r == NULL)
            return false;
        ck_assert(!lab_listening(w->lab) || r->counts.cycles == 1);
        w->cycles[i] = r->counts.cycles;
    }
    return true;
}

START_TEST(test_threads_do_not_matter)
{
    struct error e;
    struct work one = {.lab = new_lab(NULL, 1)},
                two = {.lab = new_lab(NULL, 2)};
    ck_assert(lab_gather(one.lab, ask_for_three, &one, &e));
    ck_assert(lab_gather(two.lab, ask_for_three, &two, &e));
    ck_assert_int_eq(one.calls, 2);
    ck_assert(memcmp(one.cycles, two.cycles, sizeof(one.cycles)) == 0);
    ck_assert_uint_gt(one.cycles[0], 1);
    lab_free(one.lab);
    lab_free(two.lab);
}
END_TEST

static bool ask_for_wrong(void *user, struct error *e)
{
    struct work *w = user;
    const struct point p = {.kernel = "nn", .gpu = "m2091"};
    w->calls++;
    return lab_run(w->lab, &p, e) != NULL;
}

START_TEST(test_failure_is_told_where_it_is_asked)
{
    struct error e;
    struct work w = {.lab = new_lab(NULL, 2)};
    ck_assert(!lab_gather(w.lab, ask_for_wrong, &w, &e));
    ck_assert_int_eq(w.calls, 2);
    ck_assert_ptr_nonnull(strstr(e.text, "m2091"));
    lab_free(w.lab);
}
END_TEST

static bool ask_for_estimates(void *user, struct error *e)
{
    static const char *const policies[] = {"lrr", "gto"};
    struct work *w = user;
    for (int i = 0; i < 2; i++) {
        const struct point p = {.kernel = "vector-add",
                                .gpu = "m2090",
                                .policies = policies[i],
                                .study = "lrr gto"};
        const struct sampler_run *r = lab_run(w->lab, &p, e);
        if (r == NULL)
            return false;
        w->cycles[i] = r->counts.cycles;
    }
    return true;
}

/* Whatever else is asked, and found on disk again. */
START_TEST(test_estimates)
{
    struct error e;
    struct work both = {.lab = new_lab(path, 2)};
    struct lab *alone = new_lab(NULL, 1), *again = new_lab(path, 1);
    struct point p = {.kernel = "vector-add",
                      .gpu = "m2090",
                      .policies = "gto",
                      .study = "lrr gto"};
    ck_assert(lab_gather(both.lab, ask_for_estimates, &both, &e));
    ck_assert_uint_gt(both.cycles[1], 1);
    ck_assert_uint_eq(run_of(alone, &p).counts.cycles, both.cycles[1]);
    ck_assert_uint_eq(run_of(again, &p).counts.cycles, both.cycles[1]);
    p.policies = "paws";
    ck_assert_ptr_null(lab_run(alone, &p, &e));
    ck_assert_str_eq(e.text, "paws: not in the study");
    lab_free(both.lab);
    lab_free(alone);
    lab_free(again);
}
END_TEST

START_TEST(test_no_estimate_of_applications)
{
    struct error e;
    struct lab *l = new_lab(NULL, 1);
    const struct point p = {.kernel = "ikra-gpu-small",
                            .gpu = "m2090",
                            .policies = "gto",
                            .study = "gto"};
    ck_assert_ptr_null(lab_run(l, &p, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "an application"));
    lab_free(l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paper_lab");
    TCase *t = tcase_create("lab");
    tcase_add_checked_fixture(t, make_folder, remove_folder);
    tcase_add_test(t, test_store_keeps);
    tcase_add_test(t, test_store_says_what_is_wrong);
    tcase_add_test(t, test_found_on_disk);
    tcase_add_test(t, test_point_is_run_once);
    tcase_add_test(t, test_keys_and_blocks);
    tcase_add_test(t, test_threads_do_not_matter);
    tcase_add_test(t, test_failure_is_told_where_it_is_asked);
    tcase_add_test(t, test_estimates);
    tcase_add_test(t, test_no_estimate_of_applications);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
