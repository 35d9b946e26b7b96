/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How claims are measured, on runs made up here in place of the lab, and that
 * every claim has its row. */
#include "kernels/load.h"
#include "paper_repro/claim.h"
#include "paper_repro/ledger.h"
#include "paper_repro/machines.h"
#include "paper_repro/readings.h"
#include "paper_repro/sheet.h"
#include "sampler/policy/registry.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cycles of kernels x and y under policies a and b. */
static const struct made_up {
    const char *kernel, *policies, *gpu;
    struct lab_record record;
} made_up[] = {
    {"x", "a", "m2090", {.run.counts = {.cycles = 1000}}},
    {"x", "b", "m2090", {.run.counts = {.cycles = 2000}}},
    {"y", "a", "m2090", {.run.counts = {.cycles = 1010}}},
    {"y", "b", "m2090", {.run.counts = {.cycles = 1000}}},
    {"y", "a", "other", {.run.counts = {.cycles = 500}}},
    {"y", "c:3//p", "m2090", {.run.counts = {.cycles = 250}}},
    /* LUD, for paws-49: even, but slower on the board. */
    {"lud", "tlpaws", "m2090-gsim", {.run.counts = {.cycles = 1000}}},
    {"lud", "tlrr", "m2090-gsim", {.run.counts = {.cycles = 1000}}},
    {"lud", "tlpaws", "m2090", {.run.counts = {.cycles = 1100}}},
    {"lud", "tlrr", "m2090", {.run.counts = {.cycles = 1000}}},
};

/* In place of lab_record (tests.mk). */
const struct lab_record *__wrap_lab_record(struct lab *l, const struct point *p,
                                           struct error *e);
const struct lab_record *__wrap_lab_record(struct lab *l, const struct point *p,
                                           struct error *e)
{
    (void)l;
    for (size_t i = 0; i < sizeof(made_up) / sizeof(made_up[0]); i++)
        if (strcmp(made_up[i].kernel, p->kernel) == 0 &&
            strcmp(made_up[i].policies, p->policies) == 0 &&
            strcmp(made_up[i].gpu, p->gpu) == 0)
            return &made_up[i].record;
    error_set(e, STATUS_USAGE, "no such run");
    return NULL;
}

static struct view plain = {.gpu = "m2090"};

static void make_lab(void)
{
    struct error e;
    const struct lab_options o = {.window = WINDOW_QUICK};
    plain.lab = lab_create(&o, &e);
    ck_assert_ptr_nonnull(plain.lab);
}

static void remove_lab(void)
{
    lab_free(plain.lab);
}

static struct finding judged(struct claim c)
{
    struct finding f;
    c.metric = speed;
    if (c.subject == NULL)
        c.subject = "a";
    c.baseline = "b";
    ck_assert(claim_judge(&f, &c, &plain));
    return f;
}

static void text_is(const struct claim *c, const struct finding *f,
                    const char *expected)
{
    char text[256];
    finding_text(text, sizeof(text), c, f);
    ck_assert_str_eq(text, expected);
}

/* y is within 1 %: it neither counts nor is on the wrong side. */
START_TEST(test_each_kernel_counts)
{
    struct claim c = {.kernels = "x y", .rule = MORE};
    struct finding f = judged(c);
    ck_assert_int_eq(f.verdict, TIE);
    text_is(&c, &f, "1 of 2: x a over b +100.0 %, =y a over b -1.0 %");
    c.need = 1;
    ck_assert_int_eq(judged(c).verdict, HOLDS);
    c.kernels = "x";
    c.need = 0;
    ck_assert_int_eq(judged(c).verdict, HOLDS);
    c.rule = LESS;
    ck_assert_int_eq(judged(c).verdict, FAILS);
}
END_TEST

static double mean_of(enum mean mean)
{
    struct finding f = judged((struct claim){.kernels = "x y", .mean = mean});
    ck_assert_int_eq(f.values, 1);
    return f.value[0].ours;
}

/* Ratios 2 and 1/1.01; speeds 1/1000, 1/1010 over 1/2000, 1/1000. */
START_TEST(test_means)
{
    ck_assert_double_eq_tol(mean_of(GEOMETRIC), 1.40720, 1e-5);
    ck_assert_double_eq_tol(mean_of(OF_MEANS), 1.32673, 1e-5);
    ck_assert_double_eq_tol(mean_of(ARITHMETIC), 1.49505, 1e-5);
    ck_assert_double_eq_tol(mean_of(LARGEST), 2, 1e-9);
    ck_assert_double_eq_tol(mean_of(SMALLEST), 0.990099, 1e-6);
}
END_TEST

START_TEST(test_numbers_in_order_of_values)
{
    struct claim c = {.kernels = "x y", .rule = CHANGE, .numbers = "1.6 0.5"};
    struct finding f = judged(c);
    ck_assert_double_eq(f.value[0].paper, 1.6);
    ck_assert_double_eq(f.value[1].paper, 0.5);
    ck_assert_int_eq(f.verdict, FAILS);
    text_is(&c, &f,
            "1 of 2: x a over b +100.0 % (+60.0 %), !y a over b -1.0 % "
            "(-50.0 %)");
}
END_TEST

START_TEST(test_without_baseline)
{
    struct claim c = {.kernels = "x y",
                      .rule = VALUE,
                      .metric = duration,
                      .subject = "a",
                      .mean = ARITHMETIC,
                      .number = 1005};
    struct finding f;
    ck_assert(claim_judge(&f, &c, &plain));
    ck_assert_double_eq(f.value[0].ours, 1005);
    ck_assert_int_eq(f.verdict, HOLDS);
}
END_TEST

/* The view's GPU gives way to the claim's, its names do not. */
START_TEST(test_view)
{
    struct claim c = {.kernels = "y",
                      .rule = VALUE,
                      .metric = duration,
                      .subject = "a",
                      .gpu = "other",
                      .number = 500};
    struct finding f;
    ck_assert(claim_judge(&f, &c, &plain));
    ck_assert_double_eq(f.value[0].ours, 500);
    c.gpu = NULL;
    c.subject = "b//l";
    struct view v = {
        .lab = plain.lab, .gpu = "m2090", .rename = "a=x b=c:3 l=p"};
    ck_assert(claim_judge(&f, &c, &v));
    ck_assert_double_eq(f.value[0].ours, 250);
}
END_TEST

START_TEST(test_cannot_and_input)
{
    struct claim c = {.kernels = "x", .cannot = "no workload"};
    struct finding f = judged(c);
    ck_assert_int_eq(f.verdict, CANNOT);
    ck_assert_str_eq(f.note, "no workload");
    struct claim given = {.kernels = "x", .rule = MORE, .input = "given"};
    ck_assert_int_eq(judged(given).verdict, INPUT);
}
END_TEST

START_TEST(test_failed_run)
{
    struct claim c = {
        .metric = speed, .kernels = "z", .subject = "a", .baseline = "b"};
    struct finding f;
    ck_assert(!claim_judge(&f, &c, &plain));
    ck_assert_int_eq(f.verdict, CANNOT);
    ck_assert_str_eq(f.note, "a run failed: no such run");
}
END_TEST

/* Each claim of each paper, from 01 on, once. */
START_TEST(test_every_claim_has_its_row)
{
    static const size_t count[CLAIM_PAPERS] = {53, 22, 21, 29, 48};
    for (int p = 0; p < CLAIM_PAPERS; p++) {
        const struct claims *s = all_claims[p];
        ck_assert_uint_eq(s->count, count[p]);
        ck_assert_ptr_nonnull(machine_of(s->paper));
        for (size_t i = 0; i < s->count; i++) {
            char id[32];
            snprintf(id, sizeof(id), "%s-%02zu", s->paper, i + 1);
            ck_assert_str_eq(s->claim[i].id, id);
        }
    }
}
END_TEST

/* A row is measured or says why it is not. */
START_TEST(test_rows_are_whole)
{
    for (int p = 0; p < CLAIM_PAPERS; p++)
        for (size_t i = 0; i < all_claims[p]->count; i++) {
            const struct claim *c = &all_claims[p]->claim[i];
            bool compares =
                c->metric != NULL && c->kernels != NULL && c->subject != NULL;
            ck_assert_msg(c->what != NULL && c->paper != NULL, "%s", c->id);
            ck_assert_msg(c->cannot != NULL || c->measure != NULL || compares,
                          "%s", c->id);
        }
}
END_TEST

static char *scratch(void)
{
    static const char name[] = "/tmp/ledger-XXXXXX";
    char *path = strdup(name);
    ck_assert_ptr_nonnull(path);
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    return path;
}

START_TEST(test_ledger_reads_what_it_wrote)
{
    struct error e;
    char *path = scratch();
    struct ledger *g = ledger_create(), *again = ledger_create();
    ck_assert(ledger_set(g, "ikra-48", COLUMN_OURS, "1, \"two\", 3"));
    ck_assert(ledger_set(g, "ikra-48", COLUMN_REASON, "last"));
    ck_assert(ledger_write_csv(g, path, &e));
    ck_assert(ledger_read_csv(again, path, &e));
    ck_assert_str_eq(ledger_get(again, "ikra-48", COLUMN_OURS),
                     "1, \"two\", 3");
    ck_assert_str_eq(ledger_get(again, "ikra-48", COLUMN_REASON), "last");
    ck_assert_str_eq(ledger_get(again, "ikra-48", COLUMN_KIND), "magnitude");
    ck_assert_str_eq(ledger_get(again, "ikra-47", COLUMN_OURS), "");
    ledger_free(g);
    ledger_free(again);
    unlink(path);
    free(path);
}
END_TEST

/* Lines of what was looked at again are new, the others stay. */
START_TEST(test_sheet_keeps_other_lines)
{
    struct error e;
    char *path = scratch(), text[256] = "";
    struct sheet *s = sheet_create("id,what,ours");
    const char *const one[] = {"a", "1, 2"}, *const two[] = {"b", "3"};
    ck_assert(sheet_add(s, "kaws-01", one, 2));
    ck_assert(sheet_add(s, "paws-02", one, 2));
    ck_assert(sheet_add(s, "paws-02", two, 2));
    ck_assert(sheet_write(s, path, &e));
    sheet_free(s);
    s = sheet_create("id,what,ours");
    ck_assert(sheet_read(s, path, &e));
    const char *const gone[] = {"a", "1"}, *const first[] = {"a"};
    ck_assert(sheet_drop(s, "paws-02", gone, 2));
    ck_assert(sheet_has(s, "paws-02", first, 1));
    ck_assert(sheet_drop(s, "paws-02", first, 1));
    ck_assert(!sheet_has(s, "paws-02", first, 1));
    ck_assert(sheet_has(s, "paws-02", NULL, 0));
    ck_assert(sheet_drop(s, "paws-02", NULL, 0));
    ck_assert(sheet_add(s, "paws-02", two, 2));
    ck_assert(sheet_write(s, path, &e));
    sheet_free(s);
    FILE *f = fopen(path, "r");
    ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, f), 0);
    fclose(f);
    ck_assert_str_eq(text, "id,what,ours\npaws-02,b,3\n"
                           "kaws-01,a,\"1, 2\"\n");
    unlink(path);
    free(path);
}
END_TEST

/* What "a=b c=d" renames to are policies. */
static void check_policies(const char *rename)
{
    char word[64];
    struct error e;
    struct choice choice;
    while (next_word(word, sizeof(word), &rename)) {
        const char *to = strchr(word, '=') + 1;
        bool block =
            strncmp(to, "perfsat", 7) == 0 || strncmp(to, "steal", 5) == 0;
        enum policy_kind kind = block ? POLICY_BLOCK : POLICY_WARP;
        ck_assert_msg(choice_parse(&choice, NULL, kind, to, &e), "%s", e.text);
    }
}

static void check_machine(const struct reading *r)
{
    struct gpu g;
    struct error e;
    char key[64];
    const char *gpu = r->gpu;
    if (gpu == NULL)
        gpu = machine_of(r->paper != NULL ? r->paper : "paws")->gpu;
    ck_assert_msg(gpu_load(&g, gpu, NULL, 0, &e), "%s", e.text);
    for (const char *keys = r->keys;
         keys != NULL && next_word(key, sizeof(key), &keys);) {
        char *value = strchr(key, '=');
        *value = '\0';
        ck_assert_msg(gpu_set(&g, key, value + 1, &e), "%s", e.text);
    }
}

/* The files of "a=PATH" are kernels. */
static void check_kernels(const char *kernels)
{
    char word[128];
    struct error e;
    while (next_word(word, sizeof(word), &kernels)) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        const char *path = strchr(word, '=') + 1;
        ck_assert_msg(kernel_load(&list, path, &load, &e), "%s", e.text);
        kernel_list_free(&list);
    }
}

/* A reading names a paper, and changes something into what there is. */
START_TEST(test_readings)
{
    for (const struct reading *r = readings; r->name != NULL; r++) {
        ck_assert_msg(r->paper == NULL || machine_of(r->paper) != NULL, "%s",
                      r->name);
        ck_assert_msg(r->gpu != NULL || r->keys != NULL || r->rename != NULL ||
                          r->kernels != NULL || r->window != WINDOW_UNSET,
                      "%s", r->name);
        check_machine(r);
        if (r->kernels != NULL)
            check_kernels(r->kernels);
        if (r->rename != NULL)
            check_policies(r->rename);
    }
}
END_TEST

static void remove_file(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    unlink(path);
}

/* What made the claim hold is its cause. */
START_TEST(test_cause)
{
    struct error e;
    char folder[] = "/tmp/causes-XXXXXX", id[] = "paws-49";
    char *wanted[] = {id};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    const struct options o = {
        .folder = folder, .wanted = wanted, .wanted_count = 1};
    struct ledger *g = ledger_create();
    ck_assert(ledger_set(g, id, COLUMN_VERDICT, "tie"));
    ck_assert(ledger_write(g, &o, &e));
    ck_assert_msg(readings_command(&o, plain.lab, &e), "%s", e.text);
    ck_assert(ledger_read(g, &o, &e));
    ck_assert_str_eq(ledger_get(g, id, COLUMN_CAUSE),
                     "machine: holds with the board");
    ledger_free(g);
    remove_file(folder, "claims.csv");
    remove_file(folder, "claims.txt");
    remove_file(folder, "readings.csv");
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paper_claims");
    TCase *t = tcase_create("judging");
    tcase_add_checked_fixture(t, make_lab, remove_lab);
    tcase_add_test(t, test_each_kernel_counts);
    tcase_add_test(t, test_means);
    tcase_add_test(t, test_numbers_in_order_of_values);
    tcase_add_test(t, test_without_baseline);
    tcase_add_test(t, test_view);
    tcase_add_test(t, test_cannot_and_input);
    tcase_add_test(t, test_failed_run);
    tcase_add_test(t, test_every_claim_has_its_row);
    tcase_add_test(t, test_rows_are_whole);
    tcase_add_test(t, test_ledger_reads_what_it_wrote);
    tcase_add_test(t, test_sheet_keeps_other_lines);
    tcase_add_test(t, test_readings);
    tcase_add_test(t, test_cause);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
