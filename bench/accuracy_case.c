/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_case.h"

#include "kernels/load.h"
#include "sampler/policy/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char trace_prefix[] = "trace:";

static bool read_grid(struct dim3 *out, const char *text, struct error *e)
{
    if (sscanf(text, "%ux%ux%u", &out->x, &out->y, &out->z) != 3)
        return error_set(e, STATUS_BAD_INPUT,
                         "found a grid '%s', expected sides such as 8x8x1",
                         text);
    return true;
}

/* The file or name to load, and which of its launches. */
static void split_name(char *input, size_t size, size_t *launch,
                       const char *kernel, const char *traces)
{
    size_t prefix = strlen(trace_prefix);
    *launch = 0;
    if (strncmp(kernel, trace_prefix, prefix) == 0) {
        snprintf(input, size, "%s/%s", traces, kernel + prefix);
        return;
    }
    const char *mark = strchr(kernel, '#');
    int length = mark != NULL ? (int)(mark - kernel) : (int)strlen(kernel);
    snprintf(input, size, "%.*s", length, kernel);
    if (mark != NULL)
        *launch = strtoul(mark + 1, NULL, 10) - 1;
}

/* Launch files take no other grid: the launch ends after its first blocks. */
static void cut(struct kernel *k, struct dim3 grid)
{
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (blocks < k->blocks) {
        k->row = k->grid.x;
        k->grid = grid;
        k->blocks = blocks;
    }
}

static bool load_kernel(struct accuracy_case *c, const char *name,
                        const char *grid, const char *traces, struct error *e)
{
    char input[1024];
    size_t launch;
    enum input_kind kind;
    struct load_options load = load_options_default();
    struct dim3 sides = {0};
    split_name(input, sizeof(input), &launch, name, traces);
    if ((grid != NULL && !read_grid(&sides, grid, e)) ||
        !kernel_input_kind(&kind, input, e))
        return false;
    if (kind != INPUT_LAUNCH)
        load.launch.grid = sides;
    if (!kernel_load(&c->list, input, &load, e))
        return false;
    if (launch >= c->list.count)
        return error_set(e, STATUS_BAD_INPUT, "%s: it has %zu launches", name,
                         c->list.count);
    c->kernel = c->list.kernel[launch];
    if (kind == INPUT_LAUNCH && grid != NULL)
        cut(c->kernel, sides);
    return true;
}

bool case_load(struct accuracy_case *c, const struct accuracy_point *p,
               const char *grid, const char *traces, struct error *e)
{
    *c = (struct accuracy_case){0};
    struct gpu gpu;
    if (!gpu_load(&gpu, p->gpu, NULL, 0, e) ||
        !load_kernel(c, p->kernel, grid, traces, e))
        return false;
    gpu_for_kernels(&c->gpu, &gpu, (struct kernel *const *)&c->kernel, 1);
    return true;
}

void case_free(struct accuracy_case *c)
{
    kernel_list_free(&c->list);
}

static int find_count(const struct study *s, int tb)
{
    int i = 0;
    while (i < s->tb_count && s->tb[i] != tb)
        i++;
    return i;
}

static int find_policy(const struct study *s, const char *sched)
{
    int q = 0;
    char label[ACCURACY_NAME];
    for (; q < s->policy_count; q++) {
        choice_label(label, sizeof(label), &s->policies[q].warp);
        if (strcmp(label, sched) == 0)
            break;
    }
    return q;
}

size_t case_index(const struct accuracy_case *c, const struct accuracy_point *p)
{
    const struct study *s = &c->study;
    return (size_t)(find_count(s, p->tb) * s->policy_count +
                    find_policy(s, p->sched));
}

static int by_count(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool case_study(struct accuracy_case *c, const struct accuracy_point *points,
                size_t count, struct error *e)
{
    struct study *s = &c->study;
    *s = (struct study){.kernel = c->kernel,
                        .gpu = &c->gpu,
                        .tb = c->tb,
                        .policies = c->policy};
    for (size_t i = 0; i < count; i++) {
        const struct accuracy_point *p = &points[i];
        bool new_count = find_count(s, p->tb) == s->tb_count;
        bool new_policy = find_policy(s, p->sched) == s->policy_count;
        if ((new_count && s->tb_count == CASE_COUNTS) ||
            (new_policy && s->policy_count == CASE_SCHEDS))
            return error_set(e, STATUS_BAD_INPUT,
                             "%s: too many counts or schedulers", p->kernel);
        if (new_policy && !policy_set_parse(&c->policy[s->policy_count++], NULL,
                                            p->sched, NULL, NULL, e))
            return false;
        if (new_count)
            c->tb[s->tb_count++] = p->tb;
    }
    qsort(c->tb, (size_t)s->tb_count, sizeof(c->tb[0]), by_count);
    return true;
}
