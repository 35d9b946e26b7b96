/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts: what their text is made of, and that a reader can read it. */
#include "chart/chart.h"
#include "chart/scale.h"
#include "chart/svg.h"
#include "tests/svg_text.h"

#include <check.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LABELS       512

static const char *const three[] = {"lrr", "gto", "paws"};
static const char *const fourteen[] = {
    "bp-k1",  "bp-k2", "bt-k1",     "bt-k2",     "heartwall",
    "kmeans", "lud",   "srad-3",    "cfd",       "dwt",
    "dxtc",   "fwt",   "histogram", "montecarlo"};

static char *draw(const struct chart *c)
{
    struct {
        char *text;
        size_t size;
    } out;
    FILE *f = open_memstream(&out.text, &out.size);
    ck_assert(f != NULL);
    chart_write(f, c);
    ck_assert(fclose(f) == 0);
    return out.text;
}

static char *draw_panel(const struct chart_panel *p)
{
    return draw(&(struct chart){.title = "A chart",
                                .description = "A description",
                                .note = "A note about it",
                                .mark = "paper",
                                .panel = p,
                                .panels = 1});
}

/* Well formed, every label inside the view box, no two on each other. */
static void check_legible(const char *text)
{
    static struct svg_box_of_text box[LABELS];
    double width = 0, height = 0;
    ck_assert_msg(svg_well_formed(text), "%s", text);
    ck_assert(sscanf(strstr(text, "viewBox='"), "viewBox='0 0 %lf %lf", &width,
                     &height) == 2);
    size_t n = svg_labels(box, LABELS, text);
    ck_assert(n > 0 && n < LABELS);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            ck_assert_msg(
                box[i].corner[k][0] >= 0 && box[i].corner[k][0] <= width &&
                    box[i].corner[k][1] >= 0 && box[i].corner[k][1] <= height,
                "'%s' at %g, %g of %g x %g", box[i].text, box[i].corner[k][0],
                box[i].corner[k][1], width, height);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(!svg_overlap(&box[i], &box[j]), "'%s' on '%s'",
                          box[i].text, box[j].text);
    ck_assert(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
}

/* Bars of `serieses` times `subjects`, of changing signs. */
static size_t fill(struct chart_value *value, size_t serieses, size_t subjects)
{
    size_t n = 0;
    for (size_t s = 0; s < subjects; s++)
        for (size_t k = 0; k < serieses; k++)
            value[n++] =
                chart_bar(k, s, 0.8 + 0.03 * (double)((s + 2 * k) % 9));
    return n;
}

static struct chart_panel bars(const struct chart_value *value, size_t values,
                               const char *const *subject, size_t subjects)
{
    return (struct chart_panel){.kind = CHART_BARS,
                                .y = {"speed over lrr", "ratio", .origin = 1},
                                .subject = subject,
                                .subjects = subjects,
                                .series = three,
                                .serieses = 3,
                                .value = value,
                                .values = values};
}

/* ---- what is drawn ------------------------------------------------------ */

START_TEST(a_bar_for_each_value)
{
    struct chart_value value[42];
    struct chart_panel p = bars(value, fill(value, 3, 14), fourteen, 14);
    value[5].low = 0.7, value[5].high = 1.2;
    value[6].mark = 1.1;
    char *text = draw_panel(&p);
    check_legible(text);
    for (int s = 0; s < 3; s++) {
        char name[64];
        snprintf(name, sizeof(name), "class='fill s%d'><title>", s);
        ck_assert_uint_eq(svg_count(text, name), 14);
    }
    ck_assert_uint_eq(svg_count(text, "class='whisker'"), 3);
    ck_assert_uint_eq(svg_count(text, "class='mark'"), 2); /* with legend */
    ck_assert(strstr(text, ">speed over lrr (ratio)<") != NULL);
    ck_assert(strstr(text, "<title>A chart</title>") != NULL);
    ck_assert(strstr(text, "<desc>A description</desc>") != NULL);
    free(text);
}
END_TEST

/* Bars end where their values are, on both sides of the origin. */
START_TEST(bars_grow_from_the_origin)
{
    struct chart_value value[] = {chart_bar(0, 0, 1.5), chart_bar(1, 0, 0.5),
                                  chart_bar(2, 0, 1)};
    struct chart_panel p = bars(value, 3, fourteen, 1);
    char *text = draw_panel(&p), *bar = text;
    double y[3], height[3];
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof(name), "fill s%d'><title>", i);
        bar = strstr(text, name);
        while (*bar != '<')
            bar--;
        y[i] = svg_attribute(bar, "y", NAN);
        height[i] = svg_attribute(bar, "height", NAN);
    }
    ck_assert_double_eq_tol(y[0] + height[0], y[1], 0.11);
    ck_assert_double_eq_tol(height[0], height[1], 0.11);
    ck_assert_double_eq_tol(height[2], 0, 0.11);
    ck_assert_double_gt(height[0], 50);
    free(text);
}
END_TEST

/* On a stack of 2 and 3 the second part begins where the first one ends. */
START_TEST(stacks_add_up)
{
    struct chart_value value[] = {chart_bar(0, 0, 2), chart_bar(1, 0, 3)};
    struct chart_panel p = bars(value, 2, fourteen, 1);
    p.kind = CHART_STACK;
    p.y.origin = 0;
    char *text = draw_panel(&p), *low = strstr(text, "fill s0'><title>"),
         *high = strstr(text, "fill s1'><title>");
    while (*low != '<')
        low--;
    while (*high != '<')
        high--;
    double end = svg_attribute(high, "y", 0) + svg_attribute(high, "height", 0);
    ck_assert_double_eq_tol(svg_attribute(low, "y", 0), end, 0.11);
    ck_assert_double_eq_tol(svg_attribute(low, "height", 0) * 3,
                            svg_attribute(high, "height", 0) * 2, 0.4);
    check_legible(text);
    free(text);
}
END_TEST

START_TEST(values_without_a_number_are_left_out)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT(odd); i++) {
        struct chart_value value[6];
        struct chart_panel p = bars(value, fill(value, 3, 2), fourteen, 2);
        value[4].y = odd[i];
        value[1].low = odd[i], value[1].high = 1;
        value[2].mark = odd[i];
        char *text = draw_panel(&p);
        check_legible(text);
        ck_assert_uint_eq(svg_count(text, "'><title>"), 5);
        ck_assert_uint_eq(svg_count(text, "class='whisker'"), 0);
        ck_assert_uint_eq(svg_count(text, "class='mark'"), 0);
        free(text);
    }
}
END_TEST

START_TEST(nothing_to_show_says_why)
{
    struct chart_value value[] = {chart_bar(0, 0, NAN)};
    struct chart_panel p = bars(value, 1, fourteen, 1);
    p.empty = "the run was cancelled & gave no counts";
    char *text = draw_panel(&p);
    ck_assert(strstr(text, "cancelled &amp; gave no counts<") != NULL);
    check_legible(text);
    free(text);
    p = bars(NULL, 0, NULL, 0);
    for (int kind = CHART_BARS; kind <= CHART_SCATTER; kind++) {
        p.kind = (enum chart_kind)kind;
        text = draw_panel(&p);
        ck_assert(strstr(text, ">no values<") != NULL);
        check_legible(text);
        free(text);
    }
}
END_TEST

START_TEST(lines_break_at_missing_values)
{
    struct chart_value value[] = {chart_point(0, 1, 1),   chart_point(0, 2, 2),
                                  chart_point(0, 3, NAN), chart_point(0, 4, 3),
                                  chart_point(0, 5, 2),   chart_point(1, 1, 0),
                                  chart_point(1, 5, 0)};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.x.title = "cycle";
    for (int steps = 0; steps < 2; steps++) {
        p.kind = steps ? CHART_STEPS : CHART_LINES;
        char *text = draw_panel(&p), *path = strstr(text, "<path d='");
        path[strcspn(path, ">")] = '\0';
        ck_assert_uint_eq(svg_count(path, "M"), 2);
        ck_assert_uint_eq(svg_count(path, steps ? "H" : "L"), 2);
        path[strlen(path)] = '>';
        check_legible(text);
        free(text);
    }
}
END_TEST

/* All of the area of the upper series lies on the lower one's. */
START_TEST(areas_stand_on_each_other)
{
    struct chart_value value[] = {
        chart_point(0, 0, 10), chart_point(0, 50, 4), chart_point(0, 100, 4),
        chart_point(1, 0, 0),  chart_point(1, 50, 6), chart_point(1, 100, 6)};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.kind = CHART_AREAS;
    p.ramp = true;
    p.y.origin = 0;
    char *text = draw_panel(&p);
    double x0, top, x1, mid, again;
    const char *path = strstr(text, "<path d='");
    ck_assert(sscanf(path, "<path d='M%lf %lfH%lfV%lf", &x0, &top, &x1, &mid) ==
              4);
    path = strstr(path + 1, "<path d='");
    ck_assert(
        sscanf(path, "<path d='M%lf %lfH%lfV%lf", &x0, &again, &x1, &mid) == 4);
    ck_assert_double_eq_tol(again, top, 0.11); /* 10 + 0 */
    ck_assert_double_eq_tol(mid, top, 0.11);   /* 4 + 6 */
    /* Its lower edge is the other's upper one: at 4 from 100 to 50, at 10 on
     * to 0. */
    double y[3], x[3], middle = x1;
    path += strcspn(path, "H") + 1;
    path += strcspn(path, "H") + 1;
    path += strcspn(path, "V") + 1;
    ck_assert(sscanf(path + strcspn(path, "V"), "V%lfH%lfV%lfH%lfV%lfH%lfz",
                     &y[0], &x[0], &y[1], &x[1], &y[2], &x[2]) == 6);
    ck_assert_double_eq_tol(x[1], middle, 0.11);
    ck_assert_double_eq_tol(y[2], top, 0.11);
    ck_assert(y[1] > y[2] && y[0] == y[1]);
    ck_assert(strstr(text, ".fill.r1{fill:#") != NULL);
    check_legible(text);
    free(text);
}
END_TEST

/* Log axes of one range: equal values on the diagonal, 1000 half-way between
 * 100 and 10000, 1250 higher by log 1.25 / log 100 of that way. */
START_TEST(scatter_is_where_its_lines_are)
{
    static const double ratio[] = {1, 1.25};
    struct chart_value value[] = {chart_point(0, 100, 100),
                                  chart_point(1, 1000, 1250),
                                  chart_point(0, 10000, 10000),
                                  chart_point(0, 0, 5), chart_point(0, 5, -1)};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.kind = CHART_SCATTER;
    p.x = (struct chart_axis){"theirs", "cycles", .log = true};
    p.y = (struct chart_axis){"ours", "cycles", .log = true};
    p.ratio = ratio;
    p.ratios = 2;
    p.ratio_name = "+25 %";
    char *text = draw_panel(&p);
    double x[3], y[3];
    int n = 0;
    check_legible(text);
    ck_assert_uint_eq(svg_count(text, "r='3'"), 3);
    for (char *c = text; n < 3 && (c = strstr(c, "<circle")) != NULL; c++)
        if (svg_attribute(c, "r", 0) == 3) {
            x[n] = svg_attribute(c, "cx", NAN);
            y[n++] = svg_attribute(c, "cy", NAN);
        }
    ck_assert_double_eq_tol(x[1], (x[0] + x[2]) / 2, 0.11);
    double rise = log(1.25) / log(100) * (y[2] - y[0]);
    ck_assert_double_eq_tol(y[1], (y[0] + y[2]) / 2 + rise, 0.11);
    ck_assert(strstr(text, ">500<") && strstr(text, ">+25 %<"));
    free(text);
}
END_TEST

/* Dots grow from nowhere: what their axis has to reach is no line among them.
 */
START_TEST(dots_have_no_line_at_their_origin)
{
    struct chart_value value[] = {chart_point(0, 18, 19),
                                  chart_point(0, 20, 21)};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    double at = NAN, bottom = 0;
    p.kind = CHART_SCATTER;
    p.x = (struct chart_axis){.title = "theirs"};
    p.y = (struct chart_axis){.title = "ours", .origin = 18.1};
    char *text = draw_panel(&p);
    for (char *c = text; (c = strstr(c, "<line")) != NULL; c++) {
        const char *name = strstr(c, "class='");
        double y = svg_attribute(c, "y2", NAN);
        if (strncmp(name, "class='origin'", 14) == 0)
            at = y;
        else if (strncmp(name, "class='grid'", 12) == 0)
            bottom = fmax(bottom, y);
    }
    ck_assert_double_ge(at, bottom);
    free(text);
}
END_TEST

/* The first series is one path through its places, the rest are dots. */
START_TEST(joined_series_are_lines)
{
    struct chart_value value[] = {
        chart_point(0, 100, 100), chart_point(0, 1000, 1000),
        chart_point(0, 10000, 1000), chart_point(1, 500, 200)};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.kind = CHART_SCATTER;
    p.x = p.y = (struct chart_axis){"bytes", NULL, .log = true};
    p.joined = 1;
    char *text = draw_panel(&p);
    check_legible(text);
    ck_assert_uint_eq(svg_count(text, "r='3'"), 1);
    ck_assert_uint_eq(svg_count(text, "<path d='M"), 1);
    const char *path = strstr(text, "<path d='M");
    double x[3], y[3];
    ck_assert_int_eq(sscanf(path, "<path d='M%lf %lfL%lf %lfL%lf %lf'", &x[0],
                            &y[0], &x[1], &y[1], &x[2], &y[2]),
                     6);
    ck_assert_double_eq_tol(x[1], (x[0] + x[2]) / 2, 0.11);
    ck_assert_double_eq(y[1], y[2]);
    ck_assert_double_lt(y[1], y[0]);
    free(text);
}
END_TEST

/* Labels stand beside their values, none on another, also at the frame's end.
 */
START_TEST(labels_of_dots_are_apart)
{
    struct chart_value value[] = {chart_point(0, 1, 1), chart_point(0, 9, 9),
                                  chart_point(1, 9, 9), chart_point(1, 9, 8.9),
                                  chart_point(1, 1, 8)};
    static const char *const label[] = {NULL, "the roof", "best of all",
                                        "next best", "tb=1 gto"};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    for (size_t i = 0; i < COUNT(value); i++)
        value[i].label = label[i];
    p.kind = CHART_SCATTER;
    p.joined = 1;
    char *text = draw_panel(&p);
    check_legible(text);
    for (size_t i = 1; i < COUNT(label); i++)
        ck_assert(strstr(text, label[i]) != NULL);
    free(text);
}
END_TEST

/* Of a series with very many dots all are in one path. */
START_TEST(many_dots_are_a_path)
{
    struct chart_value value[1000];
    for (size_t i = 0; i < COUNT(value); i++)
        value[i] = chart_point(i < 999 ? 0 : 1, (double)i, (double)(i % 7));
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.kind = CHART_SCATTER;
    char *text = draw_panel(&p);
    check_legible(text);
    ck_assert_uint_eq(svg_count(text, "r='3'"), 1);
    ck_assert_uint_eq(svg_count(text, "h0"), 999);
    free(text);
}
END_TEST

/* A box from x to end, as high as its row; the axis reaches the last end. */
START_TEST(spans_are_boxes)
{
    struct chart_value value[] = {chart_span(0, 0, 100, 300),
                                  chart_span(1, 0, 300, 400),
                                  chart_span(2, 1, 100, 500)};
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.kind = CHART_SPANS;
    p.x = (struct chart_axis){.title = "cycles"};
    p.y = (struct chart_axis){.title = "row"};
    char *text = draw_panel(&p);
    check_legible(text);
    const char *at = text;
    double x[3], y[3], width[3], height[3];
    for (int i = 0; i < 3; i++) {
        char class_name[32];
        snprintf(class_name, sizeof(class_name), "class='fill s%d'", i);
        /* The legend's swatch comes first. */
        at = strstr(strstr(text, class_name) + 1, class_name);
        while (*at != '<')
            at--;
        x[i] = svg_attribute(at, "x", NAN);
        y[i] = svg_attribute(at, "y", NAN);
        width[i] = svg_attribute(at, "width", NAN);
        height[i] = svg_attribute(at, "height", NAN);
    }
    ck_assert_double_eq(x[0], x[2]);
    ck_assert_double_eq(y[0], y[1]);
    ck_assert_double_eq_tol(y[2] + height[2], y[0], 0.11);
    ck_assert_double_eq_tol(width[0], 2 * width[1], 0.21);
    ck_assert_double_eq_tol(width[2], 4 * width[1], 0.41);
    ck_assert_double_eq_tol(x[1], x[0] + width[0], 0.11);
    free(text);
}
END_TEST

/* A thousand values at one place and one at another are two boxes, the first as
 * dark as can be; values of other series stay dots. */
START_TEST(dense_series_are_counted)
{
    struct chart_value value[1002];
    for (int i = 0; i < 1000; i++)
        value[i] = chart_point(0, 10, 10);
    value[1000] = chart_point(0, 90, 90);
    value[1001] = chart_point(1, 50, 50);
    struct chart_panel p = bars(value, COUNT(value), NULL, 0);
    p.kind = CHART_SCATTER;
    p.x = p.y = (struct chart_axis){.title = "objective"};
    p.dense = 1;
    char *text = draw_panel(&p);
    check_legible(text);
    ck_assert_uint_eq(svg_count(text, "r='3'"), 1);
    ck_assert_uint_eq(svg_count(text, "<title>1000</title>"), 1);
    ck_assert_uint_eq(svg_count(text, "<title>1</title>"), 1);
    const char *many = strstr(text, "<title>1000</title>");
    const char *darkest = strstr(text, "<g fill-opacity='1.0'>");
    ck_assert(darkest != NULL && darkest < many);
    ck_assert(strstr(text, "<title>1</title>") < darkest);
    free(text);
}
END_TEST

/* ---- legible ------------------------------------------------------------ */

START_TEST(text_is_escaped)
{
    static const char *const odd[] = {"a<b>&'\"", "\x01\xff\xc3",
                                      "caf\xc3\xa9"};
    struct chart_value value[] = {chart_bar(0, 0, 2), chart_bar(1, 1, 3)};
    struct chart_panel p = bars(value, 2, odd, 3);
    p.series = odd;
    p.title = "</text>";
    char *text = draw_panel(&p);
    ck_assert_msg(svg_well_formed(text), "%s", text);
    ck_assert(strstr(text, ">a&lt;b&gt;&amp;&#39;&quot;<") != NULL);
    ck_assert(strstr(text, "> ?\?<") && strstr(text, ">caf\xc3\xa9<"));
    ck_assert(strstr(text, ">&lt;/text&gt;<") != NULL);
    free(text);
}
END_TEST

START_TEST(long_names_are_turned)
{
    static const char *const name[] = {
        "a name as long as those of traces, and then some more",
        "another one which is as long as the first one was",
        "third",
        "fourth",
        "fifth with a long name",
        "sixth",
        "seventh is long, too",
        "eighth"};
    struct chart_value value[24];
    struct chart_panel p = bars(value, fill(value, 3, 8), name, 8);
    char *text = draw_panel(&p);
    check_legible(text);
    ck_assert(strstr(text, "rotate(-45") != NULL);
    ck_assert(strstr(text, "\xe2\x80\xa6<") != NULL);
    free(text);
    p = bars(value, fill(value, 3, 2), fourteen, 2);
    text = draw_panel(&p);
    ck_assert(strstr(text, "rotate(-45") == NULL);
    check_legible(text);
    free(text);
}
END_TEST

START_TEST(one_bar_and_two_hundred)
{
    static char names[200][32];
    static const char *name[200];
    static struct chart_value value[600];
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof(names[i]), "kernel-%d", i);
        name[i] = names[i];
    }
    static const size_t subjects[] = {1, 2, 30, 200};
    for (size_t i = 0; i < COUNT(subjects); i++) {
        size_t n = fill(value, 3, subjects[i]);
        struct chart_panel p = bars(value, n, name, subjects[i]);
        char *text = draw_panel(&p);
        check_legible(text);
        ck_assert_uint_eq(svg_count(text, "'><title>"), n);
        free(text);
    }
}
END_TEST

/* Axes of every size and sign have labels that tell them apart. */
START_TEST(ranges_of_every_size)
{
    static const double range[][2] = {
        {0, 0},          {-3, -1},       {-1e9, 2e9}, {1e-6, 3e-6},
        {99999, 100001}, {0, 123456789}, {-0.001, 0}, {1, 1}};
    for (size_t i = 0; i < COUNT(range); i++) {
        struct chart_value value[] = {chart_point(0, range[i][0], range[i][0]),
                                      chart_point(0, range[i][1], range[i][1])};
        struct chart_panel p = bars(value, 2, NULL, 0);
        p.kind = CHART_LINES;
        p.y.origin = range[i][0];
        p.x.title = "x";
        char *text = draw_panel(&p);
        check_legible(text);
        free(text);
    }
}
END_TEST

/* Panels side by side share a legend; another row with the same series does. */
START_TEST(panels_share_legends)
{
    static const char *const parts[] = {"idle", "both"};
    struct chart_value value[9];
    size_t n = fill(value, 3, 3);
    struct chart_panel panel[6];
    for (int i = 0; i < 6; i++) {
        panel[i] = bars(value, n, fourteen, 3);
        panel[i].title = "(a) a panel";
        panel[i].series = i < 4 ? three : parts;
        panel[i].serieses = i < 4 ? 3 : 2;
    }
    char *text = draw(&(struct chart){.title = "Six panels whose title is so "
                                               "long that it takes two lines "
                                               "at the least of them",
                                      .panel = panel,
                                      .panels = 6,
                                      .columns = 2});
    check_legible(text);
    ck_assert_uint_eq(svg_count(text, ">paws<"), 1);
    ck_assert_uint_eq(svg_count(text, ">both<"), 1);
    ck_assert_uint_eq(svg_count(text, ">(a) a panel<"), 6);
    ck_assert_uint_eq(svg_count(text, "'><title>"), 4 * 9 + 2 * 6);
    free(text);
}
END_TEST

/* Axes that say the same beside each other have the same range. */
START_TEST(panels_of_a_row_share_ranges)
{
    struct chart_value value[] = {chart_bar(0, 0, 1), chart_bar(0, 0, 100)};
    struct chart_panel panel[2];
    for (int i = 0; i < 2; i++) {
        panel[i] = bars(&value[i], 1, fourteen, 1);
        panel[i].y.origin = 0;
    }
    struct chart c = {.title = "t", .panel = panel, .panels = 2, .columns = 2};
    char *text = draw(&c);
    ck_assert_uint_eq(svg_count(text, ">100<"), 2);
    free(text);
    panel[1].y.title = "another";
    text = draw(&c);
    ck_assert_uint_eq(svg_count(text, ">100<"), 1);
    check_legible(text);
    free(text);
}
END_TEST

/* Of many colours in order the legend names some. */
START_TEST(long_ramps_have_short_legends)
{
    static char names[31][32];
    static const char *name[31];
    struct chart_value value[31];
    for (int i = 0; i < 31; i++) {
        snprintf(names[i], sizeof(names[i]), "phase %d", i + 1);
        name[i] = names[i];
        value[i] = chart_point((size_t)i, 0, 1);
    }
    struct chart_panel p = {.kind = CHART_AREAS,
                            .series = name,
                            .serieses = 31,
                            .value = value,
                            .values = 31,
                            .ramp = true};
    char *text = draw_panel(&p);
    size_t n = svg_count(text, ">phase ");
    ck_assert(n >= 5 && n <= 9 && strstr(text, ">phase 1<") != NULL);
    check_legible(text);
    free(text);
}
END_TEST

START_TEST(looks_on_light_and_dark)
{
    struct chart_value value[3];
    struct chart_panel p = bars(value, fill(value, 3, 1), fourteen, 1);
    char *text = draw_panel(&p);
    const char *dark = strstr(text, "@media (prefers-color-scheme:dark){");
    ck_assert(dark != NULL && strstr(dark, ".fill.s0{fill:") != NULL);
    ck_assert(strstr(text, " width='600") == NULL); /* scales with the page */
    ck_assert(strstr(text, "href") == NULL && strstr(text, "url(") == NULL);
    free(text);
}
END_TEST

/* ---- scales ------------------------------------------------------------- */

START_TEST(ticks_are_round)
{
    static const struct {
        double low, high;
        int steps;
        size_t ticks;
        double first, last;
    } row[] = {{0, 10, 5, 6, 0, 10},       {0, 9.7, 5, 6, 0, 10},
               {-1.2, 0.7, 4, 5, -1.5, 1}, {1, 1.1, 5, 6, 1, 1.1},
               {0, 1e-3, 2, 3, 0, 1e-3},   {0, 1234567, 5, 4, 0, 1500000}};
    for (size_t i = 0; i < COUNT(row); i++) {
        struct scale s = scale_linear(row[i].low, row[i].high, row[i].steps);
        double tick[SCALE_TICKS];
        size_t n = scale_ticks(tick, &s);
        if (i == 2 || i == 5) /* steps of 0.5 */
            ck_assert_uint_ge(n, 4);
        else
            ck_assert_uint_eq(n, row[i].ticks);
        ck_assert_double_eq_tol(tick[0], row[i].first, 1e-9);
        ck_assert_double_eq_tol(tick[n - 1], row[i].last, 1e-6);
    }
}
END_TEST

START_TEST(labels_of_ticks)
{
    static const struct {
        double low, high, tick;
        const char *label;
    } row[] = {{0, 10, 4, "4"},          {0, 1, 0.2, "0.2"},
               {0, 2e5, 50000, "50 k"},  {0, 5e6, 1e6, "1 M"},
               {0, 5e6, 0, "0"},         {-1, 1, -0.5, "-0.5"},
               {0, 8e4, 20000, "20000"}, {1, 1.1, 1.02, "1.02"}};
    for (size_t i = 0; i < COUNT(row); i++) {
        struct scale s = scale_linear(row[i].low, row[i].high, 5);
        char label[32];
        scale_label(label, sizeof(label), &s, row[i].tick);
        ck_assert_str_eq(label, row[i].label);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("chart");
    TCase *t = tcase_create("chart");
    tcase_add_test(t, a_bar_for_each_value);
    tcase_add_test(t, bars_grow_from_the_origin);
    tcase_add_test(t, stacks_add_up);
    tcase_add_test(t, values_without_a_number_are_left_out);
    tcase_add_test(t, nothing_to_show_says_why);
    tcase_add_test(t, lines_break_at_missing_values);
    tcase_add_test(t, areas_stand_on_each_other);
    tcase_add_test(t, scatter_is_where_its_lines_are);
    tcase_add_test(t, dots_have_no_line_at_their_origin);
    tcase_add_test(t, joined_series_are_lines);
    tcase_add_test(t, labels_of_dots_are_apart);
    tcase_add_test(t, many_dots_are_a_path);
    tcase_add_test(t, spans_are_boxes);
    tcase_add_test(t, dense_series_are_counted);
    tcase_add_test(t, text_is_escaped);
    tcase_add_test(t, long_names_are_turned);
    tcase_add_test(t, one_bar_and_two_hundred);
    tcase_add_test(t, ranges_of_every_size);
    tcase_add_test(t, panels_share_legends);
    tcase_add_test(t, panels_of_a_row_share_ranges);
    tcase_add_test(t, long_ramps_have_short_legends);
    tcase_add_test(t, looks_on_light_and_dark);
    tcase_add_test(t, ticks_are_round);
    tcase_add_test(t, labels_of_ticks);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
