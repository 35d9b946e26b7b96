/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an instruction reads and writes: registers, memory, and the fault that
 * ends the run. For the files of the executor; they know nothing of which
 * instruction is whose (actions.h). */
#ifndef KERNELS_PTX_EXECUTE_ACCESS_H
#define KERNELS_PTX_EXECUTE_ACCESS_H

#include "kernels/ptx/execute/addresses.h"
#include "kernels/ptx/execute/exec.h"

/* The 32 values of a register of a frame. */
static inline uint64_t *ptx_row(const struct ptx_warp *w,
                                const struct ptx_frame *f, int32_t slot)
{
    return &w->reg[f->regs + (size_t)f->row[slot] * WARP_LANES];
}

/* The same of the warp's current frame, or of a constant. */
static inline uint64_t *ptx_slot(const struct ptx_block *b,
                                 const struct ptx_warp *w, int32_t slot)
{
    if (slot < 0)
        return &b->launch->program->constant[(size_t)~slot * WARP_LANES];
    return ptx_row(w, &w->frame[w->frames - 1], slot);
}

static inline struct ptx_path *ptx_top(const struct ptx_warp *w)
{
    return &w->path[w->paths - 1];
}

static inline bool ptx_lane_is_in(uint32_t mask, int lane)
{
    return (mask >> lane & 1) != 0;
}

/* The values of all sources. */
static inline void ptx_sources(const struct ptx_block *b,
                               const struct ptx_warp *w,
                               const struct ptx_op *op, const uint64_t **s)
{
    for (int i = 0; i < op->sources; i++)
        s[i] = ptx_slot(b, w, op->source[i]);
}

/* The values under mask; a slot that is none takes nothing. */
void ptx_write(const struct ptx_block *b, const struct ptx_warp *w,
               int32_t slot, uint32_t mask, const uint64_t *value);

/* "k.ptx:38:1" of an instruction, and the line of what a compiler made it from,
 * where it says so: "k.ptx:38:1 (source line 5)". */
#define PTX_WHERE_CHARS 512
void ptx_where(char out[PTX_WHERE_CHARS], const struct ptx_block *b,
               const struct ptx_op *op);

/* "where: what the instruction is, found .., block and warp"; false. */
bool ptx_fault(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The fault of an instruction that all 32 lanes must execute; false. */
bool ptx_lanes_missing(struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op);

/* The run is over for want of memory; false. */
bool ptx_no_memory(struct ptx_block *b);

/* Every lane's base + offset. Shared and local memory have addresses of 32
 * bits, in which sums wrap (PTX ISA 9.0, section 6.4.1). */
void ptx_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                   const struct ptx_op *op, uint64_t *out);
/* Likewise where a copy reads. */
void ptx_second_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, uint64_t *out);

/* Likewise the mbarrier that a copy tells. */
void ptx_third_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, uint64_t *out);

/* The space that a generic address is in; it becomes the address inside. */
enum ptx_space ptx_space_of_generic(uint64_t *address);

/* The block whose shared memory an address is in, which becomes the address
 * inside; NULL: no rank of the cluster. */
struct ptx_block *ptx_owner_of_shared(struct ptx_block *b, uint64_t *address);

struct ptx_access {
    enum ptx_space space; /* of the address */
    int lane;
    uint64_t address, bytes; /* bytes: a power of two */
    bool write;
    bool read_too; /* it writes what depends on what was there */
};

/* Forget the stretches of global memory found so far. */
void ptx_forget_stretches(struct ptx_block *b);

/* Where the bytes of all lanes are: lane l's at
 * base + (address[l] - first) + l * stride. With patterns the stride is 0. */
struct ptx_reach {
    uint8_t *base;
    uint64_t first, stride;
    enum ptx_pattern half[2]; /* of the addresses */
};

static inline uint8_t *ptx_reach_lane(const struct ptx_reach *r,
                                      uint64_t address, unsigned lane)
{
    return r->base + (address - r->first) + lane * r->stride;
}

/* The bytes of all lanes of the mask at the addresses, a->lane and a->address
 * apart. False: they
 * are not in one piece, or not all there, or not aligned; ptx_bytes_at() tells
 * of each lane. */
bool ptx_reach_lanes(struct ptx_block *b, const struct ptx_warp *w,
                     const struct ptx_op *op, const struct ptx_access *a,
                     const uint64_t *address, uint32_t mask,
                     struct ptx_reach *out);

/* Those bytes. NULL with the error set when there are none, or the address is
 * not aligned. */
uint8_t *ptx_bytes_at(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, const struct ptx_access *a);

#endif
