/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_account.h"

#include "cli/gain.h"

#include <math.h>
#include <string.h>

#define NAME_MAX_BYTES 512 /* of a policy or a case */

static bool known(const struct estimate_point *p)
{
    return p != NULL && isfinite(p->served.l1);
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

static void put_account(FILE *f, const struct estimate_point *p)
{
    fprintf(f, " %6.1f %6.1f %6.1f %6.1f |", 100 * p->served.l1,
            100 * p->served.remote, 100 * p->served.l2, 100 * p->served.memory);
    fprintf(f, " %9.0f %9.0f %9.0f |", p->crossings.read / 1000,
            p->crossings.write / 1000, p->crossings.writeback / 1000);
    fprintf(f, " %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f\n", p->energy.core,
            p->energy.l1, p->energy.shared, p->energy.l2, p->energy.network,
            p->energy.memory);
}

static void put_rows(FILE *f, const struct report *r,
                     const struct report_case *c, int width)
{
    for (int tb = 0; tb < c->at->shown_tbs; tb++)
        for (int p = 0; p < r->plan->shown_policies; p++) {
            const struct estimate_point *point =
                report_point(r, c, (struct point){tb, p});
            char label[NAME_MAX_BYTES];
            if (!known(point))
                continue;
            report_policy_label(label, sizeof(label), r, p);
            fprintf(f, "%5d %-*s", c->at->tb[tb], width, label);
            put_account(f, point);
        }
}

static bool any_known(const struct report *r, const struct report_case *c)
{
    for (int tb = 0; tb < c->at->shown_tbs; tb++)
        for (int p = 0; p < r->plan->shown_policies; p++)
            if (known(report_point(r, c, (struct point){tb, p})))
                return true;
    return false;
}

void put_accounts(FILE *f, const struct report *r, size_t which)
{
    const struct report_case *c = &r->at[which];
    char label[NAME_MAX_BYTES];
    if (!estimate_kernel_info(c->at->kernel)->application || !any_known(r, c))
        return;
    int width = label_width(r);
    report_case_label(label, sizeof(label), r, which);
    fprintf(f,
            "%s: accesses by what answered, %%; flits times links, thousands; "
            "energy, uJ\n",
            label);
    fprintf(f, "%5s %-*s %6s %6s %6s %6s | %9s %9s %9s |", "tb", width, "",
            "L1", "remote", "L2", "memory", "read", "write", "writeback");
    fprintf(f, " %9s %9s %9s %9s %9s %9s\n", "core", "L1", "shared", "L2",
            "network", "memory");
    put_rows(f, r, c, width);
}
