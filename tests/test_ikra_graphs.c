/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the entries of ikra's graphs lie over their nodes: what the kernel files
 * draw, against what was counted in the graphs, by the lanes of PageRank's
 * atomics, one an entry. */
#include "kernels/load.h"
#include "tests/workload_walk.h"

#include <check.h>

#define PARTS 6 /* of the nodes, by whole blocks */

struct edges {
    double all, of_part[PARTS];
    uint64_t forward; /* to a later node than the warp's last */
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
                    e->forward +=
                        walk_address(&s, l) >= next + 4 * (first + WARP_LANES);
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

/* Entries by the blocks of their later nodes, 2816 nodes a part, in the graph
 * itself (Newman/cond-mat). Lengths are drawn from a smooth law. */
START_TEST(cond_mat_as_counted)
{
    static const double counted[PARTS] = {6339, 8124, 8480, 8663, 8443, 7545};
    struct edges e = edges_of("ikra-pagerank-1");
    ck_assert_double_eq_tol(e.all, 47594, 0.03 * 47594);
    for (int p = 0; p < PARTS; p++)
        ck_assert_double_eq_tol(e.of_part[p], counted[p], 0.1 * counted[p]);
    ck_assert_uint_eq(e.forward, 0);
}
END_TEST

/* As many as published (GHS_indef/olesnik0); "balanced" in ikra Sec. 5.4.2. */
START_TEST(olesnik0_is_even)
{
    struct edges e = edges_of("ikra-pagerank-2");
    ck_assert_double_eq_tol(e.all, 402623, 0.01 * 402623);
    for (int p = 0; p < PARTS; p++)
        ck_assert_double_eq_tol(e.of_part[p], e.all / PARTS,
                                0.05 * e.all / PARTS);
    ck_assert_uint_eq(e.forward, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ikra's graphs");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, cond_mat_as_counted);
    tcase_add_test(t, olesnik0_is_even);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
