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
        if (o->sweep[i].key == s->key)
            return fail(e, ESTIMATE_USAGE, "--sweep %s: %s is swept twice",
                        value, sweep_name(s));
    o->sweeps++;
    return true;
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

static bool add_argument(struct options *o, const struct option_row *row,
                         const char *value, struct estimate_error *e)
{
    if (value[0] == '\0')
        return fail(e, ESTIMATE_USAGE, "--%s: expected %s, found nothing",
                    row->name, row->argument);
    o->arg[o->launch.args++] = value;
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

static bool set_format(struct options *o, const struct option_row *row,
                       const char *value, struct estimate_error *e)
{
    (void)row;
    o->format = format_by_name(value, e);
    return o->format != NULL;
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
    out->format = format_by_extension(value, e);
    o->outputs++;
    return out->format != NULL;
}

#define ESTIMATE  (1u << COMMAND_ESTIMATE)
#define SIMULATE  (1u << COMMAND_SIMULATE)
#define CALIBRATE (1u << COMMAND_CALIBRATE)
#define PHASES    (1u << COMMAND_PHASES)
#define EXECUTE   (1u << COMMAND_EXECUTE)
#define LIST      (1u << COMMAND_LIST)
#define RESULTS   (ESTIMATE | SIMULATE)
#define RUNS      (RESULTS | CALIBRATE)
#define INPUTS    (RUNS | PHASES)
#define LAUNCHES  (INPUTS | EXECUTE)
#define EVERY     (LAUNCHES | LIST)

#define AT(member) offsetof(struct options, member)

#define THREADS_MAX 4096

/* The order of --help and of the manual page. */
// clang-format off
const struct option_row option_table[] = {
    {"sweep", 0, "KEY=SPEC", "vary tb or a GPU key: 1..8, 16,32, 16..128*2, "
     "8..64:8 (repeatable, crossed)", RUNS, set_sweep, 0, 0, 0},
    {"sched", 0, "LIST", "warp schedulers, or all (default gto)",
     RUNS, set_text, AT(sched), 0, 0},
    {"tb-sched", 0, "LIST", "thread-block schedulers, or all (default rr)",
     RUNS, set_text, AT(tb_sched), 0, 0},
    {"l1-policy", 0, "LIST", "L1 replacement policies, or all (default lru)",
     RUNS, set_text, AT(l1_policy), 0, 0},
    {"gpu", 0, "LIST", "GPUs by name or file, or all (default m2090)",
     RUNS, set_text, AT(gpu), 0, 0},
    {"mode", 0, "MODE", "model, hybrid or detailed (default hybrid)",
     ESTIMATE, set_mode, 0, 0, 0},
    {"error", 0, "PCT", "half-width the intervals should reach (default 5)",
     ESTIMATE | CALIBRATE, set_positive, AT(run.error_pct), 0, 0},
    {"budget", 0, "N", "warp instructions to spend on samples of "
     "one kernel and GPU",
     ESTIMATE | CALIBRATE, set_whole, AT(run.budget_insts), 1, UINT64_MAX},
    {"seed", 0, "N", "seed of everything drawn at random (default 1)",
     LAUNCHES, set_whole, AT(run.seed), 0, UINT64_MAX},
    {"jobs", 'j', "N", "threads (default: one a processor)",
     RUNS, set_whole, AT(threads), 1, THREADS_MAX},
    {"no-cache", 0, NULL, "neither read nor write kept fits",
     ESTIMATE, set_flag, AT(no_cache), 0, 0},
    {"max-cycles", 0, "N", "stop a detailed run after N cycles",
     RESULTS, set_whole, AT(run.max_cycles), 1, UINT64_MAX},
    {"time-limit", 0, "SECONDS", "stop after this long; results are partial",
     RUNS, set_positive, AT(run.time_limit_s), 0, 0},
    {"grid", 0, "X[,Y[,Z]]", "blocks of the launch",
     LAUNCHES, set_dimensions, AT(launch.grid), 0, 0},
    {"block", 0, "X[,Y[,Z]]", "threads of a block",
     LAUNCHES, set_dimensions, AT(launch.block), 0, 0},
    {"shared", 0, "BYTES", "shared memory of a block",
     LAUNCHES, set_shared, 0, 0, INT32_MAX},
    {"regs", 0, "N", "registers of a thread",
     INPUTS, set_u32, AT(launch.registers), 1, 255},
    {"entry", 0, "NAME", "the kernel of a PTX file (default: the only one)",
     LAUNCHES, set_text, AT(launch.entry), 0, 0},
    {"arg", 0, "SPEC", "its next argument: NUMBER, TYPE:NUMBER, "
     "buf:COUNT:TYPE[:FILL][:NAME] or tex:WIDTHxHEIGHT:TEXEL", LAUNCHES, add_argument, 0, 0, 0},
    {"dump", 0, "NAME=FILE", "write the bytes of a buffer when done "
     "(repeatable)", EXECUTE, add_dump, 0, 0, 0},
    {"exec-all", 0, NULL, "PTX: execute the whole grid first, each block over "
     "what those before it wrote", INPUTS, set_flag, AT(launch.exec_all), 0, 0},
    {"unknown-op", 0, "CLASS", "take unknown opcodes for CLASS "
     "(default error: refuse them)",
     INPUTS, set_text, AT(launch.unknown_op), 0, 0},
    {"format", 0, "FORMAT", "table, csv or json on standard output "
     "(default table)", RESULTS, set_format, 0, 0, 0},
    {"output", 'o', "FILE", "write FILE, .txt, .csv or .json, in place of "
     "standard output (repeatable)", RESULTS, set_output, 0, 0, 0},
    {"check", 0, NULL, "validate everything, run nothing",
     RUNS, set_flag, AT(check), 0, 0},
    {"print-config", 0, NULL, "print the resolved configuration, run nothing",
     RUNS, set_flag, AT(print_config), 0, 0},
    {"yes", 0, NULL, "allow more than a million design points",
     RUNS, set_flag, AT(yes), 0, 0},
    {"verbose", 'v', NULL, "say more", INPUTS, set_flag, AT(verbose), 0, 0},
    {"version", 0, NULL, "print the version",
     EVERY, set_flag, AT(version), 0, 0},
    {"help", 'h', NULL, "print this text", EVERY, set_flag, AT(help), 0, 0},
};
// clang-format on
const size_t option_count = sizeof(option_table) / sizeof(option_table[0]);
