/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The front end: it fetches and decodes instructions into each warp's buffer,
 * and keeps in the warp table what schedulers may know of the first one there.
 */
#ifndef SAMPLER_SM_FRONTEND_H
#define SAMPLER_SM_FRONTEND_H

#include "sampler/sm/core.h"
#include "sampler/sm/icache.h"
#include "sampler/sm/scoreboard.h"

#include <stdbool.h>
#include <stdint.h>

/* The instructions of one warp, from its stream to issue. */
struct fetch_buffer {
    bool stream_ended;
    bool fetching;     /* instructions are on their way */
    bool refused;      /* the cache must be asked for them again */
    uint8_t buffered;  /* decoded instructions */
    uint8_t incoming;  /* instructions on their way */
    uint8_t head;      /* place of the first decoded one */
    uint8_t unit;      /* of it, if it is marked in frontend.head_unit */
    struct step *step; /* ring of frontend.size instructions */
};

struct frontend {
    struct sm_core *core;
    struct icache *icache;
    const struct scoreboard *scoreboard;
    uint64_t wanting; /* live warps with room and nothing on its way */
    int next;         /* warp that is looked at first */
    int size;
    bool needs_loaded;              /* the policy reads head_reads_load */
    bool needs_open;                /* ... long_open, of warp_table */
    uint64_t head_unit[EXEC_UNITS]; /* warps whose first instruction needs it */
    struct fetch_buffer buffer[MAX_WARP_SLOTS];
    struct step *steps; /* of all buffers */
    /* Called when a fetch finds that the warp has nothing left to issue: its
     * stream has ended, its buffer is empty. */
    void (*ended)(void *user, int warp);
    void *user;
};

/* With core, icache, scoreboard, what the policy needs and ended set. False
 * when memory is out; frontend_free in any case. */
bool frontend_init(struct frontend *f);
void frontend_free(struct frontend *f);

/* A warp that is marked live begins; one that no longer is has ended. */
void frontend_start_warp(struct frontend *f, int warp);
void frontend_end_warp(struct frontend *f, int warp);

static inline bool frontend_has_work(const struct frontend *f)
{
    return f->wanting != 0 || icache_has_ready(f->icache);
}

/* Fetch for as many warps as a cycle allows. */
void frontend_fetch(struct frontend *f);
/* What the warp fetched is decoded. */
void frontend_decoded(struct frontend *f, int warp);
/* The outcome of the warp's branch is known. */
void frontend_branch_done(struct frontend *f, int warp);

/* The warp's first decoded instruction, if it has one. */
static inline const struct step *frontend_head(const struct frontend *f,
                                               int warp)
{
    const struct fetch_buffer *b = &f->buffer[warp];
    return &b->step[b->head];
}

/* The warp's first instruction is issued. Returns whether it was its last. */
bool frontend_pop(struct frontend *f, int warp);
/* ... and what the warp table says of the next one is up to date. */
void frontend_issued(struct frontend *f, int warp);
/* Results of the warp are written, for which its first instruction may wait. */
void frontend_written(struct frontend *f, int warp);

#endif
