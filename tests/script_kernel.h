/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels written out in a test: every warp runs the same list of instructions
 * `repeat` times. Addresses are base + block * block_step + warp * warp_step +
 * iteration * iteration_step + lane * stride. */
#ifndef TESTS_SCRIPT_KERNEL_H
#define TESTS_SCRIPT_KERNEL_H

#include "base/mix.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <stdlib.h>
#include <string.h>

struct script_op {
    enum op_class op;
    enum mem_space space;
    int dst, src0, src1; /* registers, -1 = none */
    uint8_t width;
    uint64_t base;
    int64_t stride, block_step, warp_step, iteration_step;
    uint32_t mask;         /* active lanes, 0 = all */
    uint64_t random_bytes; /* > 0: each lane anywhere in that many bytes from
                            * base, the same in every run */
    int src2;              /* register + 1, 0 = none */
    uint64_t box_bytes;    /* > 0: a copy of so many from base on */
    uint32_t times;        /* > 0: it raises a count of its iteration, and
                            * waits until that has been raised so often */
    uint32_t macs;         /* of OP_TENSOR, as inst.macs */
    bool past_l1;          /* a load that the L1 may not serve */
};

struct script {
    struct script_op op[64];
    int count, repeat;
    int warp_repeat;   /* further repeats a warp index */
    bool phases;       /* analyse the phases of the kernel */
    uint32_t pc_bytes; /* of an instruction; 0 = 8 */
};

struct script_state {
    uint64_t block;
    int at[MAX_WARPS_A_BLOCK];
};

static inline size_t script_state_size(const struct kernel *k)
{
    (void)k;
    return sizeof(struct script_state);
}

static inline bool script_open(const struct kernel *k, void *state,
                               uint64_t block, struct error *e)
{
    (void)k;
    (void)e;
    *(struct script_state *)state = (struct script_state){.block = block};
    return true;
}

/* Lanes that read one word each, `repeat` times, anywhere in `bytes`. */
static inline struct script readers(int repeat, uint64_t bytes)
{
    return (struct script){
        .op = {{.op = OP_LOAD,
                .space = SPACE_GLOBAL,
                .dst = 1,
                .src0 = 2,
                .src1 = -1,
                .width = 4,
                .random_bytes = bytes},
               {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
        .count = 2,
        .repeat = repeat};
}

static inline void script_scatter(struct step *out, const struct script_op *op,
                                  uint64_t seed)
{
    out->form = ADDR_LIST;
    for (int lane = 0; lane < WARP_LANES; lane++)
        out->lane_address[lane] =
            op->base + mix(seed * WARP_LANES + (uint64_t)lane) %
                           (op->random_bytes / op->width) * op->width;
}

static inline bool script_next(const struct kernel *k, void *state,
                               uint32_t warp, struct step *out)
{
    const struct script *s = k->source;
    struct script_state *st = state;
    int body = s->count - 1; /* the last one, the exit, is not repeated */
    int all = body * (s->repeat + (int)warp * s->warp_repeat);
    int at = st->at[warp]++;
    if (at > all)
        return false;
    int index = at == all ? body : at % body;
    const struct script_op *op = &s->op[index];
    int64_t iteration = body > 0 ? at / body : 0;
    out->inst = (uint32_t)index;
    out->mask = op->mask != 0 ? op->mask : UINT32_MAX;
    out->taken_mask = op->op == OP_BRANCH ? out->mask : 0;
    out->form = op->width > 0 ? ADDR_STRIDE : ADDR_NONE;
    out->base = op->base + st->block * (uint64_t)op->block_step +
                warp * (uint64_t)op->warp_step +
                (uint64_t)(iteration * op->iteration_step);
    out->stride = op->stride;
    out->signal = out->await = op->times > 0 ? (uint32_t)iteration + 1 : 0;
    out->await_count = op->times;
    if (op->box_bytes > 0) {
        out->form = ADDR_BOX;
        out->box = (struct box){.bytes = op->box_bytes, .count = {1, 1, 1, 1}};
    }
    if (op->random_bytes > 0)
        script_scatter(out, op,
                       (st->block * MAX_WARPS_A_BLOCK + warp) << 20 |
                           (uint64_t)at);
    return true;
}

static inline void script_close(const struct kernel *k, void *state)
{
    (void)k;
    (void)state;
}

static inline void script_destroy(struct kernel *k)
{
    free(k->inst);
    free(k->phase);
    free(k);
}

static const struct kernel_source_ops script_ops = {
    .state_size = script_state_size,
    .open = script_open,
    .next = script_next,
    .close = script_close,
    .destroy = script_destroy,
};

static inline void script_inst(struct inst *inst, const struct script_op *op)
{
    inst->op = (uint8_t)op->op;
    inst->space = (uint8_t)op->space;
    inst->width = op->width;
    inst->past_l1 = op->past_l1;
    inst->sync = op->times > 0 ? SYNC_WAIT : SYNC_NONE;
    inst->macs = op->macs;
    inst->target = inst->reconverge = NO_INST;
    if (op->dst >= 0)
        inst->dst[inst->dst_count++] = (uint16_t)op->dst;
    if (op->src0 >= 0)
        inst->src[inst->src_count++] = (uint16_t)op->src0;
    if (op->src1 >= 0)
        inst->src[inst->src_count++] = (uint16_t)op->src1;
    if (op->src2 > 0)
        inst->src[inst->src_count++] = (uint16_t)(op->src2 - 1);
}

/* The last operation must be OP_EXIT. The script must outlive the kernel, which
 * goes with kernel->ops->destroy. */
static inline struct kernel *script_kernel(const struct script *s,
                                           uint32_t blocks, uint32_t warps)
{
    struct kernel *k = calloc(1, sizeof(*k));
    k->name = (char *)"script";
    k->grid = (struct dim3){blocks, 1, 1};
    k->block = (struct dim3){warps * WARP_LANES, 1, 1};
    k->blocks = blocks;
    k->threads_per_block = warps * WARP_LANES;
    k->warps_per_block = warps;
    k->regs_per_thread = 16;
    k->inst_count = (uint32_t)s->count;
    k->inst = calloc((size_t)s->count, sizeof(*k->inst));
    for (int i = 0; i < s->count; i++) {
        script_inst(&k->inst[i], &s->op[i]);
        k->inst[i].pc = (uint32_t)i * (s->pc_bytes > 0 ? s->pc_bytes : 8);
        k->inst[i].block_start = i == 0 || s->op[i - 1].op == OP_BRANCH;
    }
    k->ops = &script_ops;
    k->source = (void *)s;
    if (s->phases)
        phases_analyse(k, 0, NULL);
    return k;
}

/* A machine with round numbers: one cycle for everything that can take one. */
static inline struct gpu plain_gpu(void)
{
    struct gpu g;
    memset(&g, 0, sizeof(g));
    for (size_t i = 0; i < gpu_key_count; i++)
        gpu_key_set(&g, &gpu_keys[i], gpu_keys[i].fallback, NULL);
    strcpy(g.name, "plain");
    g.sms = 1;
    g.clock.core_mhz = g.clock.icnt_mhz = g.clock.l2_mhz = g.clock.dram_mhz =
        1000;
    g.launch.kernel_cycles = g.launch.block_cycles = 0;
    g.launch.block_period = 0;
    g.sm.schedulers = g.sm.issue_width = g.sm.issue_period = 1;
    g.sm.sub_core = g.sm.dual_distinct = 0;
    g.fetch.warps_per_cycle = 4;
    g.fetch.buffer = 4;
    g.fetch.latency = 1;
    g.fetch.branch_latency = 2;
    g.icache.perfect = 1;
    g.collector.generic = 0;
    g.collector.sp = g.collector.sfu = g.collector.mem = 8;
    g.collector.banks = 32;
    g.collector.ports = 4;
    g.unit.sp = 1;
    g.unit.integer = g.unit.dp = g.unit.tensor = 0;
    g.unit.sfu = g.unit.mem = 1;
    g.latency.integer = g.latency.sp = 9;
    g.interval.integer = g.interval.sp = 1;
    g.interval.sfu = 8;
    g.interval.mem = 1;
    g.shared.latency = 20;
    g.l1.size_kb = 16;
    g.l1.ways = 4;
    g.l1.line_bytes = g.l1.sector_bytes = 128;
    g.l1.latency = 30;
    g.l1.caches_global = 1;
    g.icnt.latency = 10;
    g.icnt.flit_bytes = 40;
    g.icnt.header_bytes = 8;
    g.icnt.mesh = 0;
    g.l2.size_kb = 256;
    g.l2.banks = 2;
    g.l2.ways = 8;
    g.l2.line_bytes = 128;
    g.l2.sector_bytes = 32;
    g.l2.latency = 50;
    g.l2.port_bytes = 32;
    g.dram.gbps = 64;
    g.dram.channels = 2;
    g.dram.latency = 40;
    return g;
}

#endif
