/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Perf-Sat's state machine (perfsat Sec. IV-B, Fig. 6) for one SM: fed with one
 * sample after the other, it moves the number N of resident blocks until it has
 * found the one after which stalled cycles no longer fall. The rules follow the
 * text and its example of 15 blocks at most and 12 at best.
 *
 * "A direction is decided only if two consecutive decisions favour it"; after a
 * turn the text goes on to the strong state at the next sample that agrees, so
 * the turn is the first of the two (`turn_counts`). Without it two further
 * samples have to agree, as at the start. */
#ifndef SAMPLER_POLICY_BLOCK_PERFSAT_SEARCH_H
#define SAMPLER_POLICY_BLOCK_PERFSAT_SEARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum perfsat_state {
    PERFSAT_START, /* no sample yet */
    PERFSAT_WEAK_INCREASE,
    PERFSAT_STRONG_INCREASE,
    PERFSAT_WEAK_DECREASE,
    PERFSAT_STRONG_DECREASE,
    PERFSAT_DONE
};
extern const char *const perfsat_state_names[]; /* "weak-increase", ... */

enum perfsat_reason {
    PERFSAT_SEARCHING,
    PERFSAT_ONE_FITS,       /* there is nothing to search */
    PERFSAT_BOUND,          /* still better at 1 or at all that fit */
    PERFSAT_NO_LOWER,       /* two samples no lower than the one before */
    PERFSAT_NO_DIRECTION,   /* toggled between increase and decrease */
    PERFSAT_WEAK_AND_STRONG /* toggled between weak and strong */
};

struct perfsat_step {
    uint64_t sample, stored; /* as compared */
    int blocks, next_blocks;
    enum perfsat_state next_state;
    bool history;
    int toggles;
};

/* More than enough for searches that make up their mind. */
#define PERFSAT_LOG 64

struct perfsat_search {
    int max;          /* blocks that fit */
    bool turn_counts; /* a turn is the first of the two decisions in a row that
                       * set the direction */
    int blocks;       /* N: allowed at present; when done, the count detected */
    enum perfsat_state state;
    enum perfsat_reason reason;
    uint64_t stored; /* the sample to compare with */
    bool history;    /* one sample has already spoken for this direction */
    bool directed;   /* the direction is decided */
    int toggles;     /* since the start or since the direction was decided */

    uint32_t samples;
    struct perfsat_step log[PERFSAT_LOG]; /* the first samples */
};

/* Begin a search among 1..max blocks. */
void perfsat_search_start(struct perfsat_search *s, int max, bool turn_counts);
/* The stalled cycle count of a period with s->blocks blocks; not once done. */
void perfsat_search_sample(struct perfsat_search *s, uint64_t sample);
/* A line a sample, each after `prefix`, then the decision. */
void perfsat_search_explain(const struct perfsat_search *s, const char *prefix,
                            FILE *out);

#endif
