/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every computing instruction against values that tests/ptx_ops.inc holds:
 * whole numbers by arithmetic without limits, floating point by exact rational
 * arithmetic and one rounding, special values as the sections of the PTX ISA
 * say. */
#include "tests/ptx_run.h"

#include <math.h>
#include <stdio.h>

struct row {
    const char *code; /* %d0..3, %r0..3, %h0..3 hold the inputs' low bits; the
                       * result is the first register written of number 4 */
    uint64_t input[4], expected;
};

static const struct row rows[] = {
#include "tests/ptx_ops.inc"
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* The letter of the register with number 4: 'd', 'r' or 'h'. */
static char result_letter(const char *code)
{
    for (const char *c = code; (c = strchr(c, '%')) != NULL; c++)
        if (c[2] == '4')
            return c[1];
    return 'r';
}

static void make_text(char *text, size_t size, const char *code)
{
    char letter = result_letter(code);
    snprintf(text, size,
             PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n"
                      ".reg .pred %%p<4>; .reg .b16 %%h<8>; .reg .b32 %%r<8>;\n"
                      ".reg .b64 %%d<8>; .reg .b64 %%a;\n"
                      "ld.param.u64 %%a, [p];\n"
                      "ld.global.v2.u64 {%%d0, %%d1}, [%%a];\n"
                      "ld.global.v2.u64 {%%d2, %%d3}, [%%a+16];\n"
                      "cvt.u32.u64 %%r0, %%d0; cvt.u32.u64 %%r1, %%d1;\n"
                      "cvt.u32.u64 %%r2, %%d2; cvt.u32.u64 %%r3, %%d3;\n"
                      "cvt.u16.u64 %%h0, %%d0; cvt.u16.u64 %%h1, %%d1;\n"
                      "cvt.u16.u64 %%h2, %%d2; cvt.u16.u64 %%h3, %%d3;\n"
                      "%s\n%s\n"
                      "st.global.u64 [%%a+32], %%d4;\nret;\n}\n",
             code,
             letter == 'r'   ? "cvt.u64.u32 %d4, %r4;"
             : letter == 'h' ? "cvt.u64.u16 %d4, %h4;"
                             : "");
}

/* The value that the instruction leaves; the inputs are put into memory. */
static uint64_t result_of(const struct row *row)
{
    static const char *const arg[] = {"buf:5:u64:zero:io", NULL};
    char text[2048];
    uint64_t all[5];
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    const struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .arg = arg, .args = 1};
    make_text(text, sizeof(text), row->code);
    ck_assert_msg(ptx_parse(&r.module, text, strlen(text), "t.ptx", &e),
                  "%s: %s", row->code, e.text);
    ck_assert(ptx_session_open(&r.session, &r.module, &request, &e));
    struct ptx_stretch io;
    struct ptx_view view = {.memory = &r.session.memory};
    ck_assert(ptx_view_find(&view, PTX_GLOBAL_BASE, true, &io));
    memcpy(io.bytes, row->input, sizeof(row->input));
    ck_assert_msg(ptx_session_run(&r.session, &r.totals, &e), "%s", e.text);
    ptx_take(&r, "io", all, sizeof(all));
    ptx_done(&r);
    return all[4];
}

START_TEST(test_values)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < ROWS; i++) {
        uint64_t got = result_of(&rows[i]);
        if (got == rows[i].expected)
            continue;
        wrong++;
        printf("%s of %llx %llx %llx: got %llx, expected %llx\n", rows[i].code,
               (unsigned long long)rows[i].input[0],
               (unsigned long long)rows[i].input[1],
               (unsigned long long)rows[i].input[2], (unsigned long long)got,
               (unsigned long long)rows[i].expected);
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* ---- approximate instructions: errors that the sections allow ----------- */

struct approximate {
    const char *code;
    double (*exact)(double);
    double low, high;
    double relative, absolute; /* PTX ISA 9.0, sections 9.7.3.13 to .22 */
};

static double reciprocal(double x)
{
    return 1 / x;
}

static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

static const struct approximate approximates[] = {
    {"rcp.approx.f32 %r4, %r0;", reciprocal, 0.1, 100, 0x1p-23, 0},
    {"sqrt.approx.f32 %r4, %r0;", sqrt, 0.1, 100, 0x1p-23, 0},
    {"rsqrt.approx.f32 %r4, %r0;", inverse_root, 0.1, 100, 0x1p-22, 0},
    {"sin.approx.f32 %r4, %r0;", sin, -3.14, 3.14, 0, 0x1p-20},
    {"cos.approx.f32 %r4, %r0;", cos, -3.14, 3.14, 0, 0x1p-20},
    {"lg2.approx.f32 %r4, %r0;", log2, 0.1, 100, 0x1p-22, 0x1p-22},
    {"ex2.approx.f32 %r4, %r0;", exp2, -20, 20, 0x1p-22, 0},
    {"tanh.approx.f32 %r4, %r0;", tanh, -4, 4, 0x1p-11, 0},
};

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

START_TEST(test_approximate)
{
    const struct approximate *a = &approximates[_i];
    for (int k = 0; k <= 20; k++) {
        float x = (float)(a->low + (a->high - a->low) * k / 20), y;
        struct row row = {a->code, {bits_of(x)}, 0};
        uint32_t bits = (uint32_t)result_of(&row);
        memcpy(&y, &bits, sizeof(y));
        double exact = a->exact((double)x);
        ck_assert_msg(fabs((double)y - exact) <=
                          a->relative * fabs(exact) + a->absolute,
                      "%s of %g: got %g, expected %g", a->code, (double)x,
                      (double)y, exact);
    }
}
END_TEST

/* ---- the table ---------------------------------------------------------- */

static unsigned named(const char *mnemonic)
{
    unsigned n = 0;
    for (size_t i = 0; i < ptx_form_count(); i++)
        n += strcmp(ptx_form_at(i)->mnemonic, mnemonic) == 0;
    return n;
}

/* A row that stands behind one with the same keys and types is never found. */
START_TEST(test_rows_distinct)
{
    const struct ptx_form *form[1024];
    size_t forms = ptx_form_count();
    ck_assert_uint_le(forms, sizeof(form) / sizeof(form[0]));
    for (size_t i = 0; i < forms; i++)
        form[i] = ptx_form_at(i);
    for (size_t i = 0; i < forms; i++) {
        const struct ptx_form *f = form[i];
        ck_assert(f->action != ACTION_LANES || f->lanes != NULL);
        for (size_t k = i + 1; k < forms; k++) {
            const struct ptx_form *g = form[k];
            ck_assert_msg(strcmp(f->mnemonic, g->mnemonic) != 0 ||
                              f->key[0] != g->key[0] ||
                              f->key[1] != g->key[1] ||
                              ((f->types & g->types) == 0 && f->types != 0) ||
                              ((f->second_types & g->second_types) == 0 &&
                               f->second_types != 0),
                          "%s stands there twice", f->mnemonic);
        }
    }
    ck_assert_uint_gt(named("mul"), 5);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_ops");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_values);
    tcase_add_loop_test(c, test_approximate, 0,
                        sizeof(approximates) / sizeof(approximates[0]));
    tcase_add_test(c, test_rows_distinct);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
