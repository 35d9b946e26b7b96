/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate list: the bare name first on each line, then parameters with their
 * defaults, one line of what it is, and the source. */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_WIDTH   12
#define KEY_WIDTH    24
#define PARAMS_WIDTH 24
#define REST_MAX     1024

/* A line each where programs read it; as wide as the page where people do. */
static void put_entry(int width, const char *name, const char *params,
                      const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void put_entry(int width, const char *name, const char *params,
                      const char *format, ...)
{
    char rest[REST_MAX];
    const struct page page = page_open(stdout, COLOR_NEVER, false);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rest, sizeof(rest), format, arguments);
    va_end(arguments);
    if (isatty(STDOUT_FILENO) || getenv("COLUMNS") != NULL)
        page_put(&page, width + 1, "%-*s %-*s %s", width, name, PARAMS_WIDTH,
                 params, rest);
    else
        printf("%-*s %-*s %s\n", width, name, PARAMS_WIDTH, params, rest);
}

static void params_text(char *out, size_t size, const struct estimate_policy *p)
{
    struct estimate_param param;
    int used = snprintf(out, size, "-");
    for (size_t i = 0; estimate_policy_param(&param, sizeof(param), p, i);
         i++) {
        if (i == 0)
            used = 0;
        used += snprintf(out + used, size - (size_t)used, "%s%s=%.0f",
                         i > 0 ? ":" : "", param.name, param.fallback);
    }
}

static void list_kind(const char *prefix, enum estimate_policy_kind kind)
{
    const struct estimate_policy *p;
    for (size_t i = 0; (p = estimate_policy(NULL, kind, i)) != NULL; i++) {
        char params[256];
        params_text(params, sizeof(params), p);
        put_entry(NAME_WIDTH, estimate_policy_name(p), params, "%s%s [%s]",
                  prefix, estimate_policy_summary(p), estimate_policy_paper(p));
    }
}

static bool list_schedulers(struct estimate_error *e)
{
    (void)e;
    list_kind("", ESTIMATE_WARP);
    return true;
}

static bool list_policies(struct estimate_error *e)
{
    (void)e;
    list_kind("thread blocks: ", ESTIMATE_BLOCK);
    list_kind("L1: ", ESTIMATE_L1);
    return true;
}

static int whole_key(const struct estimate_gpu *g, const char *name)
{
    return (int)estimate_gpu_get(g, estimate_key_find(name, NULL));
}

/* " [10 kernels measured]", or empty. */
static void measured_text(char *out, size_t size, const struct estimate_gpu *g)
{
    int kernels = estimate_gpu_measured(g).kernels;
    out[0] = '\0';
    if (kernels > 0)
        snprintf(out, size, " [%d kernels measured]", kernels);
}

static bool list_gpus(struct estimate_error *e)
{
    const char *name;
    for (size_t i = 0; (name = estimate_bundled_gpu(i)) != NULL; i++) {
        char shape[64], measured[64];
        struct estimate_gpu *g = estimate_gpu_load(name, e);
        if (g == NULL)
            return false;
        snprintf(shape, sizeof(shape), "sm_%d, %d SMs", whole_key(g, "arch"),
                 whole_key(g, "sms"));
        measured_text(measured, sizeof(measured), g);
        put_entry(NAME_WIDTH, name, shape, "%s%s", estimate_gpu_summary(g),
                  measured);
        estimate_gpu_free(g);
    }
    return true;
}

static void range_text(char *out, size_t size, const struct estimate_key *k)
{
    int used = 0;
    const char *name;
    if (estimate_key_type(k) == ESTIMATE_KEY_FLAG) {
        snprintf(out, size, "false,true");
        return;
    }
    for (size_t i = 0; (name = estimate_key_value_name(k, i)) != NULL; i++)
        used += snprintf(out + used, size - (size_t)used, "%s%s",
                         i > 0 ? "," : "", name);
    if (used == 0)
        snprintf(out, size, "%.12g..%.12g %s", estimate_key_min(k),
                 estimate_key_max(k), estimate_key_unit(k));
}

static bool list_keys(struct estimate_error *e)
{
    const struct estimate_key *k;
    (void)e;
    for (size_t i = 0; (k = estimate_key(i)) != NULL; i++) {
        char range[128];
        range_text(range, sizeof(range), k);
        const char *source = estimate_key_source(k);
        if (source != NULL)
            put_entry(KEY_WIDTH, estimate_key_name(k), range,
                      "%s [%.12g unless stated: %s]", estimate_key_help(k),
                      estimate_key_default(k), source);
        else
            put_entry(KEY_WIDTH, estimate_key_name(k), range,
                      "%s [stated with its source by the GPU's file]",
                      estimate_key_help(k));
    }
    return true;
}

static bool list_kernel(const char *name, struct estimate_error *e)
{
    char shape[64];
    struct estimate_input *in = estimate_input_load(name, NULL, e);
    if (in == NULL)
        return false;
    const struct estimate_kernel *k = estimate_input_kernel(in, 0);
    const struct estimate_kernel_info *info = estimate_kernel_info(k);
    const struct estimate_launch_info *l = estimate_kernel_launch(k, 0);
    if (info->application)
        snprintf(shape, sizeof(shape), "%zu launches", info->launches);
    else
        snprintf(shape, sizeof(shape), "%llu x %u threads",
                 (unsigned long long)l->blocks, l->threads_per_block);
    put_entry(NAME_WIDTH, name, shape, "%s", l->summary);
    estimate_input_free(in);
    return true;
}

static bool list_kernels(struct estimate_error *e)
{
    const char *name;
    for (size_t i = 0; (name = estimate_bundled_kernel(i)) != NULL; i++)
        if (!list_kernel(name, e))
            return false;
    return true;
}

static const struct subject {
    const char *name;
    bool (*list)(struct estimate_error *e);
} subjects[] = {
    {"kernels", list_kernels},   {"gpus", list_gpus},
    {"keys", list_keys},         {"schedulers", list_schedulers},
    {"policies", list_policies},
};
#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

static const char *subject_name(const void *table, size_t i)
{
    return ((const struct subject *)table)[i].name;
}

int run_list(const struct options *o, struct estimate_error *e)
{
    if (o->inputs != 1) {
        fail(e, ESTIMATE_USAGE,
             "list: expected one of kernels, gpus, keys, schedulers, policies");
        return ESTIMATE_USAGE;
    }
    for (size_t i = 0; i < SUBJECTS; i++)
        if (strcmp(subjects[i].name, o->input[0]) == 0)
            return subjects[i].list(e) ? ESTIMATE_OK : (int)e->status;
    const char *near =
        nearest_row(o->input[0], subjects, SUBJECTS, subject_name);
    if (near != NULL)
        fail(e, ESTIMATE_USAGE, "list %s: did you mean '%s'?", o->input[0],
             near);
    else
        fail(e, ESTIMATE_USAGE,
             "list %s: expected kernels, gpus, keys, schedulers or policies",
             o->input[0]);
    return ESTIMATE_USAGE;
}
