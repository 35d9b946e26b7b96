/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line as one struct. One table of options drives parsing, --help
 * and the nearest name in errors. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/cost.h"
#include "cli/error.h"
#include "cli/objectives.h"
#include "cli/page.h"
#include "cli/shard.h"
#include "cli/sweep.h"

#include <stdio.h>

#define SWEEPS_MAX  16 /* --sweep options */
#define OUTPUTS_MAX 8  /* -o options */
#define DUMPS_MAX   64 /* --dump options */
#define PATH_BYTES  4096

enum command_id {
    COMMAND_ESTIMATE,
    COMMAND_SIMULATE,
    COMMAND_CALIBRATE,
    COMMAND_EXPLAIN,
    COMMAND_REPORT,
    COMMAND_PHASES,
    COMMAND_OCCUPANCY,
    COMMAND_ENTRIES,
    COMMAND_EXECUTE,
    COMMAND_RUN,
    COMMAND_MERGE,
    COMMAND_COMPARE,
    COMMAND_LIST,
    COMMAND_COMPLETIONS,
    COMMANDS
};

struct command_info {
    const char *name;     /* NULL: the command without a name */
    const char *operands; /* for the synopsis */
    const char *help;
};
extern const struct command_info command_info[COMMANDS];

struct format;

struct output {
    const char *path;
    const struct format *format;
};

struct options {
    enum command_id command;
    int argc; /* the command line as it was given */
    char *const *argv;
    uint64_t given;     /* options that were, bit i: row i of the table */
    const char **input; /* operands, in order */
    size_t inputs;
    char **compiled; /* [inputs] PTX that stands for a CUDA source, or NULL */
    const char **source; /* [inputs] that source, or NULL */

    struct sweep *sweep; /* [SWEEPS_MAX] */
    size_t sweeps;
    const char **setting; /* --set, in order */
    size_t settings;
    const char *sched, *tb_sched, *l1_policy, *gpu; /* comma lists */

    struct estimate_options run;
    double gate_pct;  /* 0: none */
    uint64_t threads; /* run.threads */
    bool no_cache, yes;

    struct estimate_launch launch;
    uint64_t grid_threads;  /* --threads, 0: not given */
    char ptxas[PATH_BYTES]; /* launch.ptxas */
    const char **arg;       /* --arg, in order: launch.arg */
    const char **symbol;    /* --set-symbol: launch.symbol */
    const char *dump[DUMPS_MAX];
    size_t dumps;

    const char *record, *kernel; /* of run */
    uint64_t only_launch, max_launches;
    bool check_init, check_races;

    struct shard shard;

    char tb[32];       /* of explain, as a sweep */
    uint64_t interval; /* cycles, 0: not given */
    const char *interval_out;
    struct {
        uint64_t from, to; /* cycles, both included */
    } timeline;
    uint64_t sm; /* of the timeline and the trace */
    const char *trace_json;
    uint64_t top, confirm;
    bool lines;

    const char *against, *fit; /* of calibrate */

    const char *kernels; /* of lists; NULL: all */
    uint64_t heaviest;   /* 0: all */
    bool representatives;

    struct cost *cost; /* NULL: none */
    struct objectives pareto;
    bool all;

    const struct format *format;
    struct output output[OUTPUTS_MAX];
    size_t outputs;

    enum color_mode color;
    bool exact, mangled; /* tables: whole cycles, C++ names as they are */
    bool check, print_config, verbose, version, help;
};

/* Parse argv[1..]. Strings of argv are kept by reference. False with e set:
 * ESTIMATE_USAGE. options_free() in either case. */
bool options_parse(struct options *o, int argc, char *const *argv,
                   struct estimate_error *e);
void options_free(struct options *o);

/* Whether the option of that name was given. */
bool options_given(const struct options *o, const char *name);

/* Whether some input can use each option given that is for one kind of inputs
 * alone; ESTIMATE_USAGE when not. Nothing is loaded. */
bool options_check_inputs(const struct options *o, const char *const *input,
                          size_t inputs, struct estimate_error *e);

/* The text of --help: of the command without a name all commands and options,
 * of another its own. */
void options_help(FILE *f, enum command_id command);

#endif
