/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the papers: their values, what is written of them, and that each
 * row of them can be drawn. */
#include "paper_repro/claim.h"
#include "paper_repro/draw.h"
#include "paper_repro/draw_index.h"
#include "tests/svg_text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- means -------------------------------------------------------------- */

START_TEST(means_and_their_intervals)
{
    static const double value[] = {1, 8, 3}, base[] = {1, 2, 4};
    struct figure_value v = figure_value(0, "mean", "gto", NAN);
    figure_mean(&v, value, base, 3, RATIOS_GEOMETRIC);
    ck_assert_double_eq_tol(v.ours, cbrt(1 * 4 * 0.75), 1e-12);
    /* The extremes of resampling three are one kernel three times: 1/27 each,
     * less than 5 %, and above it with the next ones. */
    ck_assert(v.low > 0.75 && v.low < v.ours);
    ck_assert(v.high < 4 && v.high > v.ours);
    figure_mean(&v, value, base, 3, RATIO_OF_MEANS);
    ck_assert_double_eq_tol(v.ours, 12.0 / 7, 1e-12);
    figure_mean(&v, value, base, 3, RATIOS_ARITHMETIC);
    ck_assert_double_eq_tol(v.ours, 5.75 / 3, 1e-12);
    v = figure_value(0, "mean", "gto", NAN);
    figure_mean(&v, value, base, 1, RATIOS_GEOMETRIC);
    ck_assert_double_eq(v.ours, 1);
    ck_assert(isnan(v.low) && isnan(v.high));
    figure_mean(&v, value, base, 0, RATIOS_GEOMETRIC);
}
END_TEST

/* Equal values leave nothing open. */
START_TEST(intervals_of_equal_values_are_points)
{
    static const double value[] = {2, 4, 6}, base[] = {1, 2, 3};
    struct figure_value v = figure_value(0, "mean", "gto", NAN);
    figure_mean(&v, value, base, 3, RATIOS_GEOMETRIC);
    ck_assert_double_eq_tol(v.low, 2, 1e-12);
    ck_assert_double_eq_tol(v.high, 2, 1e-12);
}
END_TEST

START_TEST(ratios_span_the_half_window)
{
    const struct figure_measured m = {3, 2}, base = {2, 1};
    struct figure_value v = figure_value(0, "a", "b", NAN);
    figure_ratio(&v, &m, &base);
    ck_assert_double_eq(v.ours, 1.5);
    ck_assert_double_eq(v.low, 1.5);
    ck_assert_double_eq(v.high, 2);
    figure_ratio(&v, &(struct figure_measured){3, NAN}, NULL);
    ck_assert_double_eq(v.ours, 3);
    ck_assert(isnan(v.low) && isnan(v.high));
}
END_TEST

/* ---- files -------------------------------------------------------------- */

static const struct figure example = {
    .id = "x",
    .title = "Fig. 0: an example",
    .what = "Nothing.",
    .panel = {{.title = "(a) one, two", .y = "time", .unit = "cycles"}},
    .gpu = "m2090"};

static struct figure_data *example_data(void)
{
    struct figure_data *d = figure_data_create();
    struct figure_value v = figure_value(0, "lud", "gto", 1.5);
    v.paper = 2;
    ck_assert(d != NULL && figure_add(d, &v, NULL));
    v = figure_value(0, "lud", "say \"x\", y", 0.25);
    v.low = 0.125;
    v.high = 0.5;
    v.tb = 3;
    v.gpu = "k20x";
    ck_assert(figure_add(d, &v, NULL));
    return d;
}

START_TEST(values_as_csv)
{
    const struct view view = {.window = WINDOW_FULL, .gpu = "titanx"};
    struct figure_data *d = example_data();
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    figure_write_csv(f, &example, d, &view);
    fclose(f);
    ck_assert_str_eq(
        text,
        "panel,subject,series,tb,cycle,ours,ours_lo,ours_hi,paper,unit,window,"
        "machine\n"
        "\"(a) one, two\",lud,gto,,,1.5,,,2,cycles,full,m2090\n"
        "\"(a) one, two\",lud,\"say \"\"x\"\", y\",3,,0.25,0.125,0.5,,cycles,"
        "full,k20x\n");
    free(text);
    figure_data_free(d);
}
END_TEST

/* What it shows and on which machines. */
START_TEST(values_as_picture)
{
    const struct view view = {.window = WINDOW_FULL, .gpu = "titanx"};
    struct figure_data *d = example_data();
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    ck_assert(figure_write_svg(f, &example, d, &view));
    fclose(f);
    ck_assert(svg_well_formed(text));
    ck_assert_uint_eq(svg_count(text, "'><title>lud, "), 2);
    ck_assert_uint_eq(svg_count(text, "class='mark'"), 2); /* with legend */
    ck_assert(strstr(text, ">Machine: m2090, k20x; whole grids.") != NULL);
    free(text);
    figure_data_free(d);
}
END_TEST

START_TEST(values_as_table)
{
    struct figure_data *d = example_data();
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    ck_assert(figure_write_table(f, &example, d));
    fclose(f);
    ck_assert(strstr(text, "\n| | gto | say \"x\", y |\n|---|---|---|\n"
                           "| lud | 1.5 (**2**) | 0.25 |\n") != NULL);
    free(text);
    figure_data_free(d);
}
END_TEST

/* ---- the papers' -------------------------------------------------------- */

static bool is_claim(const char *paper, const char *id)
{
    for (int p = 0; p < CLAIM_PAPERS; p++)
        for (size_t i = 0; i < all_claims[p]->count; i++)
            if (strcmp(all_claims[p]->paper, paper) == 0 &&
                strcmp(all_claims[p]->claim[i].id, id) == 0)
                return true;
    return false;
}

/* Marks point to panels; claims to rows of the ledger; ids differ. */
START_TEST(rows_are_whole)
{
    for (const struct figures *p = all_figures; p->paper != NULL; p++)
        for (const struct figure *f = p->figure; f->id != NULL; f++) {
            const char *list = f->claims != NULL ? f->claims : "";
            char id[32];
            ck_assert_msg(f->title != NULL && f->what != NULL, "%s", f->id);
            ck_assert_msg(f->fill != NULL || f->metric != NULL, "%s", f->id);
            ck_assert_msg(f->fill != NULL || f->group[0].kernels != NULL, "%s",
                          f->id);
            while (next_word(id, sizeof(id), &list))
                ck_assert_msg(is_claim(p->paper, id), "%s: %s", f->id, id);
            for (const struct figure *o = p->figure; o < f; o++)
                ck_assert_str_ne(o->id, f->id);
        }
}
END_TEST

/* The page of all figures has a link to each. */
START_TEST(page_names_every_figure)
{
    static char page[1 << 16];
    FILE *f = fopen("paper_repro/README.md", "r");
    ck_assert(f != NULL);
    page[fread(page, 1, sizeof(page) - 1, f)] = '\0';
    fclose(f);
    for (const struct figures *p = all_figures; p->paper != NULL; p++)
        for (const struct figure *r = p->figure; r->id != NULL; r++) {
            char link[128];
            snprintf(link, sizeof(link), "](results/figures/%s_%s.%s)",
                     p->paper, r->id, figure_is_table(r) ? "md" : "svg");
            ck_assert_msg(strstr(page, link) != NULL, "%s", link);
        }
}
END_TEST

/* The page that is written has each, too, whether or not its claims have been
 * judged. */
START_TEST(index_has_every_figure)
{
    static char page[1 << 20];
    char folder[] = "/tmp/test-figures-XXXXXX", path[64];
    struct error e;
    ck_assert(mkdtemp(folder) != NULL && draw_index(folder, &e));
    snprintf(path, sizeof(path), "%s/README.md", folder);
    FILE *f = fopen(path, "r");
    ck_assert(f != NULL);
    page[fread(page, 1, sizeof(page) - 1, f)] = '\0';
    fclose(f);
    ck_assert(remove(path) == 0 && remove(folder) == 0);
    for (const struct figures *p = all_figures; p->paper != NULL; p++)
        for (const struct figure *r = p->figure; r->id != NULL; r++)
            ck_assert_msg(strstr(page, r->title) != NULL, "%s", r->title);
    ck_assert(strstr(page, "\n- paws-01: not judged yet\n") != NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paper figures");
    TCase *t = tcase_create("figures");
    tcase_add_test(t, means_and_their_intervals);
    tcase_add_test(t, intervals_of_equal_values_are_points);
    tcase_add_test(t, ratios_span_the_half_window);
    tcase_add_test(t, values_as_csv);
    tcase_add_test(t, values_as_picture);
    tcase_add_test(t, values_as_table);
    tcase_add_test(t, rows_are_whole);
    tcase_add_test(t, page_names_every_figure);
    tcase_add_test(t, index_has_every_figure);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
