/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "kernels/form/depend.h"
#include "kernels/form/phases.h"
#include "kernels/trace/sass.h"

#include <stdlib.h>

struct estimate_code {
    struct estimate_phase *phase;
    struct estimate_instruction *instruction;
    uint32_t phases, instructions;
};

static const char *const class_names[] = {
    [OP_INT] = "int",       [OP_IMUL] = "imul",       [OP_SP] = "sp",
    [OP_SFU] = "sfu",       [OP_DP] = "dp",           [OP_TENSOR] = "tensor",
    [OP_BRANCH] = "branch", [OP_EXIT] = "exit",       [OP_BARRIER] = "barrier",
    [OP_FENCE] = "fence",   [OP_LOAD] = "load",       [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic", [OP_CONVERT] = "convert", [OP_IMAD] = "imad",
};
_Static_assert(sizeof(class_names) / sizeof(class_names[0]) == OP_CLASSES,
               "every class of operations has a name");

const char *estimate_opcode_class(size_t i)
{
    struct sass_op op;
    for (size_t n = 0; n < OP_CLASSES; n++)
        if (sass_class_named(&op, class_names[n]) && i-- == 0)
            return class_names[n];
    return NULL;
}

_Static_assert(ESTIMATE_PREDICATE == REG_PREDICATE, "predicate registers");

static struct estimate_phase phase_of(const struct phase *p)
{
    return (struct estimate_phase){.first = p->first,
                                   .count = p->count,
                                   .cycles = p->length,
                                   .loads = p->loads,
                                   .ended_by = p->ended_by};
}

static struct estimate_instruction instruction_of(const struct inst *i)
{
    return (struct estimate_instruction){.mnemonic = i->mnemonic,
                                         .class_name = class_names[i->op],
                                         .address = i->pc,
                                         .line = i->line,
                                         .cycles = phase_cycles(i),
                                         .left = i->phase_distance,
                                         .written_count = i->dst_count,
                                         .read_count = i->src_count,
                                         .written = i->dst,
                                         .read = i->src};
}

static const struct kernel *launch_of(const struct estimate_kernel *k,
                                      size_t launch)
{
    if (launch >= k->info.launches)
        return NULL;
    return k->application != NULL ? k->application->kernel[launch] : k->first;
}

struct estimate_code *estimate_code_create(const struct estimate_kernel *k,
                                           size_t launch,
                                           struct estimate_error *out)
{
    const struct kernel *kernel = launch_of(k, launch);
    struct error e;
    if (kernel == NULL) {
        error_set(&e, STATUS_USAGE, "%s has %zu launches, there is no %zu",
                  k->info.name, k->info.launches, launch);
        tell(out, &e);
        return NULL;
    }
    struct estimate_code *c = calloc(1, sizeof(*c));
    if (c != NULL) {
        c->phase = calloc(kernel->phase_count + 1, sizeof(*c->phase));
        c->instruction = calloc(kernel->inst_count, sizeof(*c->instruction));
    }
    if (c == NULL || c->phase == NULL || c->instruction == NULL) {
        estimate_code_free(c);
        tell_no_memory(out);
        return NULL;
    }
    for (; c->phases < kernel->phase_count; c->phases++)
        c->phase[c->phases] = phase_of(&kernel->phase[c->phases]);
    for (; c->instructions < kernel->inst_count; c->instructions++)
        c->instruction[c->instructions] =
            instruction_of(&kernel->inst[c->instructions]);
    return c;
}

void estimate_code_free(struct estimate_code *c)
{
    if (c == NULL)
        return;
    free(c->phase);
    free(c->instruction);
    free(c);
}

const struct estimate_phase *estimate_code_phase(const struct estimate_code *c,
                                                 size_t i)
{
    return i < c->phases ? &c->phase[i] : NULL;
}

const struct estimate_instruction *
estimate_code_instruction(const struct estimate_code *c, size_t i)
{
    return i < c->instructions ? &c->instruction[i] : NULL;
}

bool estimate_dependences(struct estimate_dependences *out, size_t size,
                          const struct estimate_kernel *k,
                          struct estimate_error *error)
{
    struct error e;
    struct depend_counts c;
    struct kernel *const *kernel = (struct kernel *const *)&k->first;
    if (k->application != NULL)
        kernel = k->application->kernel;
    if (!depend_count(&c, NULL, kernel, k->info.launches, &e))
        return tell(error, &e);
    const struct estimate_dependences known = {
        .self_pct = depend_percent(&c, c.self),
        .ghost_pct = depend_percent(&c, c.ghost),
        .other_pct = depend_percent(&c, c.other),
        .older_self_pct = depend_percent(&c, c.older_self)};
    give_struct(out, size, &known, sizeof(known));
    return true;
}
