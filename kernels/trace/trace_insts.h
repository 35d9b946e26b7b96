/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The static instructions of a traced kernel. A trace holds no program: they
 * are the distinct (PC, opcode, registers, width) its lines show, and control
 * flow is what was seen to follow what. */
#ifndef KERNELS_TRACE_TRACE_INSTS_H
#define KERNELS_TRACE_TRACE_INSTS_H

#include "kernels/form/kernel.h"
#include "kernels/trace/sass.h"
#include "kernels/trace/trace_line.h"
#include "kernels/trace/trace_text.h"

/* The forms in which one line's instruction is executed: its space (generic
 * accesses may go to several), or a barrier without lanes, which does not wait
 * and so is no barrier. */
enum { TRACE_NO_BARRIER = SPACES, TRACE_VARIANTS };

/* An instruction as the lines show it. */
struct trace_entry {
    struct inst inst; /* space as its opcode tells */
    uint8_t flags;    /* enum sass_flag */
    bool addresses;   /* its lines go on with addresses */
    bool unknown;     /* no such opcode: the rest of its lines is not read */
    bool has_immediate;
    int64_t immediate;
    /* Its text from behind the mask: up to the width when addresses follow,
     * else to the end of the line. */
    char *text;
    uint32_t text_length;
    uint32_t follower; /* what came after it last, a guess for the next time */
    uint32_t chain;    /* next in its hash bucket */
    /* Its number as an executed instruction, by variant. NO_INST until one was
     * seen. */
    uint32_t id[TRACE_VARIANTS];
};

/* An executed instruction. Numbers are given in the order of appearance. */
struct trace_exec {
    uint32_t entry;
    uint8_t variant;
    /* What followed it last, to not look an edge up again. */
    uint32_t next;
    bool next_joined;
};

/* `to` was executed right after `from`, a jump or exit. */
struct trace_edge {
    uint32_t from, to;
    bool joined; /* by some of the same lanes, so that from led there */
};

struct trace_insts {
    int arch, version;
    const struct sass_op *unknown_as; /* NULL: unknown opcodes are errors */
    struct trace_entry *entry;
    uint32_t entry_count, entry_room;
    uint32_t *bucket; /* by PC */
    uint32_t bucket_count;
    struct trace_exec *exec;
    uint32_t exec_count, exec_room;
    struct trace_edge *edge; /* hash table, from == NO_INST: free */
    uint32_t edge_count, edge_room;
    char (*unknown)[sizeof(((struct inst *)0)->mnemonic)]; /* distinct ones */
    uint32_t unknown_count;
    uint64_t unknown_line; /* of the first */
};

void trace_insts_free(struct trace_insts *t);

/* The entry for a line with this PC whose text behind the mask is s, or
 * NO_INST. On success s is left at the addresses or at the end. `before` is the
 * entry of the line before, or NO_INST. */
uint32_t trace_insts_find(const struct trace_insts *t, uint32_t before,
                          uint32_t pc, struct span *s);

/* Likewise by parsing the text and, when it is new, adding it. NO_INST with e
 * set when the line is wrong. */
struct trace_place {
    uint32_t pc, line; /* line in the source, 0 when not known */
    const struct trace_text *text;
};
uint32_t trace_insts_add(struct trace_insts *t, const struct trace_place *at,
                         struct span *s, struct error *e);

/* The number of an entry executed as `variant`. NO_INST: out of memory. */
uint32_t trace_insts_id(struct trace_insts *t, uint32_t entry, uint8_t variant,
                        struct error *e);

bool trace_insts_edge(struct trace_insts *t, uint32_t from, uint32_t to,
                      bool joined, struct error *e);

/* Fill kernel->inst in PC order with blocks and targets, and *order, the place
 * in it of each number. */
bool trace_insts_finish(const struct trace_insts *t, struct kernel *kernel,
                        uint32_t **order, struct error *e);

/* Whether an instruction at `to` is the next in the code after the one at
 * `from`: 16 bytes on; before sm_70 instructions take 8 and every fourth or
 * eighth place holds scheduling information. */
bool trace_sequential(int arch, uint32_t from, uint32_t to);

#endif
