/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws that the interval model must obey on the bundled kernels: shares are
 * shares, and a better machine is never slower. */
#include "configs/gpu.h"
#include "kernels/load.h"
#include "model/constants.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "tests/gpu_named.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const machines[] = {"m2090", "v100", "h100"};
static const char *const schedulers[] = {"gto", "lrr", "paws", "swl:4", "tlrr"};

/* What a check is given: a kernel and a machine. */
struct subject {
    const struct kernel *kernel;
    struct gpu gpu;
    int most_blocks;
};

typedef void check_fn(const struct subject *s);

static void check_kernel(check_fn *check, const struct kernel *k)
{
    for (size_t m = 0; m < COUNT(machines); m++) {
        struct subject s = {.kernel = k, .gpu = gpu_named(machines[m])};
        s.most_blocks = occupancy_blocks(&s.gpu, k, NULL);
        check(&s);
    }
}

static void load(struct kernel_list *list, const char *name, unsigned blocks)
{
    struct load_options options = load_options_default();
    struct error e = {STATUS_OK, ""};
    options.launch.grid.x = blocks;
    ck_assert_msg(kernel_load(list, name, &options, &e), "%s", e.text);
}

/* Every bundled kernel that is not PTX and launched once, in `blocks` blocks,
 * 0: in its own. */
static void check_all(check_fn *check, unsigned blocks)
{
    size_t count;
    const char *const *name = kernel_bundled_names(&count);
    for (size_t i = 0; i < count; i++) {
        struct kernel_list list;
        if (strncmp(name[i], "ptx-", 4) == 0)
            continue;
        load(&list, name[i], 0);
        bool one = list.application == NULL;
        if (one && blocks > 0) {
            kernel_list_free(&list);
            load(&list, name[i], blocks);
        }
        if (one)
            check_kernel(check, list.kernel[0]);
        kernel_list_free(&list);
    }
}

static struct result estimate(const struct profile *p, const struct gpu *g,
                              const char *scheduler, int blocks)
{
    struct model_params params;
    struct policy_set policies;
    struct result r;
    struct error e;
    model_params_default(&params);
    ck_assert(policy_set_parse(&policies, NULL, scheduler, NULL, NULL, &e));
    model_estimate(&r, p, g, &policies, blocks, &params);
    return r;
}

static struct profile *profile_of(const struct kernel *k, const struct gpu *g)
{
    struct error e = {STATUS_OK, ""};
    struct profile *p = profile_create(k, g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    return p;
}

/* ---- shares ------------------------------------------------------------- */

static void assert_share(const struct subject *s, const char *what, double x)
{
    ck_assert_msg(x >= 0 && x <= 1 + 1e-6, "%s of %s on %s: %g", what,
                  s->kernel->name, s->gpu.name, x);
}

static void assert_shares(const struct subject *s, const struct result *r)
{
    assert_share(s, "l1_miss", r->l1_miss);
    assert_share(s, "l2_miss", r->l2_miss);
    assert_share(s, "occupancy", r->occupancy);
    for (int i = 0; i < STALLS; i++)
        assert_share(s, stall_names[i], r->stall[i]);
}

static void shares_are_shares(const struct subject *s)
{
    struct profile *p = profile_of(s->kernel, &s->gpu);
    for (int tb = 1; tb <= s->most_blocks; tb++)
        for (size_t q = 0; q < COUNT(schedulers); q++) {
            struct result r = estimate(p, &s->gpu, schedulers[q], tb);
            assert_shares(s, &r);
        }
    profile_free(p);
}

START_TEST(every_share_is_between_0_and_1)
{
    check_all(shares_are_shares, 0);
}
END_TEST

/* ---- better machines ---------------------------------------------------- */

/* Newton's method ends near the answer, above or below. */
static bool is_slower(double before, double after)
{
    return after > before * (1 + NEWTON_TOLERANCE);
}

/* Cycles on ever faster memory never grow. */
static void bandwidth_helps_at(const struct subject *s, const struct profile *p,
                               const char *scheduler, int tb)
{
    static const double times[] = {0.25, 0.5, 1, 1.5, 4};
    double before = INFINITY;
    for (size_t i = 0; i < COUNT(times); i++) {
        struct gpu g = s->gpu;
        g.dram.gbps *= times[i];
        double cycles = estimate(p, &g, scheduler, tb).cycles;
        ck_assert_msg(!is_slower(before, cycles),
                      "%s on %s, %d blocks under %s: %.1f, then %.1f",
                      s->kernel->name, s->gpu.name, tb, scheduler, before,
                      cycles);
        before = cycles;
    }
}

static void bandwidth_helps(const struct subject *s)
{
    struct profile *p = profile_of(s->kernel, &s->gpu);
    for (int tb = 1; tb <= s->most_blocks; tb++)
        for (size_t q = 0; q < COUNT(schedulers); q++)
            bandwidth_helps_at(s, p, schedulers[q], tb);
    profile_free(p);
}

START_TEST(more_bandwidth_is_never_slower)
{
    check_all(bandwidth_helps, 0);
}
END_TEST

/* Nor do those over links of a mesh that pass more flits; 0: any number. */
static void links_help(const struct subject *s)
{
    static const int flits[] = {1, 2, 4, 0};
    struct gpu g = gpu_named("ikra");
    struct profile *p = profile_of(s->kernel, &g);
    double before = INFINITY;
    for (size_t i = 0; i < COUNT(flits); i++) {
        g.mesh.link_flits = flits[i];
        double cycles = estimate(p, &g, "gto", 1).cycles;
        ck_assert(!is_slower(before, cycles));
        before = cycles;
    }
    profile_free(p);
}

START_TEST(wider_links_are_never_slower)
{
    check_all(links_help, 0);
}
END_TEST

/* Each SM brings its share of the rest, as in a family of chips. */
static struct gpu chip_of(const struct gpu *g, int sms)
{
    struct gpu out = *g;
    out.sms = sms;
    out.l2.banks = sms;
    out.dram.channels = sms / 2;
    out.l2.size_kb = g->l2.size_kb / g->sms * sms;
    out.dram.gbps = g->dram.gbps / g->sms * sms;
    return out;
}

static void sms_help(const struct subject *s)
{
    double before[COUNT(schedulers)];
    for (size_t q = 0; q < COUNT(schedulers); q++)
        before[q] = INFINITY;
    for (int sms = 8; sms <= 64; sms *= 2) {
        struct gpu g = chip_of(&s->gpu, sms);
        struct profile *p = profile_of(s->kernel, &g);
        for (size_t q = 0; q < COUNT(schedulers); q++) {
            double cycles = estimate(p, &g, schedulers[q], 2).cycles;
            ck_assert_msg(!is_slower(before[q], cycles),
                          "%s on %s of %d SMs under %s: %.1f, then %.1f",
                          s->kernel->name, s->gpu.name, sms, schedulers[q],
                          before[q], cycles);
            before[q] = cycles;
        }
        profile_free(p);
    }
}

/* 6144 blocks are whole waves of two a time on up to 64 SMs. */
START_TEST(more_sms_are_never_slower_in_whole_waves)
{
    check_all(sms_help, 6144);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: laws");
    TCase *c = tcase_create("laws");
    tcase_set_timeout(c, 600);
    tcase_add_test(c, every_share_is_between_0_and_1);
    tcase_add_test(c, more_bandwidth_is_never_slower);
    tcase_add_test(c, wider_links_are_never_slower);
    tcase_add_test(c, more_sms_are_never_slower_in_whole_waves);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
