/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include "cli/interrupt.h"
#include "cli/options_table.h"

#include <stdlib.h>
#include <string.h>

const struct command_info command_info[COMMANDS] = {
    [COMMAND_ESTIMATE] = {NULL, "[OPTIONS] [INPUT...]",
                          "predict cycles: the model, calibrated by samples"},
    [COMMAND_SIMULATE] = {"simulate", "[OPTIONS] [INPUT...]",
                          "the same design points in full detail"},
    [COMMAND_CALIBRATE] = {"calibrate", "[OPTIONS] [INPUT...]",
                           "sample and fit now; fit keys to other cycles"},
    [COMMAND_EXPLAIN] = {"explain", "[OPTIONS] INPUT",
                         "where the cycles go, and what would change them"},
    [COMMAND_REPORT] = {"report", "[OPTIONS] INPUT|RESULT -o FILE.html",
                        "a page of the same points to look at"},
    [COMMAND_PHASES] = {"phases", "[OPTIONS] INPUT", "the phases of a kernel"},
    [COMMAND_OCCUPANCY] = {"occupancy", "[OPTIONS] INPUT",
                           "warps that fit on an SM for every block size"},
    [COMMAND_ENTRIES] = {"entries", "[OPTIONS] FILE.ptx",
                         "the kernels of a PTX file and their parameters"},
    [COMMAND_EXECUTE] = {"execute", "[OPTIONS] FILE.ptx|FILE.launch",
                         "run PTX kernels on the CPU, block after block"},
    [COMMAND_RUN] = {"run", "[OPTIONS] -- PROGRAM [ARGUMENT...]",
                     "run a CUDA program on the CPU, estimate its launches"},
    [COMMAND_MERGE] = {"merge", "A.db [B.db...] -o C.db",
                       "put the stores of shards together"},
    [COMMAND_COMPARE] = {"compare", "A B", "two results, point by point"},
    [COMMAND_LIST] = {"list", "kernels|gpus|keys|schedulers|policies",
                      "what is bundled"},
    [COMMAND_COMPLETIONS] = {"completions", "bash|zsh|fish",
                             "what a shell completes, for it to read"},
};

/* One pass over argv. */
struct parser {
    struct options *options;
    int argc, next;
    char *const *argv;
};

static const char *option_name(const void *table, size_t i)
{
    return ((const struct option_row *)table)[i].name;
}

static const struct option_row *find_long(const char *name, size_t length,
                                          struct estimate_error *e)
{
    char text[64];
    if (length >= sizeof(text))
        length = sizeof(text) - 1;
    memcpy(text, name, length);
    text[length] = '\0';
    for (size_t i = 0; i < option_count; i++)
        if (strcmp(option_table[i].name, text) == 0)
            return &option_table[i];
    const char *near =
        nearest_row(text, option_table, option_count, option_name);
    if (near != NULL)
        fail(e, ESTIMATE_USAGE, "unknown option '--%s', did you mean '--%s'?",
             text, near);
    else
        fail(e, ESTIMATE_USAGE, "unknown option '--%s' (see --help)", text);
    return NULL;
}

static const struct option_row *find_short(char letter,
                                           struct estimate_error *e)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].letter == letter)
            return &option_table[i];
    fail(e, ESTIMATE_USAGE, "unknown option '-%c' (see --help)", letter);
    return NULL;
}

/* "explain" or "explain, simulate and report" take the option. */
static void name_takers(char *out, size_t size, const struct option_row *row)
{
    int takers = __builtin_popcount(row->commands), named = 0;
    size_t used = 0;
    for (int c = 0; named < takers && used < size; c++) {
        if ((row->commands & 1u << c) == 0)
            continue;
        named++;
        const char *before = named == 1 ? "" : named == takers ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", before,
                                 c == COMMAND_ESTIMATE ? "estimate alone"
                                                       : command_info[c].name);
    }
}

static bool takes_none(enum command_id command, const struct option_row *row,
                       struct estimate_error *e)
{
    char takers[256];
    name_takers(takers, sizeof(takers), row);
    return fail(e, ESTIMATE_USAGE, "%s takes no --%s%s%s; %s %s",
                command == COMMAND_ESTIMATE ? "estimate without a command"
                                            : command_info[command].name,
                row->name, row->instead != NULL ? " but " : "",
                row->instead != NULL ? row->instead : "", takers,
                (row->commands & (row->commands - 1)) == 0 ? "does" : "do");
}

/* Apply one option. `attached` is the value written with it, or NULL. */
static bool apply(struct parser *p, const struct option_row *row,
                  const char *attached, struct estimate_error *e)
{
    struct options *o = p->options;
    if ((row->commands & 1u << o->command) == 0)
        return takes_none(o->command, row, e);
    o->given |= UINT64_C(1) << (row - option_table);
    if (row->argument == NULL) {
        if (attached != NULL)
            return fail(e, ESTIMATE_USAGE, "--%s takes no value", row->name);
        return row->set(o, row, NULL, e);
    }
    if (attached == NULL) {
        if (p->next == p->argc)
            return fail(e, ESTIMATE_USAGE, "--%s: expected %s after it",
                        row->name, row->argument);
        attached = p->argv[p->next++];
    }
    return row->set(o, row, attached, e);
}

static bool parse_long(struct parser *p, const char *text,
                       struct estimate_error *e)
{
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const struct option_row *row = find_long(text, length, e);
    return row != NULL && apply(p, row, equals != NULL ? equals + 1 : NULL, e);
}

/* -v, -j2 or -j 2; flags may be joined: -vh. */
static bool parse_short(struct parser *p, const char *text,
                        struct estimate_error *e)
{
    for (; *text != '\0'; text++) {
        const struct option_row *row = find_short(*text, e);
        if (row == NULL)
            return false;
        if (row->argument != NULL)
            return apply(p, row, text[1] != '\0' ? text + 1 : NULL, e);
        if (!apply(p, row, NULL, e))
            return false;
    }
    return true;
}

/* A command's name is only looked for in the first place. */
static void parse_command(struct parser *p)
{
    if (p->argc < 2)
        return;
    for (int i = 0; i < COMMANDS; i++) {
        const char *name = command_info[i].name;
        if (name != NULL && strcmp(p->argv[1], name) == 0) {
            p->options->command = (enum command_id)i;
            p->next = 2;
        }
    }
}

static bool parse_all(struct parser *p, struct estimate_error *e)
{
    struct options *o = p->options;
    bool only_operands = false;
    while (p->next < p->argc) {
        const char *text = p->argv[p->next++];
        bool ok = true;
        if (only_operands || text[0] != '-' || text[1] == '\0') {
            o->input[o->inputs++] = text;
            only_operands |= o->command == COMMAND_RUN;
        } else if (strcmp(text, "--") == 0)
            only_operands = true;
        else if (text[1] == '-')
            ok = parse_long(p, text + 2, e);
        else
            ok = parse_short(p, text + 1, e);
        if (!ok)
            return false;
    }
    return true;
}

static bool set_fallbacks(struct options *o, struct estimate_error *e)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (row->fallback != NULL && !row->set(o, row, row->fallback, e))
            return false;
    }
    return true;
}

/* What the launch takes from elsewhere. The time limit is one from the start
 * of the program on. */
static void set_launch(struct options *o)
{
    struct estimate_launch *l = &o->launch;
    l->seed = o->run.seed;
    l->arg = o->arg;
    l->symbol = o->symbol;
    l->cancel = interrupt_flag();
    if (o->run.time_limit_s > 0)
        l->deadline_s = estimate_clock() + o->run.time_limit_s;
    if (estimate_ptxas_find(o->ptxas, sizeof(o->ptxas),
                            getenv("ESTIMATE_PTXAS"), getenv("PATH")))
        l->ptxas = o->ptxas;
}

bool options_parse(struct options *o, int argc, char *const *argv,
                   struct estimate_error *e)
{
    *o = (struct options){
        .input = calloc((size_t)argc + 1, sizeof(*o->input)),
        .arg = calloc((size_t)argc + 1, sizeof(*o->arg)),
        .symbol = calloc((size_t)argc + 1, sizeof(*o->symbol)),
        .setting = calloc((size_t)argc + 1, sizeof(*o->setting)),
        .sweep = calloc(SWEEPS_MAX, sizeof(*o->sweep)),
        .shard = {0, 1},
    };
    if (o->input == NULL || o->arg == NULL || o->symbol == NULL ||
        o->setting == NULL || o->sweep == NULL)
        return fail_no_memory(e);
    estimate_options_init(&o->run, sizeof(o->run));
    estimate_launch_init(&o->launch, sizeof(o->launch));
    o->argc = argc;
    o->argv = argv;
    struct parser p = {.options = o, .argc = argc, .next = 1, .argv = argv};
    parse_command(&p);
    if (!set_fallbacks(o, e))
        return false;
    if (o->command == COMMAND_SIMULATE)
        o->run.mode = ESTIMATE_DETAILED;
    if (!parse_all(&p, e))
        return false;
    set_launch(o);
    bool shares =
        o->command == COMMAND_ESTIMATE || o->command == COMMAND_SIMULATE;
    return !shares || options_given(o, "shard") || shard_of_slurm(&o->shard, e);
}

bool options_given(const struct options *o, const char *name)
{
    for (size_t i = 0; i < option_count; i++)
        if (strcmp(option_table[i].name, name) == 0)
            return (o->given >> i & 1) != 0;
    return false;
}

/* Whether some input is of one of the kinds. False with e set when one cannot
 * be told. */
static bool find_kind(bool *found, unsigned kinds, const char *const *input,
                      size_t inputs, struct estimate_error *e)
{
    *found = false;
    for (size_t i = 0; i < inputs && !*found; i++) {
        enum estimate_input_kind kind;
        if (!estimate_input_kind(&kind, input[i], e))
            return false;
        *found = (kinds >> kind & 1) != 0;
    }
    return true;
}

bool options_check_inputs(const struct options *o, const char *const *input,
                          size_t inputs, struct estimate_error *e)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        bool found;
        if ((o->given >> i & 1) == 0 || row->inputs == 0)
            continue;
        if (!find_kind(&found, row->inputs, input, inputs, e))
            return false;
        if (!found)
            return fail(e, ESTIMATE_USAGE, "--%s: found no %s among the inputs",
                        row->name,
                        (row->inputs >> ESTIMATE_PTX & 1) != 0 ? "PTX"
                                                               : "trace");
    }
    return true;
}

void options_free(struct options *o)
{
    for (size_t i = 0; o->compiled != NULL && i < o->inputs; i++)
        free(o->compiled[i]);
    free(o->compiled);
    free(o->source);
    free(o->input);
    free(o->arg);
    free(o->symbol);
    free(o->setting);
    cost_free(o->cost);
    free(o->sweep);
}
