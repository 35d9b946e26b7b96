/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of what PTX becomes: loads that are joined or go ahead, chains, and
 * the registers between. */
#include "tests/ptx_lowered.h"

#include <stdlib.h>

/* Widths of the loads of shared memory, a digit of hexadecimal each: g: 16. */
static void must_load_in(const char *body, const char *expected)
{
    struct kernel_list list;
    char text[TEXT_MAX], found[64];
    size_t n = 0;
    snprintf(text, sizeof(text),
             "%s\nst.global.v4.u32 [%%d1], {%%r10, %%r11, %%r12, %%r13};",
             body);
    const struct kernel *k = load(&list, text);
    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].op == OP_LOAD) {
            ck_assert_uint_ge(8 * k->inst[i].dst_count, k->inst[i].width);
            found[n++] = "0123456789abcdefg"[k->inst[i].width];
        }
    found[n] = '\0';
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nin %s, expected %s", body,
                  found, expected);
    kernel_list_free(&list);
}

#define AT(shift)                                                              \
    "shl.b32 %r5, %r0, " #shift "; mov.u32 %r6, s;\n"                          \
    "add.u32 %r7, %r6, %r5;\n"
#define WORD(n, at) "ld.shared.u32 %r1" #n ", [%r7+" #at "];\n"

/* Four words beside each other, at what is a multiple of 4, 8 or 16 or not. */
START_TEST(test_joined)
{
    static const char *const body[][2] = {
        {AT(4) WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12), "g"},
        {AT(3) WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12), "88"},
        {AT(2) WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12), "4444"},
        {AT(4) WORD(0, 4) WORD(1, 8) WORD(2, 12) WORD(3, 16), "484"},
        {AT(4) WORD(0, 32) WORD(1, 64) WORD(2, 36) WORD(3, 68), "88"},
        {"mul.lo.u32 %r5, %r0, 48; mov.u32 %r6, s; add.u32 %r7, %r6, "
         "%r5;\n" WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12),
         "g"},
        /* an order, or something between that may write there */
        {AT(4) "ld.volatile.shared.u32 %r10, [%r7];\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        {AT(4) WORD(0, 0) "st.shared.u32 [%r7+4], %r0;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        {AT(4) WORD(0, 0) WORD(1, 4) "bar.sync 0;\n" WORD(2, 8) WORD(3, 12),
         "88"},
        {AT(4) WORD(0, 0) WORD(1, 4) "st.global.u32 [%d1], %r10;\n" WORD(2, 8)
             WORD(3, 12),
         "g"},
        /* another base by then, or a result that something else is in still */
        {AT(4) WORD(0, 0) "add.u32 %r7, %r7, 16;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        {AT(4) WORD(0, 0) "add.u32 %r7, %r7, 4;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "4444"},
        /* a loop that goes on by a multiple of 16, from one, or by another */
        {"mov.u32 %r7, s; again:\n" WORD(0, 0) WORD(1, 4) WORD(2, 8)
             WORD(3, 12) "add.u32 %r7, %r7, 48;\n"
                         "setp.lt.u32 %p1, %r7, 960; @%p1 bra again;",
         "g"},
        {"mov.u32 %r7, s; again:\n" WORD(0, 0) WORD(1, 4) WORD(2, 8)
             WORD(3, 12) "add.u32 %r7, %r7, 40;\n"
                         "setp.lt.u32 %p1, %r7, 960; @%p1 bra again;",
         "88"},
        {AT(4) "mov.u32 %r11, %r0;\n" WORD(
             0, 0) "st.global.u32 [%d1+64], %r11;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        /* two words of 64 bits; memory that comes with the launch */
        {AT(4) "ld.shared.u64 %d5, [%r7]; ld.shared.u64 %d6, [%r7+8];\n"
               "mov.b64 {%r10, %r11}, %d5; mov.b64 {%r12, %r13}, %d6;",
         "g"},
        {"ld.global.u32 %r10, [%d1]; ld.global.u32 %r11, [%d1+4];\n"
         "ld.global.u32 %r12, [%d1+8]; ld.global.u32 %r13, [%d1+12];",
         "4444"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_load_in(body[i][0], body[i][1]);
}
END_TEST

static bool is_in(const uint16_t *reg, unsigned count, uint16_t wanted)
{
    while (count > 0 && reg[count - 1] != wanted)
        count--;
    return count > 0;
}

/* What stands for one operation waits, one for the other, from the operands to
 * the result; all of it is in the stream. */
START_TEST(test_chain)
{
    struct kernel_list list;
    struct step step;
    const struct kernel *k =
        load(&list, "ld.global.f64 %g1, [%d1]; ld.global.f64 %g2, [%d1+8];\n"
                    "div.rn.f64 %g3, %g1, %g2; st.global.f64 [%d1+8], %g3;");
    const struct inst *i = k->inst, *last = &k->inst[k->inst_count - 3];
    ck_assert_uint_ge(k->inst_count, 4 + 10); /* far more than one */
    ck_assert(is_in(i[2].src, i[2].src_count, i[0].dst[0]));
    ck_assert(is_in(i[2].src, i[2].src_count, i[1].dst[0]));
    for (const struct inst *n = &i[3]; n <= last; n++)
        ck_assert(is_in(n->src, n->src_count, n[-1].dst[0]));
    ck_assert_int_eq(last[1].op, OP_STORE);
    ck_assert(is_in(last[1].src, last[1].src_count, last->dst[0]));
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 1, NULL));
    for (uint32_t n = 0; n < k->inst_count; n++) {
        ck_assert(k->ops->next(k, state, 0, &step));
        ck_assert_uint_eq(step.inst, n);
        ck_assert_uint_eq(step.mask, UINT32_MAX);
    }
    ck_assert(!k->ops->next(k, state, 0, &step));
    k->ops->close(k, state);
    free(state);
    kernel_list_free(&list);
}
END_TEST

#define FIRST  "ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1;\n"
#define SECOND " %r3, [%d1+4]; st.global.v2.u32 [%d1+16], {%r2, %r3};\n"

/* A load goes up past what it does not need, not past what may change what it
 * reads. */
START_TEST(test_hoisting)
{
    static const char *const body[][2] = {
        {FIRST "ld.global.u32" SECOND, "lliwx"},
        {FIRST "st.global.u32 [%d1+8], %r2; ld.global.u32" SECOND, "liwlwx"},
        {FIRST "st.shared.u32 [s], %r2; ld.global.u32" SECOND, "lliwwx"},
        {FIRST "st.u32 [%d0+8], %r2; ld.global.u32" SECOND, "liwlwx"},
        {FIRST "st.global.u32 [%d1+8], %r2; ld.global.nc.u32" SECOND, "lliwwx"},
        {FIRST "red.global.add.u32 [%d1+8], %r2; ld.global.u32" SECOND,
         "lialwx"},
        {FIRST "bar.sync 0; ld.global.u32" SECOND, "lizlwx"},
        {FIRST "membar.gl; ld.global.u32" SECOND, "lielwx"},
        {FIRST
         "mov.u32 %r4, %clock; st.shared.u32 [s], %r4; ld.global.u32" SECOND,
         "liilwwx"},
        {FIRST "setp.eq.u32 %p1, %r2, 0; @%p1 bra on; on: ld.global.u32" SECOND,
         "liiblwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

#define SUMMANDS 60

/* A sum of many loads: one accumulator in source order. */
static void write_sum(char *body, size_t size)
{
    size_t at = (size_t)snprintf(body, size, "mov.u32 %%r1, %%tid.x;\n");
    for (int i = 0; i < SUMMANDS; i++)
        at += (size_t)snprintf(body + at, size - at,
                               "ld.global.u32 %%r%d, [%%d1+%d];\n"
                               "add.u32 %%r1, %%r1, %%r%d;\n",
                               2 + i, 4 * i, 2 + i);
    snprintf(body + at, size - at, "st.global.u32 [%%d1], %%r1;");
}

/* Instructions up to the first sum, and registers. */
static void measure(const struct kernel *k, uint32_t *ahead,
                    uint32_t *registers)
{
    *ahead = *registers = 0;
    while (k->inst[*ahead].line == 10 || k->inst[*ahead].op == OP_LOAD)
        ++*ahead;
    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].dst_count > 0 && k->inst[i].dst[0] >= *registers)
            *registers = k->inst[i].dst[0] + 1U;
}

/* Loads run ahead as far as there are registers for what they bring. */
START_TEST(test_budget)
{
    static const uint32_t given[] = {0, 16, 8, 3};
    static const uint32_t most[] = {32, 16, 8, 3};
    static const uint32_t least_ahead[] = {16, 8, 4, 1};
    char body[TEXT_MAX / 4];
    write_sum(body, sizeof(body));
    for (int i = 0; i < 4; i++) {
        struct kernel_list list;
        uint32_t ahead, registers;
        const struct kernel *k = load_for(&list, body, given[i]);
        measure(k, &ahead, &registers);
        ck_assert_uint_eq(k->inst_count, 1 + 2 * SUMMANDS + 2);
        ck_assert_uint_le(registers, most[i]);
        ck_assert_uint_ge(ahead, least_ahead[i]);
        ck_assert_uint_eq(k->regs_per_thread, most[i]);
        kernel_list_free(&list);
    }
}
END_TEST

/* Loads before the first sum of two, where so many values are held meanwhile
 * and a thread has so many registers. */
static int loads_ahead(int held, uint32_t registers)
{
    struct kernel_list list;
    char body[TEXT_MAX / 4] = "";
    size_t at = 0, size = sizeof(body);
    for (int i = 0; i < held; i++)
        at +=
            (size_t)snprintf(body + at, size - at,
                             "ld.global.u32 %%r%d, [%%d1+%d];\n", 1 + i, 4 * i);
    for (int i = 0; i < 8; i++)
        at += (size_t)snprintf(body + at, size - at,
                               "ld.global.u32 %%r%d, [%%d1+%d];\n"
                               "ld.global.u32 %%r%d, [%%d1+%d];\n"
                               "add.u32 %%r%d, %%r%d, %%r%d;\n",
                               50 + 2 * i, 512 + 8 * i, 51 + 2 * i, 516 + 8 * i,
                               70 + i, 50 + 2 * i, 51 + 2 * i);
    for (int i = 0; i < held; i++)
        at += (size_t)snprintf(body + at, size - at,
                               "st.global.u32 [%%d1+%d], %%r%d;\n",
                               1024 + 4 * i, 1 + i);
    for (int i = 0; i < 8; i++)
        at += (size_t)snprintf(body + at, size - at,
                               "st.global.u32 [%%d1+%d], %%r%d;\n",
                               2048 + 4 * i, 70 + i);
    const struct kernel *k = load_for(&list, body, registers);
    int loads = 0;
    for (uint32_t i = 0; k->inst[i].op != OP_INT || k->inst[i].src_count != 2;
         i++)
        loads += k->inst[i].op == OP_LOAD;
    kernel_list_free(&list);
    return loads - held;
}

/* Where the source takes more registers than a thread has: no more than its
 * eight sums and two summands do up to those that hamper no warp, and double
 * buffering beyond. */
START_TEST(test_over_budget)
{
    ck_assert_int_le(loads_ahead(40, 32), 8 + 2);
    ck_assert_int_eq(loads_ahead(40, 40), 16);
}
END_TEST

/* Steps go by as instructions stand, each with its own op's addresses. */
START_TEST(test_stream)
{
    struct kernel_list list;
    struct step step;
    char body[TEXT_MAX / 4];
    write_sum(body, sizeof(body));
    const struct kernel *k = load(&list, body);
    const struct buffer *b = &k->buffer[k->buffers - 1];
    const uint32_t first_load = 11; /* line */
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 1, NULL));
    for (uint32_t n = 0; n < k->inst_count; n++) {
        ck_assert(k->ops->next(k, state, 1, &step));
        ck_assert_uint_eq(step.inst, n);
        if (k->inst[n].op != OP_LOAD)
            continue;
        uint32_t offset = (k->inst[n].line - first_load) / 2 * 4;
        ck_assert_uint_eq(step.base, b->address + offset);
        ck_assert_int_eq(step.stride, 0);
    }
    k->ops->close(k, state);
    free(state);
    kernel_list_free(&list);
}
END_TEST

/* Who made what an instruction reads, by line. */
START_TEST(test_values)
{
    static const struct {
        uint32_t line, made[2];
    } expected[] = {{11, {10, 0}},
                    {12, {11, 10}},
                    {14, {13, 0}},
                    {15, {14, 12}},
                    {16, {15, 0}}};
    struct kernel_list list;
    const struct kernel *k = load(&list, "ld.global.u32 %r1, [%d1];\n"
                                         "add.u32 %r2, %r1, 5;\n"
                                         "sub.u32 %r2, %r2, %r1;\n"
                                         "ld.global.u32 %r1, [%d1+4];\n"
                                         "add.u32 %r1, %r1, 5;\n"
                                         "xor.b32 %r2, %r1, %r2;\n"
                                         "st.global.u32 [%d1], %r2;");
    uint32_t made[REG_COUNT] = {0}, seen = 0;
    for (uint32_t n = 0; n < k->inst_count; n++) {
        const struct inst *i = &k->inst[n];
        for (size_t x = 0; x < sizeof(expected) / sizeof(*expected); x++) {
            if (expected[x].line != i->line)
                continue;
            seen++;
            for (unsigned r = 0; r < i->src_count; r++)
                ck_assert_uint_eq(made[i->src[r]], expected[x].made[r]);
        }
        for (unsigned r = 0; r < i->dst_count; r++)
            made[i->dst[r]] = i->line;
    }
    ck_assert_uint_eq(seen, 5);
    kernel_list_free(&list);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx order");
    TCase *t = tcase_create("all");
    tcase_add_test(t, test_joined);
    tcase_add_test(t, test_chain);
    tcase_add_test(t, test_hoisting);
    tcase_add_test(t, test_budget);
    tcase_add_test(t, test_over_budget);
    tcase_add_test(t, test_stream);
    tcase_add_test(t, test_values);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
