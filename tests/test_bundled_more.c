/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bundled workloads against the three papers that run them: cawa Table 2,
 * kaws Table 2, ikra Table 3 and Sec. 5.4.1, typed from the papers. And what
 * cawa says of single workloads: imbalance, divergence, reuse. */
#include "configs/gpu.h"
#include "kernels/load.h"
#include "tests/workload_walk.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define MAX_STEPS 200000

static void load(struct kernel_list *list, const char *name)
{
    struct load_options options = load_options_default();
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(kernel_load(list, name, &options, &e), "%s", e.text);
    ck_assert_uint_ge(list->count, 1);
}

/* The kernel's own name: what stands behind the application's. */
static const char *kernel_part(const struct kernel *k)
{
    const char *dot = strrchr(k->name, '.');
    return dot != NULL ? dot + 1 : k->name;
}

/* ---- cawa Table 2 ------------------------------------------------------- */

/* Threads of the largest launch cover `items`, less than a block beyond. */
static const struct cawa_row {
    const char *name;
    uint64_t items;   /* the table's data set, in what a thread works on */
    uint32_t threads; /* of a block */
    uint64_t spare;   /* blocks without work that Rodinia launches as well */
} cawa_table[] = {
    {"bfs", 65536, 512, 0},
    {"bfs-balanced", 65536, 512, 0},
    {"kmeans-rows", 494020, 256, 6}, /* a square of blocks */
    {"srad-v1", 502 * 458, 512, 0},
    {"streamcluster-small", 4096, 512, 0},
    {"streamcluster-mid", 8192, 512, 0},
    {"backprop-64k", 65536 * 16, 256, 0}, /* 16 hidden units */
    {"needle", 1024, 16, 0},              /* columns of the longest diagonal */
};

static const struct kernel *largest(const struct kernel_list *list)
{
    const struct kernel *k = list->kernel[0];
    for (size_t n = 1; n < list->count; n++)
        if (list->kernel[n]->blocks > k->blocks)
            k = list->kernel[n];
    return k;
}

START_TEST(cawa_data_sets)
{
    const struct cawa_row *row = &cawa_table[_i];
    struct kernel_list list;
    load(&list, row->name);
    const struct kernel *k = largest(&list);
    uint64_t threads = (k->blocks - row->spare) * k->threads_per_block;
    ck_assert_uint_eq(k->threads_per_block, row->threads);
    ck_assert_uint_ge(threads, row->items);
    ck_assert_uint_lt(threads, row->items + k->threads_per_block);
    kernel_list_free(&list);
}
END_TEST

/* 100 random sets and the data: each with itself, each random one with the
 * data. 100000 columns, 216 a block. */
START_TEST(cawa_other_grids)
{
    static const struct {
        const char *name;
        uint64_t blocks;
    } other[] = {{"tpacf", 100 + 1 + 100},
                 {"pathfinder-100k", (100000 + 215) / 216},
                 {"heartwall", 56}};
    struct kernel_list list;
    load(&list, other[_i].name);
    ck_assert_uint_eq(list.kernel[0]->blocks, other[_i].blocks);
    kernel_list_free(&list);
}
END_TEST

/* Ten frames, one launch each after the first. */
START_TEST(cawa_particle_frames)
{
    struct kernel_list list;
    load(&list, "particlefilter");
    ck_assert_uint_eq(list.count, 10 - 1);
    kernel_list_free(&list);
}
END_TEST

/* ---- what cawa says of them --------------------------------------------- */

static double highest_disparity(const struct kernel *k)
{
    double highest = 0.0;
    for (uint64_t b = 0; b < k->blocks; b++) {
        struct block_walk w = walk_block(k, b, MAX_STEPS, NULL);
        double d = 1.0 - (double)w.fewest / (double)w.most;
        highest = d > highest ? d : highest;
    }
    return highest;
}

static const struct kernel *busiest(const struct kernel_list *list)
{
    const struct kernel *k = NULL;
    uint64_t most = 0;
    for (size_t n = 0; n < list->count; n++) {
        struct block_walk w = walk_block(list->kernel[n], 0, MAX_STEPS, NULL);
        if (w.most > most) {
            most = w.most;
            k = list->kernel[n];
        }
    }
    return k;
}

/* Sec. 2.2.1: warps have unequal numbers of neighbours, 20 % apart in time. */
START_TEST(bfs_is_imbalanced)
{
    struct kernel_list list;
    load(&list, "bfs");
    ck_assert_double_ge(highest_disparity(busiest(&list)), 0.20);
    kernel_list_free(&list);
}
END_TEST

/* Sec. 2.2.2: with balanced work up to 20 % of the instructions differ. */
START_TEST(balanced_bfs_differs_by_its_branches)
{
    struct kernel_list list;
    load(&list, "bfs-balanced");
    double d = highest_disparity(busiest(&list));
    ck_assert_double_gt(d, 0.02);
    ck_assert_double_le(d, 0.20);
    kernel_list_free(&list);
}
END_TEST

/* Fig. 1: 70 % in some block of srad_1, the largest of the applications. */
START_TEST(srad_is_most_imbalanced)
{
    struct kernel_list list;
    double d = 0.0;
    load(&list, "srad-v1");
    for (size_t n = 0; n < list.count; n++) {
        const struct kernel *k = list.kernel[n];
        struct block_walk w = walk_block(k, k->blocks - 1, MAX_STEPS, NULL);
        double last = 1.0 - (double)w.fewest / (double)w.most;
        d = last > d ? last : d;
    }
    ck_assert_double_ge(d, 0.70);
    kernel_list_free(&list);
}
END_TEST

/* Footnote 2: one or two warps a block. */
START_TEST(needle_has_no_warps_to_compare)
{
    struct kernel_list list;
    load(&list, "needle");
    for (size_t n = 0; n < list.count; n++)
        ck_assert_uint_le(list.kernel[n]->warps_per_block, 2);
    kernel_list_free(&list);
}
END_TEST

/* Warps whose lanes disagree at a branch. */
START_TEST(warps_split)
{
    static const char *const names[] = {
        "bfs",    "bfs-balanced",        "b+tree",
        "needle", "streamcluster-small", "streamcluster-mid",
        "tpacf",  "particlefilter",      "srad-v1",
    };
    struct kernel_list list;
    uint64_t split = 0;
    load(&list, names[_i]);
    for (size_t n = 0; n < list.count; n++)
        split += walk_block(list.kernel[n], 0, MAX_STEPS, NULL).split_branches;
    ck_assert_uint_gt(split, 0);
    kernel_list_free(&list);
}
END_TEST

/* Sec. 5.1 and Table 1: what the resident warps read again does not fit in
 * 16 KB. */
START_TEST(kmeans_reuses_more_than_an_l1)
{
    struct gpu g;
    struct error e = {STATUS_OK, ""};
    struct kernel_list list;
    struct line_counts *lines = calloc(1, sizeof(*lines));
    struct walk_notes notes = {.lines = lines};
    ck_assert_ptr_nonnull(lines);
    ck_assert_msg(gpu_load(&g, "gtx480", NULL, 0, &e), "%s", e.text);
    load(&list, "kmeans-rows");
    const struct kernel *k = list.kernel[0];
    walk_block(k, 0, MAX_STEPS, &notes);
    uint64_t resident = (uint64_t)occupancy_blocks(&g, k, NULL);
    uint64_t read = lines_at_least(lines, 1), again = lines_at_least(lines, 2);
    ck_assert_uint_gt(resident * again * LINE_BYTES, 16 << 10);
    ck_assert_uint_ge(again * 100, read * 99);
    free(lines);
    kernel_list_free(&list);
}
END_TEST

/* ---- kaws Table 2 ------------------------------------------------------- */

static const struct kaws_row {
    const char *name;
    size_t kernels;
    uint64_t blocks, or_blocks;
} kaws_table[] = {
    {"streamcluster", 140, 128, 128},
    {"pathfinder-100k", 5, 463, 463},
    {"b+tree", 2, 6000, 10000},
    {"hotspot-512", 1, 1849, 1849},
    {"mri-q", 4, 128, 6 /* the magnitudes of the samples */},
    {"quasirandom", 42, 128, 128},
    {"3dconvolution", 254, 256, 256},
    {"3mm", 3, 1024, 1024},
    {"resnet", 38, 64, 256},
};

START_TEST(kaws_table_is_met)
{
    const struct kaws_row *row = &kaws_table[_i];
    struct kernel_list list;
    bool first = false, second = false;
    load(&list, row->name);
    ck_assert_uint_eq(list.count, row->kernels);
    for (size_t n = 0; n < list.count; n++) {
        uint64_t blocks = list.kernel[n]->blocks;
        ck_assert(blocks == row->blocks || blocks == row->or_blocks);
        first |= blocks == row->blocks;
        second |= blocks == row->or_blocks;
    }
    ck_assert(first && second);
    kernel_list_free(&list);
}
END_TEST

/* ---- ikra Table 3 ------------------------------------------------------- */

#define SHAPES 3

static const struct ikra_row {
    const char *name;
    uint32_t threads[SHAPES]; /* of a block, one for each kernel */
    uint64_t least, most;     /* blocks */
    const char *iterated;     /* a kernel launched once an iteration, */
    size_t iterations;        /* where the table gives their number */
} ikra_table[] = {
    {"ikra-hotspot", {256}, 361, 361, "step", 20},
    {"ikra-kmeans", {64}, 391, 391, NULL, 0},
    {"ikra-lud", {16, 32, 256}, 1, 2209, NULL, 0},
    {"ikra-nw", {8}, 1, 63, NULL, 0},
    {"ikra-pathfinder", {256}, 394, 394, "advance", 10},
    {"ikra-srad-v1", {512}, 1, 128, "srad", 10}, /* 1: rest of a reduction */
    {"ikra-srad-v2", {256}, 1024, 1024, "update", 10},
    {"ikra-stencil", {128}, 64, 64, "step", 10},
    {"ikra-backprop", {256}, 2048, 2048, NULL, 0},
    {"ikra-convolution", {128, 64}, 512, 1024, NULL, 0},
    {"ikra-lavamd", {128}, 8, 8, NULL, 0},
    {"ikra-nn", {256}, 669, 669, NULL, 0},
    {"ikra-sgemm", {128}, 496, 496, NULL, 0},
    {"ikra-dijkstra-1", {256}, 66, 66, NULL, 0},
    {"ikra-dijkstra-2", {256}, 345, 345, NULL, 0},
    {"ikra-coloring-1", {256}, 66, 66, NULL, 0},
    {"ikra-coloring-2", {256}, 345, 345, NULL, 0},
    {"ikra-mis-1", {256}, 66, 66, NULL, 0},
    {"ikra-mis-2", {256}, 345, 345, NULL, 0},
    {"ikra-pagerank-1", {256}, 66, 66, NULL, 0},
    {"ikra-pagerank-2", {256}, 345, 345, NULL, 0},
};

static bool has_shape(const struct ikra_row *row, uint32_t threads)
{
    for (size_t s = 0; s < SHAPES; s++)
        if (row->threads[s] == threads)
            return true;
    return false;
}

START_TEST(ikra_table_is_met)
{
    const struct ikra_row *row = &ikra_table[_i];
    struct kernel_list list;
    uint64_t least = UINT64_MAX, most = 0;
    size_t iterations = 0;
    load(&list, row->name);
    for (size_t n = 0; n < list.count; n++) {
        const struct kernel *k = list.kernel[n];
        ck_assert(has_shape(row, k->threads_per_block));
        least = k->blocks < least ? k->blocks : least;
        most = k->blocks > most ? k->blocks : most;
        iterations +=
            row->iterated != NULL && strcmp(kernel_part(k), row->iterated) == 0;
    }
    ck_assert_uint_eq(least, row->least);
    ck_assert_uint_eq(most, row->most);
    ck_assert_uint_eq(iterations, row->iterations);
    kernel_list_free(&list);
}
END_TEST

/* Data accessed a kernel in KB, as far as the table gives it for a kernel of
 * which all accesses are known. srad and srad2 of SRAD v1: 2560 and 2048 there,
 * where every neighbour of a pixel counts; six arrays of 256 KB here. */
static const struct accessed_row {
    const char *name, *kernel;
    double kb, tolerance_pct;
} accessed_table[] = {
    {"ikra-hotspot", "step", 768, 1},
    {"ikra-kmeans", "nearest", 3516, 1},
    {"ikra-lud", "diagonal", 1, 1},
    {"ikra-lud", "internal", 2303, 1},
    {"ikra-pathfinder", "advance", 1172, 1},
    {"ikra-srad-v1", "extract", 256, 1},
    {"ikra-srad-v1", "prepare", 768, 1},
    {"ikra-srad-v1", "reduce", 512, 1},
    {"ikra-srad-v1", "srad", 6 * 256, 1},
    {"ikra-srad-v1", "srad2", 6 * 256, 1},
    {"ikra-srad-v1", "compress", 256, 1},
    {"ikra-srad-v2", "coefficient", 6144, 1},
    {"ikra-srad-v2", "update", 6144, 1},
    {"ikra-stencil", "step", 1024, 15}, /* borders are not written */
    {"ikra-backprop", "adjust", 4676, 10},
    {"ikra-convolution", "rows", 4096, 1},
    {"ikra-convolution", "columns", 4096, 1},
    {"ikra-lavamd", "ikra-lavamd", 61, 10}, /* places of neighbours unread */
    {"ikra-nn", "ikra-nn", 2005, 1},
    {"ikra-pagerank-1", "renew", 131, 1},
    {"ikra-pagerank-1", "spread", 382, 25}, /* lists of mean length */
    {"ikra-pagerank-2", "renew", 690, 1},
    {"ikra-pagerank-2", "spread", 2607, 15},
};

static const struct kernel *first_of(const struct kernel_list *list,
                                     const char *part)
{
    for (size_t n = 0; n < list->count; n++)
        if (strcmp(kernel_part(list->kernel[n]), part) == 0)
            return list->kernel[n];
    ck_abort_msg("no kernel '%s'", part);
}

static double accessed_kb(const struct kernel *k, const struct layout *l)
{
    struct touched t = touched_new(l);
    struct walk_notes notes = {.touched = &t};
    for (uint64_t b = 0; b < k->blocks; b++)
        walk_block(k, b, MAX_STEPS, &notes);
    return (double)touched_free(&t) / 1024.0;
}

START_TEST(ikra_footprints)
{
    const struct accessed_row *row = &accessed_table[_i];
    struct kernel_list list;
    load(&list, row->name);
    struct layout l = layout_of(row->name);
    double kb = accessed_kb(first_of(&list, row->kernel), &l);
    ck_assert_double_eq_tol(kb, row->kb, row->kb * row->tolerance_pct / 100);
    kernel_list_free(&list);
}
END_TEST

/* 0.5 to 31.5 KB: half a KB a tile of 8 x 8 references and scores, besides the
 * row and column before it. */
START_TEST(ikra_nw_footprints)
{
    struct kernel_list list;
    load(&list, "ikra-nw");
    struct layout l = layout_of("ikra-nw");
    for (size_t n = 0; n < list.count; n += 31) {
        const struct kernel *k = list.kernel[n];
        double own = (double)k->blocks * 0.5, kb = accessed_kb(k, &l);
        ck_assert_double_ge(kb, own);
        ck_assert_double_le(kb, own + (double)k->blocks * 17 * 4 / 1024);
    }
    kernel_list_free(&list);
}
END_TEST

/* Size of the graph and what belongs to it, in KB; of sgemm's matrices. */
START_TEST(ikra_data_sizes)
{
    static const struct {
        const char *name;
        double kb;
    } data[] = {
        {"ikra-dijkstra-1", 633}, {"ikra-dijkstra-2", 4525},
        {"ikra-coloring-1", 699}, {"ikra-coloring-2", 4869},
        {"ikra-mis-1", 578},      {"ikra-mis-2", 3641},
        {"ikra-pagerank-1", 382}, {"ikra-pagerank-2", 2607},
        {"ikra-sgemm", 12284},
    };
    struct layout l = layout_of(data[_i].name);
    ck_assert_double_eq_tol((double)layout_bytes(&l) / 1024, data[_i].kb, 1.0);
}
END_TEST

/* ---- ikra Sec. 5.4.1 ---------------------------------------------------- */

#define L1S_BYTES (3 * 32 << 10) /* Table 2: three units, */
#define L2_BYTES  (256 << 10)    /* one L2 */

static const char *const micro[] = {"ikra-gpu-small", "ikra-gpu-medium",
                                    "ikra-gpu-large", "ikra-work-stealing"};

START_TEST(micro_sixteen_launches_of_one_kernel)
{
    struct kernel_list list;
    load(&list, micro[_i]);
    ck_assert_uint_eq(list.count, _i == 3 ? 8 * 16 : 16); /* 8 inputs */
    for (size_t n = 1; n < list.count; n++)
        ck_assert_uint_eq(list.kernel[n]->blocks, list.kernel[0]->blocks);
    kernel_list_free(&list);
}
END_TEST

START_TEST(micro_eight_load_add_stores_a_thread)
{
    struct kernel_list list;
    load(&list, micro[_i]);
    const struct kernel *k = list.kernel[0];
    for (uint64_t b = 0; b < k->blocks; b++) {
        struct block_walk w = walk_block(k, b, MAX_STEPS, NULL);
        ck_assert_uint_eq(w.loads, 8 * k->warps_per_block);
        ck_assert_uint_eq(w.stores, 8 * k->warps_per_block);
    }
    kernel_list_free(&list);
}
END_TEST

START_TEST(micro_sizes_fit_split_and_exceed)
{
    struct layout small = layout_of(micro[0]), medium = layout_of(micro[1]),
                  large = layout_of(micro[2]);
    ck_assert_uint_eq(layout_bytes(&small), L1S_BYTES);
    ck_assert_uint_gt(layout_bytes(&medium), L1S_BYTES);
    ck_assert_uint_lt(layout_bytes(&medium), L2_BYTES);
    ck_assert_uint_gt(layout_bytes(&large), L1S_BYTES + L2_BYTES);
}
END_TEST

/* "The input size is the same as GPU-large", which "only affects the number" of
 * blocks. */
START_TEST(work_stealing_is_as_large)
{
    struct kernel_list list, large;
    struct layout l = layout_of(micro[3]), m = layout_of(micro[2]);
    load(&list, micro[3]);
    load(&large, micro[2]);
    ck_assert_uint_eq(layout_bytes(&l), layout_bytes(&m));
    ck_assert_uint_eq(list.kernel[0]->blocks, large.kernel[0]->blocks);
    kernel_list_free(&list);
    kernel_list_free(&large);
}
END_TEST

START_TEST(work_stealing_has_one_to_64_a_block)
{
    struct kernel_list list;
    uint64_t least = UINT64_MAX, most = 0;
    load(&list, micro[3]);
    const struct kernel *k = list.kernel[0], *last = list.kernel[15];
    for (uint64_t b = 0; b < k->blocks; b++) {
        struct block_walk w = walk_block(k, b, MAX_STEPS, NULL);
        struct block_walk again = walk_block(last, b, MAX_STEPS, NULL);
        uint64_t n = w.loads / k->warps_per_block;
        ck_assert_uint_eq(w.loads, n * k->warps_per_block);
        ck_assert_uint_eq(w.loads, w.stores);
        ck_assert_uint_eq(again.loads, w.loads);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    ck_assert(least >= 1 && least <= 8);
    ck_assert(most >= 57 && most <= 64);
    kernel_list_free(&list);
}
END_TEST

/* ---- every workload ----------------------------------------------------- */

static const char *workload(size_t n)
{
    const size_t cawa = COUNT(cawa_table), kaws = COUNT(kaws_table);
    if (n < cawa)
        return cawa_table[n].name;
    if ((n -= cawa) < kaws)
        return kaws_table[n].name;
    if ((n -= kaws) < COUNT(ikra_table))
        return ikra_table[n].name;
    static const char *const rest[] = {"particlefilter", "tpacf"};
    n -= COUNT(ikra_table);
    return n < COUNT(micro) ? micro[n] : rest[n - COUNT(micro)];
}

#define WORKLOADS                                                              \
    (COUNT(cawa_table) + COUNT(kaws_table) + COUNT(ikra_table) +               \
     COUNT(micro) + 2)

static void check_registers(const struct kernel *k)
{
    for (uint32_t n = 0; n < k->inst_count; n++) {
        const struct inst *i = &k->inst[n];
        for (int r = 0; r < i->dst_count; r++)
            ck_assert(i->dst[r] >= REG_PREDICATE ||
                      i->dst[r] < k->regs_per_thread);
        for (int r = 0; r < i->src_count; r++)
            ck_assert(i->src[r] >= REG_PREDICATE ||
                      i->src[r] < k->regs_per_thread);
    }
}

/* First and last block of every launch, of the first and last eight where there
 * are more. */
START_TEST(warps_end_and_addresses_stay_in_the_buffers)
{
    struct kernel_list list;
    const char *name = workload((size_t)_i);
    load(&list, name);
    struct layout l = layout_of(name);
    struct walk_notes notes = {.layout = &l};
    for (size_t n = 0; n < list.count; n++) {
        const struct kernel *k = list.kernel[n];
        if (n >= 8 && n + 8 < list.count)
            continue;
        check_registers(k);
        walk_block(k, 0, MAX_STEPS, &notes);
        walk_block(k, k->blocks - 1, MAX_STEPS, &notes);
    }
    kernel_list_free(&list);
}
END_TEST

static TCase *cawa_cases(void)
{
    TCase *t = tcase_create("cawa");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, cawa_data_sets, 0, COUNT(cawa_table));
    tcase_add_loop_test(t, cawa_other_grids, 0, 3);
    tcase_add_test(t, cawa_particle_frames);
    tcase_add_test(t, bfs_is_imbalanced);
    tcase_add_test(t, balanced_bfs_differs_by_its_branches);
    tcase_add_test(t, srad_is_most_imbalanced);
    tcase_add_test(t, needle_has_no_warps_to_compare);
    tcase_add_loop_test(t, warps_split, 0, 9);
    tcase_add_test(t, kmeans_reuses_more_than_an_l1);
    return t;
}

static TCase *ikra_cases(void)
{
    TCase *t = tcase_create("ikra");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, ikra_table_is_met, 0, COUNT(ikra_table));
    tcase_add_loop_test(t, ikra_footprints, 0, COUNT(accessed_table));
    tcase_add_test(t, ikra_nw_footprints);
    tcase_add_loop_test(t, ikra_data_sizes, 0, 9);
    tcase_add_loop_test(t, micro_sixteen_launches_of_one_kernel, 0,
                        COUNT(micro));
    tcase_add_loop_test(t, micro_eight_load_add_stores_a_thread, 0, 3);
    tcase_add_test(t, micro_sizes_fit_split_and_exceed);
    tcase_add_test(t, work_stealing_is_as_large);
    tcase_add_test(t, work_stealing_has_one_to_64_a_block);
    return t;
}

int main(void)
{
    Suite *s = suite_create("bundled workloads");
    TCase *kaws = tcase_create("kaws"), *every = tcase_create("every workload");
    tcase_add_loop_test(kaws, kaws_table_is_met, 0, COUNT(kaws_table));
    tcase_set_timeout(every, 300);
    tcase_add_loop_test(every, warps_end_and_addresses_stay_in_the_buffers, 0,
                        WORKLOADS);
    suite_add_tcase(s, cawa_cases());
    suite_add_tcase(s, kaws);
    suite_add_tcase(s, ikra_cases());
    suite_add_tcase(s, every);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
