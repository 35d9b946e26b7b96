/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applications: what a sequence of launches in a kernel file comes to. */
#include "calib/calib.h"
#include "configs/gpu.h"
#include "sampler/policy/registry.h"
#include "sampler/sampler.h"
#include "tests/gpu_named.h"
#include "tests/kernel_text.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
    "buffers: { x = { bytes = 1000; }; y = { bytes = 1000; }; };\n"            \
    "kernels: {\n"                                                             \
    "  a: { launch: { grid = 4; block = 32; registers = 8; };\n"               \
    "       program = \"ldg.4 r1, [x + 1024*launch + 4*tid]\n"                 \
    "                   exit\"; };\n"                                          \
    "  b: { launch: { grid = [2]; block = 64; registers = 9; };\n"             \
    "       program = \"stg.4 [y + 4*gtid], r1\n"                              \
    "                   exit\"; };\n"                                          \
    "  c: { launch: { grid = 1; block = 32; registers = 8; };\n"               \
    "       program = \"ldg.4 r1, [src + n]\n"                                 \
    "                   exit\"; };\n"                                          \
    "};\n"

static bool load(struct kernel_list *out, const char *application,
                 const struct load_options *o, struct error *e)
{
    static char text[TEXT_MAX];
    int n = snprintf(text, sizeof(text), "%sapplication = %s;\n", HEAD,
                     application);
    ck_assert_int_lt(n, TEXT_MAX);
    return kernel_file_load(out, text, strlen(text), "dir/app.kernel", o, e);
}

static struct kernel_list must_load(const char *application)
{
    struct kernel_list l;
    struct error e;
    ck_assert_msg(load(&l, application, NULL, &e), "%s", e.text);
    return l;
}

/* Address of the first instruction of block 0 warp 0. */
static uint64_t first_address(const struct kernel *k)
{
    struct step s;
    void *state = open_block(k, 0);
    ck_assert(k->ops->next(k, state, 0, &s));
    uint64_t address = step_address(&s, 0);
    close_block(k, state);
    return address;
}

static const uint64_t x = (uint64_t)1 << 32, y = ((uint64_t)1 << 32) + 1024;

START_TEST(launches_in_order)
{
    struct kernel_list l = must_load("( \"a\", \"b\", \"a\" )");
    static const char *const names[] = {"app.a", "app.b", "app.a"};
    ck_assert_uint_eq(l.count, 3);
    ck_assert_str_eq(l.application, "app");
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(l.kernel[i]->name, names[i]);
    ck_assert_uint_eq(l.kernel[1]->threads_per_block, 64);
    ck_assert_uint_eq(l.kernel[1]->regs_per_thread, 9);
    kernel_list_free(&l);
}
END_TEST

START_TEST(launch_number_and_shared_buffers)
{
    struct kernel_list l = must_load("( \"a\", \"b\", \"a\" )");
    ck_assert_uint_eq(first_address(l.kernel[0]), x);
    ck_assert_uint_eq(first_address(l.kernel[1]), y);
    ck_assert_uint_eq(first_address(l.kernel[2]), x + 2048);
    kernel_list_free(&l);
}
END_TEST

START_TEST(repeats)
{
    struct kernel_list l =
        must_load("( { repeat = 3; launches = ( \"a\", { repeat = 2; "
                  "launches = ( \"b\" ); } ); }, \"a\" )");
    static const char *const names[] = {"app.a", "app.b", "app.b"};
    ck_assert_uint_eq(l.count, 10);
    for (size_t i = 0; i < 9; i++)
        ck_assert_str_eq(l.kernel[i]->name, names[i % 3]);
    ck_assert_str_eq(l.kernel[9]->name, "app.a");
    kernel_list_free(&l);
}
END_TEST

START_TEST(grids_follow_counters)
{
    struct kernel_list l = must_load(
        "( { repeat = 3; index = \"i\"; launches = ( { repeat = \"i\"; "
        "index = \"j\"; launches = ( { kernel = \"a\"; grid = (\"i + 1\", 2);"
        " block = \"32 * (j + 1)\"; shared_bytes = 100; } ); } ); } )");
    static const uint32_t grid[] = {2, 3, 3}, block[] = {32, 32, 64};
    ck_assert_uint_eq(l.count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(l.kernel[i]->grid.x, grid[i]);
        ck_assert_uint_eq(l.kernel[i]->grid.y, 2);
        ck_assert_uint_eq(l.kernel[i]->blocks, 2 * grid[i]);
        ck_assert_uint_eq(l.kernel[i]->block.x, block[i]);
        ck_assert_uint_eq(l.kernel[i]->shared_bytes, 100);
    }
    kernel_list_free(&l);
}
END_TEST

START_TEST(arguments_choose_buffers)
{
    struct kernel_list l = must_load(
        "( { repeat = 3; index = \"i\"; launches = ( { kernel = \"c\"; "
        "arguments: { n = 4; src = \"x + (i & 1) * (y - x) + n\"; }; } ); } )");
    ck_assert_uint_eq(l.count, 3);
    ck_assert_uint_eq(first_address(l.kernel[0]), x + 8);
    ck_assert_uint_eq(first_address(l.kernel[1]), y + 8);
    ck_assert_uint_eq(first_address(l.kernel[2]), x + 8);
    /* Launches that do the same are the same to what is kept of results. */
    ck_assert_uint_eq(l.kernel[0]->hash, l.kernel[2]->hash);
    ck_assert_uint_ne(l.kernel[0]->hash, l.kernel[1]->hash);
    kernel_list_free(&l);
}
END_TEST

START_TEST(overrides)
{
    struct kernel_list l;
    struct error e;
    struct load_options o = {.launch.regs_per_thread = 20};
    ck_assert_msg(load(&l, "( \"a\", \"b\" )", &o, &e), "%s", e.text);
    ck_assert_uint_eq(l.kernel[0]->regs_per_thread, 20);
    ck_assert_uint_eq(l.kernel[1]->regs_per_thread, 20);
    kernel_list_free(&l);
    o = (struct load_options){.launch.grid = {1, 1, 1}};
    ck_assert(!load(&l, "( \"a\" )", &o, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
}
END_TEST

static const struct {
    const char *application, *message;
} bad[] = {
    {"\"a\"", "expected a list of launches"},
    {"( )", "expected a list of launches"},
    {"( 3 )", "expected a kernel's name"},
    {"( \"d\" )", "found 'd', expected the name of a kernel"},
    {"( { grid = 1; } )", "expected a key 'kernel' or 'repeat'"},
    {"( { kernel = 1; } )", "expected the name of a kernel"},
    {"( { kernel = \"a\"; gird = 1; } )", "(did you mean 'grid'?)"},
    {"( { kernel = \"a\"; grid = 0; } )", "a whole number from 1 to"},
    {"( { kernel = \"a\"; grid = \"0 * 2\"; } )", "found 0, expected a number"},
    {"( { kernel = \"a\"; grid = \"tid\"; } )", "differs between threads"},
    {"( { kernel = \"a\"; grid = \"nblocks\"; } )", "found 'nblocks'"},
    {"( { kernel = \"a\"; grid = \"1 1\"; } )",
     "13:43: found '1', expected the end of the expression"},
    {"( { kernel = \"c\"; } )", "found 'src', expected a variable"},
    {"( { kernel = \"c\"; arguments: { x = 1; }; } )", "that nothing else has"},
    {"( { kernel = \"c\"; arguments: { tid = 1; }; } )",
     "that nothing else has"},
    {"( { kernel = \"c\"; arguments = 1; } )", "a group of named values"},
    {"( { repeat = 0; launches = ( \"a\" ); } )", "at least one launch"},
    {"( { repeat = 65537; launches = ( \"a\" ); } )", "a whole number from 0"},
    {"( \"b\", { repeat = 65536; launches = ( \"a\" ); } )",
     "at most 65536 launches"},
    {"( { repeat = 2; } )", "a key 'launches'"},
    {"( { repeat = 2; index = 1; launches = ( \"a\" ); } )",
     "a name in quotes"},
    {"( { repeat = 2; index = \"1i\"; launches = ( \"a\" ); } )",
     "that nothing else has"},
    {"( { repeat = 65536; launches = ( { repeat = 65536; launches = "
     "( { repeat = 0; launches = ( \"a\" ); } ); } ); } )",
     "fewer repetitions"},
};

START_TEST(errors)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(!load(&l, bad[_i].application, NULL, &e), "%s",
                  bad[_i].application);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, bad[_i].message) != NULL, "%s", e.text);
    ck_assert_msg(strncmp(e.text, "dir/app.kernel:", 15) == 0, "%s", e.text);
    ck_assert_ptr_null(l.kernel);
}
END_TEST

START_TEST(no_application)
{
    struct error e;
    struct kernel_list l;
    static const char text[] = HEAD;
    ck_assert(!kernel_file_load(&l, text, sizeof(text) - 1, "f", NULL, &e));
    ck_assert_msg(strstr(e.text, "found no list 'application'") != NULL, "%s",
                  e.text);
    static const char only[] = "application = ( \"a\" );";
    ck_assert(!kernel_file_load(&l, only, sizeof(only) - 1, "f", NULL, &e));
    ck_assert_msg(strstr(e.text, "found no group 'kernels'") != NULL, "%s",
                  e.text);
}
END_TEST

START_TEST(a_program_of_its_own_kernel)
{
    struct error e;
    struct kernel_list l;
    static const char text[] =
        "kernels: { a: { launch: { grid = 1; block = 32; registers = 8; }; };\n"
        "           b: { launch: { grid = 1; block = 32; registers = 8; };\n"
        "                program = \"mov r1\nexit\"; };\n"
        "           c: { launch: { grid = 1; block = 32; registers = 8; };\n"
        "                program = \"exit\"; }; };\n"
        "application = ( \"b\", \"c\", \"a\" );";
    ck_assert(!kernel_file_load(&l, text, sizeof(text) - 1, "f", NULL, &e));
    ck_assert_msg(strstr(e.text, "f:1: found no string 'program'") != NULL,
                  "%s", e.text);
}
END_TEST

/* ---- runs --------------------------------------------------------------- */

#define BODY                                                                   \
    "launch: { grid = 40; block = 64; registers = 8; };\n"                     \
    "program = \"ldg.4 r1, [x + 4*gtid]\nfadd r1, r1, r1\n"                    \
    "stg.4 [x + 4*gtid], r1\nexit\";\n"
#define BUFFERS "buffers: { x = { bytes = 100000; }; };\n"

static const char plain[] = BUFFERS BODY;
static const char once[] =
    BUFFERS "kernels: { k: { " BODY " }; };\napplication = ( \"k\" );";
static const char thrice[] =
    BUFFERS "kernels: { k: { " BODY " }; };\n"
            "application = ( { repeat = 3; launches = ( \"k\" ); } );";

static void parse(struct kernel_list *l, const char *text)
{
    struct error e;
    ck_assert_msg(kernel_file_load(l, text, strlen(text), "t", NULL, &e), "%s",
                  e.text);
}

static struct policy_set policies(void)
{
    struct policy_set p;
    struct error e;
    ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, "gto", &e));
    ck_assert(choice_parse(&p.block, NULL, POLICY_BLOCK, "rr", &e));
    ck_assert(choice_parse(&p.l1, NULL, POLICY_L1, "lru", &e));
    return p;
}

static struct sampler_run simulate(const char *text)
{
    struct kernel_list l;
    struct sampler_run run;
    struct error e;
    struct gpu g = gpu_named("ikra");
    struct policy_set p = policies();
    parse(&l, text);
    ck_assert_msg(
        sampler_simulate(&run,
                         &(struct sampler_job){.kernel = l.kernel,
                                               .kernels = (int)l.count,
                                               .gpu = &g,
                                               .policies = &p},
                         &e),
        "%s", e.text);
    kernel_list_free(&l);
    return run;
}

START_TEST(one_launch_is_the_plain_kernel)
{
    struct sampler_run a = simulate(plain), b = simulate(once);
    ck_assert_mem_eq(&a.counts, &b.counts, sizeof(a.counts));
}
END_TEST

/* The order in which blocks of launches end. */
static bool note_end(void *user, const struct sampler_block *b)
{
    uint64_t *last = user;
    ck_assert_uint_ge(b->end, last[0]);
    ck_assert_uint_ge(b->insts, last[1]);
    last[0] = b->end;
    last[1] = b->insts;
    return true;
}

/* Later launches have longer blocks: none may end before one of an earlier. */
START_TEST(one_after_another)
{
    struct kernel_list l;
    struct sampler_run run;
    struct error e;
    struct gpu g = gpu_named("ikra");
    struct policy_set p = policies();
    uint64_t last[2] = {0, 0};
    parse(&l, BUFFERS "kernels: { k: { launch: { grid = 40; block = 32; "
                      "registers = 8; }; program = \"loop i, 4*launch + 1\n"
                      "fadd r1, r1, r1\nendloop\nexit\"; }; };\n"
                      "application = ( \"k\", \"k\", \"k\" );");
    ck_assert(sampler_simulate(
        &run,
        &(struct sampler_job){
            .kernel = l.kernel,
            .kernels = 3,
            .gpu = &g,
            .policies = &p,
            .options = &(struct sampler_options){.block_done = note_end,
                                                 .user = last}},
        &e));
    ck_assert_uint_eq(run.counts.blocks_done, 120);
    kernel_list_free(&l);
}
END_TEST

static struct result study_of(const char *text, enum mode mode,
                              uint64_t max_cycles)
{
    struct kernel_list l;
    struct study_result r;
    struct error e;
    struct gpu g = gpu_named("ikra");
    struct policy_set p = policies();
    parse(&l, text);
    int tb = 2;
    struct study s = {.kernel = l.kernel[0],
                      .application = l.application != NULL ? &l : NULL,
                      .gpu = &g,
                      .tb = &tb,
                      .tb_count = 1,
                      .policies = &p,
                      .policy_count = 1};
    struct calib_options o = {
        .mode = mode, .threads = 1, .max_cycles = max_cycles};
    ck_assert_msg(calib_study(&r, &s, &o, &e), "%s", e.text);
    struct result result = r.result[0];
    study_result_free(&r);
    kernel_list_free(&l);
    return result;
}

START_TEST(one_point_of_all_launches)
{
    struct result one = study_of(once, MODE_DETAILED, 0);
    struct result all = study_of(thrice, MODE_DETAILED, 0);
    struct result hybrid = study_of(thrice, MODE_HYBRID, 0);
    ck_assert_double_eq(all.warp_insts, 3 * one.warp_insts);
    ck_assert_double_gt(all.cycles, one.cycles);
    ck_assert(hybrid.sampled && !hybrid.partial);
    ck_assert_double_eq(hybrid.cycles, all.cycles);
    ck_assert_double_eq(hybrid.cycles_lo, hybrid.cycles_hi);
}
END_TEST

START_TEST(the_model_adds_launches_up)
{
    struct result one = study_of(once, MODE_MODEL, 0);
    struct result all = study_of(thrice, MODE_MODEL, 0);
    ck_assert_double_eq_tol(all.cycles, 3 * one.cycles, 1e-6 * all.cycles);
    ck_assert_double_eq_tol(all.ipc, one.ipc, 1e-9);
    ck_assert_double_eq(all.warp_insts, 3 * one.warp_insts);
    ck_assert_double_gt(one.energy_uj, 0);
    ck_assert_double_eq_tol(all.energy_uj, 3 * one.energy_uj,
                            1e-9 * all.energy_uj);
    double parts = 0;
    for (int i = 0; i < ENERGY_PARTS; i++)
        parts += all.memory.energy_uj[i];
    ck_assert_double_eq_tol(parts, all.energy_uj, 1e-9 * parts);
    ck_assert(!all.sampled && isnan(all.l1_miss));
}
END_TEST

START_TEST(a_limit_leaves_the_model)
{
    struct result model = study_of(thrice, MODE_MODEL, 0);
    struct result cut = study_of(thrice, MODE_HYBRID, 100);
    ck_assert(cut.partial);
    ck_assert_double_eq(cut.cycles, model.cycles);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("application");
    TCase *t = tcase_create("all");
    tcase_add_test(t, launches_in_order);
    tcase_add_test(t, launch_number_and_shared_buffers);
    tcase_add_test(t, repeats);
    tcase_add_test(t, grids_follow_counters);
    tcase_add_test(t, arguments_choose_buffers);
    tcase_add_test(t, overrides);
    tcase_add_loop_test(t, errors, 0, sizeof(bad) / sizeof(bad[0]));
    tcase_add_test(t, no_application);
    tcase_add_test(t, a_program_of_its_own_kernel);
    tcase_add_test(t, one_launch_is_the_plain_kernel);
    tcase_add_test(t, one_after_another);
    tcase_add_test(t, one_point_of_all_launches);
    tcase_add_test(t, the_model_adds_launches_up);
    tcase_add_test(t, a_limit_leaves_the_model);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
