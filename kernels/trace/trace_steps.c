/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_steps.h"

#define WINDOW_BYTES (UINT64_C(1) << 24) /* of shared and local addresses */

/* Lanes that jumped, by what the warp executes next. Tracers give a jump the
 * lanes whose guard holds; lanes of it that are found behind it all the same
 * did not jump, and where the warp went on elsewhere with some of them, those
 * are the ones that did. */
static uint32_t taken_lanes(const struct trace_steps *p, uint32_t to_pc,
                            uint32_t to_mask)
{
    const struct trace_entry *from = &p->insts.entry[p->before];
    uint32_t mask = p->pending.mask;

    if (from->flags & SASS_CONVERGES)
        return 0;
    if ((mask & to_mask) == 0)
        return mask;
    if (trace_sequential(p->insts.arch, from->inst.pc, to_pc))
        return mask & ~to_mask;
    return mask & to_mask;
}

static void flush_pending(struct trace_steps *p, uint32_t taken)
{
    if (!p->has_pending)
        return;
    p->pending.taken_mask = taken;
    trace_encode(&p->encoder, &p->pending);
    p->has_pending = false;
}

/* The warp executes a step of an entry. */
static bool execute(struct trace_steps *p, uint32_t entry, const struct step *s)
{
    const struct inst *inst = &p->insts.entry[entry].inst;

    if (p->has_pending)
        flush_pending(p, taken_lanes(p, inst->pc, s->mask));
    if (p->jump != NO_INST &&
        !trace_insts_edge(&p->insts, p->jump, s->inst,
                          (p->jump_mask & s->mask) != 0, p->e))
        return false;
    p->jump = NO_INST;
    if (inst->op == OP_BRANCH || inst->op == OP_EXIT) {
        p->jump = s->inst;
        p->jump_mask = s->mask;
    }
    if (inst->op != OP_BRANCH) {
        trace_encode(&p->encoder, s);
        return true;
    }
    p->has_pending = true;
    p->pending.inst = s->inst;
    p->pending.mask = s->mask;
    p->pending.form = s->form;
    return true;
}

static bool in_window(uint64_t address, uint64_t base)
{
    return address - base < WINDOW_BYTES;
}

/* The space an access goes to, its addresses made relative to it. */
static uint8_t resolve_space(const struct trace_steps *p,
                             const struct trace_entry *entry, struct step *s)
{
    const struct trace_header *h = p->header;
    uint64_t first = trace_first_address(s);
    bool generic = (entry->flags & SASS_GENERIC) != 0;
    uint8_t space = entry->inst.space;

    if (s->form == ADDR_NONE)
        return space;
    if ((space == SPACE_SHARED || generic) &&
        in_window(first, h->shared_base)) {
        trace_addresses_shift(s, h->shared_base);
        return SPACE_SHARED;
    }
    if ((space == SPACE_LOCAL || generic) && in_window(first, h->local_base)) {
        trace_addresses_shift(s, h->local_base);
        return SPACE_LOCAL;
    }
    return space;
}

static void widen(struct trace_steps *p, uint64_t address, uint32_t width)
{
    if (address < p->local_low)
        p->local_low = address;
    if (address + width > p->local_high)
        p->local_high = address + width;
}

static void note_local(struct trace_steps *p, const struct step *s,
                       uint32_t width)
{
    for (uint32_t lanes = s->mask; lanes != 0; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctz(lanes);

        widen(p,
              s->form == ADDR_LIST ? s->lane_address[l]
                                   : s->base + (uint64_t)s->stride * l,
              width);
    }
}

/* The addresses of a line and what follows them. */
static bool read_addresses(struct trace_steps *p, struct trace_entry *entry,
                           struct span *s, struct step *step)
{
    int64_t immediate;
    bool found;

    if (!entry->addresses) {
        if (!(entry->flags & SASS_ADDRESS) || step->mask == 0)
            return true;
        return trace_fail(p->text, p->e, "%s without addresses",
                          entry->inst.mnemonic);
    }
    if (!trace_addresses_parse(step, s, p->text, p->e) ||
        !trace_immediate_parse(&immediate, &found, s, p->text, p->e))
        return false;
    if (step->mask == 0 || entry->inst.space == SPACE_NONE)
        step->form = ADDR_NONE;
    return true;
}

/* The step of a line of an entry; s is behind the entry's text. */
static bool read_step(struct trace_steps *p, uint32_t index, struct span *s,
                      uint32_t mask, struct step *step)
{
    struct trace_entry *entry = &p->insts.entry[index];
    uint8_t variant;

    step->mask = mask;
    step->taken_mask = 0;
    step->form = ADDR_NONE;
    if (!read_addresses(p, entry, s, step))
        return false;
    variant = resolve_space(p, entry, step);
    if (variant == SPACE_LOCAL && step->form != ADDR_NONE)
        note_local(p, step, entry->inst.width);
    if (entry->inst.op == OP_BARRIER && mask == 0)
        variant = TRACE_NO_BARRIER;
    step->inst = trace_insts_id(&p->insts, index, variant, p->e);
    return step->inst != NO_INST;
}

static bool line_start(struct trace_steps *p, struct span *s, uint32_t *line,
                       uint32_t *pc, uint32_t *mask)
{
    char shown[SHOWN_SIZE];
    struct span whole = *s;
    int64_t source_line = 0;
    uint64_t address, lanes;

    if ((p->header->line_info && !span_decimal(s, &source_line)) ||
        !span_hex(s, &address) || !span_hex(s, &lanes))
        return trace_fail(p->text, p->e,
                          "found \"%s\", expected an instruction: PC, active "
                          "mask, registers, opcode",
                          trace_show(shown, whole));
    if (address >= UINT32_MAX || lanes > UINT32_MAX)
        return trace_fail(
            p->text, p->e, "PC %llx and mask %llx, expected 32 bits each",
            (unsigned long long)address, (unsigned long long)lanes);
    *line = source_line > 0 && source_line <= UINT32_MAX ? (uint32_t)source_line
                                                         : 0;
    *pc = (uint32_t)address;
    *mask = (uint32_t)lanes;
    return true;
}

/* What a line means that is read for the first time. */
static bool read_line(struct trace_steps *p, struct span line, uint32_t *index,
                      struct step *step)
{
    uint32_t source_line = 0, pc = 0, mask = 0;

    if (!line_start(p, &line, &source_line, &pc, &mask))
        return false;
    *index = trace_insts_find(&p->insts, p->before, pc, &line);
    if (*index == NO_INST) {
        const struct trace_place at = {pc, source_line, p->text};

        *index = trace_insts_add(&p->insts, &at, &line, p->e);
    }
    return *index != NO_INST && read_step(p, *index, &line, mask, step);
}

static bool follow(struct trace_steps *p, uint32_t index,
                   const struct step *step)
{
    if (!execute(p, index, step))
        return false;
    if (p->before != NO_INST)
        p->insts.entry[p->before].follower = index;
    p->before = index;
    return true;
}

bool trace_steps_line(struct trace_steps *p, struct span line)
{
    struct known_line *place = trace_known_place(&p->known, line);
    struct step step;
    uint32_t index;

    if (trace_known_holds(place, line))
        return follow(p, place->entry, &place->step);
    if (!read_line(p, line, &index, &step))
        return false;
    trace_known_keep(place, line, index, &step);
    return follow(p, index, &step);
}

void trace_steps_begin(struct trace_steps *p, struct trace_spool *spool)
{
    trace_encode_start(&p->encoder, spool);
    p->before = p->jump = NO_INST;
    p->has_pending = false;
}

void trace_steps_end(struct trace_steps *p)
{
    if (p->has_pending) {
        uint8_t flags = p->insts.entry[p->before].flags;

        flush_pending(p, flags & SASS_CONVERGES ? 0 : p->pending.mask);
    }
    trace_encode_end(&p->encoder);
}
