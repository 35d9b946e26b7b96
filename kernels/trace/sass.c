/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/sass.h"

#include <string.h>

bool sass_arch_known(int arch)
{
    static const uint8_t known[] = {35, 37, 50, 52, 53, 60, 61, 62,
                                    70, 72, 75, 80, 86, 87, 89, 90};

    for (size_t i = 0; i < sizeof(known); i++)
        if (known[i] == arch)
            return true;
    return false;
}

/* One dot-separated part of an opcode. */
struct part {
    const char *at;
    size_t length;
};

static bool part_is(struct part p, const char *text)
{
    return strlen(text) == p.length && memcmp(p.at, text, p.length) == 0;
}

/* The part after p, or an empty one past the end. */
static struct part part_next(struct part p, const char *end)
{
    const char *at = p.at + p.length;
    const char *dot;

    if (at >= end)
        return (struct part){end, 0};
    at++;
    dot = memchr(at, '.', (size_t)(end - at));
    return (struct part){at, (size_t)((dot != NULL ? dot : end) - at)};
}

static bool has_part(struct part name, const char *end, const char *text)
{
    for (struct part p = part_next(name, end); p.at < end;
         p = part_next(p, end))
        if (part_is(p, text))
            return true;
    return false;
}

/* Bytes by a width suffix ("128", "U16", "S8", "F64"), 0 when p is none. */
static uint8_t part_width(struct part p)
{
    static const struct {
        const char *bits;
        uint8_t bytes;
    } widths[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};

    if (p.length > 1 && strchr("USF", p.at[0]) != NULL) {
        p.at++;
        p.length--;
    }
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
        if (part_is(p, widths[i].bits))
            return widths[i].bytes;
    return 0;
}

/* A matrix load or store: each lane moves one register of every matrix (PTX
 * ISA, "ldmatrix"); the last part counts the matrices. */
static uint8_t matrix_width(struct part name, const char *end)
{
    if (has_part(name, end, "4"))
        return 16;
    return has_part(name, end, "2") ? 8 : 4;
}

static uint8_t opcode_width(struct part name, const char *end)
{
    if (part_is(name, "LDSM") || part_is(name, "STSM"))
        return matrix_width(name, end);
    for (struct part p = part_next(name, end); p.at < end;
         p = part_next(p, end)) {
        uint8_t width = part_width(p);

        if (width != 0)
            return width;
    }
    return 0;
}

/* Whether name is one of the space-separated words of a list. */
static bool in_list(struct part name, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, " ");

        if (length == name.length && memcmp(list, name.at, length) == 0)
            return true;
        list += length;
        list += strspn(list, " ");
    }
    return false;
}

static bool entry_fits(const struct sass_entry *entry, struct part name,
                       const char *end, int arch)
{
    return in_list(name, entry->names) && arch >= entry->from &&
           (entry->to == 0 || arch <= entry->to) &&
           (entry->suffix == NULL || has_part(name, end, entry->suffix));
}

/* .CG and .CV are cache operators, .BYPASS is that of LDGSTS; .STRONG loads see
 * what others wrote in their scope, which beyond .SM is behind other L1s. */
static bool is_past_l1(struct part name, const char *end)
{
    bool strong = has_part(name, end, "STRONG") && !has_part(name, end, "SM") &&
                  !has_part(name, end, "CTA");
    return strong || has_part(name, end, "CG") || has_part(name, end, "CV") ||
           has_part(name, end, "BYPASS");
}

bool sass_decode(struct sass_op *out, const char *opcode, size_t length,
                 int arch)
{
    const char *end = opcode + length;
    const char *dot = memchr(opcode, '.', length);
    struct part name = {opcode, dot != NULL ? (size_t)(dot - opcode) : length};

    for (size_t i = 0; i < sass_table_count; i++) {
        const struct sass_entry *entry = &sass_table[i];

        if (!entry_fits(entry, name, end, arch))
            continue;
        memset(out, 0, sizeof(*out));
        out->op = entry->op;
        out->space = entry->space;
        out->flags = entry->flags;
        if (entry->space != SPACE_NONE)
            out->width = opcode_width(name, end);
        out->past_l1 = entry->space == SPACE_GLOBAL && entry->op == OP_LOAD &&
                       is_past_l1(name, end);
        out->address64 = (entry->flags & SASS_ADDRESS) != 0 &&
                         entry->space == SPACE_GLOBAL &&
                         has_part(name, end, "E");
        return true;
    }
    return false;
}

bool sass_class_named(struct sass_op *out, const char *name)
{
    static const struct {
        const char *name;
        enum op_class op;
    } classes[] = {{"int", OP_INT}, {"imul", OP_IMUL}, {"sp", OP_SP},
                   {"sfu", OP_SFU}, {"dp", OP_DP},     {"tensor", OP_TENSOR}};

    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (strcmp(classes[i].name, name) == 0) {
            *out = (struct sass_op){.op = (uint8_t)classes[i].op};
            return true;
        }
    return false;
}

/* Append `count` registers from `first` on, but not RZ and none twice. */
static void add_registers(uint16_t *list, uint8_t *length, size_t room,
                          unsigned first, unsigned count)
{
    if (first == SASS_RZ)
        return;
    for (unsigned r = first; r < first + count && r < SASS_RZ; r++) {
        bool seen = false;

        for (uint8_t i = 0; i < *length; i++)
            seen = seen || list[i] == r;
        if (!seen && *length < room)
            list[(*length)++] = (uint16_t)r;
    }
}

/* Registers that source `s` of `count` stands for. The operands of stores and
 * atomics are the address, then the data; the only one of a store is data. Of
 * an asynchronous copy's two addresses the last is the 64-bit one. */
static unsigned source_registers(const struct sass_op *op, unsigned width,
                                 unsigned s, unsigned count)
{
    unsigned vector = width > 4 ? width / 4 : 1;
    unsigned address = op->address64 ? 2 : 1;

    if (!(op->flags & SASS_ADDRESS))
        return op->flags & SASS_WIDE_SRC ? 2 : 1;
    if (op->op == OP_LOAD)
        return s + 1 == count ? address : 1;
    if (s == 0 && (count > 1 || op->op == OP_ATOMIC))
        return address;
    return vector;
}

static unsigned destination_registers(const struct sass_op *op, unsigned width)
{
    if (op->space != SPACE_NONE)
        return width > 4 ? width / 4 : 1;
    return op->flags & SASS_WIDE_DST ? 2 : 1;
}

/* Whether the first listed source is really the destination: SHFL has one other
 * register at least, an atomic that returns a value its address and operand. */
static bool destination_among_sources(const struct sass_op *op,
                                      const struct sass_operands *listed)
{
    unsigned least = op->op == OP_ATOMIC ? 3 : 2;

    return (op->flags & SASS_DST_IN_SRC) != 0 && listed->dst_count == 0 &&
           listed->src_count >= least;
}

/* The registers by which operands are named, or with `all` those that they
 * stand for. */
static void add_operands(struct inst *inst, const struct sass_op *op,
                         const struct sass_operands *listed, bool all)
{
    unsigned results = all ? destination_registers(op, inst->width) : 1;
    unsigned first = destination_among_sources(op, listed) ? 1 : 0;
    unsigned sources = listed->src_count - first;

    for (unsigned d = 0; d < listed->dst_count; d++)
        add_registers(inst->dst, &inst->dst_count, INST_MAX_DST, listed->dst[d],
                      results);
    if (first == 1)
        add_registers(inst->dst, &inst->dst_count, INST_MAX_DST, listed->src[0],
                      results);
    for (unsigned s = 0; s < sources; s++)
        add_registers(inst->src, &inst->src_count, INST_MAX_SRC,
                      listed->src[first + s],
                      all ? source_registers(op, inst->width, s, sources) : 1);
}

void sass_registers(struct inst *inst, const struct sass_op *op,
                    const struct sass_operands *listed)
{
    inst->dst_count = inst->src_count = 0;
    add_operands(inst, op, listed, false);
    uint8_t dst = inst->dst_count, src = inst->src_count;
    add_operands(inst, op, listed, true);
    inst->dst_implied = (uint8_t)(inst->dst_count - dst);
    inst->src_implied = (uint8_t)(inst->src_count - src);
}
