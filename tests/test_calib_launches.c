/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applications that are told launch by launch. */
#include "calib/application_parts.h"
#include "calib/calib.h"
#include "calib/launch_kinds.h"
#include "kernels/file/kernel_file.h"
#include "sampler/policy/registry.h"
#include "tests/gpu_named.h"
#include "tests/run_suite.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define KERNEL(name, grid)                                                     \
    name ": { launch: { grid = " grid "; block = 64; registers = 8; };\n"      \
         "program = \"ldg.4 r1, [x + 4*gtid]\nloop i, 20, p0\n"                \
         "fadd r1, r1, r1\nendloop\nstg.4 [x + 4*gtid], r1\nexit\"; };\n"

/* Nine launches of 400 and 40 blocks in turns, and one of 401. */
static const char turns[] =
    "buffers: { x = { bytes = 200000; }; };\n"
    "kernels: { " KERNEL("long", "400") KERNEL("short", "40")
        KERNEL("longer", "401") " };\n"
                                "application = ( { repeat = 9; launches = ( "
                                "\"long\", \"short\" ); }, "
                                "\"longer\" );";

static void load(struct kernel_list *l)
{
    struct error e;
    ck_assert_msg(kernel_file_load(l, turns, strlen(turns), "t", NULL, &e),
                  "%s", e.text);
    ck_assert_uint_eq(l->count, 19);
}

/* The first launch stands alone; the one in the middle stands for the others of
 * its kernel, whose number it has. The third kernel is another one, though of
 * as many blocks. */
START_TEST(launches_of_a_kernel_are_alike)
{
    struct kernel_list l;
    struct launch_kinds k;
    struct error e;
    load(&l);
    ck_assert(launch_kinds_of(&k, &l, 1, &e));
    ck_assert_uint_eq(k.count, 4);
    const size_t stands[] = {0, 9, 10, 18};
    const double times[] = {1, 9, 8, 1};
    double all = 0;
    for (size_t i = 0; i < k.count; i++) {
        ck_assert_uint_eq(k.kind[i].stands, stands[i]);
        ck_assert_double_eq_tol(k.kind[i].times, times[i], 1e-9);
        all += k.kind[i].times * k.insts[stands[i]];
    }
    ck_assert_double_eq_tol(all, k.all, 1e-6 * all);
    launch_kinds_free(&k);
    kernel_list_free(&l);
}
END_TEST

/* ---- taken apart --------------------------------------------------------- */

/* lrr, gto, and gto with chunks. */
static void set_policies(struct policy_set p[3])
{
    struct error e;
    ck_assert(policy_set_parse(&p[0], NULL, "lrr", NULL, NULL, &e));
    ck_assert(policy_set_parse(&p[1], NULL, "gto", NULL, NULL, &e));
    ck_assert(policy_set_parse(&p[2], NULL, "gto", "chunk", NULL, &e));
}

/* A call for two block counts under all three. */
struct asked {
    struct kernel_list list;
    struct gpu gpu;
    struct policy_set policy[3];
    struct study study;
    struct study_result out;
};

static void ask(struct asked *a)
{
    static const int tb[] = {2, 8};
    load(&a->list);
    a->gpu = gpu_named("m2090");
    set_policies(a->policy);
    a->study = (struct study){.kernel = a->list.kernel[0],
                              .application = &a->list,
                              .gpu = &a->gpu,
                              .tb = tb,
                              .tb_count = 2,
                              .policies = a->policy,
                              .policy_count = 3,
                              .reference = 1};
}

static void run(struct asked *a, enum mode mode, uint64_t budget)
{
    const struct calib_options o = {.mode = mode, .budget_insts = budget};
    struct error e;
    ask(a);
    ck_assert_msg(calib_study(&a->out, &a->study, &o, &e), "%s", e.text);
}

static void end(struct asked *a)
{
    study_result_free(&a->out);
    kernel_list_free(&a->list);
}

/* 38,000 warp instructions a long launch, of which ten are nearly all. */
#define LITTLE 50000

START_TEST(heavy_applications_are_taken_apart)
{
    struct asked a;
    struct application_parts p;
    struct error e;
    struct calib_options o = {.mode = MODE_HYBRID, .budget_insts = LITTLE};
    ask(&a);
    ck_assert(application_parts_of(&p, &a.study, 1, &o, &e));
    ck_assert_uint_eq(p.count, 5); /* four kinds, and all of it in chunks */
    ck_assert_int_eq(p.study[0].policy_count, 2);
    ck_assert_ptr_null(p.study[3].application);
    ck_assert_ptr_eq(p.study[4].application, &a.list);
    ck_assert_int_eq(p.study[4].policy_count, 1);
    ck_assert_uint_eq(p.study[0].befores, 0);
    ck_assert_uint_gt(p.study[1].befores, 0);
    ck_assert(p.apart);
    ck_assert_uint_eq(p.of[4], 0);
    application_parts_free(&p);
    const enum mode others[] = {MODE_DETAILED, MODE_MODEL, MODE_HYBRID};
    for (int i = 0; i < 3; i++) {
        o.mode = others[i];
        o.budget_insts = i < 2 ? LITTLE : 0; /* by default it is light */
        ck_assert(application_parts_of(&p, &a.study, 1, &o, &e));
        ck_assert_uint_eq(p.count, 1);
        ck_assert_uint_eq(p.of[0], 0);
        ck_assert(!p.apart);
        application_parts_free(&p);
    }
    kernel_list_free(&a.list);
}
END_TEST

/* What is told of all launches by four of them. */
START_TEST(launches_add_up)
{
    struct asked whole, apart;
    run(&whole, MODE_DETAILED, 0);
    run(&apart, MODE_HYBRID, LITTLE);
    ck_assert(apart.out.by_launch && !whole.out.by_launch);
    for (int i = 0; i < 6; i++) {
        const struct result *w = &whole.out.result[i];
        const struct result *r = &apart.out.result[i];
        ck_assert(r->sampled && !r->partial);
        ck_assert_double_eq_tol(r->warp_insts / w->warp_insts, 1, 1e-6);
        ck_assert_double_eq_tol(r->cycles / w->cycles, 1, 0.05);
        ck_assert_double_le(r->cycles_lo, w->cycles);
        ck_assert_double_ge(r->cycles_hi, w->cycles);
        bool chunks = i % 3 == 2;
        ck_assert(chunks == (r->cycles_lo == r->cycles_hi));
        ck_assert(!chunks || r->cycles == w->cycles);
        /* differences to lrr, and to gto */
        const struct paired_delta *d = &apart.out.delta[i];
        ck_assert_double_eq_tol(d->pct, whole.out.delta[i].pct, 3);
        ck_assert(i % 3 == 0 ? d->lo == 0 && d->hi == 0 : d->lo < d->hi);
        ck_assert(i % 3 == 1 ||
                  apart.out.versus[i].lo < apart.out.versus[i].hi);
    }
    ck_assert_double_lt((double)apart.out.sample_insts,
                        0.6 * whole.out.full_insts);
    end(&whole);
    end(&apart);
}
END_TEST

/* Points are told of once each, as those of the study that was asked for. */
struct heard {
    int points[6];
};

static void on_known(void *user, size_t study, size_t point)
{
    struct heard *h = user;
    ck_assert_uint_eq(study, 0);
    ck_assert_uint_lt(point, 6);
    h->points[point]++;
}

START_TEST(points_are_told_of_once)
{
    struct asked a;
    struct heard h = {{0}};
    struct error e;
    const struct calib_options o = {.mode = MODE_HYBRID,
                                    .budget_insts = LITTLE,
                                    .user = &h,
                                    .known = on_known};
    ask(&a);
    ck_assert(calib_study(&a.out, &a.study, &o, &e));
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(h.points[i], 1);
    end(&a);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("launches");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, launches_of_a_kernel_are_alike);
    tcase_add_test(c, heavy_applications_are_taken_apart);
    tcase_add_test(c, launches_add_up);
    tcase_add_test(c, points_are_told_of_once);
    return run_suite("calib: launches", c);
}
