/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tag array against a model that keeps each set as a list, newest first. */
#include "sampler/memory/cache.h"

#include "configs/gpu.h"
#include "sampler/policy/l1/table.h"
#include "sampler/policy/registry.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void open_cache(struct cache *c, double size_kb, int ways, bool hashed,
                       const struct cache_policy *policy)
{
    struct choice choice = choice_of(&policy->info);
    ck_assert(cache_init(c, size_kb, ways, 128, hashed, &choice));
}

/* ---- a brute-force model ------------------------------------------------ */

#define MAX_WAYS 16
#define MAX_SETS 64

struct model_line {
    uint64_t tag;
    bool locked;
};

/* line[set][0] was used last. */
struct model {
    int ways, count[MAX_SETS];
    struct model_line line[MAX_SETS][MAX_WAYS];
};

static int model_find(const struct model *m, int set, uint64_t tag)
{
    for (int i = 0; i < m->count[set]; i++)
        if (m->line[set][i].tag == tag)
            return i;
    return -1;
}

/* Move line i of the set to the front. */
static void model_use(struct model *m, int set, int i)
{
    struct model_line l = m->line[set][i];
    memmove(&m->line[set][1], &m->line[set][0],
            (size_t)i * sizeof(struct model_line));
    m->line[set][0] = l;
}

/* Put the tag in front; *old is what had to go, UINT64_MAX for nothing. False
 * when all lines are locked. */
static bool model_insert(struct model *m, int set, uint64_t tag, uint64_t *old)
{
    int at = m->count[set];
    *old = UINT64_MAX;
    if (at == m->ways) {
        do
            at--;
        while (at >= 0 && m->line[set][at].locked);
        if (at < 0)
            return false;
        *old = m->line[set][at].tag;
    } else {
        m->count[set]++;
    }
    m->line[set][at] = (struct model_line){.tag = tag};
    model_use(m, set, at);
    return true;
}

/* A hit is one in both; a miss replaces the same line in both; now and then
 * lines are locked, sometimes all of a set. */
static void access_both(struct cache *c, struct model *m, uint64_t line)
{
    struct cache_access a = {.line = line};
    int set = cache_set(c, line), way = cache_find(c, set, line);
    int i = model_find(m, set, line);
    ck_assert_int_eq(way >= 0, i >= 0);
    if (way >= 0) {
        ck_assert_uint_eq(cache_at(c, set, way)->tag, line);
        if (rand() % 4 == 0) {
            m->line[set][i].locked = !m->line[set][i].locked;
            cache_set_pending(c, set, way, m->line[set][i].locked ? 3 : 0);
        }
        cache_touch(c, set, way, &a);
        model_use(m, set, i);
        return;
    }
    uint64_t gone;
    struct cache_line old;
    bool room = model_insert(m, set, line, &gone);
    way = cache_allocate(c, set, &a, &old);
    ck_assert_int_eq(way != NO_WAY, room);
    if (!room)
        return;
    ck_assert_uint_eq(old.tag, gone);
    ck_assert_int_eq(cache_find(c, set, line), way);
    ck_assert_uint_eq(cache_at(c, set, way)->valid, 0);
    ck_assert_uint_eq(cache_at(c, set, way)->mshr, NO_MSHR);
}

START_TEST(lru_is_lru)
{
    srand(3);
    const struct {
        double size_kb;
        int ways, sets;
    } shape[] = {{0.125, 1, 1}, {0.5, 4, 1}, {2, 4, 4},    {1.5, 4, 3},
                 {12, 2, 48},   {16, 8, 16}, {12.5, 5, 20}};
    for (size_t s = 0; s < sizeof(shape) / sizeof(shape[0]); s++)
        for (int hashed = 0; hashed <= 1; hashed++) {
            struct cache c;
            struct model m = {.ways = shape[s].ways};
            open_cache(&c, shape[s].size_kb, shape[s].ways, hashed != 0,
                       &cache_lru);
            ck_assert_int_eq(c.sets, shape[s].sets);
            uint64_t lines = (uint64_t)(c.sets * c.ways * 2);
            for (int i = 0; i < 20000; i++)
                access_both(&c, &m, (uint64_t)rand() % lines);
            cache_free(&c);
        }
}
END_TEST

/* ---- sets --------------------------------------------------------------- */

/* Consecutive lines go round the sets, hashed or not: any run of `sets` lines
 * that begins at a multiple of it uses each set once. */
START_TEST(sets_are_used_evenly)
{
    const double size_kb[] = {16, 12, 1.5, 48};
    for (size_t s = 0; s < 4; s++)
        for (int hashed = 0; hashed <= 1; hashed++) {
            struct cache c;
            open_cache(&c, size_kb[s], 4, hashed != 0, &cache_lru);
            for (int run = 0; run < 300; run++) {
                uint64_t seen[4] = {0};
                for (int i = 0; i < c.sets; i++) {
                    int set = cache_set(&c, (uint64_t)(run * c.sets + i));
                    ck_assert(set >= 0 && set < c.sets);
                    ck_assert_uint_eq(seen[set / 64] >> (set % 64) & 1, 0);
                    seen[set / 64] |= UINT64_C(1) << (set % 64);
                }
            }
            cache_free(&c);
        }
}
END_TEST

/* Bits of an address, each alone, and the bits of the set that they turn: of
 * Fermi's L1 (Nugteren et al., Sec. 5), and of GPGPU-Sim's equations for 16
 * (hashing.cc). */
START_TEST(sets_are_hashed_as_told)
{
    static const struct {
        int set_hash;
        double size_kb; /* of 4 ways */
        int bit;
        int set;
    } row[] = {
        {SETS_FERMI, 16, 7, 1},   {SETS_FERMI, 16, 11, 16},
        {SETS_FERMI, 16, 12, 0},  {SETS_FERMI, 16, 13, 1},
        {SETS_FERMI, 16, 15, 4},  {SETS_FERMI, 16, 16, 0},
        {SETS_FERMI, 16, 17, 8},  {SETS_FERMI, 16, 18, 0},
        {SETS_FERMI, 16, 19, 16}, {SETS_FERMI, 16, 20, 0},
        {SETS_FERMI, 32, 12, 32}, {SETS_FERMI, 32, 13, 1},
        {SETS_IPOLY, 8, 7, 1},    {SETS_IPOLY, 8, 11, 3},
        {SETS_IPOLY, 8, 14, 11},  {SETS_IPOLY, 8, 22, 1},
        {SETS_IPOLY, 8, 23, 2},   {SETS_IPOLY, 8, 24, 0},
        {SETS_XOR, 8, 8, 2},      {SETS_XOR, 8, 12, 2},
        {SETS_XOR, 8, 15, 0},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct cache c;
        open_cache(&c, row[i].size_kb, 4, true, &cache_lru);
        cache_hash_by(&c, row[i].set_hash);
        int set = cache_set(&c, UINT64_C(1) << (row[i].bit - 7));
        ck_assert_msg(set == row[i].set, "row %zu: %d", i, set);
        cache_free(&c);
    }
}
END_TEST

/* Where the sets are not as many as a hash is for, it is not taken. */
START_TEST(hashes_fit_their_sets)
{
    for (int set_hash = SETS_FOLDED; set_hash <= SETS_XOR; set_hash++) {
        struct cache c;
        open_cache(&c, 12, 4, true, &cache_lru);
        cache_hash_by(&c, set_hash);
        ck_assert_int_eq(c.sets, 24);
        ck_assert_int_eq(c.set_hash, SETS_FOLDED);
        cache_free(&c);
        open_cache(&c, 8, 4, true, &cache_lru);
        cache_hash_by(&c, set_hash);
        ck_assert_int_eq(c.set_hash,
                         set_hash == SETS_FERMI ? SETS_FOLDED : set_hash);
        cache_free(&c);
    }
}
END_TEST

/* Lines a multiple of the sets apart share one set, unless it is hashed. */
START_TEST(hashing_spreads_strides)
{
    for (int hashed = 0; hashed <= 1; hashed++) {
        struct cache c;
        open_cache(&c, 16, 4, hashed != 0, &cache_lru);
        ck_assert_int_eq(c.sets, 32);
        uint32_t seen = 0;
        for (uint64_t i = 0; i < 32; i++)
            seen |= UINT32_C(1) << cache_set(&c, i * 32);
        ck_assert_int_eq(__builtin_popcount(seen), hashed ? 32 : 1);
        cache_free(&c);
    }
}
END_TEST

START_TEST(invalidation_spares_what_is_awaited)
{
    struct cache c;
    open_cache(&c, 0.5, 4, false, &cache_lru);
    struct cache_line old;
    for (uint64_t line = 0; line < 4; line++)
        cache_allocate(&c, 0, &(struct cache_access){.line = line}, &old);
    cache_set_pending(&c, 0, cache_find(&c, 0, 2), 1);
    cache_invalidate(&c);
    for (uint64_t line = 0; line < 4; line++)
        ck_assert_int_eq(cache_find(&c, 0, line) != NO_WAY, line == 2);
    cache_free(&c);
}
END_TEST

/* ---- every policy ------------------------------------------------------- */

/* Whatever the policy, no locked line goes, free ways are used first unless the
 * policy divides them, and -1 means that all are locked. */
START_TEST(policies_respect_locks)
{
    srand(9);
    for (size_t p = 0; cache_policies[p] != NULL; p++) {
        struct cache c;
        open_cache(&c, 4, 8, true, cache_policies[p]);
        for (int i = 0; i < 30000; i++) {
            struct cache_access a = {.line = (uint64_t)rand() % 100,
                                     .pc = (uint32_t)(rand() % 16) * 8,
                                     .critical = rand() % 2 != 0};
            int set = cache_set(&c, a.line);
            int way = cache_find(&c, set, a.line), free = 0, locked = 0;
            if (way != NO_WAY) {
                cache_touch(&c, set, way, &a);
                cache_set_pending(&c, set, way, (uint32_t)rand() % 2);
                continue;
            }
            for (int w = 0; w < c.ways; w++) {
                bool is_free = cache_way_is_free(&c, set, w);
                free += is_free;
                locked += !is_free && cache_at(&c, set, w)->pending != 0;
            }
            struct cache_line old;
            way = cache_allocate(&c, set, &a, &old);
            if (way == NO_WAY) {
                ck_assert(locked == c.ways || cache_policies[p]->partitioned);
                continue;
            }
            ck_assert_uint_eq(old.pending, 0);
            if (free > 0 && !cache_policies[p]->partitioned)
                ck_assert_uint_eq(old.tag, UINT64_MAX);
            ck_assert_uint_eq(cache_at(&c, set, way)->tag, a.line);
        }
        cache_free(&c);
    }
}
END_TEST

static void write_line(struct cache *c, uint64_t line)
{
    struct cache_access a = {.line = line};
    struct cache_line old;
    int way = cache_find(c, 0, line);
    if (way == NO_WAY)
        way = cache_allocate(c, 0, &a, &old);
    cache_set_written(c, 0, way, 1);
}

/* Of a set of four ways written lines stay until they are three: clean ones go
 * first, and where one awaits a fill it is waited for. */
START_TEST(written_lines_are_spared)
{
    struct cache c;
    struct cache_line old;
    open_cache(&c, 0.5, 4, false, &cache_lru);
    c.written_most = 3;
    write_line(&c, 1);
    write_line(&c, 2);
    write_line(&c, 2);
    ck_assert_int_eq(c.written, 2);
    for (uint64_t line = 3; line < 7; line++) {
        int way =
            cache_allocate(&c, 0, &(struct cache_access){.line = line}, &old);
        ck_assert(line < 5 ? old.tag == UINT64_MAX : old.tag == line - 2);
        cache_set_pending(&c, 0, way, line >= 5);
    }
    ck_assert_int_eq(
        cache_allocate(&c, 0, &(struct cache_access){.line = 9}, &old), NO_WAY);
    cache_set_pending(&c, 0, cache_find(&c, 0, 5), 0);
    write_line(&c, 5);
    ck_assert_int_eq(c.written, 3);
    cache_allocate(&c, 0, &(struct cache_access){.line = 9}, &old);
    ck_assert_uint_eq(old.tag, 1);
    ck_assert_int_eq(c.written, 2);
    cache_free(&c);
}
END_TEST

/* Nothing but written lines, too few of them by the rule: the oldest goes. */
START_TEST(written_lines_go_where_there_is_no_other)
{
    struct cache c;
    struct cache_line old;
    open_cache(&c, 0.25, 2, false, &cache_lru);
    c.written_most = 100;
    write_line(&c, 1);
    write_line(&c, 2);
    cache_allocate(&c, 0, &(struct cache_access){.line = 3}, &old);
    ck_assert_uint_eq(old.tag, 1);
    cache_invalidate(&c);
    ck_assert_int_eq(c.written, 0);
    cache_free(&c);
}
END_TEST

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1;
    return *state >> 33;
}

/* One more access; what it evicts, 0: nothing. */
static uint64_t access_line(struct cache *c, uint64_t line)
{
    struct cache_access a = {.line = line};
    struct cache_line old = {.tag = 0};
    int set = cache_set(c, line), way = cache_find(c, set, line);
    if (way != NO_WAY)
        cache_touch(c, set, way, &a);
    else
        cache_allocate(c, set, &a, &old);
    return old.tag;
}

/* A copy goes on as the first one does, and apart from it. */
START_TEST(copies_go_on_alike)
{
    struct cache c, copy, third;
    uint64_t state = 1;
    open_cache(&c, 16, 4, true, &cache_lru);
    open_cache(&third, 16, 4, true, &cache_lru);
    for (int i = 0; i < 300; i++)
        access_line(&c, 1 + draw(&state) % 200);
    ck_assert(cache_copy(&copy, &c));
    for (int i = 0; i < 50; i++)
        access_line(&third, 1000 + draw(&state) % 200);
    cache_assign(&third, &c);
    for (int i = 0; i < 300; i++) {
        uint64_t line = 1 + draw(&state) % 200, gone = access_line(&c, line);
        ck_assert_uint_eq(access_line(&copy, line), gone);
        ck_assert_uint_eq(access_line(&third, line), gone);
    }
    cache_free(&third);
    cache_free(&copy);
    cache_free(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache");
    TCase *tc = tcase_create("tags");
    tcase_add_test(tc, lru_is_lru);
    tcase_add_test(tc, sets_are_used_evenly);
    tcase_add_test(tc, sets_are_hashed_as_told);
    tcase_add_test(tc, hashes_fit_their_sets);
    tcase_add_test(tc, hashing_spreads_strides);
    tcase_add_test(tc, invalidation_spares_what_is_awaited);
    tcase_add_test(tc, policies_respect_locks);
    tcase_add_test(tc, copies_go_on_alike);
    tcase_add_test(tc, written_lines_are_spared);
    tcase_add_test(tc, written_lines_go_where_there_is_no_other);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
