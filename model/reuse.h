/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reuse of cache lines in sampled address streams. Time is counted in line
 * accesses of one block, whose warps advance together. From the reuse times of
 * all accesses follows how many distinct lines a window of a given length
 * touches (StatStack: Eklov and Hagersten, ISPASS 2010, Sec. 3), and from that
 * which reuses a cache of a given size still serves when several warps or
 * blocks share it. */
#ifndef MODEL_REUSE_H
#define MODEL_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REUSE_BINS 112 /* four an octave: up to 2^28 accesses */
#define REUSE_COLD UINT64_MAX

/* Bin of a reuse time >= 1, and the first time of a bin. */
int reuse_bin(uint64_t time);
double reuse_bin_start(int bin);

/* Weights by reuse time, the never-reused ones in `cold`. After
 * reuse_survival() bin[b] is the weight of times at or above the bin's start,
 * cold ones included. */
struct reuse_histogram {
    float bin[REUSE_BINS];
    float cold;
};
void reuse_add(struct reuse_histogram *h, uint64_t time, double weight);
void reuse_survival(struct reuse_histogram *h);

/* Distinct lines in a window, at every bin's start; grows without end, as block
 * follows block. */
struct footprint {
    float lines[REUSE_BINS];
};
/* From the reuse times (not yet survival) of `accesses` accesses, of which the
 * histogram holds those that take room in the cache. */
void footprint_build(struct footprint *f, const struct reuse_histogram *h,
                     double accesses);

/* A position between bins, found once for a cache and used with many
 * histograms. */
struct reuse_threshold {
    int bin;
    float fraction; /* of the way to the next bin */
};
/* The longest window whose distinct lines, times `copies` of the stream that
 * run side by side, fit in `lines`. */
struct reuse_threshold footprint_threshold(const struct footprint *f,
                                           double copies, double lines);
/* Weight of the reuses longer than the threshold, of a survival histogram. */
static inline double reuse_beyond(const struct reuse_histogram *h,
                                  struct reuse_threshold t)
{
    float here = h->bin[t.bin];

    return (double)(here + t.fraction * (h->bin[t.bin + 1] - here));
}

/* ---- tracking ----------------------------------------------------------- */

#define GROUP_BLOCKS 13 /* that are compared with each other, at most */

struct reuse_line {
    uint64_t line;
    uint64_t last, last_load; /* times + 1, 0 = never in this block */
    /* The access that fetched it last, if that was not there yet: its time, and
     * the times of what it found (REUSE_COLD with a new sector). */
    uint64_t fetch, l1_wait, l2_wait;
    uint64_t idle; /* longest time unused since it was stored to */
    /* That this block brought to the L2, touched and loaded. */
    uint32_t sectors, touched, loaded;
    uint32_t stored; /* by stores */
    uint32_t sent;   /* accesses of this block that the L1 cannot
                      * have answered */
    uint32_t serial; /* of its atomics, one after another (l2.h) */
    uint32_t block;  /* the last that touched it, tracker's count */
    uint32_t of_block[GROUP_BLOCKS]; /* touched by the group's blocks */
    uint16_t warp, fetcher; /* the last to access it, and to fetch it */
};

#define NO_LINE UINT64_MAX /* an empty place of the table */

struct reuse_tracker {
    struct reuse_line *line;
    size_t capacity, used;
    uint64_t time;
    uint32_t block; /* running count of blocks */
    int block_in_group;
    bool stores_stay;     /* a store leaves its line in the L1 */
    bool stores_allocate; /* ... and puts it there */
};

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_PAST /* does not touch the L1 */
};

/* What one access found. Times are REUSE_COLD when this block did not touch the
 * line (or, of the L1, did not load it, or a store evicted it since). */
struct reuse_outcome {
    uint64_t l1_time, l2_time;
    /* The same times, but an access made while the line is on its way waits as
     * long as the one that fetches it. */
    uint64_t l1_wait, l2_wait;
    /* Of stores: the longest time that the line lay unused since it was stored
     * to before, which it has to stay in the L2 to be written back once. */
    uint64_t store_time;
    bool same_warp;          /* the last access was the same warp's */
    uint32_t l1_new, l2_new; /* sectors that were not there */
    uint32_t l2_beside; /* new to the block, but fetched with others of its */
    uint32_t store_new; /* sectors not stored to before */
};

bool tracker_init(struct reuse_tracker *t);
void tracker_free(struct reuse_tracker *t);
/* Blocks of a group are compared with each other; a new group forgets all. */
void tracker_begin_group(struct reuse_tracker *t);
void tracker_begin_block(struct reuse_tracker *t, int block_in_group);
struct reuse_access {
    uint64_t line;
    uint32_t sectors; /* mask */
    uint32_t fetched; /* with them, those that the L2 has afterwards */
    uint32_t serial;  /* of an atomic, as reuse_line.serial */
    unsigned warp;    /* in its block */
    enum access_kind kind;
    /* The line is still on its way when another warp began to fetch it less
     * than `in_flight` accesses ago, after time `round`, or the same warp after
     * time `phase_start`. */
    uint64_t in_flight, round, phase_start;
    bool leaves; /* it leaves what it has where it is next looked for, and
                  * fetches nothing that others could wait for */
};
/* False when out of memory. */
bool tracker_access(struct reuse_tracker *t, const struct reuse_access *a,
                    struct reuse_outcome *out);
/* A line that some block of the group has touched. */
const struct reuse_line *tracker_line(const struct reuse_tracker *t,
                                      uint64_t line);

#endif
