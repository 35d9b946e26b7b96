/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where traced streams lie once a trace has been read: one temporary file for
 * all kernels of a list, without a name, so that it goes with the process. It
 * is written once, in order, then read from any number of threads. */
#ifndef KERNELS_TRACE_TRACE_SPOOL_H
#define KERNELS_TRACE_TRACE_SPOOL_H

#include "base/error.h"

#include <stdint.h>

struct trace_spool {
    int fd;
    int users;   /* kernels that read it, and the one that writes it */
    int failure; /* errno of the first failed write, 0 = none */
    char directory[128];
    uint64_t flushed; /* bytes in the file */
    uint8_t *buffer;  /* what follows them; NULL once sealed */
    uint32_t used;
};

#define SPOOL_BUFFER 65536 /* the most one reservation may ask for */

/* In $TMPDIR or /tmp, with one user. NULL with e set when it cannot be made. */
struct trace_spool *trace_spool_new(struct error *e);
void trace_spool_release(struct trace_spool *s);

/* Room for up to `bytes` more bytes; take up those used with _advance. */
uint8_t *trace_spool_reserve(struct trace_spool *s, uint32_t bytes);
void trace_spool_advance(struct trace_spool *s, uint32_t bytes);
void trace_spool_put(struct trace_spool *s, const void *bytes, uint32_t n);

/* The place of the next byte. */
uint64_t trace_spool_offset(const struct trace_spool *s);

/* Bring everything written to the file. False with e set when any write of the
 * spool has failed. */
bool trace_spool_flush(struct trace_spool *s, struct error *e);

/* No more will be written: give the buffer back. */
void trace_spool_seal(struct trace_spool *s);

/* Read n bytes that have been flushed. */
bool trace_spool_read(const struct trace_spool *s, uint64_t offset, void *out,
                      uint32_t n);

#endif
