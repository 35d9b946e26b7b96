/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sequence of launches over the same memory, shared by the kernels that stand
 * for them. Each place in the sequence is a turn, of one of its launches: turn
 * t finds version t of the memory, which the whole grids of the turns before it
 * leave. A turn is executed as a whole only when a block of a later one is
 * asked for, once. Turns in order have a version of the memory for every block,
 * which is what the blocks before it left: such a turn is executed when a block
 * of its own is asked for. */
#ifndef KERNELS_PTX_LAUNCH_SEQUENCE_H
#define KERNELS_PTX_LAUNCH_SEQUENCE_H

#include "kernels/ptx/execute/interblock.h"
#include "kernels/ptx/execute/tickets.h"
#include "kernels/ptx/launch/launch.h"

#include <pthread.h>
#include <stdatomic.h>

struct ptx_part { /* a launch that is set up, for any number of turns */
    struct ptx_program program;
    struct ptx_launch launch;
    struct ptx_interblock interblock;
    enum ptx_draws draws;
    bool registers_given; /* by the launch file */
    uint32_t registers; /* of a thread, as the assembler has it; 0: not known */
    char target[32];    /* ... for this one */
    bool newer;         /* ... which is newer than the GPU in question */
    bool unlike;        /* ... so much that its registers are others */
};

struct ptx_sequence {
    struct ptx_module module;
    struct ptx_session session; /* its memory; it has no launch */
    struct ptx_part *part;
    size_t parts;
    uint32_t *order; /* indices of `part` */
    uint32_t turns;
    bool in_order;   /* before ptx_sequence_count() */
    uint32_t *first; /* version that the first block of a turn finds */
    atomic_size_t users;

    pthread_mutex_t running;      /* held while turns are executed */
    atomic_uint ran;              /* so many turns have been */
    struct ptx_tickets **tickets; /* of a turn; NULL: not drawn yet */
    bool failed;                  /* one could not be, and why */
    struct error error;
    char note[640]; /* lines for the first kernel, may be empty */
};

/* Turns of `parts` launches that are not set up yet, with one user; NULL: no
 * memory. module, session, part and order are for the caller to fill in. */
struct ptx_sequence *ptx_sequence_create(size_t parts, size_t turns);
/* One more user, one less; without any it is freed. */
void ptx_sequence_share(struct ptx_sequence *t);
void ptx_sequence_release(struct ptx_sequence *t);

/* Let the session's launch be part `index`. */
bool ptx_sequence_set(struct ptx_sequence *t, size_t index, struct error *e);

/* Number the versions once all parts are set and ordered. False with e set when
 * there are too many blocks. */
bool ptx_sequence_count(struct ptx_sequence *t, struct error *e);

/* Let turns have a version of the memory for every block, where blocks wait for
 * those before them: what atomics return is in it, and is not drawn. Before
 * ptx_sequence_count(). */
void ptx_sequence_run_in_order(struct ptx_sequence *t);

/* How a block of a turn sees memory: privately, over what comes before it,
 * which is executed, and with what its atomics return, which is drawn once.
 * False with e set when what comes before it cannot be executed. Any thread may
 * ask. */
bool ptx_sequence_view(struct ptx_sequence *t, uint32_t turn, uint64_t block,
                       struct ptx_view *out, struct error *e);

/* Hashes of what decides streams: of module and memory before the first turn,
 * and of `hash` with a launch after it. */
uint64_t ptx_sequence_hash(const struct ptx_sequence *t);
uint64_t ptx_part_hash(uint64_t hash, const struct ptx_part *p);

#endif
