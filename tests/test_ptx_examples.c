/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The PTX examples, each executed at a small size (tests/ptx/), against plain
 * C; and what can be wrong between a launch file and its module. */
#include "base/bundled.h"
#include "kernels/ptx/launch/launch_run.h"
#include "tests/ptx_reference.h"

#include <stdio.h>

static const struct {
    const char *name;
    void (*check)(const struct images *all);
} cases[] = {
    {"vectoradd", check_vectoradd},
    {"matmul-naive", check_matmul},
    {"matmul-tiled", check_matmul},
    {"transpose", check_transpose},
    {"reduction", check_reduction},
    {"scan", check_scan},
    {"histogram", check_histogram},
    {"stencil", check_stencil},
    {"bfs", check_bfs},
    {"kmeans", check_kmeans},
    {"spmv", check_spmv},
    {"softmax", check_softmax},
    {"clang", check_clang},
    {"texture", check_texture},
    {"surface", check_surface},
    {"wmma", check_wmma},
    {"tile", check_tile},
};
#define CASES (int)(sizeof(cases) / sizeof(cases[0]))

/* ---- texts -------------------------------------------------------------- */

static char *read_text(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    char *text = malloc(1 << 20);
    ck_assert_ptr_nonnull(text);
    *size = fread(text, 1, (1 << 20) - 1, f);
    text[*size] = '\0';
    fclose(f);
    return text;
}

static void load_launches(struct launch_file *out, const char *name)
{
    char path[100];
    size_t size;
    struct error e = {STATUS_OK, ""};
    snprintf(path, sizeof(path), "tests/ptx/%s.launch", name);
    char *text = read_text(path, &size);
    ck_assert_msg(launch_file_parse(out, text, size, path, &e), "%s", e.text);
    free(text);
}

static void load_module(struct ptx_module *out, const char *path)
{
    size_t size;
    struct error e = {STATUS_OK, ""};
    char *text = read_text(path, &size);
    ck_assert_msg(ptx_parse(out, text, size, path, &e), "%s", e.text);
    free(text);
}

/* ---- images of the buffers ---------------------------------------------- */

static void *copy_buffer(struct ptx_session *s, const struct ptx_buffer *b)
{
    void *copy = malloc(b->bytes);
    ck_assert_ptr_nonnull(copy);
    ck_assert(ptx_memory_read(&s->memory, (size_t)(b - s->memory.buffer), 0,
                              copy, b->bytes));
    return copy;
}

static void keep_before(struct images *all, struct ptx_session *s,
                        const struct launch_file *f)
{
    ck_assert_uint_le(f->buffers, BUFFERS_MAX);
    *all = (struct images){.count = f->buffers};
    for (size_t i = 0; i < f->buffers; i++) {
        const struct ptx_buffer *b =
            ptx_memory_named(&s->memory, f->buffer[i].name);
        ck_assert_ptr_nonnull(b);
        all->of[i] = (struct image){.name = f->buffer[i].name,
                                    .bytes = b->bytes,
                                    .before = copy_buffer(s, b)};
    }
}

static void keep_after(struct images *all, struct ptx_session *s)
{
    for (size_t i = 0; i < all->count; i++)
        all->of[i].after =
            copy_buffer(s, ptx_memory_named(&s->memory, all->of[i].name));
}

static void free_images(struct images *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->of[i].before);
        free(all->of[i].after);
    }
}

/* ---- results ------------------------------------------------------------ */

START_TEST(test_result)
{
    struct launch_file f;
    struct ptx_module m;
    struct ptx_session s;
    struct ptx_totals totals;
    struct images all;
    struct error e = {STATUS_OK, ""};
    load_launches(&f, cases[_i].name);
    load_module(&m, f.module);
    ck_assert_msg(launch_file_open(&s, &f, &m, 1, &e), "%s", e.text);
    keep_before(&all, &s, &f);
    ck_assert_msg(launch_file_run(&s, &f, &totals, &e), "%s", e.text);
    keep_after(&all, &s);
    cases[_i].check(&all);
    uint64_t blocks = 0;
    for (size_t i = 0; i < f.turns; i++) {
        const struct file_launch *l = &f.launch[f.order[i]];
        blocks += (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    }
    ck_assert_uint_eq(totals.blocks, blocks);
    free_images(&all);
    ptx_session_close(&s);
    ptx_module_free(&m);
    launch_file_free(&f);
}
END_TEST

/* Every launch of the bundled examples can be set up. */
START_TEST(test_bundled)
{
    const struct bundled_file *b = &bundled_examples[_i];
    struct launch_file f;
    struct ptx_module m;
    struct ptx_session s;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(launch_file_parse(&f, b->text, b->size, b->path, &e), "%s",
                  e.text);
    load_module(&m, f.module);
    ck_assert_msg(launch_file_open(&s, &f, &m, 1, &e), "%s", e.text);
    for (size_t turn = 0; turn < f.turns; turn++)
        ck_assert_msg(launch_file_set_up(&s, &f, turn, &e), "%s", e.text);
    ptx_session_close(&s);
    ptx_module_free(&m);
    launch_file_free(&f);
}
END_TEST

/* ---- what is wrong ------------------------------------------------------ */

static const struct {
    const char *buffer, *launch, *message;
} bad[] = {
    {"buf:4:f99", "", "dir/f.launch:2: buffer buf:4:f99: expected a type"},
    {"buf:4:f32:some:thing", "",
     "dir/f.launch:2: buffer buf:4:f32:some:thing:"},
    {"buf:4:f32:zero:a", "",
     "dir/f.launch:2: buffer buf:4:f32:zero:a: expected buf:COUNT:TYPE[:FILL]"},
    {"buf:4:f32:file:none", "", "dir/f.launch:2: dir/none: "},
    {"buf:4:f32:file:/none", "", "dir/f.launch:2: /none: "},
    {"tex:4:f99", "", "dir/f.launch:2: buffer tex:4:f99: expected a texel"},
    {"tex:4x:f32", "", "dir/f.launch:2: buffer tex:4x:f32: expected tex:WIDTH"},
    {"tex:4:f32:file:none", "", "dir/f.launch:2: dir/none: "},
    {"tex:4x4:f32:linear:file:none", "", "dir/f.launch:2: dir/none: "},
    {"tex:4:f32:zero:a", "",
     "dir/f.launch:2: buffer tex:4:f32:zero:a: expected buf:COUNT:TYPE[:FILL] "
     "or "
     "tex:WIDTHxHEIGHT:TEXEL"},
    {"buf:4:f32", "entry = \"vectorad\"; args = (4, \"x\", \"x\", \"x\");",
     "dir/f.launch:3: "},
    {"buf:4:f32", "entry = \"vectoradd\"; args = (4, \"x\", \"x\");",
     "found 3 arguments for 'vectoradd'"},
    {"buf:4:f32", "entry = \"vectoradd\"; args = (\"x\", \"x\", \"x\", \"x\");",
     "dir/f.launch:3: argument x: found a buffer for parameter"},
    {"buf:4:f32", "entry = \"vectoradd\"; args = (0.5, \"x\", \"x\", \"x\");",
     "dir/f.launch:3: argument 0.5: expected a number of type u32"},
    {"buf:4:f32",
     "entry = \"vectoradd\"; args = (\"f64:1\", \"x\", \"x\", \"x\");",
     "dir/f.launch:3: argument f64:1: found 8 bytes"},
    {"buf:4:f32",
     "entry = \"vectoradd\"; args = (\"q:1\", \"x\", \"x\", \"x\");",
     "dir/f.launch:3: argument q:1: expected NUMBER, TYPE:NUMBER"},
};

START_TEST(test_errors)
{
    char text[400];
    struct launch_file f;
    struct ptx_module m;
    struct ptx_session s;
    struct error e = {STATUS_OK, ""};
    bool of_buffer = bad[_i].launch[0] == '\0';
    snprintf(text, sizeof(text),
             "ptx = \"k.ptx\";\nbuffers: { x = \"%s\"; };\n"
             "launches = ({ grid = 1; block = 32; %s });",
             bad[_i].buffer, of_buffer ? "entry = \"k\";" : bad[_i].launch);
    ck_assert_msg(launch_file_parse(&f, text, strlen(text), "dir/f.launch", &e),
                  "%s", e.text);
    load_module(&m, "kernels/bundled/ptx/vectoradd.ptx");
    bool opened = launch_file_open(&s, &f, &m, 1, &e);
    ck_assert(opened != of_buffer);
    if (opened) {
        ck_assert(!launch_file_set_up(&s, &f, 0, &e));
        ptx_session_close(&s);
    }
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, bad[_i].message) != NULL,
                  "found %s\nexpected %s", e.text, bad[_i].message);
    ptx_module_free(&m);
    launch_file_free(&f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx examples");
    TCase *t = tcase_create("all");
    tcase_add_loop_test(t, test_result, 0, CASES);
    tcase_add_loop_test(t, test_bundled, 0, (int)bundled_example_count);
    tcase_add_loop_test(t, test_errors, 0, sizeof(bad) / sizeof(bad[0]));
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
