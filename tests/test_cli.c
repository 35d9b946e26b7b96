/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parsing of values, sweeps and options; columns; gains. */
#include "cli/choose.h"
#include "cli/columns.h"
#include "cli/figures.h"
#include "cli/formats.h"
#include "cli/gain.h"
#include "cli/grid.h"
#include "cli/names.h"
#include "cli/options_table.h"
#include "cli/rules.h"
#include "cli/sweep.h"
#include "cli/values.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------
 */

START_TEST(test_whole_numbers)
{
    uint64_t v;
    ck_assert(parse_u64("0", 0, 9, &v) && v == 0);
    ck_assert(parse_u64("18446744073709551615", 0, UINT64_MAX, &v));
    ck_assert(v == UINT64_MAX);
    static const char *const wrong[] = {"",    "-1", "+1",
                                        " 1",  "1 ", "0x10",
                                        "1e3", "10", "18446744073709551616"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(!parse_u64(wrong[i], 0, 9, &v), "%s", wrong[i]);
}
END_TEST

START_TEST(test_real_numbers)
{
    static const struct {
        const char *text;
        double value; /* NAN: refused */
    } cases[] = {
        {"12", 12},   {"0.5", 0.5},  {"1e6", 1e6},  {"2.5e-1", 0.25},
        {"", NAN},    {".5", NAN},   {"5.", NAN},   {"-1", NAN},
        {"nan", NAN}, {"inf", NAN},  {"0x10", NAN}, {"1e999", NAN},
        {"1e", NAN},  {"1..8", NAN},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double v;
        bool ok = parse_real(cases[i].text, &v);
        ck_assert_msg(ok == !isnan(cases[i].value), "%s", cases[i].text);
        ck_assert(!ok || v == cases[i].value);
    }
}
END_TEST

START_TEST(test_lists)
{
    char entry[VALUE_MAX], all[64] = "";
    int n = 0;
    for (const char *p = "a,,bc,"; list_next(&p, entry); n++)
        strcat(strcat(all, entry), "|");
    ck_assert_int_eq(n, 4);
    ck_assert_str_eq(all, "a||bc||");
}
END_TEST

/* ---- text for people ------------------------------------------------------
 */

START_TEST(test_figures)
{
    static const struct {
        double low, cycles, high;
        const char *text, *half;
    } cases[] = {
        /* a half-width of 190 k: tens of thousands are the last digit known */
        {4.62e6, 4.81e6, 5.0e6, "4.81 M", "+-4.0 %"},
        {700e3, 800e3, 1000e3, "800 k", "+-25 %"},
        {154000, 154363.7, 154727.4, "154.36 k", "+-0.2 %"},
        {2438, 2438, 2438, "2438 ", ""},
        {900, 1000, 1100, "1.00 k", "+-10 %"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct estimate_point p = {.cycles = cases[i].cycles,
                                         .cycles_lo = cases[i].low,
                                         .cycles_hi = cases[i].high};
        struct figures seen = {0};
        char number[FIGURE_MAX], half[FIGURE_MAX], all[2 * FIGURE_MAX];
        figures_see(&seen, &p);
        struct unit u = figures_unit(&seen, false);
        figure_text(number, &u, p.cycles);
        half_width_text(half, half_width_pct(&p));
        snprintf(all, sizeof(all), "%s %s", number, u.name);
        ck_assert_str_eq(all, cases[i].text);
        ck_assert_str_eq(half, cases[i].half);
        u = figures_unit(&seen, true);
        ck_assert(u.of == 1 && u.decimals == 0);
    }
}
END_TEST

START_TEST(test_names)
{
    static const char *const cases[][2] = {
        {"lud", "lud"},
        {"_Z5scaleiPKf", "scale(int, float const*)"},
        {"_ZN4math3addEPf", "math::add(float*)"},
        {"_Znonsense", "_Znonsense"},
    };
    char out[NAME_BYTES];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        name_text(out, sizeof(out), cases[i][0], false);
        ck_assert_str_eq(out, cases[i][1]);
        name_text(out, sizeof(out), cases[i][0], true);
        ck_assert_str_eq(out, cases[i][0]);
    }
    name_cut(out, sizeof(out), "abcdefgh", 8);
    ck_assert_str_eq(out, "abcdefgh");
    name_cut(out, sizeof(out), "abcdefgh", 6);
    ck_assert_str_eq(out, "abcd..");
}
END_TEST

/* A table of 3 columns of numbers 10 wide and a label that can be broken. */
static void wide_cell(struct cell *out, const void *of, size_t row,
                      size_t column)
{
    (void)of;
    if (column == 0)
        snprintf(out->text, CELL_MAX, "%s",
                 row == 0 ? "tb" : "aaaaaaaa = bbbbbbbb = cccccccc");
    else
        snprintf(out->text, CELL_MAX, "%010zu", column);
}

static void assert_grid(int width, const char *expected)
{
    const struct grid g = {
        .rows = 2, .columns = 4, .cell = wide_cell, .left = 1};
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(f);
    const struct page page = {.f = f, .width = width};
    grid_put(&g, &page);
    fclose(f);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(test_grid_fits_its_page)
{
    assert_grid(66, "tb                              0000000001  0000000002"
                    "  0000000003\n"
                    "aaaaaaaa = bbbbbbbb = cccccccc  0000000001  0000000002"
                    "  0000000003\n");
    assert_grid(60, "tb                        0000000001  0000000002"
                    "  0000000003\n"
                    "aaaaaaaa = bbbbbbbb       0000000001  0000000002"
                    "  0000000003\n"
                    "  = cccccccc\n");
    assert_grid(42, "tb                  0000000001  0000000002\n"
                    "aaaaaaaa            0000000001  0000000002\n"
                    "  = bbbbbbbb\n"
                    "  = cccccccc\n"
                    "tb                              0000000003\n"
                    "aaaaaaaa = bbbbbbbb = cccccccc  0000000003\n");
}
END_TEST

START_TEST(test_paragraphs_are_broken)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(f);
    const struct page page = {.f = f, .width = 12};
    page_put(&page, 2, "%s", "one two three four fivesixseveneight nine");
    fclose(f);
    ck_assert_str_eq(text, "one two\n  three four\n  fivesixseveneight\n"
                           "  nine\n");
    free(text);
}
END_TEST

/* ---- rules of advice -------------------------------------------------------
 */

static bool rule_holds(const struct rule *rule, const double fact[FACTS])
{
    const struct rule *r;
    for (size_t i = 0; (r = rule_holding(fact, i)) != NULL; i++)
        if (r == rule)
            return true;
    return false;
}

/* A point of which there is nothing to say. */
static void set_plain(double fact[FACTS])
{
    for (int i = 0; i <= FACT_HIGHEST; i++)
        fact[i] = 0.3;
    fact[FACT_IDLE] = fact[FACT_SB_MEM] = fact[FACT_SB_ALU] = 0;
    fact[FACT_OCCUPANCY] = fact[FACT_L2_MISS] = 0.5;
    fact[FACT_L1_MISS] = 1;
    fact[FACT_WAVES] = fact[FACT_BLOCKS] = 10;
}

static void set_facts(double fact[FACTS], const struct rule *r)
{
    set_plain(fact);
    for (int i = 0; i < CONDITIONS_MAX; i++)
        if (r->when[i].sign != 0)
            fact[r->when[i].fact] =
                r->when[i].value + (r->when[i].sign == '>' ? 0.01 : -0.01);
}

/* Every rule holds just inside its conditions, and not outside any of them. */
START_TEST(test_rules)
{
    const struct rule *r;
    double fact[FACTS];
    set_plain(fact);
    ck_assert_ptr_null(rule_holding(fact, 0));
    for (size_t i = 0; (r = rule_at(i)) != NULL; i++) {
        set_facts(fact, r);
        ck_assert_msg(rule_holds(r, fact), "%s", r->name);
        for (int c = 0; c < CONDITIONS_MAX; c++) {
            if (r->when[c].sign == 0)
                continue;
            set_facts(fact, r);
            fact[r->when[c].fact] = NAN;
            ck_assert_msg(!rule_holds(r, fact), "%s: not known", r->name);
            fact[r->when[c].fact] = r->when[c].value;
            ck_assert_msg(!rule_holds(r, fact), "%s: at its edge", r->name);
        }
    }
}
END_TEST

/* ---- sweeps ---------------------------------------------------------------
 */

static void assert_values(const char *text, const char *expected)
{
    struct sweep s;
    struct estimate_error e = {0};
    char all[256] = "";
    ck_assert_msg(sweep_parse(&s, text, &e), "%s", e.text);
    for (uint64_t i = 0; i < s.count; i++)
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%g",
                 i > 0 ? " " : "", sweep_value(&s, i));
    ck_assert_str_eq(all, expected);
}

START_TEST(test_sweep_values)
{
    assert_values("tb=3", "3");
    assert_values("tb=1..8", "1 2 3 4 5 6 7 8");
    assert_values("tb=5..5", "5");
    assert_values("tb=16,32,64", "16 32 64");
    assert_values("tb=16..128*2", "16 32 64 128");
    assert_values("tb=16..127*2", "16 32 64");
    assert_values("tb=3..243*3", "3 9 27 81 243");
    assert_values("tb=1..10:4", "1 5 9");
    assert_values("tb=1,3..5,8..32*2", "1 3 4 5 8 16 32");
    assert_values("dram.gbps=100..101:0.1",
                  "100 100.1 100.2 100.3 100.4 100.5 100.6 100.7 100.8 100.9 "
                  "101");
}
END_TEST

START_TEST(test_sweep_errors)
{
    static const char *const wrong[] = {
        "",           "tb",          "=1",           "tb=",
        "tb=x",       "tb=-1",       "tb=-3..2",     "tb=0",
        "tb=8..1",    "tb=1..",      "tb=..8",       "tb=1...8",
        "tb=1..8..9", "tb=1..8:0",   "tb=1..8*1",    "tb=1..8*0",
        "tb=1.5",     "tb=1..2:0.5", "tb=2..9*1.5",  "tb=1,1",
        "tb=2,1",     "tb=1..4,4",   "tb=1,",        "tb= 1",
        "tb=1 ",      "nope=1",      "sms=0",        "sms=1..1000000",
        "coherence=", "coherence=0", "coherence=gp", "coherence=gpu,gpu",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct sweep s;
        struct estimate_error e = {0};
        ck_assert_msg(!sweep_parse(&s, wrong[i], &e), "%s", wrong[i]);
        ck_assert_int_eq(e.status, ESTIMATE_USAGE);
        ck_assert_str_ne(e.text, "");
    }
}
END_TEST

START_TEST(test_sweep_is_counted_not_listed)
{
    struct sweep s;
    ck_assert(sweep_parse(&s, "tb=1..999999999999", NULL));
    ck_assert_uint_eq(s.count, 999999999999u);
    ck_assert_double_eq(sweep_value(&s, s.count - 1), 999999999999.0);
    ck_assert(sweep_parse(&s, "tb=1..1e300", NULL));
    ck_assert(s.count == UINT64_MAX);
    ck_assert(saturating_product(UINT64_MAX, 2) == UINT64_MAX);
    ck_assert_uint_eq(saturating_product(6, 7), 42);
    ck_assert_uint_eq(saturating_product(UINT64_MAX, 0), 0);
}
END_TEST

START_TEST(test_every_gpu_key_can_be_swept)
{
    const struct estimate_key *k;
    for (size_t i = 0; (k = estimate_key(i)) != NULL; i++) {
        struct sweep s;
        struct estimate_error e = {0};
        char text[128];
        double value = estimate_key_default(k);
        if (estimate_key_type(k) == ESTIMATE_KEY_NAME)
            snprintf(text, sizeof(text), "%s=%s", estimate_key_name(k),
                     estimate_key_value_name(k, (size_t)value));
        else
            snprintf(text, sizeof(text), "%s=%.17g", estimate_key_name(k),
                     value);
        ck_assert_msg(sweep_parse(&s, text, &e), "%s", e.text);
        ck_assert_str_eq(sweep_name(&s), estimate_key_name(k));
        ck_assert_double_eq(sweep_value(&s, 0), value);
    }
}
END_TEST

/* ---- options --------------------------------------------------------------
 */

static bool parse_words(struct options *o, char *line, struct estimate_error *e)
{
    char *argv[32];
    int argc = 0;
    for (char *w = strtok(line, " "); w != NULL; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    return options_parse(o, argc, argv, e);
}

/* What the library does unless told otherwise is what the program does. */
static void assert_library_defaults(const struct options *o)
{
    struct estimate_options run;
    struct estimate_launch launch;
    estimate_options_init(&run, sizeof(run));
    estimate_launch_init(&launch, sizeof(launch));
    ck_assert_int_eq(o->run.mode, run.mode);
    ck_assert_double_eq(o->run.error_pct, run.error_pct);
    ck_assert_uint_eq(o->run.budget_insts, run.budget_insts);
    ck_assert_uint_eq(o->run.seed, run.seed);
    ck_assert_uint_eq(o->launch.seed, launch.seed);
    ck_assert_int_eq(o->launch.shared_bytes, launch.shared_bytes);
    ck_assert_ptr_null(o->launch.unknown_op);
    ck_assert_str_eq(o->sched, estimate_policy_default(ESTIMATE_WARP));
    ck_assert_str_eq(o->tb_sched, estimate_policy_default(ESTIMATE_BLOCK));
    ck_assert_str_eq(o->l1_policy, estimate_policy_default(ESTIMATE_L1));
}

START_TEST(test_defaults)
{
    char line[] = "estimate";
    struct options o;
    ck_assert(parse_words(&o, line, NULL));
    ck_assert_int_eq(o.command, COMMAND_ESTIMATE);
    ck_assert_int_eq(o.run.mode, ESTIMATE_HYBRID);
    ck_assert_str_eq(o.sched, "gto");
    ck_assert_str_eq(o.tb_sched, "rr");
    ck_assert_str_eq(o.gpu, "m2090");
    ck_assert_str_eq(o.l1_policy, "lru");
    ck_assert_uint_eq(o.given, 0);
    assert_library_defaults(&o);
    ck_assert_uint_eq(o.inputs, 0);
    options_free(&o);
}
END_TEST

START_TEST(test_all_forms_of_options)
{
    char line[] = "estimate simulate -j2 --seed 7 --sched=lrr,gto a -v "
                  "--grid 4,5 --shared 0 --format csv -o x/y.z.json -- --b";
    struct options o;
    struct estimate_error e = {0};
    ck_assert_msg(parse_words(&o, line, &e), "%s", e.text);
    ck_assert_int_eq(o.command, COMMAND_SIMULATE);
    ck_assert_int_eq(o.run.mode, ESTIMATE_DETAILED);
    ck_assert_uint_eq(o.threads, 2);
    ck_assert_uint_eq(o.run.seed, 7);
    ck_assert_uint_eq(o.launch.seed, 7);
    ck_assert_str_eq(o.sched, "lrr,gto");
    ck_assert(o.verbose && !o.check);
    ck_assert_uint_eq(o.launch.grid.x, 4);
    ck_assert_uint_eq(o.launch.grid.y, 5);
    ck_assert_uint_eq(o.launch.grid.z, 1);
    ck_assert(o.launch.shared_bytes == 0 && o.launch.block.x == 0);
    ck_assert_str_eq(o.format->name, "csv");
    ck_assert_str_eq(o.output[0].format->name, "json");
    ck_assert_uint_eq(o.inputs, 2);
    ck_assert_str_eq(o.input[0], "a");
    ck_assert_str_eq(o.input[1], "--b");
    options_free(&o);
}
END_TEST

/* Rows are checked as data: parsing and help rely on it. */
START_TEST(test_option_table)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        ck_assert(row->name[0] != '\0' && row->help[0] != '\0');
        ck_assert(row->commands != 0 && row->set != NULL);
        ck_assert(row->min <= row->max);
        ck_assert(i < 64); /* a bit in options.given */
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(row->name, option_table[j].name);
            ck_assert(row->letter == 0 ||
                      row->letter != option_table[j].letter);
        }
    }
}
END_TEST

/* Every option that takes a value refuses an empty one, and one that is left
 * out. */
START_TEST(test_options_want_their_values)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (row->argument == NULL)
            continue;
        for (int empty = 0; empty <= 1; empty++) {
            char option[64], name[] = "estimate";
            snprintf(option, sizeof(option), "--%s%s", row->name,
                     empty ? "=" : "");
            char *argv[] = {name, option, NULL};
            struct options o;
            struct estimate_error e = {0};
            ck_assert_msg(!options_parse(&o, 2, argv, &e), "%s", option);
            ck_assert_int_eq(e.status, ESTIMATE_USAGE);
            options_free(&o);
        }
    }
}
END_TEST

/* ---- policies -------------------------------------------------------------
 */

START_TEST(test_all_means_every_policy)
{
    struct options o = {.sched = "all", .tb_sched = "all", .l1_policy = "all"};
    struct policy_list list;
    struct estimate_error e = {0};
    ck_assert_msg(policy_list_create(&list, &o, &e), "%s", e.text);
    const struct estimate_policy *policy;
    for (size_t i = 0; (policy = estimate_policy(NULL, ESTIMATE_WARP, i));
         i++) {
        bool found = false;
        for (size_t p = 0; p < list.count; p++)
            found |=
                strcmp(list.set[p].sched, estimate_policy_name(policy)) == 0;
        ck_assert_msg(found, "%s", estimate_policy_name(policy));
    }
    policy_list_free(&list);
}
END_TEST

START_TEST(test_parameters_tell_policies_apart)
{
    struct options o = {.sched = "tlgto,tlgto:8,gto", .tb_sched = "rr"};
    struct policy_list list;
    struct chosen standard = chosen_default();
    ck_assert(policy_list_create(&list, &o, NULL));
    ck_assert_uint_eq(list.count, 3);
    ck_assert(!chosen_equal(&list.set[0], &list.set[1]));
    ck_assert(chosen_equal(&list.set[2], &standard));
    policy_list_free(&list);
    o.sched = "tlgto,tlgto:6"; /* 6 is the default */
    ck_assert(!policy_list_create(&list, &o, NULL));
    policy_list_free(&list);
}
END_TEST

/* ---- columns and gains ----------------------------------------------------
 */

START_TEST(test_columns)
{
    struct estimate_point point = {.kernel = "k",
                                   .tb = 3,
                                   .sched = "gto:1",
                                   .cycles = 1234.56,
                                   .energy_uj = NAN,
                                   .delta = {.pct = -0.0001},
                                   .sampled = true,
                                   .seed = UINT64_MAX};
    static const struct {
        const char *name, *value;
    } expected[] = {{"tb", "3"},       {"cycles", "1234.6"},
                    {"energy_uj", ""}, {"delta_pct", "0.000"},
                    {"sampled", "1"},  {"seed", "18446744073709551615"},
                    {"kernel", "k"},   {"sched", "gto:1"}};
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        const struct estimate_column *c =
            estimate_column_find(expected[i].name);
        char out[COLUMN_VALUE_MAX];
        ck_assert_str_eq(column_value(out, c, &point), expected[i].value);
    }
    char swept[COLUMN_VALUE_MAX];
    swept_text(swept, estimate_key_find("coherence", NULL), 1);
    ck_assert_str_eq(swept, "denovo");
    swept_text(swept, estimate_key_find("l1.size_kb", NULL), 0.5);
    ck_assert_str_eq(swept, "0.5");
    ck_assert_str_eq(estimate_column_name(estimate_column(SWEPT_AFTER - 1)),
                     "l1_policy");
}
END_TEST

/* At one tb the gain comes from the pair, between two from the points' own
 * intervals. */
START_TEST(test_gains)
{
    const struct estimate_point
        few = {.tb = 1, .cycles = 200, .cycles_lo = 180, .cycles_hi = 220},
        base = {.tb = 2, .cycles = 100, .cycles_lo = 90, .cycles_hi = 110},
        other = {.tb = 2,
                 .cycles = 90,
                 .cycles_lo = 81,
                 .cycles_hi = 99,
                 .versus = {-10, -11, -9}};
    struct gain g = gain_over_default(&other, &base);
    ck_assert_double_eq_tol(g.pct, 10, 1e-9);
    ck_assert_double_eq_tol(g.lo, 9, 1e-9);
    ck_assert_double_eq_tol(g.hi, 11, 1e-9);
    g = gain_over_default(&base, &few);
    ck_assert_double_eq_tol(g.pct, 50, 1e-9);
    double up = exp(hypot(log(1.1), log(1 / 0.9)));
    ck_assert_double_eq_tol(g.lo, 100 * (1 - 0.5 * up), 1e-9);
    ck_assert_double_eq_tol(g.hi, 100 * (1 - 0.5 / up), 1e-9);
}
END_TEST

START_TEST(test_ties)
{
    ck_assert(is_tie(-0.5, 0.5));
    ck_assert(is_tie(0.5, 3));
    ck_assert(is_tie(-3, 3));
    ck_assert(is_tie(-3, -1));
    ck_assert(!is_tie(1.01, 3));
    ck_assert(!is_tie(-3, -1.01));
    ck_assert(is_tie(NAN, NAN));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli");
    TCase *t = tcase_create("cli");
    tcase_add_test(t, test_whole_numbers);
    tcase_add_test(t, test_real_numbers);
    tcase_add_test(t, test_lists);
    tcase_add_test(t, test_figures);
    tcase_add_test(t, test_rules);
    tcase_add_test(t, test_names);
    tcase_add_test(t, test_grid_fits_its_page);
    tcase_add_test(t, test_paragraphs_are_broken);
    tcase_add_test(t, test_sweep_values);
    tcase_add_test(t, test_sweep_errors);
    tcase_add_test(t, test_sweep_is_counted_not_listed);
    tcase_add_test(t, test_every_gpu_key_can_be_swept);
    tcase_add_test(t, test_defaults);
    tcase_add_test(t, test_all_forms_of_options);
    tcase_add_test(t, test_option_table);
    tcase_add_test(t, test_options_want_their_values);
    tcase_add_test(t, test_all_means_every_policy);
    tcase_add_test(t, test_parameters_tell_policies_apart);
    tcase_add_test(t, test_columns);
    tcase_add_test(t, test_gains);
    tcase_add_test(t, test_ties);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
