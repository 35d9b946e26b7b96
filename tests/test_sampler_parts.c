/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small parts of the memory system: the queue of events and the address map. */
#include "configs/address.h"
#include "sampler/memory/events.h"
#include "tests/script_table.h"

/* ---- events ------------------------------------------------------------- */

/* Mostly near, at times beyond the ring. */
static uint64_t spread(int i)
{
    return i / 1000 % 2 == 0 ? 50 : 3 * EVENT_SPAN;
}

START_TEST(events_leave_in_order)
{
    struct event_queue h = {0};
    srand(4);
    ck_assert_uint_eq(events_next(&h), NO_EVENT);
    /* Time only moves on, and an event is never earlier than what has left. */
    uint64_t now = 0, pushed = 0, popped = 0, last = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t inside = pushed - popped;
        bool push = inside == 0 || (inside < 5000 && rand() % 100 < 52);
        if (push) {
            ck_assert(events_push(&h, now + (uint64_t)rand() % spread(i),
                                  DRAM_RETURN, (uint32_t)pushed));
            pushed++;
            continue;
        }
        struct event e;
        uint64_t next = events_next(&h);
        ck_assert(events_pop(&h, &e));
        ck_assert_uint_eq(e.time, next);
        popped++;
        ck_assert_uint_ge(e.time, now);
        /* Ties leave in the order in which they came. */
        if (e.time == now && popped > 1 && e.subject < last)
            ck_assert_msg(false, "event %u after %llu at %llu", e.subject,
                          (unsigned long long)last, (unsigned long long)now);
        now = e.time;
        last = e.subject;
    }
    ck_assert_uint_eq(pushed - popped, h.near_count + h.far_count);
    events_free(&h);
}
END_TEST

/* PORT_GRANT leaves after most others of its cycle, near or far, ROUTER_STEP
 * after all. */
START_TEST(grants_and_routers_leave_last)
{
    static const uint64_t at[] = {3, 10 * EVENT_SPAN};
    struct event_queue h = {0};
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert(events_push(&h, at[i], ROUTER_STEP, 4));
        ck_assert(events_push(&h, at[i], PORT_GRANT, 2));
        ck_assert(events_push(&h, at[i], PORT_REQUEST, 0));
        ck_assert(events_push(&h, at[i], SM_REPLY, 1));
        ck_assert(events_push(&h, at[i], L2_LATE_ACCESS, 3));
        ck_assert(events_push(&h, at[i] + 1, PORT_REQUEST, 5));
    }
    for (uint32_t i = 0; i < 12; i++) {
        struct event e;
        ck_assert(events_pop(&h, &e));
        ck_assert_uint_eq(e.subject, i % 6);
        ck_assert_uint_eq(e.time, at[i / 6] + (i % 6 == 5));
    }
    events_free(&h);
}
END_TEST

/* ---- address map -------------------------------------------------------- */

/* Two slices to a channel, lines in turn. */
static struct gpu hashed_gpu(enum slice_hash slices, enum bank_hash banks)
{
    struct gpu g = plain_gpu();
    g.dram.channels = 8;
    g.l2.banks = 16;
    g.l2.slice_hash = (int)slices;
    g.l2.interleave_bytes = 128;
    g.dram.bank_hash = (int)banks;
    return g;
}

/* Two channels to a slice. */
static struct gpu few_slices(enum slice_hash slices)
{
    struct gpu g = hashed_gpu(slices, BANK_ROTATED);
    g.l2.banks = g.dram.channels / 2;
    return g;
}

#define MAPS 13

static struct gpu map_gpu(int i)
{
    switch (i) {
    case 0:
        return plain_gpu();
    case 1:
        return part_of("m2090", 16);
    case 2:
        return part_of("v100", 80);
    case 3:
        return part_of("m2090", 3);
    case 8:
        return hashed_gpu(SLICE_IPOLY, BANK_XOR);
    case 9:
        return hashed_gpu(SLICE_ROTATED, BANK_PLAIN);
    case 10:
        return few_slices(SLICE_PLAIN);
    case 11:
        return few_slices(SLICE_ROTATED);
    case 12:
        return few_slices(SLICE_IPOLY);
    default:
        return script_gpu(i - 2);
    }
}

/* Lines of whole rounds of chunks: each slice and channel has its share. */
START_TEST(slices_share_lines_evenly)
{
    struct gpu g = map_gpu(_i);
    uint64_t chunk = (uint64_t)(g.dram.interleave_bytes / g.l2.line_bytes);
    uint64_t rounds = 500, lines = rounds * chunk * (uint64_t)g.l2.banks;
    uint64_t *slice = calloc((size_t)g.l2.banks, sizeof(*slice));
    uint64_t *channel = calloc((size_t)g.dram.channels, sizeof(*channel));
    for (uint64_t line = 0; line < lines; line++) {
        struct place p = address_locate(&g, line);
        ck_assert(p.slice >= 0 && p.slice < g.l2.banks);
        ck_assert(p.channel >= 0 && p.channel < g.dram.channels);
        ck_assert_uint_lt(p.bank, (uint32_t)g.dram.banks);
        slice[p.slice]++;
        channel[p.channel]++;
    }
    for (int i = 0; i < g.l2.banks; i++)
        ck_assert_uint_eq(slice[i], rounds * chunk);
    for (int i = 0; i < g.dram.channels; i++)
        ck_assert_uint_eq(channel[i], lines / (uint64_t)g.dram.channels);
    free(slice);
    free(channel);
}
END_TEST

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* A slice numbers its lines 0, 1, 2, ..., each once. */
START_TEST(local_lines_are_distinct)
{
    struct gpu g = map_gpu(_i);
    uint64_t chunk = (uint64_t)(g.dram.interleave_bytes / g.l2.line_bytes);
    uint64_t a_slice = 300 * chunk, lines = a_slice * (uint64_t)g.l2.banks;
    uint64_t *key = calloc(lines, sizeof(*key));
    for (uint64_t line = 0; line < lines; line++) {
        struct place p = address_locate(&g, line);
        key[line] = (uint64_t)p.slice * a_slice + p.local_line;
    }
    qsort(key, lines, sizeof(*key), compare);
    for (uint64_t i = 0; i < lines; i++)
        ck_assert_uint_eq(key[i], i);
    free(key);
}
END_TEST

/* A row of a bank of a channel has room for row_bytes, and is full. */
START_TEST(rows_are_filled)
{
    struct gpu g = map_gpu(_i);
    uint64_t in_row = (uint64_t)(g.dram.row_bytes / g.l2.line_bytes);
    uint64_t rows = 4 * (uint64_t)g.dram.banks * (uint64_t)g.dram.channels;
    uint64_t lines = rows * in_row;
    uint64_t *key = calloc(lines, sizeof(*key));
    for (uint64_t line = 0; line < lines; line++) {
        struct place p = address_locate(&g, line);
        key[line] = (p.row * (uint64_t)g.dram.banks + p.bank) *
                        (uint64_t)g.dram.channels +
                    (uint64_t)p.channel;
    }
    qsort(key, lines, sizeof(*key), compare);
    for (uint64_t i = 0; i < lines; i++)
        ck_assert_uint_eq(key[i], i / in_row);
    free(key);
}
END_TEST

/* Addresses past the last row begin anew. */
START_TEST(rows_wrap)
{
    struct gpu g = plain_gpu();
    g.dram.rows = 4;
    uint64_t lines = 4 * (uint64_t)(g.dram.row_bytes / g.l2.line_bytes) *
                     (uint64_t)(g.dram.banks * g.dram.channels);
    for (uint64_t line = 0; line < lines; line++) {
        struct place p = address_locate(&g, line);
        struct place again = address_locate(&g, line + 3 * lines);
        ck_assert_uint_lt(p.row, 4);
        ck_assert_uint_eq(p.row, again.row);
        ck_assert_uint_eq(p.bank, again.bank);
    }
}
END_TEST

/* Rau (ISCA 1991): x^4 is x + 1 modulo x^4 + x + 1, and so on; a stride of any
 * power of two goes round all of 16 slices before it meets one again. */
START_TEST(polynomial_hash)
{
    static const struct {
        uint64_t upper, index;
        int bits;
        uint64_t hash;
    } row[] = {{0, 5, 4, 5},  {1, 0, 4, 3},  {2, 0, 4, 6},
               {4, 0, 4, 12}, {8, 0, 4, 11}, {9, 1, 4, 9},
               {1, 0, 5, 5},  {1, 0, 6, 3},  {3, 0, 5, 15}};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        ck_assert_uint_eq(
            address_ipoly(row[i].upper, row[i].index, row[i].bits),
            row[i].hash);
    for (int stride = 0; stride < 40; stride++) {
        uint32_t seen = 0;
        for (uint64_t n = 0; n < 16; n++) {
            uint64_t at = n << stride;
            seen |= 1u << address_ipoly(at >> 4, at & 15, 4);
        }
        ck_assert_uint_eq(seen, 0xffff);
    }
}
END_TEST

/* Of an address only so many bits above the slice's are read: one above them
 * changes nothing, the highest of them does. */
START_TEST(polynomial_reads_some_bits)
{
    struct gpu g = hashed_gpu(SLICE_IPOLY, BANK_PLAIN);
    uint64_t above = 1;
    while (address_locate(&g, above).slice == 0)
        above <<= 1;
    uint64_t slice = above; /* the lowest bit that decides */
    g.l2.hash_bits = 13;
    int changes = 0;
    for (int bit = 0; bit < 40; bit++)
        changes += address_locate(&g, slice << bit).slice != 0;
    ck_assert_int_eq(changes, 4 + 13); /* 16 slices */
    ck_assert_int_ne(address_locate(&g, slice << (4 + 12)).slice, 0);
    ck_assert_int_eq(address_locate(&g, slice << (4 + 13)).slice, 0);
}
END_TEST

/* As good as random: of 16,000 lines a slice has 1,000, give or take five
 * standard deviations (31). */
START_TEST(random_slices)
{
    struct gpu g = hashed_gpu(SLICE_RANDOM, BANK_PLAIN);
    int count[16] = {0};
    for (uint64_t line = 0; line < 16000; line++)
        count[address_locate(&g, line * 512).slice]++;
    for (int i = 0; i < 16; i++)
        ck_assert_int_le(abs(count[i] - 1000), 155);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sampler: parts");
    TCase *tc = tcase_create("parts");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, events_leave_in_order);
    tcase_add_test(tc, grants_and_routers_leave_last);
    tcase_add_loop_test(tc, slices_share_lines_evenly, 0, MAPS);
    tcase_add_loop_test(tc, local_lines_are_distinct, 0, MAPS);
    tcase_add_loop_test(tc, rows_are_filled, 0, MAPS);
    tcase_add_test(tc, rows_wrap);
    tcase_add_test(tc, polynomial_hash);
    tcase_add_test(tc, polynomial_reads_some_bits);
    tcase_add_test(tc, random_slices);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
