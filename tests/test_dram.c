/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A DRAM channel's gates, one at a time: all others are 0, but for a read
 * latency of 10 and a write latency of 4. A burst takes 2 cycles (64 bytes at
 * 64 GB/s over two channels), clocks are the same, a command takes one, and a
 * write's data follow a read's after 2 clocks. So a read that finds its row
 * open and that nothing delays, at t, is done at t + 12, a write at t + 6; to
 * open a row takes a clock more, to close another before that one more. */
#include "sampler/memory/dram.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

enum { READ = 10 + 2, WRITE = 4 + 2, OPEN = 1, CLOSE = 1 };

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

static void queue(struct dram_channel *c, struct access a, uint32_t id)
{
    dram_enqueue(c,
                 &(struct dram_request){.bank = a.bank,
                                        .row = a.row,
                                        .id = id,
                                        .bursts = 1,
                                        .write = a.write},
                 a.at);
}

/* Step until a request is served: which, and when it is done. */
static struct dram_request run(struct dram_channel *c, double *done)
{
    struct dram_request r;
    do
        ck_assert(dram_next(c) < INFINITY);
    while (!dram_step(c, &r, done));
    return r;
}

/* Queue the access at its time and serve it: when it is done. */
static double serve(struct dram_channel *c, struct access a)
{
    double done;
    queue(c, a, 0);
    run(c, &done);
    ck_assert(dram_next(c) == INFINITY);
    return done;
}

/* When `second` is done after `first`; `open`: both find their rows open. */
static double after(const struct gpu *g, struct access first,
                    struct access second, bool open)
{
    struct dram_channel c;
    ck_assert(dram_init(&c, g));
    if (open) {
        serve(&c, (struct access){10, first.bank, first.row, false});
        serve(&c, (struct access){50, second.bank, second.row, false});
    }
    serve(&c, first);
    double done = serve(&c, second);
    dram_free(&c);
    return done;
}

/* The second access is held until `ready`: before it, at it, not past it. */
static void assert_gate(const struct gpu *g, struct access first,
                        struct access second, bool open, double ready,
                        double length)
{
    for (double at = ready - 3; at <= ready + 2; at++) {
        if (at < first.at)
            continue;
        second.at = at;
        double start = at < ready ? ready : at;
        ck_assert_double_eq(after(g, first, second, open), start + length);
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
    ck_assert_double_eq(serve(&c, (struct access){.at = 100}),
                        100 + OPEN + READ);
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
    ck_assert_double_eq(after(&g, FIRST, same, false), 500 + READ);
    ck_assert_double_eq(after(&g, FIRST, other, false), 500 + 20 + 15 + READ);
}
END_TEST

/* A write's command may follow wl + 1 = 5 clocks sooner. */
START_TEST(rcd_of_a_write)
{
    struct gpu g = bare();
    g.dram.rcd = 15;
    struct dram_channel c;
    ck_assert(dram_init(&c, &g));
    struct access write = {.at = 100, .write = true};
    ck_assert_double_eq(serve(&c, write), 100 + 15 - 5 + WRITE);
    dram_free(&c);
}
END_TEST

START_TEST(ras)
{
    struct gpu g = bare();
    struct access other = {.row = 1};
    g.dram.ras = 50;
    assert_gate(&g, FIRST, other, false, 100 + 50, CLOSE + OPEN + READ);
    g.dram.rp = 7;
    assert_gate(&g, FIRST, other, false, 100 + 50, 7 + OPEN + READ);
}
END_TEST

/* Not between banks. */
START_TEST(rc)
{
    struct gpu g = bare();
    g.dram.rc = 60;
    assert_gate(&g, FIRST, (struct access){.row = 1}, false, 100 + 60 - CLOSE,
                CLOSE + OPEN + READ);
    ck_assert_double_eq(
        after(&g, FIRST, (struct access){.at = 110, .bank = 9}, false),
        110 + OPEN + READ);
}
END_TEST

START_TEST(rrd)
{
    struct gpu g = bare();
    struct access other = {.bank = 9};
    g.dram.rrd = 30;
    assert_gate(&g, FIRST, other, false, 100 + 30, OPEN + READ);
    g.dram.rcd = 5;
    assert_gate(&g, FIRST, other, false, 100 + 30, 5 + READ);
}
END_TEST

START_TEST(rtp)
{
    struct gpu g = bare();
    g.dram.rtp = 40;
    assert_gate(&g, FIRST, (struct access){.row = 1}, false, 100 + OPEN + 40,
                CLOSE + OPEN + READ);
}
END_TEST

/* Of the read's bank, or of its whole group: bank 1's row was opened before. */
START_TEST(rtp_of_a_group)
{
    struct gpu g = bare();
    g.dram.rtp = 40;
    for (int group = 0; group <= 1; group++) {
        struct dram_channel c;
        g.dram.rtp_group = group;
        ck_assert(dram_init(&c, &g));
        serve(&c, (struct access){.at = 10, .bank = 1});
        serve(&c, FIRST);
        double close = group ? 100 + OPEN + 40 : 120;
        ck_assert_double_eq(
            serve(&c, (struct access){.at = 120, .bank = 1, .row = 1}),
            close + CLOSE + OPEN + READ);
        dram_free(&c);
    }
}
END_TEST

/* The row stays open until wr after the end of the data. */
START_TEST(wr)
{
    struct gpu g = bare();
    g.dram.wr = 40;
    struct access write = {.at = 100, .write = true};
    assert_gate(&g, write, (struct access){.row = 1}, false,
                100 + OPEN + WRITE + 40, CLOSE + OPEN + READ);
}
END_TEST

START_TEST(ccd)
{
    struct gpu g = bare();
    g.dram.ccd = 20;
    assert_gate(&g, FIRST, (struct access){.bank = 0}, true, 100 + 20, READ);
    assert_gate(&g, FIRST, (struct access){.bank = 15}, true, 100 + 20, READ);
}
END_TEST

/* Banks 0 to 3 are a group, or 0, 4, 8 and 12; in others the bus alone counts.
 */
START_TEST(ccdl)
{
    struct gpu g = bare();
    g.dram.ccdl = 20;
    for (uint32_t bank = 0; bank < 16; bank++) {
        struct access a = {.bank = bank};
        g.dram.groups_interleaved = 0;
        assert_gate(&g, FIRST, a, true, bank < 4 ? 100 + 20 : 100 + 2, READ);
        g.dram.groups_interleaved = 1;
        assert_gate(&g, FIRST, a, true, bank % 4 == 0 ? 100 + 20 : 100 + 2,
                    READ);
    }
}
END_TEST

/* The data bus carries one burst at a time. */
START_TEST(bus)
{
    struct gpu g = bare();
    struct access other = {.bank = 9};
    assert_gate(&g, FIRST, other, true, 100 + 2, READ);
    g.dram.gbps = 16; /* a burst takes 8 cycles */
    assert_gate(&g, FIRST, other, true, 100 + 8, 10 + 8);
}
END_TEST

/* A read follows a write's data by wtr; a write's data a read's by 2 clocks. */
START_TEST(turnaround)
{
    struct gpu g = bare();
    struct access write = {.at = 100, .write = true};
    g.dram.wtr = 25;
    assert_gate(&g, write, (struct access){.row = 0}, true, 100 + WRITE + 25,
                READ);
    assert_gate(&g, FIRST, (struct access){.write = true}, true,
                100 + READ + 2 - 4, WRITE);
}
END_TEST

/* Command clocks of two core cycles; the bus has its own rate. What comes
 * between two clocks waits for the second. */
START_TEST(clocks)
{
    struct gpu g = bare();
    g.clock.dram_mhz = 500;
    g.dram.rcd = 15;
    for (int late = 0; late <= 2; late++) {
        struct dram_channel c;
        ck_assert(dram_init(&c, &g));
        double start = late > 0 ? 102 : 100;
        ck_assert_double_eq(serve(&c, (struct access){.at = 100 + late}),
                            start + 2 * 15 + 2 * 10 + 2);
        dram_free(&c);
    }
}
END_TEST

/* A burst of one and a half clocks: no half is lost. */
START_TEST(parts_of_clocks)
{
    struct gpu g = bare();
    struct dram_channel c;
    double done = 0;
    g.dram.gbps = 64 / 1.5 * 2;
    ck_assert(dram_init(&c, &g));
    serve(&c, (struct access){.at = 10});
    for (uint32_t i = 0; i < 30; i++)
        queue(&c, FIRST, i);
    for (int i = 0; i < 30; i++)
        run(&c, &done);
    ck_assert_double_eq_tol(done, 100 + 10 + 30 * 1.5, 1e-6);
    dram_free(&c);
}
END_TEST

/* ---- order -------------------------------------------------------------- */

static void queue_row(struct dram_channel *c, uint32_t id, uint32_t bank,
                      uint32_t row)
{
    queue(c, (struct access){.at = 100, .bank = bank, .row = row}, id);
}

static void assert_order(struct dram_channel *c, const uint32_t *ids, int n)
{
    double done;
    for (int i = 0; i < n; i++)
        ck_assert_uint_eq(run(c, &done).id, ids[i]);
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
    run(&c, &first);
    run(&c, &second);
    ck_assert_double_eq(first, 100 + 30 + READ);
    ck_assert_double_eq(second, first + 2);
    dram_free(&c);
}
END_TEST

/* Bank 8 reads an open row clock after clock (bursts of one), at 100 to 107.
 * The row of bank 4, asked for at 101, is opened beside that, or after. */
START_TEST(two_command_buses)
{
    struct gpu g = bare();
    g.dram.gbps = 128;
    g.dram.rcd = 5;
    for (int dual = 0; dual <= 1; dual++) {
        struct dram_channel c;
        struct dram_request r;
        double done;
        g.dram.dual_command = dual;
        ck_assert(dram_init(&c, &g));
        serve(&c, (struct access){.at = 10, .bank = 8});
        dram_enqueue(&c, &(struct dram_request){.bank = 8, .bursts = 8}, 100);
        ck_assert(!dram_step(&c, &r, &done));
        queue(&c, (struct access){.at = 101, .bank = 4}, 1);
        ck_assert_uint_eq(run(&c, &done).id, 0);
        ck_assert_double_eq(done, 107 + 10 + 1);
        ck_assert_uint_eq(run(&c, &done).id, 1);
        ck_assert_double_eq(done, (dual ? 108 : 108 + 5) + 10 + 1);
        dram_free(&c);
    }
}
END_TEST

/* As above on one bus, with the row command going first where its bank comes
 * first. Bank 11 is the next in turn, and bank 8 behind it is found for a
 * column. Bank 4 is found in its tenth turn: the search then goes on from bank
 * 15 and does not reach bank 8, which loses a clock. */
START_TEST(row_command_first)
{
    static const struct {
        uint32_t bank;
        double first, second;
    } expected[] = {{11, 107 + 10 + 1, 108 + 10 + 1},
                    {4, 108 + 10 + 1, 109 + 10 + 1}};
    struct gpu g = bare();
    g.dram.gbps = 128;
    g.dram.rcd = 5;
    g.dram.row_first = 1;
    for (int i = 0; i < 2; i++) {
        struct dram_channel c;
        struct dram_request r;
        double done;
        ck_assert(dram_init(&c, &g));
        serve(&c, (struct access){.at = 10, .bank = 8});
        dram_enqueue(&c, &(struct dram_request){.bank = 8, .bursts = 8}, 100);
        ck_assert(!dram_step(&c, &r, &done));
        queue(&c, (struct access){.at = 101, .bank = expected[i].bank}, 1);
        ck_assert_uint_eq(run(&c, &done).id, 0);
        ck_assert_double_eq(done, expected[i].first);
        ck_assert_uint_eq(run(&c, &done).id, 1);
        ck_assert_double_eq(done, expected[i].second);
        dram_free(&c);
    }
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
                                        .write = rand() % 3 == 0},
                 s->now);
}

/* One step; the data of two requests may be interleaved, their ends not share
 * a burst. */
static void step_random(struct stream *s)
{
    double done;
    struct dram_request r;
    const struct dram_timing *t = &s->channel.timing;
    s->now = dram_next(&s->channel);
    if (!dram_step(&s->channel, &r, &done))
        return;
    ck_assert(!s->served[r.id]);
    s->served[r.id] = true;
    s->served_count++;
    double begin = done / s->channel.clock_cycles - t->burst;
    ck_assert_double_ge(begin, s->last_end - 1e-9);
    ck_assert_double_ge(begin - (r.write ? t->wl : t->cl),
                        s->now / s->channel.clock_cycles - 1e-9);
    s->last_end = done / s->channel.clock_cycles;
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
        for (int n = rand() % 20; n > 0; n--)
            if (dram_next(&s.channel) < INFINITY)
                step_random(&s);
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
    tcase_add_test(tc, rcd_of_a_write);
    tcase_add_test(tc, ras);
    tcase_add_test(tc, rc);
    tcase_add_test(tc, rrd);
    tcase_add_test(tc, rtp);
    tcase_add_test(tc, rtp_of_a_group);
    tcase_add_test(tc, wr);
    tcase_add_test(tc, ccd);
    tcase_add_test(tc, ccdl);
    tcase_add_test(tc, bus);
    tcase_add_test(tc, turnaround);
    tcase_add_test(tc, clocks);
    tcase_add_test(tc, parts_of_clocks);
    tcase_add_test(tc, open_rows_go_first);
    tcase_add_test(tc, banks_open_side_by_side);
    tcase_add_test(tc, two_command_buses);
    tcase_add_test(tc, row_command_first);
    tcase_add_test(tc, data_never_overlaps);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
