/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bundled kernels against the two papers that name them: paws Table II and
 * Sec. V, perfsat Table II. And what every kernel file owes its
 * readers: warps end, addresses stay in the buffers. */
#include "base/bundled.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "paper_repro/tables.h"
#include "tests/gpu_named.h"
#include "tests/workload_walk.h"

#include <check.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a)     (sizeof(a) / sizeof((a)[0]))
#define MAX_STEPS    100000
#define SMS          16  /* of an M2090 (paws Table I) */
#define BLOCKS_AN_SM 400 /* at least, where a paper gives no grid */

static struct kernel *load(struct kernel_list *list, const char *name)
{
    struct load_options options = load_options_default();
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(kernel_load(list, name, &options, &e), "%s", e.text);
    ck_assert_uint_eq(list->count, 1);
    return list->kernel[0];
}

static uint32_t longest(const struct kernel *k)
{
    uint32_t length = 0;
    for (uint32_t p = 0; p < k->phase_count; p++)
        if (k->phase[p].length > length)
            length = k->phase[p].length;
    return length;
}

static uint32_t shortest(const struct kernel *k)
{
    uint32_t length = UINT32_MAX;
    for (uint32_t p = 0; p < k->phase_count; p++)
        if (k->phase[p].length < length)
            length = k->phase[p].length;
    return length;
}

/* ---- paws --------------------------------------------------------------- */

static struct paws_row measured(const struct kernel *k, const struct gpu *g)
{
    return (struct paws_row){.kernel = k->name,
                             .total_blocks = k->blocks,
                             .threads = k->threads_per_block,
                             .blocks_per_core = occupancy_blocks(g, k, NULL),
                             .phases = k->phase_count,
                             .longest = longest(k),
                             .shortest = shortest(k)};
}

static void print_row(const char *whose, const struct paws_row *r)
{
    printf("%-10s %-6s %3u phases %5u longest %3u shortest\n", r->kernel, whose,
           r->phases, r->longest, r->shortest);
}

/* What a launch is, is a fact of the table. Phases and their lengths come out
 * of what the kernels do, so they are printed beside the table's and judged
 * with the paper's other claims. */
START_TEST(launches_are_those_of_paws)
{
    struct gpu g = gpu_named("m2090");
    const struct paws_row *paper = &paws_table2[_i];
    struct kernel_list list;
    struct paws_row row = measured(load(&list, paper->kernel), &g);
    print_row("paper", paper);
    print_row("here", &row);
    fflush(stdout);
    ck_assert_str_eq(row.kernel, paper->kernel);
    ck_assert_uint_eq(row.total_blocks, paper->total_blocks);
    ck_assert_uint_eq(row.threads, paper->threads);
    ck_assert_int_eq(row.blocks_per_core, paper->blocks_per_core);
    kernel_list_free(&list);
}
END_TEST

START_TEST(paws_names_are_the_table_in_its_order)
{
    size_t count;
    const char *const *names = kernel_default_names(&count);
    ck_assert_uint_eq(count, paws_table2_rows);
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(names[i], paws_table2[i].kernel);
}
END_TEST

/* Warp instructions of a block that load and store global memory, counted by
 * hand in the programs' sources: (trips of each loop) x (warps that take it).
 * Textures and shared memory do not count. */
#define BY_THE_DATA UINT64_MAX
static const struct block_accesses {
    const char *kernel;
    uint64_t block, loads, stores;
} program_accesses[] = {
    /* a word of either band and of the own tile; this one back */
    {"lud", 7, 3 * 8, 8},
    /* inputs by the threads of column 0, which are in every warp; weights;
     * partial sums by the same threads */
    {"bp-k1", 7, 2 * 8, 2 * 8},
    /* delta, ly, oldw, w; without w again; in the first block one row more */
    {"bp-k2", 7, (4 + 3) * 8, 2 * 8},
    {"bp-k2", 0, (4 + 3) * 8 + 3 + 2, 2 * 8 + 2},
    /* two levels: the child by one thread, the copy by thread 0; the answer */
    {"bt-k1", 7, BY_THE_DATA, 2 * (1 + 1) + 1},
    /* likewise for both ends of the range */
    {"bt-k2", 7, BY_THE_DATA, 2 * 2 * (1 + 1) + 2},
    /* five sums */
    {"cfd", 7, BY_THE_DATA, 5 * 6},
    /* a point a thread; the last 41 blocks have none */
    {"kmeans", 0, 0, 8},
    {"kmeans", 840, 0, 0},
    /* five loads and stores; the image's corners load twice again */
    {"srad", 129, 5 * 8, 5 * 8},
    {"srad", 0, 7 * 8, 5 * 8},
    {"srad", 16383, 7 * 8, 5 * 8},
    /* details of 512, 256, .. 1 threads, then thread 0 */
    {"dwt", 7, 2 * 16, 16 + 8 + 4 + 2 + 6 * 1 + 1},
    /* a warp of pixels; 992 assignments; the best */
    {"dxtc", 7, 1 + 992 / 32, 1},
    /* 2048 elements, 512 threads */
    {"fwt", 7, 4 * 16, 4 * 16},
    /* 2^24 words by 49152 threads: 341 each and 16384 once more, which are 85
     * blocks and two warps; 256 bins by 192 threads */
    {"histogram", 0, 342 * 6, 6 + 2},
    {"histogram", 85, 341 * 6 + 2, 6 + 2},
    {"histogram", 255, 341 * 6, 6 + 2},
    /* 262144 paths by 256 threads; two sums */
    {"montecarlo", 7, 1024 * 8, 2},
};

START_TEST(accesses_are_those_of_the_programs)
{
    const struct block_accesses *row = &program_accesses[_i];
    struct kernel_list list;
    struct block_walk w =
        walk_block(load(&list, row->kernel), row->block, MAX_STEPS, NULL);
    if (row->loads != BY_THE_DATA)
        ck_assert_uint_eq(w.loads, row->loads);
    ck_assert_uint_eq(w.stores, row->stores);
    kernel_list_free(&list);
}
END_TEST

/* ---- perfsat ------------------------------------------------------------ */

START_TEST(perfsat_table_is_met)
{
    const struct perfsat_row *row = &perfsat_table2[_i];
    struct gpu m2090 = gpu_named("m2090"), k20x = gpu_named("k20x");
    struct kernel_list list;
    struct kernel *k = load(&list, row->kernel);
    ck_assert_uint_eq(k->threads_per_block, row->threads);
    ck_assert_uint_eq(k->regs_per_thread * 4 * row->threads,
                      row->register_bytes);
    ck_assert_int_eq(occupancy_blocks(&m2090, k, NULL), row->on[FERMI].max);
    ck_assert_int_eq(occupancy_blocks(&k20x, k, NULL), row->on[KEPLER].max);
    kernel_list_free(&list);
}
END_TEST

/* Sec. V-D: every maximum is set by thread slots (or block slots, for the
 * 16-thread blocks of Gaussian) or registers, none by shared memory. */
START_TEST(shared_memory_limits_no_perfsat_kernel)
{
    struct gpu m2090 = gpu_named("m2090");
    enum occupancy_limit limit;
    struct kernel_list list;
    struct kernel *k = load(&list, perfsat_table2[_i].kernel);
    occupancy_blocks(&m2090, k, &limit);
    ck_assert_int_ne((int)limit, LIMIT_SHARED);
    kernel_list_free(&list);
}
END_TEST

/* ---- every kernel of the two tables ------------------------------------- */

/* Kernel i of the two tables, one behind the other. */
static const char *table_name(int i)
{
    size_t n = (size_t)i;
    return n < paws_table2_rows ? paws_table2[n].kernel
                                : perfsat_table2[n - paws_table2_rows].kernel;
}

static bool in_paws_table(const char *name)
{
    for (size_t i = 0; i < paws_table2_rows; i++)
        if (strcmp(name, paws_table2[i].kernel) == 0)
            return true;
    return false;
}

START_TEST(kernel_has_its_own_name)
{
    const char *name = table_name(_i);
    struct kernel_list list;
    struct kernel *k = load(&list, name);
    ck_assert_str_eq(k->name, name);
    ck_assert(k->summary[0] != '\0');
    if (!in_paws_table(name))
        ck_assert_uint_ge(k->blocks, SMS * BLOCKS_AN_SM);
    kernel_list_free(&list);
}
END_TEST

START_TEST(names_are_distinct)
{
    size_t count;
    const char *const *names = kernel_bundled_names(&count);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            ck_assert_str_ne(names[a], names[b]);
}
END_TEST

/* The program names no register beyond those the launch asks for. */
START_TEST(registers_are_within_the_launch)
{
    struct kernel_list list;
    struct kernel *k = load(&list, table_name(_i));
    for (uint32_t n = 0; n < k->inst_count; n++) {
        const struct inst *i = &k->inst[n];
        for (int r = 0; r < i->dst_count; r++)
            ck_assert(i->dst[r] >= REG_PREDICATE ||
                      i->dst[r] < k->regs_per_thread);
        for (int r = 0; r < i->src_count; r++)
            ck_assert(i->src[r] >= REG_PREDICATE ||
                      i->src[r] < k->regs_per_thread);
    }
    kernel_list_free(&list);
}
END_TEST

/* First, second, some in the middle, last: borders and insides of grids. */
START_TEST(warps_end_and_addresses_stay_in_the_buffers)
{
    struct kernel_list list;
    struct kernel *k = load(&list, table_name(_i));
    struct layout l = layout_of(k->name);
    const uint64_t blocks[] = {0,
                               1,
                               k->blocks / 3,
                               k->blocks / 2,
                               k->blocks * 4 / 5,
                               k->blocks - 2,
                               k->blocks - 1};
    struct walk_notes notes = {.layout = &l};
    for (size_t b = 0; b < COUNT(blocks); b++)
        walk_block(k, blocks[b], MAX_STEPS, &notes);
    kernel_list_free(&list);
}
END_TEST

static TCase *paws_cases(void)
{
    TCase *t = tcase_create("paws");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, launches_are_those_of_paws, 0,
                        (int)paws_table2_rows);
    tcase_add_test(t, paws_names_are_the_table_in_its_order);
    tcase_add_loop_test(t, accesses_are_those_of_the_programs, 0,
                        (int)COUNT(program_accesses));
    return t;
}

static TCase *perfsat_cases(void)
{
    const int rows = (int)perfsat_table2_rows;
    TCase *t = tcase_create("perfsat");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, perfsat_table_is_met, 0, rows);
    tcase_add_loop_test(t, shared_memory_limits_no_perfsat_kernel, 0, rows);
    return t;
}

static TCase *every_case(void)
{
    const int kernels = (int)(paws_table2_rows + perfsat_table2_rows);
    TCase *t = tcase_create("every kernel");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, names_are_distinct);
    tcase_add_loop_test(t, kernel_has_its_own_name, 0, kernels);
    tcase_add_loop_test(t, registers_are_within_the_launch, 0, kernels);
    tcase_add_loop_test(t, warps_end_and_addresses_stay_in_the_buffers, 0,
                        kernels);
    return t;
}

int main(void)
{
    Suite *s = suite_create("bundled kernels");
    suite_add_tcase(s, paws_cases());
    suite_add_tcase(s, perfsat_cases());
    suite_add_tcase(s, every_case());
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
