/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/place.h"

bool ptx_is_entry_parameter(const struct ptx_module *m,
                            const struct ptx_variable *v)
{
    return v->is_parameter && v->function != PTX_NONE &&
           m->function[v->function].is_entry;
}

bool ptx_is_local(const struct ptx_module *m, const struct ptx_variable *v)
{
    return (v->space == MOD_LOCAL || v->space == MOD_PARAM) &&
           v->function != PTX_NONE && !ptx_is_entry_parameter(m, v);
}

static uint64_t aligned(uint64_t at, uint64_t align)
{
    return (at + align - 1) & ~(align - 1);
}

/* Whether a variable takes room in shared memory when `entry` is launched. */
static bool is_shared_of(const struct ptx_module *m,
                         const struct ptx_variable *v, uint32_t entry)
{
    return v->space == MOD_SHARED &&
           (v->function == PTX_NONE || v->function == entry ||
            !m->function[v->function].is_entry);
}

/* The dynamic part starts behind the static (CUDA C Programming Guide). */
static void place_shared(struct ptx_program *p, uint32_t entry)
{
    const struct ptx_module *m = p->module;
    uint64_t at = 0, align = 1;
    for (size_t i = 0; i < m->variables; i++) {
        const struct ptx_variable *v = &m->variable[i];
        if (v->is_dynamic && v->align > align)
            align = v->align;
        if (v->is_dynamic || !is_shared_of(m, v, entry))
            continue;
        p->address[i] = aligned(at, v->align);
        at = p->address[i] + v->bytes;
    }
    p->shared_bytes = aligned(at, align);
    for (size_t i = 0; i < m->variables; i++)
        if (m->variable[i].is_dynamic)
            p->address[i] = p->shared_bytes;
}

/* Parameters of an entry from byte 0 on, by themselves. */
static void place_parameters(struct ptx_program *p)
{
    const struct ptx_module *m = p->module;
    for (size_t i = 0; i < m->functions; i++) {
        const struct ptx_function *f = &m->function[i];
        uint64_t at = 0;
        for (size_t k = 0; k < f->params && f->is_entry; k++) {
            if (f->param[k].kind != OPERAND_VARIABLE)
                continue;
            uint32_t index = f->param[k].index;
            at = aligned(at, m->variable[index].align);
            p->address[index] = at;
            at += m->variable[index].bytes;
        }
    }
}

bool ptx_place_variables(struct ptx_program *p, uint32_t entry,
                         uint64_t global_first, struct error *e)
{
    const struct ptx_module *m = p->module;
    uint64_t global = global_first;
    for (size_t i = 0; i < m->variables; i++) {
        const struct ptx_variable *v = &m->variable[i];
        uint64_t *at =
            ptx_is_local(m, v) ? &p->code[v->function].local_bytes : &global;
        if (v->space == MOD_SHARED || ptx_is_entry_parameter(m, v))
            continue;
        *at = aligned(*at, v->align);
        p->address[i] = *at;
        *at += v->bytes;
    }
    place_shared(p, entry);
    place_parameters(p);
    p->global_first = global_first;
    p->global_end = global;
    return global - global_first < UINT64_C(1) << 40 ||
           error_set(e, STATUS_BAD_INPUT, "%s: its variables do not fit",
                     m->path);
}
