/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options_table.h"

#include "cli/formats.h"
#include "cli/values.h"

#include <string.h>

static void *field(struct options *o, const struct option_row *row)
{
    return (char *)o + row->offset;
}

static bool set_flag(struct options *o, const struct option_row *row,
                     const char *value, struct estimate_error *e)
{
    (void)value, (void)e;
    *(bool *)field(o, row) = true;
    return true;
}

static bool set_text(struct options *o, const struct option_row *row,
                     const char *value, struct estimate_error *e)
{
    if (value[0] == '\0')
        return fail(e, ESTIMATE_USAGE, "--%s: expected %s, found nothing",
                    row->name, row->argument);
    *(const char **)field(o, row) = value;
    return true;
}

static bool set_whole(struct options *o, const struct option_row *row,
                      const char *value, struct estimate_error *e)
{
    if (parse_u64(value, row->min, row->max, field(o, row)))
        return true;
    return fail(e, ESTIMATE_USAGE,
                "--%s %s: expected a whole number from %llu to %llu", row->name,
                value, (unsigned long long)row->min,
                (unsigned long long)row->max);
}

static bool set_amount(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    if (parse_amount(value, row->min, row->max, field(o, row)))
        return true;
    return fail(e, ESTIMATE_USAGE,
                "--%s %s: expected a number from %llu on, such as 2000000, "
                "2M, 2e6 or 0.5G",
                row->name, value, (unsigned long long)row->min);
}

static bool set_positive(struct options *o, const struct option_row *row,
                         const char *value, struct estimate_error *e)
{
    double *out = field(o, row);
    if (parse_real(value, out) && *out > 0)
        return true;
    return fail(e, ESTIMATE_USAGE, "--%s %s: expected a number above 0",
                row->name, value);
}

static bool set_sweep(struct options *o, const struct option_row *row,
                      const char *value, struct estimate_error *e)
{
    (void)row;
    if (o->sweeps == SWEEPS_MAX)
        return fail(e, ESTIMATE_USAGE, "--sweep: at most %d keys", SWEEPS_MAX);
    struct sweep *s = &o->sweep[o->sweeps];
    if (!sweep_parse(s, value, e))
        return false;
    for (size_t i = 0; i < o->sweeps; i++)
        if (o->sweep[i].key == s->key && o->sweep[i].launch == s->launch)
            return fail(e, ESTIMATE_USAGE, "--sweep %s: %s is swept twice",
                        value, sweep_name(s));
    o->sweeps++;
    return true;
}

static bool add_setting(struct options *o, const struct option_row *row,
                        const char *value, struct estimate_error *e)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
        return fail(e, ESTIMATE_USAGE, "--set %s: expected %s", value,
                    row->argument);
    o->setting[o->settings++] = value;
    return true;
}

/* The same as a sweep of one value. */
static bool set_tb(struct options *o, const struct option_row *row,
                   const char *value, struct estimate_error *e)
{
    uint64_t tb;
    if (!parse_u64(value, 1, INT32_MAX, &tb))
        return fail(e, ESTIMATE_USAGE,
                    "--%s %s: expected a whole number from 1 on", row->name,
                    value);
    snprintf(o->tb, sizeof(o->tb), "tb=%s", value);
    return set_sweep(o, row, o->tb, e);
}

const char *const mode_names[] = {
    [ESTIMATE_MODEL] = "model",
    [ESTIMATE_HYBRID] = "hybrid",
    [ESTIMATE_DETAILED] = "detailed",
};

static bool set_mode(struct options *o, const struct option_row *row,
                     const char *value, struct estimate_error *e)
{
    (void)row;
    for (int i = ESTIMATE_MODEL; i <= ESTIMATE_DETAILED; i++) {
        if (strcmp(value, mode_names[i]) == 0) {
            o->run.mode = (enum estimate_mode)i;
            return true;
        }
    }
    return fail(e, ESTIMATE_USAGE,
                "--mode %s: expected model, hybrid or detailed", value);
}

/* X[,Y[,Z]], each at least 1; what is not given is 1. */
static bool set_dimensions(struct options *o, const struct option_row *row,
                           const char *value, struct estimate_error *e)
{
    uint64_t n[3] = {1, 1, 1};
    char entry[VALUE_MAX];
    int count = 0;
    for (const char *p = value; list_next(&p, entry); count++)
        if (count == 3 || !parse_u64(entry, 1, INT32_MAX, &n[count]))
            return fail(e, ESTIMATE_USAGE,
                        "--%s %s: expected X[,Y[,Z]], whole numbers "
                        "from 1 to %d",
                        row->name, value, INT32_MAX);
    struct estimate_dim *out = field(o, row);
    *out =
        (struct estimate_dim){(uint32_t)n[0], (uint32_t)n[1], (uint32_t)n[2]};
    return true;
}

static bool parse_u32(uint32_t *out, const struct option_row *row,
                      const char *value, struct estimate_error *e)
{
    uint64_t whole;
    if (!parse_u64(value, row->min, row->max, &whole))
        return fail(e, ESTIMATE_USAGE,
                    "--%s %s: expected a whole number from %llu to %llu",
                    row->name, value, (unsigned long long)row->min,
                    (unsigned long long)row->max);
    *out = (uint32_t)whole;
    return true;
}

static bool set_u32(struct options *o, const struct option_row *row,
                    const char *value, struct estimate_error *e)
{
    return parse_u32(field(o, row), row, value, e);
}

static bool set_shared(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    uint32_t bytes = 0;
    if (!parse_u32(&bytes, row, value, e))
        return false;
    o->launch.shared_bytes = bytes;
    return true;
}

static bool set_unknown_op(struct options *o, const struct option_row *row,
                           const char *value, struct estimate_error *e)
{
    char expected[256] = "error";
    size_t used = strlen(expected);
    const char *name;
    o->launch.unknown_op = strcmp(value, "error") == 0 ? NULL : value;
    for (size_t i = 0; (name = estimate_opcode_class(i)) != NULL; i++) {
        if (strcmp(name, value) == 0)
            return true;
        used += (size_t)snprintf(expected + used, sizeof(expected) - used,
                                 ", %s", name);
    }
    return o->launch.unknown_op == NULL ||
           fail(e, ESTIMATE_USAGE, "--%s %s: expected one of %s", row->name,
                value, expected);
}

static bool add_argument(struct options *o, const struct option_row *row,
                         const char *value, struct estimate_error *e)
{
    if (value[0] == '\0')
        return fail(e, ESTIMATE_USAGE, "--%s: expected %s, found nothing",
                    row->name, row->argument);
    o->arg[o->launch.args++] = value;
    return true;
}

static bool add_symbol(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
        return fail(e, ESTIMATE_USAGE, "--%s %s: expected %s", row->name, value,
                    row->argument);
    o->symbol[o->launch.symbols++] = value;
    return true;
}

static bool add_dump(struct options *o, const struct option_row *row,
                     const char *value, struct estimate_error *e)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
        return fail(e, ESTIMATE_USAGE, "--dump %s: expected %s", value,
                    row->argument);
    if (o->dumps == DUMPS_MAX)
        return fail(e, ESTIMATE_USAGE, "--dump: at most %d buffers", DUMPS_MAX);
    o->dump[o->dumps++] = value;
    return true;
}

static bool set_timeline(struct options *o, const struct option_row *row,
                         const char *value, struct estimate_error *e)
{
    char from[VALUE_MAX];
    const char *dots = strstr(value, "..");
    size_t digits = dots != NULL ? (size_t)(dots - value) : 0;
    snprintf(from, sizeof(from), "%.*s", (int)digits, value);
    if (digits > 0 && digits < sizeof(from) &&
        parse_u64(from, 0, INT64_MAX, &o->timeline.from) &&
        parse_u64(dots + 2, o->timeline.from, INT64_MAX, &o->timeline.to))
        return true;
    return fail(e, ESTIMATE_USAGE,
                "--%s %s: expected the first and the last cycle, such as "
                "0..500",
                row->name, value);
}

static bool set_format(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    (void)row;
    o->format = format_by_name(value, e);
    return o->format != NULL;
}

static bool set_color(struct options *o, const struct option_row *row,
                      const char *value, struct estimate_error *e)
{
    static const char *const names[] = {[COLOR_AUTO] = "auto",
                                        [COLOR_NEVER] = "never",
                                        [COLOR_ALWAYS] = "always"};
    for (int i = COLOR_AUTO; i <= COLOR_ALWAYS; i++) {
        if (strcmp(value, names[i]) == 0) {
            o->color = (enum color_mode)i;
            return true;
        }
    }
    return fail(e, ESTIMATE_USAGE, "--%s %s: expected auto, never or always",
                row->name, value);
}

static bool set_cost(struct options *o, const struct option_row *row,
                     const char *value, struct estimate_error *e)
{
    (void)row;
    cost_free(o->cost);
    o->cost = cost_parse(value, e);
    return o->cost != NULL;
}

static bool set_pareto(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    (void)row;
    return objectives_parse(&o->pareto, value, e);
}

static bool set_shard(struct options *o, const struct option_row *row,
                      const char *value, struct estimate_error *e)
{
    (void)row;
    return shard_parse(&o->shard, value, e);
}

static bool set_output(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    (void)row;
    if (o->outputs == OUTPUTS_MAX)
        return fail(e, ESTIMATE_USAGE, "--output: at most %d files",
                    OUTPUTS_MAX);
    struct output *out = &o->output[o->outputs];
    out->path = value;
    o->outputs++;
    if (o->command == COMMAND_MERGE || o->command == COMMAND_CALIBRATE)
        return true;
    out->format = format_by_extension(value, e);
    return out->format != NULL;
}

#define ESTIMATE  (1u << COMMAND_ESTIMATE)
#define SIMULATE  (1u << COMMAND_SIMULATE)
#define CALIBRATE (1u << COMMAND_CALIBRATE)
#define PHASES    (1u << COMMAND_PHASES)
#define EXECUTE   (1u << COMMAND_EXECUTE)
#define MERGE     (1u << COMMAND_MERGE)
#define COMPARE   (1u << COMMAND_COMPARE)
#define LIST      (1u << COMMAND_LIST)
#define RUN       (1u << COMMAND_RUN)
#define EXPLAIN   (1u << COMMAND_EXPLAIN)
#define REPORT    (1u << COMMAND_REPORT)
#define OCCUPANCY (1u << COMMAND_OCCUPANCY)
#define ENTRIES   (1u << COMMAND_ENTRIES)
#define RESULTS   (ESTIMATE | SIMULATE)
#define SWEEPS    (RESULTS | CALIBRATE)
#define ESTIMATES (ESTIMATE | EXPLAIN | REPORT)
#define ANSWERS   (RESULTS | EXPLAIN | REPORT)
#define RUNS      (SWEEPS | EXPLAIN | REPORT)
#define TABLES    RUNS
#define INPUTS    (RUNS | PHASES)
#define LAUNCHES  (INPUTS | EXECUTE)
#define COMPLETE  (1u << COMMAND_COMPLETIONS)
#define EVERY                                                                  \
    (LAUNCHES | RUN | MERGE | COMPARE | LIST | OCCUPANCY | ENTRIES | COMPLETE)

#define OF(kind) (1u << (kind))
#define LAUNCHED (OF(ESTIMATE_PTX) | OF(ESTIMATE_LAUNCH_FILE))
#define TRACES   OF(ESTIMATE_TRACE)

#define AT(member) offsetof(struct options, member)

#define THREADS_MAX 4096

_Static_assert(COMMANDS <= 32, "a bit a command");

/* The order of --help and of the manual page. */
// clang-format off
const struct option_row option_table[] = {
    {.name = "sweep", .argument = "KEY=SPEC",
     .help = "vary tb or a GPU key: 1..8, 16,32, 16..128*2, 8..64:8 "
             "(repeatable, crossed)",
     .commands = RUNS | RUN, .set = set_sweep},
    {.name = "set", .argument = "KEY=VALUE",
     .help = "give a key of every GPU this value (repeatable; estimate list "
             "keys)",
     .commands = RUNS | OCCUPANCY, .set = add_setting},
    {.name = "against", .argument = "FILE.csv",
     .help = "calibrate: compare with the cycles that a CSV gives for kernel, "
             "gpu, grid, block, tb, sched",
     .commands = CALIBRATE, .set = set_text, .offset = AT(against)},
    {.name = "fit", .argument = "KEYS",
     .help = "... and fit these keys of the GPU to them; -o NAME.cfg keeps it",
     .commands = CALIBRATE, .set = set_text, .offset = AT(fit)},
    {.name = "cost", .argument = "EXPR",
     .help = "what a GPU costs, of its keys: \"4 * sms + dram.gbps / 5\"; "
             "compare designs",
     .commands = RESULTS, .set = set_cost},
    {.name = "pareto", .argument = "LIST",
     .help = "mark designs that none beats in cycles, time_us, energy_uj and "
             "cost, of which two or more are named",
     .commands = RESULTS, .set = set_pareto},
    {.name = "all",
     .help = "table of designs: also those not on the front",
     .commands = RESULTS, .set = set_flag, .offset = AT(all)},
    {.name = "kernels", .argument = "LIST",
     .help = "of the launches of a list those with these numbers, 3..9,12",
     .commands = RESULTS, .set = set_text, .offset = AT(kernels)},
    {.name = "representatives",
     .help = "of launches alike in a list run the first, for all of them",
     .commands = RESULTS, .set = set_flag, .offset = AT(representatives)},
    {.name = "heaviest", .argument = "N",
     .help = "of the launches of a list the N that take longest by the model",
     .commands = RESULTS, .set = set_whole, .offset = AT(heaviest), .min = 1,
     .max = UINT32_MAX},
    {.name = "sched", .argument = "LIST", .fallback = "gto",
     .help = "warp schedulers, or all",
     .commands = RUNS | RUN, .set = set_text, .offset = AT(sched)},
    {.name = "tb-sched", .argument = "LIST", .fallback = "rr",
     .help = "thread-block schedulers, or all",
     .commands = RUNS | RUN, .set = set_text, .offset = AT(tb_sched)},
    {.name = "l1-policy", .argument = "LIST", .fallback = "lru",
     .help = "L1 replacement policies, or all",
     .commands = RUNS | RUN, .set = set_text, .offset = AT(l1_policy)},
    {.name = "gpu", .argument = "LIST", .fallback = "m2090",
     .help = "GPUs by name or file, or all",
     .commands = RUNS | RUN | OCCUPANCY, .set = set_text, .offset = AT(gpu)},
    {.name = "mode", .argument = "MODE", .fallback = "hybrid",
     .help = "model, hybrid or detailed",
     .commands = ESTIMATES | CALIBRATE | RUN, .set = set_mode},
    {.name = "error", .argument = "PCT", .fallback = "5",
     .help = "half-width the intervals should reach",
     .commands = ESTIMATES | CALIBRATE | RUN, .set = set_positive,
     .offset = AT(run.error_pct)},
    {.name = "budget", .argument = "N",
     .help = "warp instructions that a sample may take, such as 20M",
     .commands = ESTIMATES | CALIBRATE | RUN, .set = set_amount,
     .offset = AT(run.budget_insts), .min = 1, .max = UINT64_MAX},
    {.name = "gate", .argument = "PCT",
     .help = "exit with 5 when an interval is wider",
     .commands = RESULTS, .set = set_positive, .offset = AT(gate_pct)},
    {.name = "seed", .argument = "N", .fallback = "1",
     .help = "seed of everything drawn at random",
     .commands = LAUNCHES | RUN, .set = set_whole, .offset = AT(run.seed), .min = 0,
     .max = UINT64_MAX},
    {.name = "jobs", .letter = 'j', .argument = "N",
     .help = "threads (default: one a processor)",
     .commands = RUNS | RUN, .set = set_whole, .offset = AT(threads), .min = 1,
     .max = THREADS_MAX},
    {.name = "no-cache",
     .help = "neither read nor write kept samples",
     .commands = ANSWERS | RUN, .set = set_flag, .offset = AT(no_cache)},
    {.name = "store", .argument = "FILE.db",
     .help = "keep samples there, and run only those it does not have",
     .commands = ANSWERS | RUN, .set = set_text, .offset = AT(run.store)},
    {.name = "shard", .argument = "K/N",
     .help = "only the studies whose number is K modulo N (default: those of "
             "this task of a Slurm array)",
     .commands = RESULTS, .set = set_shard},
    {.name = "max-cycles", .argument = "N",
     .help = "stop a detailed run after N cycles",
     .commands = ANSWERS | RUN, .set = set_whole, .offset = AT(run.max_cycles),
     .min = 1, .max = UINT64_MAX},
    {.name = "time-limit", .argument = "SECONDS",
     .help = "stop after this long; results are partial",
     .commands = LAUNCHES, .set = set_positive, .offset = AT(run.time_limit_s)},
    {.name = "grid", .argument = "X[,Y[,Z]]",
     .help = "blocks of the launch",
     .commands = LAUNCHES, .set = set_dimensions, .offset = AT(launch.grid)},
    {.name = "block", .argument = "X[,Y[,Z]]",
     .help = "threads of a block",
     .commands = LAUNCHES, .set = set_dimensions, .offset = AT(launch.block)},
    {.name = "threads", .argument = "N",
     .help = "threads of the grid: as many blocks as hold them",
     .commands = RUNS, .set = set_whole, .offset = AT(grid_threads), .min = 1,
     .max = UINT32_MAX},
    {.name = "cluster", .argument = "X[,Y[,Z]]",
     .help = "blocks of a cluster of a PTX launch",
     .commands = LAUNCHES, .set = set_dimensions, .offset = AT(launch.cluster),
     .inputs = LAUNCHED},
    {.name = "shared", .argument = "BYTES",
     .help = "shared memory of a block",
     .commands = LAUNCHES | OCCUPANCY, .set = set_shared, .min = 0, .max = INT32_MAX},
    {.name = "regs", .argument = "N",
     .help = "registers of a thread",
     .commands = LAUNCHES | OCCUPANCY, .set = set_u32, .offset = AT(launch.registers),
     .min = 1, .max = 255},
    {.name = "entry", .argument = "NAME",
     .help = "the kernel of a PTX file (default: the only one)",
     .commands = LAUNCHES | OCCUPANCY, .set = set_text, .offset = AT(launch.entry),
     .inputs = LAUNCHED},
    {.name = "arg", .argument = "SPEC",
     .help = "its next argument: NUMBER, TYPE:NUMBER, @NAME[+OFFSET], "
             "buf:COUNT:TYPE[:FILL][:NAME] or tex:WIDTHxHEIGHT:TEXEL",
     .commands = LAUNCHES, .set = add_argument, .inputs = LAUNCHED},
    {.name = "set-symbol", .argument = "NAME=SPEC",
     .help = "what a variable in .global or .const holds: [TYPE:]FILL or "
             "[TYPE:]VALUE[,VALUE..] (repeatable)",
     .commands = LAUNCHES, .set = add_symbol, .inputs = LAUNCHED},
    {.name = "dump", .argument = "NAME=FILE",
     .help = "write the bytes of a buffer when done (repeatable)",
     .commands = EXECUTE, .set = add_dump},
    {.name = "exec-all",
     .help = "PTX: execute the whole grid first, each block over what "
             "those before it wrote",
     .commands = INPUTS | RUN, .set = set_flag, .offset = AT(launch.exec_all),
     .inputs = LAUNCHED},
    {.name = "unknown-op", .argument = "CLASS", .fallback = "error",
     .help = "take unknown opcodes for CLASS; error: refuse them",
     .commands = INPUTS, .set = set_unknown_op, .inputs = TRACES},
    {.name = "record", .argument = "FOLDER",
     .help = "keep the launches that are estimated there, as launch files",
     .commands = RUN, .set = set_text, .offset = AT(record)},
    {.name = "kernel", .argument = "NAME",
     .help = "only launches of kernels whose name has NAME in it",
     .commands = RUN, .set = set_text, .offset = AT(kernel)},
    {.name = "launch", .argument = "N",
     .help = "only launch N of the program, counted from 1",
     .commands = RUN, .set = set_whole, .offset = AT(only_launch), .min = 1,
     .max = UINT64_MAX},
    {.name = "max-launches", .argument = "N",
     .help = "only the first N launches; the program runs on",
     .commands = RUN, .set = set_whole, .offset = AT(max_launches), .min = 1,
     .max = UINT64_MAX},
    {.name = "check-init",
     .help = "name reads of memory that nothing has written",
     .commands = RUN, .set = set_flag, .offset = AT(check_init)},
    {.name = "check-races",
     .help = "name races on shared memory between barriers",
     .commands = RUN, .set = set_flag, .offset = AT(check_races)},
    {.name = "interval", .argument = "N",
     .help = "of one point also counters over time, every N cycles, as CSV",
     .commands = SIMULATE, .set = set_whole, .offset = AT(interval), .min = 1,
     .max = UINT64_MAX},
    {.name = "interval-out", .argument = "FILE",
     .help = "write them there, not behind the result",
     .commands = SIMULATE, .set = set_text, .offset = AT(interval_out)},
    {.name = "timeline", .argument = "A..B",
     .help = "of one point also what the warps of an SM do in cycles A to B",
     .commands = SIMULATE, .set = set_timeline},
    {.name = "trace-json", .argument = "FILE",
     .help = "of one point also the whole run, as Chrome trace events for "
             "Perfetto",
     .commands = SIMULATE, .set = set_text, .offset = AT(trace_json)},
    {.name = "sm", .argument = "N",
     .help = "the SM of --timeline (default: 0); the only one of --trace-json",
     .commands = SIMULATE, .set = set_whole, .offset = AT(sm), .min = 0,
     .max = INT32_MAX},
    {.name = "tb", .argument = "N",
     .help = "resident blocks of the point (default: as many as fit)",
     .instead = "--sweep tb=N", .commands = EXPLAIN, .set = set_tb},
    {.name = "top", .argument = "N",
     .help = "only the N changes that gain most",
     .commands = EXPLAIN, .set = set_whole, .offset = AT(top), .min = 1,
     .max = UINT32_MAX},
    {.name = "confirm", .argument = "N",
     .help = "run the first N changes in full detail as well",
     .commands = EXPLAIN, .set = set_whole, .offset = AT(confirm), .min = 1,
     .max = UINT32_MAX},
    {.name = "lines",
     .help = "also by source line, the heaviest first",
     .commands = EXPLAIN, .set = set_flag, .offset = AT(lines)},
    {.name = "format", .argument = "FORMAT", .fallback = "table",
     .help = "table, csv, json, jsonl, html or markdown on standard output",
     .commands = ANSWERS | RUN | OCCUPANCY, .set = set_format},
    {.name = "output", .letter = 'o', .argument = "FILE",
     .help = "write FILE, .txt, .csv, .json, .jsonl, .html or .md, in place of standard "
             "output (repeatable)",
     .commands = ANSWERS | CALIBRATE | RUN | MERGE, .set = set_output},
    {.name = "exact",
     .help = "tables: whole cycles, however wide their intervals",
     .commands = TABLES, .set = set_flag, .offset = AT(exact)},
    {.name = "mangled",
     .help = "tables: C++ names as the input has them",
     .commands = TABLES | OCCUPANCY | ENTRIES, .set = set_flag, .offset = AT(mangled)},
    {.name = "color", .argument = "WHEN", .fallback = "auto",
     .help = "tables: auto (on a terminal without NO_COLOR), never, always",
     .commands = TABLES | OCCUPANCY, .set = set_color},
    {.name = "check",
     .help = "validate everything, run nothing",
     .commands = SWEEPS, .set = set_flag, .offset = AT(check)},
    {.name = "print-config",
     .help = "print the resolved configuration, run nothing",
     .commands = SWEEPS, .set = set_flag, .offset = AT(print_config)},
    {.name = "yes",
     .help = "allow more than a million design points",
     .commands = SWEEPS, .set = set_flag, .offset = AT(yes)},
    {.name = "verbose", .letter = 'v',
     .help = "say more",
     .commands = INPUTS, .set = set_flag, .offset = AT(verbose)},
    {.name = "version",
     .help = "print the version",
     .commands = EVERY, .set = set_flag, .offset = AT(version)},
    {.name = "help", .letter = 'h',
     .help = "print this text",
     .commands = EVERY, .set = set_flag, .offset = AT(help)},
};
// clang-format on
const size_t option_count = sizeof(option_table) / sizeof(option_table[0]);
_Static_assert(sizeof(option_table) / sizeof(option_table[0]) <= 64,
               "a bit an option");
