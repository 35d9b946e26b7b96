/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate run: run a CUDA program without a GPU, and say what its launches
 * take. */
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/launch_folder.h"
#include "cli/plan_run.h"
#include "cli/program.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

/* ---- estimates ----------------------------------------------------------- */

/* Each line of the notes once, without the folder's name. */
static void print_notes(const char *notes, const char *folder)
{
    size_t length = strlen(folder);
    for (const char *at = notes; at != NULL && *at != '\0';) {
        size_t size = strcspn(at, "\n");
        char line[1024];
        bool inside = strncmp(at, folder, length) == 0 && at[length] == '/';
        size_t skip = inside ? length + 1 : 0;
        snprintf(line, sizeof(line), "%.*s", (int)(size - skip), at + skip);
        const char *same = strstr(notes, line);
        if (same == at + skip)
            print_lines("note", line);
        at += size + (at[size] == '\n');
    }
}

static void write_launches(FILE *f, const struct format *format,
                           const void *what)
{
    format->write_launches(f, what);
}

/* Standard output is the program's: the report goes to standard error, or to
 * files. */
static bool write_report(const struct launch_report *r,
                         struct estimate_error *e)
{
    const struct options *o = r->options;
    const struct written w = {.write = write_launches, .what = r};
    bool ok = write_outputs(o, &w, e);
    if (o->outputs == 0 || options_given(o, "format"))
        o->format->write_launches(stderr, r);
    return ok;
}

/* The files of all kept launches, as inputs. NULL: no memory. */
static const char **inputs_of(const struct launch_list *l)
{
    const char **input = calloc(l->kept + 1, sizeof(*input));
    size_t n = 0;
    for (size_t i = 0; input != NULL && i < l->groups; i++)
        for (size_t k = 0; k < l->group[i].kept_count; k++)
            input[n++] = l->group[i].kept[k].file;
    return input;
}

static bool run_study(struct launch_report *r, struct estimate_error *e)
{
    const struct options *o = r->options;
    struct estimate_results *results = plan_run(r->plan, o, NULL, e);
    r->results = results;
    bool ok = results != NULL;
    if (ok) {
        launch_report_sum(r);
        ok = write_report(r, e);
    }
    estimate_results_free(results);
    return ok;
}

static bool estimate_launches(const struct options *o,
                              const struct launch_list *l, const char *folder,
                              struct estimate_error *e)
{
    struct plan p;
    struct options with = *o;
    with.input = inputs_of(l);
    with.inputs = l->kept;
    if (with.input == NULL)
        return fail_no_memory(e);
    bool ok = plan_create(&p, &with, e);
    if (ok) {
        struct launch_report r = {.options = o, .list = l, .plan = &p};
        print_notes(p.notes, folder);
        ok = run_study(&r, e);
    }
    plan_free(&p);
    free(with.input);
    return ok;
}

/* What there is to say of the launches in the folder. */
static bool report_launches(const struct options *o, const char *folder,
                            int status, struct estimate_error *e)
{
    struct launch_list l;
    bool ok = launch_list_read(&l, folder, e);
    if (ok && l.launches > 0)
        ok = estimate_launches(o, &l, folder, e);
    else if (ok && status == 0)
        print_lines("note", "the program launched no kernel that was asked "
                            "for");
    launch_list_free(&l);
    return ok;
}

/* ---- the command --------------------------------------------------------- */

static bool is_written(const struct format *f)
{
    return f->write_launches != NULL;
}

static bool check_options(const struct options *o, struct estimate_error *e)
{
    if (o->inputs == 0)
        return fail(e, ESTIMATE_USAGE,
                    "run: expected -- PROGRAM [ARGUMENT...] behind the "
                    "options");
    if (strchr(o->gpu, ',') != NULL || strcmp(o->gpu, "all") == 0)
        return fail(e, ESTIMATE_USAGE,
                    "run --gpu %s: expected one GPU, the program's device",
                    o->gpu);
    for (size_t i = 0; i < o->sweeps; i++)
        if (!sweep_is_tb(&o->sweep[i]))
            return fail(e, ESTIMATE_USAGE,
                        "run --sweep %s: expected tb alone (--record keeps "
                        "launches for other sweeps)",
                        o->sweep[i].text);
    if (!check_formats(o, is_written, "run", "table, csv or json", e))
        return false;
    struct estimate_gpu *g = estimate_gpu_load(o->gpu, e);
    estimate_gpu_free(g);
    for (size_t i = 0; g != NULL && i < o->outputs; i++)
        if (!check_writable(o->output[i].path, e))
            return false;
    return g != NULL;
}

static bool run_in(int *status, const struct options *o, const char *program,
                   const char *folder, struct estimate_error *e)
{
    char **argv = calloc(o->inputs + 1, sizeof(*argv));
    if (argv == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; i < o->inputs; i++)
        argv[i] = (char *)o->input[i];
    bool ok = program_run(status, program, argv, o, folder, e);
    free(argv);
    interrupt_catch();
    return ok && report_launches(o, folder, *status, e);
}

int run_program(const struct options *o, struct estimate_error *e)
{
    char program[PATH_BYTES];
    struct launch_folder folder;
    int status = ESTIMATE_OK;
    if (!check_options(o, e) || !program_check(program, o->input[0], e) ||
        !launch_folder_open(&folder, o, e))
        return e->status;
    bool ok = run_in(&status, o, program, folder.path, e);
    launch_folder_close(&folder);
    return ok || status != 0 ? status : e->status;
}
