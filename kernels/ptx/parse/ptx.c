/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/parse/ptx.h"

#include "base/short_name.h"
#include "kernels/ptx/parse/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_function(struct ptx_function *f)
{
    free(f->name);
    free(f->param);
    free(f->result);
    free(f->reg);
    free(f->missing);
}

static void free_variable(struct ptx_variable *v)
{
    free(v->name);
    free(v->initial);
    free(v->relocation);
}

void ptx_module_free(struct ptx_module *m)
{
    for (size_t i = 0; i < m->functions; i++)
        free_function(&m->function[i]);
    for (size_t i = 0; i < m->variables; i++)
        free_variable(&m->variable[i]);
    for (size_t i = 0; i < m->target_lists; i++)
        free(m->targets[i].label);
    free(m->function);
    free(m->variable);
    free(m->targets);
    free(m->inst);
    free(m->operand);
    free(m->path);
    *m = (struct ptx_module){0};
}

#define ENTRY_NAME_MAX 400

/* ---- entries ------------------------------------------------------------ */

static const char *function_name(const void *table, size_t i)
{
    const struct ptx_function *f = &((const struct ptx_function *)table)[i];
    return f->is_entry ? f->name : "";
}

static bool is_usable(const struct ptx_function *f)
{
    return f->is_entry && f->has_body;
}

static bool only_entry(const struct ptx_module *m, uint32_t *out,
                       struct error *e)
{
    size_t entries = 0;
    for (size_t i = 0; i < m->functions; i++) {
        if (!is_usable(&m->function[i]))
            continue;
        entries++;
        *out = (uint32_t)i;
    }
    if (entries == 0)
        return error_set(e, STATUS_BAD_INPUT, "%s: found no entry in it",
                         m->path);
    return entries == 1 ||
           error_set(e, STATUS_BAD_INPUT,
                     "%s: found %zu entries, expected --entry to name one, "
                     "'%s' for one",
                     m->path, entries, m->function[*out].name);
}

/* Usable entries whose name in the source it is; *out is the last, `list` names
 * them all. */
static size_t entries_called(const struct ptx_module *m, const char *name,
                             uint32_t *out, char *list, size_t size)
{
    size_t count = 0, used = 0;
    for (size_t i = 0; i < m->functions; i++) {
        char called[ENTRY_NAME_MAX];
        short_name(called, sizeof(called), m->function[i].name);
        if (!is_usable(&m->function[i]) || strcmp(called, name) != 0)
            continue;
        *out = (uint32_t)i;
        if (used < size)
            used +=
                (size_t)snprintf(list + used, size - used, "%s'%s'",
                                 count > 0 ? ", " : "", m->function[i].name);
        count++;
    }
    return count;
}

static bool no_entry(const struct ptx_module *m, const char *name,
                     struct error *e)
{
    const char *near =
        nearest_name(name, m->function, m->functions, function_name);
    if (near != NULL && near[0] != '\0')
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: found no entry '%s', did you mean '%s'?", m->path,
                         name, near);
    return error_set(e, STATUS_BAD_INPUT, "%s: found no entry '%s' in it",
                     m->path, name);
}

static bool named_entry(const struct ptx_module *m, const char *name,
                        uint32_t *out, struct error *e)
{
    if (name == NULL)
        return only_entry(m, out, e);
    for (size_t i = 0; i < m->functions; i++) {
        *out = (uint32_t)i;
        if (is_usable(&m->function[i]) &&
            strcmp(m->function[i].name, name) == 0)
            return true;
    }
    char list[ENTRY_NAME_MAX];
    size_t count = entries_called(m, name, out, list, sizeof(list));
    if (count > 1)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: found %zu entries called '%s', expected one of "
                         "%s",
                         m->path, count, name, list);
    return count == 1 || no_entry(m, name, e);
}

bool ptx_find_entry(const struct ptx_module *m, const char *name, uint32_t *out,
                    struct error *e)
{
    uint32_t missing;
    if (!named_entry(m, name, out, e))
        return false;
    if (!ptx_find_missing(m, *out, &missing))
        return error_no_memory(e);
    return missing == PTX_NONE ||
           error_set(e, STATUS_BAD_INPUT, "%s", m->function[missing].missing);
}
