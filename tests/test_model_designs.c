/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles that serve several GPUs. */
#include "calib/calib.h"
#include "calib/profile_pool.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"
#include "tests/gpu_named.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernels[] = {"nn", "bfs", "lud", "ptx-vectoradd"};
#define KERNELS (int)(sizeof(kernels) / sizeof(kernels[0]))
#define BLOCKS  2

static struct kernel_list load(const char *name)
{
    struct kernel_list list;
    struct error e;
    ck_assert_msg(kernel_load(&list, name, &(struct load_options){0}, &e), "%s",
                  e.text);
    return list;
}

/* A kernel's profile for g at one latency of memory, and what all have in
 * common. */
struct lender {
    const struct kernel *k;
    const struct gpu *g;
    struct crowd *crowd;
    struct profile *p;
    double latency;
};

static struct lender lender(const struct kernel *k, const struct gpu *g)
{
    struct error e;
    struct lender l = {.k = k, .g = g, .crowd = crowd_create(k, g, 1, &e)};
    ck_assert_ptr_nonnull(l.crowd);
    return l;
}

static void lender_free(struct lender *l)
{
    profile_free(l->p);
    crowd_free(l->crowd);
}

/* The result on h by the profile that is made for l's GPU, at h's latency. */
static struct result lent_to(struct lender *l, const struct gpu *h)
{
    struct error e;
    struct result r;
    struct model_params params;
    const struct policy_set policies = policy_set_default();
    double latency = profile_dram_latency(h);
    if (l->p == NULL || l->latency != latency) {
        profile_free(l->p);
        l->p = profile_create_at(l->k, l->g, latency, l->crowd, 1, &e);
        ck_assert_ptr_nonnull(l->p);
        l->latency = latency;
    }
    model_params_default(&params);
    model_estimate(&r, l->p, h, &policies, BLOCKS, &params);
    return r;
}

/* The keys on which profiles depend, for profile_hash(). */
struct hashed {
    const struct gpu_key **key;
    size_t count;
};

static struct hashed hashed_keys(void)
{
    const struct gpu_key **key = calloc(gpu_key_count, sizeof(*key));
    ck_assert_ptr_nonnull(key);
    return (struct hashed){key, profile_keys(key)};
}

/* Whether g with another value is said to have the same profile. */
static bool spares(const struct hashed *of, const struct gpu *g,
                   const struct gpu_key *key, double value)
{
    struct gpu h = *g;
    struct error e;
    return gpu_key_set(&h, key, value, &e) &&
           profile_hash(g, of->key, of->count) ==
               profile_hash(&h, of->key, of->count);
}

static void check_key(const struct hashed *of, struct lender *l,
                      const struct gpu_key *key, double value)
{
    struct gpu h = *l->g;
    struct error e;
    if (!spares(of, l->g, key, value) || !gpu_key_set(&h, key, value, &e) ||
        !gpu_validate(&h, &e))
        return;
    struct lender self = lender(l->k, &h);
    struct result own = lent_to(&self, &h), lent = lent_to(l, &h);
    lender_free(&self);
    ck_assert_msg(own.cycles == lent.cycles && own.l2_miss == lent.l2_miss &&
                      own.dram_gbps == lent.dram_gbps &&
                      own.energy_uj == lent.energy_uj,
                  "%s of %s: %.17g, by the other's profile %.17g", key->key,
                  l->k->name, own.cycles, lent.cycles);
}

/* Every key that profiles are said not to depend on, halved and doubled. */
START_TEST(spared_keys_leave_profiles_as_they_are)
{
    int i = _i / 2;
    bool doubled = _i % 2 == 1;
    struct kernel_list list = load(kernels[i]);
    struct gpu g = gpu_named(i % 2 == 0 ? "m2090" : "v100");
    struct hashed of = hashed_keys();
    struct lender l = lender(list.kernel[0], &g);
    for (size_t key = 0; key < gpu_key_count; key++) {
        double value = gpu_key_get(&g, &gpu_keys[key]);
        check_key(&of, &l, &gpu_keys[key],
                  doubled ? 2 * value : floor(value / 2));
    }
    lender_free(&l);
    free(of.key);
    kernel_list_free(&list);
}
END_TEST

/* A hash leaves no set more crowded than others; without one their number
 * decides. */
START_TEST(caches_that_hash_sets_share_profiles_over_their_sizes)
{
    struct gpu v100 = gpu_named("v100"), m2090 = gpu_named("m2090");
    const struct gpu_key *l1 = gpu_key_find("l1.size_kb");
    const struct gpu_key *l2 = gpu_key_find("l2.size_kb");
    struct hashed of = hashed_keys();
    ck_assert(spares(&of, &v100, l2, 1024));
    ck_assert(!spares(&of, &v100, l1, 64));
    ck_assert(!spares(&of, &m2090, l2, 1024));
    ck_assert(spares(&of, &m2090, l1, 64));
    free(of.key);
}
END_TEST

#define BANDWIDTHS 40
#define SMS        3
#define DESIGNS    (BANDWIDTHS * SMS)

static struct study design(struct gpu *g, int i, const struct kernel *k,
                           const int *tb, const struct policy_set *policies)
{
    *g = gpu_named("v100");
    g->sms = 40 + 20 * (i % SMS);
    g->dram.gbps = 100 + 40 * (i / SMS);
    return (struct study){.kernel = k,
                          .gpu = g,
                          .tb = tb,
                          .tb_count = 1,
                          .policies = policies,
                          .policy_count = 1};
}

/* What many designs share is near what each has alone. */
START_TEST(many_designs_are_as_each_alone)
{
    struct kernel_list list = load(kernels[_i]);
    struct gpu g[DESIGNS];
    struct study study[DESIGNS];
    struct study_result many[DESIGNS], alone;
    struct error e;
    const int tb = BLOCKS;
    const struct policy_set policies = policy_set_default();
    const struct calib_options o = {.mode = MODE_MODEL, .seed = 1};
    for (int i = 0; i < DESIGNS; i++)
        study[i] = design(&g[i], i, list.kernel[0], &tb, &policies);
    ck_assert(calib_studies(many, study, DESIGNS, &o, &e));
    for (int i = 0; i < DESIGNS; i++) {
        ck_assert(calib_study(&alone, &study[i], &o, &e));
        ck_assert_double_lt(
            fabs(log(many[i].result->cycles / alone.result->cycles)), 0.005);
        study_result_free(&alone);
        study_result_free(&many[i]);
    }
    kernel_list_free(&list);
}
END_TEST

/* What a design gets does not depend on the call that has it. */
START_TEST(calls_that_share_profiles_are_as_one)
{
    struct kernel_list list = load(kernels[_i]);
    struct gpu g[DESIGNS];
    struct study study[DESIGNS];
    struct study_result all[DESIGNS], part[DESIGNS];
    struct error e;
    const int tb = BLOCKS, cut = 7;
    const struct policy_set policies = policy_set_default();
    struct calib_options o = {.mode = MODE_MODEL, .seed = 1};
    for (int i = 0; i < DESIGNS; i++)
        study[i] = design(&g[i], i, list.kernel[0], &tb, &policies);
    o.pool = profile_pool_create();
    ck_assert_ptr_nonnull(o.pool);
    ck_assert(calib_studies(part, study, cut, &o, &e));
    ck_assert(calib_studies(part + cut, study + cut, DESIGNS - cut, &o, &e));
    profile_pool_free(o.pool);
    o.pool = profile_pool_create();
    ck_assert(calib_studies(all, study, DESIGNS, &o, &e));
    profile_pool_free(o.pool);
    for (int i = 0; i < DESIGNS; i++) {
        ck_assert(all[i].result->cycles == part[i].result->cycles);
        study_result_free(&all[i]);
        study_result_free(&part[i]);
    }
    kernel_list_free(&list);
}
END_TEST

/* ---- applications --------------------------------------------------------
 */

static const struct kernel_source_ops *counted;
static int opened;

static bool open_counted(const struct kernel *k, void *state, uint64_t block,
                         struct error *e)
{
    opened++;
    return counted->open(k, state, block, e);
}

#define SIZES 5

/* Blocks that are walked for so many designs of an application, which differ in
 * what no profile depends on. */
static int walked_blocks(struct kernel_list *list, int designs,
                         double cycles[SIZES])
{
    struct gpu g[SIZES];
    struct study study[SIZES];
    struct study_result out[SIZES];
    struct error e;
    const int tb = BLOCKS;
    const struct policy_set policies = policy_set_default();
    const struct calib_options o = {
        .mode = MODE_MODEL, .seed = 1, .threads = 1};
    opened = 0;
    for (int i = 0; i < designs; i++) {
        study[i] = design(&g[i], 0, list->kernel[0], &tb, &policies);
        study[i].application = list;
        g[i].l1.mshr = 8 << i;
    }
    ck_assert(calib_studies(out, study, (size_t)designs, &o, &e));
    for (int i = 0; i < designs; i++) {
        cycles[i] = out[i].result->cycles;
        study_result_free(&out[i]);
    }
    return opened;
}

START_TEST(designs_of_an_application_share_profiles)
{
    struct kernel_list list = load("mri-q");
    struct kernel_source_ops ops = *list.kernel[0]->ops;
    double alone[SIZES], all[SIZES];
    ck_assert_ptr_nonnull(list.application);
    counted = list.kernel[0]->ops;
    ops.open = open_counted;
    for (size_t i = 0; i < list.count; i++)
        list.kernel[i]->ops = &ops;
    int one = walked_blocks(&list, 1, alone);
    ck_assert_int_gt(one, 0);
    ck_assert_int_eq(walked_blocks(&list, SIZES, all), one);
    ck_assert(all[0] == alone[0]);
    ck_assert(all[0] > all[SIZES - 1]);
    for (size_t i = 0; i < list.count; i++)
        list.kernel[i]->ops = counted;
    kernel_list_free(&list);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: designs");
    TCase *c = tcase_create("profiles");
    tcase_add_loop_test(c, spared_keys_leave_profiles_as_they_are, 0,
                        2 * KERNELS);
    tcase_add_test(c, caches_that_hash_sets_share_profiles_over_their_sizes);
    tcase_add_loop_test(c, many_designs_are_as_each_alone, 0, KERNELS);
    tcase_add_loop_test(c, calls_that_share_profiles_are_as_one, 0, KERNELS);
    tcase_add_test(c, designs_of_an_application_share_profiles);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
