/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gain.h"
#include "cli/hardware.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>
#include <stdlib.h>

/* How well the points are known, whose own runs those were. */
static void put_widths(FILE *f, const struct report_case *c,
                       const struct report *r)
{
    double least = INFINITY, most = 0;
    size_t sampled = 0;
    char text[256];
    for (size_t i = 0; i < c->rows; i++) {
        const struct estimate_point *p = r->row[c->first_row + i].point;
        least = fmin(least, half_width_pct(p));
        most = fmax(most, half_width_pct(p));
        sampled += p->sampled;
    }
    snprintf(text, sizeof(text),
             "%s%zu of %zu points %s; intervals are +-%.1f to +-%.1f %% "
             "wide.",
             sampled == c->rows ? "All: " : "", sampled, c->rows,
             sampled == c->rows
                 ? "were sampled themselves"
                 : "were sampled themselves, the others lie between those",
             least, most);
    html_paragraph(f, "", text);
}

static void put_accuracy_of(FILE *f, const struct report *r, size_t which)
{
    const struct estimate_fit *s = estimate_result_fit(r->results, which);
    char label[HTML_TEXT_MAX], text[2 * HTML_TEXT_MAX];
    report_case_label(label, sizeof(label), r, which);
    if (s->samples > 0)
        snprintf(text, sizeof(text),
                 "%s: %d cycle-level runs of %.2f million warp instructions "
                 "together, where all points in full take %.2f million.",
                 label, s->samples, (double)s->sample_insts * 1e-6,
                 s->full_insts * 1e-6);
    else
        snprintf(text, sizeof(text),
                 "%s: from the model alone, without samples.", label);
    html_paragraph(f, "", text);
    if (s->samples > 0)
        put_widths(f, &r->at[which], r);
}

static void put_sentence(void *user, const char *text)
{
    char sentence[HARDWARE_TEXT + 1];
    snprintf(sentence, sizeof(sentence), "%s.", text);
    html_paragraph(user, "", sentence);
}

/* ---- the model beside samples --------------------------------------------
 */

/* Points that were sampled, with what the model alone says of them. */
struct beside {
    struct chart_value *value; /* [rows] */
    size_t count;
    double low, high;  /* of the sampled cycles */
    double mean, most; /* percent that the model is off */
};

static void add_beside(struct beside *b, const struct estimate_point *sampled,
                       const struct estimate_point *model)
{
    if (sampled == NULL || model == NULL || !sampled->sampled ||
        !(sampled->cycles > 0) || !(model->cycles > 0))
        return;
    double off = 100 * fabs(model->cycles / sampled->cycles - 1);
    b->value[b->count++] = chart_point(0, sampled->cycles, model->cycles);
    b->low = fmin(b->low, sampled->cycles);
    b->high = fmax(b->high, sampled->cycles);
    b->mean += (off - b->mean) / (double)b->count;
    b->most = fmax(b->most, off);
}

static void collect(struct beside *b, const struct report *r)
{
    for (size_t i = 0; i < r->cases; i++) {
        const struct report_case *c = &r->at[i];
        for (int tb = 0; tb < c->at->shown_tbs; tb++)
            for (int p = 0; p < r->plan->shown_policies; p++)
                add_beside(
                    b, report_point(r, c, (struct point){tb, p}),
                    estimate_result(r->model, c->which, (size_t)tb, (size_t)p));
    }
}

static void put_beside(FILE *f, const struct beside *b)
{
    static const char *const series[] = {"points"};
    static const double as_sampled = 1;
    bool log = b->high > 10 * b->low;
    char text[256];
    snprintf(text, sizeof(text),
             "The model alone is %.1f %% off the %zu sampled points in the "
             "mean, %.1f %% at most; samples correct it.",
             b->mean, b->count, b->most);
    html_paragraph(f, "", text);
    const struct chart_panel panel = {
        .kind = CHART_SCATTER,
        .x = {.title = "core cycles by samples", .log = log},
        .y = {.title = "by the model alone", .log = log, .origin = b->low},
        .series = series,
        .serieses = 1,
        .value = b->value,
        .values = b->count,
        .height = 200,
        .ratio = &as_sampled,
        .ratios = 1,
        .ratio_name = "both alike"};
    html_chart(f, &(struct chart){
                      .title = "What the model predicts, what samples tell",
                      .description =
                          "A dot for each point that was sampled: on the line "
                          "the model alone has its cycles right.",
                      .panel = &panel,
                      .panels = 1});
}

static void put_model(FILE *f, const struct report *r)
{
    struct beside b = {.low = INFINITY};
    b.value = calloc(r->rows + 1, sizeof(*b.value));
    if (b.value == NULL)
        return;
    collect(&b, r);
    if (b.count > 0)
        put_beside(f, &b);
    free(b.value);
}

void html_accuracy(FILE *f, const struct html_page *p)
{
    html_section(f, "accuracy", "Accuracy");
    if (p->report == NULL)
        html_paragraph(f, "grey",
                       "How well the samples fit is not part of a result that "
                       "was read back; the intervals of its points are.");
    for (size_t i = 0; p->report != NULL && i < p->report->cases; i++)
        put_accuracy_of(f, p->report, i);
    if (p->report != NULL && p->report->model != NULL)
        put_model(f, p->report);
    html_paragraph(f, "",
                   "Intervals hold what full detail has with a probability of "
                   "90 %; differences between schedulers are known better "
                   "than the cycles themselves, since all see the same "
                   "samples. How far full detail is from hardware they do not "
                   "say.");
    if (p->report != NULL)
        hardware_tell(p->report, f, put_sentence);
    fputs("</section>\n", f);
}
