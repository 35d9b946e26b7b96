/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/fetch.h"

#include "kernels/ptx/execute/access.h"

#include <string.h>

/* The buffer whose name is that of the .texref or .surfref at an address. */
static const struct ptx_buffer *named_at(const struct ptx_block *b,
                                         uint64_t address)
{
    const struct ptx_program *p = b->launch->program;
    for (size_t i = 0; i < p->module->variables; i++) {
        const struct ptx_variable *v = &p->module->variable[i];
        if (v->is_opaque && v->space == MOD_GLOBAL && p->address[i] == address)
            return ptx_memory_named(b->view.memory, v->name);
    }
    return NULL;
}

static bool is_texture(const struct ptx_buffer *b, uint64_t handle)
{
    return b != NULL && b->address == handle && b->texture.dimensions > 0;
}

bool ptx_fetch_find(struct ptx_fetch *f, uint64_t handle)
{
    if (f->op->space == PTX_PARAM) {
        const struct ptx_access a = {.space = PTX_PARAM,
                                     .lane = f->lane,
                                     .address = handle,
                                     .bytes = sizeof(handle)};
        const uint8_t *at = ptx_bytes_at(f->b, f->w, f->op, &a);
        if (at == NULL)
            return false;
        memcpy(&handle, at, sizeof(handle));
    }
    if (!is_texture(f->from, handle))
        f->from = ptx_memory_at(f->b->view.memory, handle);
    if (!is_texture(f->from, handle))
        f->from = named_at(f->b, handle);
    if (f->from != NULL && f->from->texture.dimensions > 0) {
        ptx_view_note(&f->b->view, f->from, PTX_USE_READ);
        return true;
    }
    ptx_fault(f->b, f->w, f->op,
              "lane %d: found handle 0x%llx, expected that of a texture "
              "(--arg tex:..)",
              f->lane, (unsigned long long)handle);
    return false;
}

bool ptx_fetch_is_cube(const struct ptx_op *op)
{
    uint8_t geometry = op->inst->modifier[GROUP_GEOMETRY];
    return geometry == MOD_CUBE || geometry == MOD_ACUBE;
}

bool ptx_fetch_is_layered(const struct ptx_op *op)
{
    uint8_t geometry = op->inst->modifier[GROUP_GEOMETRY];
    return geometry == MOD_A1D || geometry == MOD_A2D || ptx_fetch_is_cube(op);
}

bool ptx_fetch_check_dimensions(struct ptx_fetch *f)
{
    unsigned asked = ptx_dimensions(f->op->inst->modifier[GROUP_GEOMETRY]),
             found = f->from->texture.dimensions;
    return asked == found ||
           ptx_fault(f->b, f->w, f->op,
                     "lane %d: found a texture of %u dimensions, expected %u",
                     f->lane, found, asked);
}

uint64_t ptx_texel_bytes(const struct ptx_buffer *b)
{
    return (uint64_t)ptx_types[b->type].bytes * b->texture.channels;
}

uint64_t ptx_fetch_place(struct ptx_fetch *f, const uint64_t at[3])
{
    const struct ptx_texture *t = &f->from->texture;
    uint64_t row = t->side[0] * ptx_texel_bytes(f->from);
    if (f->from->texels != 0) {
        f->address = f->from->texels +
                     (at[2] * t->side[1] + at[1]) * f->from->pitch + at[0];
        return f->address;
    }
    bool planes = t->dimensions - ptx_fetch_is_layered(f->op) >= 2;
    f->address = f->from->address + ptx_texture_offset(t, row, planes, at);
    return f->from->address + (at[2] * t->side[1] + at[1]) * row + at[0];
}
