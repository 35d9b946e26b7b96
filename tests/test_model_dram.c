/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the interval model has DRAM busy, beside a channel of the
 * cycle-level engine whose queue is kept full with random requests. */
#include "base/mix.h"
#include "configs/gpu.h"
#include "model/placement.h"
#include "model/profile.h"
#include "model/rates.h"
#include "sampler/memory/dram.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { REQUESTS = 20000, BEGINNING = 1000 };

/* A stream of single bursts: a share of them writes, a share to another row of
 * their bank than the one before. */
struct stream {
    double written, new_row;
    uint64_t drawn;
    uint64_t row[64];
};

static double draw(struct stream *s)
{
    return (double)(mix(s->drawn++) >> 11) * 0x1p-53;
}

static struct dram_request next_request(struct stream *s, int banks)
{
    uint32_t bank = (uint32_t)(draw(s) * banks);
    if (draw(s) < s->new_row)
        s->row[bank]++;
    return (struct dram_request){.bank = bank,
                                 .row = s->row[bank],
                                 .bursts = 1,
                                 .write = draw(s) < s->written};
}

/* Core cycles of a request, and of them those that open a row. */
static double channel_cycles(const struct gpu *g, struct stream *s,
                             double *misses)
{
    struct dram_channel c;
    double begun = 0, now = 0;
    ck_assert(dram_init(&c, g));
    for (int done = 0; done < REQUESTS;) {
        struct dram_request r;
        double end;
        while (!dram_full(&c)) {
            r = next_request(s, g->dram.banks);
            dram_enqueue(&c, &r, now);
        }
        now = dram_next(&c);
        done += dram_step(&c, &r, &end);
        if (done == BEGINNING && begun <= 0)
            begun = now;
    }
    *misses = (double)c.row_misses / (double)(c.row_hits + c.row_misses);
    dram_free(&c);
    return (now - begun) / (REQUESTS - BEGINNING);
}

static double model_cycles(const struct gpu *g, double written, double misses)
{
    static struct profile p;
    struct sharing s = {.active_sms = 1, .bandwidth = 1};
    struct cache_view v = {.l2_left = 0};
    struct rates r;
    p = (struct profile){.placement = {.slice = 1, .channel = 1, .set = 1}};
    p.placement.row_miss = misses;
    rates_set(&r, &p, g, &s, &v);
    struct dram_use use = {.bytes = g->dram.burst_bytes,
                           .rows = misses,
                           .fetches = 1 - written,
                           .written = written};
    return rates_dram(&r, &use) * g->dram.channels;
}

/* Within 15 %; the model without the bus turning has up to 34 % too little. */
START_TEST(reads_and_writes_take_what_a_channel_takes)
{
    static const char *const names[] = {"k20x", "titanx", "m2090"};
    static const double written[] = {0, 0.02, 0.1, 0.3, 0.5, 0.8};
    static const double rows[] = {0, 0.25, 0.5, 1};
    struct gpu g;
    struct error e;
    ck_assert(gpu_load(&g, names[_i / 24], NULL, 0, &e));
    g.dram.in_flight = 0;
    struct stream s = {.written = written[_i % 6], .new_row = rows[_i / 6 % 4]};
    double misses, channel = channel_cycles(&g, &s, &misses);
    double model = model_cycles(&g, s.written, misses);
    ck_assert_msg(fabs(model / channel - 1) < 0.15,
                  "%s, %g written, %g of rows: %g, channel %g", g.name,
                  s.written, misses, model, channel);
}
END_TEST

/* The share of requests to another row, of blocks that each touch a sector in
 * every KiB: three of twelve channels in turn, eight in a row of each; where a
 * hash draws channels, two in each of the twelve, of which one in eight,
 * (11/12)^24, gets none. */
START_TEST(hashed_lines_share_rows_as_they_lie)
{
    enum { LINES = 96, ROUND = 12 * 2048 / 128 };
    struct moving_line line[LINES];
    struct placement placed;
    struct gpu g;
    struct error e;
    ck_assert(gpu_load(&g, "l4", NULL, 0, &e));
    g.l2.banks = g.dram.channels;
    for (uint64_t i = 0; i < LINES; i++)
        line[i] = (struct moving_line){
            .line = 8 * i, .sent = 1, .below = 100 * ROUND};
    const struct moving_block m = {.line = line,
                                   .lines = LINES,
                                   .at_a_time = 48,
                                   .row = 1,
                                   .blocks = 16,
                                   .resident = 16};
    g.l2.slice_hash = SLICE_PLAIN;
    ck_assert(placement_measure(&placed, &g, &m));
    ck_assert_double_eq_tol(placed.row_miss, 1 / 8., 0.01);
    g.l2.slice_hash = SLICE_RANDOM;
    ck_assert(placement_measure(&placed, &g, &m));
    ck_assert_double_eq_tol(placed.row_miss, 0.5 * (1 - pow(11 / 12., 24)),
                            0.03);
}
END_TEST

/* Blocks that ask for 16 KiB at a time, one on each of 58 SMs, which all send
 * as fast: of 816 requests that are queued fourteen are of each, or seven
 * chunks of 256 bytes, each in another channel's row: so many of a bank that
 * none is still open when its block's turn comes again. */
START_TEST(all_sms_send_at_a_time)
{
    enum { LINES = 128 };
    struct moving_line line[LINES];
    struct placement placed;
    struct gpu g;
    struct error e;
    ck_assert(gpu_load(&g, "l4", NULL, 0, &e));
    g.l2.slice_hash = SLICE_PLAIN;
    g.dram.queue = 68;
    g.dram.banks = 1;
    ck_assert_int_eq(g.dram.queue * g.dram.channels / g.sms, 14);
    ck_assert_int_eq(g.dram.interleave_bytes, 2 * g.l1.line_bytes);
    for (uint64_t i = 0; i < LINES; i++)
        line[i] = (struct moving_line){
            .line = i, .sent = 1, .right = 12 * 16 * LINES};
    const struct moving_block m = {.line = line,
                                   .lines = LINES,
                                   .at_a_time = LINES,
                                   .row = 58,
                                   .blocks = 58,
                                   .resident = 58};
    ck_assert(placement_measure(&placed, &g, &m));
    ck_assert_double_eq_tol(placed.row_miss, 7 / 14., 0.02);
}
END_TEST

/* Blocks of a line each, sixteen to a row: those that start together share it.
 * Of any among sixteen times as many as are queued each has a row for itself,
 * with as many others as fall there by chance: 1 - 1/e of the rows are hit. */
START_TEST(lines_that_are_lost_again_come_from_anywhere)
{
    const struct moving_line line = {.line = 0, .sent = 1, .right = 1};
    struct placement placed;
    struct gpu g;
    struct error e;
    ck_assert(gpu_load(&g, "l4", NULL, 0, &e));
    g.l2.slice_hash = SLICE_PLAIN;
    uint64_t lines = (uint64_t)(g.dram.row_bytes / g.l1.line_bytes);
    uint64_t queued = (uint64_t)(g.dram.queue * g.dram.channels);
    ck_assert_uint_eq(lines, 16);
    const struct moving_block m = {.line = &line,
                                   .lines = 1,
                                   .at_a_time = 1,
                                   .row = lines * queued,
                                   .blocks = lines * queued,
                                   .resident = lines * queued};
    ck_assert(placement_measure(&placed, &g, &m));
    ck_assert_double_eq_tol(placed.row_miss, 1.0 / (double)lines, 0.02);
    ck_assert_double_eq_tol(placed.row_again, 1 - exp(-1), 0.03);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: DRAM");
    TCase *c = tcase_create("dram");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, hashed_lines_share_rows_as_they_lie);
    tcase_add_test(c, all_sms_send_at_a_time);
    tcase_add_test(c, lines_that_are_lost_again_come_from_anywhere);
    tcase_add_loop_test(c, reads_and_writes_take_what_a_channel_takes, 0, 72);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
