/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate explain: one point, why it takes as long as it does. */
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/plan_run.h"
#include "cli/progress.h"

#include <math.h>
#include <string.h>

static bool is_written(const struct format *f)
{
    return strcmp(f->name, "csv") != 0 && strcmp(f->name, "jsonl") != 0;
}

static bool check_plan(const struct plan *p, struct estimate_error *e)
{
    if (p->shown_points == 1)
        return true;
    return fail(e, ESTIMATE_USAGE,
                "explain: expected one kernel on one GPU, under one scheduler "
                "at one tb, found %zu points",
                p->shown_points);
}

static void write_it(FILE *f, const struct format *format, const void *what)
{
    if (strcmp(format->name, "json") == 0)
        write_explanation_json(f, what);
    else
        write_explanation(f, what, strcmp(format->name, "markdown") == 0);
}

static bool print(const struct options *o, const struct explanation *x,
                  struct estimate_error *e)
{
    const struct written w = {.write = write_it, .what = x};
    bool ok = write_outputs(o, &w, e);
    if (o->outputs == 0 || options_given(o, "format"))
        write_it(stdout, o->format, x);
    return ok;
}

static int explain(const struct options *o, const struct plan *p,
                   struct estimate_error *e)
{
    struct explanation x;
    struct estimate_results *r = plan_run(p, o, NULL, e);
    if (r == NULL)
        return e->status;
    if (isnan(estimate_result(r, 0, 0, 0)->cycles)) {
        estimate_results_free(r);
        fail(e, ESTIMATE_LIMIT, "a limit was hit: nothing is known");
        return *interrupt_flag() != 0 ? interrupt_status() : ESTIMATE_LIMIT;
    }
    bool ok = explanation_create(&x, p, o, r, e) && print(o, &x, e);
    explanation_free(&x);
    estimate_results_free(r);
    return ok ? ESTIMATE_OK : e->status;
}

int run_explain(const struct options *o, struct estimate_error *e)
{
    struct plan p;
    interrupt_catch();
    if (!check_formats(o, is_written, "explain", "table, json or markdown", e))
        return e->status;
    bool ok = plan_create(&p, o, e) && check_plan(&p, e);
    if (ok)
        print_lines("note", p.notes);
    int status = ok ? explain(o, &p, e) : (int)e->status;
    plan_free(&p);
    return status;
}
