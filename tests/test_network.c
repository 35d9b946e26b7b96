/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interconnects between SMs and L2 slices, with stores of one sector that
 * carry nothing: one flit there, one back. On plain_gpu() one that nothing
 * delays takes 11 cycles to its slice, 50 in it and 11 back. Lines 0 and 1
 * belong to slice 0, lines 2 and 3 to slice 1. */
#include "sampler/memory/memory.h"
#include "sampler/sampler.h"
#include "tests/script_kernel.h"

#include <check.h>

enum { ALONE = 11 + 50 + 11, MOST = 64 };

struct log {
    int count;
    uint32_t owner[MOST];
    uint64_t at[MOST];
};

static bool on_reply(void *user, const struct request *r, uint64_t now)
{
    struct log *log = user;
    ck_assert_int_lt(log->count, MOST);
    log->owner[log->count] = r->owner;
    log->at[log->count++] = now;
    return true;
}

/* Nobody waits for room at a port. */
static void on_room(void *user, int sm)
{
    (void)user, (void)sm;
}

static struct gpu four_sms(void)
{
    struct gpu g = plain_gpu();
    g.sms = 4;
    return g;
}

static void store(struct memory *m, int sm, uint64_t line, uint32_t owner)
{
    const struct request r = {.line = line,
                              .sectors = 1,
                              .owner = owner,
                              .sm = (uint16_t)sm,
                              .kind = REQUEST_WRITE};
    ck_assert(memory_send(m, &r, 0, 0));
}

struct store {
    int sm;
    uint64_t line;
};

/* Send them all in cycle 0; each is known by its place in the list. */
static struct log send_all(const struct gpu *g, const struct store *p, int n)
{
    struct log log = {0};
    struct memory m;
    const struct memory_callbacks up = {
        .user = &log, .reply = on_reply, .room = on_room};
    ck_assert(memory_init(&m, g, &up));
    for (int i = 0; i < n; i++)
        store(&m, p[i].sm, p[i].line, (uint32_t)i);
    ck_assert(memory_advance(&m, 100000));
    ck_assert_uint_eq(memory_next(&m), NO_EVENT);
    ck_assert_int_eq(log.count, n);
    memory_free(&m);
    return log;
}

static void assert_log(const struct log *log, const uint32_t *owner,
                       const uint64_t *at)
{
    for (int i = 0; i < log->count; i++) {
        ck_assert_uint_eq(log->owner[i], owner[i]);
        ck_assert_uint_eq(log->at[i], at[i]);
    }
}

/* One after another through the SM's port, whatever the slice. */
START_TEST(one_port)
{
    struct gpu g = four_sms();
    struct store p[] = {{0, 0}, {0, 0}, {0, 2}};
    struct log log = send_all(&g, p, 3);
    assert_log(&log, (uint32_t[]){0, 1, 2},
               (uint64_t[]){ALONE, ALONE + 1, ALONE + 2});
}
END_TEST

/* Different ports do not meet. */
START_TEST(no_conflict)
{
    struct gpu g = four_sms();
    struct store p[] = {{0, 0}, {1, 2}};
    struct log log = send_all(&g, p, 2);
    assert_log(&log, (uint32_t[]){0, 1}, (uint64_t[]){ALONE, ALONE});
}
END_TEST

/* SMs that want the same slice take turns. */
START_TEST(turns)
{
    struct gpu g = four_sms();
    struct store p[12];
    for (int i = 0; i < 12; i++)
        p[i] = (struct store){i / 4, 0};
    struct log log = send_all(&g, p, 12);
    for (int i = 0; i < 12; i++) {
        ck_assert_uint_eq(log.at[i], (uint64_t)(ALONE + i));
        ck_assert_uint_eq(log.owner[i], (uint32_t)(i % 3 * 4 + i / 3));
    }
}
END_TEST

/* Two SMs with two packets to slice 0, then two to slice 1. SM 0 is there first
 * and at once asks again, but in that cycle SM 1 asks too, and it is its turn:
 * they stay abreast. */
START_TEST(turns_among_all_of_a_cycle)
{
    struct gpu g = four_sms();
    struct store p[] = {{0, 0}, {0, 0}, {0, 2}, {0, 2},
                        {1, 0}, {1, 0}, {1, 2}, {1, 2}};
    struct log log = send_all(&g, p, 8);
    static const uint64_t start[] = {0, 2, 3, 5, 1, 3, 4, 6};
    for (int n = 0; n < 8; n++)
        ck_assert_uint_eq(log.at[n], ALONE + start[log.owner[n]]);
}
END_TEST

/* SM 1's second packet finds slice 1 free, but waits behind its first, which
 * waits for SM 0's. */
START_TEST(head_of_line)
{
    struct gpu g = four_sms();
    struct store p[] = {{0, 0}, {1, 0}, {1, 2}};
    struct log log = send_all(&g, p, 3);
    assert_log(&log, (uint32_t[]){0, 1, 2},
               (uint64_t[]){ALONE, ALONE + 1, ALONE + 2});
}
END_TEST

/* With a queue for each slice it does not wait. */
START_TEST(virtual_queues)
{
    struct gpu g = four_sms();
    g.icnt.virtual_queues = 1;
    struct store p[] = {{0, 0}, {1, 0}, {1, 2}};
    struct log log = send_all(&g, p, 3);
    assert_log(&log, (uint32_t[]){0, 2, 1},
               (uint64_t[]){ALONE, ALONE, ALONE + 1});
}
END_TEST

/* ... but an SM still sends one packet a cycle, and a slice takes one: six in
 * three cycles, whatever the order in which they are queued. */
START_TEST(ports_are_shared)
{
    struct gpu g = four_sms();
    g.icnt.virtual_queues = 1;
    struct store p[] = {{0, 0}, {0, 0}, {0, 2}, {1, 2}, {1, 0}, {1, 2}};
    struct log log = send_all(&g, p, 6);
    for (int n = 0; n < 6; n++)
        ck_assert_uint_eq(log.at[n], (uint64_t)(ALONE + n / 2));
}
END_TEST

/* A router of packets has one port out after another take a packet: SM 0 sends
 * to both slices in a cycle, before SM 1 to the second; its answers come one by
 * one. To an earlier slice it sends in the next cycle. */
START_TEST(several_packets_a_cycle)
{
    struct gpu g = four_sms();
    g.icnt.router = ROUTER_PACKETS;
    struct store up[] = {{0, 0}, {0, 2}, {1, 2}};
    static const uint64_t later[] = {0, 1, 1};
    struct log log = send_all(&g, up, 3);
    for (int n = 0; n < 3; n++)
        ck_assert_uint_eq(log.at[n], ALONE + later[log.owner[n]]);
    struct store down[] = {{0, 2}, {0, 0}};
    log = send_all(&g, down, 2);
    assert_log(&log, (uint32_t[]){0, 1}, (uint64_t[]){ALONE, ALONE + 1});
}
END_TEST

/* Of a router of flits a packet of one flit takes two steps, one for the
 * channel and one to cross: two a cycle are as a port has it, one is half as
 * fast, and later by the second step, on both ways. */
START_TEST(flits_take_steps)
{
    struct gpu g = four_sms();
    struct store p[12];
    for (int i = 0; i < 12; i++)
        p[i] = (struct store){i / 4, 0};
    g.icnt.router = ROUTER_FLITS;
    for (int speedup = 1; speedup <= 2; speedup++) {
        int slow = speedup == 1;
        g.icnt.speedup = speedup;
        struct log log = send_all(&g, p, 12);
        for (int i = 0; i < 12; i++) {
            ck_assert_uint_eq(log.at[i],
                              (uint64_t)(ALONE + 2 * slow + (1 + slow) * i));
            ck_assert_uint_eq(log.owner[i], (uint32_t)(i % 3 * 4 + i / 3));
        }
    }
}
END_TEST

/* A slice that takes eight cycles a sector and has room for four (queue 1,
 * output_queue 1, latency 2): the fifth and later pass its port as others are
 * served, at 3, 11, 19, ...; those behind them with it. */
START_TEST(slice_without_room)
{
    struct gpu g = four_sms();
    g.icnt.latency = 0;
    g.l2.port_bytes = 4;
    g.l2.latency = 2;
    g.l2.queue = g.icnt.output_queue = 1;
    struct store p[8];
    for (int i = 0; i < 7; i++)
        p[i] = (struct store){0, 0};
    p[7] = (struct store){0, 2};
    struct log log = send_all(&g, p, 8);
    /* One served every eight cycles, from 3 on; the seventh passed the port
     * when the third was (19), so that the last is through at 21, at 24 to
     * be answered. */
    for (uint32_t i = 0; i < 7; i++)
        for (int n = 0; n < 8; n++)
            if (log.owner[n] == i)
                ck_assert_uint_eq(log.at[n], 3 + 8 * i + 1);
    for (int n = 0; n < 8; n++)
        if (log.owner[n] == 7)
            ck_assert_uint_eq(log.at[n], 19 + 1 + 1 + 2 + 1);
}
END_TEST

/* Two slices a channel: SM 0 sends to the first of channel 1 and to the second
 * of channel 0, which is the later port, so that it gets both in a cycle before
 * SM 1, or by channel the earlier, which then takes SM 1's first. */
START_TEST(ports_out_by_channel)
{
    struct gpu g = four_sms();
    g.l2.banks = 4;
    g.icnt.router = ROUTER_PACKETS;
    struct store p[] = {{0, 2}, {0, 4}, {1, 4}};
    for (int by_channel = 0; by_channel <= 1; by_channel++) {
        g.icnt.by_channel = by_channel;
        struct log log = send_all(&g, p, 3);
        for (int n = 0; n < 3; n++)
            if (log.owner[n] == 2)
                ck_assert_uint_eq(log.at[n], (uint64_t)(ALONE + !by_channel));
    }
}
END_TEST

/* Behind a port out of a router of flits there is room for one, which the slice
 * makes when the packet is at its door, icnt.latency after it has crossed: the
 * next crosses in that cycle. */
START_TEST(room_is_known_at_once)
{
    struct gpu g = four_sms();
    g.icnt.router = ROUTER_FLITS;
    g.icnt.speedup = 2;
    g.l2.unreserved = 1;
    g.icnt.output_queue = 1;
    struct store p[6] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
    for (int latency = 2; latency <= 20; latency += 6) {
        g.icnt.latency = latency;
        struct log log = send_all(&g, p, 6);
        for (int n = 2; n < 6; n++)
            ck_assert_uint_eq(log.at[n] - log.at[n - 1], (uint64_t)latency);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("network");
    TCase *tc = tcase_create("crossbar");
    tcase_add_test(tc, one_port);
    tcase_add_test(tc, no_conflict);
    tcase_add_test(tc, turns);
    tcase_add_test(tc, turns_among_all_of_a_cycle);
    tcase_add_test(tc, head_of_line);
    tcase_add_test(tc, virtual_queues);
    tcase_add_test(tc, ports_are_shared);
    tcase_add_test(tc, slice_without_room);
    tcase_add_test(tc, ports_out_by_channel);
    tcase_add_test(tc, room_is_known_at_once);
    tcase_add_test(tc, several_packets_a_cycle);
    tcase_add_test(tc, flits_take_steps);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
