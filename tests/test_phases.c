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

/* As the compiler makes it for GT200, whose code GPGPU-Sim's PTXPlus is. */
static const char vector_add[] = "mov r1\n"          /* MOV.U16 */
                                 "mov r0, r0\n"      /* I2I.U32.U16 */
                                 "imad r0, r1, r0\n" /* IMAD.U16 */
                                 "shl r2, r0\n"      /* SHL */
                                 "iadd r0, r2\n"     /* IADD32 */
                                 "iadd r1, r2\n"     /* IADD32 */
                                 "ldg.4 r0, [x], r0\n"
                                 "ldg.4 r1, [x + 512], r1\n"
                                 "iadd r1, r1, r0\n" /* IADD32 R1, R1, R0 */
                                 "iadd r0, r2\n"     /* IADD32 */
                                 "stg.4 [y], r1, r0\n"
                                 "exit";

/* Fig. 4: 18 and 10 cycles; the second begins at IADD32 R1, R1, R0. */
START_TEST(vector_add_has_the_papers_phases)
{
    struct kernel *k = analysed(vector_add);
    ck_assert_uint_eq(k->phase_count, 2);
    ck_assert_uint_eq(k->phase[0].length, 18);
    ck_assert_uint_eq(k->phase[1].length, 10);
    ck_assert_uint_eq(k->phase[1].first, 8);
    ck_assert_str_eq(k->phase[0].ended_by, "dependence");
    ck_assert_str_eq(k->phase[1].ended_by, "end");
    ck_assert_uint_eq(k->phase[0].loads, 2);
    ck_assert_uint_eq(k->phase[1].loads, 0);
    kernel_free(k);
}
END_TEST

/* Every distance, by hand. */
START_TEST(vector_add_distances)
{
    static const uint32_t distance[] = {18, 17, 16, 11, 10, 6,
                                        2,  1,  10, 6,  2,  1};
    struct kernel *k = analysed(vector_add);
    struct error e;
    for (uint32_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(k->inst[i].phase_distance, distance[i]);
        ck_assert_uint_eq(k->inst[i].phase, i < 8 ? 0 : 1);
    }
    ck_assert(phases_analyse(k, 4, &e)); /* again, saturating */
    for (uint32_t i = 0; i < 12; i++)
        ck_assert_uint_eq(k->inst[i].phase_distance,
                          distance[i] < 4 ? distance[i] : 4);
    ck_assert_uint_eq(k->phase_count, 2);
    ck_assert_uint_eq(k->phase[0].length, 18);
    kernel_free(k);
}
END_TEST

/* ---- latencies by opcode ------------------------------------------------ */

/* GPGPU-Sim 3.2, configs/GTX480: int 4,13,4,5, fp 4,13,4,5, dp 8,19,8,8 for
 * addition, minimum, multiplication, multiply-add; functions 8; all else 1. */
static const struct {
    const char *mnemonic;
    enum op_class op;
    uint32_t cycles;
} opcodes_timed[] = {
    {"mov", OP_INT, 1},
    {"shl", OP_INT, 1},
    {"iand", OP_INT, 1},
    {"isetp", OP_INT, 1},
    {"iadd", OP_INT, 4},
    {"isub", OP_INT, 4},
    {"imax", OP_INT, 13},
    {"imul", OP_IMUL, 4},
    {"imad", OP_IMUL, 5},
    {"imul24", OP_IMUL, 1},
    {"imad24", OP_IMUL, 1},
    {"fadd", OP_SP, 4},
    {"fmin", OP_SP, 13},
    {"fmul", OP_SP, 4},
    {"ffma", OP_SP, 5},
    {"fsetp", OP_SP, 1},
    {"fabs", OP_SP, 1},
    {"dadd", OP_DP, 8},
    {"dmul", OP_DP, 8},
    {"dfma", OP_DP, 8},
    {"dsetp", OP_DP, 1},
    {"rcp", OP_SFU, 8},
    {"ex2", OP_SFU, 8},
    {"i2f", OP_CONVERT, 1},
    {"ldg.4", OP_LOAD, 1},
    {"lds.16", OP_LOAD, 1},
    {"stg.4", OP_STORE, 1},
    {"atom.4", OP_ATOMIC, 1},
    {"bar", OP_BARRIER, 1},
    {"bra", OP_BRANCH, 1},
    {"exit", OP_EXIT, 1},
    /* PTX: what differs by type has one mnemonic */
    {"add", OP_INT, 4},
    {"add", OP_SP, 4},
    {"add", OP_DP, 8},
    {"min", OP_INT, 13},
    {"max", OP_DP, 19},
    {"mad", OP_IMUL, 5},
    {"fma", OP_SP, 5},
    {"fma", OP_DP, 8},
    {"cvt", OP_CONVERT, 1},
    {"rsqrt", OP_SFU, 8},
    {"div", OP_SFU, 8}, /* of its instructions the reciprocal, */
    {"div", OP_SP, 5},  /* a step of the refinement, */
    {"div", OP_INT, 1}, /* a test */
    /* SASS */
    {"IADD3.X", OP_INT, 4},
    {"IMNMX", OP_INT, 13},
    {"IMAD.HI.U32", OP_IMUL, 5},
    {"IMAD.MOV.U32", OP_IMAD, 1},
    {"FFMA.FTZ", OP_SP, 5},
    {"DMNMX", OP_DP, 19},
    {"MUFU.RCP", OP_SFU, 8},
    {"F2I.TRUNC", OP_SFU, 1},
    {"SHFL.BFLY", OP_SFU, 1},
    /* no name that only begins like one */
    {"ad", OP_INT, 1},
    {"adds", OP_INT, 1},
    {"", OP_INT, 1},
};

START_TEST(cycles_by_opcode)
{
    struct inst i = {.op = (uint8_t)opcodes_timed[_i].op};
    snprintf(i.mnemonic, sizeof(i.mnemonic), "%s", opcodes_timed[_i].mnemonic);
    ck_assert_msg(phase_cycles(&i) == opcodes_timed[_i].cycles,
                  "%s: %u cycles, expected %u", i.mnemonic, phase_cycles(&i),
                  opcodes_timed[_i].cycles);
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

/* By dependence alone, also one across blocks: a loop adds no phase. */
START_TEST(phases_without_blocks)
{
    static const char program[] = "ldg.4 r1, [x]\nloop i, 2, p1\nmov r2\n"
                                  "mov r3, r1\nldg.4 r4, [x]\nendloop\n"
                                  "iadd r5, r4\nexit";
    static const uint32_t first[] = {0, 2, 5}, length[] = {2, 3, 5};
    struct kernel *k = analysed(program);
    struct error e;
    uint32_t count;
    struct phase *p = phases_by_dependence(k, &count, &e);
    ck_assert_uint_eq(k->phase_count, 3);
    ck_assert_uint_eq(k->phase[1].first, 1); /* the loop */
    ck_assert_uint_eq(count, 3);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(p[i].first, first[i]);
        ck_assert_uint_eq(p[i].length, length[i]);
    }
    ck_assert_str_eq(p[1].ended_by, "dependence");
    static const uint32_t left[] = {2, 1, 3, 2, 1, 5, 1};
    for (uint32_t i = 0; i < k->inst_count; i++)
        ck_assert_uint_eq(k->inst[i].dependence_distance, left[i]);
    free(p);
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
    tcase_add_test(t, vector_add_has_the_papers_phases);
    tcase_add_test(t, vector_add_distances);
    tcase_add_loop_test(t, phase_starts, 0,
                        (int)(sizeof(programs) / sizeof(programs[0])));
    tcase_add_test(t, what_ends_phases);
    tcase_add_test(t, phases_without_blocks);
    tcase_add_test(t, no_instructions);
    tcase_add_test(t, long_latency_instructions);
    tcase_add_test(t, short_phases_can_be_made);
    tcase_add_loop_test(
        t, cycles_by_opcode, 0,
        (int)(sizeof(opcodes_timed) / sizeof(opcodes_timed[0])));
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
