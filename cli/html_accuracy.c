/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>

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

void html_accuracy(FILE *f, const struct html_page *p)
{
    html_section(f, "accuracy", "Accuracy");
    if (p->report == NULL)
        html_paragraph(f, "grey",
                       "How well the samples fit is not part of a result that "
                       "was read back; the intervals of its points are.");
    for (size_t i = 0; p->report != NULL && i < p->report->cases; i++)
        put_accuracy_of(f, p->report, i);
    html_paragraph(f, "",
                   "Intervals hold the true number with a probability of 90 %; "
                   "differences between schedulers are known better than the "
                   "cycles themselves, since all see the same samples.");
    fputs("</section>\n", f);
}
