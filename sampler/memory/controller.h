/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A memory controller, a channel's. Packets of its slices go through a pipeline
 * of dram.latency into the queue that its channel chooses from. When that queue
 * is full the pipeline stands, and takes no more than it holds in flight. With
 * dram.in_flight no more than so many are under way from the controller's door
 * to a read's data or a write's last command.
 *
 * There are two machines between door and channel, as there are around the
 * operand collectors: a plain one (controller_plain.h), and with dram.clocked
 * one that goes by command clocks (controller_clocked.h). */
#ifndef SAMPLER_MEMORY_CONTROLLER_H
#define SAMPLER_MEMORY_CONTROLLER_H

#include "sampler/memory/clock_edges.h"
#include "sampler/memory/core.h"
#include "sampler/memory/dram.h"
#include "sampler/memory/network.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct controller_callbacks {
    void *user;
    /* A packet of the slice, which waited at the door, has come in. */
    bool (*admitted)(void *user, int slice, double now);
};

struct piped_packet {
    double ready; /* core cycle at which it has come through */
    uint32_t id;
};

/* A slice at its controller, with dram.clocked. */
struct controller_slice {
    struct packet_list door;
    uint64_t let_on; /* cycle at which its newest packet has come to the door */
    double filled;   /* cycle of its newest read's data */
    bool kept;       /* the place that is kept for it is taken */
};

/* A read's data on their way out of the channel. */
struct returning {
    uint64_t clock; /* in which they leave it */
    int slice;
};

struct controller {
    struct memory_core *core;
    struct network *network; /* for the distance to its slices */
    int channel;
    int latency;        /* of the pipeline, core cycles */
    int stages;         /* of the pipeline, command clocks */
    double mesh_cycles; /* from the end of a read's data to its slice, no hop
                         * away */
    int most;           /* that may be under way, 0: any number */
    struct piped_packet *pipeline; /* ring of stages + 1 */
    int first, piped;              /* the oldest in it; how many are */
    int under_way;                 /* packets from the door to the end */
    uint64_t due; /* of its next CONTROLLER_STEP, or NO_EVENT */
    struct packet_list door;
    /* With dram.clocked: */
    struct controller_slice *slice; /* [slices] of this channel */
    int slices, last;               /* the one that sent last */
    int shared; /* under way, apart from those in places that are kept */
    struct returning *returning; /* ring of most_returning */
    int most_returning, first_returning, returns;
    uint64_t clock; /* of the last step */
    struct clock_edges edges;
    struct dram_channel dram;
    struct controller_callbacks up;
};

/* Core cycles that a machine's mesh.memory_near has beyond an L2 hit, its
 * controllers' pipeline and an access to an idle bank; 0 without a mesh. */
double controller_mesh_cycles(const struct gpu *g);

/* False when memory is out; controller_free() is due in either case. */
bool controller_init(struct controller *c, struct memory_core *core,
                     struct network *network, int channel,
                     const struct controller_callbacks *up);
void controller_free(struct controller *c);

/* A new packet reads or writes memory of its slice and place: the event
 * DRAM_RETURN for a read, a write leaves no trace. */
bool controller_send(struct controller *c, uint32_t id, double now);
/* The data of a read are at its slice. */
bool controller_returned(struct controller *c, double now);

/* The event CONTROLLER_STEP. */
bool controller_step(struct controller *c, uint64_t now);

/* ---- for the two machines (controller_pipeline.c) ------------------------ */

/* Be back at `time`; a CONTROLLER_STEP that is due later is then void. */
bool controller_wake(struct controller *c, double time);
/* When the oldest in the pipeline, if there is one, has come through. */
static inline double controller_next_ready(const struct controller *c)
{
    return c->piped > 0 ? c->pipeline[c->first].ready : INFINITY;
}
/* The oldest leaves the pipeline, for the channel. */
struct dram_request controller_come_through(struct controller *c);
/* A read's data, which end at `done`, go to their slice; with l2.staged a cycle
 * later, since what waits for them passes the queue of the MSHRs. */
bool controller_answer(struct controller *c, uint32_t id, double done);

#endif
