/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/sequence.h"

#include "base/hash.h"

#include <string.h>

static uint64_t hash_module(const struct ptx_module *m)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < m->insts; i++) {
        const struct ptx_inst *inst = &m->inst[i];
        hash = hash_bytes(hash, inst->form->mnemonic,
                          strlen(inst->form->mnemonic));
        hash = hash_bytes(hash, inst->modifier, sizeof(inst->modifier));
        hash = hash_bytes(hash, inst->type, sizeof(inst->type));
        hash = hash_bytes(hash, &inst->guard, sizeof(inst->guard));
        hash = hash_bytes(hash, &inst->columns, sizeof(inst->columns));
    }
    for (size_t i = 0; i < m->operands; i++) {
        const struct ptx_operand *o = &m->operand[i];
        const uint64_t all[] = {
            o->kind,  o->base, o->negated,         o->single,
            o->index, o->bits, (uint64_t)o->offset};
        hash = hash_bytes(hash, all, sizeof(all));
    }
    return hash;
}

static uint64_t hash_buffer(uint64_t hash, const struct ptx_buffer *b)
{
    const uint64_t whole[] = {b->address, b->bytes,      b->type, b->fill,
                              b->pad,     b->full_range, b->seed};
    const struct ptx_texture *t = &b->texture;
    const uint64_t shape[] = {t->dimensions, t->channels,   t->outside,
                              t->linear,     t->normalized, t->side[0],
                              t->side[1],    t->side[2]};
    const double real[] = {b->first, b->step, b->low, b->high};
    hash = hash_bytes(hash, whole, sizeof(whole));
    hash = hash_bytes(hash, shape, sizeof(shape));
    hash = hash_bytes(hash, real, sizeof(real));
    return hash_bytes(hash, b->source, b->source_bytes);
}

uint64_t ptx_sequence_hash(const struct ptx_sequence *t)
{
    const struct ptx_memory *m = &t->session.memory;
    uint64_t hash = hash_module(&t->module);
    for (size_t i = 0; i < m->buffers; i++)
        hash = hash_buffer(hash, &m->buffer[i]);
    return hash;
}

uint64_t ptx_part_hash(uint64_t hash, const struct ptx_part *p)
{
    const struct ptx_launch *l = &p->launch;
    const uint64_t all[] = {l->entry,     l->grid.x,       l->grid.y,
                            l->grid.z,    l->block.x,      l->block.y,
                            l->block.z,   l->shared_bytes, l->cluster.x,
                            l->cluster.y, l->cluster.z};
    hash = hash_bytes(hash, all, sizeof(all));
    return hash_bytes(hash, l->param, l->param_bytes);
}
