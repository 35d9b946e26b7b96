/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phase analysis (paws Sec. III-A and IV-B1). */
#include "kernels/form/phases.h"
#include "tests/kernel_text.h"

#include <check.h>

static struct kernel *analysed(const char *program)
{
    struct error e;
    struct kernel *k =
        kernel_of("grid = 4; block = 64; local_bytes = 16;", program);
    ck_assert(phases_analyse(k, 0, &e));
    return k;
}

/* ---- the vector add of Sec. III-A --------------------------------------- */

/* Index arithmetic, two loads, the add that reads them, a store. */
static const char vector_add[] = "s2r r2\n"
                                 "s2r r3\n"
                                 "imad r2, r2, r3, r4\n"
                                 "shl r2, r2, 2\n"
                                 "iadd r5, r2\n"
                                 "iadd r6, r2\n"
                                 "iadd r7, r2\n"
                                 "ldg.4 r0, [x + 4*gtid], r5\n"
                                 "ldg.4 r1, [x + 4*gtid + 512], r6\n"
                                 "iadd r1, r1, r0\n"
                                 "stg.4 [y], r1, r7\n"
                                 "exit";

START_TEST(every_class_takes_cycles)
{
    for (int op = 0; op < OP_CLASSES; op++)
        ck_assert_uint_gt(phase_latency[op], 0);
}
END_TEST

START_TEST(vector_add_has_two_phases)
{
    const uint32_t *t = phase_latency;
    struct kernel *k = analysed(vector_add);
    uint32_t first = 6 * t[OP_INT] + t[OP_IMUL] + 2 * t[OP_LOAD];
    uint32_t second = t[OP_INT] + t[OP_STORE] + t[OP_EXIT];
    ck_assert_uint_eq(k->phase_count, 2);
    ck_assert_uint_eq(k->phase[0].length, first);
    ck_assert_uint_eq(k->phase[1].length, second);
    ck_assert_uint_eq(k->phase[1].first, 9);
    ck_assert_str_eq(k->inst[9].mnemonic, "iadd");
    ck_assert_str_eq(k->phase[0].ended_by, "dependence");
    ck_assert_str_eq(k->phase[1].ended_by, "end");
    ck_assert_uint_eq(k->phase[0].loads, 2);
    ck_assert_uint_eq(k->phase[1].loads, 0);
    printf("vector add: phases of %u and %u cycles; paws Sec. III-B: 18 and "
           "10 (its listing is an image)\n",
           k->phase[0].length, k->phase[1].length);
    kernel_free(k);
}
END_TEST

/* Every distance, by hand: IMUL counts 2, all else here 1. */
START_TEST(vector_add_distances)
{
    static const uint32_t distance[] = {10, 9, 8, 6, 5, 4, 3, 2, 1, 3, 2, 1};
    struct kernel *k = analysed(vector_add);
    struct error e;
    for (uint32_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(k->inst[i].phase_distance, distance[i]);
        ck_assert_uint_eq(k->inst[i].phase, i < 9 ? 0 : 1);
    }
    ck_assert(phases_analyse(k, 4, &e)); /* again, saturating */
    for (uint32_t i = 0; i < 12; i++)
        ck_assert_uint_eq(k->inst[i].phase_distance,
                          distance[i] < 4 ? distance[i] : 4);
    ck_assert_uint_eq(k->phase_count, 2);
    ck_assert_uint_eq(k->phase[0].length, 10);
    kernel_free(k);
}
END_TEST

/* ---- the set of long-op registers --------------------------------------- */

/* Programs and the instructions that open their phases. */
static const struct {
    const char *program, *phases;
} programs[] = {
    {"mov r1\nfadd r2, r1, r1\nexit", "0"},
    /* What loads return opens a phase where it is read: as an operand, an
     * address, a stored value or a guard. */
    {"ldg.4 r1, [x]\nmov r2\nfadd r3, r1, r2\nexit", "0 2"},
    {"ldg.4 r1, [x]\nldg.4 r2, [x], r1\nexit", "0 1"},
    {"ldg.4 r1, [x]\nlds.4 r2, [0], r1\nexit", "0 1"},
    {"ldg.4 r1, [x]\nstg.4 [x], r1\nexit", "0 1"},
    {"ldg.4 r1, [x]\nstg.4 [x], r2, r1\nexit", "0 1"},
    {"ldg.4 r1, [x]\nisetp p1, r1\n@p1 mov r2\nexit", "0 1"},
    /* Which loads. */
    {"ldl.4 r1, [0]\nmov r2, r1\nexit", "0 1"},
    {"tex.4 r1, [x]\nmov r2, r1\nexit", "0 1"},
    {"atom.4 r1, [x]\nmov r2, r1\nexit", "0 1"},
    {"atoms.4 r1, [0]\nmov r2, r1\nexit", "0 1"},
    {"lds.4 r1, [0]\nmov r2, r1\nexit", "0"},
    {"ldc.4 r1, [0]\nmov r2, r1\nexit", "0"},
    {"red.4 [x], r1\nmov r2, r1\nexit", "0"},
    {"stg.4 [x], r1\nmov r2, r1\nexit", "0"},
    /* Every register of a vector load, none beside it. */
    {"ldg.16 r4, [x]\nmov r1, r4\nexit", "0 1"},
    {"ldg.16 r4, [x]\nmov r1, r7\nexit", "0 1"},
    {"ldg.16 r4, [x]\nmov r1, r8\nmov r1, r3\nexit", "0"},
    {"ldg.8 r4, [x]\nmov r1, r6\nmov r1, r5\nexit", "0 2"},
    /* A new phase empties the set. */
    {"ldg.4 r1, [x]\nldg.4 r2, [x]\nmov r3, r1\nmov r4, r2\nexit", "0 2"},
    {"ldg.4 r1, [x]\nmov r3, r1\nldg.4 r2, [x]\nmov r4, r1\nmov r5, r2\nexit",
     "0 1 4"},
    /* The instruction that opens a phase may itself be a long one. */
    {"ldg.4 r1, [x]\nldg.4 r1, [x], r1\nmov r2, r1\nexit", "0 1 2"},
    /* Writing a long-op register does not take it out, nor open a phase. */
    {"ldg.4 r1, [x]\nmov r1\nmov r2, r1\nexit", "0 2"},
    /* Every basic block is a phase of its own, and empties the set. */
    {"mov r1\nbra\nmov r1\nexit", "0 2"},
    {"ldg.4 r1, [x]\nloop i, 2\nmov r2\nmov r3, r1\nendloop\nexit", "0 1 4"},
    {"mov r1\nif lane, p1\nmov r1\nelse\nmov r1\nendif\nexit", "0 2 4 5"},
    {"bar\nmov r1\nexit", "0"},
    {"if 1\nexit\nendif\nexit", "0 1 2"},
};

START_TEST(phase_starts)
{
    char text[200] = "", *end = text;
    struct kernel *k = analysed(programs[_i].program);
    uint32_t next = 0;
    for (uint32_t p = 0; p < k->phase_count; p++) {
        ck_assert_uint_eq(k->phase[p].first, next);
        next += k->phase[p].count;
        end += sprintf(end, p > 0 ? " %u" : "%u", k->phase[p].first);
    }
    ck_assert_uint_eq(next, k->inst_count);
    ck_assert_msg(strcmp(text, programs[_i].phases) == 0,
                  "%s\nfound phases at %s, expected %s", programs[_i].program,
                  text, programs[_i].phases);
    kernel_free(k);
}
END_TEST

START_TEST(what_ends_phases)
{
    struct kernel *k = analysed("ldg.4 r1, [x]\nmov r2, r1\nbra\nexit");
    ck_assert_str_eq(k->phase[0].ended_by, "dependence");
    ck_assert_str_eq(k->phase[1].ended_by, "basic block");
    ck_assert_str_eq(k->phase[2].ended_by, "end");
    kernel_free(k);
}
END_TEST

START_TEST(no_instructions)
{
    struct kernel k = {0};
    struct error e;
    ck_assert(phases_analyse(&k, 0, &e));
    ck_assert_uint_eq(k.phase_count, 0);
    free(k.phase);
}
END_TEST

/* ---- long-latency instructions ------------------------------------------ */

START_TEST(long_latency_instructions)
{
    static const struct {
        enum op_class op;
        enum mem_space space;
        bool is_long, has_destination; /* given one register to write */
    } cases[] = {
        {OP_INT, SPACE_NONE, false, false},
        {OP_SFU, SPACE_NONE, false, false},
        {OP_DP, SPACE_NONE, false, false},
        {OP_CONVERT, SPACE_NONE, false, false},
        {OP_EXIT, SPACE_NONE, false, false},
        {OP_FENCE, SPACE_NONE, false, false},
        {OP_BRANCH, SPACE_NONE, true, true},
        {OP_BARRIER, SPACE_NONE, true, true},
        {OP_LOAD, SPACE_GLOBAL, true, true},
        {OP_LOAD, SPACE_LOCAL, true, true},
        {OP_LOAD, SPACE_TEXTURE, true, true},
        {OP_LOAD, SPACE_SHARED, false, false},
        {OP_LOAD, SPACE_CONST, false, false},
        {OP_STORE, SPACE_GLOBAL, true, true},
        {OP_STORE, SPACE_LOCAL, true, true},
        {OP_STORE, SPACE_SHARED, false, false},
        {OP_ATOMIC, SPACE_GLOBAL, true, true},
        {OP_ATOMIC, SPACE_SHARED, true, true},
    };
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct inst i = {.op = (uint8_t)cases[c].op,
                         .space = (uint8_t)cases[c].space,
                         .dst_count = 1};
        ck_assert_int_eq(inst_is_long_latency(&i), cases[c].is_long);
        ck_assert_int_eq(inst_has_long_op_destination(&i),
                         cases[c].has_destination);
        i.dst_count = 0;
        ck_assert(!inst_has_long_op_destination(&i));
    }
}
END_TEST

/* paws Table II has phases of 3, 5 and 7 cycles, so lengths must be able to be
 * any number from there on. */
START_TEST(short_phases_can_be_made)
{
    for (int n = 1; n < 40; n++) {
        char program[1000], *end = program;
        for (int i = 1; i < n; i++)
            end += sprintf(end, "mov r1\n");
        sprintf(end, "exit");
        struct kernel *k = analysed(program);
        ck_assert_uint_eq(k->phase_count, 1);
        ck_assert_uint_eq(k->phase[0].length, n);
        kernel_free(k);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("phases");
    TCase *t = tcase_create("phases");
    tcase_add_test(t, vector_add_has_two_phases);
    tcase_add_test(t, vector_add_distances);
    tcase_add_loop_test(t, phase_starts, 0,
                        (int)(sizeof(programs) / sizeof(programs[0])));
    tcase_add_test(t, what_ends_phases);
    tcase_add_test(t, no_instructions);
    tcase_add_test(t, long_latency_instructions);
    tcase_add_test(t, short_phases_can_be_made);
    tcase_add_test(t, every_class_takes_cycles);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
