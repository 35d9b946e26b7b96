/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SASS opcodes: class, space, width and registers, by architecture. */
#include "kernels/trace/sass.h"

#include <check.h>
#include <string.h>

static struct sass_op decode(const char *opcode, int arch)
{
    struct sass_op op;

    ck_assert_msg(sass_decode(&op, opcode, strlen(opcode), arch),
                  "%s is not known on sm_%d", opcode, arch);
    return op;
}

static const struct {
    const char *opcode;
    int arch;
    enum op_class op;
    enum mem_space space;
    int width; /* told by the opcode */
} opcodes[] = {
    {"FADD", 70, OP_SP, SPACE_NONE, 0},
    {"FFMA.FTZ", 90, OP_SP, SPACE_NONE, 0},
    {"HFMA2.MMA", 80, OP_SP, SPACE_NONE, 0},
    {"MUFU.RCP", 35, OP_SFU, SPACE_NONE, 0},
    {"F2I.TRUNC.NTZ", 70, OP_SFU, SPACE_NONE, 0},
    {"DFMA", 60, OP_DP, SPACE_NONE, 0},
    {"HMMA.16816.F32", 80, OP_TENSOR, SPACE_NONE, 0},
    {"IMAD", 70, OP_IMUL, SPACE_NONE, 0},
    {"IMAD.WIDE.U32", 70, OP_IMUL, SPACE_NONE, 0},
    {"IMAD.MOV.U32", 70, OP_IMAD, SPACE_NONE, 0},
    {"IMAD.SHL.U32", 70, OP_IMAD, SPACE_NONE, 0},
    {"IMAD.IADD", 70, OP_IMAD, SPACE_NONE, 0},
    {"XMAD.PSL.CBCC", 61, OP_INT, SPACE_NONE, 0},
    {"I2I.S32.S8", 35, OP_INT, SPACE_NONE, 0},
    {"I2I.S32.S8", 61, OP_SFU, SPACE_NONE, 0},
    {"I2I.S32.S8", 70, OP_INT, SPACE_NONE, 0},
    {"UIADD3", 75, OP_INT, SPACE_NONE, 0},
    {"UIMAD", 75, OP_IMUL, SPACE_NONE, 0},
    {"VIADD", 90, OP_INT, SPACE_NONE, 0},
    {"LDG.E.SYS", 70, OP_LOAD, SPACE_GLOBAL, 0},
    {"LDG.E.128.SYS", 70, OP_LOAD, SPACE_GLOBAL, 16},
    {"LDG.E.LTC128B.64.CONSTANT", 80, OP_LOAD, SPACE_GLOBAL, 8},
    {"LDG.E.S16", 80, OP_LOAD, SPACE_GLOBAL, 2},
    {"LDGSTS.E.BYPASS.128", 80, OP_LOAD, SPACE_GLOBAL, 16},
    {"STG.E.U8", 61, OP_STORE, SPACE_GLOBAL, 1},
    {"LDS.U.128", 70, OP_LOAD, SPACE_SHARED, 16},
    {"STS", 61, OP_STORE, SPACE_SHARED, 0},
    {"LDSM.16.M88", 75, OP_LOAD, SPACE_SHARED, 4},
    {"LDSM.16.M88.2", 75, OP_LOAD, SPACE_SHARED, 8},
    {"LDSM.16.MT88.4", 80, OP_LOAD, SPACE_SHARED, 16},
    {"LDL.64", 90, OP_LOAD, SPACE_LOCAL, 8},
    {"LDC.64", 90, OP_LOAD, SPACE_CONST, 8},
    {"ULDC", 75, OP_LOAD, SPACE_CONST, 0},
    {"TEX.SCR.LL", 70, OP_LOAD, SPACE_TEXTURE, 0},
    {"ATOMG.E.ADD.F64.RN.STRONG.GPU", 70, OP_ATOMIC, SPACE_GLOBAL, 8},
    {"ATOMS.CAS.64", 70, OP_ATOMIC, SPACE_SHARED, 8},
    {"RED.E.ADD.STRONG.GPU", 70, OP_ATOMIC, SPACE_GLOBAL, 0},
    {"BAR.SYNC.DEFER_BLOCKING", 80, OP_BARRIER, SPACE_NONE, 0},
    {"BAR.RED.POPC", 70, OP_BARRIER, SPACE_NONE, 0},
    {"BAR.ARV", 70, OP_INT, SPACE_NONE, 0},
    {"MEMBAR.SC.GPU", 70, OP_FENCE, SPACE_NONE, 0},
    {"BRA.DIV", 80, OP_BRANCH, SPACE_NONE, 0},
    {"CALL.REL.NOINC", 70, OP_BRANCH, SPACE_NONE, 0},
    {"BSSY", 70, OP_INT, SPACE_NONE, 0},
    {"BSYNC", 70, OP_BRANCH, SPACE_NONE, 0},
    {"SSY", 61, OP_INT, SPACE_NONE, 0},
    {"SYNC", 61, OP_BRANCH, SPACE_NONE, 0},
    {"EXIT.KEEPREFCOUNT", 80, OP_EXIT, SPACE_NONE, 0},
};

START_TEST(classes)
{
    struct sass_op op = decode(opcodes[_i].opcode, opcodes[_i].arch);

    ck_assert_int_eq(op.op, opcodes[_i].op);
    ck_assert_int_eq(op.space, opcodes[_i].space);
    ck_assert_int_eq(op.width, opcodes[_i].width);
}
END_TEST

/* Loads that an L1 may not serve. An ordinary load's .SYS says nothing. */
START_TEST(past_the_l1)
{
    static const struct {
        const char *opcode;
        bool past;
    } loads[] = {
        {"LDG.E", false},
        {"LDG.E.SYS", false},
        {"LDG.E.CONSTANT", false},
        {"LDG.E.STRONG.SM", false},
        {"STG.E.STRONG.GPU", false},
        {"LDL.CG", false},
        {"LDG.E.STRONG.GPU", true},
        {"LDG.E.128.STRONG.SYS", true},
        {"LDG.E.CG", true},
        {"LD.E.CV", true},
        {"LDGSTS.E.BYPASS.128", true},
        {"LDGSTS.E.128", false},
    };
    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
        ck_assert_msg(decode(loads[i].opcode, 80).past_l1 == loads[i].past,
                      "%s", loads[i].opcode);
}
END_TEST

START_TEST(unknown_opcodes)
{
    static const char *const unknown[] = {"",      "FROBNICATE", "FAD",
                                          "FADDX", "FADD FMUL",  ".E"};
    struct sass_op op;

    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        ck_assert_msg(!sass_decode(&op, unknown[i], strlen(unknown[i]), 70),
                      "%s", unknown[i]);
}
END_TEST

START_TEST(architectures)
{
    static const int known[] = {35, 52, 61, 70, 75, 80, 86, 89, 90};
    static const int others[] = {0, 7, 20, 34, 71, 91, 100, -70};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        ck_assert(sass_arch_known(known[i]));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        ck_assert(!sass_arch_known(others[i]));
}
END_TEST

/* Every name of the table decodes to its first fitting row on some
 * architecture, and memory operations have a space. */
START_TEST(whole_table)
{
    static const int archs[] = {35, 61, 70, 90};

    for (size_t i = 0; i < sass_table_count; i++) {
        const struct sass_entry *e = &sass_table[i];
        const char *at = e->names;
        bool memory =
            e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_ATOMIC;

        ck_assert_int_eq(memory, e->space != SPACE_NONE);
        ck_assert(memory || !(e->flags & SASS_ADDRESS));
        while (*at != '\0') {
            size_t n = strcspn(at, " ");
            struct sass_op op;
            int found = 0;

            ck_assert_uint_gt(n, 0);
            for (size_t a = 0; a < sizeof(archs) / sizeof(archs[0]); a++)
                found += sass_decode(&op, at, n, archs[a]);
            ck_assert_int_gt(found, 0);
            at += n + (at[n] == ' ' ? 1 : 0);
        }
    }
}
END_TEST

/* ---- registers ---------------------------------------------------------- */

static const struct {
    const char *opcode;
    int width; /* of the access */
    struct sass_operands listed;
    int dst_count, src_count;
    uint16_t dst[INST_MAX_DST], src[INST_MAX_SRC]; /* the named ones first */
    int dst_implied, src_implied;
} registers[] = {
    {"FFMA", 0, {1, 3, {3}, {3, 0, 255}}, 1, 2, {3}, {3, 0}, 0, 0},
    {"HFMA2.MMA", 0, {1, 2, {3}, {255, 255}}, 1, 0, {3}, {0}, 0, 0},
    {"IADD3", 0, {1, 2, {255}, {7, 7}}, 0, 1, {0}, {7}, 0, 0},
    {"IMAD.WIDE", 0, {1, 2, {4}, {6, 7}}, 2, 2, {4, 5}, {6, 7}, 1, 0},
    {"DADD", 0, {1, 2, {4}, {6, 8}}, 2, 4, {4, 5}, {6, 8, 7, 9}, 1, 2},
    {"DSETP.GT.AND", 0, {0, 2, {0}, {6, 8}}, 0, 4, {0}, {6, 8, 7, 9}, 0, 2},
    {"LDG.E.128", 16, {1, 1, {8}, {2}}, 4, 2, {8, 9, 10, 11}, {2, 3}, 3, 1},
    {"LDG.128", 16, {1, 1, {8}, {2}}, 4, 1, {8, 9, 10, 11}, {2}, 3, 0},
    {"LDG.E.64", 8, {1, 1, {253}, {255}}, 2, 0, {253, 254}, {0}, 1, 0},
    {"LDG.E.64", 8, {1, 1, {254}, {2}}, 1, 2, {254}, {2, 3}, 0, 1},
    {"LDS.U.128", 16, {1, 1, {24}, {20}}, 4, 1, {24, 25, 26, 27}, {20}, 3, 0},
    {"LDC.64", 8, {1, 0, {28}, {0}}, 2, 0, {28, 29}, {0}, 1, 0},
    {"STG.E.128",
     16,
     {0, 2, {0}, {2, 8}},
     0,
     6,
     {0},
     {2, 8, 3, 9, 10, 11},
     0,
     4},
    {"STG.E", 4, {0, 2, {0}, {2, 255}}, 0, 2, {0}, {2, 3}, 0, 1},
    {"STS.64", 8, {0, 1, {0}, {6}}, 0, 2, {0}, {6, 7}, 0, 1},
    {"LDGSTS.E.128", 16, {0, 2, {0}, {9, 2}}, 0, 3, {0}, {9, 2, 3}, 0, 1},
    {"SHFL.BFLY", 0, {0, 2, {0}, {5, 4}}, 1, 1, {5}, {4}, 0, 0},
    {"SHFL.IDX", 0, {1, 2, {5}, {4, 6}}, 1, 2, {5}, {4, 6}, 0, 0},
    {"ATOMG.E.ADD", 4, {0, 3, {0}, {5, 2, 7}}, 1, 3, {5}, {2, 7, 3}, 0, 1},
    {"ATOMG.E.ADD", 4, {0, 3, {0}, {255, 2, 7}}, 0, 3, {0}, {2, 7, 3}, 0, 1},
    {"ATOM.E.ADD", 4, {1, 2, {5}, {2, 7}}, 1, 3, {5}, {2, 7, 3}, 0, 1},
    {"ATOMS.POPC.INC.32", 4, {1, 1, {5}, {2}}, 1, 1, {5}, {2}, 0, 0},
    {"RED.E.ADD.64", 8, {0, 2, {0}, {2, 6}}, 0, 4, {0}, {2, 6, 3, 7}, 0, 2},
};

START_TEST(register_lists)
{
    struct sass_op op = decode(registers[_i].opcode, 80);
    struct inst inst = {.width = (uint8_t)registers[_i].width};

    sass_registers(&inst, &op, &registers[_i].listed);
    ck_assert_int_eq(inst.dst_count, registers[_i].dst_count);
    ck_assert_int_eq(inst.src_count, registers[_i].src_count);
    ck_assert_int_eq(inst.dst_implied, registers[_i].dst_implied);
    ck_assert_int_eq(inst.src_implied, registers[_i].src_implied);
    for (int d = 0; d < inst.dst_count; d++)
        ck_assert_uint_eq(inst.dst[d], registers[_i].dst[d]);
    for (int s = 0; s < inst.src_count; s++)
        ck_assert_uint_eq(inst.src[s], registers[_i].src[s]);
}
END_TEST

START_TEST(too_many_registers)
{
    struct sass_op op = decode("STG.E.128", 80);
    struct sass_operands all = {.src_count = INST_MAX_SRC};
    struct inst inst = {.width = 16};

    for (int i = 0; i < INST_MAX_SRC; i++)
        all.src[i] = (uint8_t)(20 * i);
    sass_registers(&inst, &op, &all);
    ck_assert_int_eq(inst.src_count, INST_MAX_SRC);
}
END_TEST

START_TEST(classes_by_name)
{
    struct sass_op op;

    ck_assert(sass_class_named(&op, "tensor"));
    ck_assert_int_eq(op.op, OP_TENSOR);
    ck_assert_int_eq(op.space, SPACE_NONE);
    ck_assert(!sass_class_named(&op, "error"));
    ck_assert(!sass_class_named(&op, ""));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sass");
    TCase *cases = tcase_create("opcodes");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(cases, classes, 0,
                        sizeof(opcodes) / sizeof(opcodes[0]));
    tcase_add_test(cases, past_the_l1);
    tcase_add_test(cases, unknown_opcodes);
    tcase_add_test(cases, architectures);
    tcase_add_test(cases, whole_table);
    tcase_add_loop_test(cases, register_lists, 0,
                        sizeof(registers) / sizeof(registers[0]));
    tcase_add_test(cases, too_many_registers);
    tcase_add_test(cases, classes_by_name);
    suite_add_tcase(suite, cases);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
