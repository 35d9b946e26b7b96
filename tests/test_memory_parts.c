/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory's parts, each driven alone: packets, a controller, the directory,
 * command clocks; and what happens where memory is out. On plain_gpu() a way
 * through the network takes ten cycles and one through a slice 50; a
 * controller's pipeline takes 40. Lines 0 and 1 belong to slice 0, lines 2 and
 * 3 to slice 1. */
#include "sampler/memory/clock_edges.h"
#include "tests/memory_packets.h"
#include "tests/quiet_memory.h"

/* ---- packets ------------------------------------------------------------ */

START_TEST(packets_are_used_again)
{
    struct memory_core core;
    struct gpu g = plain_gpu();
    mem_init(&core, &g);
    uint32_t a = mem_new_packet(&core), b = mem_new_packet(&core);
    ck_assert_uint_ne(a, b);
    mem_drop_packet(&core, a);
    ck_assert_uint_eq(mem_new_packet(&core), a);
    core.packet[b].request.line = 7;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t more = mem_new_packet(&core);
        ck_assert_uint_ne(more, NO_PACKET);
        ck_assert_uint_ne(more, a);
        ck_assert_uint_ne(more, b);
    }
    ck_assert_uint_eq(core.packet[b].request.line, 7);
    mem_free(&core);
}
END_TEST

START_TEST(lists_keep_order)
{
    struct packet packet[3];
    struct packet_list l = NO_PACKETS;
    ck_assert(packet_list_empty(&l));
    packet_list_add(&l, packet, 2);
    packet_list_add(&l, packet, 0);
    ck_assert_uint_eq(packet_list_take(&l, packet), 2);
    packet_list_add(&l, packet, 1);
    ck_assert_uint_eq(packet_list_take(&l, packet), 0);
    ck_assert_uint_eq(packet_list_take(&l, packet), 1);
    ck_assert(packet_list_empty(&l));
    packet_list_add(&l, packet, 1);
    ck_assert_uint_eq(packet_list_take(&l, packet), 1);
}
END_TEST

/* A request counts once, however many parts its answer has. */
START_TEST(served_counts_once)
{
    struct packet p = {0};
    uint64_t l2 = 0, memory = 0;
    mem_count_served(&p, &l2);
    mem_count_served(&p, &memory);
    ck_assert_uint_eq(l2, 1);
    ck_assert_uint_eq(memory, 0);
}
END_TEST

/* ---- a controller ------------------------------------------------------- */

struct admissions {
    int count, slice[8];
    double time;
};

static bool note_admission(void *user, int slice, double now)
{
    struct admissions *a = user;
    ck_assert_int_lt(a->count, 8);
    a->slice[a->count++] = slice;
    a->time = now;
    return true;
}

struct controller_bench {
    struct gpu gpu;
    struct memory_core core;
    struct network network;
    struct rooms rooms;
    struct admissions admissions;
    struct controller controller;
};

static void open_controller(struct controller_bench *b, const struct gpu *g)
{
    *b = (struct controller_bench){.gpu = *g};
    const struct controller_callbacks up = {.user = &b->admissions,
                                            .admitted = note_admission};
    mem_init(&b->core, &b->gpu);
    open_network(&b->network, &b->core, &b->rooms);
    ck_assert(controller_init(&b->controller, &b->core, &b->network, 0, &up));
}

static void close_controller(struct controller_bench *b)
{
    controller_free(&b->controller);
    network_free(&b->network);
    mem_free(&b->core);
}

/* The next read's data at the slice. */
static struct event next_return(struct controller_bench *b)
{
    struct event e = next_event(&b->core);
    while (e.kind == CONTROLLER_STEP) {
        ck_assert(controller_step(&b->controller, e.time));
        e = next_event(&b->core);
    }
    ck_assert_int_eq(e.kind, DRAM_RETURN);
    return e;
}

static uint32_t send_read(struct controller_bench *b, uint64_t line, double now)
{
    uint32_t id = new_packet(&b->core, REQUEST_DRAM_READ, 0, line);
    ck_assert(controller_send(&b->controller, id, now));
    return id;
}

/* Reads of one row come back in order, not before the pipeline and the row and
 * column latencies are over. */
START_TEST(controller_keeps_order)
{
    struct gpu g = plain_gpu();
    struct controller_bench b;
    open_controller(&b, &g);
    uint32_t first = send_read(&b, 0, 10), second = send_read(&b, 1, 10);
    struct event e = next_return(&b);
    ck_assert_uint_eq(e.subject, first);
    ck_assert_uint_ge(e.time, (uint64_t)(10 + 40 + g.dram.rcd + g.dram.cl));
    ck_assert_uint_eq(next_return(&b).subject, second);
    ck_assert_int_eq(b.controller.under_way, 2);
    ck_assert(controller_returned(&b.controller, (double)e.time));
    ck_assert(controller_returned(&b.controller, (double)e.time));
    ck_assert_int_eq(b.controller.under_way, 0);
    close_controller(&b);
}
END_TEST

/* With one in flight the second waits at the door until the first is back. */
START_TEST(controller_has_a_door)
{
    struct gpu g = plain_gpu();
    struct controller_bench b;
    g.dram.in_flight = 1;
    open_controller(&b, &g);
    uint32_t first = send_read(&b, 0, 0), second = send_read(&b, 1, 0);
    ck_assert_int_eq(b.core.at_doors[0], 1);
    struct event e = next_return(&b);
    ck_assert_uint_eq(e.subject, first);
    ck_assert_int_eq(b.admissions.count, 0);
    ck_assert(controller_returned(&b.controller, (double)e.time));
    ck_assert_int_eq(b.admissions.count, 1);
    ck_assert_int_eq(b.admissions.slice[0], 0);
    ck_assert_double_eq(b.admissions.time, (double)e.time);
    ck_assert_int_eq(b.core.at_doors[0], 0);
    uint64_t admitted = e.time;
    e = next_return(&b);
    ck_assert_uint_eq(e.subject, second);
    ck_assert_uint_ge(e.time, admitted + 40);
    close_controller(&b);
}
END_TEST

/* By command clocks, which are cycles here: two slices of a channel with two
 * reads each, sent at 10, take turns at the door. The first is a cycle on the
 * way there, may go in at the next, is the channel's a clock after it has come
 * through, and leaves it one after its latency. */
START_TEST(controller_by_clocks)
{
    static const uint64_t line[4] = {0, 1, 4, 5};
    struct gpu g = plain_gpu();
    struct controller_bench b;
    g.l2.banks = 4;
    g.dram.clocked = 1;
    open_controller(&b, &g);
    for (int i = 0; i < 4; i++) {
        uint32_t id = send_read(&b, line[i], 10);
        ck_assert_int_eq(b.core.packet[id].slice, i < 2 ? 0 : 2);
    }
    ck_assert_int_eq(b.core.at_doors[0], 2);
    ck_assert_int_eq(b.core.at_doors[2], 2);
    ck_assert_uint_eq(next_return(&b).time,
                      (uint64_t)(10 + 2 + 40 + 1 + g.dram.rcd + g.dram.cl + 1));
    for (int i = 0; i < 3; i++)
        next_return(&b);
    ck_assert_int_eq(b.admissions.count, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(b.admissions.slice[i], i % 2 == 0 ? 0 : 2);
    ck_assert_double_eq(b.admissions.time, 12 + 3);
    close_controller(&b);
}
END_TEST

/* A write ends at the channel: its packet is free again and nothing is left. */
START_TEST(controller_ends_writes)
{
    struct gpu g = plain_gpu();
    struct controller_bench b;
    open_controller(&b, &g);
    uint32_t id = new_packet(&b.core, REQUEST_DRAM_WRITE, 0, 0);
    ck_assert(controller_send(&b.controller, id, 0));
    while (events_next(&b.core.events) != NO_EVENT) {
        struct event e = next_event(&b.core);
        ck_assert_int_eq(e.kind, CONTROLLER_STEP);
        ck_assert(controller_step(&b.controller, e.time));
    }
    ck_assert_int_eq(b.controller.under_way, 0);
    ck_assert_uint_eq(mem_new_packet(&b.core), id);
    close_controller(&b);
}
END_TEST

/* ---- the directory ------------------------------------------------------ */

struct told {
    int invalidated, expected, written_back;
    uint32_t words, sectors;
};

static void on_invalidate(void *user, int sm, uint64_t line, uint32_t words)
{
    struct told *t = user;
    ck_assert_int_eq(sm, 1);
    ck_assert_uint_eq(line, 0);
    t->invalidated++;
    t->words = words;
}

static void on_expect(void *user, const struct request *r)
{
    struct told *t = user;
    (void)r;
    t->expected++;
}

static bool on_write_back(void *user, int slice, uint64_t line,
                          uint32_t sectors, double now)
{
    struct told *t = user;
    (void)slice, (void)line, (void)now;
    t->written_back++;
    t->sectors = sectors;
    return true;
}

/* SM 1 owns the words 0 to 11 of line 0, so all of sector 0 and half of sector
 * 1; SM 0 makes a request. Whether that serves it. */
static bool ask(struct told *told, enum request_kind kind, uint32_t sectors,
                uint32_t words)
{
    struct gpu g = plain_gpu();
    g.sms = 2;
    g.coherence = COHERENCE_DENOVO;
    struct memory_core core;
    struct network n;
    struct rooms rooms = {0};
    struct directory d;
    *told = (struct told){0};
    const struct directory_callbacks up = {.user = told,
                                           .invalidate = on_invalidate,
                                           .expect_answer = on_expect,
                                           .slices = told,
                                           .write_back = on_write_back};
    mem_init(&core, &g);
    open_network(&n, &core, &rooms);
    ck_assert(directory_init(&d, &core, &n, &up));
    ck_assert(owners_set(&d.owners, 0, 0xfff, 1));
    uint32_t id = new_packet(&core, kind, 0, 0);
    core.packet[id].request.sectors = sectors;
    core.packet[id].request.l1_sectors = words;
    bool served;
    ck_assert(directory_serve(&d, id, 10, &served));
    directory_free(&d);
    network_free(&n);
    mem_free(&core);
    return served;
}

START_TEST(directory_alone)
{
    struct told t;
    /* Words that nobody owns are the L2's matter. */
    ck_assert(!ask(&t, REQUEST_FILL, 8, 0xff000000));
    ck_assert_int_eq(t.expected + t.invalidated + t.written_back, 0);
    /* Their owner serves words, and goes on owning them. */
    ck_assert(ask(&t, REQUEST_FILL, 1, 0xf));
    ck_assert_int_eq(t.expected + t.invalidated + t.written_back, 0);
    /* The L2 serves the rest: two answers. */
    ck_assert(!ask(&t, REQUEST_FILL, 2, 0xff00));
    ck_assert_int_eq(t.expected, 1);
    ck_assert_int_eq(t.invalidated, 0);
    /* A store takes words over, one past the L1 recalls them. */
    ck_assert(ask(&t, REQUEST_OWN, 1, 0xf0));
    ck_assert_int_eq(t.invalidated, 1);
    ck_assert_uint_eq(t.words, 0xf0);
    ck_assert_int_eq(t.written_back, 0);
    ck_assert(ask(&t, REQUEST_WRITE, 1, 0));
    ck_assert_uint_eq(t.words, 0xff);
    ck_assert_int_eq(t.written_back, 1);
    ck_assert_uint_eq(t.sectors, 1);
}
END_TEST

/* ---- memory is out ------------------------------------------------------ */

/* A pool that has no free record and cannot grow. */
static const struct pool exhausted = {.capacity = UINT32_MAX,
                                      .free = UINT32_MAX};

START_TEST(no_packet_is_an_error)
{
    struct gpu g = plain_gpu();
    struct memory m;
    const struct request r = {.sectors = 1, .kind = REQUEST_READ};
    open_memory(&m, &g);
    m.core.packets = exhausted;
    ck_assert(!memory_send(&m, &r, 0, 0));
    memory_free(&m);
}
END_TEST

/* The slice finds no packet for its fetch; or a port that passes a packet finds
 * one event, its own, where it needs one for that and one for the next. */
START_TEST(advance_stops_where_memory_is_out)
{
    struct gpu g = plain_gpu();
    struct memory m;
    const struct request r = {.sectors = 1, .kind = REQUEST_READ};
    open_memory(&m, &g);
    ck_assert(memory_send(&m, &r, 0, 0));
    ck_assert(memory_send(&m, &r, 0, 0));
    *(_i == 0 ? &m.core.packets : &m.core.events.near_events) = exhausted;
    ck_assert(!memory_advance(&m, 1000));
    memory_free(&m);
}
END_TEST

static void add_parts(TCase *tc)
{
    tcase_add_test(tc, packets_are_used_again);
    tcase_add_test(tc, lists_keep_order);
    tcase_add_test(tc, served_counts_once);
    tcase_add_test(tc, controller_keeps_order);
    tcase_add_test(tc, controller_has_a_door);
    tcase_add_test(tc, controller_by_clocks);
    tcase_add_test(tc, controller_ends_writes);
    tcase_add_test(tc, directory_alone);
    tcase_add_test(tc, no_packet_is_an_error);
    tcase_add_loop_test(tc, advance_stops_where_memory_is_out, 0, 2);
}

/* ---- clock edges -------------------------------------------------------- */

/* 700 and 924 MHz coincide every 25 and 33 edges, where sums of the periods, a
 * millionth of a millionth apart, say which is first; elsewhere it is plain. */
START_TEST(edges_that_coincide)
{
    struct clock_edges e;
    clock_edges_init(&e, 700, 924);
    double core = 0, dram = 0;
    int later = 0;
    ck_assert_uint_eq(clock_edges_cycle(&e, 0), 0);
    for (uint64_t tie = 1; tie <= 200; tie++) {
        for (int i = 0; i < 25; i++)
            core += 1 / 700e6;
        for (int i = 0; i < 33; i++)
            dram += 1 / 924e6;
        later += dram > core;
        ck_assert_uint_eq(clock_edges_cycle(&e, 33 * tie),
                          25 * tie + (dram > core));
        ck_assert_uint_eq(clock_edges_cycle(&e, 33 * tie + 1), 25 * tie + 1);
        ck_assert_uint_eq(clock_edges_cycle(&e, 33 * tie - 1), 25 * tie);
    }
    ck_assert(later > 0 && later < 200);
    ck_assert_uint_eq(clock_edges_cycle(&e, 33), 25); /* long ago */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory parts");
    TCase *tc = tcase_create("parts");
    add_parts(tc);
    tcase_add_test(tc, edges_that_coincide);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
