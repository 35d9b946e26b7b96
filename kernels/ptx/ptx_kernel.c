/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/ptx_kernel.h"

#include "kernels/ptx/stream.h"

#include <stdlib.h>
#include <string.h>

/* ---- what decides the streams ------------------------------------------- */

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
    return hash;
}

static uint64_t hash_launch(const struct kernel *k,
                            const struct launch_options *o, uint64_t text)
{
    const uint64_t launch[] = {k->grid.x,          k->grid.y,       k->grid.z,
                               k->block.x,         k->block.y,      k->block.z,
                               k->regs_per_thread, k->shared_bytes, o->seed};
    uint64_t hash = hash_bytes(text, launch, sizeof(launch));
    const struct ptx_source *s = k->source;
    const struct ptx_memory *m = &s->session.memory;
    for (size_t i = 0; i < o->args; i++)
        hash = hash_bytes(hash, o->arg[i], strlen(o->arg[i]) + 1);
    for (size_t i = 0; i < m->buffers; i++) /* files, initial values */
        hash = hash_bytes(hash, m->buffer[i].source, m->buffer[i].source_bytes);
    return hash_bytes(hash, k->name, strlen(k->name));
}

/* Whether warps may see each other through what atomics return. */
static bool uses_returned_atomics(const struct ptx_program *p)
{
    for (size_t i = 0; i < p->ops; i++)
        if (p->op[i].action == ACTION_ATOMIC && p->op[i].result[0] >= 0)
            return true;
    return false;
}

/* ---- the kernel --------------------------------------------------------- */

static void fill_launch(struct kernel *k, const struct ptx_source *s,
                        const struct launch_options *o)
{
    const struct ptx_launch *l = &s->session.launch;
    k->grid = l->grid;
    k->block = l->block;
    k->blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    k->threads_per_block = l->block.x * l->block.y * l->block.z;
    k->warps_per_block = (k->threads_per_block + WARP_LANES - 1) / WARP_LANES;
    k->shared_bytes = (uint32_t)l->shared_bytes;
    k->regs_per_thread = o->regs_per_thread != 0      ? o->regs_per_thread
                         : s->lowered.registers < 255 ? s->lowered.registers
                                                      : 255;
}

static bool fill_buffers(struct kernel *k, const struct ptx_source *s)
{
    const struct ptx_memory *m = &s->session.memory;
    k->buffer = calloc(m->buffers + 1, sizeof(*k->buffer));
    if (k->buffer == NULL)
        return false;
    for (; k->buffers < m->buffers; k->buffers++)
        k->buffer[k->buffers] = (struct buffer){m->buffer[k->buffers].address,
                                                m->buffer[k->buffers].bytes};
    return true;
}

static bool fill_names(struct kernel *k, const struct ptx_source *s)
{
    k->name = strdup(s->module.function[s->session.launch.entry].name);
    k->path = strdup(s->module.path);
    k->summary = strdup("");
    return k->name != NULL && k->path != NULL && k->summary != NULL;
}

/* The first block: what is wrong with most launches shows there. */
static bool try_first_block(struct ptx_source *s, struct error *e)
{
    struct ptx_block b;
    if (!ptx_block_open(&b, &s->session.launch, &s->session.memory, true, e))
        return false;
    bool ok = ptx_block_start(&b, 0) && ptx_block_run(&b);
    ptx_block_close(&b);
    return ok;
}

static bool fill_kernel(struct kernel *k, struct ptx_source *s,
                        const struct launch_options *o, struct error *e)
{
    const struct ptx_request request = {.entry = o->entry,
                                        .grid = o->grid,
                                        .block = o->block,
                                        .dynamic_shared_bytes = o->shared_bytes,
                                        .arg = o->arg,
                                        .args = o->args,
                                        .code_only = o->code_only,
                                        .seed = o->seed};
    if (!ptx_session_open(&s->session, &s->module, &request, e))
        return false;
    s->in_turns = uses_returned_atomics(&s->session.program);
    if (!ptx_lower(&s->lowered, k, &s->session.launch) || !fill_buffers(k, s) ||
        !fill_names(k, s))
        return error_set(e, STATUS_FAILED, "out of memory");
    fill_launch(k, s, o);
    return o->code_only || try_first_block(s, e);
}

/* ---- loading ------------------------------------------------------------ */

static uint64_t hash_module(const struct ptx_module *m)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < m->insts; i++) {
        const struct ptx_inst *inst = &m->inst[i];
        hash = hash_bytes(hash, inst->form->mnemonic,
                          strlen(inst->form->mnemonic));
        hash = hash_bytes(hash, inst->word, sizeof(inst->word));
        hash = hash_bytes(hash, inst->type, sizeof(inst->type));
        hash = hash_bytes(hash, &inst->guard, sizeof(inst->guard));
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

static bool add_kernel(struct kernel_list *out, struct kernel *k,
                       struct error *e)
{
    out->kernel = malloc(sizeof(struct kernel *));
    if (out->kernel == NULL)
        return error_set(e, STATUS_FAILED, "out of memory");
    out->kernel[out->count++] = k;
    return true;
}

bool ptx_kernel_load(struct kernel_list *out, const char *path,
                     const struct launch_options *o, struct error *e)
{
    struct kernel *k = calloc(1, sizeof(*k));
    struct ptx_source *s = calloc(1, sizeof(*s));
    if (k == NULL || s == NULL) {
        free(k);
        free(s);
        return error_set(e, STATUS_FAILED, "out of memory");
    }
    k->source = s;
    k->ops = &ptx_source_ops;
    atomic_flag_clear(&s->fault_taken);
    bool ok = ptx_read(&s->module, path, e) && fill_kernel(k, s, o, e);
    if (ok)
        k->hash = hash_launch(k, o, hash_module(&s->module));
    ok = ok && add_kernel(out, k, e);
    if (!ok)
        kernel_free(k);
    return ok;
}
