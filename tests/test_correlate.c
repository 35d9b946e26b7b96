/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the comparison with a reference simulator that need no
 * reference: reading its tables, statistics, series, the plot. */
#include "bench/correlate_csv.h"
#include "bench/correlate_launch.h"
#include "bench/correlate_points.h"
#include "bench/correlate_report.h"
#include "bench/correlate_stats.h"
#include "bench/correlate_table.h"
#include "bench/launches.h"
#include "cli/agreement.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define TOLERANCE 1e-9

/* ---- tables ------------------------------------------------------------- */

struct row {
    char name[8];
    int number;
    double real, share;
};

static const struct csv_field fields[] = {
    {"name", CSV_TEXT, offsetof(struct row, name), 8},
    {"number", CSV_INT, offsetof(struct row, number), 0},
    {"real", CSV_REAL, offsetof(struct row, real), 0},
    {"share", CSV_MAY_LACK, offsetof(struct row, share), 0},
};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    ck_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static bool load_text(struct row **rows, size_t *count, const char *text,
                      struct error *e)
{
    char path[] = "/tmp/test-correlate-XXXXXX";
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && close(fd) == 0);
    write_file(path, text);
    void *read = NULL;
    bool ok =
        csv_load(&read, count, sizeof(**rows), path, fields, COUNT(fields), e);
    *rows = read;
    unlink(path);
    return ok;
}

START_TEST(columns_are_found_by_name)
{
    struct row *row;
    size_t count;
    struct error e;
    ck_assert_msg(load_text(&row, &count,
                            "share,other,name,real,number\n"
                            "0.5,x,one,1.5,1\r\n"
                            ",,two,2e3,22\n",
                            &e),
                  "%s", e.text);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(row[0].name, "one");
    ck_assert_int_eq(row[0].number, 1);
    ck_assert_double_eq(row[0].real, 1.5);
    ck_assert_double_eq(row[0].share, 0.5);
    ck_assert_str_eq(row[1].name, "two");
    ck_assert_int_eq(row[1].number, 22);
    ck_assert_double_eq(row[1].real, 2000);
    ck_assert(isnan(row[1].share));
    free(row);
}
END_TEST

START_TEST(quoted_fields_hold_commas)
{
    struct row *row;
    size_t count;
    struct error e;
    ck_assert_msg(load_text(&row, &count,
                            "note,name,number,real,share\n"
                            "\"a, b\",\"c, d\",1,2,\"\"\n",
                            &e),
                  "%s", e.text);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(row[0].name, "c, d");
    ck_assert_int_eq(row[0].number, 1);
    ck_assert(isnan(row[0].share));
    free(row);
}
END_TEST

static const struct {
    const char *text, *said;
} bad_tables[] = {
    {"", ": no text to be read"},
    {"name,number,real,share\n", ": there are no rows"},
    {"name,number,real\na,1,1\n", ":1: found no column 'share', expected one"},
    {"name,number,real,share\na,1,1\n",
     ":2: fewer fields than the first line names"},
    {"name,number,real,share\na,1,1,1\nb,1.5,1,1\n",
     ":3: found '1.5' as number, expected a whole number"},
    {"name,number,real,share\na,1,0,1\n",
     ":2: found '0' as real, expected a positive number"},
    {"name,number,real,share\na,1,nan,1\n",
     ":2: found 'nan' as real, expected a positive number"},
    {"name,number,real,share\na,1,,1\n",
     ":2: found '' as real, expected a positive number"},
    {"name,number,real,share\na,1,1,x\n",
     ":2: found 'x' as share, expected a number or nothing"},
    {"name,number,real,share\nfartoolong,1,1,1\n",
     ":2: found 'fartoolong' as name, expected 1 to 7 letters"},
};

START_TEST(bad_tables_name_file_and_line)
{
    struct row *row;
    size_t count;
    struct error e;
    ck_assert(!load_text(&row, &count, bad_tables[_i].text, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, bad_tables[_i].said) != NULL, "%s", e.text);
}
END_TEST

START_TEST(missing_table)
{
    void *rows;
    size_t count;
    struct error e;
    ck_assert(!csv_load(&rows, &count, sizeof(struct row), "/nowhere/a.csv",
                        fields, COUNT(fields), &e));
    ck_assert(strstr(e.text, "/nowhere/a.csv") != NULL);
}
END_TEST

/* ---- points ------------------------------------------------------------- */

static const struct {
    const char *theirs, *ours;
} schedulers[] = {
    {"gto", "gto"},
    {"lrr", "lrr"},
    {"old", "old"},
    {"gty", "gty"},
    {"two_level_active:6:0:1", "tlrr:6:1"},
    {"two_level_active:16:1:0", "tlrr:16:1"},
    {"warp_limiting:2:8", "swl:8"},
};

START_TEST(schedulers_are_translated)
{
    char name[32];
    struct error e;
    ck_assert(
        reference_scheduler(name, sizeof(name), schedulers[_i].theirs, &e));
    ck_assert_str_eq(name, schedulers[_i].ours);
}
END_TEST

START_TEST(unknown_scheduler)
{
    char name[32];
    struct error e;
    ck_assert(!reference_scheduler(name, sizeof(name), "rrr", &e));
    ck_assert(strstr(e.text, "'rrr'") != NULL);
}
END_TEST

static const struct reference_point chosen = {.trace = "alu",
                                              .config = "SM6_TITANX",
                                              .scheduler = "warp_limiting:2:8",
                                              .grid = 240,
                                              .cta_limit = 32,
                                              .cta_per_core = 8};

static const struct {
    const char *only;
    bool taken;
} selections[] = {
    {NULL, true},
    {"", true},
    {"alu", true},
    {"al", false},
    {"alulong", false},
    {"alu,SM6_TITANX,warp_limiting,lim32,g240", true},
    {"alu,lim8", false},
    {"g24", false},
    {"warp_limiting:2:8", false},
};

START_TEST(points_are_selected_by_all_words)
{
    ck_assert(reference_selects(&chosen, selections[_i].only) ==
              selections[_i].taken);
}
END_TEST

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(reference_is_loaded)
{
    char folder[] = "/tmp/test-correlate-XXXXXX", path[64];
    struct reference r;
    struct error e;
    ck_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/accelsim.csv", folder);
    write_file(path,
               "trace,grid,arch,config,scheduler,cta_limit,cta_per_core,cycles,"
               "warp_insts,l1_miss,l2_miss,dram_util,warp_insts_per_s\n"
               "alu,240,35,SM2_GTX480,gto,8,5,1000,10,,1,0.5,100\n"
               "alu,240,70,SM7_QV100,gto,8,5,1000,10,,1,0.125,100\n");
    ck_assert_msg(reference_load(&r, folder, NULL, &e), "%s", e.text);
    ck_assert_uint_eq(r.count, 2);
    ck_assert_int_eq(reference_blocks(&r.point[0]), 5);
    ck_assert(isnan(r.point[0].l1_miss));
    ck_assert_double_eq(r.point[0].dram_util, 0.5);
    /* An eighth of 1000 cycles and 5000 of the launch. */
    ck_assert_double_eq(r.point[1].dram_util, 0.75);
    reference_free(&r);
    unlink(path);
    rmdir(folder);
}
END_TEST

/* ---- measured launches -------------------------------------------------- */

static void write_in(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    write_file(path, text);
}

START_TEST(launch_is_prepared)
{
    char folder[] = "/tmp/test-launch-XXXXXX", table[64], file[256];
    int32_t north[3] = {-1, -1, -1};
    struct measured_launch *l;
    struct prepared_launch p;
    size_t count;
    struct error e;
    ck_assert(mkdtemp(folder) != NULL);
    write_in(folder, "a.ptx", ".visible .entry _Z3oneP(.param .u64 p)\n{}\n");
    write_in(folder, "b.ptx", ".visible .entry _Z3twoPi(\n.param .u64 p)\n{}");
    write_in(folder, "t.csv",
             "kernel,entry_prefix,program,grid,block,args,cycles,"
             "dram_read_sectors,dram_write_sectors,l2_read_hit,l2_read_miss,"
             "l2_write_hit\n"
             "two,_Z3two,\"a, b\",8x66,16x8,5 buf:3:s32:file:iN,9,1,2,3,4,5\n"
             "none,_Z4none,c,1,32,,9,1,2,3,4,5\n");
    snprintf(table, sizeof(table), "%s/t.csv", folder);
    ck_assert_msg(launches_load(&l, &count, table, &e), "%s", e.text);
    ck_assert_uint_eq(count, 2);
    ck_assert_double_eq(l[0].l2_read_miss, 4);
    ck_assert_msg(launch_prepare(&p, &l[0], folder, folder, &e), "%s", e.text);
    ck_assert_str_eq(p.entry, "_Z3twoPi");
    ck_assert(strstr(p.file, "/b.ptx") != NULL);
    ck_assert_uint_eq(p.options.launch.grid.x, 8);
    ck_assert_uint_eq(p.options.launch.grid.y, 66);
    ck_assert_uint_eq(p.options.launch.block.z, 1);
    ck_assert_uint_eq(p.options.ptx.args, 2);
    ck_assert_str_eq(p.args[0], "5");
    snprintf(file, sizeof(file), "%s/iN", folder);
    ck_assert(strstr(p.args[1], file) != NULL);
    FILE *f = fopen(file, "rb");
    ck_assert(f != NULL && fread(north, sizeof(north), 1, f) == 1);
    fclose(f);
    ck_assert(north[0] == 0 && north[1] == 0 && north[2] == 1);
    ck_assert(!launch_prepare(&p, &l[1], folder, folder, &e));
    ck_assert(strstr(e.text, "_Z4none") != NULL);
    free(l);
    remove_folder(folder);
}
END_TEST

/* ---- statistics --------------------------------------------------------- */

START_TEST(errors_by_hand)
{
    const double ours[] = {110, 160, 300, 402}, theirs[] = {100, 200, 300, 400};
    struct agreement a;
    ck_assert(agreement_of(&a, ours, theirs, 4));
    ck_assert_double_eq_tol(a.mean_abs_pct, (10 + 20 + 0 + 0.5) / 4, TOLERANCE);
    ck_assert_double_eq_tol(a.median_abs_pct, (0.5 + 10) / 2, TOLERANCE);
    ck_assert_double_eq_tol(a.bias_pct, (10 - 20 + 0 + 0.5) / 4, TOLERANCE);
    ck_assert_double_eq_tol(a.worst_pct, -20, TOLERANCE);
    ck_assert_uint_eq(a.worst, 1);
    ck_assert_double_eq_tol(a.spearman, 1, TOLERANCE);
    ck_assert(a.pearson > 0.9 && a.pearson < 1);
}
END_TEST

START_TEST(correlation_of_lines)
{
    const double up[] = {1, 2, 3, 4}, down[] = {4, 3, 2, 1};
    const double cube[] = {1, 8, 27, 64}, flat[] = {5, 5, 5, 5};
    struct agreement a;
    ck_assert(agreement_of(&a, down, up, 4));
    ck_assert_double_eq_tol(a.pearson, -1, TOLERANCE);
    ck_assert_double_eq_tol(a.spearman, -1, TOLERANCE);
    ck_assert(agreement_of(&a, cube, up, 4));
    ck_assert_double_eq_tol(a.spearman, 1, TOLERANCE);
    ck_assert(a.pearson < 0.99);
    ck_assert(agreement_of(&a, flat, up, 4));
    ck_assert(isnan(a.pearson));
    ck_assert(agreement_of(&a, up, up, 2));
    ck_assert(isnan(a.pearson));
}
END_TEST

START_TEST(differences_by_hand)
{
    struct differences d = {0};
    ck_assert(isnan(differences_mean_error(&d)));
    differences_add(&d, 1, 5);    /* apart, sign right */
    differences_add(&d, 1, -3);   /* apart, wrong */
    differences_add(&d, 0, 10);   /* apart, no sign at all: wrong */
    differences_add(&d, -2, 1.5); /* not apart */
    differences_add(&d, -9, -3);  /* apart, right */
    ck_assert_uint_eq(d.count, 5);
    ck_assert_uint_eq(d.apart, 4);
    ck_assert_uint_eq(d.right, 2);
    ck_assert_double_eq_tol(differences_mean_error(&d),
                            (4 + 4 + 10 + 3.5 + 6) / 5, TOLERANCE);
    ck_assert_double_eq_tol(d.worst_error, -10, TOLERANCE);
}
END_TEST

START_TEST(spread_of_values)
{
    double v[] = {3, 1, 10, 2};
    struct spread s = spread_of(v, 4);
    ck_assert_double_eq(s.min, 1);
    ck_assert_double_eq(s.max, 10);
    ck_assert_double_eq(s.median, 2.5);
    ck_assert(isnan(spread_of(v, 0).median));
}
END_TEST

/* ---- launches ----------------------------------------------------------- */

/* Cycles made by the formula are what the fit gives back. */
START_TEST(launch_is_recovered)
{
    const struct launch_fit made = {
        .fixed = 4000.0, .period = 1.25, .slot = 300, .slot_warp = 3};
    struct empty_run run[40];
    struct launch_fit found;
    struct error e;
    for (int i = 0; i < 40; i++) {
        run[i] = (struct empty_run){.blocks = 1000.0 * (1 << i % 5),
                                    .warps = 2 * (i / 5) + 2,
                                    .resident = 100.0 * (i < 20 ? 8 : 2)};
        run[i].cycles = launch_cycles(&made, &run[i]);
    }
    /* Both sides of the formula's maximum: 1.25 cycles a block, and
     * (300 + 3 x 16) / 200. */
    ck_assert_double_eq_tol(run[4].cycles, 4000 + 1.25 * 16000, TOLERANCE);
    ck_assert_double_eq_tol(run[39].cycles, 4000 + 1.74 * 16000, TOLERANCE);
    ck_assert_msg(launch_fit(&found, run, 40, &e), "%s", e.text);
    ck_assert_double_eq_tol(found.fixed, made.fixed, 1e-3);
    ck_assert_double_eq_tol(found.period, made.period, 1e-6);
    ck_assert_double_eq_tol(found.slot, made.slot, 1e-3);
    ck_assert_double_eq_tol(found.slot_warp, made.slot_warp, 1e-4);
    ck_assert_double_eq_tol(found.worst_pct, 0, 1e-4);
    ck_assert(!launch_fit(&found, run, 3, &e));
}
END_TEST

/* ---- series ------------------------------------------------------------- */

#define POINT(s, limit, fit, their_cycles, our_cycles)                         \
    {                                                                          \
        {.trace = "t",                                                         \
         .config = "c",                                                        \
         .scheduler = s,                                                       \
         .grid = 1,                                                            \
         .cta_limit = limit,                                                   \
         .cta_per_core = fit,                                                  \
         .cycles = their_cycles},                                              \
        {                                                                      \
            .cycles = our_cycles                                               \
        }                                                                      \
    }

static struct compared series_rows[] = {
    POINT("gto", 8, 6, 100, 200), /* first of the schedulers; 6 blocks */
    POINT("lrr", 8, 6, 110, 190), /* +10 / -5 %: the sign is wrong */
    POINT("gto", 2, 2, 300, 500),
    POINT("gto", 1, 1, 500, 1000), /* first of the blocks */
    POINT("gto", 6, 6, 100, 200),  /* repeats six blocks */
    POINT("lrr", 4, 4, 150, 300),  /* of lrr's block series: its first */
};

static bool take_all(const struct compared *row, const void *what)
{
    (void)row, (void)what;
    return true;
}

START_TEST(series_have_a_first_member)
{
    static const size_t schedulers_first[] = {0, 0, 2, 3, 4, 5};
    static const size_t blocks_first[] = {3, 5, 3, 3, 4, 5};
    struct table t = {series_rows, COUNT(series_rows)};
    for (size_t i = 0; i < t.count; i++) {
        ck_assert_uint_eq(table_first(&t, i, SERIES_SCHEDULERS),
                          schedulers_first[i]);
        ck_assert_uint_eq(table_first(&t, i, SERIES_BLOCKS), blocks_first[i]);
    }
}
END_TEST

START_TEST(series_are_compared)
{
    struct table t = {series_rows, COUNT(series_rows)};
    struct differences s =
        table_differences(&t, SERIES_SCHEDULERS, take_all, NULL);
    ck_assert_uint_eq(s.count, 1);
    ck_assert_uint_eq(s.apart, 1);
    ck_assert_uint_eq(s.right, 0);
    ck_assert_double_eq_tol(s.worst_error, -15, TOLERANCE);
    /* Six blocks -80/-80 %, two -50/-40 %, lrr's six to its four. */
    struct differences b = table_differences(&t, SERIES_BLOCKS, take_all, NULL);
    ck_assert_uint_eq(b.count, 3);
    ck_assert_uint_eq(b.right, 3);
    ck_assert_double_eq_tol(b.worst_error, -10, TOLERANCE);
}
END_TEST

START_TEST(agreement_of_a_table)
{
    struct table t = {series_rows, COUNT(series_rows)};
    struct agreement a;
    ck_assert(table_agreement(&a, &t, take_all, NULL));
    ck_assert_uint_eq(a.count, 6);
    ck_assert_double_eq_tol(a.worst_pct, 100, TOLERANCE);
}
END_TEST

/* ---- the plot ----------------------------------------------------------- */

/* A dot for each point, a colour and a name for each configuration. */
START_TEST(plot_shows_every_point)
{
    struct table t = {series_rows, COUNT(series_rows)};
    char *text;
    size_t size, dots = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(f != NULL && report_plot(f, &t) && fclose(f) == 0);
    for (char *c = text; (c = strstr(c, "r='3'")) != NULL; c++)
        dots++;
    ck_assert_uint_eq(dots, COUNT(series_rows));
    ck_assert(strstr(text, "25 %") != NULL);
    free(text);
}
END_TEST

/* ---- microbenchmarks ---------------------------------------------------- */

#define MEASURED "g,9.0,100,1,1,1000.0,1500.0,"

/* The rules that stand in bench/hardware/README.md, by hand: distances less
 * one, intervals times four schedulers, load-to-use less the way. */
START_TEST(measurements_become_keys)
{
    static const char *const wanted[] = {"sms = 100;",
                                         "clock.core_mhz = 1000.0;",
                                         "latency.sp = 3;",
                                         "interval.sfu = 8;",
                                         "shared.latency = 27;",
                                         "l1.latency = 38;",
                                         "l2.latency = 250;",
                                         "dram.latency = 150;",
                                         "launch.kernel_cycles = 3800;",
                                         "launch.block_cycles = 200;"};
    char csv[] = "/tmp/test-correlate-XXXXXX", command[128];
    char line[256], said[4096] = "";
    int fd = mkstemp(csv);
    ck_assert(fd >= 0 && close(fd) == 0);
    write_file(csv, "device,compute,sms,driver,runtime,sm_mhz,memory_mhz,"
                    "suite,name,warps,size,value,unit\n" MEASURED
                    "chain,sp,1,0,4.02,c\n" MEASURED
                    "interval,sfu,32,0,2.01,c\n" MEASURED
                    "shared_latency,conflict_ways,1,1,29,c\n" MEASURED
                    "shared_latency,conflict_ways,1,2,31,c\n" MEASURED
                    "latency,load_ca,1,8192,40.3,c\n" MEASURED
                    "latency,load_cg,1,1048576,262,c\n" MEASURED
                    "latency,load_cg,1,2097152,300,c\n" MEASURED
                    "latency,load_cg,1,4194304,461,c\n" MEASURED
                    "launch,block_slot,1,0,200,c\n" MEASURED
                    "launch,back_to_back,1,1000,4000,ns\n");
    snprintf(command, sizeof(command),
             "awk -v l2_kb=8192 -f bench/hardware/keys.awk %s", csv);
    FILE *f = popen(command, "r");
    ck_assert(f != NULL);
    while (fgets(line, sizeof(line), f) != NULL) {
        char key[64], value[64];
        if (sscanf(line, "%63s = %63s", key, value) == 2)
            snprintf(said + strlen(said), sizeof(said) - strlen(said),
                     "%s = %s\n", key, value);
    }
    ck_assert_int_eq(pclose(f), 0);
    for (size_t i = 0; i < COUNT(wanted); i++)
        ck_assert_msg(strstr(said, wanted[i]) != NULL, "%s in %s", wanted[i],
                      said);
    unlink(csv);
}
END_TEST

static Suite *correlate_suite(void)
{
    Suite *s = suite_create("correlate");
    TCase *t = tcase_create("tables");
    tcase_add_test(t, columns_are_found_by_name);
    tcase_add_loop_test(t, bad_tables_name_file_and_line, 0,
                        (int)COUNT(bad_tables));
    tcase_add_test(t, quoted_fields_hold_commas);
    tcase_add_test(t, missing_table);
    suite_add_tcase(s, t);
    t = tcase_create("points");
    tcase_add_loop_test(t, schedulers_are_translated, 0,
                        (int)COUNT(schedulers));
    tcase_add_test(t, unknown_scheduler);
    tcase_add_loop_test(t, points_are_selected_by_all_words, 0,
                        (int)COUNT(selections));
    tcase_add_test(t, reference_is_loaded);
    tcase_add_test(t, launch_is_prepared);
    suite_add_tcase(s, t);
    t = tcase_create("statistics");
    tcase_add_test(t, errors_by_hand);
    tcase_add_test(t, correlation_of_lines);
    tcase_add_test(t, differences_by_hand);
    tcase_add_test(t, spread_of_values);
    tcase_add_test(t, launch_is_recovered);
    tcase_add_test(t, series_have_a_first_member);
    tcase_add_test(t, series_are_compared);
    tcase_add_test(t, agreement_of_a_table);
    suite_add_tcase(s, t);
    t = tcase_create("microbenchmarks");
    tcase_add_test(t, measurements_become_keys);
    suite_add_tcase(s, t);
    t = tcase_create("plot");
    tcase_add_test(t, plot_shows_every_point);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    SRunner *r = srunner_create(correlate_suite());
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
