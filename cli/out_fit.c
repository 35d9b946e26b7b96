/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_fit.h"

#include <inttypes.h>
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

void write_fits(FILE *f, const struct report *r)
{
    int width = label_width(r);
    fprintf(f, "%-*s %8s %14s %8s\n", width, "", "samples", "warp_insts",
            "seconds");
    for (size_t i = 0; i < r->cases; i++) {
        char label[CASE_MAX];
        report_case_label(label, sizeof(label), r, i);
        const struct estimate_fit *fit = estimate_result_fit(r->results, i);
        fprintf(f, "%-*s %8d %14" PRIu64 " %8.2f\n", width, label, fit->samples,
                fit->sample_insts, fit->seconds);
    }
}
