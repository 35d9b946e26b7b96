/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/warm.h"

#include "configs/gpu.h"
#include "kernels/form/box.h"
#include "kernels/form/coalesce.h"
#include "sampler/sm/l1.h"

#include <stdlib.h>

/* Whether the L2 sees what the instruction accesses. */
static bool reaches_l2(const struct inst *i)
{
    bool memory = i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ATOMIC;
    return memory && (i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL ||
                      i->space == SPACE_TEXTURE);
}

static void warm_copy(struct memory *m, const struct step *s, bool writes)
{
    const struct gpu *g = m->core.gpu;
    struct box_walk walk = box_begin(s);
    struct transaction t;
    while (box_next(&walk, (unsigned)g->l2.line_bytes,
                    (unsigned)g->l2.sector_bytes, &t))
        memory_warm(m, t.line, t.sectors, writes);
}

/* A load that the L1 serves brings whole sectors of the L1. */
static void warm_lanes(struct memory *m, const struct inst *i,
                       const struct step *s, bool writes)
{
    const struct gpu *g = m->core.gpu;
    bool by_l1 = i->op == OP_LOAD && l1_serves(g, i);
    int line = by_l1 ? g->l1.line_bytes : g->l2.line_bytes;
    int sector = by_l1 ? l1_sector_bytes(g) : g->l2.sector_bytes;
    struct transaction t[MAX_TRANSACTIONS];
    int n = coalesce(s, i->width, (unsigned)line, (unsigned)sector, t);
    for (int k = 0; k < n; k++) {
        struct transaction below =
            port_to_l2(g, t[k].line, t[k].sectors, line, sector);
        memory_warm(m, below.line, below.sectors, writes);
    }
}

void warm_step(struct memory *m, const struct kernel *k, const struct step *s)
{
    const struct inst *i = &k->inst[s->inst];
    bool writes = i->op != OP_LOAD;
    if (reaches_l2(i) && s->form == ADDR_BOX)
        warm_copy(m, s, writes);
    else if (reaches_l2(i))
        warm_lanes(m, i, s, writes);
}

/* Blocks whose lines are counted, to tell how many fill the L2. Chosen. */
#define PROBE_BLOCKS 32
/* So many times its lines are touched. Chosen: hashed sets fill unevenly. */
#define FILLS 1.5

static bool touch(struct memory *m, const struct kernel *k, uint64_t first,
                  uint64_t end, struct error *e)
{
    void *state = malloc(k->ops->state_size(k));
    bool ok = state != NULL || error_no_memory(e);
    for (uint64_t b = first; ok && b < end; b++) {
        ok = k->ops->open(k, state, b, e);
        for (uint32_t w = 0; ok && w < k->warps_per_block; w++)
            for (struct step s; k->ops->next(k, state, w, &s);)
                warm_step(m, k, &s);
        if (ok)
            k->ops->close(k, state);
    }
    free(state);
    return ok;
}

bool warm_l2(struct memory *m, const struct kernel *k, uint64_t first,
             uint64_t most, struct error *e)
{
    uint64_t probe = most < PROBE_BLOCKS ? most : PROBE_BLOCKS;
    if (!touch(m, k, first - probe, first, e))
        return false;
    double lines = memory_lines_held(m), all = memory_lines(m);
    double need = FILLS * all * (double)probe / (lines > 1 ? lines : 1);
    uint64_t count = need < (double)most ? (uint64_t)need : most;
    return count <= probe || touch(m, k, first - count, first, e);
}
