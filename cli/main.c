/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/cuda_source.h"
#include "cli/deal.h"
#include "cli/interrupt.h"
#include "cli/options.h"

#include <estimate.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int print_version(void)
{
    const char *revision = estimate_revision();
    printf("estimate %s%s%s%s\n", estimate_version(),
           revision != NULL ? " (" : "", revision != NULL ? revision : "",
           revision != NULL ? ")" : "");
    return ESTIMATE_OK;
}

static int (*const runs[COMMANDS])(const struct options *o,
                                   struct estimate_error *e) = {
    [COMMAND_ESTIMATE] = run_points,
    [COMMAND_SIMULATE] = run_points,
    [COMMAND_CALIBRATE] = run_calibrate,
    [COMMAND_EXPLAIN] = run_explain,
    [COMMAND_REPORT] = run_report,
    [COMMAND_PHASES] = run_phases,
    [COMMAND_OCCUPANCY] = run_occupancy,
    [COMMAND_ENTRIES] = run_entries,
    [COMMAND_EXECUTE] = run_execute,
    [COMMAND_RUN] = run_program,
    [COMMAND_MERGE] = run_merge,
    [COMMAND_COMPARE] = run_compare,
    [COMMAND_LIST] = run_list,
    [COMMAND_COMPLETIONS] = run_completions,
};

static int run(struct options *o, struct estimate_error *e)
{
    bool shared =
        o->command == COMMAND_ESTIMATE || o->command == COMMAND_SIMULATE;
    bool prints = o->help || o->version || o->check || o->print_config;
    if (deal_is_worker() && (!shared || prints))
        return ESTIMATE_OK;
    if (o->help) {
        options_help(stdout, o->command);
        return ESTIMATE_OK;
    }
    if (o->version)
        return print_version();
    int status =
        cuda_sources_compile(o, e) ? runs[o->command](o, e) : (int)e->status;
    cuda_sources_name(o, e);
    return status;
}

/* Profiles and samples take tables of some megabytes and free them again, time
 * after time. Memory that goes back to the system each time costs a fifth of a
 * table of designs. */
static void keep_freed_memory(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

int main(int argc, char **argv)
{
    struct options o;
    struct estimate_error e = {ESTIMATE_OK, ""};
    keep_freed_memory();
    deal_start(&argc, &argv);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit fails instead */
    int status =
        options_parse(&o, argc, argv, &e) ? run(&o, &e) : (int)e.status;
    options_free(&o);
    if (status == ESTIMATE_STOPPED)
        status = *interrupt_flag() != 0 ? interrupt_status() : ESTIMATE_LIMIT;
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && status == ESTIMATE_OK) {
        status = ESTIMATE_FAILED;
        fail(&e, ESTIMATE_FAILED, "standard output: write failed");
    }
    if (e.text[0] != '\0' && !deal_is_worker())
        fprintf(stderr, "estimate: %s\n", e.text);
    fflush(stdout);
    deal_end(status);
    return status;
}
