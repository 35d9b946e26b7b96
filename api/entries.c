/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "kernels/ptx/forms/modifiers.h"
#include "kernels/ptx/launch/launch.h"
#include "kernels/ptx/launch/launch_read.h"
#include "kernels/target.h"

#include <stdlib.h>

struct estimate_entries {
    struct ptx_module module;
    struct estimate_entry *entry;
    size_t entries;
    const char **parameter; /* those of all entries, one after another */
};

int estimate_input_target(const char *input)
{
    return input_target(input);
}

static const char *type_of(const struct ptx_module *m, uint32_t variable)
{
    return ptx_types[m->variable[variable].type].name;
}

static bool list_entries(struct estimate_entries *s)
{
    const struct ptx_module *m = &s->module;
    size_t parameters = 0, at = 0;
    for (size_t i = 0; i < m->functions; i++)
        parameters += m->function[i].params;
    s->entry = calloc(m->functions + 1, sizeof(*s->entry));
    s->parameter = calloc(parameters + 1, sizeof(*s->parameter));
    if (s->entry == NULL || s->parameter == NULL)
        return false;
    for (size_t i = 0; i < m->functions; i++) {
        const struct ptx_function *f = &m->function[i];
        if (!f->is_entry || !f->has_body)
            continue;
        s->entry[s->entries++] =
            (struct estimate_entry){.name = f->name,
                                    .target = m->target_name,
                                    .parameter = &s->parameter[at],
                                    .parameters = f->params,
                                    .max_threads = f->max_threads};
        for (size_t p = 0; p < f->params; p++)
            s->parameter[at++] = type_of(m, f->param[p].index);
    }
    return true;
}

/* A launch file names code and is none. */
static bool read_code(struct ptx_module *m, const char *path, struct error *e)
{
    if (launch_input_is(path))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: found launches, expected a PTX file", path);
    return ptx_read(m, path, e);
}

struct estimate_entries *estimate_entries_load(const char *path,
                                               struct estimate_error *out)
{
    struct error e;
    struct estimate_entries *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    if (!read_code(&s->module, path, &e)) {
        free(s);
        tell(out, &e);
        return NULL;
    }
    if (list_entries(s))
        return s;
    estimate_entries_free(s);
    tell_no_memory(out);
    return NULL;
}

void estimate_entries_free(struct estimate_entries *s)
{
    if (s == NULL)
        return;
    ptx_module_free(&s->module);
    free(s->entry);
    free(s->parameter);
    free(s);
}

const struct estimate_entry *estimate_entry(const struct estimate_entries *s,
                                            size_t i)
{
    return i < s->entries ? &s->entry[i] : NULL;
}
