/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the edges of ikra's graphs lie over their nodes: what the kernel files
 * say of it, added up to closed forms, against the lanes of PageRank's atomics,
 * one an edge. */
#include "kernels/load.h"
#include "tests/workload_walk.h"

#include <check.h>

#define PARTS 6 /* of the nodes, by whole blocks */

struct edges {
    double all, of_part[PARTS];
    uint64_t backward; /* to a lower node than the warp's first */
};

/* Edges of the warps of a block, whose atomics are on `next`. */
static void walk_edges(const struct kernel *k, uint64_t block, uint64_t next,
                       struct edges *e)
{
    struct error error;
    struct step s = {.inst = NO_INST};
    void *state = malloc(k->ops->state_size(k));
    ck_assert(state != NULL && k->ops->open(k, state, block, &error));
    for (uint32_t w = 0; w < k->warps_per_block; w++)
        while (k->ops->next(k, state, w, &s)) {
            if (k->inst[s.inst].op != OP_ATOMIC)
                continue;
            double n = __builtin_popcount(s.mask);
            e->all += n;
            e->of_part[block * PARTS / k->blocks] += n;
            uint64_t first = block * k->threads_per_block + w * WARP_LANES;
            for (int l = 0; l < WARP_LANES; l++)
                if (s.mask >> l & 1)
                    e->backward += walk_address(&s, l) < next + 4 * first;
        }
    k->ops->close(k, state);
    free(state);
}

static struct edges edges_of(const char *name)
{
    struct load_options options = load_options_default();
    struct kernel_list list;
    struct error error;
    struct edges e = {0};
    ck_assert(kernel_load(&list, name, &options, &error));
    const struct kernel *spread = list.kernel[1];
    uint64_t next = spread->buffer[3].address;
    for (uint64_t b = 0; b < spread->blocks; b++)
        walk_edges(spread, b, next, &e);
    kernel_list_free(&list);
    return e;
}

/* A node at the share u of the order has 7 E / N / (1 + 6 u)^2 on average, so
 * those up to u have 7 E u / (1 + 6 u) of E. Lengths are geometric and some
 * 2800 nodes are a part: their sums deviate by 3 % or less. */
START_TEST(cond_mat_is_uneven)
{
    struct edges e = edges_of("ikra-pagerank-1");
    ck_assert_double_eq_tol(e.all, 47594, 0.03 * 47594);
    double before = 0;
    for (int p = 0; p < PARTS; p++) {
        double u = (p + 1.0) * 11 * 256 / 16726;
        u = u < 1 ? u : 1;
        double to = 47594 * 7 * u / (1 + 6 * u);
        ck_assert_double_eq_tol(e.of_part[p], to - before, 0.1 * (to - before));
        before = to;
    }
    ck_assert_uint_eq(e.backward, 0);
}
END_TEST

/* 3 to 6 a node, 4.56 on average. */
START_TEST(olesnik0_is_even)
{
    struct edges e = edges_of("ikra-pagerank-2");
    ck_assert_double_eq_tol(e.all, 402623, 0.01 * 402623);
    for (int p = 0; p < PARTS; p++)
        ck_assert_double_eq_tol(e.of_part[p], e.all / PARTS,
                                0.02 * e.all / PARTS);
    ck_assert_uint_eq(e.backward, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ikra's graphs");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, cond_mat_is_uneven);
    tcase_add_test(t, olesnik0_is_even);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
