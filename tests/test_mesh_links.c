/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The links of a mesh, with messages whose heads take 3 cycles a hop and no
 * time after the last one: `arrival` is the event L2_ARRIVAL of its subject. */
#include "sampler/memory/memory.h"
#include "tests/coherence_acts.h"

#include <check.h>

enum { MOST = 8, HOP = 3 };

static struct gpu mesh_gpu(int link_flits)
{
    struct gpu g = machine(15);
    g.mesh.link_flits = link_flits;
    return g;
}

struct message {
    int at, to, flits;
    double since;
};

/* The cycles at which they arrive, in their own order. */
static void send_all(const struct gpu *g, const struct message *m, int n,
                     uint64_t arrival[])
{
    struct memory_core core;
    struct links l;
    struct event e;
    mem_init(&core, g);
    links_init(&l, &core);
    for (int i = 0; i < n; i++) {
        const struct trip t = {.subject = (uint32_t)i,
                               .since = m[i].since,
                               .spread = HOP * MESH_LONGEST,
                               .flits = (uint16_t)m[i].flits,
                               .at = (uint8_t)m[i].at,
                               .to = (uint8_t)m[i].to,
                               .arrival = L2_ARRIVAL};
        ck_assert(links_send(&l, &t));
    }
    while (events_next(&core.events) != NO_EVENT) {
        ck_assert(events_pop(&core.events, &e));
        if (e.kind == LINK_HEAD)
            ck_assert(links_head(&l, e.subject));
        else
            arrival[e.subject] = e.time;
    }
    links_free(&l);
    mem_free(&core);
}

/* Every way takes as many links as there are hops, along the row first, and
 * ends where it should. */
START_TEST(row_first)
{
    for (int a = 0; a < MESH_NODES; a++)
        for (int b = 0; b < MESH_NODES; b++) {
            int at = a, links = 0;
            while (at != b) {
                int before = at, link = mesh_step(&at, b);
                ck_assert_int_eq(link / 4, before);
                ck_assert_int_eq(mesh_hops(before, at), 1);
                if (before % 4 != b % 4)
                    ck_assert_int_eq(at / 4, before / 4);
                links++;
            }
            ck_assert_int_eq(links, mesh_hops(a, b));
        }
}
END_TEST

/* Alone a message takes its hops, whatever its size. */
START_TEST(alone)
{
    struct gpu g = mesh_gpu(1);
    const struct message m = {0, 14, 9, 100};
    uint64_t at;
    send_all(&g, &m, 1, &at);
    ck_assert_uint_eq(at, 100 + 5 * HOP);
}
END_TEST

/* Four flits hold a link from 100 to 104: a head that comes before waits, one
 * that comes then does not. */
START_TEST(one_link)
{
    static const struct {
        double second;
        uint64_t passes;
    } row[] = {{100, 104}, {101, 104}, {103, 104}, {104, 104}, {105, 105}};
    struct gpu g = mesh_gpu(1);
    const struct message m[] = {{0, 1, 4, 100}, {0, 1, 1, row[_i].second}};
    uint64_t at[2];
    send_all(&g, m, 2, at);
    ck_assert_uint_eq(at[0], 100 + HOP);
    ck_assert_uint_eq(at[1], row[_i].passes + HOP);
}
END_TEST

/* Two flits a cycle hold it half as long; 0: nothing does. */
START_TEST(wider_links)
{
    static const uint64_t passes[] = {100, 104, 102};
    struct gpu g = mesh_gpu(_i);
    const struct message m[] = {{0, 1, 4, 100}, {0, 1, 4, 100}};
    uint64_t at[2];
    send_all(&g, m, 2, at);
    ck_assert_uint_eq(at[1], passes[_i] + HOP);
}
END_TEST

/* 4 -> 6 goes by node 5; so does 1 -> 9 down the column, over other links, and
 * 5 -> 6, which finds the last one held from 103 to 107. */
START_TEST(shared_part_of_a_way)
{
    struct gpu g = mesh_gpu(1);
    const struct message m[] = {
        {4, 6, 4, 100}, {1, 9, 4, 100}, {5, 6, 4, 104}, {6, 5, 4, 104}};
    uint64_t at[4];
    send_all(&g, m, 4, at);
    ck_assert_uint_eq(at[0], 100 + 2 * HOP);
    ck_assert_uint_eq(at[1], 100 + 2 * HOP);
    ck_assert_uint_eq(at[2], 107 + HOP);
    ck_assert_uint_eq(at[3], 104 + HOP);
}
END_TEST

/* In the order in which heads reach the link, not that of sending: node 0's
 * takes three cycles to node 1. */
START_TEST(in_order_of_heads)
{
    struct gpu g = mesh_gpu(1);
    const struct message m[] = {{0, 2, 4, 100}, {1, 2, 4, 101}};
    uint64_t at[2];
    send_all(&g, m, 2, at);
    ck_assert_uint_eq(at[1], 101 + HOP);
    ck_assert_uint_eq(at[0], 105 + HOP);
}
END_TEST

/* What waited once is late at all that follows, and no later. */
START_TEST(delay_once)
{
    struct gpu g = mesh_gpu(1);
    const struct message m[] = {{0, 3, 4, 100}, {0, 3, 4, 100}};
    uint64_t at[2];
    send_all(&g, m, 2, at);
    ck_assert_uint_eq(at[0], 100 + 3 * HOP);
    ck_assert_uint_eq(at[1], 104 + 3 * HOP);
}
END_TEST

/* One SM at a time: a remote hit and an L2 hit take what they take over links
 * that pass any number of flits. */
START_TEST(unloaded_latencies_stay)
{
    static const int lines[] = {0, 1, 10, 30};
    for (int i = 0; i < 4; i++) {
        uint64_t longest[2];
        for (int limit = 0; limit < 2; limit++) {
            struct gpu g = mesh_gpu(limit);
            const struct act a[] = {{"store", 12, lines[i]},
                                    {"load", 2, lines[i]},
                                    {"load", 14, lines[i]}};
            struct spans s;
            run_acts(a, 3, &g, &s);
            longest[limit] = s.longest[2];
        }
        ck_assert_uint_eq(longest[0], longest[1]);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mesh links");
    TCase *t = tcase_create("all");
    tcase_add_test(t, row_first);
    tcase_add_test(t, alone);
    tcase_add_loop_test(t, one_link, 0, 5);
    tcase_add_loop_test(t, wider_links, 0, 3);
    tcase_add_test(t, shared_part_of_a_way);
    tcase_add_test(t, in_order_of_heads);
    tcase_add_test(t, delay_once);
    tcase_add_test(t, unloaded_latencies_stay);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
