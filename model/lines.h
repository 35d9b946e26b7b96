/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines and sectors of the L2 that a memory instruction asks for. */
#ifndef MODEL_LINES_H
#define MODEL_LINES_H

#include "kernels/form/coalesce.h"

struct gpu;

struct line_sizes {
    unsigned line;          /* bytes of a line of the L1, and so of all here */
    unsigned sector;        /* bytes of the smallest sector of L1 and L2 */
    unsigned per_l1_sector; /* of them in an L1 sector */
    unsigned per_fetch;     /* of them in what the L2 fetches at a time */
    unsigned texture;       /* bytes of a line of the texture cache */
    bool l1_global;         /* the L1 caches global memory */
};
struct line_sizes line_sizes_of(const struct gpu *g);

static inline bool inst_is_memory(const struct inst *i)
{
    return i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ATOMIC;
}

/* Through the data cache and to memory, unlike shared, constant and texture
 * accesses, which stay in the SM. */
static inline bool inst_is_global(const struct inst *i)
{
    return inst_is_memory(i) &&
           (i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL);
}

static inline bool inst_is_texture(const struct inst *i)
{
    return inst_is_memory(i) && i->space == SPACE_TEXTURE;
}

/* Whether the L1 may serve a global access. */
bool lines_through_l1(const struct line_sizes *z, const struct inst *i);

/* Of a global access that is no box, as coalesce(); a load through the L1 asks
 * for whole sectors of it. */
int lines_of_global(const struct line_sizes *z, const struct inst *i,
                    const struct step *step,
                    struct transaction out[MAX_TRANSACTIONS]);

/* All sectors that the L2 fetches for those that are not there: the units of
 * l2.fetch_bytes that hold any of them. A store fetches none. */
uint32_t lines_fetched(const struct line_sizes *z, const struct inst *i,
                       uint32_t sectors);

/* Lines of the texture cache, one sector each. */
int lines_of_texture(const struct line_sizes *z, const struct inst *i,
                     const struct step *step,
                     struct transaction out[MAX_TRANSACTIONS]);
/* The line of the L2 that a line of the texture cache lies in, and its sectors
 * there. */
uint64_t line_below(const struct line_sizes *z, uint64_t texture_line);
uint32_t sectors_below(const struct line_sizes *z, uint64_t texture_line);
/* What n lines of the texture cache are in the L2, each line once; returns
 * their number. */
int lines_below(const struct line_sizes *z, const struct transaction *t, int n,
                struct transaction out[MAX_TRANSACTIONS]);

#endif
