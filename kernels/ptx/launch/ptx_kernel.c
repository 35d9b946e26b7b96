/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/ptx_kernel.h"

#include "kernels/ptx/execute/warp_order.h"
#include "kernels/ptx/launch/ptxas.h"
#include "kernels/ptx/launch/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS_MAX 255 /* a thread can have */

/* From Maxwell on a multiprocessor has 65536 registers for 2048 threads and a
 * thread up to 255 (CUDA C++ Programming Guide, "Compute Capabilities"), so
 * that ptxas has the same to weigh for all of them: what it gives a newer one
 * stands for what it would give. */
#define ALIKE_FROM 50

/* ---- the kernel --------------------------------------------------------- */

static void fill_launch(struct kernel *k, const struct ptx_source *s)
{
    const struct ptx_launch *l = &s->part->launch;
    k->grid = l->grid;
    k->block = l->block;
    k->blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    k->threads_per_block = l->block.x * l->block.y * l->block.z;
    k->warps_per_block = (k->threads_per_block + WARP_LANES - 1) / WARP_LANES;
    k->shared_bytes = (uint32_t)l->shared_bytes;
}

static bool fill_buffers(struct kernel *k, const struct ptx_memory *m)
{
    k->buffer = calloc(m->buffers + 1, sizeof(*k->buffer));
    if (k->buffer == NULL)
        return false;
    for (; k->buffers < m->buffers; k->buffers++)
        k->buffer[k->buffers] =
            (struct buffer){.address = m->buffer[k->buffers].address,
                            .bytes = ptx_buffer_span(&m->buffer[k->buffers])};
    return true;
}

static bool fill_names(struct kernel *k, const struct ptx_sequence *t,
                       const struct ptx_kernel_about *about)
{
    k->name = strdup(about->name);
    k->path = strdup(t->module.path);
    k->summary = strdup(about->summary);
    return k->name != NULL && k->path != NULL && k->summary != NULL;
}

/* What blocks tell each other is noted on the first turn of a launch. */
static bool fill_note(struct kernel *k, const struct ptx_source *s)
{
    const struct ptx_sequence *t = s->turns;
    char between[PTX_INTERBLOCK_CHARS],
        note[PTX_INTERBLOCK_CHARS + sizeof(t->note)];
    const char *first = s->turn == 0 ? t->note : "";
    for (uint32_t turn = 0; turn < s->turn; turn++)
        if (t->order[turn] == t->order[s->turn])
            return true;
    ptx_interblock_say(between, &s->part->interblock, &t->module);
    snprintf(note, sizeof(note), "%s%s%s", first,
             first[0] != '\0' && between[0] != '\0' ? "\n" : "", between);
    if (note[0] != '\0')
        k->note = strdup(note);
    return note[0] == '\0' || k->note != NULL;
}

static uint32_t registers_given(const struct ptx_source *s,
                                const struct ptx_kernel_about *about)
{
    if (about->regs_per_thread != 0)
        return about->regs_per_thread;
    return s->part->unlike ? 0 : s->part->registers;
}

static void fill_registers(struct kernel *k, const struct ptx_source *s,
                           const struct ptx_kernel_about *about)
{
    uint32_t given = registers_given(s, about);
    k->regs_per_thread = given != 0 ? given : s->lowered.registers;
    if (k->regs_per_thread > REGISTERS_MAX)
        k->regs_per_thread = REGISTERS_MAX;
    if (about->regs_per_thread != 0)
        snprintf(k->regs_from, sizeof(k->regs_from), "%s", about->regs_from);
    else if (given != 0)
        snprintf(k->regs_from, sizeof(k->regs_from), "ptxas for %s%s",
                 s->part->target, s->part->newer ? ", newer than the GPU" : "");
    else if (s->part->target[0] != '\0')
        snprintf(k->regs_from, sizeof(k->regs_from),
                 "liveness; ptxas for %s: %u", s->part->target,
                 s->part->registers);
    else
        snprintf(k->regs_from, sizeof(k->regs_from), "liveness");
}

/* The bytes of the smallest texel: texels lie at multiples of their size, so
 * that these are in the same sector as all of a larger one. */
static uint32_t texel_bytes(const struct ptx_memory *m)
{
    uint32_t least = 0;
    for (size_t i = 0; i < m->buffers; i++) {
        const struct ptx_buffer *b = &m->buffer[i];
        uint32_t bytes = ptx_types[b->type].bytes * b->texture.channels;
        if (bytes > 0 && (least == 0 || bytes < least))
            least = bytes;
    }
    return least > 0 ? least : 4;
}

static bool fill_kernel(struct kernel *k, struct ptx_source *s,
                        const struct ptx_kernel_about *about, struct error *e)
{
    k->source = s;
    k->ops = &ptx_source_ops;
    atomic_flag_clear(&s->fault_taken);
    if (!ptx_warp_order_shows(&s->in_turns, &s->part->launch,
                              &s->turns->session.memory) ||
        !ptx_lower(&s->lowered, k, &s->part->launch, registers_given(s, about),
                   texel_bytes(&s->turns->session.memory)) ||
        !fill_buffers(k, &s->turns->session.memory) ||
        !fill_names(k, s->turns, about) || !fill_note(k, s))
        return error_no_memory(e);
    fill_launch(k, s);
    fill_registers(k, s, about);
    k->hash = (about->hash ^ k->regs_per_thread) * UINT64_C(0x100000001b3);
    if (s->turns->in_order)
        k->hash = (k->hash ^ 1) * UINT64_C(0x100000001b3);
    return true;
}

bool ptx_kernel_add(struct kernel_list *out, struct ptx_sequence *turns,
                    uint32_t turn, const struct ptx_kernel_about *about,
                    struct error *e)
{
    struct kernel *k = calloc(1, sizeof(*k));
    struct ptx_source *s = calloc(1, sizeof(*s));
    if (k == NULL || s == NULL) {
        free(k);
        free(s);
        return error_no_memory(e);
    }
    s->turns = turns;
    s->part = &turns->part[turns->order[turn]];
    s->turn = turn;
    ptx_sequence_share(turns);
    out->kernel[out->count++] = k;
    return fill_kernel(k, s, about, e);
}

#define FIRST_STEPS_MAX (UINT64_C(1) << 24) /* a longer one is only begun */

static bool run_first_block(struct ptx_sequence *t, struct error *e)
{
    struct ptx_block b;
    const struct ptx_view view = {.memory = &t->session.memory,
                                  .is_private = true};
    if (!ptx_block_open(&b, &t->part[t->order[0]].launch, view, e))
        return false;
    b.patience = FIRST_STEPS_MAX;
    bool ok = ptx_block_start(&b, 0) && ptx_block_run(&b);
    ptx_block_close(&b);
    return ok;
}

static bool find_draws(struct ptx_sequence *t, struct error *e)
{
    for (size_t i = 0; i < t->parts; i++)
        if (t->part[i].program.module != NULL &&
            !ptx_interblock_draws(&t->part[i].draws, &t->part[i].launch))
            return error_no_memory(e);
    return true;
}

static bool look_at_first(struct ptx_sequence *t, struct error *e)
{
    struct ptx_part *first = &t->part[t->order[0]];
    struct ptx_view view;
    return ptx_sequence_view(t, 0, 0, &view, e) &&
           ptx_interblock_run(&first->interblock, &first->launch, &view, e);
}

/* Whether cas and exch of a part draw; of others than the first that is seen
 * when they are executed. */
static bool claims_of(const struct ptx_sequence *t, size_t part)
{
    return part != t->order[0] || t->tickets[0] == NULL ||
           t->tickets[0]->claims;
}

/* What execution shows goes before what the code shows. */
static bool look_between_blocks(struct ptx_sequence *t, bool code_only,
                                struct error *e)
{
    if (!code_only && !look_at_first(t, e))
        return false;
    for (size_t i = 0; i < t->parts; i++)
        if (t->part[i].interblock.kind == INTERBLOCK_NONE &&
            t->part[i].program.module != NULL &&
            !ptx_interblock_code(&t->part[i].interblock, &t->part[i].launch,
                                 !code_only && claims_of(t, i)))
            return error_no_memory(e);
    return true;
}

/* Code for a GPU that is newer says nothing of the registers on an old one. */
static void compare_target(struct ptx_part *p, int arch)
{
    int target = 0;
    p->newer =
        arch > 0 && sscanf(p->target, "sm_%d", &target) == 1 && target > arch;
    p->unlike = p->newer && arch < ALIKE_FROM;
}

/* An entry's registers are asked for once; when that fails, it is noted. */
static void ask_assembler(struct ptx_sequence *t, const struct load_options *o)
{
    struct ptxas_request r = {.program = o->ptx.ptxas,
                              .path = t->module.path,
                              .target = t->module.target_name,
                              .arch = o->ptx.arch,
                              .stop = o->stop};
    for (size_t i = 0; i < t->parts && t->note[0] == '\0'; i++) {
        struct ptx_part *p = &t->part[i];
        size_t like = 0;
        while (like < i && (t->part[like].target[0] == '\0' ||
                            t->part[like].launch.entry != p->launch.entry))
            like++;
        char why[PTXAS_WHY_MAX];
        if (p->program.module == NULL || p->registers_given)
            continue;
        r.entry = t->module.function[p->launch.entry].name;
        p->registers = t->part[like].registers;
        if (like < i) {
            memcpy(p->target, t->part[like].target, sizeof(p->target));
        } else if (!ptxas_registers(&p->registers, p->target, &r, why)) {
            p->registers = 0;
            p->target[0] = '\0';
            snprintf(t->note, sizeof(t->note), "%.200s; registers by liveness",
                     why);
        }
        compare_target(p, o->ptx.arch);
    }
}

static void add_note(struct ptx_sequence *t, const char *line)
{
    size_t used = strlen(t->note);
    snprintf(t->note + used, sizeof(t->note) - used, "%s%s",
             used > 0 ? "\n" : "", line);
}

/* What of clusters is left out. */
static void note_clusters(struct ptx_sequence *t)
{
    for (size_t i = 0; i < t->parts; i++)
        if (t->part[i].launch.cluster.x != 0) {
            add_note(t, "blocks of a cluster are timed apart: not how long "
                        "they wait for each other, nor how far their shared "
                        "memory is");
            return;
        }
}

/* Where the launch takes too much to draw all that its atomics return. */
static void note_draws(struct ptx_sequence *t)
{
    const struct ptx_tickets *first = t->tickets[0];
    if (first == NULL || first->complete)
        return;
    add_note(t, first->at_once > 0
                    ? "how blocks share their work is known of their first "
                      "part; behind it each is taken to do as much as the "
                      "others"
                    : "what atomics return is known of the first blocks; the "
                      "others are executed each by itself");
}

bool ptx_kernel_prepare(struct ptx_sequence *t, const struct load_options *o,
                        struct error *e)
{
    t->in_order = o->ptx.exec_all;
    for (size_t i = 0; i < t->parts; i++)
        t->part[i].launch.stop = o->stop;
    if (o->ptx.ptxas != NULL && o->launch.regs_per_thread == 0)
        ask_assembler(t, o);
    if (!find_draws(t, e) ||
        (!t->in_order && !look_between_blocks(t, o->code_only, e)))
        return false;
    if (t->part[t->order[0]].interblock.waits)
        ptx_sequence_run_in_order(t);
    if (!ptx_sequence_count(t, e))
        return false;
    note_clusters(t);
    note_draws(t);
    return !o->ptx.exec_all || o->code_only || run_first_block(t, e);
}

/* ---- a PTX file --------------------------------------------------------- */

static bool set_up(struct ptx_sequence *t, const char *path,
                   const struct load_options *o, struct error *e)
{
    const struct ptx_request request = ptx_request_of(o);
    return ptx_read(&t->module, path, e) &&
           ptx_session_open(&t->session, &t->module, &request, e) &&
           ptx_sequence_set(t, 0, e) && ptx_kernel_prepare(t, o, e);
}

bool ptx_kernel_load(struct kernel_list *out, const char *path,
                     const struct load_options *o, struct error *e)
{
    struct ptx_sequence *t = ptx_sequence_create(1, 1);
    if (t == NULL || (out->kernel = calloc(1, sizeof(*out->kernel))) == NULL) {
        if (t != NULL)
            ptx_sequence_release(t);
        return error_no_memory(e);
    }
    bool ok = set_up(t, path, o, e);
    if (ok) {
        const struct ptx_kernel_about about = {
            .name = t->module.function[t->part[0].launch.entry].name,
            .summary = "",
            .regs_per_thread = o->launch.regs_per_thread,
            .regs_from = "--regs",
            .hash = ptx_part_hash(ptx_sequence_hash(t), &t->part[0])};
        ok = ptx_kernel_add(out, t, 0, &about, e);
    }
    ptx_sequence_release(t);
    if (!ok)
        kernel_list_free(out);
    return ok;
}
