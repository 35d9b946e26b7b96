/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A memory controller. Packets of its slices go through a pipeline of
 * dram.latency into the queue that its channel chooses from. When that queue is
 * full the pipeline stands, and takes no more than it holds in flight. With
 * dram.in_flight no more than so many are under way from the controller's door
 * to a read's data or a write's last command. */
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
