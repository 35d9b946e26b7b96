/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests that drive a part of the memory alone: packets to give it, the
 * events that it makes, and the network that it sends through. */
#ifndef TESTS_MEMORY_PACKETS_H
#define TESTS_MEMORY_PACKETS_H

#include "sampler/memory/memory.h"
#include "tests/script_kernel.h"

#include <check.h>

static inline uint32_t new_packet(struct memory_core *core,
                                  enum request_kind kind, int sm, uint64_t line)
{
    uint32_t id = mem_new_packet(core);
    ck_assert_uint_ne(id, NO_PACKET);
    struct place at = address_locate(core->gpu, line);
    core->packet[id] = (struct packet){
        .request = {.line = line,
                    .sectors = 1,
                    .sm = (uint16_t)sm,
                    .kind = (uint8_t)kind},
    };
    packet_place(&core->packet[id], &at);
    return id;
}

static inline struct event next_event(struct memory_core *core)
{
    struct event e;
    ck_assert_uint_ne(events_next(&core->events), NO_EVENT);
    ck_assert(events_pop(&core->events, &e));
    return e;
}

/* A network that counts what it tells. */
struct rooms {
    int sms, slices;
};

static inline void count_sm_room(void *user, int sm)
{
    struct rooms *r = user;
    ck_assert_int_eq(sm, 0);
    r->sms++;
}

static inline bool count_slice_room(void *user, int slice, double now)
{
    struct rooms *r = user;
    (void)slice, (void)now;
    r->slices++;
    return true;
}

static inline void open_network(struct network *n, struct memory_core *core,
                                struct rooms *rooms)
{
    const struct network_callbacks up = {.user = rooms,
                                         .sm_room = count_sm_room,
                                         .slice_room = count_slice_room};
    ck_assert(network_init(n, core, 8, &up));
}

#endif
