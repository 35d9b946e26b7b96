/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which branches of PTX become predicates, and what issues without lanes. */
#include "tests/ptx_lowered.h"

#include <stdlib.h>

#define STORE4                                                                 \
    "st.global.u32 [%d1], %r0; st.global.u32 [%d1+4], %r0;\n"                  \
    "st.global.u32 [%d1+8], %r0; st.global.u32 [%d1+12], %r0;\n"
#define STORE1    "st.global.u32 [%d1+16], %r0;\n"
#define FEW_LANES "setp.gt.u32 %p1, %r0, 3;\n"
#define ALL_ALIKE "mov.u32 %r1, %ctaid.x; setp.gt.u32 %p1, %r1, 3;\n"
#define LOAD2     "ld.global.u32 %r2, [%d1+32]; st.global.u32 [%d1+20], %r2;\n"
#define OVER(arm) "@%p1 bra over;\n" arm "over: st.global.u32 [%d1+64], %r0;\n"
#define EITHER(one, other)                                                     \
    "@%p1 bra two;\n" one "bra.uni over; two:\n" other                         \
    "over: st.global.u32 [%d1+64], %r0;\n"

/* As ptxas has them (predicate.c): 8 instructions, 6 where no warp diverges, 20
 * with a load from global memory. What may part lanes has BMOV and BSSY before
 * it, and BSYNC where they meet. */
START_TEST(test_predicates)
{
    static const char *const body[][2] = {
        {FEW_LANES OVER(STORE4 STORE4), "iiwwwwwwwwwx"},
        /* to the end: an exit */
        {FEW_LANES "@%p1 bra over;\n" STORE1 "over:\n", "iibwx"},
        {ALL_ALIKE "@%p1 bra over;\n" STORE1 "over:\n", "iiibwx"},
        {FEW_LANES OVER(STORE4 STORE4 STORE1), "iiiibwwwwwwwwwbwx"},
        {ALL_ALIKE OVER(STORE4 STORE1 STORE1), "iiiwwwwwwwx"},
        {ALL_ALIKE OVER(STORE4 STORE1 STORE1 STORE1), "iiibwwwwwwwwx"},
        {FEW_LANES OVER(LOAD2 STORE4 STORE4 STORE4 STORE4 STORE1 STORE1),
         "iilwwwwwwwwwwwwwwwwwwwwx"},
        {FEW_LANES OVER(LOAD2 STORE4 STORE4 STORE4 STORE4 STORE4),
         "iiiiblwwwwwwwwwwwwwwwwwwwwwbwx"},
        {FEW_LANES OVER("red.global.add.u32 [%d1], 1;\n"), "iiiibabwx"},
        {FEW_LANES OVER("bar.sync 0;\n"), "iiiibzbwx"},
        {FEW_LANES EITHER(STORE4 STORE1 STORE1 STORE1, STORE4 STORE4),
         "iiwwwwwwwwwwwwwwwwx"},
        {FEW_LANES EITHER(STORE4 STORE4, STORE1), "iiiibwwwwwwwwbwbwx"},
        /* what something else jumps to */
        {FEW_LANES
         "setp.gt.u32 %p2, %r0, 9; @%p2 bra in;\n" OVER(STORE1 "in: " STORE1),
         "iiiiibbwwbwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

#define TRIP                                                                   \
    "mul.wide.u32 %d3, %r0, 4; add.s64 %d2, %d1, %d3;\n"                       \
    "ld.param.u32 %r4, [n]; mov.u32 %r3, 0;\n"                                 \
    "again: ld.volatile.global.u32 %r2, [%d2+32];\n"                           \
    "setp.gt.u32 %p1, %r2, 3; setp.gt.u32 %p2, %r2, 9;\n"
#define ADD "red.global.add.u32 [%d2], 1;\n"
#define NEXT                                                                   \
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r4; @%p3 bra again;\n"        \
    "out: st.global.u32 [%d1+64], %r0;\n"

/* As ptxas (V13.0.88, sm_75) has them: lanes are noted before a loop that they
 * leave one by one, and at a branch in it where they meet in it, too; those
 * that leave from there have BREAK before their branch. */
START_TEST(test_loops)
{
    static const char *const body[][2] = {
        {TRIP ADD "@%p1 bra again; st.global.u32 [%d1+64], %r0;\n",
         "iiimlaibbwx"},
        {TRIP "@%p1 bra out;\n" ADD NEXT, "iiiimlibiaibbwx"},
        {TRIP "@%p1 bra latch;\n" ADD "@%p2 bra out;\n" ADD "latch: " NEXT,
         "iiiimliiiibabbabiibbwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

/* The steps of a warp: 'w' for a store with lanes, '-' for one without. */
static void must_store(const char *body, uint32_t warp, const char *expected)
{
    struct kernel_list list;
    const struct kernel *k = load(&list, body);
    struct error e;
    struct step step;
    char found[64];
    size_t n = 0;
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 0, &e));
    while (k->ops->next(k, state, warp, &step))
        if (k->inst[step.inst].op == OP_STORE)
            found[n++] = step.mask != 0 ? 'w' : '-';
    found[n] = '\0';
    k->ops->close(k, state);
    free(state);
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nstores %s, expected %s",
                  body, found, expected);
    kernel_list_free(&list);
}

/* Lanes 0 to 31 and 32 to 63: an arm that no lane takes issues as well. */
START_TEST(test_without_lanes)
{
    static const char *const set[] = {
        "setp.gt.u32 %p1, %r0, 31;\n", "setp.lt.u32 %p1, %r0, 32;\n",
        "setp.gt.u32 %p1, %r0, 63;\n", "setp.gt.u32 %p1, %r0, 9;\n"};
    static const char *const one[][2] = {
        {"www", "--w"}, {"--w", "www"}, {"www", "www"}, {"www", "--w"}};
    static const char *const two[][2] = {
        {"ww-w", "--ww"}, {"--ww", "ww-w"}, {"ww-w", "ww-w"}, {"wwww", "--ww"}};
    char body[2000];
    for (size_t i = 0; i < 4; i++)
        for (uint32_t warp = 0; warp < 2; warp++) {
            snprintf(body, sizeof(body), "%s%s", set[i], OVER(STORE1 STORE1));
            must_store(body, warp, one[i][warp]);
            snprintf(body, sizeof(body), "%s%s", set[i],
                     EITHER(STORE1 STORE1, STORE1));
            must_store(body, warp, two[i][warp]);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx branches");
    TCase *t = tcase_create("all");
    tcase_add_test(t, test_predicates);
    tcase_add_test(t, test_loops);
    tcase_add_test(t, test_without_lanes);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
