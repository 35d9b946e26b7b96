/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPU descriptions of GPGPU-Sim and Accel-Sim: gpgpusim.config and, beside it,
 * trace.config, whose latencies replace those for PTX.
 *
 * What the description of a GPU cannot say, or says otherwise:
 * - Full collectors hand their instructions on in turn there, here the oldest
 *   goes first.
 * - With -gpgpu_shmem_option the L1 is, kernel by kernel, what shared memory
 *   leaves of -gpgpu_unified_l1d_size. Here it is the whole of that size.
 * - Registers are allocated in units of four a thread, warps one by one
 *   (shader_core_config::max_cta). */
#include "configs/gpgpusim/gpgpusim.h"
#include "configs/gpu_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS    8 /* numbers in a -ptx_opcode_* option */
#define SPECIAL_UNITS 8

/* ---- options that are one key ------------------------------------------- */

/* `fallback` is the simulator's own default (gpu-sim.cc, shader_core_config::
 * reg_options and memory_config::reg_options). */
static const struct {
    const char *option, *key;
    double fallback;
} plain[] = {
    {"gpgpu_shader_cta", "sm.max_blocks", 8},
    {"gpgpu_shader_registers", "sm.registers", 8192},
    {"gpgpu_shmem_size", "sm.shared_bytes", 16384},
    {"gpgpu_num_sched_per_core", "sm.schedulers", 1},
    {"gpgpu_max_insn_issue_per_warp", "sm.issue_width", 2},
    {"gpgpu_dual_issue_diff_exec_units", "sm.dual_distinct", 1},
    {"gpgpu_sub_core_model", "sm.sub_core", 0},
    {"gpgpu_kernel_launch_latency", "launch.kernel_cycles", 0},
    {"gpgpu_inst_fetch_throughput", "fetch.warps_per_cycle", 1},
    {"gpgpu_perfect_inst_const_cache", "icache.perfect", 0},
    {"gpgpu_num_reg_banks", "collector.banks", 8},
    {"gpgpu_reg_file_port_throughput", "collector.ports", 1},
    {"gpgpu_num_sp_units", "unit.sp", 1},
    {"gpgpu_num_int_units", "unit.int", 0},
    {"gpgpu_num_sfu_units", "unit.sfu", 1},
    {"gpgpu_num_dp_units", "unit.dp", 0},
    {"gpgpu_num_tensor_core_units", "unit.tensor", 0},
    {"gpgpu_smem_latency", "shared.latency", 3},
    {"gpgpu_shmem_num_banks", "shared.banks", 16},
    {"gpgpu_l1_latency", "l1.latency", 1},
    {"icnt_flit_size", "icnt.flit_bytes", 32},
    {"gpgpu_l2_rop_latency", "l2.latency", 85},
    {"dram_latency", "dram.latency", 80},
    {"gpgpu_frfcfs_dram_sched_queue_size", "dram.queue", 64},
};

static bool import_plain(struct import *im, struct error *e)
{
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        double value;
        const struct sim_option *o =
            sim_options_find(&im->options, plain[i].option);
        if (!import_number(im, plain[i].option, plain[i].fallback, &value, e) ||
            !import_set(im, o, plain[i].key, value, e))
            return false;
    }
    return true;
}

/* ---- the whole and its clocks ------------------------------------------- */

/* Code lies at 0xF0000000 (PROGRAM_MEM_START, abstract_hardware_model.h). */
#define CODE_MB 3840

/* Branches are resolved there as they issue, and with traces fetched past. A
 * core cycle fetches after it issues; what it fetched is decoded by the next
 * fetch of the cycle or, the last, at the end of the next cycle. */
static bool import_front(struct import *im, struct error *e)
{
    return import_set(im, NULL, "fetch.latency", 1, e) &&
           import_set(im, NULL, "fetch.late_last", 1, e) &&
           import_set(im, NULL, "fetch.no_end", 1, e) &&
           import_set(im, NULL, "fetch.branch_latency", 0, e) &&
           import_set(im, NULL, "fetch.when_empty", 1, e) &&
           import_set(im, NULL, "fetch.past_branches", 1, e) &&
           import_set(im, NULL, "icache.from_l2", 1, e) &&
           import_set(im, NULL, "icache.base_mb", CODE_MB, e);
}

/* Of a pair or vector of registers a trace lists the first, and there the
 * others are not known of (trace_warp_inst_t::parse_from_trace_struct). */
static bool import_size(struct import *im, struct error *e)
{
    double per_cluster, major, minor, threads[2];
    const struct sim_option *clusters =
        import_required(im, "gpgpu_n_clusters", e);
    const struct sim_option *pipeline =
        import_required(im, "gpgpu_shader_core_pipeline", e);
    double count;
    if (clusters == NULL || pipeline == NULL ||
        !sim_option_numbers(clusters, ',', 1, 1, &count, NULL, e) ||
        !import_number(im, "gpgpu_n_cores_per_cluster", 3, &per_cluster, e) ||
        !import_set(im, clusters, "sms", count * per_cluster, e) ||
        !sim_option_numbers(pipeline, ':', 2, 2, threads, NULL, e))
        return false;
    if (threads[1] != 32)
        return sim_option_error(pipeline, "warps of 32 threads", e);
    return import_set(im, pipeline, "sm.max_threads", threads[0], e) &&
           import_set(im, pipeline, "sm.max_warps", ceil(threads[0] / 32), e) &&
           import_set(im, NULL, "sm.register_unit", 4 * 32, e) &&
           import_set(im, NULL, "sm.warp_granularity", 1, e) &&
           import_set(im, NULL, "sm.wide_operands", 0, e) &&
           import_front(im, e) &&
           import_number(im, "gpgpu_compute_capability_major", 7, &major, e) &&
           import_number(im, "gpgpu_compute_capability_minor", 0, &minor, e) &&
           import_set(im, NULL, "arch", 10 * major + minor, e) &&
           import_set(im, NULL, "fetch.inst_bytes", major >= 7 ? 16 : 8, e);
}

static bool import_clocks(struct import *im, struct error *e)
{
    static const char *const keys[] = {"clock.core_mhz", "clock.icnt_mhz",
                                       "clock.l2_mhz", "clock.dram_mhz"};
    double mhz[4];
    const struct sim_option *o = import_required(im, "gpgpu_clock_domains", e);
    if (o == NULL || !sim_option_numbers(o, ':', 4, 4, mhz, NULL, e))
        return false;
    for (int i = 0; i < 4; i++)
        if (!import_set(im, o, keys[i], mhz[i], e))
            return false;
    return true;
}

/* ---- collectors --------------------------------------------------------- */

static bool import_collectors(struct import *im, struct error *e)
{
    static const struct {
        const char *option, *key;
        double fallback;
    } by_class[] = {
        {"gpgpu_operand_collector_num_units_sp", "collector.sp", 4},
        {"gpgpu_operand_collector_num_units_sfu", "collector.sfu", 4},
        {"gpgpu_operand_collector_num_units_dp", "collector.dp", 0},
        {"gpgpu_operand_collector_num_units_tensor_core", "collector.tensor",
         4},
        {"gpgpu_operand_collector_num_units_mem", "collector.mem", 2},
    };
    const char *all = "gpgpu_operand_collector_num_units_gen";
    double specialised, count;
    if (!import_number(im, "gpgpu_enable_specialized_operand_collector", 1,
                       &specialised, e) ||
        !import_number(im, all, 0, &count, e) ||
        !import_set(im, sim_options_find(&im->options, all),
                    "collector.generic", specialised != 0 ? 0 : count, e))
        return false;
    for (size_t i = 0; i < sizeof(by_class) / sizeof(by_class[0]); i++) {
        const char *option = by_class[i].option;
        if (!import_number(im, option, by_class[i].fallback, &count, e) ||
            !import_set(im, sim_options_find(&im->options, option),
                        by_class[i].key, specialised != 0 ? count : 0, e))
            return false;
    }
    return true;
}

/* ---- latencies ---------------------------------------------------------- */

/* Where a class's number stands in the -ptx_opcode_latency_* and _initiation_*
 * options (operations ADD, MAX, MUL, MAD, DIV, SHFL); two of them are spelled
 * as the simulator spells them. */
static const struct {
    const char *latency_option, *initiation_option;
    int operation;
    const char *latency_key, *interval_key;
} ptx_timing[] = {
    {"ptx_opcode_latency_int", "ptx_opcode_initiation_int", 0, "latency.int",
     "interval.int"},
    {"ptx_opcode_latency_int", "ptx_opcode_initiation_int", 3, "latency.imul",
     "interval.imul"},
    {"ptx_opcode_latency_int", "ptx_opcode_initiation_int", 0, "latency.branch",
     "interval.branch"},
    {"ptx_opcode_latency_fp", "ptx_opcode_initiation_fp", 0, "latency.sp",
     "interval.sp"},
    {"ptx_opcode_latency_dp", "ptx_opcode_initiation_dp", 0, "latency.dp",
     "interval.dp"},
    {"ptx_opcode_latency_sfu", "ptx_opcode_initiation_sfu", 0, "latency.sfu",
     "interval.sfu"},
    {"ptx_opcode_latency_tesnor", "ptx_opcode_initiation_tensor", 0,
     "latency.tensor", "interval.tensor"},
};

/* Classes a -trace_opcode_latency_initiation_* option sets. */
static const struct {
    const char *option, *latency_key, *interval_key;
} trace_timing[] = {
    {"int", "latency.int", "interval.int"},
    {"int", "latency.imul", "interval.imul"},
    {"int", "latency.branch", "interval.branch"},
    {"sp", "latency.sp", "interval.sp"},
    {"dp", "latency.dp", "interval.dp"},
    {"sfu", "latency.sfu", "interval.sfu"},
    {"tensor", "latency.tensor", "interval.tensor"},
};

static bool import_operation(struct import *im, const char *option,
                             int operation, const char *key, struct error *e)
{
    double value[OPERATIONS];
    int count;
    const struct sim_option *o = sim_options_find(&im->options, option);
    if (o == NULL)
        return true;
    if (!sim_option_numbers(o, ',', 1, OPERATIONS, value, &count, e))
        return false;
    if (operation >= count)
        return sim_option_error(o, "a number for each operation", e);
    return import_set(im, o, key, value[operation], e);
}

static bool import_pair(struct import *im, const char *option,
                        const char *latency_key, const char *interval_key,
                        struct error *e)
{
    double value[2];
    const struct sim_option *o = sim_options_find(&im->options, option);
    return o == NULL || (sim_option_numbers(o, ',', 2, 2, value, NULL, e) &&
                         import_set(im, o, latency_key, value[0], e) &&
                         import_set(im, o, interval_key, value[1], e));
}

/* -specialized_unit_N enabled,units,latency,widths...,NAME: those for branches,
 * textures and tensor operations have a counterpart. */
static bool import_special_unit(struct import *im, int n, struct error *e)
{
    char option[64], timing[64], name[32];
    int enabled, units;
    snprintf(option, sizeof(option), "specialized_unit_%d", n);
    snprintf(timing, sizeof(timing),
             "trace_opcode_latency_initiation_spec_op_%d", n);
    const struct sim_option *o = sim_options_find(&im->options, option);
    if (o == NULL)
        return true;
    if (sscanf(o->value, "%d,%d,%*d,%*d,%*d,%31s", &enabled, &units, name) != 3)
        return sim_option_error(o, "enabled,units,latency,width,width,NAME", e);
    if (enabled == 0)
        return true;
    if (strcmp(name, "BRA") == 0)
        return import_set(im, o, "unit.branch", units, e) &&
               import_set(im, o, "stage.branch", units, e) &&
               import_pair(im, timing, "latency.branch", "interval.branch", e);
    if (strcmp(name, "TENSOR") == 0)
        return import_set(im, o, "unit.tensor", units, e) &&
               import_pair(im, timing, "latency.tensor", "interval.tensor", e);
    if (strcmp(name, "TEX") == 0) {
        double value[2];
        o = sim_options_find(&im->options, timing);
        return o == NULL || (sim_option_numbers(o, ',', 2, 2, value, NULL, e) &&
                             import_set(im, o, "texture.latency", value[0], e));
    }
    return true;
}

static bool import_latencies(struct import *im, struct error *e)
{
    for (size_t i = 0; i < sizeof(ptx_timing) / sizeof(ptx_timing[0]); i++)
        if (!import_operation(im, ptx_timing[i].latency_option,
                              ptx_timing[i].operation,
                              ptx_timing[i].latency_key, e) ||
            !import_operation(im, ptx_timing[i].initiation_option,
                              ptx_timing[i].operation,
                              ptx_timing[i].interval_key, e))
            return false;
    for (size_t i = 0; i < sizeof(trace_timing) / sizeof(trace_timing[0]);
         i++) {
        char option[64];
        snprintf(option, sizeof(option), "trace_opcode_latency_initiation_%s",
                 trace_timing[i].option);
        if (!import_pair(im, option, trace_timing[i].latency_key,
                         trace_timing[i].interval_key, e))
            return false;
    }
    for (int n = 1; n <= SPECIAL_UNITS; n++)
        if (!import_special_unit(im, n, e))
            return false;
    return true;
}

/* ---- the pipeline ------------------------------------------------------- */

/* Where a stage's width stands in -gpgpu_pipeline_widths; the registers behind
 * the collectors are as many as those before (shader.h, pipeline_stage_name_t).
 */
static const struct {
    int place;
    const char *key;
} widths[] = {{0, "stage.sp"},  {1, "stage.dp"},  {2, "stage.int"},
              {3, "stage.sfu"}, {4, "stage.mem"}, {11, "stage.tensor"}};

#define WIDTHS       13
#define WRITE_BACK   10 /* the register behind the units */
#define WIDTHS_GIVEN 11 /* at least, that is without tensor units */

static bool import_widths(struct import *im, struct error *e)
{
    double value[WIDTHS];
    int count;
    const struct sim_option *o =
        sim_options_find(&im->options, "gpgpu_pipeline_widths");
    if (o == NULL)
        return true;
    if (!sim_option_numbers(o, ',', WIDTHS_GIVEN, WIDTHS, value, &count, e))
        return false;
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
        if (widths[i].place < count && value[widths[i].place] > 0 &&
            !import_set(im, o, widths[i].key, value[widths[i].place], e))
            return false;
    return import_set(im, o, "unit.results", value[WRITE_BACK], e);
}

static bool import_moves(struct import *im, struct error *e)
{
    static const struct {
        const char *class, *key;
    } by_class[] = {{"sp", "stage.sp_moves"},
                    {"sfu", "stage.sfu_moves"},
                    {"dp", "stage.dp_moves"},
                    {"tensor_core", "stage.tensor_moves"},
                    {"mem", "stage.mem_moves"}};
    for (size_t i = 0; i < sizeof(by_class) / sizeof(by_class[0]); i++) {
        char option[80];
        double in, out;
        snprintf(option, sizeof(option),
                 "gpgpu_operand_collector_num_in_ports_%s", by_class[i].class);
        if (!import_number(im, option, 1, &in, e))
            return false;
        snprintf(option, sizeof(option),
                 "gpgpu_operand_collector_num_out_ports_%s", by_class[i].class);
        if (!import_number(im, option, 1, &out, e) ||
            !import_set(im, NULL, by_class[i].key, fmin(in, out), e))
            return false;
    }
    return true;
}

/* Accesses are sectors where -gpgpu_coalesce_arch is Maxwell's or later, or
 * global loads go past the L1 (warp_inst_t::memory_coalescing_arch); conflicts
 * of shared memory are counted by each lane's first word (generate_mem_accesses
 * in abstract_hardware_model.cc), and its result passes the write-back
 * register. The L1 hands one miss a cycle on (baseline_cache::cycle).
 */
static bool import_ldst(struct import *im, struct error *e)
{
    double arch, skip, banks;
    double latency = im->g->shared.latency + 1;
    return import_number(im, "gpgpu_coalesce_arch", 13, &arch, e) &&
           import_number(im, "gpgpu_gmem_skip_L1D", 0, &skip, e) &&
           import_number(im, "gpgpu_l1_banks", 1, &banks, e) &&
           import_set(im, NULL, "ldst.sectors", arch >= 40 || skip != 0, e) &&
           import_set(im, NULL, "ldst.banked", 1, e) &&
           import_set(im, NULL, "l1.accesses_per_cycle", banks, e) &&
           import_set(im, NULL, "ldst.last_first", 1, e) &&
           import_set(im, NULL, "ldst.late_tags", 1, e) &&
           import_set(im, NULL, "ldst.one_miss", 1, e) &&
           import_set(im, NULL, "ldst.write_back", 1, e) &&
           import_set(im, NULL, "shared.wide", 0, e) &&
           import_set(im, NULL, "shared.latency", latency, e);
}

static bool import_pipeline(struct import *im, struct error *e)
{
    return import_set(im, NULL, "stage.registers", 1, e) &&
           import_set(im, NULL, "stage.by_class", 1, e) &&
           import_set(im, NULL, "stage.by_port", 1, e) &&
           import_widths(im, e) && import_moves(im, e) && import_ldst(im, e);
}

/* ---- files -------------------------------------------------------------- */

/* Those that are here under the same name; others are left out. */
static void import_scheduler(struct import *im)
{
    static const char *const same[] = {"gto", "lrr"};
    for (size_t i = 0; i < im->options.count; i++) {
        struct sim_option *o = &im->options.option[i];
        for (size_t n = 0; n < 2 && !o->overridden; n++)
            if (strcmp(o->name, "gpgpu_scheduler") == 0 &&
                strcmp(o->value, same[n]) == 0) {
                o->used = true;
                snprintf(im->g->sched, sizeof(im->g->sched), "%s", o->value);
            }
    }
}

static bool import_all(struct import *im, struct error *e)
{
    return import_size(im, e) && import_clocks(im, e) && import_plain(im, e) &&
           import_collectors(im, e) && import_latencies(im, e) &&
           import_caches(im, e) && import_network(im, e) &&
           import_memory(im, e) && import_pipeline(im, e);
}

/* The folder the file lies in says which GPU it is. */
static void name_it(struct gpu *g, const char *path)
{
    const char *end = strrchr(path, '/');
    const char *start = end;
    while (start != NULL && start > path && start[-1] != '/')
        start--;
    if (end == NULL || start == end)
        snprintf(g->name, sizeof(g->name), "gpgpusim");
    else
        snprintf(g->name, sizeof(g->name), "%.*s", (int)(end - start), start);
    snprintf(g->summary, sizeof(g->summary), "GPGPU-Sim configuration");
}

static bool import_text(struct import *im, const char *path, const char *trace,
                        char *ignored, size_t ignored_size, struct error *e)
{
    char *text = gpu_read_text(path, e);
    bool good = text != NULL && sim_options_parse(&im->options, text, path, e);
    free(text);
    if (!good)
        return false;
    text = gpu_read_text(trace, NULL);
    good = text == NULL || sim_options_parse(&im->options, text, trace, e);
    free(text);
    if (!good || !import_all(im, e))
        return false;
    import_scheduler(im);
    if (ignored != NULL)
        sim_options_unused(&im->options, ignored, ignored_size);
    struct error why;
    if (!gpu_validate(im->g, &why))
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, why.text);
    return true;
}

bool gpu_import_gpgpusim(struct gpu *g, const char *path, char *ignored,
                         size_t ignored_size, struct error *e)
{
    struct import im = {.g = g, .path = path};
    char *trace = gpu_path_beside(path, "trace.config");
    if (trace == NULL)
        return error_no_memory(e);
    gpu_defaults(g);
    name_it(g, path);
    bool good = import_text(&im, path, trace, ignored, ignored_size, e);
    sim_options_free(&im.options);
    free(trace);
    return good;
}
