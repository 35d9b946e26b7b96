/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate phases: a kernel's phases (paws Sec. III-A), with --verbose the
 * instructions of each, and of an application what its launches read of each
 * other's data (ikra Table 1). */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "kernels/form/depend.h"
#include "kernels/form/kernel.h"
#include "kernels/form/phases.h"
#include "kernels/load.h"

#include <string.h>

#define MNEMONIC_WIDTH 15

static const char *const class_names[OP_CLASSES] = {
    [OP_INT] = "int",       [OP_IMUL] = "imul",       [OP_SP] = "sp",
    [OP_SFU] = "sfu",       [OP_DP] = "dp",           [OP_TENSOR] = "tensor",
    [OP_BRANCH] = "branch", [OP_EXIT] = "exit",       [OP_BARRIER] = "barrier",
    [OP_FENCE] = "fence",   [OP_LOAD] = "load",       [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic", [OP_CONVERT] = "convert",
};

static void register_name(char *out, size_t size, unsigned reg)
{
    bool predicate = reg >= REG_PREDICATE;
    snprintf(out, size, "%c%u", predicate ? 'p' : 'r',
             predicate ? reg - REG_PREDICATE : reg);
}

static void print_registers(const uint16_t *reg, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        register_name(name, sizeof(name), reg[i]);
        printf(" %s", name);
    }
}

static void print_instruction(const struct inst *i)
{
    bool operands = i->dst_count + i->src_count > 0;
    printf("%15s%4u  %-7s %u  line %-5u %-*s", "", i->phase_distance,
           class_names[i->op], phase_latency[i->op], i->line,
           operands ? MNEMONIC_WIDTH : 0, i->mnemonic);
    print_registers(i->dst, i->dst_count);
    printf("%s", i->src_count > 0 ? " <-" : "");
    print_registers(i->src, i->src_count);
    printf("\n");
}

static void print_summary(const struct kernel *k)
{
    uint32_t longest = 0, shortest = UINT32_MAX;
    for (uint32_t i = 0; i < k->phase_count; i++) {
        uint32_t length = k->phase[i].length;
        longest = length > longest ? length : longest;
        shortest = length < shortest ? length : shortest;
    }
    printf("%s: %u instructions in %u phases, longest %u cycles, shortest %u\n",
           k->name, k->inst_count, k->phase_count, longest, shortest);
}

static void print_phases(const struct kernel *k, bool verbose)
{
    print_summary(k);
    if (verbose && k->regs_from[0] != '\0')
        printf("registers: %u (%s)\n", k->regs_per_thread, k->regs_from);
    printf("phase  instructions  cycles  loads  ended by\n");
    for (uint32_t i = 0; i < k->phase_count; i++) {
        const struct phase *p = &k->phase[i];
        printf("%5u  %12u  %6u  %5u  %s\n", i, p->count, p->length, p->loads,
               p->ended_by);
        for (uint32_t n = 0; verbose && n < p->count; n++)
            print_instruction(&k->inst[p->first + n]);
    }
}

static void print_dependences(const struct kernel_list *list,
                              const struct depend_counts *c)
{
    printf("%s: %zu launches; words loaded that a launch wrote: self %.1f %%, "
           "ghost %.1f %%, other %.1f %% (own block, older launch: %.1f %%)\n",
           list->application, list->count, depend_percent(c, c->self),
           depend_percent(c, c->ghost), depend_percent(c, c->other),
           depend_percent(c, c->older_self));
}

/* Launches of one kernel have the same phases. */
static bool seen_before(const struct kernel_list *list, size_t i)
{
    for (size_t j = 0; list->application != NULL && j < i; j++)
        if (strcmp(list->kernel[j]->name, list->kernel[i]->name) == 0)
            return true;
    return false;
}

static void print_all(const struct kernel_list *list, bool verbose,
                      const struct depend_counts *counts)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->kernel[i]->note != NULL)
            print_lines("note", list->kernel[i]->note);
    for (size_t i = 0; i < list->count; i++)
        if (!seen_before(list, i))
            print_phases(list->kernel[i], verbose);
    if (counts != NULL)
        print_dependences(list, counts);
}

int run_phases(const struct options *o, struct error *e)
{
    if (o->inputs != 1) {
        error_set(e, STATUS_USAGE, "phases: expected one INPUT, found %zu",
                  o->inputs);
        return STATUS_USAGE;
    }
    struct kernel_list list;
    struct load_options load = o->load;
    load.code_only = true; /* an application's are whole all the same */
    if (!kernel_load(&list, o->input[0], &load, e))
        return e->status;
    struct depend_counts counts;
    bool whole = list.application != NULL && o->verbose;
    bool ok = !whole || depend_count(&counts, NULL, list.kernel, list.count, e);
    if (ok)
        print_all(&list, o->verbose, whole ? &counts : NULL);
    kernel_list_free(&list);
    return ok ? STATUS_OK : (int)e->status;
}
