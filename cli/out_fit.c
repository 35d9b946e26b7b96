/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_fit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define CASE_MAX 512

static int label_width(const struct report *r)
{
    char label[CASE_MAX];
    int width = 0;
    for (size_t i = 0; i < r->cases; i++) {
        report_case_label(label, sizeof(label), r, i);
        if ((int)strlen(label) > width)
            width = (int)strlen(label);
    }
    return width;
}

static void put_fit(FILE *f, const struct estimate_fit *s)
{
    char left_out[32] = "-";
    if (isfinite(s->leave_one_out_pct))
        snprintf(left_out, sizeof(left_out), "%.2f", s->leave_one_out_pct);
    fprintf(f, "%8d %14" PRIu64 " %5d %14s %8.2f  %s\n", s->samples,
            s->sample_insts, s->rank, left_out, s->seconds, s->note);
}

void write_fits(FILE *f, const struct report *r)
{
    int width = label_width(r);
    fprintf(f, "%-*s %8s %14s %5s %14s %8s  %s\n", width, "", "samples",
            "warp_insts", "rank", "leave_one_out%", "seconds", "note");
    for (size_t i = 0; i < r->cases; i++) {
        char label[CASE_MAX];
        report_case_label(label, sizeof(label), r, i);
        fprintf(f, "%-*s ", width, label);
        put_fit(f, estimate_result_fit(r->results, i));
    }
}
