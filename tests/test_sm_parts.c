/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of an SM alone, and what they are made of. */
#include "base/bits.h"
#include "base/pool.h"
#include "configs/gpu.h"
#include "sampler/counters.h"
#include "sampler/policy/registry.h"
#include "sampler/sm/frontend.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/port.h"
#include "sampler/sm/register_banks.h"
#include "sampler/sm/scoreboard.h"
#include "sampler/sm/units.h"
#include "sampler/sm/wheel.h"

#include <check.h>
#include <stdlib.h>

/* ---- bits --------------------------------------------------------------- */

START_TEST(bits_are_taken_from_the_lowest_up)
{
    uint64_t mask = BIT(0) | BIT(5) | BIT(63);
    ck_assert_int_eq(take_bit(&mask), 0);
    ck_assert_int_eq(take_bit(&mask), 5);
    ck_assert_int_eq(take_bit(&mask), 63);
    ck_assert_uint_eq(mask, 0);
    ck_assert_uint_eq(earliest(3, UINT64_MAX), 3);
    ck_assert_uint_eq(latest(3, UINT64_MAX), UINT64_MAX);
}
END_TEST

/* ---- pool --------------------------------------------------------------- */

struct record {
    uint32_t link;
    uint32_t value;
};

/* No record is handed out twice, and those in use keep what they hold as the
 * array grows. */
START_TEST(pool_records_are_distinct_and_kept)
{
    enum { RECORDS = 5000 };
    struct pool p = {0};
    struct record *r = NULL;
    uint32_t *held = malloc(RECORDS * sizeof(*held)), count = 0;
    srand(7);
    for (uint32_t i = 0; i < 50000; i++) {
        if (count < RECORDS && (count == 0 || rand() % 100 < 60)) {
            uint32_t id = pool_take(&p, &r);
            ck_assert_uint_lt(id, p.capacity);
            r[id].value = count;
            held[count++] = id;
        } else {
            count--;
            ck_assert_uint_eq(r[held[count]].value, count);
            pool_give(&p, r, held[count]);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(r[held[i]].value, i);
    free(held);
    free(r);
}
END_TEST

/* As many records as were ever in use at once are enough. */
START_TEST(pool_uses_records_again)
{
    struct pool p = {0};
    struct record *r = NULL;
    ck_assert(pool_reserve(&p, &r));
    uint32_t capacity = p.capacity;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < capacity; i++)
            ck_assert_uint_ne(pool_take(&p, &r), NO_RECORD);
        ck_assert_uint_eq(p.capacity, capacity);
        for (uint32_t i = 0; i < capacity; i++)
            pool_give(&p, r, i);
    }
    free(r);
}
END_TEST

/* ---- time wheel --------------------------------------------------------- */

/* What is due in a cycle comes in the order in which it was scheduled, and
 * nothing comes before or after its cycle. */
START_TEST(wheel_entries_come_in_their_cycle_in_order)
{
    enum { ENTRIES = 20000 };
    static uint64_t due[ENTRIES];
    struct wheel w = {0};
    uint32_t made = 0, taken = 0;
    srand(11);
    ck_assert_uint_eq(wheel_next(&w, 0), UINT64_MAX);
    for (uint64_t now = 0; taken < ENTRIES; now++) {
        uint32_t last = 0;
        for (uint32_t id = wheel_due(&w, now); id != NO_RECORD; taken++) {
            struct wheel_entry e = wheel_take(&w, &id);
            ck_assert_uint_eq(due[e.subject], now);
            ck_assert(last == 0 || e.subject > last);
            ck_assert_uint_eq(e.kind, e.subject % 5);
            ck_assert_uint_eq(e.warp, e.subject % 64);
            last = e.subject;
        }
        for (int n = rand() % 4; n > 0 && made < ENTRIES; n--, made++) {
            due[made] = now + 1 + (uint64_t)(rand() % (WHEEL_SIZE - 1));
            ck_assert(wheel_schedule(&w, now, due[made], made % 5,
                                     (uint8_t)(made % 64), made));
        }
    }
    ck_assert_uint_eq(made, ENTRIES);
    wheel_free(&w);
}
END_TEST

/* The next entry is found over all distances, from all places of the wheel. */
START_TEST(wheel_knows_its_next_entry)
{
    static const uint64_t ahead[] = {1, 2, 63, 64, 65, WHEEL_SIZE - 1};
    for (uint64_t now = 0; now < 2 * WHEEL_SIZE; now += 61)
        for (size_t i = 0; i < sizeof(ahead) / sizeof(*ahead); i++) {
            struct wheel w = {0};
            ck_assert(wheel_schedule(&w, now, now + ahead[i], 0, 0, 0));
            ck_assert_uint_eq(wheel_next(&w, now), now + ahead[i]);
            ck_assert(wheel_schedule(&w, now, now + 1, 0, 0, 0));
            ck_assert_uint_eq(wheel_next(&w, now), now + 1);
            wheel_free(&w);
        }
}
END_TEST

/* ---- scoreboard --------------------------------------------------------- */

/* r7 = r5 + r6 */
static const struct inst add = {
    .dst = {7}, .dst_count = 1, .src = {5, 6}, .src_count = 2};

static struct inst writes(uint16_t reg)
{
    return (struct inst){.dst = {reg}, .dst_count = 1};
}

/* Of the registers that the instruction reads or writes. */
static struct registers_named uses_of(const struct inst *i)
{
    struct registers_named uses = {0};
    registers_name(&uses, i->src, i->src_count);
    registers_name(&uses, i->dst, i->dst_count);
    return uses;
}

static bool holds(const struct scoreboard *s, int warp, const struct inst *i)
{
    const struct registers_named uses = uses_of(i);
    return scoreboard_holds(s, warp, &uses);
}

static bool holds_long(const struct scoreboard *s, int warp,
                       const struct inst *i)
{
    const struct registers_named uses = uses_of(i);
    return scoreboard_holds_long(s, warp, &uses);
}

/* Every register is named in the word and bit that sets have for it, whatever
 * the others are. */
START_TEST(registers_are_named_by_word)
{
    static const uint16_t reg[] = {0, 63, 64, 5, REG_COUNT - 1, 64};
    struct registers_named n = {0};
    registers_name(&n, reg, 6);
    ck_assert_int_eq(n.words, 3);
    for (uint16_t r = 0; r < REG_COUNT; r++) {
        uint64_t set[SCOREBOARD_WORDS] = {0};
        set[r / 64] = BIT(r % 64);
        bool named =
            r == 0 || r == 63 || r == 64 || r == 5 || r == REG_COUNT - 1;
        ck_assert_int_eq(registers_meet(set, &n), named);
    }
}
END_TEST

START_TEST(scoreboard_holds_readers_and_writers)
{
    static const uint16_t touched[] = {5, 6, 7};
    static struct scoreboard s;
    for (int i = 0; i < 3; i++) {
        const struct inst w = writes(touched[i]);
        ck_assert(!holds(&s, 3, &add));
        scoreboard_issue(&s, 3, &w, i == 1);
        ck_assert(holds(&s, 3, &add));
        ck_assert_int_eq(holds_long(&s, 3, &add), i == 1);
        ck_assert(!holds(&s, 2, &add)); /* another warp's */
        scoreboard_write(&s, 3, &w);
        ck_assert(!holds(&s, 3, &add));
        ck_assert(!holds_long(&s, 3, &add));
    }
    const struct inst other = writes(REG_COUNT - 1);
    scoreboard_issue(&s, 3, &other, true);
    ck_assert(!holds(&s, 3, &add));
    ck_assert(holds(&s, 3, &other));
}
END_TEST

/* A register counts as loaded, there or not, until something else writes it. */
START_TEST(scoreboard_remembers_what_memory_wrote)
{
    static struct scoreboard s;
    const struct inst w = writes(5), target = writes(7);
    ck_assert(!scoreboard_reads_loaded(&s, 0, &add));
    scoreboard_issue(&s, 0, &w, true);
    ck_assert(scoreboard_reads_loaded(&s, 0, &add));
    scoreboard_write(&s, 0, &w);
    ck_assert(scoreboard_reads_loaded(&s, 0, &add));
    scoreboard_issue(&s, 0, &w, false);
    ck_assert(!scoreboard_reads_loaded(&s, 0, &add));
    scoreboard_issue(&s, 0, &target, true); /* written by add, not read */
    ck_assert(!scoreboard_reads_loaded(&s, 0, &add));
    scoreboard_reset(&s, 0);
    ck_assert(!holds(&s, 0, &add));
}
END_TEST

/* ---- register banks and units ------------------------------------------- */

static struct gpu gpu_with(int schedulers, bool sub_core)
{
    struct gpu g = {.sm = {.schedulers = schedulers, .sub_core = sub_core}};
    g.collector.banks = 16;
    g.collector.ports = 2;
    return g;
}

/* Registers of a warp lie in all banks in turn, those of the next warp one
 * further; with sub-cores in their own share of the banks. */
START_TEST(registers_are_spread_over_the_banks)
{
    struct register_banks b;
    struct gpu g = gpu_with(4, false);
    register_banks_init(&b, &g);
    for (int reg = 0; reg < 40; reg++)
        for (int warp = 0; warp < 8; warp++)
            ck_assert_int_eq(register_bank(&b, warp, reg), (reg + warp) % 16);
    g = gpu_with(4, true);
    register_banks_init(&b, &g);
    for (int reg = 0; reg < 40; reg++)
        for (int warp = 0; warp < 8; warp++)
            ck_assert_int_eq(register_bank(&b, warp, reg),
                             warp % 4 * 4 + (reg + warp) % 4);
}
END_TEST

START_TEST(a_bank_serves_its_ports_in_a_cycle)
{
    struct register_banks b;
    const struct gpu g = gpu_with(1, false);
    const struct inst w = writes(3);
    register_banks_init(&b, &g);
    ck_assert(register_bank_take(&b, 3, 10, 0));
    ck_assert(register_bank_take(&b, 3, 10, 0));
    ck_assert(!register_bank_take(&b, 3, 10, 0));
    ck_assert(register_bank_take(&b, 4, 10, 0));
    ck_assert(register_bank_take(&b, 3, 11, 0));
    register_banks_write(&b, 0, &w, 11);
    ck_assert(!register_bank_take(&b, 3, 11, 0));
}
END_TEST

/* Of four pipelines all are a scheduler's, or with sub-cores its own one. */
START_TEST(pipelines_are_taken_as_they_are_free)
{
    struct units u;
    struct exec_table t = {0};
    t.unit[UNIT_SP].count = 4;
    struct gpu g = gpu_with(4, false);
    units_init(&u, &g, &t);
    for (int i = 0; i < 4; i++) {
        uint64_t *free = units_first(&u, UNIT_SP, 2, 9);
        ck_assert_ptr_eq(free, &u.free[UNIT_SP][i]);
        *free = 20 - (uint64_t)i;
    }
    ck_assert_ptr_eq(units_first(&u, UNIT_SP, 2, 9), &u.free[UNIT_SP][3]);
    g = gpu_with(4, true);
    units_init(&u, &g, &t);
    ck_assert_ptr_eq(units_first(&u, UNIT_SP, 2, 9), &u.free[UNIT_SP][2]);
    u.free[UNIT_SP][2] = 20;
    ck_assert_ptr_eq(units_first(&u, UNIT_SP, 2, 9), &u.free[UNIT_SP][2]);
}
END_TEST

START_TEST(results_of_a_cycle_are_limited)
{
    static struct units u;
    u.results = 2;
    for (uint64_t end = 5; end < 5 + 3 * RESULT_CYCLES; end += RESULT_CYCLES) {
        ck_assert(units_take_result(&u, end));
        ck_assert(units_take_result(&u, end));
        ck_assert(!units_take_result(&u, end));
        ck_assert(units_take_result(&u, end + 1));
    }
    u.results = 0;
    for (int i = 0; i < 100; i++)
        ck_assert(units_take_result(&u, 5));
}
END_TEST

/* ---- counters ----------------------------------------------------------- */

/* The rows are the struct: each counter once, in order, and nothing else. */
START_TEST(counters_have_rows)
{
    struct sampler_counts c, sum = {0};
    uint64_t *word = (uint64_t *)&c;
    size_t words = sizeof(c) / sizeof(*word), next = 0;
    for (size_t i = 0; i < words; i++)
        word[i] = i + 1;
    for (const struct counter *row = sampler_counters; row->name != NULL;
         row++) {
        ck_assert_uint_eq(row->first, next);
        ck_assert(row->unit[0] != '\0' && row->what[0] != '\0');
        for (size_t i = 0; i < row->number; i++)
            ck_assert_uint_eq(counter_value(&c, row, i), ++next);
    }
    ck_assert_uint_eq(next, words);
    counters_add(&sum, &c);
    ck_assert_ptr_null(counters_differ(&sum, &c));
    sum.stalls[STALLS - 1]++;
    ck_assert_str_eq(counters_differ(&sum, &c)->name, "stalls");
}
END_TEST

/* A miss queue of four that one request leaves in each cycle: it takes a store
 * where it has one place, a load where it has two. */
START_TEST(one_miss_a_cycle)
{
    static struct memory memory;
    static struct sm_core core;
    struct port_in in = {.flits = 0};
    struct gpu g;
    ck_assert(gpu_load(&g, "m2090", NULL, 0, NULL));
    g.l1.miss_queue = 4;
    g.ldst.one_miss = 1;
    memory.network.to_slices.ports.in = &in;
    memory.network.sm_flits = 10;
    core.gpu = &g;
    core.now = 100;
    struct port p = {.core = &core, .memory = &memory, .drained = 102};
    ck_assert_int_eq(port_miss(&p, 2), GO);
    p.drained = 103;
    ck_assert_int_eq(port_miss(&p, 1), GO);
    ck_assert_int_eq(port_miss(&p, 2), NO_SLOT);
    p.drained = 104;
    ck_assert_int_eq(port_miss(&p, 1), NO_SLOT);
    core.now = 101;
    ck_assert_int_eq(port_miss(&p, 1), GO);
    ck_assert_int_eq(port_miss(&p, 2), NO_SLOT);
    in.flits = 10;
    ck_assert_int_eq(port_miss(&p, 1), NO_CREDIT);
    in.flits = 0;
    g.ldst.one_miss = 0;
    ck_assert_int_eq(port_miss(&p, 2), GO);
    g.ldst.one_miss = 1; /* an empty queue takes anything */
    g.l1.miss_queue = 1;
    core.now = p.drained;
    ck_assert_int_eq(port_miss(&p, 2), GO);
}
END_TEST

/* A load joins a fill under way, for which it needs no request: nor room in the
 * miss queue, but where misses leave by one. */
START_TEST(who_joins_a_fill_needs_room)
{
    static struct memory memory;
    static struct sm_core core;
    static struct inst inst = {.op = OP_LOAD};
    const struct kernel kernel = {.inst = &inst};
    struct port_in in = {.flits = 0};
    struct memory_ops ops = {0};
    struct policy_set policies = {0};
    struct gpu g;
    ck_assert(gpu_load(&g, "m2090", NULL, 0, NULL));
    ck_assert(policy_set_parse(&policies, NULL, "gto", NULL, "lru", NULL));
    g.l1.miss_queue = 4;
    memory.network.to_slices.ports.in = &in;
    memory.network.sm_flits = 10;
    core.gpu = &g;
    core.kernel = &kernel;
    core.now = 100;
    for (int one_miss = 0; one_miss <= 1; one_miss++) {
        struct port port = {.core = &core, .memory = &memory, .drained = 104};
        struct l1 l1 = {.core = &core, .port = &port, .ops = &ops};
        struct cache_line old;
        g.ldst.one_miss = one_miss;
        ck_assert(l1_init(&l1, &policies.l1));
        ck_assert(memory_ops_reserve(&ops));
        uint32_t op = memory_ops_add(&ops, 0, 0, true);
        struct transaction t = {.line = 7, .sectors = 1};
        struct cache_access a = l1_access(&core, &ops.op[op], t.line);
        int set = cache_set(&l1.tags, t.line);
        int way = cache_allocate(&l1.tags, set, &a, &old);
        cache_set_pending(&l1.tags, set, way, 1);
        cache_at(&l1.tags, set, way)->mshr = 0;
        l1.mshr[0] = (struct l1_mshr){NO_RECORD, 0, 0, set, way};
        ck_assert_int_eq(l1_look_up(&l1, op, &t), one_miss ? NO_SLOT : GO);
        port.drained = 102;
        ck_assert_int_eq(l1_look_up(&l1, op, &t), GO);
        l1_free(&l1);
    }
    memory_ops_free(&ops);
}
END_TEST

/* Warps 0, 3 and 5 are refused by an instruction cache whose one register
 * waits for another line, and warp 1 is next. Eight turns are 3 5 0 3 5 0 3 5
 * when those refused try again in the same cycle, else 3 5 0. */
START_TEST(a_refused_fetch_takes_further_turns)
{
    static struct sm_core core;
    static struct frontend f;
    static struct icache icache;
    static struct inst inst;
    const struct kernel kernel = {.inst = &inst};
    struct gpu g;
    ck_assert(gpu_load(&g, "m2090", NULL, 0, NULL));
    g.icache.perfect = 0;
    g.icache.from_l2 = 1;
    g.icache.mshr = 1;
    g.fetch.warps_per_cycle = 8;
    core.gpu = &g;
    core.kernel = &kernel;
    icache.core = &core;
    ck_assert(icache_init(&icache));
    icache.misses = 1;
    icache.miss[0].used = true;
    icache.miss[0].line = 99;
    for (int again = 0; again <= 1; again++) {
        g.fetch.late_last = again;
        f.core = &core;
        f.icache = &icache;
        ck_assert(frontend_init(&f));
        f.next = 1;
        f.wanting = BIT(0) | BIT(3) | BIT(5);
        for (int warp = 0; warp < 6; warp++) {
            f.buffer[warp].step[0].inst = 0;
            f.buffer[warp].refused = true;
            f.buffer[warp].incoming = 1;
        }
        frontend_fetch(&f);
        ck_assert_int_eq(f.next, again ? 6 : 1);
        frontend_free(&f);
    }
    icache_free(&icache);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sm parts");
    TCase *t = tcase_create("parts");
    tcase_add_test(t, bits_are_taken_from_the_lowest_up);
    tcase_add_test(t, pool_records_are_distinct_and_kept);
    tcase_add_test(t, pool_uses_records_again);
    tcase_add_test(t, wheel_entries_come_in_their_cycle_in_order);
    tcase_add_test(t, wheel_knows_its_next_entry);
    tcase_add_test(t, registers_are_named_by_word);
    tcase_add_test(t, scoreboard_holds_readers_and_writers);
    tcase_add_test(t, scoreboard_remembers_what_memory_wrote);
    tcase_add_test(t, one_miss_a_cycle);
    tcase_add_test(t, who_joins_a_fill_needs_room);
    tcase_add_test(t, a_refused_fetch_takes_further_turns);
    tcase_add_test(t, registers_are_spread_over_the_banks);
    tcase_add_test(t, a_bank_serves_its_ports_in_a_cycle);
    tcase_add_test(t, pipelines_are_taken_as_they_are_free);
    tcase_add_test(t, results_of_a_cycle_are_limited);
    tcase_add_test(t, counters_have_rows);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
