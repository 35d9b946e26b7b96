/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/assembler.h"

#include <stdio.h>
#include <stdlib.h>

#define INST_BYTES 8 /* of an instruction in memory, Fermi's and Kepler's */

struct node *assembler_add_node(struct assembler *a, enum node_kind kind)
{
    struct program *p = a->program;
    if (p->count == p->capacity) {
        uint32_t capacity = p->capacity * 2 + 32;
        void *grown = realloc(p->node, capacity * sizeof(*p->node));
        if (grown == NULL) {
            error_no_memory(a->line.error);
            return NULL;
        }
        p->node = grown;
        p->capacity = capacity;
    }
    p->node[p->count] = (struct node){.kind = (uint8_t)kind,
                                      .lane_trips = -1,
                                      .inst = NO_INST,
                                      .scope_end = NO_INST};
    return &p->node[p->count++];
}

struct inst *assembler_add_inst(struct assembler *a, const char *mnemonic,
                                enum op_class op)
{
    struct kernel *k = a->kernel;
    if (k->inst_count == a->inst_capacity) {
        uint32_t capacity = a->inst_capacity * 2 + 32;
        void *grown = realloc(k->inst, capacity * sizeof(*k->inst));
        if (grown == NULL) {
            error_no_memory(a->line.error);
            return NULL;
        }
        k->inst = grown;
        a->inst_capacity = capacity;
    }
    struct inst *i = &k->inst[k->inst_count];
    *i = (struct inst){.pc = k->inst_count * INST_BYTES,
                       .line = a->line_number,
                       .op = (uint8_t)op,
                       .block_start = a->leader,
                       .target = NO_INST,
                       .reconverge = NO_INST};
    snprintf(i->mnemonic, sizeof(i->mnemonic), "%s", mnemonic);
    a->leader = op == OP_BRANCH || op == OP_EXIT;
    a->program->node[a->program->count - 1].inst = k->inst_count++;
    return i;
}
