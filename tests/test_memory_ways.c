/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways between SMs and L2 slices, each driven alone: a crossbar, and the
 * network that is made of two. On plain_gpu() a flit takes a port one cycle, a
 * way through the network ten more and one through a slice 50. Lines 0 and 1
 * belong to slice 0, lines 2 and 3 to slice 1. */
#include "tests/memory_packets.h"

/* ---- a crossbar --------------------------------------------------------- */

struct passes {
    int count;
    uint32_t id[8];
    double time[8];
};

static bool note_pass(void *user, uint32_t id, double time)
{
    struct passes *p = user;
    ck_assert_int_lt(p->count, 8);
    p->id[p->count] = id;
    p->time[p->count++] = time;
    return true;
}

/* Two ports in, two out, space for two behind each of these. */
static void open_crossbar(struct crossbar *x, struct memory_core *core,
                          struct passes *log)
{
    const struct crossbar_wiring w = {.inputs = 2,
                                      .outputs = 2,
                                      .space = 2,
                                      .passed = note_pass,
                                      .user = log};
    ck_assert(crossbar_init(x, core, &w));
}

static void push(struct crossbar *x, int in, int out, uint32_t id, double now)
{
    struct packet *p = &x->core->packet[id];
    p->port = (uint16_t)out;
    p->flits = 3;
    p->space = 1;
    ck_assert(crossbar_push(x, in, id, now));
}

static void run_crossbar(struct crossbar *x)
{
    while (events_next(&x->core->events) != NO_EVENT) {
        struct event e = next_event(x->core);
        int port = crossbar_port(e.subject);
        ck_assert(e.kind == PORT_REQUEST ? crossbar_request(x, port)
                                         : crossbar_grant(x, port, e.time));
    }
}

/* One packet passes when it comes, the next of its port three flits later, and
 * one of the other port in between, as it is its turn. */
START_TEST(crossbar_alone)
{
    struct memory_core core;
    struct gpu g = plain_gpu();
    struct crossbar x;
    struct passes log = {0};
    mem_init(&core, &g);
    open_crossbar(&x, &core, &log);
    uint32_t id[3];
    for (int i = 0; i < 3; i++) {
        id[i] = new_packet(&core, REQUEST_WRITE, 0, 0);
        push(&x, i / 2, 1, id[i], 5);
    }
    run_crossbar(&x);
    /* No space is left for the third. */
    ck_assert_int_eq(log.count, 2);
    ck_assert_uint_eq(log.id[0], id[0]);
    ck_assert_double_eq(log.time[0], 5);
    ck_assert_uint_eq(log.id[1], id[2]);
    ck_assert_double_eq(log.time[1], 8);
    ck_assert(crossbar_release(&x, 1, 1, 20));
    run_crossbar(&x);
    ck_assert_int_eq(log.count, 3);
    ck_assert_uint_eq(log.id[2], id[1]);
    ck_assert_double_eq(log.time[2], 20);
    crossbar_free(&x);
    mem_free(&core);
}
END_TEST

/* ---- the network -------------------------------------------------------- */

/* The next event that is not a port's. */
static struct event beyond_ports(struct network *n)
{
    struct event e = next_event(n->core);
    while (e.kind == PORT_REQUEST || e.kind == PORT_GRANT ||
           e.kind == ROUTER_STEP) {
        ck_assert(network_event(n, &e));
        e = next_event(n->core);
    }
    return e;
}

/* There: a flit, the way, the slice. Back: a flit, the way. */
START_TEST(network_alone)
{
    struct memory_core core;
    struct gpu g = plain_gpu();
    struct network n;
    struct rooms rooms = {0};
    mem_init(&core, &g);
    open_network(&n, &core, &rooms);
    uint32_t id = new_packet(&core, REQUEST_READ, 0, 2);
    ck_assert(network_send(&n, id, 0, 100));
    struct event e = beyond_ports(&n);
    ck_assert_int_eq(e.kind, L2_ARRIVAL);
    ck_assert_uint_eq(e.subject, id);
    ck_assert_uint_eq(e.time, 100 + 1 + 10 + 50);
    ck_assert(network_answer(&n, id, 200));
    e = beyond_ports(&n);
    ck_assert_int_eq(e.kind, SM_REPLY);
    ck_assert_uint_eq(e.time, 200 + 1 + 10);
    ck_assert_int_eq(rooms.sms, 0);
    ck_assert_int_eq(rooms.slices, 1);
    ck_assert_uint_eq(core.counts.noc_flits, 2);
    ck_assert_uint_eq(core.counts.noc_crossings[NOC_READ], 2);
    network_free(&n);
    mem_free(&core);
}
END_TEST

/* Three answers to three SMs, all in cycle 200: a router of packets gets one a
 * cycle of a slice, all at once of three. */
START_TEST(a_slice_sends_an_answer_a_cycle)
{
    for (int slices = 1; slices <= 4; slices += 3) {
        struct memory_core core;
        struct gpu g = plain_gpu();
        struct network n;
        struct rooms rooms = {0};
        uint64_t first = 0;
        g.sms = 4;
        g.l2.banks = 4;
        g.icnt.router = ROUTER_PACKETS;
        mem_init(&core, &g);
        open_network(&n, &core, &rooms);
        for (int i = 0; i < 3; i++) {
            uint64_t line = slices == 1 ? 0 : 2 * (uint64_t)i;
            uint32_t id = new_packet(&core, REQUEST_READ, i, line);
            ck_assert(network_answer(&n, id, 200));
        }
        for (uint64_t i = 0; i < 3; i++) {
            struct event e = beyond_ports(&n);
            first = i == 0 ? e.time : first;
            ck_assert_uint_eq(e.time, first + (slices == 1 ? i : 0));
        }
        network_free(&n);
        mem_free(&core);
    }
}
END_TEST

/* Slices that answer an SM in the same cycle take turns as ports: slice after
 * slice, or channel after channel, of two. */
START_TEST(slices_as_ports)
{
    static const uint64_t line_of[4] = {0, 2, 4, 6};
    static const int turns[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}};
    for (int by_channel = 0; by_channel < 2; by_channel++) {
        struct memory_core core;
        struct gpu g = plain_gpu();
        struct network n;
        struct rooms rooms = {0};
        g.l2.banks = 4;
        g.icnt.by_channel = by_channel;
        mem_init(&core, &g);
        open_network(&n, &core, &rooms);
        for (int slice = 3; slice >= 0; slice--) {
            uint32_t id = new_packet(&core, REQUEST_READ, 0, line_of[slice]);
            ck_assert_int_eq(core.packet[id].slice, slice);
            ck_assert(network_answer(&n, id, 200));
        }
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(core.packet[beyond_ports(&n).subject].slice,
                             turns[by_channel][i]);
        network_free(&n);
        mem_free(&core);
    }
}
END_TEST

/* A port that holds as many flits as it has room for takes no more; that it has
 * room again is said when the first leaves. */
START_TEST(network_tells_of_room)
{
    struct memory_core core;
    struct gpu g = plain_gpu();
    struct network n;
    struct rooms rooms = {0};
    g.l1.miss_queue = g.icnt.input_queue = 1;
    mem_init(&core, &g);
    open_network(&n, &core, &rooms);
    for (int i = 0; i < 2; i++) {
        ck_assert(network_sm_has_room(&n, 0));
        uint32_t id = new_packet(&core, REQUEST_READ, 0, 0);
        ck_assert(network_send(&n, id, 0, 0));
    }
    ck_assert(!network_sm_has_room(&n, 0));
    ck_assert_int_eq(rooms.sms, 0);
    beyond_ports(&n);
    ck_assert(network_sm_has_room(&n, 0));
    ck_assert_int_eq(rooms.sms, 1);
    network_free(&n);
    mem_free(&core);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory ways");
    TCase *tc = tcase_create("parts");
    tcase_add_test(tc, crossbar_alone);
    tcase_add_test(tc, network_alone);
    tcase_add_test(tc, a_slice_sends_an_answer_a_cycle);
    tcase_add_test(tc, slices_as_ports);
    tcase_add_test(tc, network_tells_of_room);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
