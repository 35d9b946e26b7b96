/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams that are skimmed against those that are read. */
#include "kernels/load.h"
#include "tests/kernel_text.h"
#include "tests/run_suite.h"

#include <check.h>

static bool same_address(const struct step *a, const struct step *b)
{
    if (a->form != b->form)
        return false;
    for (int l = 0; a->form != ADDR_NONE && l < WARP_LANES; l++)
        if ((a->mask >> l & 1) != 0 && step_address(a, l) != step_address(b, l))
            return false;
    return true;
}

/* Steps of the block that came without their address. */
static int check_block(const struct kernel *k, uint64_t block)
{
    void *read = open_block(k, block), *skimmed = open_block(k, block);
    struct step a, b;
    int without = 0;
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        while (k->ops->next(k, read, w, &a)) {
            ck_assert(kernel_skim(k, skimmed, w, &b));
            ck_assert_uint_eq(a.inst, b.inst);
            ck_assert_uint_eq(a.mask, b.mask);
            ck_assert_uint_eq(a.taken_mask, b.taken_mask);
            bool left_out = a.form != ADDR_NONE && b.form == ADDR_NONE;
            ck_assert(left_out || same_address(&a, &b));
            ck_assert(!left_out || !inst_reaches_l2(&k->inst[a.inst]));
            without += left_out;
        }
        ck_assert(!kernel_skim(k, skimmed, w, &b));
    }
    close_block(k, read);
    close_block(k, skimmed);
    return without;
}

/* Of shared memory nothing is told, and where lanes go is the same. */
START_TEST(shared_addresses_are_left_out)
{
    struct kernel *k = kernel_of("grid = 2; block = 64; shared_bytes = 1024",
                                 "loop i, hgeom(gtid, 300)\n"
                                 "  lds.4 r1, [4*hash(gtid + i, 256)]\n"
                                 "  ldg.4 r2, [x + 4*hash(gtid, 100)]\n"
                                 "endloop\n"
                                 "exit");
    ck_assert_int_gt(check_block(k, 1), 2);
    kernel_free(k);
}
END_TEST

/* Random draws are taken in order, whether somebody wants their address or not.
 */
START_TEST(draws_stay_as_they_are)
{
    struct kernel *k = kernel_of("grid = 2; block = 64; shared_bytes = 1024",
                                 "loop i, 10\n"
                                 "  lds.4 r1, [4*rand(256)]\n"
                                 "  ldg.4 r2, [x + 4*rand(100)]\n"
                                 "endloop\n"
                                 "exit");
    ck_assert_int_eq(check_block(k, 1), 0);
    kernel_free(k);
}
END_TEST

static const char *const bundled[] = {"histogram", "heartwall", "bfs",
                                      "ptx-matmul-tiled"};

START_TEST(bundled_kernels_are_the_same)
{
    struct kernel_list list;
    struct load_options o = load_options_default();
    struct error e;
    ck_assert_msg(kernel_load(&list, bundled[_i], &o, &e), "%s", e.text);
    check_block(list.kernel[0], list.kernel[0]->blocks / 2);
    kernel_list_free(&list);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("skim");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, shared_addresses_are_left_out);
    tcase_add_test(tc, draws_stay_as_they_are);
    tcase_add_loop_test(tc, bundled_kernels_are_the_same, 0,
                        sizeof(bundled) / sizeof(*bundled));
    return run_suite("streams that are skimmed", tc);
}
