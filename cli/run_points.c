/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate, simulate and calibrate: validate, run, report. */
#include "cli/accuracy.h"
#include "cli/columns.h"
#include "cli/commands.h"
#include "cli/deal.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/many.h"
#include "cli/out_fit.h"
#include "cli/plan_run.h"
#include "cli/progress.h"
#include "cli/shared_run.h"
#include "cli/watch.h"

#include <string.h>

/* --check: what would run. Verbose: every case with its block counts. */
static void print_case(const struct plan *p, const struct plan_case *c)
{
    printf("%s on %s", case_kernel(c), case_gpu(c));
    for (size_t k = 0; k < plan_columns(p); k++) {
        char value[COLUMN_VALUE_MAX];
        plan_column_text(value, sizeof(value), p, c, k);
        printf(" %s=%s", plan_column_name(p, k), value);
    }
    for (int t = 0; t < c->shown_tbs; t++)
        printf("%s%d", t == 0 ? " tb=" : ",", c->tb[t]);
    const struct estimate_launch_info *told = case_registers(c);
    if (told != NULL)
        printf(" registers=%u (%s)", told->registers, told->registers_from);
    printf("\n");
}

/* What samples or full detail should take; the model alone runs nothing. */
static bool print_cost(const struct options *o, const struct plan *p,
                       struct estimate_error *e)
{
    struct estimate_cost cost;
    struct estimate_options run = o->run;
    run.threads = (int)o->threads;
    struct estimate_study *study = plan_study(p, e);
    bool ok =
        study != NULL && estimate_expect(&cost, sizeof(cost), study, &run, e);
    estimate_study_free(study);
    if (ok)
        printf("expected: %.0f warp instructions, %.1f seconds\n",
               cost.warp_insts, cost.seconds);
    return ok;
}

static int print_check(const struct options *o, const struct plan *p,
                       struct estimate_error *e)
{
    for (size_t i = 0; o->verbose && i < p->cases; i++)
        print_case(p, &p->at[i]);
    printf("ok: %zu kernel%s, %zu GPU%s, %d polic%s, %zu point%s\n", p->kernels,
           p->kernels == 1 ? "" : "s", p->variants, p->variants == 1 ? "" : "s",
           p->shown_policies, p->shown_policies == 1 ? "y" : "ies",
           p->shown_points, p->shown_points == 1 ? "" : "s");
    bool runs = o->run.mode != ESTIMATE_MODEL;
    return !runs || print_cost(o, p, e) ? ESTIMATE_OK : e->status;
}

static void write_results(FILE *f, const struct format *format,
                          const void *what)
{
    format->write(f, what);
}

/* Standard output gets the report when no file was named, or when --format
 * asks for it. */
static bool write_report(const struct report *r, struct estimate_error *e)
{
    const struct options *o = r->options;
    interrupt_hold(true);
    const struct written w = {
        .write = write_results, .what = r, .interrupted = r->interrupted};
    bool ok = write_outputs(o, &w, e);
    interrupt_hold(false);
    bool printed = o->format->write_point != NULL;
    if ((o->outputs == 0 || options_given(o, "format")) && !printed)
        o->format->write(stdout, r);
    return ok;
}

static int report_status(const struct report *r, struct estimate_error *e)
{
    const char *unkept = estimate_results_unkept(r->results);
    if (unkept != NULL)
        fail(e, ESTIMATE_FAILED, "%s: some samples were not kept", unkept);
    if (r->interrupted)
        return interrupt_status();
    if (unkept != NULL)
        return ESTIMATE_FAILED;
    if (!report_any_partial(r))
        return accuracy_fails(r, e) ? ESTIMATE_GATE : ESTIMATE_OK;
    fail(e, ESTIMATE_LIMIT, "a limit was hit: some results are partial");
    return ESTIMATE_LIMIT;
}

static int report_results(const struct options *o, const struct plan *p,
                          const struct estimate_results *results, double wall_s,
                          struct estimate_error *e)
{
    struct report r;
    struct designs d = {.count = 0};
    int status = ESTIMATE_FAILED;
    bool ok = report_create(&r, o, p, results, *interrupt_flag() != 0, e);
    if (ok && designs_asked(o)) {
        r.designs = &d;
        ok = designs_create(&d, o, p, e) && designs_add(&d, o, p, results, e) &&
             designs_finish(&d, p, e);
    }
    if (ok) {
        r.wall_s = wall_s;
        if (o->command == COMMAND_CALIBRATE) {
            write_fits(stdout, &r);
            status = report_status(&r, e);
        } else if (write_report(&r, e)) {
            accuracy_note(&r);
            status = report_status(&r, e);
        }
    }
    report_free(&r);
    designs_free(&d);
    return status;
}

static void print_account(const struct plan_case *c,
                          const struct estimate_point *p, const char *account)
{
    char about[512];
    snprintf(about, sizeof(about), "%s on %s tb=%d %.*s %s",
             estimate_kernel_launch(c->kernel, 0)->name, p->gpu, p->tb,
             (int)strcspn(p->sched, ":"), p->sched, p->tb_sched);
    print_lines(about, account);
}

static void print_accounts_at(const struct plan_case *c,
                              const struct estimate_results *results,
                              size_t which, size_t tb)
{
    const struct estimate_point *p;
    for (size_t q = 0; (p = estimate_result(results, which, tb, q)); q++) {
        const char *account = estimate_result_account(results, which, tb, q);
        if (account != NULL)
            print_account(c, p, account);
    }
}

/* What thread-block schedulers decided at run time, point after point. */
static void print_accounts(const struct plan *p,
                           const struct estimate_results *results)
{
    for (size_t i = 0; i < p->cases; i++)
        for (int tb = 0; tb < p->at[i].tb_count; tb++)
            print_accounts_at(&p->at[i], results, i, (size_t)tb);
}

static int run_plan(const struct options *o, const struct plan *p,
                    struct estimate_error *e)
{
    double wall_s;
    struct estimate_results *results = plan_run(p, o, &wall_s, e);
    if (results == NULL)
        return e->status;
    print_accounts(p, results);
    int status = report_results(o, p, results, wall_s, e);
    if (!shared_run_end(p, o, results, e))
        status = ESTIMATE_FAILED;
    estimate_results_free(results);
    if (status == ESTIMATE_OK && !write_watch(o, p, e))
        status = e->status;
    return status;
}

static bool check_outputs(const struct options *o, struct estimate_error *e)
{
    for (size_t i = 0; i < o->outputs; i++)
        if (!check_writable(o->output[i].path, e))
            return false;
    return true;
}

int run_points(const struct options *o, struct estimate_error *e)
{
    struct plan p;
    int status = ESTIMATE_OK;
    interrupt_catch();
    if (!designs_check(o, e))
        return e->status;
    if (!plan_create_part(&p, o, many_at_once(o), e) ||
        !shared_run_begin(&p, o, e) || !check_outputs(o, e) ||
        !check_watch(o, &p, e)) {
        plan_free(&p);
        return e->status;
    }
    if (!deal_is_worker())
        print_lines("note", p.notes);
    if (o->print_config)
        status = print_config(o, &p, e);
    else if (o->check)
        status = print_check(o, &p, e);
    else if (!deal_run(&p, o, e))
        status = e->status;
    else if (p.next < p.designs)
        status = run_many(o, &p, e);
    else
        status = run_plan(o, &p, e);
    plan_free(&p);
    return status;
}
