/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launch files as kernels: each launch finds what the ones before it left, in
 * whatever order and by however many threads blocks are asked for; faults
 * surface. */
#include "base/stop.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "kernels/ptx/launch/launch_kernel.h"
#include "sampler/policy/registry.h"
#include "sampler/sampler.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLDER_CHARS 64

/* fill: x[block] = v. walk: one load, then x[block] rounds of two instructions,
 * which is left doubled. apart: reads where blocks 2 and on have nothing to
 * read. alone: block 2 waits for a warp that it does not have. */
static const char module[] =
    PTX_HEAD ".visible .entry fill(.param .u64 b, .param .u32 v)\n{\n"
             ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
             "ld.param.u64 %d0, [b]; ld.param.u32 %r0, [v];\n"
             "mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4;\n"
             "add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r0;\nret;\n}\n"
             ".visible .entry walk(.param .u64 b)\n{\n"
             ".reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
             "ld.param.u64 %d0, [b];\n"
             "mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4;\n"
             "add.u64 %d0, %d0, %d1; ld.global.u32 %r0, [%d0];\n"
             "add.u32 %r2, %r0, %r0; st.global.u32 [%d0], %r2;\n"
             "again: atom.global.add.u32 %r3, [%d0], 0;\n"
             "sub.u32 %r0, %r0, 1; setp.ne.u32 %p, %r0, 0; @%p bra again;\n"
             "ret;\n}\n"
             ".visible .entry apart(.param .u64 b)\n{\n"
             ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
             "ld.param.u64 %d0, [b]; mov.u32 %r1, %ctaid.x;\n"
             "mul.wide.u32 %d1, %r1, 8192; add.u64 %d0, %d0, %d1;\n"
             "ld.global.u32 %r0, [%d0]; st.global.u32 [%d0], %r0;\nret;\n}\n"
             ".visible .entry alone(.param .u64 b)\n{\n"
             ".reg .pred %p; .reg .b32 %r;\n"
             "mov.u32 %r, %ctaid.x; setp.ne.u32 %p, %r, 2;\n"
             "@%p ret;\nbar.sync 1, 64;\nret;\n}\n";

/* ---- files -------------------------------------------------------------- */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[2 * FOLDER_CHARS];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    fclose(f);
}

static void remove_file(const char *folder, const char *name)
{
    char path[2 * FOLDER_CHARS];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    remove(path);
}

/* Load a launch file over the module above. */
static bool load(struct kernel_list *list, const char *launches,
                 const struct load_options *o, struct error *e)
{
    char folder[FOLDER_CHARS] = "/tmp/test_load_XXXXXX";
    char path[2 * FOLDER_CHARS], text[4096];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(text, sizeof(text), "ptx = \"m.ptx\"; summary = \"s\";\n%s",
             launches);
    write_file(folder, "m.ptx", module);
    write_file(folder, "turns.launch", text);
    snprintf(path, sizeof(path), "%s/turns.launch", folder);
    bool ok = kernel_load(list, path, o, e);
    remove_file(folder, "m.ptx");
    remove_file(folder, "turns.launch");
    rmdir(folder);
    return ok;
}

static void must_load(struct kernel_list *list, const char *launches)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(load(list, launches, NULL, &e), "%s", e.text);
}

#define BUFFER "buffers: { x = \"buf:4096:u32:iota:1\"; };\n"
#define FILL(v)                                                                \
    "{ entry = \"fill\"; grid = 4; block = 1; args = (\"x\", " #v "); }"
#define WALK "{ entry = \"walk\"; grid = 4; block = 1; args = (\"x\"); }"
#define APART(n)                                                               \
    "{ entry = \"apart\"; grid = " #n "; block = 1; args = (\"x\"); }"

/* ---- what a launch finds ------------------------------------------------ */

/* How many atomics block `block` executes. */
static unsigned rounds(const struct kernel *k, uint64_t block)
{
    struct error e = {STATUS_OK, ""};
    void *state = malloc(k->ops->state_size(k));
    struct step s;
    unsigned n = 0;
    ck_assert_msg(k->ops->open(k, state, block, &e), "%s", e.text);
    while (k->ops->next(k, state, 0, &s))
        n += k->inst[s.inst].op == OP_ATOMIC;
    k->ops->close(k, state);
    free(state);
    return n;
}

static const char sequence[] =
    BUFFER "launches = (" WALK ", " FILL(7) ", { repeat = 2; launches = (" WALK
                                            "); }, " FILL(2) ", " WALK ");";

/* Block b of the first walk finds b + 1; a walk doubles. */
static void check_rounds(const struct kernel_list *l)
{
    ck_assert_uint_eq(rounds(l->kernel[5], 3), 2);
    ck_assert_uint_eq(rounds(l->kernel[2], 0), 7);
    for (unsigned b = 0; b < 4; b++)
        ck_assert_uint_eq(rounds(l->kernel[0], b), b + 1);
    ck_assert_uint_eq(rounds(l->kernel[3], 1), 14);
    ck_assert_uint_eq(rounds(l->kernel[2], 2), 7);
}

START_TEST(test_turns)
{
    struct kernel_list l;
    must_load(&l, sequence);
    ck_assert_uint_eq(l.count, 6);
    ck_assert_str_eq(l.application, "turns");
    ck_assert_str_eq(l.kernel[0]->name, "turns.walk");
    ck_assert_str_eq(l.kernel[1]->name, "turns.fill");
    ck_assert_str_eq(l.kernel[0]->summary, "s");
    check_rounds(&l);
    kernel_list_free(&l);
}
END_TEST

START_TEST(test_threads)
{
    struct kernel_list l;
    unsigned got[64];
    must_load(&l, sequence);
#pragma omp parallel for num_threads(8) schedule(dynamic, 1)
    for (int i = 0; i < 64; i++)
        got[i] = rounds(l.kernel[i % 2 != 0 ? 3 : 5], (uint64_t)i % 4);
    for (int i = 0; i < 64; i++)
        ck_assert_uint_eq(got[i], i % 2 != 0 ? 14 : 2);
    check_rounds(&l);
    kernel_list_free(&l);
}
END_TEST

/* The same launch over other memory is another kernel; the same once more, in a
 * list of its own, is not. */
START_TEST(test_hashes)
{
    struct kernel_list l, again, other;
    must_load(&l, sequence);
    must_load(&again, sequence);
    must_load(&other, BUFFER "launches = (" WALK ", " FILL(6) ", " WALK ");");
    for (size_t i = 0; i < l.count; i++) {
        ck_assert_uint_eq(l.kernel[i]->hash, again.kernel[i]->hash);
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_ne(l.kernel[i]->hash, l.kernel[k]->hash);
    }
    ck_assert_uint_eq(l.kernel[0]->hash, other.kernel[0]->hash);
    ck_assert_uint_ne(l.kernel[2]->hash, other.kernel[2]->hash);
    kernel_list_free(&l);
    kernel_list_free(&again);
    kernel_list_free(&other);
}
END_TEST

/* ---- options ------------------------------------------------------------ */

START_TEST(test_one)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    static const char one[] =
        BUFFER "launches = ({ entry = \"walk\"; grid = 4; block = 1;\n"
               "shared = 512; regs = 40; args = (\"x\"); });";
    const struct load_options more = {.launch.regs_per_thread = 50};
    must_load(&l, one);
    ck_assert_ptr_null(l.application);
    ck_assert_str_eq(l.kernel[0]->name, "turns");
    ck_assert_uint_eq(l.kernel[0]->regs_per_thread, 40);
    ck_assert_uint_eq(l.kernel[0]->shared_bytes, 512);
    ck_assert_uint_eq(l.kernel[0]->buffers, 1);
    ck_assert_uint_eq(l.kernel[0]->buffer[0].bytes, 4 * 4096);
    kernel_list_free(&l);
    ck_assert_msg(load(&l, one, &more, &e), "%s", e.text);
    ck_assert_uint_eq(l.kernel[0]->regs_per_thread, 50);
    kernel_list_free(&l);
}
END_TEST

START_TEST(test_refused)
{
    static const char *const arg[] = {"5"};
    const struct load_options refused[] = {{.ptx.entry = "walk"},
                                           {.launch.grid = {1, 1, 1}},
                                           {.launch.block = {1, 1, 1}},
                                           {.launch.shared_given = 1},
                                           {.ptx.arg = arg, .ptx.args = 1}};
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    ck_assert(!load(&l, sequence, &refused[_i], &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(e.text, "launches of the file only"));
    ck_assert_uint_eq(l.count, 0);
}
END_TEST

START_TEST(test_errors)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    ck_assert(!load(&l, "launches = (\n" WALK ");", NULL, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "turns.launch:3: found 'x'"));
    ck_assert(!load(&l,
                    BUFFER "launches = (\n" WALK ",\n"
                           "{ entry = \"wlak\"; grid = 1; block = 1; });",
                    NULL, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "turns.launch:5: "));
    ck_assert_ptr_nonnull(strstr(e.text, "wlak"));
    ck_assert(!kernel_load(&l, "/nowhere/none.launch", NULL, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
}
END_TEST

/* ---- faults ------------------------------------------------------------- */

/* x is 16 KiB long: blocks 2 and 3 of `apart` read behind it. */
START_TEST(test_fault_before)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    must_load(&l, BUFFER "launches = (" APART(2) ", " APART(4) ", " WALK ");");
    void *state = malloc(l.kernel[2]->ops->state_size(l.kernel[2]));
    for (int i = 0; i < 2; i++) {
        ck_assert(!l.kernel[2]->ops->open(l.kernel[2], state, 0, &e));
        ck_assert_msg(strstr(e.text, "(block 2, warp 0)") != NULL, "%s",
                      e.text);
    }
    ck_assert(l.kernel[1]->ops->open(l.kernel[1], state, 0, &e));
    l.kernel[1]->ops->close(l.kernel[1], state);
    free(state);
    kernel_list_free(&l);
}
END_TEST

/* Of three blocks the last faults: nobody opens one after it. */
START_TEST(test_fault_in_the_last_block)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    struct gpu g;
    struct policy_set p;
    struct sampler_run run;
    const struct sampler_options o = {0};
    static const char *const last[] = {
        BUFFER "launches = (" APART(3) ");",
        BUFFER "launches = ({ entry = \"alone\"; grid = 3; block = 32;\n"
               "args = (\"x\"); });"};
    static const char *const said[] = {"outside every buffer",
                                       "no warp of the block can go on"};
    must_load(&l, last[_i]);
    ck_assert(kernel_streams_check(l.kernel[0], &e));
    ck_assert(gpu_load(&g, "m2090", NULL, 0, &e) &&
              choice_parse(&p.warp, NULL, POLICY_WARP, "gto", &e) &&
              choice_parse(&p.block, NULL, POLICY_BLOCK, "rr", &e) &&
              choice_parse(&p.l1, NULL, POLICY_L1, "lru", &e));
    ck_assert(!sampler_simulate(&run,
                                &(struct sampler_job){.kernel = l.kernel,
                                                      .kernels = 1,
                                                      .gpu = &g,
                                                      .policies = &p,
                                                      .options = &o},
                                &e));
    ck_assert_msg(strstr(e.text, said[_i]) != NULL, "%s", e.text);
    ck_assert_msg(strstr(e.text, "(block 2, warp 0)") != NULL, "%s", e.text);
    ck_assert(!kernel_streams_check(l.kernel[0], &e));
    kernel_list_free(&l);
}
END_TEST

/* Asked to stop, the launches before are given up; streams that need none of
 * them are not. */
START_TEST(test_stopped)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    volatile int cancel = 0;
    const struct stop stop = {.cancel = &cancel};
    const struct load_options o = {.stop = &stop};
    ck_assert_msg(load(&l, sequence, &o, &e), "%s", e.text);
    ck_assert_uint_eq(rounds(l.kernel[2], 0), 7);
    cancel = 1;
    ck_assert_uint_eq(rounds(l.kernel[2], 0), 7);
    void *state = malloc(l.kernel[3]->ops->state_size(l.kernel[3]));
    for (int i = 0; i < 2; i++) {
        ck_assert(!l.kernel[3]->ops->open(l.kernel[3], state, 0, &e));
        ck_assert_int_eq(e.status, STATUS_STOPPED);
    }
    free(state);
    kernel_list_free(&l);
    ck_assert(!load(&l, sequence, &o, &e));
    ck_assert_int_eq(e.status, STATUS_STOPPED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_load");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_turns);
    tcase_add_test(c, test_threads);
    tcase_add_test(c, test_hashes);
    tcase_add_test(c, test_one);
    tcase_add_loop_test(c, test_refused, 0, 5);
    tcase_add_test(c, test_errors);
    tcase_add_test(c, test_fault_before);
    tcase_add_loop_test(c, test_fault_in_the_last_block, 0, 2);
    tcase_add_test(c, test_stopped);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
