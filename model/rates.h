/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long an SM's share of each resource is busy with one unit of what it
 * handles, at a design point. */
#ifndef MODEL_RATES_H
#define MODEL_RATES_H

#include "model/caches.h"

/* Core cycles. */
struct rates {
    double issue; /* of an issue slot */
    /* Of an instruction, and its execution unit, by class below EXEC_CONTROL.
     */
    double unit[EXEC_CLASSES];
    int unit_of[EXEC_CLASSES];
    double request_flit, answer_flit; /* at an SM's port */
    double link; /* of a flit, in or out, on the links of a mesh; or 0 */
    double flit_bytes, header_bytes, sector_bytes; /* of packets */
    double l2_byte;
    double l2_cycle; /* of a cycle of the L2 that a slice is kept */
    double dram_byte;
    double dram_row;  /* of a row that is opened */
    double dram_turn; /* of the bus from reads to writes and back */
    double dram_banks, dram_queue; /* requests of a channel in its banks, and
                                    * those that wait */
    /* Of a request, as far as places on the way to and in memory are few. */
    double dram_place;
    double fetch_bytes; /* of a read's request, at most */
    double read_bytes;  /* that a request moves, at least: a burst or a fetch */
    /* Shares of stored sectors whose line was clean before, those of lines new
     * to their block and those of the others; and of them, those that reach
     * DRAM: the last ones stay in the L2. */
    double store_cold, store_again, store_leaves;
    double stored_afresh; /* of lines (struct cache_view) */
};

/* What is asked of DRAM. */
struct dram_use {
    double bytes;
    double rows;             /* that are opened */
    double fetches, written; /* requests that read, and that write */
};

void rates_set(struct rates *r, const struct profile *p, const struct gpu *g,
               const struct sharing *s, const struct cache_view *v);

/* Flits of `packets` packets with a header each and `bytes` together. */
double rates_flits(const struct rates *r, double packets, double bytes);

/* How long DRAM is busy with all of it, in any order. */
double rates_dram(const struct rates *r, const struct dram_use *use);

/* Bytes that `requests` reads of `bytes` together move: in whole bursts, and as
 * much as the L2 fetches at a time. */
double rates_read(const struct rates *r, double requests, double bytes);

#endif
