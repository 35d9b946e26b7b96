/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_account.h"

#include "cli/gain.h"

#include <math.h>
#include <string.h>

#define NAME_MAX_BYTES 512 /* of a policy or a study */

static bool known(const struct result *r)
{
    return r != NULL && isfinite(r->memory.served[SERVED_L1]);
}

/* Width of the longest policy label. */
static int label_width(const struct report *r)
{
    int width = 0;
    for (int p = 0; p < r->plan->shown_policies; p++) {
        char label[NAME_MAX_BYTES];
        report_policy_label(label, sizeof(label), r, p);
        int n = (int)strlen(label);
        width = n > width ? n : width;
    }
    return width;
}

static void put_account(FILE *f, const struct memory_account *a)
{
    for (int i = 0; i < SERVED_CLASSES; i++)
        fprintf(f, " %6.1f", 100 * a->served[i]);
    fputs(" |", f);
    for (int i = 0; i < NOC_CLASSES; i++)
        fprintf(f, " %9.0f", a->crossings[i] / 1000);
    fputs(" |", f);
    for (int i = 0; i < ENERGY_PARTS; i++)
        fprintf(f, " %9.1f", a->energy_uj[i]);
    fputc('\n', f);
}

static void put_rows(FILE *f, const struct report *r,
                     const struct report_study *s, int width)
{
    for (int tb = 0; tb < s->view->shown_tbs; tb++)
        for (int p = 0; p < r->plan->shown_policies; p++) {
            const struct result *result =
                report_result(r, s, (struct point){tb, p});
            char label[NAME_MAX_BYTES];
            if (!known(result))
                continue;
            report_policy_label(label, sizeof(label), r, p);
            fprintf(f, "%5d %-*s", s->study->tb[tb], width, label);
            put_account(f, &result->memory);
        }
}

static bool any_known(const struct report *r, const struct report_study *s)
{
    for (int tb = 0; tb < s->view->shown_tbs; tb++)
        for (int p = 0; p < r->plan->shown_policies; p++)
            if (known(report_result(r, s, (struct point){tb, p})))
                return true;
    return false;
}

void put_accounts(FILE *f, const struct report *r, size_t study)
{
    const struct report_study *s = &r->study[study];
    char label[NAME_MAX_BYTES];
    if (s->study->application == NULL || !any_known(r, s))
        return;
    int width = label_width(r);
    report_study_label(label, sizeof(label), r, study);
    fprintf(f,
            "%s: accesses by what answered, %%; flits times links, thousands; "
            "energy, uJ\n",
            label);
    fprintf(f, "%5s %-*s %6s %6s %6s %6s | %9s %9s %9s |", "tb", width, "",
            "L1", "remote", "L2", "memory", "read", "write", "writeback");
    fprintf(f, " %9s %9s %9s %9s %9s %9s\n", "core", "L1", "shared", "L2",
            "network", "memory");
    put_rows(f, r, s, width);
}
