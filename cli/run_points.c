/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate, simulate and calibrate: validate, run, report. */
#include "cli/columns.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/out_fit.h"
#include "cli/progress.h"
#include "sampler/policy/policy.h"

#include <estimate.h>
#include <stdlib.h>
#include <string.h>

/* What the block counts follow from, where it is not the input's to say. */
static void print_registers(const struct study *s)
{
    if (s->application == NULL && s->kernel->regs_from[0] != '\0')
        printf(" registers=%u (%s)", s->kernel->regs_per_thread,
               s->kernel->regs_from);
}

/* --check: what would run. Verbose: every study with its block counts. */
static void print_check(const struct options *o, const struct plan *p)
{
    for (size_t i = 0; o->verbose && i < p->studies; i++) {
        const struct variant *v = p->view[i].variant;
        printf("%s on %s", study_name(&p->study[i]), v->gpu.name);
        for (size_t k = 0; k < p->keys; k++) {
            char value[COLUMN_VALUE_MAX];
            swept_text(value, p->key[k], v->swept[k]);
            printf(" %s=%s", p->key[k]->key, value);
        }
        for (int t = 0; t < p->view[i].shown_tbs; t++)
            printf("%s%d", t == 0 ? " tb=" : ",", p->study[i].tb[t]);
        print_registers(&p->study[i]);
        printf("\n");
    }
    printf("ok: %zu kernel%s, %zu GPU%s, %d polic%s, %zu point%s\n",
           p->subjects, p->subjects == 1 ? "" : "s", p->variants,
           p->variants == 1 ? "" : "s", p->shown_policies,
           p->shown_policies == 1 ? "y" : "ies", p->shown_points,
           p->shown_points == 1 ? "" : "s");
}

static struct calib_options engine_options(const struct options *o,
                                           struct progress *progress)
{
    return (struct calib_options){
        .mode = o->mode,
        .error_pct = o->error_pct,
        .budget_insts = o->budget,
        .seed = o->seed,
        .max_cycles = o->max_cycles,
        .time_limit_s = o->time_limit_s,
        .threads = (int)o->threads,
        .use_cache = !o->no_cache,
        .explain = o->verbose,
        .refresh = o->command == COMMAND_CALIBRATE,
        .revision = estimate_revision(),
        .cancel = interrupt_flag(),
        .progress = progress_update,
        .user = progress,
    };
}

/* Every output is written, also after one that failed. Of several failures the
 * last is left in e, the others are told here. */
static bool write_outputs(const struct report *r, struct error *e)
{
    const struct options *o = r->options;
    struct error failure;
    bool ok = true;
    for (size_t i = 0; i < o->outputs; i++) {
        if (write_file(o->output[i].path, o->output[i].format, r, &failure))
            continue;
        if (!ok)
            fprintf(stderr, "estimate: %s\n", e->text);
        *e = failure;
        ok = false;
    }
    return ok;
}

/* Standard output gets the report when no file was named, or when --format
 * asks for it. */
static bool write_report(const struct report *r, struct error *e)
{
    const struct options *o = r->options;
    interrupt_hold(true);
    bool ok = write_outputs(r, e);
    interrupt_hold(false);
    if (o->format != NULL)
        o->format->write(stdout, r);
    else if (o->outputs == 0)
        write_table(stdout, r);
    return ok;
}

static int report_status(const struct report *r, struct error *e)
{
    if (r->interrupted)
        return interrupt_status();
    if (!report_any_partial(r))
        return STATUS_OK;
    error_set(e, STATUS_LIMIT, "a limit was hit: some results are partial");
    return STATUS_LIMIT;
}

static int report_results(const struct options *o, const struct plan *p,
                          const struct study_result *results, double wall_s,
                          struct error *e)
{
    struct report r;
    int status = STATUS_FAILED;
    if (report_create(&r, o, p, results, *interrupt_flag() != 0, e)) {
        r.wall_s = wall_s;
        if (o->command == COMMAND_CALIBRATE) {
            write_fits(stdout, &r);
            status = report_status(&r, e);
        } else if (write_report(&r, e)) {
            status = report_status(&r, e);
        }
    }
    report_free(&r);
    return status;
}

static void print_account(const struct study *s, int tb,
                          const struct policy_set *p, const char *account)
{
    char block[64], about[256];
    choice_label(block, sizeof(block), &p->block);
    snprintf(about, sizeof(about), "%s on %s tb=%d %s %s", s->kernel->name,
             s->gpu->name, tb, p->warp.info->name, block);
    print_lines(about, account);
}

/* What thread-block schedulers decided at run time, point after point. */
static void print_accounts(const struct plan *p,
                           const struct study_result *results)
{
    for (size_t i = 0; i < p->studies; i++)
        for (size_t n = 0; n < results[i].accounts; n++) {
            const struct study *s = &p->study[i];
            size_t policies = (size_t)s->policy_count;
            if (results[i].account[n] != NULL)
                print_account(s, s->tb[n / policies],
                              &s->policies[n % policies],
                              results[i].account[n]);
        }
}

static int run_plan(const struct options *o, const struct plan *p,
                    struct error *e)
{
    struct progress progress;
    struct study_result *results = calloc(p->studies, sizeof(*results));
    if (results == NULL)
        return error_no_memory(e), STATUS_FAILED;
    progress_start(&progress);
    struct calib_options engine = engine_options(o, &progress);
    bool ok = calib_studies(results, p->study, p->studies, &engine, e);
    progress_end(&progress);
    if (ok)
        print_accounts(p, results);
    int status =
        ok ? report_results(o, p, results, stop_clock() - progress.start_s, e)
           : (int)e->status;
    for (size_t i = 0; ok && i < p->studies; i++)
        study_result_free(&results[i]);
    free(results);
    return status;
}

static bool check_outputs(const struct options *o, struct error *e)
{
    for (size_t i = 0; i < o->outputs; i++)
        if (!check_writable(o->output[i].path, e))
            return false;
    return true;
}

int run_points(const struct options *o, struct error *e)
{
    struct plan p;
    int status = STATUS_OK;
    interrupt_catch();
    if (!plan_create(&p, o, e) || !check_outputs(o, e)) {
        plan_free(&p);
        return e->status;
    }
    print_lines("note", p.notes);
    if (o->print_config)
        status = print_config(o, &p, e);
    else if (o->check)
        print_check(o, &p);
    else
        status = run_plan(o, &p, e);
    plan_free(&p);
    return status;
}
