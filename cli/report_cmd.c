/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate report: a page of results, of an input that is estimated first or of
 * results that were written before. */
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/out_html.h"
#include "cli/plan_run.h"
#include "cli/progress.h"
#include "cli/results_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the warps that a page shows: seconds of a large GPU, at most. */
#define WARPS_CYCLES 10000

static void write_page(FILE *f, const struct format *format, const void *what)
{
    (void)format;
    html_write(f, what);
}

/* ---- of a result --------------------------------------------------------- */

static int report_result(const struct options *o, struct estimate_error *e)
{
    struct results_file r;
    bool ok = results_file_read(&r, o->input[0], e);
    const struct estimate_point **point =
        ok ? calloc(r.points, sizeof(*point)) : NULL;
    if (ok && point == NULL)
        ok = fail_no_memory(e);
    for (size_t i = 0; ok && i < r.points; i++)
        point[i] = &r.point[i];
    const struct html_page page = {
        .point = point, .points = r.points, .table = &r.table, .options = o};
    const struct written w = {.write = write_page, .what = &page};
    ok = ok && write_outputs(o, &w, e);
    free(point);
    results_file_free(&r);
    return ok ? ESTIMATE_OK : e->status;
}

/* ---- of an input --------------------------------------------------------- */

/* What the default point of the only kernel on the only GPU comes from. */
struct account {
    struct plan plan;
    struct estimate_results *results;
    struct explanation explanation;
    struct warps warps;
    bool made;
};

static bool account_create(struct account *a, struct options *with,
                           const struct plan *p, struct estimate_error *e)
{
    *a = (struct account){.made = false};
    if (p->kernels != 1 || p->variants != 1 || plan_columns(p) > 0 ||
        *interrupt_flag() != 0)
        return true;
    with->sweeps = 0;
    with->sched = "gto";
    with->tb_sched = "rr";
    with->l1_policy = "lru";
    if (!plan_create(&a->plan, with, e))
        return false;
    a->results = plan_run(&a->plan, with, NULL, e);
    if (a->results == NULL)
        return false;
    const struct estimate_point *point = estimate_result(a->results, 0, 0, 0);
    if (isnan(point->cycles))
        return true;
    a->made = true;
    return explanation_create(&a->explanation, &a->plan, with, a->results, e) &&
           warps_watch(&a->warps, &a->plan, WARPS_CYCLES, e);
}

static void account_free(struct account *a)
{
    if (a->made)
        explanation_free(&a->explanation);
    warps_free(&a->warps);
    estimate_results_free(a->results);
    plan_free(&a->plan);
}

static void write_of_report(FILE *f, const struct format *format,
                            const void *what)
{
    (void)format;
    write_html(f, what);
}

/* The same points by the model alone, beside samples; NULL: there are none. */
static bool run_model(struct estimate_results **out, const struct options *o,
                      const struct plan *p, struct estimate_error *e)
{
    struct options with = *o;
    with.run.mode = ESTIMATE_MODEL;
    *out = NULL;
    if (o->run.mode != ESTIMATE_HYBRID || *interrupt_flag() != 0)
        return true;
    *out = plan_run(p, &with, NULL, e);
    return *out != NULL;
}

static int report_plan(const struct options *o, const struct plan *p,
                       struct estimate_error *e)
{
    struct report r = {0};
    struct account a = {0};
    struct options with = *o;
    double wall_s;
    struct estimate_results *results = plan_run(p, o, &wall_s, e);
    struct estimate_results *model = NULL;
    bool ok = results != NULL && account_create(&a, &with, p, e) &&
              run_model(&model, o, p, e) &&
              report_create(&r, o, p, results, *interrupt_flag() != 0, e);
    if (ok) {
        r.wall_s = wall_s;
        r.model = model;
        r.explained = a.made ? &a.explanation : NULL;
        r.warps = a.made ? &a.warps : NULL;
        const struct written w = {
            .write = write_of_report, .what = &r, .interrupted = r.interrupted};
        ok = write_outputs(o, &w, e);
    }
    bool interrupted = r.interrupted;
    report_free(&r);
    account_free(&a);
    estimate_results_free(model);
    estimate_results_free(results);
    if (ok && interrupted)
        return interrupt_status();
    return ok ? ESTIMATE_OK : e->status;
}

static int report_input(const struct options *o, struct estimate_error *e)
{
    struct plan p;
    interrupt_catch();
    bool ok = plan_create(&p, o, e);
    if (ok)
        print_lines("note", p.notes);
    int status = ok ? report_plan(o, &p, e) : (int)e->status;
    plan_free(&p);
    return status;
}

static bool check(const struct options *o, struct estimate_error *e)
{
    if (o->outputs == 0)
        return fail(e, ESTIMATE_USAGE, "report: expected -o FILE.html");
    for (size_t i = 0; i < o->outputs; i++) {
        if (strcmp(o->output[i].format->name, "html") != 0)
            return fail(e, ESTIMATE_USAGE,
                        "report: --output %s: the name must end in .html",
                        o->output[i].path);
        if (!check_writable(o->output[i].path, e))
            return false;
    }
    for (size_t i = 0; i < o->inputs; i++)
        if (is_store_file(o->input[i]))
            return fail_store(o->input[i], e);
    return true;
}

int run_report(const struct options *o, struct estimate_error *e)
{
    if (!check(o, e))
        return e->status;
    return o->inputs == 1 && is_results_file(o->input[0]) ? report_result(o, e)
                                                          : report_input(o, e);
}
