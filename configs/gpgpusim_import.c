/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPU descriptions of GPGPU-Sim and Accel-Sim: gpgpusim.config and, beside it,
 * trace.config, whose latencies replace those for PTX.
 *
 * What differs between the machines:
 * - A pipeline there takes more stages. Dependent instructions issue
 *   latency + 6 cycles apart, or + 5 when collectors are stepped twice a cycle
 *   (-gpgpu_reg_file_port_throughput 2): issue, collector, operand read,
 *   dispatch, unit, write-back (shader.cc, shader_core_ctx::cycle and
 *   pipelined_simd_unit::cycle). Here it is latency + 1. The difference is
 *   added to the latencies of units, shared memory and L1.
 * - With -gpgpu_shmem_option the L1 is, kernel by kernel, what shared memory
 *   leaves of -gpgpu_unified_l1d_size. Here it is the whole of that size.
 * - Registers are allocated in units of four a thread, warps one by one
 *   (shader_core_config::max_cta). */
#include "configs/gpgpusim_options.h"
#include "configs/gpu_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS      8 /* numbers in a -ptx_opcode_* option */
#define SPECIAL_UNITS   8
#define CROSSBAR_CYCLES 4 /* one way through its crossbar; no option has it */

struct import {
    struct sim_options options;
    struct gpu *g;
    const char *path;
    double channels;
};

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
    {"gpgpu_l1_banks", "l1.accesses_per_cycle", 1},
    {"icnt_flit_size", "icnt.flit_bytes", 32},
    {"gpgpu_l2_rop_latency", "l2.latency", 85},
    {"dram_latency", "dram.latency", 80},
    {"gpgpu_frfcfs_dram_sched_queue_size", "dram.queue", 64},
};

static bool set(struct import *im, const struct sim_option *o, const char *key,
                double value, struct error *e)
{
    struct error why;
    if (gpu_key_set(im->g, gpu_key_find(key), value, &why))
        return true;
    if (o == NULL)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", im->path, why.text);
    return error_set(e, STATUS_BAD_INPUT, "%s:%d: -%s gives %s", o->file,
                     o->line, o->name, why.text);
}

/* The number an option holds, `fallback` when it is not given. */
static bool number(struct import *im, const char *name, double fallback,
                   double *value, struct error *e)
{
    const struct sim_option *o = sim_options_find(&im->options, name);
    *value = fallback;
    return o == NULL || sim_option_numbers(o, ',', 1, 1, value, NULL, e);
}

static bool import_plain(struct import *im, struct error *e)
{
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        double value;
        const struct sim_option *o =
            sim_options_find(&im->options, plain[i].option);
        if (!number(im, plain[i].option, plain[i].fallback, &value, e) ||
            !set(im, o, plain[i].key, value, e))
            return false;
    }
    return true;
}

/* An option without which this is no GPU. */
static const struct sim_option *required(struct import *im, const char *name,
                                         struct error *e)
{
    const struct sim_option *o = sim_options_find(&im->options, name);
    if (o == NULL)
        error_set(e, STATUS_BAD_INPUT, "%s: no option -%s, expected one",
                  im->path, name);
    return o;
}

/* ---- the whole and its clocks ------------------------------------------- */

static bool import_size(struct import *im, struct error *e)
{
    double per_cluster, major, minor, threads[2];
    const struct sim_option *clusters = required(im, "gpgpu_n_clusters", e);
    const struct sim_option *pipeline =
        required(im, "gpgpu_shader_core_pipeline", e);
    double count;
    if (clusters == NULL || pipeline == NULL ||
        !sim_option_numbers(clusters, ',', 1, 1, &count, NULL, e) ||
        !number(im, "gpgpu_n_cores_per_cluster", 3, &per_cluster, e) ||
        !set(im, clusters, "sms", count * per_cluster, e) ||
        !sim_option_numbers(pipeline, ':', 2, 2, threads, NULL, e))
        return false;
    if (threads[1] != 32)
        return sim_option_error(pipeline, "warps of 32 threads", e);
    return set(im, pipeline, "sm.max_threads", threads[0], e) &&
           set(im, pipeline, "sm.max_warps", ceil(threads[0] / 32), e) &&
           set(im, NULL, "sm.register_unit", 4 * 32, e) &&
           set(im, NULL, "sm.warp_granularity", 1, e) &&
           number(im, "gpgpu_compute_capability_major", 7, &major, e) &&
           number(im, "gpgpu_compute_capability_minor", 0, &minor, e) &&
           set(im, NULL, "arch", 10 * major + minor, e) &&
           set(im, NULL, "fetch.inst_bytes", major >= 7 ? 16 : 8, e);
}

static bool import_clocks(struct import *im, struct error *e)
{
    static const char *const keys[] = {"clock.core_mhz", "clock.icnt_mhz",
                                       "clock.l2_mhz", "clock.dram_mhz"};
    double mhz[4];
    const struct sim_option *o = required(im, "gpgpu_clock_domains", e);
    if (o == NULL || !sim_option_numbers(o, ':', 4, 4, mhz, NULL, e))
        return false;
    for (int i = 0; i < 4; i++)
        if (!set(im, o, keys[i], mhz[i], e))
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
    if (!number(im, "gpgpu_enable_specialized_operand_collector", 1,
                &specialised, e) ||
        !number(im, all, 0, &count, e) ||
        !set(im, sim_options_find(&im->options, all), "collector.generic",
             specialised != 0 ? 0 : count, e))
        return false;
    for (size_t i = 0; i < sizeof(by_class) / sizeof(by_class[0]); i++) {
        const char *option = by_class[i].option;
        if (!number(im, option, by_class[i].fallback, &count, e) ||
            !set(im, sim_options_find(&im->options, option), by_class[i].key,
                 specialised != 0 ? count : 0, e))
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
    return set(im, o, key, value[operation], e);
}

static bool import_pair(struct import *im, const char *option,
                        const char *latency_key, const char *interval_key,
                        struct error *e)
{
    double value[2];
    const struct sim_option *o = sim_options_find(&im->options, option);
    return o == NULL || (sim_option_numbers(o, ',', 2, 2, value, NULL, e) &&
                         set(im, o, latency_key, value[0], e) &&
                         set(im, o, interval_key, value[1], e));
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
        return import_pair(im, timing, "latency.branch", "interval.branch", e);
    if (strcmp(name, "TENSOR") == 0)
        return set(im, o, "unit.tensor", units, e) &&
               import_pair(im, timing, "latency.tensor", "interval.tensor", e);
    if (strcmp(name, "TEX") == 0) {
        double value[2];
        o = sim_options_find(&im->options, timing);
        return o == NULL || (sim_option_numbers(o, ',', 2, 2, value, NULL, e) &&
                             set(im, o, "texture.latency", value[0], e));
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

/* The longer pipeline, see the top of the file. */
static bool lengthen(struct import *im, struct error *e)
{
    static const char *const keys[] = {
        "latency.int",    "latency.imul",   "latency.sp",
        "latency.sfu",    "latency.dp",     "latency.tensor",
        "latency.branch", "shared.latency", "l1.latency"};
    double stages = im->g->collector.ports >= 2 ? 4 : 5;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        double value = gpu_key_get(im->g, gpu_key_find(keys[i]));
        if (!set(im, NULL, keys[i], value + stages, e))
            return false;
    }
    return true;
}

/* ---- caches ------------------------------------------------------------- */

/* sector:sets:line:ways,replacement:write:allocate:write_allocate:index,
 * mshr:entries:merge,miss_queue[:result_fifo][,data_port] */
struct sim_cache {
    char kind, replacement, write, allocate, write_allocate, index, mshr_kind;
    int sets, line, ways, mshr, merge, queue, fifo, port;
};

static bool parse_cache(const struct sim_option *o, struct sim_cache *c,
                        struct error *e)
{
    int end = 0;
    memset(c, 0, sizeof(*c));
    int n = sscanf(o->value, "%c:%d:%d:%d,%c:%c:%c:%c:%c,%c:%d:%d,%d%n",
                   &c->kind, &c->sets, &c->line, &c->ways, &c->replacement,
                   &c->write, &c->allocate, &c->write_allocate, &c->index,
                   &c->mshr_kind, &c->mshr, &c->merge, &c->queue, &end);
    const char *rest = o->value + end;
    int more = 0;
    if (n == 13 && sscanf(rest, ":%d%n", &c->fifo, &more) == 1)
        rest += more;
    if (n == 13 && sscanf(rest, ",%d%n", &c->port, &more) == 1)
        rest += more;
    if (n != 13 || *rest != '\0' || strchr("NS", c->kind) == NULL ||
        c->sets < 1 || c->line < 1 || c->ways < 1)
        return sim_option_error(
            o,
            "N|S:sets:line:ways,rep:write:alloc:write_alloc:index,"
            "mshr:entries:merge,queue[:fifo][,port]",
            e);
    return true;
}

static double cache_kb(const struct sim_cache *c)
{
    return (double)c->sets * c->line * c->ways / 1024;
}

/* Indices of sets: L linear, the others hash (H Fermi's, P polynomial, X xor).
 */
static bool is_hashed(const struct sim_cache *c)
{
    return c->index != 'L';
}

static int sector_bytes(const struct sim_cache *c)
{
    return c->kind == 'S' ? 32 : c->line;
}

/* B write-back; T write-through, a hit stays; E evict; L evicts global lines.
 */
static enum l1_write_policy write_policy(const struct sim_cache *c)
{
    if (c->write == 'B')
        return L1_WRITE_BACK;
    return c->write == 'T' ? L1_WRITE_UPDATE : L1_WRITE_THROUGH;
}

/* The whole unified memory where each kernel gets its own split. */
static bool widen_l1(struct import *im, struct sim_cache *c, struct error *e)
{
    double adaptive, unified_kb;
    const char *option = "gpgpu_unified_l1d_size";
    sim_options_find(&im->options, "gpgpu_shmem_option");
    if (!number(im, "gpgpu_adaptive_cache_config", 0, &adaptive, e) ||
        !number(im, option, 0, &unified_kb, e))
        return false;
    if (adaptive == 0 || unified_kb == 0)
        return true;
    double ways = unified_kb * 1024 / ((double)c->sets * c->line);
    if (!(ways >= 1 && ways < 8192) || ways != floor(ways))
        return sim_option_error(sim_options_find(&im->options, option),
                                "a multiple of a way of -gpgpu_cache:dl1", e);
    c->ways = (int)ways;
    return true;
}

static bool import_l1(struct import *im, struct error *e)
{
    struct sim_cache c;
    double skip;
    const struct sim_option *o = required(im, "gpgpu_cache:dl1", e);
    if (o == NULL || !parse_cache(o, &c, e) || !widen_l1(im, &c, e) ||
        !number(im, "gpgpu_gmem_skip_L1D", 0, &skip, e))
        return false;
    return set(im, o, "l1.size_kb", cache_kb(&c), e) &&
           set(im, o, "l1.ways", c.ways, e) &&
           set(im, o, "l1.line_bytes", c.line, e) &&
           set(im, o, "l1.sector_bytes", sector_bytes(&c), e) &&
           set(im, o, "l1.mshr", c.mshr, e) &&
           set(im, o, "l1.mshr_merge", c.merge, e) &&
           set(im, o, "l1.miss_queue", c.queue, e) &&
           set(im, o, "l1.write_policy", write_policy(&c), e) &&
           set(im, o, "l1.hashed", is_hashed(&c), e) &&
           set(im, o, "l1.caches_global", skip == 0, e);
}

static bool import_l2(struct import *im, struct error *e)
{
    struct sim_cache c;
    double per_channel, indexing, queues[4];
    const struct sim_option *o = required(im, "gpgpu_cache:dl2", e);
    const struct sim_option *channels = required(im, "gpgpu_n_mem", e);
    const struct sim_option *queue =
        sim_options_find(&im->options, "gpgpu_dram_partition_queues");
    if (o == NULL || channels == NULL || !parse_cache(o, &c, e) ||
        !number(im, "gpgpu_n_mem", 0, &im->channels, e) ||
        !set(im, channels, "dram.channels", im->channels, e) ||
        !number(im, "gpgpu_n_sub_partition_per_mchannel", 1, &per_channel, e) ||
        !number(im, "gpgpu_memory_partition_indexing", 0, &indexing, e))
        return false;
    double banks = im->channels * per_channel;
    if (queue != NULL &&
        (!sim_option_numbers(queue, ':', 4, 4, queues, NULL, e) ||
         !set(im, queue, "l2.queue", queues[0], e)))
        return false;
    return set(im, channels, "l2.banks", banks, e) &&
           set(im, o, "l2.size_kb", cache_kb(&c) * banks, e) &&
           set(im, o, "l2.ways", c.ways, e) &&
           set(im, o, "l2.line_bytes", c.line, e) &&
           set(im, o, "l2.sector_bytes", sector_bytes(&c), e) &&
           set(im, o, "l2.mshr", c.mshr, e) &&
           set(im, o, "l2.mshr_merge", c.merge, e) &&
           set(im, o, "l2.port_bytes", c.port > 0 ? c.port : c.line, e) &&
           set(im, NULL, "l2.hashed", indexing != 0 || is_hashed(&c), e);
}

static bool import_side_cache(struct import *im, const char *option,
                              const char *group, struct error *e)
{
    struct sim_cache c;
    char key[64];
    const struct sim_option *o = sim_options_find(&im->options, option);
    if (o == NULL)
        return true;
    if (!parse_cache(o, &c, e))
        return false;
    const struct {
        const char *field;
        double value;
    } field[] = {
        {"size_kb", cache_kb(&c)}, {"ways", c.ways}, {"line_bytes", c.line}};
    for (size_t i = 0; i < sizeof(field) / sizeof(field[0]); i++) {
        snprintf(key, sizeof(key), "%s.%s", group, field[i].field);
        if (!set(im, o, key, field[i].value, e))
            return false;
    }
    return true;
}

static bool import_caches(struct import *im, struct error *e)
{
    if (!import_l1(im, e) || !import_l2(im, e) ||
        !import_side_cache(im, "gpgpu_cache:il1", "icache", e) ||
        !import_side_cache(im, "gpgpu_const_cache:l1", "constant", e) ||
        !import_side_cache(im, "gpgpu_tex_cache:l1", "texture", e))
        return false;
    /* Their misses are served by the L2. */
    double miss = im->g->l2.latency + 2 * CROSSBAR_CYCLES;
    return set(im, NULL, "icnt.latency", CROSSBAR_CYCLES, e) &&
           set(im, NULL, "icache.miss_latency", miss, e) &&
           set(im, NULL, "texture.miss_latency", miss, e) &&
           set(im, NULL, "constant.miss_latency",
               im->g->icache.perfect ? 0 : miss, e);
}

/* ---- memory ------------------------------------------------------------- */

static bool import_bus(struct import *im, struct error *e)
{
    double width, devices, beats, ratio;
    if (!number(im, "gpgpu_dram_buswidth", 4, &width, e) ||
        !number(im, "gpgpu_n_mem_per_ctrlr", 1, &devices, e) ||
        !number(im, "gpgpu_dram_burst_length", 4, &beats, e) ||
        !number(im, "dram_data_command_freq_ratio", 2, &ratio, e))
        return false;
    double bytes_a_clock = width * devices * ratio;
    return set(im, NULL, "dram.burst_bytes", width * devices * beats, e) &&
           set(im, NULL, "dram.gbps",
               im->channels * bytes_a_clock * im->g->clock.dram_mhz / 1000, e);
}

/* The names of -gpgpu_dram_timing_opt, in the order of its form without names
 * (gpu-sim.h, memory_config::init). */
static const struct {
    const char *name, *key;
} dram_timing[] = {
    {"nbk", "dram.banks"}, {"CCD", "dram.ccd"},  {"RRD", "dram.rrd"},
    {"RCD", "dram.rcd"},   {"RAS", "dram.ras"},  {"RP", "dram.rp"},
    {"RC", "dram.rc"},     {"CL", "dram.cl"},    {"WL", "dram.wl"},
    {"CDLR", "dram.wtr"},  {"WR", "dram.wr"},    {"nbkgrp", "dram.bank_groups"},
    {"CCDL", "dram.ccdl"}, {"RTPL", "dram.rtp"},
};
#define DRAM_TIMINGS (int)(sizeof(dram_timing) / sizeof(dram_timing[0]))

static bool set_timing(struct import *im, const struct sim_option *o,
                       const char *word, int place, struct error *e)
{
    char name[16];
    double value;
    int end = 0;
    if (sscanf(word, "%15[A-Za-z]=%lf%n", name, &value, &end) == 2 &&
        word[end] == '\0') {
        for (place = 0; place < DRAM_TIMINGS; place++)
            if (strcmp(dram_timing[place].name, name) == 0)
                break;
    } else if (sscanf(word, "%lf%n", &value, &end) != 1 || word[end] != '\0') {
        return sim_option_error(o, "name=value or value, ':' between them", e);
    }
    if (place >= DRAM_TIMINGS)
        return sim_option_error(
            o, "nbk CCD RRD RCD RAS RP RC CL WL CDLR WR nbkgrp CCDL RTPL", e);
    return set(im, o, dram_timing[place].key, value, e);
}

static bool import_timing(struct import *im, struct error *e)
{
    const struct sim_option *o =
        sim_options_find(&im->options, "gpgpu_dram_timing_opt");
    const char *at = o == NULL ? "" : o->value;
    for (int place = 0; *at != '\0'; place++) {
        char word[32];
        size_t length = strcspn(at, ":");
        snprintf(word, sizeof(word), "%.*s", (int)length, at);
        if (!set_timing(im, o, word, place, e))
            return false;
        at += length;
        at += *at == ':';
    }
    return true;
}

/* "dramid@B;...": the channel number stands above bit B of the address; the
 * letters C and S mark the bits inside a row. */
static bool import_mapping(struct import *im, struct error *e)
{
    int bit = 0, inside = 0;
    const struct sim_option *o =
        sim_options_find(&im->options, "gpgpu_mem_addr_mapping");
    if (o == NULL)
        return true;
    const char *bits = strchr(o->value, ';');
    bits = bits != NULL ? bits : o->value;
    for (const char *c = bits; *c != '\0'; c++)
        inside += strchr("CcSs", *c) != NULL;
    if (sscanf(o->value, "dramid@%d;", &bit) != 1 || bit < 1 || bit > 30 ||
        inside < 1 || inside > 30)
        return sim_option_error(
            o, "dramid@BIT; and address bits of which some are C or S", e);
    return set(im, o, "dram.interleave_bytes", 1 << bit, e) &&
           set(im, o, "dram.row_bytes", 1 << inside, e);
}

/* ---- files -------------------------------------------------------------- */

static bool import_all(struct import *im, struct error *e)
{
    return import_size(im, e) && import_clocks(im, e) && import_plain(im, e) &&
           import_collectors(im, e) && import_latencies(im, e) &&
           lengthen(im, e) && import_caches(im, e) && import_bus(im, e) &&
           import_timing(im, e) && import_mapping(im, e);
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
    const char *name = "trace.config";
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *trace = malloc(folder + strlen(name) + 1);
    if (trace == NULL)
        return error_set(e, STATUS_FAILED, "%s: out of memory", path);
    memcpy(trace, path, folder);
    strcpy(trace + folder, name);
    gpu_defaults(g);
    name_it(g, path);
    bool good = import_text(&im, path, trace, ignored, ignored_size, e);
    sim_options_free(&im.options);
    free(trace);
    return good;
}
