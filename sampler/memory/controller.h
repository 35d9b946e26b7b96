/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A memory controller. Packets of its slices go through a pipeline of
 * dram.latency into the queue that its channel chooses from. When that queue is
 * full the pipeline stands, and takes no more than it holds in flight. With
 * dram.in_flight no more than so many are under way from the controller's door
 * to a read's data or a write's last command.
 *
 * With dram.clocked (GPGPU-Sim l2cache.cc, memory_partition_unit::dram_cycle)
 * each slice has a queue of its own at the door, behind one that lets a packet
 * on each L2 cycle. In a command clock the channel does its work, then the
 * slice whose turn it is sends one packet into the pipeline, then the pipeline
 * one to the channel. Of what may be under way one place is kept for each
 * slice. A slice takes the data of one read an L2 cycle. */
#ifndef SAMPLER_MEMORY_CONTROLLER_H
#define SAMPLER_MEMORY_CONTROLLER_H

#include "sampler/memory/core.h"
#include "sampler/memory/dram.h"
#include "sampler/memory/network.h"

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
    int *waiting; /* [l2.banks] packets of a slice at the door */
    uint64_t due; /* of its next CONTROLLER_STEP, or NO_EVENT */
    struct packet_list door;
    /* With dram.clocked: */
    struct controller_slice *slice; /* [slices] of this channel */
    int slices, last;               /* the one that sent last */
    int shared; /* under way, apart from those in places that are kept */
    struct returning *returning; /* ring of most_returning */
    int most_returning, first_returning, returns;
    uint64_t clock; /* of the last step */
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
/* Packets of a slice that wait at the door. */
static inline int controller_waiting(const struct controller *c, int slice)
{
    return c->waiting[slice];
}
/* The data of a read are at its slice. */
bool controller_returned(struct controller *c, double now);

/* The event CONTROLLER_STEP. */
bool controller_step(struct controller *c, uint64_t now);

#endif
