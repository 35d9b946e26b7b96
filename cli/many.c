/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/many.h"

#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

#define AT_ONCE 4096 /* designs, of about 5 KB each while they are held */

struct many {
    const struct options *options;
    struct plan *plan;
    struct designs designs;
    struct estimate_profiles *profiles;
    struct progress progress;
    bool begun; /* the file that is being written has rows */
    bool failed;
    struct estimate_error *error;
};

/* ---- whether --------------------------------------------------------------
 */

static bool in_parts(const struct options *o, const struct format *f)
{
    bool designs_alone = designs_asked(o) && strcmp(f->name, "table") == 0;
    return f->write_part != NULL || designs_alone;
}

uint64_t many_at_once(const struct options *o)
{
    bool parts = (o->outputs > 0 && !options_given(o, "format")) ||
                 in_parts(o, o->format);
    for (size_t i = 0; i < o->outputs; i++)
        parts = parts && in_parts(o, o->output[i].format);
    for (size_t i = 0; i < o->sweeps; i++)
        parts = parts && strcmp(sweep_name(&o->sweep[i]), "arch") != 0;
    bool whole = o->check || o->print_config || o->interval > 0 ||
                 o->gate_pct > 0 || o->shard.of > 1;
    return o->command == COMMAND_ESTIMATE && o->run.mode == ESTIMATE_MODEL &&
                   parts && !whole
               ? AT_ONCE
               : UINT64_MAX;
}

/* ---- a part ---------------------------------------------------------------
 */

static struct estimate_results *run_part(struct many *m)
{
    struct estimate_options run = m->options->run;
    run.threads = (int)m->options->threads;
    run.use_cache = false;
    run.profiles = m->profiles;
    struct estimate_study *study = plan_study(m->plan, m->error);
    if (study == NULL)
        return NULL;
    struct estimate_results *results = estimate_run(study, &run, m->error);
    estimate_study_free(study);
    return results;
}

/* A file is written to its end, so that it never holds half. */
static bool stops(const FILE *f)
{
    return *interrupt_flag() != 0 && (f == NULL || f == stdout);
}

/* Take the step for the plan's designs, a part after the other. `tell`: what
 * there is to note of them. */
static bool all_parts(struct many *m, bool tell,
                      bool (*step)(struct many *m,
                                   const struct estimate_results *results,
                                   FILE *f, const struct format *format),
                      FILE *f, const struct format *format)
{
    struct plan *p = m->plan;
    bool ok = true;
    plan_rewind(p);
    m->begun = false;
    while (ok && p->next < p->designs && !stops(f)) {
        ok = plan_next(p, m->options, m->error);
        if (ok && tell)
            print_lines("note", p->notes);
        struct estimate_results *results = ok ? run_part(m) : NULL;
        ok = results != NULL && step(m, results, f, format);
        estimate_results_free(results);
        m->progress.done = p->next;
        progress_draw(&m->progress, "designs");
    }
    return ok;
}

static bool compare(struct many *m, const struct estimate_results *results,
                    FILE *f, const struct format *format)
{
    (void)f, (void)format;
    return designs_add(&m->designs, m->options, m->plan, results, m->error);
}

/* ---- what comes out -------------------------------------------------------
 */

static const struct designs *compared(const struct many *m)
{
    return designs_asked(m->options) ? &m->designs : NULL;
}

static bool write_part(struct many *m, const struct estimate_results *results,
                       FILE *f, const struct format *format)
{
    struct report r;
    bool ok = report_create(&r, m->options, m->plan, results, false, m->error);
    r.designs = compared(m);
    if (ok)
        format->write_part(f, &r, !m->begun);
    m->begun = true;
    report_free(&r);
    return ok;
}

static void write_many(FILE *f, const struct format *format, const void *what)
{
    struct many *m = *(struct many *const *)what;
    const struct report r = {
        .options = m->options, .plan = m->plan, .designs = compared(m)};
    if (format->write_part == NULL)
        format->write(f, &r);
    else
        m->failed |= !all_parts(m, compared(m) == NULL, write_part, f, format);
}

static bool write_all(struct many *m, struct estimate_error *e)
{
    const struct options *o = m->options;
    const struct written w = {
        .write = write_many, .what = &m, .interrupted = *interrupt_flag() != 0};
    if (!write_outputs(o, &w, e))
        return false;
    if (o->outputs == 0 || options_given(o, "format"))
        write_many(stdout, o->format, &m);
    return !m->failed;
}

int run_many(const struct options *o, struct plan *p, struct estimate_error *e)
{
    struct many m = {.options = o, .plan = p, .error = e};
    m.profiles = estimate_profiles_create(e);
    bool ok = m.profiles != NULL;
    progress_start(&m.progress, "designs", p->designs);
    if (ok && compared(&m) != NULL)
        ok = designs_create(&m.designs, o, p, e) &&
             all_parts(&m, true, compare, NULL, NULL) &&
             designs_finish(&m.designs, p, e);
    progress_end(&m.progress);
    if (ok && *interrupt_flag() != 0)
        fprintf(stderr, "estimate: note: %llu of %llu designs were looked at\n",
                (unsigned long long)p->next, (unsigned long long)p->designs);
    ok = ok && write_all(&m, e);
    designs_free(&m.designs);
    estimate_profiles_free(m.profiles);
    if (!ok)
        return e->status;
    return *interrupt_flag() != 0 ? interrupt_status() : ESTIMATE_OK;
}
