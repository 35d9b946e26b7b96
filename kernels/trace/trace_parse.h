/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading one kernel's trace, and its streams once it is read. */
#ifndef KERNELS_TRACE_TRACE_PARSE_H
#define KERNELS_TRACE_TRACE_PARSE_H

#include "kernels/form/load_options.h"
#include "kernels/trace/trace_spool.h"
#include "kernels/trace/trace_text.h"

#include <stdatomic.h>

/* What the lines before the first block say. */
struct trace_header {
    char *name; /* NULL: not given */
    struct dim3 grid, block;
    uint64_t grid_line;
    uint32_t shared_bytes, regs;
    int arch, version;
    bool line_info;
    uint64_t shared_base, local_base;
    bool in_block; /* the comment that ends it begins a block */
    uint32_t seen; /* bit i: key i of the table in trace_header.c */
};

/* Read up to the first line of the body, a comment. On success the caller frees
 * out->name. */
bool trace_header_read(struct trace_header *out, struct trace_text *t,
                       struct error *e);

/* Where a block's warps lie in the spool, in the block's directory there: one
 * of these for each warp that a block of the trace has. */
struct trace_extent {
    uint64_t start, end; /* equal: the warp is not in the trace */
};

/* kernel->source of a traced kernel. */
struct trace_source {
    struct trace_spool *spool;
    uint64_t *directory; /* by block: place of its directory in the spool */
    uint64_t block_count;
    uint32_t warps;  /* of a block in the trace */
    uint32_t *order; /* kernel instruction of each number in the spool */
    /* Local addresses lie in [local_low, local_low + local_bytes). */
    uint64_t local_low, local_bytes;
    atomic_bool read_failed;
};

extern const struct kernel_source_ops trace_source_ops;

/* Set name, launch and hash of k from a trace that has been read. */
bool trace_launch(struct kernel *k, const struct trace_header *h,
                  const struct trace_text *t, const struct load_options *o,
                  struct error *e);

/* Read a trace file into a new kernel. NULL with e set
 * when it is wrong. */
struct kernel *trace_parse(const char *path, const struct load_options *o,
                           struct trace_spool *spool, struct error *e);

#endif
