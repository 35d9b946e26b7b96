/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A DRAM channel's gates, one at a time: all others are 0, but for a read
 * latency of 10 and a write latency of 4. A burst takes 2 cycles (64 bytes at
 * 64 GB/s over two channels), clocks are the same, and a write's data follows a
 * read's after 2 clocks. So a read that nothing delays, at t, is done at t +
 * 12, a write at t + 6. */
#include "sampler/dram.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

enum { READ = 10 + 2, WRITE = 4 + 2 };

static struct gpu bare(void)
{
    struct gpu g = plain_gpu();
    g.dram.burst_bytes = 64;
    g.dram.banks = 16;
    g.dram.bank_groups = 4;
    g.dram.queue = 32;
    g.dram.ccd = g.dram.ccdl = 0;
    g.dram.rrd = g.dram.rcd = g.dram.ras = g.dram.rp = g.dram.rc = 0;
    g.dram.wtr = g.dram.wr = g.dram.rtp = 0;
    g.dram.cl = 10;
    g.dram.wl = 4;
    return g;
}

struct access {
    double at;
    uint32_t bank, row;
    bool write;
};

/* Queue the access at its time and serve it at once: when it is done. */
static double serve(struct dram_channel *c, struct access a)
{
    double done;
    dram_enqueue(c, &(struct dram_request){.bank = a.bank,
                                           .row = a.row,
                                           .bursts = 1,
                                           .write = a.write,
                                           .arrival = a.at});
    dram_serve(c, a.at, &done);
    return done;
}

/* When `second` is done after `first`. */
static double after(const struct gpu *g, struct access first,
                    struct access second)
{
    struct dram_channel c;
    ck_assert(dram_init(&c, g));
    serve(&c, first);
    double done = serve(&c, second);
    dram_free(&c);
    return done;
}

/* The second access is held until `ready`: before it, at it, not past it. */
static void assert_gate(const struct gpu *g, struct access first,
                        struct access second, double ready, double length)
{
    for (double at = ready - 3; at <= ready + 2; at++) {
        if (at < first.at)
            continue;
        second.at = at;
        double start = at < ready ? ready : at;
        ck_assert_double_eq(after(g, first, second), start + length);
    }
}

#define FIRST                                                                  \
    (struct access)                                                            \
    {                                                                          \
        .at = 100                                                              \
    }

START_TEST(nothing_in_the_way)
{
    struct gpu g = bare();
    struct dram_channel c;
    ck_assert(dram_init(&c, &g));
    ck_assert_double_eq(serve(&c, (struct access){.at = 100}), 100 + READ);
    ck_assert_double_eq(serve(&c, (struct access){.at = 200}), 200 + READ);
    ck_assert_double_eq(serve(&c, (struct access){.at = 300, .write = true}),
                        300 + WRITE);
    ck_assert_uint_eq(c.row_misses, 1);
    ck_assert_uint_eq(c.row_hits, 2);
    ck_assert_uint_eq(c.reads, 2);
    ck_assert_uint_eq(c.writes, 1);
    dram_free(&c);
}
END_TEST

/* A closed row is opened, an open one is closed first. */
START_TEST(rcd_and_rp)
{
    struct gpu g = bare();
    struct access other = {.at = 500, .row = 1}, same = {.at = 500};
    g.dram.rcd = 15;
    g.dram.rp = 20;
    struct dram_channel c;
    ck_assert(dram_init(&c, &g));
    ck_assert_double_eq(serve(&c, FIRST), 100 + 15 + READ);
    dram_free(&c);
    ck_assert_double_eq(after(&g, FIRST, same), 500 + READ);
    ck_assert_double_eq(after(&g, FIRST, other), 500 + 20 + 15 + READ);
}
END_TEST

START_TEST(ras)
{
    struct gpu g = bare();
    g.dram.ras = 50;
    assert_gate(&g, FIRST, (struct access){.row = 1}, 100 + 50, READ);
    g.dram.rp = 7;
    assert_gate(&g, FIRST, (struct access){.row = 1}, 100 + 50, 7 + READ);
}
END_TEST

START_TEST(rc)
{
    struct gpu g = bare();
    g.dram.rc = 60;
    assert_gate(&g, FIRST, (struct access){.row = 1}, 100 + 60, READ);
    /* Not between banks. */
    ck_assert_double_eq(after(&g, FIRST, (struct access){.at = 110, .bank = 9}),
                        110 + READ);
}
END_TEST

START_TEST(rrd)
{
    struct gpu g = bare();
    g.dram.rrd = 30;
    assert_gate(&g, FIRST, (struct access){.bank = 9}, 100 + 30, READ);
    g.dram.rcd = 5;
    assert_gate(&g, FIRST, (struct access){.bank = 9}, 100 + 30, 5 + READ);
}
END_TEST

START_TEST(rtp)
{
    struct gpu g = bare();
    g.dram.rtp = 40;
    assert_gate(&g, FIRST, (struct access){.row = 1}, 100 + 40, READ);
}
END_TEST

/* The row stays open until wr after the end of the data. */
START_TEST(wr)
{
    struct gpu g = bare();
    g.dram.wr = 40;
    struct access write = {.at = 100, .write = true};
    assert_gate(&g, write, (struct access){.row = 1}, 100 + WRITE + 40, READ);
}
END_TEST

START_TEST(ccd)
{
    struct gpu g = bare();
    g.dram.ccd = 20;
    assert_gate(&g, FIRST, (struct access){.bank = 0}, 100 + 20, READ);
    assert_gate(&g, FIRST, (struct access){.bank = 15}, 100 + 20, READ);
}
END_TEST

/* Banks 0 to 3 are a group; in others the bus alone counts. */
START_TEST(ccdl)
{
    struct gpu g = bare();
    g.dram.ccdl = 20;
    for (uint32_t bank = 0; bank < 16; bank++)
        assert_gate(&g, FIRST, (struct access){.bank = bank},
                    bank < 4 ? 100 + 20 : 100 + 2, READ);
}
END_TEST

/* The data bus carries one burst at a time. */
START_TEST(bus)
{
    struct gpu g = bare();
    assert_gate(&g, FIRST, (struct access){.bank = 9}, 100 + 2, READ);
    g.dram.gbps = 16; /* a burst takes 8 cycles */
    assert_gate(&g, FIRST, (struct access){.bank = 9}, 100 + 8, 10 + 8);
}
END_TEST

/* A read follows a write's data by wtr; a write's data a read's by 2 clocks. */
START_TEST(turnaround)
{
    struct gpu g = bare();
    struct access write = {.at = 100, .write = true};
    g.dram.wtr = 25;
    assert_gate(&g, write, (struct access){.row = 0}, 100 + WRITE + 25, READ);
    assert_gate(&g, FIRST, (struct access){.write = true}, 100 + READ + 2 - 4,
                WRITE);
}
END_TEST

/* Command clocks of two core cycles; the bus has its own rate. */
START_TEST(clocks)
{
    struct gpu g = bare();
    g.clock.dram_mhz = 500;
    g.dram.rcd = 15;
    struct dram_channel c;
    ck_assert(dram_init(&c, &g));
    ck_assert_double_eq(serve(&c, FIRST), 100 + 2 * 15 + 2 * 10 + 2);
    dram_free(&c);
}
END_TEST

/* ---- order -------------------------------------------------------------- */

static void queue_row(struct dram_channel *c, uint32_t id, uint32_t bank,
                      uint32_t row)
{
    dram_enqueue(
        c,
        &(struct dram_request){
            .bank = bank, .row = row, .id = id, .bursts = 1, .arrival = 100});
}

static void assert_order(struct dram_channel *c, const uint32_t *ids, int n)
{
    double now = 100, done;
    for (int i = 0; i < n; i++) {
        ck_assert_uint_eq(dram_serve(c, now, &done).id, ids[i]);
        now = dram_next_choice(c, now);
    }
    ck_assert_int_eq(c->queued, 0);
}

/* Those that find their row open go first, each kind in order of age. */
START_TEST(open_rows_go_first)
{
    struct gpu g = bare();
    g.dram.rp = g.dram.rcd = 12;
    struct dram_channel c;
    ck_assert(dram_init(&c, &g));
    serve(&c, (struct access){.at = 50, .row = 5});
    queue_row(&c, 1, 0, 6);
    queue_row(&c, 2, 0, 5);
    queue_row(&c, 3, 0, 6);
    queue_row(&c, 4, 0, 5);
    assert_order(&c, (const uint32_t[]){2, 4, 1, 3}, 4);
    ck_assert_uint_eq(c.row_hits, 3);
    ck_assert_uint_eq(c.row_misses, 2);
    dram_free(&c);
}
END_TEST

/* Two banks open their rows side by side: one rcd for both. */
START_TEST(banks_open_side_by_side)
{
    struct gpu g = bare();
    g.dram.rcd = 30;
    struct dram_channel c;
    ck_assert(dram_init(&c, &g));
    queue_row(&c, 1, 0, 0);
    queue_row(&c, 2, 9, 0);
    double first, second;
    dram_serve(&c, 100, &first);
    dram_serve(&c, dram_next_choice(&c, 100), &second);
    ck_assert_double_eq(first, 100 + 30 + READ);
    ck_assert_double_eq(second, first + 2);
    dram_free(&c);
}
END_TEST

/* ---- at random ---------------------------------------------------------- */

struct stream {
    struct dram_channel channel;
    double now, last_end;
    bool served[4000];
    uint32_t queued, served_count;
    uint64_t bursts;
};

static void queue_random(struct stream *s)
{
    uint32_t bursts = 1 + (uint32_t)rand() % 4;
    s->bursts += bursts;
    dram_enqueue(&s->channel,
                 &(struct dram_request){.id = s->queued++,
                                        .bank = (uint32_t)rand() % 16,
                                        .row = (uint64_t)rand() % 3,
                                        .bursts = bursts,
                                        .write = rand() % 3 == 0,
                                        .arrival = s->now});
}

static void serve_random(struct stream *s)
{
    double done;
    const struct dram_timing *t = &s->channel.timing;
    struct dram_request r = dram_serve(&s->channel, s->now, &done);
    ck_assert(!s->served[r.id]);
    s->served[r.id] = true;
    s->served_count++;
    double begin = done - r.bursts * t->burst;
    ck_assert_double_ge(begin, s->last_end - 1e-9);
    ck_assert_double_ge(begin - (r.write ? t->wl : t->cl), s->now - 1e-9);
    s->last_end = done;
}

/* Whatever is asked of it, each request is served once and no two share the
 * data bus. */
START_TEST(data_never_overlaps)
{
    static struct stream s;
    struct gpu g = plain_gpu(); /* every gate at its default */
    g.dram.queue = 32;
    g.dram.bank_groups = 4;
    g.dram.banks = 16;
    g.clock.dram_mhz = 850;
    srand(2);
    ck_assert(dram_init(&s.channel, &g));
    while (s.served_count < 4000) {
        for (int n = rand() % 5; n > 0 && s.queued < 4000; n--)
            if (!dram_full(&s.channel))
                queue_random(&s);
        if (s.channel.queued > 0)
            serve_random(&s);
        s.now = dram_next_choice(&s.channel, s.now + rand() % 8);
    }
    struct dram_channel *c = &s.channel;
    ck_assert_uint_eq(c->reads + c->writes, s.bursts);
    ck_assert_uint_eq(c->row_hits + c->row_misses, 4000);
    dram_free(c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dram");
    TCase *tc = tcase_create("channel");
    tcase_add_test(tc, nothing_in_the_way);
    tcase_add_test(tc, rcd_and_rp);
    tcase_add_test(tc, ras);
    tcase_add_test(tc, rc);
    tcase_add_test(tc, rrd);
    tcase_add_test(tc, rtp);
    tcase_add_test(tc, wr);
    tcase_add_test(tc, ccd);
    tcase_add_test(tc, ccdl);
    tcase_add_test(tc, bus);
    tcase_add_test(tc, turnaround);
    tcase_add_test(tc, clocks);
    tcase_add_test(tc, open_rows_go_first);
    tcase_add_test(tc, banks_open_side_by_side);
    tcase_add_test(tc, data_never_overlaps);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
