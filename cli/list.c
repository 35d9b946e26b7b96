/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate list: the bare name first on each line, then parameters with their
 * defaults, one line of what it is, and the source. */
#include "cli/commands.h"
#include "cli/options.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"

#include <string.h>

#define NAME_WIDTH   12
#define PARAMS_WIDTH 24

static void params_text(char *out, size_t size, const struct policy_info *info)
{
    int used = snprintf(out, size, "-");
    for (int i = 0; i < policy_param_count(info); i++) {
        const struct policy_param *p = &info->param[i];
        if (i == 0)
            used = 0;
        used += snprintf(out + used, size - (size_t)used, "%s%s=%.0f",
                         i > 0 ? ":" : "", p->name, p->fallback);
    }
}

static void list_kind(const char *prefix, enum policy_kind kind)
{
    const struct policy_info *info;
    for (size_t i = 0; (info = policy_at(NULL, kind, i)) != NULL; i++) {
        char params[256];
        params_text(params, sizeof(params), info);
        printf("%-*s %-*s %s%s [%s]\n", NAME_WIDTH, info->name, PARAMS_WIDTH,
               params, prefix, info->summary, info->paper);
    }
}

static bool list_schedulers(struct error *e)
{
    (void)e;
    list_kind("", POLICY_WARP);
    return true;
}

static bool list_policies(struct error *e)
{
    (void)e;
    list_kind("thread blocks: ", POLICY_BLOCK);
    list_kind("L1: ", POLICY_L1);
    return true;
}

static bool list_gpus(struct error *e)
{
    size_t count;
    const char *const *names = gpu_bundled_names(&count);
    for (size_t i = 0; i < count; i++) {
        struct gpu g;
        char shape[64];
        if (!gpu_load(&g, names[i], NULL, 0, e))
            return false;
        snprintf(shape, sizeof(shape), "sm_%d, %d SMs", g.arch, g.sms);
        printf("%-*s %-*s %s\n", NAME_WIDTH, names[i], PARAMS_WIDTH, shape,
               g.summary);
    }
    return true;
}

static bool list_kernels(struct error *e)
{
    size_t count;
    const char *const *names = kernel_bundled_names(&count);
    for (size_t i = 0; i < count; i++) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        char shape[64];
        if (!kernel_load(&list, names[i], &load, e))
            return false;
        const struct kernel *k = list.kernel[0];
        if (list.application != NULL)
            snprintf(shape, sizeof(shape), "%zu launches", list.count);
        else
            snprintf(shape, sizeof(shape), "%llu x %u threads",
                     (unsigned long long)k->blocks, k->threads_per_block);
        printf("%-*s %-*s %s\n", NAME_WIDTH, names[i], PARAMS_WIDTH, shape,
               k->summary);
        kernel_list_free(&list);
    }
    return true;
}

static const struct subject {
    const char *name;
    bool (*list)(struct error *e);
} subjects[] = {
    {"kernels", list_kernels},
    {"gpus", list_gpus},
    {"schedulers", list_schedulers},
    {"policies", list_policies},
};
#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

static const char *subject_name(const void *table, size_t i)
{
    return ((const struct subject *)table)[i].name;
}

int run_list(const struct options *o, struct error *e)
{
    if (o->inputs != 1) {
        error_set(e, STATUS_USAGE,
                  "list: expected one of kernels, gpus, schedulers, policies");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < SUBJECTS; i++)
        if (strcmp(subjects[i].name, o->input[0]) == 0)
            return subjects[i].list(e) ? STATUS_OK : (int)e->status;
    const char *near =
        nearest_name(o->input[0], subjects, SUBJECTS, subject_name);
    if (near != NULL)
        error_set(e, STATUS_USAGE, "list %s: did you mean '%s'?", o->input[0],
                  near);
    else
        error_set(e, STATUS_USAGE,
                  "list %s: expected kernels, gpus, schedulers or policies",
                  o->input[0]);
    return STATUS_USAGE;
}
