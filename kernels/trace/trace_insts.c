/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_insts.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES   (1u << 20) /* more than any program; bounds memory */
#define FIRST_ROOM    256u
#define DEFAULT_WIDTH 4 /* of an access whose opcode names none: Accel-Sim */

void trace_insts_free(struct trace_insts *t)
{
    for (uint32_t i = 0; i < t->entry_count; i++)
        free(t->entry[i].text);
    free(t->entry);
    free(t->bucket);
    free(t->exec);
    free(t->edge);
    free(t->unknown);
}

/* ---- finding ------------------------------------------------------------ */

static uint32_t hash_pc(const struct trace_insts *t, uint32_t pc)
{
    return (pc * UINT32_C(0x9e3779b1) >> 7) & (t->bucket_count - 1);
}

static bool text_matches(const struct trace_entry *entry, const struct span *s)
{
    size_t left = (size_t)(s->end - s->at);

    if (left < entry->text_length ||
        memcmp(entry->text, s->at, entry->text_length) != 0)
        return false;
    if (left == entry->text_length)
        return !entry->addresses;
    return entry->addresses && s->at[entry->text_length] == ' ';
}

uint32_t trace_insts_find(const struct trace_insts *t, uint32_t before,
                          uint32_t pc, struct span *s)
{
    uint32_t i = before != NO_INST ? t->entry[before].follower : NO_INST;

    if (span_empty(s) || t->bucket_count == 0)
        return NO_INST;
    if (i == NO_INST || t->entry[i].inst.pc != pc ||
        !text_matches(&t->entry[i], s)) {
        i = t->bucket[hash_pc(t, pc)];
        while (i != NO_INST &&
               (t->entry[i].inst.pc != pc || !text_matches(&t->entry[i], s)))
            i = t->entry[i].chain;
    }
    if (i != NO_INST)
        s->at += t->entry[i].text_length;
    return i;
}

/* ---- adding ------------------------------------------------------------- */

static bool grow_entries(struct trace_insts *t, struct error *e)
{
    uint32_t room = t->entry_room != 0 ? 2 * t->entry_room : FIRST_ROOM;
    struct trace_entry *entry = realloc(t->entry, room * sizeof(*entry));
    uint32_t *bucket;

    if (entry == NULL)
        return error_no_memory(e);
    t->entry = entry;
    bucket = realloc(t->bucket, room * sizeof(*bucket));
    if (bucket == NULL)
        return error_no_memory(e);
    t->bucket = bucket;
    t->entry_room = t->bucket_count = room;
    for (uint32_t i = 0; i < room; i++)
        bucket[i] = NO_INST;
    for (uint32_t i = 0; i < t->entry_count; i++) {
        uint32_t *head = &bucket[hash_pc(t, entry[i].inst.pc)];

        entry[i].chain = *head;
        *head = i;
    }
    return true;
}

static bool same_instruction(const struct trace_entry *a,
                             const struct trace_entry *b)
{
    const struct inst *x = &a->inst, *y = &b->inst;

    return x->pc == y->pc && x->op == y->op && x->space == y->space &&
           x->width == y->width && x->dst_count == y->dst_count &&
           x->src_count == y->src_count &&
           memcmp(x->dst, y->dst, x->dst_count * sizeof(x->dst[0])) == 0 &&
           memcmp(x->src, y->src, x->src_count * sizeof(x->src[0])) == 0 &&
           strcmp(x->mnemonic, y->mnemonic) == 0;
}

static void keep_mnemonic(char out[], size_t size, struct span opcode)
{
    size_t n = (size_t)(opcode.end - opcode.at);

    n = n < size - 1 ? n : size - 1;
    memcpy(out, opcode.at, n);
    out[n] = '\0';
}

/* Remember an unknown opcode; false: out of memory. */
static bool note_unknown(struct trace_insts *t, struct span opcode,
                         uint64_t line, struct error *e)
{
    char name[sizeof(t->unknown[0])];
    void *grown;

    for (const char *c = opcode.at; c < opcode.end; c++)
        if (*c == '.')
            opcode.end = c;
    keep_mnemonic(name, sizeof(name), opcode);
    for (uint32_t i = 0; i < t->unknown_count; i++)
        if (strcmp(t->unknown[i], name) == 0)
            return true;
    grown = realloc(t->unknown, (t->unknown_count + 1) * sizeof(name));
    if (grown == NULL)
        return error_no_memory(e);
    t->unknown = grown;
    memcpy(t->unknown[t->unknown_count++], name, sizeof(name));
    if (t->unknown_count == 1)
        t->unknown_line = line;
    return true;
}

/* The class of the opcode; an unknown one is noted unless a class to take it
 * for is given, and passes for integer work until the trace is read. */
static bool classify(struct trace_insts *t, struct trace_entry *entry,
                     struct sass_op *op, const struct trace_static *line,
                     const struct trace_text *text, struct error *e)
{
    size_t length = (size_t)(line->opcode.end - line->opcode.at);

    if (sass_decode(op, line->opcode.at, length, t->arch))
        return true;
    entry->unknown = true;
    if (t->unknown_as != NULL) {
        *op = *t->unknown_as;
        return true;
    }
    *op = (struct sass_op){.op = OP_INT};
    return note_unknown(t, line->opcode, text->line, e);
}

static bool set_width(struct inst *inst, const struct sass_op *op,
                      int64_t listed, const struct trace_text *text,
                      struct error *e)
{
    if (op->space == SPACE_NONE)
        return true;
    if (op->width != 0 || listed == 0) {
        inst->width = op->width != 0 ? op->width : DEFAULT_WIDTH;
        return true;
    }
    if (listed > 16 || (listed & (listed - 1)) != 0)
        return trace_fail(text, e,
                          "memory width %lld, expected 1, 2, 4, 8 or 16",
                          (long long)listed);
    inst->width = (uint8_t)listed;
    return true;
}

/* A dependence barrier that waits for everything: see SASS_DRAINS. */
static bool drains(const struct trace_insts *t, const struct trace_entry *entry)
{
    return (entry->flags & SASS_DRAINS) != 0 && t->version >= 5 &&
           entry->has_immediate && entry->immediate == 0;
}

/* What stands behind the registers: nothing is read of an unknown opcode's. */
static bool take_rest(const struct trace_insts *t, struct trace_entry *entry,
                      struct span *s, const struct trace_text *text,
                      struct error *e)
{
    if (entry->unknown) {
        s->at = s->end;
        return true;
    }
    if (!entry->addresses &&
        !trace_immediate_parse(&entry->immediate, &entry->has_immediate, s,
                               text, e))
        return false;
    if (drains(t, entry))
        entry->inst.op = OP_FENCE;
    return true;
}

static bool make_entry(struct trace_insts *t, struct trace_entry *entry,
                       const struct trace_place *at, struct span *s,
                       struct error *e)
{
    struct trace_static line;
    struct sass_op op;

    memset(entry, 0, sizeof(*entry));
    if (!trace_static_parse(&line, s, at->text, e) ||
        !classify(t, entry, &op, &line, at->text, e))
        return false;
    entry->inst = (struct inst){.pc = at->pc,
                                .line = at->line,
                                .op = op.op,
                                .space = op.space,
                                .past_l1 = op.past_l1,
                                .target = NO_INST,
                                .reconverge = NO_INST};
    if (!set_width(&entry->inst, &op, line.width, at->text, e))
        return false;
    sass_registers(&entry->inst, &op, &line.listed);
    keep_mnemonic(entry->inst.mnemonic, sizeof(entry->inst.mnemonic),
                  line.opcode);
    entry->flags = op.flags;
    entry->addresses = line.width > 0 && !entry->unknown;
    entry->follower = NO_INST;
    for (int i = 0; i < TRACE_VARIANTS; i++)
        entry->id[i] = NO_INST;
    return take_rest(t, entry, s, at->text, e);
}

/* The entry of the same instruction written in another way, or NO_INST. */
static uint32_t find_same(const struct trace_insts *t,
                          const struct trace_entry *entry)
{
    uint32_t i = NO_INST;

    if (t->bucket_count > 0)
        i = t->bucket[hash_pc(t, entry->inst.pc)];
    while (i != NO_INST && !same_instruction(&t->entry[i], entry))
        i = t->entry[i].chain;
    return i;
}

uint32_t trace_insts_add(struct trace_insts *t, const struct trace_place *at,
                         struct span *s, struct error *e)
{
    struct trace_entry entry;
    struct span start = *s;
    uint32_t same, *head;

    if (!make_entry(t, &entry, at, s, e))
        return NO_INST;
    same = find_same(t, &entry);
    if (same != NO_INST && t->entry[same].addresses == entry.addresses)
        return same;
    if (t->entry_count == MAX_ENTRIES) {
        trace_fail(at->text, e, "more than %u different instructions",
                   MAX_ENTRIES);
        return NO_INST;
    }
    if (t->entry_count == t->entry_room && !grow_entries(t, e))
        return NO_INST;
    span_empty(&start);
    entry.text_length = (uint32_t)(s->at - start.at);
    entry.text = malloc((size_t)entry.text_length + 1);
    if (entry.text == NULL) {
        error_no_memory(e);
        return NO_INST;
    }
    memcpy(entry.text, start.at, entry.text_length);
    head = &t->bucket[hash_pc(t, at->pc)];
    entry.chain = *head;
    *head = t->entry_count;
    t->entry[t->entry_count] = entry;
    return t->entry_count++;
}

uint32_t trace_insts_id(struct trace_insts *t, uint32_t entry, uint8_t variant,
                        struct error *e)
{
    uint32_t *id = &t->entry[entry].id[variant];

    if (*id != NO_INST)
        return *id;
    if (t->exec_count == t->exec_room) {
        uint32_t room = t->exec_room != 0 ? 2 * t->exec_room : FIRST_ROOM;
        struct trace_exec *exec = realloc(t->exec, room * sizeof(*exec));

        if (exec == NULL) {
            error_no_memory(e);
            return NO_INST;
        }
        t->exec = exec;
        t->exec_room = room;
    }
    *id = t->exec_count;
    t->exec[t->exec_count++] = (struct trace_exec){
        .entry = entry, .variant = variant, .next = NO_INST};
    return *id;
}
