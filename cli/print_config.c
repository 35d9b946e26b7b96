/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --print-config: the GPU in the syntax of a configuration file. Several GPUs
 * cannot be one such file, so it wants exactly one. */
#include "cli/commands.h"
#include "cli/points.h"
#include "configs/gpu.h"
#include "sampler/policy/registry.h"

#include <inttypes.h>
#include <string.h>

static size_t group_length(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot != NULL ? (size_t)(dot - key) : 0;
}

static bool same_group(const char *a, const char *b)
{
    size_t n = group_length(a);
    return n == group_length(b) && strncmp(a, b, n) == 0;
}

static void print_value(const struct gpu *g, const struct gpu_key *key)
{
    char value[GPU_VALUE_BYTES];
    gpu_key_text(g, key, value, sizeof(value));
    const char *quote = key->type == GPU_ENUM ? "\"" : "";
    /* libconfig tells 1 from 1.0. */
    bool whole = key->type == GPU_REAL && strpbrk(value, ".e") == NULL;
    printf("%s%s%s%s", quote, value, quote, whole ? ".0" : "");
}

static void print_key(const struct gpu *g, const struct gpu_key *key)
{
    size_t group = group_length(key->key);
    printf("%s%s = ", group > 0 ? "    " : "",
           group > 0 ? key->key + group + 1 : key->key);
    print_value(g, key);
    printf(";%s%s\n", key->unit[0] != '\0' ? " # " : "", key->unit);
}

/* The keys of the group that key `first` opens, all in one place. */
static void print_group(const struct gpu *g, size_t first)
{
    const char *key = gpu_keys[first].key;
    size_t length = group_length(key);
    if (length > 0)
        printf("%.*s: {\n", (int)length, key);
    for (size_t i = first; i < gpu_key_count; i++)
        if (same_group(gpu_keys[i].key, key))
            print_key(g, &gpu_keys[i]);
    if (length > 0)
        printf("};\n");
}

static bool opens_group(size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same_group(gpu_keys[j].key, gpu_keys[i].key))
            return false;
    return true;
}

static void print_gpu(const struct gpu *g)
{
    printf("name = \"%s\";\nsummary = \"%s\";\n", g->name, g->summary);
    for (size_t i = 0; i < gpu_key_count; i++)
        if (opens_group(i))
            print_group(g, i);
}

static void print_input(const struct kernel_list *list)
{
    if (list->application != NULL)
        printf("# application %s: %zu launches\n", list->application,
               list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct kernel *k = list->kernel[i];
        bool told = k->regs_from[0] != '\0';
        printf("# kernel %s: grid %u,%u,%u block %u,%u,%u regs %u%s%s%s shared "
               "%u\n",
               k->name, k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y,
               k->block.z, k->regs_per_thread, told ? " (" : "", k->regs_from,
               told ? ")" : "", k->shared_bytes);
    }
}

static void print_run(const struct options *o, const struct plan *p)
{
    static const char *const modes[] = {"model", "hybrid", "detailed"};
    printf("# mode %s, error %g %%, budget %" PRIu64 ", seed %" PRIu64 "\n",
           modes[o->mode], o->error_pct, o->budget, o->seed);
    printf("# sched %s, tb-sched %s, l1-policy %s\n", o->sched, o->tb_sched,
           o->l1_policy != NULL ? o->l1_policy : policy_default(POLICY_L1));
    printf("# max-cycles %" PRIu64 ", time-limit %g s, threads %" PRIu64
           " (0: none, none, all)\n",
           o->max_cycles, o->time_limit_s, o->threads);
    for (size_t i = 0; i < o->sweeps; i++)
        printf("# sweep %s\n", o->sweep[i].text);
    for (size_t i = 0; i < p->inputs; i++)
        print_input(&p->input[i]);
}

int print_config(const struct options *o, const struct plan *p, struct error *e)
{
    if (p->variants != 1) {
        error_set(e, STATUS_USAGE,
                  "--print-config: expected one GPU, found %zu", p->variants);
        return STATUS_USAGE;
    }
    print_run(o, p);
    print_gpu(&p->variant[0].gpu);
    return STATUS_OK;
}
