/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks anywhere in a grid have in common, of kernels of which that can
 * be counted by hand. */
#include "model/crowd.h"
#include "tests/model_traffic.h"
#include "tests/script_kernel.h"

static struct crowd *crowd_by(const struct kernel *k, const struct gpu *g,
                              uint64_t seed)
{
    struct error e = {STATUS_OK, ""};
    struct crowd *c = crowd_create(k, g, seed, &e);
    ck_assert_msg(c != NULL, "%s", e.text);
    return c;
}

static struct crowd *crowd_of(const struct kernel *k, const struct gpu *g)
{
    return crowd_by(k, g, 1);
}

static double share(const struct alike *a)
{
    return a->once / a->touches;
}

/* All read one table (instruction 0), and each writes and reads (1, 2) what is
 * its own: all 256 blocks, of four lines of each kind. */
START_TEST(own_lines_and_those_of_all)
{
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 256; block = 128;",
                                   "a = { bytes = 512; }; b = { bytes = "
                                   "131072; };",
                                   "    ldg.4 r1, [a + 4*tid], r0\n"
                                   "    stg.4 [b + 512*block + 4*tid], r1\n"
                                   "    ldg.4 r2, [b + 512*block + 4*tid], r0\n"
                                   "    exit\n");
    struct crowd *c = crowd_of(k, &g);
    ck_assert_double_eq(c->inst[0].touches, 256 * 16);
    ck_assert_double_eq_tol(share(&c->inst[0]), 1, 1e-9);
    ck_assert_double_eq_tol(c->inst[0].twice / c->inst[0].touches, 1, 1e-9);
    ck_assert_double_eq(c->inst[1].touches, 0);
    ck_assert_double_eq(c->inst[2].touches, 0);
    ck_assert_double_eq(c->lines.touches, 256 * 8);
    ck_assert_double_eq_tol(share(&c->lines), 0.5, 1e-9);
    crowd_free(c);
    kernel_free(k);
}
END_TEST

/* Blocks of 16 KB each that are stored: to places of their own they are 64 MB,
 * of which the L2 of a V100 keeps 6 at most; to the same they all stay, as do
 * the lines of 512 KB of which each block stores to a word. */
START_TEST(what_all_store_to_stays)
{
    static const struct {
        const char *address;
        double distinct;
        bool stays;
    } of[] = {{"x + 16384*block + 128*i + 4*lane", 1, false},
              {"x + 128*i + 4*lane", 1 / 4096.0, true},
              {"x + 4096*i + 128*lane + 4*(block % 32)", 1 / 4096.0, true}};
    struct gpu g = machine("v100");
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct error e = {STATUS_OK, ""};
        char program[256];
        snprintf(program, sizeof(program),
                 "    loop i, 128, p0\n    stg.4 [%s], r1\n    endloop\n"
                 "    exit\n",
                 of[i].address);
        struct kernel *k = kernel_with("grid = 4096; block = 32;",
                                       "x = { bytes = 67108864; };", program);
        struct crowd *c = crowd_of(k, &g);
        struct profile *p = profile_create(k, &g, 1, &e);
        ck_assert_double_eq_tol(alike_distinct(&c->stored, 4096),
                                of[i].distinct, 1e-9);
        double left = profile_stores_left(p, &g);
        if (of[i].stays)
            ck_assert_double_eq(left, 1);
        else
            ck_assert_double_lt(left, 6 / 64.0 + 0.01);
        profile_free(p);
        crowd_free(c);
        kernel_free(k);
    }
}
END_TEST

/* All blocks count in one line, and read one of their own: half of what the L2
 * is asked for is for that one. Lines that each stores to alone are not hot. */
START_TEST(lines_that_all_store_to_are_hot)
{
    static const struct {
        const char *address;
        size_t lines;
        double share;
    } of[] = {{"a + 4*tid", 1, 0.5}, {"a + 128*block + 4*tid", 0, 0}};
    struct gpu g = machine("v100");
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        char program[256];
        snprintf(program, sizeof(program),
                 "    ldg.4 r1, [b + 128*block + 4*tid], r0\n"
                 "    atom.4 r2, [%s], r1\n"
                 "    exit\n",
                 of[i].address);
        struct kernel *k = kernel_with("grid = 1024; block = 32;",
                                       "a = { bytes = 131072; }; b = { bytes "
                                       "= 131072; };",
                                       program);
        struct crowd *c = crowd_of(k, &g);
        ck_assert_uint_eq(c->hot.count, of[i].lines);
        ck_assert_double_eq_tol(c->hot.share, of[i].share, 1e-9);
        crowd_free(c);
        kernel_free(k);
    }
}
END_TEST

/* Each warp stores a word a lane, anywhere in so many bytes. */
static struct script writers(uint64_t bytes)
{
    struct script s = readers(1, bytes);
    s.op[0].op = OP_STORE;
    s.op[0].dst = -1;
    return s;
}

/* Words anywhere in 98,304 lines, of which the L2 has room for half: so many
 * are dirty already when they are stored to. */
START_TEST(lines_left_dirty_are_written_once)
{
    struct gpu g = machine("v100");
    struct error e = {STATUS_OK, ""};
    struct script s = writers(98304 * 128);
    g.l2.dirty_share = 1;
    ck_assert_double_eq(g.l2.size_kb, 6144);
    struct kernel *k = script_kernel(&s, 8192, 8);
    struct profile *p = profile_create(k, &g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    struct cache_view v;
    caches_view(&v, p, &g,
                &(struct sharing){.warps = 64,
                                  .live = 64,
                                  .oldest = 64,
                                  .blocks = 8,
                                  .active_sms = g.sms,
                                  .interference = 1,
                                  .stores_left = NAN});
    ck_assert_double_eq_tol(v.stored_afresh, 0.5, 0.05);
    profile_free(p);
    k->ops->destroy(k);
}
END_TEST

/* ... and there is room until n words have gone to half of the lines, 1 -
 * exp(-n / 98,304): those of 266 blocks. */
START_TEST(words_anywhere_soon_fill_the_l2)
{
    struct gpu g = machine("v100");
    struct error e = {STATUS_OK, ""};
    struct script s = writers(98304 * 128);
    g.l2.dirty_share = 1;
    struct kernel *k = script_kernel(&s, 8192, 8);
    struct profile *p = profile_create(k, &g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    double part = log(2) * 98304 / 256 / 8192;
    double left = profile_stores_left(p, &g);
    ck_assert_double_ge(left, 0.9 * part);
    ck_assert_double_le(left, 1.5 * part);
    profile_free(p);
    k->ops->destroy(k);
}
END_TEST

/* Half of the lines are of one block each, the others of all. */
START_TEST(some_store_to_what_others_do)
{
    const struct alike kind = {.touches = 4, .once = 2, .twice = 2};
    ck_assert_double_eq_tol(alike_distinct(&kind, 256), 0.5 + 0.5 / 256, 1e-9);
}
END_TEST

/* Blocks that read a line of one half or the other, as their number is even:
 * the share of the others is a little below or above one half, and pairs of
 * others both do in one fourth. */
START_TEST(halves_of_the_blocks)
{
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = 4096; block = 32;", "a = { bytes = 256; };",
                    "    ldg.4 r1, [a + 128*(block % 2) + 4*tid], r0\n"
                    "    exit\n");
    struct crowd *c = crowd_of(k, &g);
    ck_assert_double_eq(c->inst[0].touches, 512 * 4);
    ck_assert_double_eq_tol(share(&c->inst[0]), 0.5, 0.05);
    ck_assert_double_eq_tol(c->inst[0].twice / c->inst[0].touches, 0.25, 0.05);
    crowd_free(c);
    kernel_free(k);
}
END_TEST

/* 2048 words of 8192 sectors a block: by chance another block touches
 * 1 - (1 - 1/8192)^2048 = 22 % of them, and two others 4.9 %. */
START_TEST(by_chance)
{
    struct gpu g = machine("v100");
    struct script s = readers(16, 262144);
    struct kernel *k = script_kernel(&s, 512, 4);
    struct crowd *c = crowd_of(k, &g);
    double once = 1 - pow(1 - 1 / 8192.0, 2048);
    double all = 0, shared = 0, both = 0;
    for (uint32_t i = 0; i < k->inst_count; i++) {
        all += c->inst[i].touches;
        shared += c->inst[i].once;
        both += c->inst[i].twice;
    }
    ck_assert_double_eq_tol(all, 48 * 8192 * once, 0.02 * 48 * 8192 * once);
    ck_assert_double_eq_tol(shared / all, once, 0.02 * once);
    ck_assert_double_eq_tol(both / all, once * once, 0.04 * once * once);
    crowd_free(c);
    k->ops->destroy(k);
}
END_TEST

/* 32 words of 262,144 sectors a block: of 8,192 blocks any two meet in one
 * sector of 262,144 / 32, or in none. */
START_TEST(by_small_chance)
{
    struct gpu g = machine("v100");
    struct script s = readers(1, 8 << 20);
    struct kernel *k = script_kernel(&s, 8192, 1);
    double chance = 32 / 262144.0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct crowd *c = crowd_by(k, &g, seed);
        ck_assert_double_eq_tol(share(&c->inst[0]), chance, 0.15 * chance);
        ck_assert_double_eq_tol(share(&c->lines), 4 * chance, 0.6 * chance);
        crowd_free(c);
    }
    k->ops->destroy(k);
}
END_TEST

/* There is room for what each block has for itself; of 48 x 8192 x 22 % sectors
 * that blocks read anywhere in 256 KiB, in 512 blocks, for as many as these
 * have; and for all lines as for both. */
START_TEST(room_where_they_lie)
{
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = 512; block = 128;",
                    "a = { bytes = 262144; }; b = { bytes = 262144; };",
                    "    ldg.4 r1, [b + 512*block + 4*tid], r0\n"
                    "    loop i, 16, p0\n"
                    "    ldg.4 r2, [a + 4*rand(65536)], r0\n"
                    "    endloop\n    exit\n");
    struct crowd *c = crowd_of(k, &g);
    double sectors = 8192 * (1 - pow(1 - 1 / 8192.0, 2048));
    double lines = 2048 * (1 - pow(1 - 1 / 2048.0, 2048));
    const struct alike *own = &c->inst[0], *any = &c->inst[1];
    ck_assert_double_eq_tol(own->room / own->touches, 1, 0.01);
    ck_assert_double_eq_tol(any->room / any->touches, 8192 / (512 * sectors),
                            0.05 * 8192 / (512 * sectors));
    ck_assert_double_eq_tol(c->lines.room / c->lines.touches,
                            (4 + 2048 / 512.0) / (4 + lines),
                            0.05 * 8 / (4 + lines));
    crowd_free(c);
    kernel_free(k);
}
END_TEST

/* A stencil without columns: each block reads its own line and those of the
 * blocks 32 and 64 before it, which no block far away does. */
START_TEST(neighbours_are_no_chance)
{
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = 4096; block = 32;", "a = { bytes = 532480; };",
                    "    ldg.4 r1, [a + 128*block + 4*tid], r0\n"
                    "    ldg.4 r2, [a + 128*(block + 32) + "
                    "4*tid], r0\n"
                    "    ldg.4 r3, [a + 128*(block + 64) + "
                    "4*tid], r0\n"
                    "    exit\n");
    struct crowd *c = crowd_of(k, &g);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq(c->inst[i].touches, 512 * 4);
        ck_assert_double_eq(c->inst[i].once, 0);
    }
    ck_assert_double_eq(c->lines.once, 0);
    crowd_free(c);
    kernel_free(k);
}
END_TEST

/* All blocks have lines of their own but two next to each other in the middle
 * of a grid of 48, which read the same. */
START_TEST(one_pair_says_nothing_of_others)
{
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with(
        "grid = 48; block = 32;", "a = { bytes = 6144; };",
        "    ldg.4 r1, [a + 128*(block - block/25 + block/26) + 4*tid], r0\n"
        "    exit\n");
    struct crowd *c = crowd_of(k, &g);
    ck_assert_double_eq(c->inst[0].touches, 48 * 4);
    ck_assert_double_eq(c->inst[0].once, 0);
    ck_assert_double_eq(c->lines.once, 0);
    crowd_free(c);
    kernel_free(k);
}
END_TEST

/* Fewer blocks than say anything of chance. */
START_TEST(few_blocks_are_no_crowd)
{
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = 7; block = 32;", "a = { bytes = 128; };",
                    "    ldg.4 r1, [a + 4*tid], r0\n    exit\n");
    struct crowd *c = crowd_of(k, &g);
    ck_assert_double_eq(c->lines.touches, 0);
    ck_assert_double_eq(c->inst[0].touches, 0);
    crowd_free(c);
    kernel_free(k);
}
END_TEST

/* It is one for all GPUs of a hash: latencies and bandwidths do not count, the
 * L1's sectors do. */
START_TEST(gpus_of_one_crowd)
{
    struct gpu g = machine("v100"), slow = g, coarse = g;
    slow.dram.latency *= 2;
    slow.sms /= 2;
    coarse.l1.sector_bytes = 128;
    ck_assert_uint_eq(crowd_hash(&g), crowd_hash(&slow));
    ck_assert_uint_ne(crowd_hash(&g), crowd_hash(&coarse));
}
END_TEST

/* Whatever speaks for rows of the grid is left to them. */
START_TEST(rows_that_explain_as_much_stand)
{
    const struct grid_rows of = {1000, 1000};
    double sum[SHARING_SUMS] = {
        [SHARED_COLD] = 10, [SHARED_NEAR] = 5, [SHARED_NEAR_ALL] = 5};
    alike_set_wide(&(struct alike){.touches = 4, .once = 1.9, .twice = 1}, &of,
                   sum);
    ck_assert_double_eq(sum[SHARED_WIDE], 0);
    alike_set_wide(&(struct alike){.touches = 4, .once = 2.1, .twice = 1}, &of,
                   sum);
    ck_assert_double_eq_tol(sum[SHARED_WIDE], 10 * 2.1 / 4, 1e-9);
    ck_assert_double_eq_tol(sum[SHARED_WIDE_PAIRS], 10 * 1 / 4.0, 1e-9);
    ck_assert_double_eq(sum[SHARED_NEAR], 0);
}
END_TEST

/* A block of each of four rows of 1,000 touches the same: of 4,000 blocks, any
 * other does with a chance of 3 / 4,000, of 999 in the next row none. */
START_TEST(long_rows_are_no_chance)
{
    const struct grid_rows of[] = {{4000, 1000}, {4000, 100}};
    for (int i = 0; i < 2; i++) {
        double sum[SHARING_SUMS] = {[SHARED_COLD] = 1, [SHARED_FAR] = 0.75};
        alike_set_wide(&(struct alike){.touches = 1, .once = 3 / 4000.0},
                       &of[i], sum);
        ck_assert_double_eq_tol(sum[SHARED_WIDE], i == 0 ? 0 : 3 / 4000.0,
                                1e-12);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("crowd");
    TCase *c = tcase_create("crowd");
    tcase_add_test(c, own_lines_and_those_of_all);
    tcase_add_test(c, what_all_store_to_stays);
    tcase_add_test(c, lines_that_all_store_to_are_hot);
    tcase_add_test(c, lines_left_dirty_are_written_once);
    tcase_add_test(c, words_anywhere_soon_fill_the_l2);
    tcase_add_test(c, some_store_to_what_others_do);
    tcase_add_test(c, halves_of_the_blocks);
    tcase_add_test(c, by_chance);
    tcase_add_test(c, by_small_chance);
    tcase_add_test(c, room_where_they_lie);
    tcase_add_test(c, neighbours_are_no_chance);
    tcase_add_test(c, one_pair_says_nothing_of_others);
    tcase_add_test(c, few_blocks_are_no_crowd);
    tcase_add_test(c, gpus_of_one_crowd);
    tcase_add_test(c, rows_that_explain_as_much_stand);
    tcase_add_test(c, long_rows_are_no_chance);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
