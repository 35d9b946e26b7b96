/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions of kernel files, each checked as the address of a store. */
#include "base/mix.h"
#include "kernels/file/hash_draw.h"
#include "tests/kernel_text.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>

/* ---- constants ---------------------------------------------------------- */

static const struct {
    const char *text;
    int64_t value;
} constants[] = {
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 4 - 3", 3},
    {"100 / 7 / 2", 7},
    {"100 % 7", 2},
    {"-7 / 2", -3},
    {"-7 % 2", -1},
    {"2 - -3", 5},
    {"-(2 + 3) * 2", -10},
    {"0x10 + 0xff", 271},
    {"1 << 4 + 1", 32},
    {"256 >> 3", 32},
    {"-8 >> 1", -4},
    {"1 << 64", 0},
    {"1 << -1", 0},
    {"6 & 3", 2},
    {"6 | 3", 7},
    {"6 ^ 3", 5},
    {"1 | 2 ^ 2 & 6", 1},
    {"1 < 2", 1},
    {"2 <= 1", 0},
    {"2 > 1", 1},
    {"2 >= 3", 0},
    {"3 == 3", 1},
    {"3 != 3", 0},
    {"1 < 2 == 1", 1},
    {"2 && 0", 0},
    {"2 && 4", 1},
    {"0 || 0", 0},
    {"0 || 7", 1},
    {"1 || 1 && 0", 1},
    {"min(3, -2) + max(3, -2)", 1},
    {"9223372036854775807 + 1", INT64_MIN},
    {"(-9223372036854775807 - 1) / -1", INT64_MIN},
    {"(-9223372036854775807 - 1) % -1", 0},
    {"ntid", 128},
    {"nblocks", 6},
    {"x", 4294967296},
    {"y", 4294967296 + 1024},
    {"hash(5, 1)", 0},
    {"hgeom(5, 100)", 1},
    {"hgeom(5, 1) + hgeom(6, 99)", 2},
};

static void step_of(const struct kernel *k, uint64_t block, uint32_t warp,
                    struct step *out)
{
    void *state = open_block(k, block);
    ck_assert(k->ops->next(k, state, warp, out));
    close_block(k, state);
}

static struct kernel *address_kernel(const char *launch, const char *text)
{
    char program[300];
    snprintf(program, sizeof(program), "stg.4 [%s]\nexit", text);
    return kernel_of(launch, program);
}

START_TEST(constant_expressions)
{
    struct kernel *k =
        address_kernel("grid = [3, 2]; block = 128;", constants[_i].text);
    struct step s;
    step_of(k, 0, 0, &s);
    ck_assert_int_eq(s.form, ADDR_STRIDE);
    ck_assert_int_eq(s.stride, 0);
    ck_assert_msg((int64_t)s.base == constants[_i].value, "%s: found %" PRId64,
                  constants[_i].text, (int64_t)s.base);
    kernel_free(k);
}
END_TEST

/* ---- per lane, against plain C ------------------------------------------ */

struct thread {
    int64_t tid, lane, warp, tx, ty, tz, bx, by, bz, block, gtid;
};

#define FORMULA(name, formula)                                                 \
    static int64_t name(const struct thread *t)                                \
    {                                                                          \
        return formula;                                                        \
    }
FORMULA(f_lane, 3 * t->lane + 7)
FORMULA(f_tid, t->tid)
FORMULA(f_gtid, 4 * t->gtid + 16)
FORMULA(f_down, 1000 - 8 * t->tid)
FORMULA(f_tx, 4 * t->tx)
FORMULA(f_ty, 4 * t->ty)
FORMULA(f_tz, t->tz)
FORMULA(f_matrix, 4 * ((t->by * 8 + t->ty) * 512 + t->bx * 16 + t->tx))
FORMULA(f_linear, t->bx + 10 * t->by + 100 * t->bz + 1000 * t->block)
FORMULA(f_warp, t->tid / 32 - t->warp)
FORMULA(f_half, t->tid / 16)
FORMULA(f_wrap, 4 * (t->tid % 32))
FORMULA(f_wrap12, t->gtid % 12)
FORMULA(f_by12, t->gtid / 12)
FORMULA(f_three, 3 * t->tid % 7)
FORMULA(f_row, t->gtid / 5 % 3 * 100 + t->gtid % 5)
FORMULA(f_xor, 4 * (t->lane ^ 4))
FORMULA(f_shift, (t->tid >> 2) << 3)
FORMULA(f_mask, t->tid & 15)
FORMULA(f_not_mask, t->tid & 10)
FORMULA(f_square, t->lane * t->lane)
FORMULA(f_less, t->tid < 40)
FORMULA(f_most, t->tid >= 64)
FORMULA(f_both, t->tx > 2 && t->ty != 1)
FORMULA(f_min, t->tid < 50 ? t->tid : 50)
FORMULA(f_negative, (t->lane - 16) / 5)
FORMULA(f_remainder, (t->lane - 16) % 5)
FORMULA(f_carry, (t->tid + 1) / 32)
FORMULA(f_carried, (t->tid + 1) % 32)
FORMULA(f_carry5, (5 * t->tid + 5) / 160)
FORMULA(f_carry3, (t->tid + 11) / 42)
FORMULA(f_zero, t->lane == 0 ? 0 : 100 / t->lane)

static const struct {
    const char *text;
    int64_t (*value)(const struct thread *t);
} formulas[] = {
    {"3*lane + 7", f_lane},
    {"tid", f_tid},
    {"4*gtid + 16", f_gtid},
    {"1000 - 8*tid", f_down},
    {"4*tx", f_tx},
    {"4*ty", f_ty},
    {"tz", f_tz},
    {"4*((by*8 + ty)*512 + bx*16 + tx)", f_matrix},
    {"bx + 10*by + 100*bz + 1000*block", f_linear},
    {"tid/32 - warp", f_warp},
    {"tid/16", f_half},
    {"4*(tid % 32)", f_wrap},
    {"gtid % 12", f_wrap12},
    {"gtid / 12", f_by12},
    {"3*tid % 7", f_three},
    {"gtid/5 % 3 * 100 + gtid % 5", f_row},
    {"4*(lane ^ 4)", f_xor},
    {"tid >> 2 << 3", f_shift},
    {"tid & 15", f_mask},
    {"tid & 10", f_not_mask},
    {"lane*lane", f_square},
    {"tid < 40", f_less},
    {"tid >= 64", f_most},
    {"tx > 2 && ty != 1", f_both},
    {"min(tid, 50)", f_min},
    {"(lane - 16) / 5", f_negative},
    {"(lane - 16) % 5", f_remainder},
    {"(tid + 1) / 32", f_carry},
    {"(tid + 1) % 32", f_carried},
    {"(5*tid + 5) / 160", f_carry5},
    {"(tid + 11) / 42", f_carry3},
    {"100 / lane", f_zero},
};
#define FORMULAS (int)(sizeof(formulas) / sizeof(formulas[0]))

static const struct {
    const char *launch;
    struct dim3 grid, block;
} shapes[] = {
    {"grid = 5; block = 256;", {5, 1, 1}, {256, 1, 1}},
    {"grid = [3, 2]; block = [16, 8];", {3, 2, 1}, {16, 8, 1}},
    {"grid = [2, 2, 2]; block = [64, 2, 2];", {2, 2, 2}, {64, 2, 2}},
    {"grid = [2, 1, 3]; block = [5, 3, 7];", {2, 1, 3}, {5, 3, 7}},
    {"grid = 2; block = [1, 100];", {2, 1, 1}, {1, 100, 1}},
};
#define SHAPES (int)(sizeof(shapes) / sizeof(shapes[0]))

static struct thread thread_at(int shape, uint64_t block, int64_t tid)
{
    const struct dim3 *g = &shapes[shape].grid, *b = &shapes[shape].block;
    struct thread t = {.tid = tid, .block = (int64_t)block};
    int64_t threads = (int64_t)b->x * b->y * b->z;
    t.lane = tid % 32;
    t.warp = tid / 32;
    t.tx = tid % b->x;
    t.ty = tid / b->x % b->y;
    t.tz = tid / b->x / b->y;
    t.bx = t.block % g->x;
    t.by = t.block / g->x % g->y;
    t.bz = t.block / g->x / g->y;
    t.gtid = t.block * threads + tid;
    return t;
}

/* Whether the formula is affine in the lane over the warp that begins at
 * tid. */
static bool formula_is_affine(int f, int shape, uint64_t block, int64_t tid,
                              int lanes)
{
    int64_t value[WARP_LANES];
    for (int l = 0; l < lanes; l++) {
        struct thread t = thread_at(shape, block, tid + l);
        value[l] = formulas[f].value(&t);
    }
    for (int l = 2; l < lanes; l++)
        if (value[l] - value[l - 1] != value[1] - value[0])
            return false;
    return true;
}

static void check_step(int f, int shape, uint64_t block, uint32_t warp,
                       const struct step *s)
{
    int64_t first = (int64_t)warp * WARP_LANES;
    int lanes = 0;
    for (int l = 0; l < WARP_LANES; l++) {
        if (!(s->mask >> l & 1))
            continue;
        lanes++;
        struct thread t = thread_at(shape, block, first + l);
        int64_t expected = formulas[f].value(&t);
        int64_t found = (int64_t)step_address(s, l);
        ck_assert_msg(found == expected,
                      "%s, %s block %d warp %d lane %d: found %" PRId64
                      ", expected %" PRId64,
                      formulas[f].text, shapes[shape].launch, (int)block,
                      (int)warp, l, found, expected);
    }
    bool affine = formula_is_affine(f, shape, block, first, lanes);
    ck_assert_msg((s->form == ADDR_STRIDE) == affine, "%s: form %d",
                  formulas[f].text, (int)s->form);
}

START_TEST(lane_expressions)
{
    int f = _i / SHAPES, shape = _i % SHAPES;
    struct kernel *k = address_kernel(shapes[shape].launch, formulas[f].text);
    for (uint64_t b = 0; b < k->blocks; b++) {
        uint32_t threads = 0;
        for (uint32_t w = 0; w < k->warps_per_block; w++) {
            struct step s;
            step_of(k, b, w, &s);
            threads += (uint32_t)__builtin_popcount(s.mask);
            check_step(f, shape, b, w, &s);
        }
        ck_assert_uint_eq(threads, k->threads_per_block);
    }
    kernel_free(k);
}
END_TEST

/* Values far out, where shortcuts for affine values must not be taken. */
START_TEST(wrapping_values)
{
    struct kernel *k = address_kernel("grid = 1; block = 32;",
                                      "9223372036854775800 + lane < 0");
    struct step s;
    step_of(k, 0, 0, &s);
    for (int l = 0; l < WARP_LANES; l++)
        ck_assert_uint_eq(step_address(&s, l), l >= 8);
    kernel_free(k);
    k = address_kernel("grid = 1; block = 32;",
                       "(9223372036854775800 + lane) / 2");
    step_of(k, 0, 0, &s);
    ck_assert_int_eq((int64_t)step_address(&s, 7), INT64_MAX / 2);
    ck_assert_int_eq((int64_t)step_address(&s, 8), INT64_MIN / 2);
    kernel_free(k);
}
END_TEST

/* ---- draws -------------------------------------------------------------- */

#define DRAW_BLOCKS 4000
#define DRAW_KINDS  8 /* values counted one by one */

struct sample {
    double count[DRAW_KINDS], total, n;
    bool warps_agree, in_range;
};

/* Draw `text` once for every lane of DRAW_BLOCKS blocks of one warp. */
static struct sample draw_sample(const char *text, int64_t low, int64_t high)
{
    struct sample d = {.warps_agree = true, .in_range = true};
    struct kernel *k = address_kernel("grid = 4000; block = 32;", text);
    for (uint64_t b = 0; b < DRAW_BLOCKS; b++) {
        struct step s;
        step_of(k, b, 0, &s);
        for (int l = 0; l < WARP_LANES; l++) {
            int64_t v = (int64_t)step_address(&s, l);
            d.in_range = d.in_range && v >= low && v <= high;
            d.warps_agree = d.warps_agree && v == (int64_t)step_address(&s, 0);
            d.total += (double)v;
            d.n++;
            if (v >= 0 && v < DRAW_KINDS)
                d.count[v]++;
        }
    }
    kernel_free(k);
    return d;
}

/* Count k of a sample must be within five standard deviations of n * p. */
static void check_share(const struct sample *d, int k, double p, double n)
{
    double scale = n / d->n; /* draws for a warp count once */
    double sigma = sqrt(n * p * (1 - p));
    ck_assert_msg(fabs(d->count[k] * scale - n * p) <= 5 * sigma + 1e-9,
                  "value %d: found %g of %g, expected share %g", k,
                  d->count[k] * scale, n, p);
}

static double zipf_probability(int k, int n, double s)
{
    double sum = 0;
    for (int i = 1; i <= n; i++)
        sum += pow(i, -s);
    return pow(k + 1, -s) / sum;
}

START_TEST(draw_distributions)
{
    const double lanes = DRAW_BLOCKS * WARP_LANES, warps = DRAW_BLOCKS;
    struct sample d = draw_sample("rand(7)", 0, 6);
    ck_assert(d.in_range && !d.warps_agree);
    for (int k = 0; k < 7; k++)
        check_share(&d, k, 1.0 / 7, lanes);
    d = draw_sample("wrand(3)", 0, 2);
    ck_assert(d.in_range && d.warps_agree);
    for (int k = 0; k < 3; k++)
        check_share(&d, k, 1.0 / 3, warps);
    d = draw_sample("chance(0.3)", 0, 1);
    ck_assert(d.in_range && !d.warps_agree);
    check_share(&d, 1, 0.3, lanes);
    d = draw_sample("wchance(0.9)", 0, 1);
    ck_assert(d.in_range && d.warps_agree);
    check_share(&d, 1, 0.9, warps);
    d = draw_sample("geom(4)", 1, INT64_MAX);
    ck_assert(d.in_range && !d.warps_agree);
    for (int k = 1; k < DRAW_KINDS; k++)
        check_share(&d, k, 0.25 * pow(0.75, k - 1), lanes);
    d = draw_sample("wgeom(1)", 1, 1);
    ck_assert(d.in_range && d.warps_agree);
}
END_TEST

START_TEST(draw_zipf_distribution)
{
    static const struct {
        const char *text;
        int n;
        double s;
        bool warp;
    } cases[] = {
        {"zipf(100, 1.0)", 100, 1.0, false}, {"zipf(1000, 0)", 1000, 0, false},
        {"zipf(50, 0.6)", 50, 0.6, false},   {"zipf(10, 2.5)", 10, 2.5, false},
        {"wzipf(20, 1.2)", 20, 1.2, true},   {"zipf(1, 1)", 1, 1, false},
        {"zipf(3, 1.0)", 3, 1.0, false},
    };
    struct sample d = draw_sample(cases[_i].text, 0, cases[_i].n - 1);
    ck_assert(d.in_range);
    ck_assert(d.warps_agree == (cases[_i].warp || cases[_i].n == 1));
    double n = cases[_i].warp ? DRAW_BLOCKS : DRAW_BLOCKS * WARP_LANES;
    for (int k = 0; k < DRAW_KINDS && k < cases[_i].n; k++)
        check_share(&d, k, zipf_probability(k, cases[_i].n, cases[_i].s), n);
}
END_TEST

START_TEST(large_and_hashed_draws)
{
    struct sample d = draw_sample("rand(1 << 40) >> 37", 0, 7);
    for (int k = 0; k < DRAW_KINDS; k++)
        check_share(&d, k, 1.0 / 8, DRAW_BLOCKS * WARP_LANES);
    d = draw_sample("hash(gtid, 8)", 0, 7);
    ck_assert(d.in_range && !d.warps_agree);
    for (int k = 0; k < DRAW_KINDS; k++)
        check_share(&d, k, 1.0 / 8, DRAW_BLOCKS * WARP_LANES);
    d = draw_sample("hash(block, 4)", 0, 3);
    ck_assert(d.in_range && d.warps_agree);
    /* A count that is no count at run time draws 0. */
    d = draw_sample("rand(lane - lane) + hash(lane, 0 - block - 1)", 0, 0);
    ck_assert(d.in_range);
}
END_TEST

/* Without a division for each lane: the remainders that % gives. */
START_TEST(hashes_of_lanes)
{
    static const int64_t range[] = {INT64_MIN,
                                    -5,
                                    0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    4096,
                                    1000003,
                                    (int64_t)1 << 32,
                                    ((int64_t)1 << 32) + 1,
                                    ((int64_t)1 << 62) + 1,
                                    INT64_MAX - 1,
                                    INT64_MAX};
    int64_t n = range[_i], lane[WARP_LANES];
    for (int64_t x = -3200; x < 3200; x += WARP_LANES) {
        for (int l = 0; l < WARP_LANES; l++)
            lane[l] = (x + l) * INT64_C(0x0123456789abcd);
        hash_below_lanes(lane, n);
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t of = (uint64_t)((x + l) * INT64_C(0x0123456789abcd));
            uint64_t expected = n < 1 ? 0 : mix(of) % (uint64_t)n;
            ck_assert_uint_eq((uint64_t)lane[l], expected);
        }
    }
}
END_TEST

/* P(k) = p (1 - p)^(k - 1) with p = 100 / m: of a number always the same, and
 * with a mean that follows the block. */
START_TEST(hashed_geometric_draws)
{
    struct sample d = draw_sample("hgeom(gtid, 300)", 1, 1000);
    ck_assert(d.in_range && !d.warps_agree);
    for (int k = 1; k < DRAW_KINDS; k++)
        check_share(&d, k, pow(2.0 / 3, k - 1) / 3, DRAW_BLOCKS * WARP_LANES);
    ck_assert_double_eq_tol(d.total / d.n, 3, 0.05);
    d = draw_sample("hgeom(gtid, 300) - hgeom(block*ntid + tid, 300)", 0, 0);
    ck_assert(d.in_range);
    d = draw_sample("hgeom(block, 250)", 1, 1000);
    ck_assert(d.in_range && d.warps_agree);
    /* 1 in the first half of the grid, 5 on average in the other. */
    d = draw_sample("hgeom(gtid, 100 + 400*(block >= 2000))", 1, 1000);
    ck_assert(d.in_range);
    ck_assert_double_eq_tol(d.total / d.n, 3, 0.1);
    check_share(&d, 1, 0.5 + 0.5 / 5, DRAW_BLOCKS * WARP_LANES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr");
    TCase *t = tcase_create("values");
    tcase_add_loop_test(t, constant_expressions, 0,
                        (int)(sizeof(constants) / sizeof(constants[0])));
    tcase_add_loop_test(t, lane_expressions, 0, FORMULAS * SHAPES);
    tcase_add_test(t, wrapping_values);
    suite_add_tcase(suite, t);
    t = tcase_create("draws");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, draw_distributions);
    tcase_add_loop_test(t, draw_zipf_distribution, 0, 7);
    tcase_add_test(t, large_and_hashed_draws);
    tcase_add_loop_test(t, hashes_of_lanes, 0, 14);
    tcase_add_test(t, hashed_geometric_draws);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
