/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/gpu.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The smallest text that is a GPU, with odd numbers to tell them apart. */
#define MINIMAL                                                                \
    "-gpgpu_n_clusters 5\n-gpgpu_n_cores_per_cluster 2\n"                      \
    "-gpgpu_shader_core_pipeline 1024:32\n-gpgpu_clock_domains "               \
    "700.0:350.0:600.0:900.0\n-gpgpu_n_mem 6\n"                                \
    "-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,A:40:9,11\n"                        \
    "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:250:5,4:0,48\n"

struct files {
    char folder[64], config[80], trace[80];
};

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
}

/* Load `config`, beside `trace` unless that is NULL. */
static bool import(struct gpu *g, const char *config, const char *trace,
                   char *ignored, size_t size, struct error *e)
{
    struct files f = {.folder = "/tmp/test_import_XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(f.folder));
    snprintf(f.config, sizeof(f.config), "%s/gpgpusim.config", f.folder);
    snprintf(f.trace, sizeof(f.trace), "%s/trace.config", f.folder);
    put(f.config, config);
    if (trace != NULL)
        put(f.trace, trace);
    bool good = gpu_load(g, f.config, ignored, size, e);
    if (good)
        ck_assert_str_eq(g->name, f.folder + strlen("/tmp/"));
    remove(f.config);
    remove(f.trace);
    remove(f.folder);
    return good;
}

static struct gpu good(const char *config, const char *trace)
{
    struct gpu g;
    struct error e = {0};
    ck_assert_msg(import(&g, config, trace, NULL, 0, &e), "%s", e.text);
    return g;
}

/* ---- one option at a time ----------------------------------------------- */

static const struct {
    const char *options;
    const char *key;
    double value;
} one[] = {
    {"", "sms", 10},
    {"", "sm.max_warps", 32},
    {"", "sm.max_threads", 1024},
    {"", "clock.core_mhz", 700},
    {"", "clock.icnt_mhz", 350},
    {"", "clock.l2_mhz", 600},
    {"", "clock.dram_mhz", 900},
    {"", "dram.channels", 6},
    {"", "l1.size_kb", 16},
    {"", "l1.ways", 4},
    {"", "l1.sector_bytes", 128},
    {"", "l1.mshr", 40},
    {"", "l1.mshr_merge", 9},
    {"", "l1.miss_queue", 11},
    {"", "l1.hashed", 1},
    {"", "l1.write_policy", L1_WRITE_THROUGH},
    {"", "sm.wide_operands", 0},
    {"", "l1.caches_global", 1},
    {"", "l2.size_kb", 6 * 64},
    {"", "l2.banks", 6},
    {"", "l2.sector_bytes", 32},
    {"", "l2.unreserved", 1},
    {"", "ldst.last_first", 1},
    {"", "l2.mshr", 250},
    {"", "l2.mshr_merge", 5},
    {"", "l2.port_bytes", 48},
    {"", "l2.hashed", 0},
    {"-gpgpu_n_sub_partition_per_mchannel 2", "l2.banks", 12},
    {"-gpgpu_n_sub_partition_per_mchannel 2", "l2.size_kb", 12 * 64},
    {"", "l2.slice_hash", SLICE_PLAIN},
    {"-gpgpu_memory_partition_indexing 1", "l2.slice_hash", SLICE_ROTATED},
    {"-gpgpu_memory_partition_indexing 2", "l2.slice_hash", SLICE_IPOLY},
    {"-gpgpu_memory_partition_indexing 4", "l2.slice_hash", SLICE_RANDOM},
    {"-gpgpu_memory_partition_indexing 2", "l2.hashed", 0},
    {"", "l2.fetch_bytes", 32},
    {"", "icnt.sector_packets", 0},
    {"", "icnt.sector_answers", 1},
    {"-gpgpu_cache:dl2 N:64:128:8,L:B:m:L:L,A:1:1,1", "icnt.sector_answers", 0},
    {"-gpgpu_coalesce_arch 35", "icnt.sector_packets", 0},
    {"-gpgpu_coalesce_arch 35 -gpgpu_gmem_skip_L1D 1", "icnt.sector_packets",
     1},
    {"-gpgpu_coalesce_arch 61", "icnt.sector_packets", 1},
    {"-network_mode 2", "icnt.input_queue", 64},
    {"-network_mode 2 -icnt_in_buffer_limit 500", "icnt.input_queue", 500},
    {"-network_mode 2 -icnt_out_buffer_limit 400", "icnt.output_queue", 400},
    {"-network_mode 1", "icnt.input_queue", 8 + 9},
    {"-inter_config_file absent.icnt", "icnt.output_queue", 8 + 16},
    {"-gpgpu_dram_partition_queues 63:1:2:3", "l2.memory_queue", 1},
    {"-dram_bnk_indexing_policy 0", "dram.bank_hash", BANK_PLAIN},
    {"-dram_bnk_indexing_policy 1", "dram.bank_hash", BANK_XOR},
    {"-dram_bnkgrp_indexing_policy 1", "dram.groups_interleaved", 1},
    {"-dram_dual_bus_interface 1", "dram.dual_command", 1},
    {"", "dram.rtp_group", 1},
    {"-gpgpu_dram_return_queue_size 50", "dram.in_flight", 0},
    {"-gpgpu_dram_return_queue_size 50 "
     "-gpgpu_frfcfs_dram_sched_queue_size 30",
     "dram.in_flight", 81},
    {"-gpgpu_dram_partition_queues 63:1:2:3", "l2.queue", 63},
    {"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:1:1,1", "l1.sector_bytes", 32},
    {"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:1:1,1", "l1.hashed", 0},
    {"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:1:1,1", "l1.write_policy",
     L1_WRITE_ALLOCATE},
    {"-gpgpu_cache:dl1 S:4:128:64,L:T:m:N:L,A:1:1,1", "l1.write_policy",
     L1_WRITE_UPDATE},
    {"-gpgpu_l1_cache_write_ratio 25", "l1.written_percent", 25},
    {"-gpgpu_cache:dl1 S:4:128:64,L:B:m:L:L,A:1:1,1", "l1.write_policy",
     L1_WRITE_BACK},
    {"-gpgpu_pipeline_widths 6,4,3,2,1,6,4,3,2,1,12,5,5", "stage.sp", 6},
    {"-gpgpu_pipeline_widths 6,4,3,2,1,6,4,3,2,1,12,5,5", "stage.dp", 4},
    {"-gpgpu_pipeline_widths 6,4,3,2,1,6,4,3,2,1,12,5,5", "stage.int", 3},
    {"-gpgpu_pipeline_widths 6,4,3,2,1,6,4,3,2,1,12,5,5", "stage.sfu", 2},
    {"-gpgpu_pipeline_widths 6,4,3,2,7,6,4,3,2,7,12,5,5", "stage.mem", 7},
    {"-gpgpu_pipeline_widths 6,4,3,2,1,6,4,3,2,1,12,5,5", "stage.tensor", 5},
    {"-gpgpu_pipeline_widths 6,4,3,2,1,6,4,3,2,1,12", "unit.results", 12},
    {"-gpgpu_operand_collector_num_in_ports_sp 3\n"
     "-gpgpu_operand_collector_num_out_ports_sp 2",
     "stage.sp_moves", 2},
    {"-gpgpu_operand_collector_num_in_ports_mem 3", "stage.mem_moves", 1},
    {"", "stage.registers", 1},
    {"", "stage.by_class", 1},
    {"", "ldst.sectors", 0},
    {"-gpgpu_coalesce_arch 61", "ldst.sectors", 1},
    {"-gpgpu_coalesce_arch 35", "ldst.sectors", 0},
    {"-gpgpu_coalesce_arch 35 -gpgpu_gmem_skip_L1D 1", "ldst.sectors", 1},
    {"", "ldst.late_tags", 1},
    {"", "ldst.one_miss", 1},
    {"", "ldst.write_back", 1},
    {"", "ldst.banked", 1},
    {"", "shared.wide", 0},
    {"", "l1.accesses_per_cycle", 1},
    {"-gpgpu_l1_banks 2", "l1.accesses_per_cycle", 2},
    {"-gpgpu_gmem_skip_L1D 1", "l1.caches_global", 0},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 "
     "-gpgpu_shmem_option 0,8,96",
     "l1.size_kb", 128},
    {"-gpgpu_adaptive_cache_config 0 -gpgpu_unified_l1d_size 128", "l1.size_kb",
     16},
    {"-gpgpu_shader_registers 4096", "sm.registers", 4096},
    {"", "sm.register_unit", 128},
    {"", "sm.warp_granularity", 1},
    {"-gpgpu_shader_cta 16", "sm.max_blocks", 16},
    {"-gpgpu_shmem_size 49152", "sm.shared_bytes", 49152},
    {"-gpgpu_num_sched_per_core 4", "sm.schedulers", 4},
    {"-gpgpu_max_insn_issue_per_warp 1", "sm.issue_width", 1},
    {"", "sm.issue_width", 2},
    {"-gpgpu_dual_issue_diff_exec_units 0", "sm.dual_distinct", 0},
    {"-gpgpu_sub_core_model 1", "sm.sub_core", 1},
    {"-gpgpu_compute_capability_major 6 -gpgpu_compute_capability_minor 1",
     "arch", 61},
    {"-gpgpu_kernel_launch_latency 5000", "launch.kernel_cycles", 5000},
    {"-gpgpu_inst_fetch_throughput 8", "fetch.warps_per_cycle", 8},
    {"", "fetch.latency", 1},
    {"", "fetch.late_last", 1},
    {"", "fetch.when_empty", 1},
    {"", "fetch.past_branches", 1},
    {"", "icache.from_l2", 1},
    {"-gpgpu_cache:il1 N:8:128:4,L:R:f:N:L,S:3:48,4", "icache.mshr", 3},
    {"-gpgpu_cache:il1 N:8:128:4,L:R:f:N:L,S:3:48,4", "icache.mshr_merge", 48},
    {"-gpgpu_perfect_inst_const_cache 1", "icache.perfect", 1},
    {"-gpgpu_cache:il1 N:8:128:4,L:R:f:N:L,S:2:48,4", "icache.size_kb", 4},
    {"-gpgpu_const_cache:l1 N:128:64:2,L:R:f:N:L,S:2:64,4", "constant.size_kb",
     16},
    {"-gpgpu_tex_cache:l1 N:4:128:24,L:R:m:N:L,T:128:4,128:2", "texture.ways",
     24},
    {"-gpgpu_operand_collector_num_units_sp 7", "collector.sp", 7},
    {"-gpgpu_operand_collector_num_units_gen 8", "collector.generic", 0},
    {"-gpgpu_enable_specialized_operand_collector 0 "
     "-gpgpu_operand_collector_num_units_gen 8",
     "collector.generic", 8},
    {"-gpgpu_enable_specialized_operand_collector 0 "
     "-gpgpu_operand_collector_num_units_gen 8 "
     "-gpgpu_operand_collector_num_units_sp 7",
     "collector.sp", 0},
    {"-gpgpu_num_reg_banks 32", "collector.banks", 32},
    {"-gpgpu_num_sp_units 3", "unit.sp", 3},
    {"-gpgpu_num_int_units 3", "unit.int", 3},
    {"-gpgpu_num_sfu_units 3", "unit.sfu", 3},
    {"-gpgpu_num_dp_units 3 -gpgpu_operand_collector_num_units_dp 2", "unit.dp",
     3},
    {"-gpgpu_shmem_num_banks 32", "shared.banks", 32},
    {"-network_mode 1", "icnt.latency", 5},
    {"-network_mode 2", "icnt.latency", 0},
    {"-gpgpu_l2_rop_latency 120", "l2.latency", 121},
    {"", "l2.staged", 1},
    {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8", "l1.set_hash",
     SETS_FERMI},
    {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:X,S:64:8,8", "l1.set_hash", SETS_XOR},
    {"-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:P,A:1:1,1", "l2.set_hash",
     SETS_IPOLY},
    {"-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:1:1,1", "l2.set_hash",
     SETS_FOLDED},
    {"-gpgpu_n_mem 8 -gpgpu_n_sub_partition_per_mchannel 2", "l2.hash_bits",
     13},
    {"-gpgpu_n_mem 32 -gpgpu_n_sub_partition_per_mchannel 2", "l2.hash_bits",
     19},
    {"", "icnt.next_step", 1},
    {"", "icnt.router", ROUTER_FLITS},
    {"", "icnt.speedup", 1},
    {"-network_mode 2", "icnt.router", ROUTER_PACKETS},
    {"", "icnt.by_channel", 1},
    {"", "icnt.answer_queue", 1},
    {"", "icache.base_mb", 3840},
    {"", "dram.clocked", 1},
    {"", "dram.row_first", 1},
    {"-dram_dual_bus_interface 1", "dram.row_first", 0},
    {"", "stage.by_port", 1},
    {"", "fetch.no_end", 1},
    {"-icnt_flit_size 36", "icnt.flit_bytes", 36},
    {"-dram_latency 77", "dram.latency", 77},
    {"-gpgpu_frfcfs_dram_sched_queue_size 33", "dram.queue", 33},
    {"-gpgpu_dram_buswidth 4 -gpgpu_n_mem_per_ctrlr 2 "
     "-gpgpu_dram_burst_length 8",
     "dram.burst_bytes", 64},
    /* 6 channels x 8 bytes x 4 transfers a clock x 900 MHz */
    {"-gpgpu_dram_buswidth 4 -gpgpu_n_mem_per_ctrlr 2 "
     "-dram_data_command_freq_ratio 4",
     "dram.gbps", 172.8},
    {"-gpgpu_mem_addr_mapping dramid@9;0000RRRR.RBBBCCCC.BCCSSSSS", "dram.rows",
     32},
    {"-gpgpu_mem_addr_mapping dramid@9;0000RRRR.RBBBCCCC.BCCSSSSS",
     "l2.interleave_bytes", 128},
    {"-gpgpu_mem_addr_mapping dramid@9;0000RRRR.RBBBCCCB.CCCSSSSS",
     "l2.interleave_bytes", 256},
    {"-gpgpu_mem_addr_mapping dramid@9;0000RRRR.RBBBCCCC.CCCBSSSS",
     "l2.interleave_bytes", 128}, /* no less than a line */
    {"-gpgpu_mem_addr_mapping dramid@9;0000RRRR.RBBBCCCC.BCCSSSSS",
     "dram.interleave_bytes", 512},
    {"-gpgpu_mem_addr_mapping dramid@9;0000RRRR.RBBBCCCC.BCCSSSSS",
     "dram.row_bytes", 2048},
    {"-gpgpu_dram_timing_opt \"nbk=16:CCD=2:RRD=6:\n RCD=13\"", "dram.rcd", 13},
    {"-gpgpu_dram_timing_opt nbk=32:nbkgrp=8", "dram.bank_groups", 8},
    {"-gpgpu_dram_timing_opt CDLR=7", "dram.wtr", 7},
    {"-gpgpu_dram_timing_opt RTPL=9", "dram.rtp", 9},
    {"-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:12:4:3:2", "dram.rc",
     40},
    {"-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:12:4:3:2", "dram.ccdl",
     3},
    /* the last of two counts; comments do not */
    {"-dram_latency 1 -dram_latency 2 # -dram_latency 3", "dram.latency", 2},
};

START_TEST(options_have_their_keys)
{
    char config[4096];
    snprintf(config, sizeof(config), MINIMAL "%s\n", one[_i].options);
    struct gpu g = good(config, NULL);
    double value = gpu_key_get(&g, gpu_key_find(one[_i].key));
    ck_assert_msg(value > one[_i].value - 1e-9 && value < one[_i].value + 1e-9,
                  "%s with '%s' is %g, expected %g", one[_i].key,
                  one[_i].options, value, one[_i].value);
}
END_TEST

/* A router's buffer and those before and behind it. */
START_TEST(network_file)
{
    static const struct {
        const char *text;
        int in, out;
    } file[] = {
        {"vc_buf_size = 64;\n", 64 + 9, 64 + 16},
        {"// vc_buf_size = 1;\n vc_buf_size=32;\ninput_buffer_size = 256;\n"
         "ejection_buffer_size = 50;\nboundary_buffer_size = 7;",
         32 + 256, 50 + 7},
        {"num_vcs = 2;\nvc_buf_sizes = 3;\n", 8 + 9, 8 + 16},
    };
    for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
        struct files f = {.folder = "/tmp/test_import_XXXXXX"};
        ck_assert_ptr_nonnull(mkdtemp(f.folder));
        snprintf(f.config, sizeof(f.config), "%s/gpgpusim.config", f.folder);
        snprintf(f.trace, sizeof(f.trace), "%s/net.icnt", f.folder);
        put(f.config, MINIMAL "-inter_config_file net.icnt\n");
        put(f.trace, file[i].text);
        struct gpu g;
        ck_assert(gpu_load(&g, f.config, NULL, 0, NULL));
        ck_assert_int_eq(g.icnt.input_queue, file[i].in);
        ck_assert_int_eq(g.icnt.output_queue, file[i].out);
        remove(f.config);
        remove(f.trace);
        remove(f.folder);
    }
}
END_TEST

/* ---- latencies ---------------------------------------------------------- */

#define PTX_LATENCIES                                                          \
    "-ptx_opcode_latency_int 4,13,4,5,145,32\n"                                \
    "-ptx_opcode_initiation_int 1,2,2,3,8,4\n"                                 \
    "-ptx_opcode_latency_fp 6,13,4,5,39\n-ptx_opcode_initiation_fp 1\n"        \
    "-ptx_opcode_latency_dp 8,19,8,8,330\n-ptx_opcode_latency_sfu 100\n"       \
    "-ptx_opcode_initiation_sfu 8\n"

START_TEST(ptx_latencies)
{
    struct gpu g = good(MINIMAL PTX_LATENCIES, NULL);
    ck_assert_int_eq(g.latency.integer, 4);
    ck_assert_int_eq(g.latency.imul, 5);
    ck_assert_int_eq(g.latency.sp, 6);
    ck_assert_int_eq(g.latency.dp, 8);
    ck_assert_int_eq(g.latency.sfu, 100);
    ck_assert_int_eq(g.latency.branch, 4);
    ck_assert_int_eq(g.interval.integer, 1);
    ck_assert_int_eq(g.interval.imul, 3);
    ck_assert_int_eq(g.interval.sfu, 8);
}
END_TEST

START_TEST(trace_latencies_win)
{
    struct gpu g = good(MINIMAL PTX_LATENCIES,
                        "-trace_opcode_latency_initiation_int 2,7\n"
                        "-trace_opcode_latency_initiation_sfu 20,9\n");
    ck_assert_int_eq(g.latency.integer, 2);
    ck_assert_int_eq(g.latency.imul, 2);
    ck_assert_int_eq(g.latency.branch, 2);
    ck_assert_int_eq(g.interval.imul, 7);
    ck_assert_int_eq(g.latency.sp, 6);
    ck_assert_int_eq(g.latency.sfu, 20);
    ck_assert_int_eq(g.interval.sfu, 9);
}
END_TEST

START_TEST(special_units)
{
    struct gpu g =
        good(MINIMAL "-gpgpu_operand_collector_num_units_tensor_core 4\n",
             "-specialized_unit_1 1,4,4,4,4,BRA\n"
             "-trace_opcode_latency_initiation_spec_op_1 3,6\n"
             "-specialized_unit_2 1,4,200,4,4,TEX\n"
             "-trace_opcode_latency_initiation_spec_op_2 210,4\n"
             "-specialized_unit_3 1,8,8,4,4,TENSOR\n"
             "-trace_opcode_latency_initiation_spec_op_3 5,2\n"
             "-specialized_unit_4 0,4,4,4,4,BRA\n"
             "-trace_opcode_latency_initiation_spec_op_4 99,99\n");
    ck_assert_int_eq(g.unit.branch, 4);
    ck_assert_int_eq(g.latency.branch, 3);
    ck_assert_int_eq(g.interval.branch, 6);
    ck_assert_int_eq(g.texture.latency, 210);
    ck_assert_int_eq(g.unit.tensor, 8);
    ck_assert_int_eq(g.latency.tensor, 5);
    ck_assert_int_eq(g.interval.tensor, 2);
}
END_TEST

START_TEST(memory_latencies)
{
    const char *text = MINIMAL "-gpgpu_l1_latency 20\n-gpgpu_smem_latency 30\n"
                               "-gpgpu_l2_rop_latency 160\n";
    struct gpu g = good(text, NULL);
    ck_assert_int_eq(g.l1.latency, 20);
    ck_assert_int_eq(g.shared.latency, 30 + 1);
    ck_assert_int_eq(g.l2.latency, 161);
    char past_l1[2048];
    snprintf(past_l1, sizeof(past_l1), "%s-gpgpu_gmem_skip_L1D 1\n", text);
    g = good(past_l1, NULL);
    ck_assert_int_eq(g.l2.latency, 161);
}
END_TEST

/* ---- what is left over, what is wrong ----------------------------------- */

/* The last one counts; a scheduler that is not here is left out. */
START_TEST(a_scheduler_is_taken_over)
{
    struct gpu g;
    struct error e = {0};
    char ignored[256];
    ck_assert(import(&g, MINIMAL "-gpgpu_scheduler gto\n-gpgpu_scheduler lrr\n",
                     NULL, ignored, sizeof(ignored), &e));
    ck_assert_str_eq(g.sched, "lrr");
    ck_assert_str_eq(ignored, "");
    ck_assert(import(&g, MINIMAL "-gpgpu_scheduler warp_limiting:2:16\n", NULL,
                     ignored, sizeof(ignored), &e));
    ck_assert_str_eq(g.sched, "");
    ck_assert_str_eq(ignored, "-gpgpu_scheduler");
}
END_TEST

START_TEST(ignored_options_are_named_once)
{
    struct gpu g;
    struct error e = {0};
    char ignored[256], little[24];
    const char *text =
        MINIMAL "-gpgpu_cache 0\n-gpgpu_simd_model 1\n-dram_latency 100\n"
                "-gpgpu_cache 1\n-visualizer_enabled 0\n";
    ck_assert(import(&g, text, "-some_trace_option 3\n", ignored,
                     sizeof(ignored), &e));
    ck_assert_str_eq(ignored, "-gpgpu_simd_model, -gpgpu_cache, "
                              "-visualizer_enabled, -some_trace_option");
    ck_assert(import(&g, text, NULL, little, sizeof(little), &e));
    ck_assert_uint_lt(strlen(little), sizeof(little));
    ck_assert(import(&g, MINIMAL, NULL, ignored, sizeof(ignored), &e));
    ck_assert_str_eq(ignored, "");
}
END_TEST

static const struct {
    const char *options, *trace;
    const char *part;
} wrong[] = {
    {"-dram_latency many", NULL, "gpgpusim.config:8: -dram_latency 'many'"},
    {"\n\n-dram_latency", NULL, "gpgpusim.config:10: -dram_latency ''"},
    {"-dram_latency 1 2", NULL, "-dram_latency '1 2', expected 1 number"},
    {"-dram_latency -5", NULL, "gives dram.latency = -5: expected 0..10000"},
    {"-gpgpu_n_clusters 0", NULL, "gives sms = 0: expected 1..1024"},
    {"-gpgpu_shader_core_pipeline 1024:16", NULL, "warps of 32 threads"},
    {"-gpgpu_shader_core_pipeline 1024", NULL, "expected 2 numbers"},
    {"-gpgpu_clock_domains 1:2:3", NULL, "expected 4 numbers"},
    {"-gpgpu_clock_domains 1:2:3:4:5", NULL, "expected 4 numbers"},
    {"-gpgpu_cache:dl1 none", NULL, "expected N|S:sets:line:ways"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:40:9,11", NULL, "expected N|S:"},
    {"-gpgpu_cache:dl2 S:0:128:8,L:B:m:L:L,A:250:5,4:0,48", NULL,
     "expected N|S:"},
    {"-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:250:5,4:0,48x", NULL,
     "expected N|S:"},
    {"-ptx_opcode_latency_int 4,13", NULL, "a number for each operation"},
    {"-gpgpu_dram_timing_opt CCD=2:XYZ=3", NULL, "expected nbk CCD RRD"},
    {"-gpgpu_dram_timing_opt CCD:2", NULL, "expected name=value"},
    {"-gpgpu_dram_timing_opt \"CCD=2", NULL,
     "gpgpusim.config:8: quote without end"},
    {"-gpgpu_dram_timing_opt \"CCD=2:\nRRD=3\"\n-dram_latency x", NULL,
     "gpgpusim.config:10: -dram_latency 'x'"},
    {"-gpgpu_mem_addr_mapping RRCCSS", NULL, "expected dramid@BIT"},
    {"-gpgpu_mem_addr_mapping dramid@8;RRBB", NULL, "expected dramid@BIT"},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 1", NULL,
     "-gpgpu_unified_l1d_size '1', expected a multiple"},
    {"-gpgpu_num_sched_per_core 3", NULL, "sm.max_warps is 32"},
    {"", "-trace_opcode_latency_initiation_int 2",
     "trace.config:1: -trace_opcode_latency_initiation_int '2'"},
    {"", "\n-specialized_unit_1 1,4,4", "trace.config:2: -specialized_unit_1"},
    {"", "latency 2", "trace.config:1: 'latency', expected an option"},
};

START_TEST(mistakes_are_placed)
{
    struct gpu g;
    struct error e = {0};
    char config[4096];
    snprintf(config, sizeof(config), MINIMAL "%s\n", wrong[_i].options);
    ck_assert(!import(&g, config, wrong[_i].trace, NULL, 0, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, wrong[_i].part) != NULL, "'%s' not in '%s'",
                  wrong[_i].part, e.text);
}
END_TEST

/* Without any one of its first options the text is no GPU. */
START_TEST(required_options)
{
    static const char *const names[] = {
        "-gpgpu_n_clusters",    "-gpgpu_shader_core_pipeline",
        "-gpgpu_clock_domains", "-gpgpu_n_mem",
        "-gpgpu_cache:dl1",     "-gpgpu_cache:dl2"};
    struct gpu g;
    struct error e = {0};
    char config[] = MINIMAL;
    char *at = strstr(config, names[_i]);
    at[strlen(names[_i]) - 1] = 'X';
    ck_assert(!import(&g, config, NULL, NULL, 0, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, names[_i]));
}
END_TEST

/* No prefix of a good text crashes or hangs the reader. */
START_TEST(cut_files)
{
    static const char whole[] = MINIMAL PTX_LATENCIES
        "-gpgpu_dram_timing_opt \"nbk=16:CCD=2:RRD=6\" # end";
    char config[sizeof(whole)];
    int loaded = 0;
    for (size_t n = 0; n < sizeof(whole); n++) {
        struct gpu g;
        struct error e = {0};
        memcpy(config, whole, n);
        config[n] = '\0';
        if (import(&g, config, NULL, NULL, 0, &e))
            loaded++;
        else
            ck_assert_str_ne(e.text, "");
    }
    ck_assert_int_gt(loaded, 0);
}
END_TEST

/* The folder stands for its gpgpusim.config, however its name is written; one
 * without it is said to lack the file. */
START_TEST(a_folder)
{
    static const char *const end[] = {"", "/", "//"};
    struct files f = {.folder = "/tmp/test_import_XXXXXX"};
    struct error e = {0};
    struct gpu g;
    char path[80];
    ck_assert_ptr_nonnull(mkdtemp(f.folder));
    snprintf(f.config, sizeof(f.config), "%s/gpgpusim.config", f.folder);
    ck_assert(!gpu_load(&g, f.folder, NULL, 0, &e));
    ck_assert_msg(strncmp(e.text, f.config, strlen(f.config)) == 0, "%s",
                  e.text);
    put(f.config, MINIMAL);
    for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", f.folder, end[i]);
        ck_assert_msg(gpu_load(&g, path, NULL, 0, &e), "%s", e.text);
        ck_assert_str_eq(g.name, f.folder + strlen("/tmp/"));
        ck_assert_int_eq(g.sms, 10);
    }
    remove(f.config);
    remove(f.folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpgpusim_import");
    TCase *c = tcase_create("all");
    tcase_add_test(c, network_file);
    tcase_add_loop_test(c, options_have_their_keys, 0,
                        sizeof(one) / sizeof(one[0]));
    tcase_add_test(c, ptx_latencies);
    tcase_add_test(c, trace_latencies_win);
    tcase_add_test(c, special_units);
    tcase_add_test(c, memory_latencies);
    tcase_add_test(c, ignored_options_are_named_once);
    tcase_add_test(c, a_scheduler_is_taken_over);
    tcase_add_loop_test(c, mistakes_are_placed, 0,
                        sizeof(wrong) / sizeof(wrong[0]));
    tcase_add_loop_test(c, required_options, 0, 6);
    tcase_add_test(c, cut_files);
    tcase_add_test(c, a_folder);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
