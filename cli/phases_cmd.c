/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate phases: a kernel's phases (paws Sec. III-A), with --verbose the
 * instructions of each, and of an application what its launches read of each
 * other's data (ikra Table 1). */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <string.h>

#define MNEMONIC_WIDTH 15

static void print_registers(const uint16_t *reg, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bool predicate = reg[i] >= ESTIMATE_PREDICATE;
        printf(" %c%u", predicate ? 'p' : 'r',
               predicate ? reg[i] - ESTIMATE_PREDICATE : reg[i]);
    }
}

static void print_instruction(const struct estimate_instruction *i)
{
    bool operands = i->written_count + i->read_count > 0;
    printf("%15s%4u  %-7s %u  line %-5u %-*s", "", i->left, i->class_name,
           i->cycles, i->line, operands ? MNEMONIC_WIDTH : 0, i->mnemonic);
    print_registers(i->written, i->written_count);
    printf("%s", i->read_count > 0 ? " <-" : "");
    print_registers(i->read, i->read_count);
    printf("\n");
}

static void print_summary(const struct estimate_code *c,
                          const struct estimate_launch_info *l)
{
    const struct estimate_phase *p;
    uint32_t longest = 0, shortest = UINT32_MAX;
    for (size_t i = 0; (p = estimate_code_phase(c, i)) != NULL; i++) {
        longest = p->cycles > longest ? p->cycles : longest;
        shortest = p->cycles < shortest ? p->cycles : shortest;
    }
    printf("%s: %u instructions in %u phases, longest %u cycles, shortest %u\n",
           l->name, l->instructions, l->phases, longest, shortest);
}

static void print_phases(const struct estimate_code *c,
                         const struct estimate_launch_info *l, bool verbose)
{
    const struct estimate_phase *p;
    print_summary(c, l);
    if (verbose && l->registers_from[0] != '\0')
        printf("registers: %u (%s)\n", l->registers, l->registers_from);
    printf("phase  instructions  cycles  loads  ended by\n");
    for (size_t i = 0; (p = estimate_code_phase(c, i)) != NULL; i++) {
        printf("%5zu  %12u  %6u  %5u  %s\n", i, p->count, p->cycles, p->loads,
               p->ended_by);
        for (uint32_t n = 0; verbose && n < p->count; n++)
            print_instruction(estimate_code_instruction(c, p->first + n));
    }
}

static bool print_launch(const struct estimate_kernel *k, size_t launch,
                         bool verbose, struct estimate_error *e)
{
    struct estimate_code *c = estimate_code_create(k, launch, e);
    if (c == NULL)
        return false;
    print_phases(c, estimate_kernel_launch(k, launch), verbose);
    estimate_code_free(c);
    return true;
}

static void print_dependences(const struct estimate_kernel *k,
                              const struct estimate_dependences *d)
{
    const struct estimate_kernel_info *info = estimate_kernel_info(k);
    printf("%s: %zu launches; words loaded that a launch wrote: self %.1f %%, "
           "ghost %.1f %%, other %.1f %% (own block, older launch: %.1f %%)\n",
           info->name, info->launches, d->self_pct, d->ghost_pct, d->other_pct,
           d->older_self_pct);
}

/* Launches of one kernel have the same phases. */
static bool seen_before(const struct estimate_kernel *k, size_t launch)
{
    const char *name = estimate_kernel_launch(k, launch)->name;
    for (size_t i = 0; i < launch; i++)
        if (strcmp(estimate_kernel_launch(k, i)->name, name) == 0)
            return true;
    return false;
}

static void print_notes(const struct estimate_kernel *k)
{
    const struct estimate_launch_info *l;
    for (size_t i = 0; (l = estimate_kernel_launch(k, i)) != NULL; i++)
        if (l->note != NULL)
            print_lines("note", l->note);
}

/* What is found out from the streams comes first: where that fails, nothing is
 * printed. */
static bool print_kernel(const struct estimate_kernel *k, bool verbose,
                         struct estimate_error *e)
{
    const struct estimate_kernel_info *info = estimate_kernel_info(k);
    struct estimate_dependences d;
    bool depends = info->application && verbose;
    if (depends && !estimate_dependences(&d, sizeof(d), k, e))
        return false;
    print_notes(k);
    for (size_t i = 0; i < info->launches; i++)
        if (!seen_before(k, i) && !print_launch(k, i, verbose, e))
            return false;
    if (depends)
        print_dependences(k, &d);
    return true;
}

int run_phases(const struct options *o, struct estimate_error *e)
{
    if (o->inputs != 1) {
        fail(e, ESTIMATE_USAGE, "phases: expected one INPUT, found %zu",
             o->inputs);
        return ESTIMATE_USAGE;
    }
    if (!options_check_inputs(o, o->input, 1, e))
        return e->status;
    struct estimate_launch launch = o->launch;
    launch.code_only = true; /* an application's are whole all the same */
    struct estimate_input *in = estimate_input_load(o->input[0], &launch, e);
    if (in == NULL)
        return e->status;
    bool ok = true;
    for (size_t i = 0; ok && i < estimate_input_kernels(in); i++)
        ok = print_kernel(estimate_input_kernel(in, i), o->verbose, e);
    estimate_input_free(in);
    return ok ? ESTIMATE_OK : e->status;
}
