/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every key of a GPU configuration. Fallbacks describe a small Fermi-like
 * machine in the manner of GPGPU-Sim's GTX 480 (two schedulers, a warp a cycle
 * and pipeline). A configuration file states every key but those whose row says
 * where the fallback is from. */
#include "base/hash.h"
#include "configs/gpu_files.h"

#include <math.h>
#include <string.h>

static const char *const write_policy_names[] = {"through", "update", "back",
                                                 "allocate", NULL};
static const char *const router_names[] = {"no", "packets", "flits", NULL};
static const char *const set_hash_names[] = {"folded", "fermi", "ipoly", "xor",
                                             NULL};
static const char *const slice_hash_names[] = {"plain", "rotated", "ipoly",
                                               "random", NULL};
static const char *const bank_hash_names[] = {"plain", "rotated", "xor", NULL};
static const char *const coherence_names[] = {"gpu", "denovo", NULL};

#define FIELD(name, field, kind, min, max, fallback, unit, help)               \
    {                                                                          \
        name, kind, offsetof(struct gpu, field), min, max, fallback, unit,     \
            help, NULL, NULL                                                   \
    }
#define INT(name, field, min, max, fallback, unit, help)                       \
    FIELD(name, field, GPU_INT, min, max, fallback, unit, help)
#define REAL(name, field, min, max, fallback, unit, help)                      \
    FIELD(name, field, GPU_REAL, min, max, fallback, unit, help)
#define BOOL(name, field, fallback, help)                                      \
    FIELD(name, field, GPU_BOOL, 0, 1, fallback, "", help)
#define ENUM(name, field, last, fallback, help, names)                         \
    {                                                                          \
        name, GPU_ENUM, offsetof(struct gpu, field), 0, last, fallback, "",    \
            help, names, NULL                                                  \
    }

/* Keys that a file may leave out. */
#define OPTIONAL_INT(name, field, min, max, fallback, unit, help, source)      \
    {                                                                          \
        name, GPU_INT, offsetof(struct gpu, field), min, max, fallback, unit,  \
            help, NULL, source                                                 \
    }
#define OPTIONAL_REAL(name, field, min, max, fallback, unit, help, source)     \
    {                                                                          \
        name, GPU_REAL, offsetof(struct gpu, field), min, max, fallback, unit, \
            help, NULL, source                                                 \
    }
#define OPTIONAL_ENUM(name, field, last, fallback, help, names, source)        \
    {                                                                          \
        name, GPU_ENUM, offsetof(struct gpu, field), 0, last, fallback, "",    \
            help, names, source                                                \
    }
#define OPTIONAL_BOOL(name, field, fallback, help, source)                     \
    {                                                                          \
        name, GPU_BOOL, offsetof(struct gpu, field), 0, 1, fallback, "", help, \
            NULL, source                                                       \
    }

#define LATENCY(name, field, fallback, of)                                     \
    INT(name, latency.field, 1, 1000, fallback, "cycles",                      \
        "from operands read to result: " of)
#define INTERVAL(name, field, fallback, of)                                    \
    INT(name, interval.field, 1, 1024, fallback, "cycles",                     \
        "between two warps entering one unit: " of)
#define STAGE(name, field, fallback, of)                                       \
    INT(name, stage.field, 1, 8, fallback, "registers",                        \
        "on either side of the collectors: " of)
#define MOVES(name, field, of)                                                 \
    INT(name, stage.field, 1, 24, 1, "instructions",                           \
        "that enter and leave the collectors in a read step: " of)
#define TIMING(name, field, fallback, help)                                    \
    INT(name, dram.field, 0, 1000, fallback, "command clocks", help)

#define ENERGY(name, field, fallback, of)                                      \
    REAL(name, energy.field, 0, 1e9, fallback, "pJ", "energy of a " of)

/* Of no effect but with icnt.mesh. */
#define MESH(name, field, fallback, help)                                      \
    {                                                                          \
        name, GPU_INT, offsetof(struct gpu, mesh.field), 0, 10000, fallback,   \
            "cycles", help, NULL,                                              \
            "Huzaifa et al., Inter-kernel Reuse-aware Thread Block "           \
            "Scheduling, Table 2"                                              \
    }

/* The last one is one that files must state, so that one that was cut off in
 * printing is not taken for whole. */
const struct gpu_key gpu_keys[] = {
    INT("arch", arch, 10, 200, 20, "", "compute capability times ten"),
    INT("sms", sms, 1, MAX_SMS, 15, "SMs", "streaming multiprocessors"),

    REAL("clock.core_mhz", clock.core_mhz, 1, 10000, 700, "MHz",
         "clock of the SMs"),
    REAL("clock.icnt_mhz", clock.icnt_mhz, 1, 10000, 700, "MHz",
         "clock of the interconnect"),
    REAL("clock.l2_mhz", clock.l2_mhz, 1, 10000, 700, "MHz",
         "clock of the L2 slices"),
    REAL("clock.dram_mhz", clock.dram_mhz, 1, 100000, 924, "MHz",
         "command clock of the memory"),

    INT("launch.kernel_cycles", launch.kernel_cycles, 0, 10000000, 0, "cycles",
        "from a launch to the start of its first block"),
    INT("launch.block_cycles", launch.block_cycles, 0, 2000, 0, "cycles",
        "from a free block slot to the new block's first fetch"),
    REAL("launch.block_period", launch.block_period, 0, 100000, 0, "cycles",
         "between two blocks that the whole GPU hands out"),

    INT("sm.max_warps", sm.max_warps, 1, 64, 48, "warps", "warp slots"),
    INT("sm.max_blocks", sm.max_blocks, 1, 64, 8, "blocks", "block slots"),
    INT("sm.max_threads", sm.max_threads, 32, 2048, 1536, "threads",
        "resident threads at most"),
    INT("sm.registers", sm.registers, 1024, 1048576, 32768, "registers",
        "32-bit registers of one SM"),
    INT("sm.register_unit", sm.register_unit, 1, 4096, 64, "registers",
        "allocation unit of a warp's registers"),
    INT("sm.warp_granularity", sm.warp_granularity, 1, 16, 2, "warps",
        "warps that have registers are counted in multiples of this"),
    INT("sm.shared_bytes", sm.shared_bytes, 0, 1048576, 49152, "bytes",
        "shared memory of one SM"),
    INT("sm.shared_unit", sm.shared_unit, 1, 65536, 128, "bytes",
        "allocation unit of a block's shared memory"),
    INT("sm.shared_reserved", sm.shared_reserved, 0, 65536, 0, "bytes",
        "shared memory the system keeps of each block"),
    INT("sm.schedulers", sm.schedulers, 1, 8, 2, "schedulers",
        "warp schedulers"),
    INT("sm.issue_width", sm.issue_width, 1, 4, 1, "instructions",
        "of one warp that an issue slot takes at most"),
    INT("sm.issue_period", sm.issue_period, 1, 16, 1, "cycles",
        "between two issue slots of a scheduler"),
    BOOL("sm.dual_distinct", sm.dual_distinct, 1,
         "instructions issued together must go to different units"),
    BOOL("sm.sub_core", sm.sub_core, 0,
         "each scheduler owns its collectors, register banks and units"),
    OPTIONAL_INT("sm.predicate_latency", sm.predicate_latency, 0, 1000, 0,
                 "cycles",
                 "from operands read to predicates, of what writes nothing "
                 "else; where it is less, that of the class",
                 "GPGPU-Sim: that of the class"),
    OPTIONAL_BOOL("sm.turn_blocks", sm.turn_blocks, 0,
                  "a block's warps begin one slot further than those of the "
                  "block before",
                  "GPGPU-Sim: warp 0 has the first slot"),
    OPTIONAL_BOOL("sm.imul_on_sp", sm.imul_on_sp, 0,
                  "integers are multiplied where single precision runs",
                  "as before Volta: by the integer units"),
    OPTIONAL_BOOL("sm.wide_operands", sm.wide_operands, 1,
                  "all registers of an operand are waited for, not one alone",
                  "CUDA Binary Utilities, register pairs and vectors of SASS"),
    OPTIONAL_BOOL(
        "sm.phase_blocks", sm.phase_blocks, 1,
        "a basic block starts a phase (paws), else a dependence alone",
        "Awatramani et al., Sec. IV-B1; their Table II has it not"),

    INT("fetch.warps_per_cycle", fetch.warps_per_cycle, 1, 64, 1, "warps",
        "that are fetched for in one cycle"),
    INT("fetch.buffer", fetch.buffer, 1, 8, 2, "instructions",
        "buffered for a warp"),
    INT("fetch.latency", fetch.latency, 0, 100, 1, "cycles",
        "from a fetch that hits to a decoded instruction"),
    INT("fetch.branch_latency", fetch.branch_latency, 0, 1000, 4, "cycles",
        "from a branch's issue to the next fetch of its warp"),
    OPTIONAL_BOOL("fetch.late_last", fetch.late_last, 0,
                  "of the warps of a cycle the last is decoded a cycle later, "
                  "and those refused take further turns in vain",
                  "all are decoded at once, each has a turn"),
    OPTIONAL_BOOL("fetch.no_end", fetch.no_end, 0,
                  "a warp that has come to its end takes no turn",
                  "it is fetched for once more"),
    BOOL("fetch.when_empty", fetch.when_empty, 0,
         "an empty buffer is refilled, else one that is at most half full"),
    BOOL("fetch.past_branches", fetch.past_branches, 0,
         "fetching goes on past a branch: each is foreseen"),
    INT("fetch.inst_bytes", fetch.inst_bytes, 1, 64, 8, "bytes",
        "size of an instruction"),

    BOOL("icache.perfect", icache.perfect, 0, "every fetch hits"),
    REAL("icache.size_kb", icache.size_kb, 0.125, 65536, 2, "KiB",
         "instruction cache"),
    INT("icache.ways", icache.ways, 1, 1024, 4, "ways", "of a set"),
    INT("icache.line_bytes", icache.line_bytes, 8, 1024, 128, "bytes",
        "of a line"),
    INT("icache.miss_latency", icache.miss_latency, 0, 1000, 120, "cycles",
        "added to a fetch that misses"),
    BOOL("icache.from_l2", icache.from_l2, 0,
         "a miss is a request to the L2, instead of a fixed time"),
    OPTIONAL_REAL("icache.base_mb", icache.base_mb, 0, 4294967296.0, 268435456,
                  "MiB", "the address at which code lies",
                  "above the 47-bit addresses of data"),
    INT("icache.mshr", icache.mshr, 1, 64, 2, "entries",
        "lines that may be outstanding, with icache.from_l2"),
    INT("icache.mshr_merge", icache.mshr_merge, 1, 64, 32, "warps",
        "that can wait for one of them"),

    INT("collector.generic", collector.generic, 0, 128, 0, "collectors",
        "that any class may take; 0: collectors are by class"),
    INT("collector.sp", collector.sp, 0, 24, 6, "collectors",
        "for SP, INT and branches"),
    INT("collector.sfu", collector.sfu, 0, 24, 8, "collectors", "for SFU"),
    INT("collector.dp", collector.dp, 0, 24, 0, "collectors", "for DP"),
    INT("collector.tensor", collector.tensor, 0, 24, 0, "collectors",
        "for tensor operations"),
    INT("collector.mem", collector.mem, 0, 24, 2, "collectors",
        "for loads and stores"),
    INT("collector.banks", collector.banks, 1, 256, 16, "banks",
        "of the register file"),
    INT("collector.ports", collector.ports, 1, 16, 1, "reads",
        "a register bank serves in a cycle"),

    INT("unit.sp", unit.sp, 1, 10, 2, "pipelines", "single precision"),
    INT("unit.int", unit.integer, 0, 10, 0, "pipelines",
        "integer; 0: on the SP pipelines"),
    INT("unit.sfu", unit.sfu, 1, 10, 1, "pipelines", "special functions"),
    INT("unit.dp", unit.dp, 0, 10, 0, "pipelines",
        "double precision; 0: on the SFU pipelines"),
    INT("unit.tensor", unit.tensor, 0, 10, 0, "pipelines",
        "matrix operations; 0: on the SFU pipelines"),
    INT("unit.branch", unit.branch, 0, 10, 0, "pipelines",
        "branches; 0: where integer runs"),
    INT("unit.mem", unit.mem, 1, 10, 1, "pipelines", "loads and stores"),
    INT("unit.results", unit.results, 0, 64, 0, "results",
        "of these that end in a cycle, loads apart; 0: any number"),

    BOOL("stage.registers", stage.registers, 0,
         "pipeline registers before and behind the collectors"),
    STAGE("stage.sp", sp, 2, "for SP"),
    STAGE("stage.int", integer, 2, "for INT"),
    STAGE("stage.sfu", sfu, 1, "for SFU"),
    STAGE("stage.dp", dp, 1, "for DP"),
    STAGE("stage.tensor", tensor, 1, "for tensor operations"),
    STAGE("stage.branch", branch, 1, "for branches"),
    STAGE("stage.mem", mem, 1, "for loads and stores"),
    MOVES("stage.sp_moves", sp_moves, "SP, INT and branches"),
    MOVES("stage.sfu_moves", sfu_moves, "SFU"),
    MOVES("stage.dp_moves", dp_moves, "DP"),
    MOVES("stage.tensor_moves", tensor_moves, "tensor operations"),
    MOVES("stage.mem_moves", mem_moves, "loads and stores"),
    BOOL("stage.by_class", stage.by_class, 0,
         "generic collectors go to classes in a fixed order, not by age"),
    OPTIONAL_BOOL(
        "stage.by_port", stage.by_port, 0,
        "collectors of a kind go to units in the order of their ports, "
        "and register banks serve them in the order of that",
        "both by age"),

    LATENCY("latency.int", integer, 4, "integer add, logic, compare, move"),
    LATENCY("latency.imul", imul, 5, "integer multiply and multiply-add"),
    LATENCY("latency.sp", sp, 4, "single precision"),
    LATENCY("latency.sfu", sfu, 8, "special functions"),
    LATENCY("latency.dp", dp, 8, "double precision"),
    LATENCY("latency.tensor", tensor, 8, "matrix multiply-accumulate"),
    LATENCY("latency.branch", branch, 4, "branches"),

    INTERVAL("interval.int", integer, 1, "integer add, logic, compare, move"),
    INTERVAL("interval.imul", imul, 1, "integer multiply and multiply-add"),
    INTERVAL("interval.sp", sp, 1, "single precision"),
    INTERVAL("interval.sfu", sfu, 8, "special functions"),
    INTERVAL("interval.dp", dp, 8, "double precision"),
    INTERVAL("interval.tensor", tensor, 8, "matrix multiply-accumulate"),
    OPTIONAL_INT("interval.wgmma", interval.wgmma, 0, 1024, 0, "cycles",
                 "as interval.tensor, of warpgroups' products; 0: the same",
                 "as interval.tensor"),
    INTERVAL("interval.branch", branch, 1, "branches"),
    INT("interval.mem", interval.mem, 1, 64, 1, "cycles",
        "between two lines or shared-memory passes of the load/store pipeline"),

    INT("shared.latency", shared.latency, 1, 1000, 26, "cycles",
        "of a shared-memory access without conflicts"),
    INT("shared.banks", shared.banks, 1, 64, 32, "banks", "of shared memory"),
    INT("shared.bank_bytes", shared.bank_bytes, 1, 32, 4, "bytes",
        "a shared-memory bank serves in a cycle"),
    BOOL("shared.wide", shared.wide, 1,
         "an access wider than a bank counts with all its words"),
    OPTIONAL_BOOL("shared.pairs", shared.pairs, 0,
                  "loads wider than a bank take half the passes where pairs of "
                  "lanes read the same address",
                  "CUDA C Programming Guide: halves and quarters of the warp"),

    BOOL("ldst.sectors", ldst.sectors, 0,
         "an access is one sector, not a line with any of its sectors"),
    BOOL("ldst.banked", ldst.banked, 0,
         "L1 accesses of one cycle go to different banks of sectors"),
    OPTIONAL_BOOL("ldst.last_first", ldst.last_first, 0,
                  "transactions of an instruction go from the highest address "
                  "down",
                  "as the lanes come"),
    BOOL("ldst.late_tags", ldst.late_tags, 0,
         "the L1's tags are looked up at the end of its latency"),
    OPTIONAL_BOOL("ldst.one_miss", ldst.one_miss, 0,
                  "what an L1 misses leaves by a queue, one request a cycle, "
                  "and gives its MSHR back once it is written",
                  "at once, and when it is there"),
    BOOL("ldst.write_back", ldst.write_back, 0,
         "one answer a cycle is written back, two cycles after it came"),

    REAL("l1.size_kb", l1.size_kb, 0.125, 4096, 16, "KiB",
         "L1 data cache of one SM"),
    INT("l1.ways", l1.ways, 1, 8192, 4, "ways", "of a set"),
    INT("l1.line_bytes", l1.line_bytes, 32, 1024, 128, "bytes", "of a line"),
    INT("l1.sector_bytes", l1.sector_bytes, 16, 1024, 128, "bytes",
        "a miss fetches; the line size: no sectors"),
    INT("l1.latency", l1.latency, 1, 1000, 35, "cycles", "of a hit"),
    INT("l1.mshr", l1.mshr, 1, 65536, 64, "entries",
        "lines or sectors that may be outstanding"),
    INT("l1.mshr_merge", l1.mshr_merge, 1, 65536, 8, "requests",
        "one such entry can hold"),
    INT("l1.miss_queue", l1.miss_queue, 1, 65536, 8, "requests",
        "that wait for the interconnect"),
    INT("l1.accesses_per_cycle", l1.accesses_per_cycle, 1, 64, 1, "accesses",
        "started in a cycle"),
    OPTIONAL_BOOL("l1.unified", l1.unified, 0,
                  "it has less than its size where blocks have shared memory, "
                  "by the steps of the compute capability",
                  "an L1 with memory of its own"),
    BOOL("l1.caches_global", l1.caches_global, 1,
         "global loads are kept in the L1"),
    ENUM("l1.write_policy", l1.write_policy, L1_WRITE_ALLOCATE,
         L1_WRITE_THROUGH, "what a global store does", write_policy_names),
    OPTIONAL_INT("l1.store_buffer", l1.store_buffer, 0, 65536, 0, "lines",
                 "written to that wait to be written through (back, under gpu "
                 "coherence), 0: all",
                 "no limit of its own"),
    OPTIONAL_REAL("l1.written_percent", l1.written_percent, 0, 100, 0, "%",
                  "of all lines written ones must be to be replaced (allocate)",
                  "GPGPU-Sim, -gpgpu_l1_cache_write_ratio"),
    BOOL("l1.hashed", l1.hashed, 1, "the set index is hashed"),
    OPTIONAL_ENUM("l1.set_hash", l1.set_hash, SETS_XOR, SETS_FOLDED,
                  "how l1.hashed makes it", set_hash_names, "folded"),

    REAL("constant.size_kb", constant.size_kb, 0.125, 4096, 8, "KiB",
         "constant cache of one SM"),
    INT("constant.ways", constant.ways, 1, 8192, 2, "ways", "of a set"),
    INT("constant.line_bytes", constant.line_bytes, 16, 1024, 64, "bytes",
        "of a line"),
    INT("constant.latency", constant.latency, 1, 1000, 8, "cycles", "of a hit"),
    INT("constant.miss_latency", constant.miss_latency, 0, 1000, 240, "cycles",
        "added to an access that misses"),
    OPTIONAL_BOOL("constant.by_address", constant.by_address, 0,
                  "an access serves one address of a warp, not one line",
                  "GPGPU-Sim: a line"),
    OPTIONAL_BOOL("constant.apart", constant.apart, 0,
                  "loads and stores go on while the constant cache works",
                  "GPGPU-Sim: they wait"),
    OPTIONAL_INT("constant.interval", constant.interval, 1, 32, 1, "cycles",
                 "between two accesses of the constant cache",
                 "GPGPU-Sim: one a cycle"),
    REAL("texture.size_kb", texture.size_kb, 0.125, 4096, 12, "KiB",
         "texture cache of one SM"),
    INT("texture.ways", texture.ways, 1, 8192, 24, "ways", "of a set"),
    INT("texture.line_bytes", texture.line_bytes, 16, 1024, 128, "bytes",
        "of a line"),
    INT("texture.latency", texture.latency, 1, 1000, 200, "cycles", "of a hit"),
    OPTIONAL_INT("texture.interval", texture.interval, 1, 32, 1, "cycles",
                 "between two texture instructions of an SM: a warp's lanes "
                 "over its texture units",
                 "GPGPU-Sim: one a cycle"),

    INT("icnt.latency", icnt.latency, 0, 1000, 4, "cycles",
        "one way, without load"),
    INT("icnt.flit_bytes", icnt.flit_bytes, 1, 1024, 40, "bytes",
        "a port moves in an interconnect cycle"),
    INT("icnt.header_bytes", icnt.header_bytes, 0, 1024, 8, "bytes",
        "of a packet"),
    BOOL("icnt.sector_packets", icnt.sector_packets, 0,
         "each sector is asked for and sent in a packet of its own"),
    OPTIONAL_BOOL("icnt.sector_answers", icnt.sector_answers, 0,
                  "a slice parts what it is asked for into sectors, each with "
                  "an answer of its own",
                  "as with icnt.sector_packets: a line is one transfer"),
    OPTIONAL_BOOL("icnt.answer_queue", icnt.answer_queue, 0,
                  "an answer waits a cycle in the SM's queue, which with "
                  "ldst.write_back is a part of a load's way to its register",
                  "only that of a load does"),
    OPTIONAL_BOOL("icnt.by_channel", icnt.by_channel, 0,
                  "the slices of a channel follow each other when ports take "
                  "turns",
                  "all first slices, then all second ones"),
    OPTIONAL_BOOL("icnt.next_step", icnt.next_step, 0,
                  "what an SM sends takes part in the network's step of the "
                  "next cycle",
                  "in that of the same cycle, where a port is free"),
    INT("icnt.input_queue", icnt.input_queue, 0, 65536, 8, "flits",
        "that wait at a port in, beside the L1's or L2's queue"),
    INT("icnt.output_queue", icnt.output_queue, 0, 65536, 8, "sectors",
        "of requests that wait at a port out, beside the slice's queue"),
    OPTIONAL_ENUM("icnt.router", icnt.router, ROUTER_FLITS, ROUTER_NONE,
                  "what joins ports in and ports out: a router moves whole "
                  "packets, or flits, by a step of its own",
                  router_names, "no: each port takes a packet at a time"),
    OPTIONAL_INT("icnt.speedup", icnt.speedup, 1, 8, 1, "steps",
                 "that a router of flits takes a cycle", "BookSim: one"),
    OPTIONAL_BOOL("icnt.virtual_queues", icnt.virtual_queues, 0,
                  "a port in has a queue for each port out, so that no packet "
                  "waits behind one for another port",
                  "GPGPU-Sim: a queue a port"),
    BOOL("icnt.mesh", icnt.mesh, 0,
         "4 x 4 mesh: latencies by distance, from the keys of mesh"),
    MESH("mesh.l2_near", l2_near, 29, "L2 hit, no hop away"),
    MESH("mesh.l2_far", l2_far, 61, "L2 hit, twelve hops there and back"),
    MESH("mesh.remote_near", remote_near, 35,
         "hit in another SM's L1, no hop away"),
    MESH("mesh.remote_far", remote_far, 83,
         "hit in another SM's L1, twelve hops there and back"),
    MESH("mesh.memory_near", memory_near, 197, "memory, no hop away"),
    MESH("mesh.memory_far", memory_far, 261,
         "memory, twelve hops there and back"),
    OPTIONAL_INT("mesh.link_flits", mesh.link_flits, 0, 1024, 0, "flits",
                 "that a link of the mesh passes in an interconnect cycle, 0: "
                 "any number, of all packets",
                 "ports alone bound what passes"),

    REAL("l2.size_kb", l2.size_kb, 1, 1048576, 768, "KiB",
         "L2 of the whole GPU"),
    INT("l2.banks", l2.banks, 1, 1024, 12, "slices",
        "each with a port of its own"),
    INT("l2.ways", l2.ways, 1, 8192, 8, "ways", "of a set"),
    INT("l2.line_bytes", l2.line_bytes, 32, 1024, 128, "bytes", "of a line"),
    INT("l2.sector_bytes", l2.sector_bytes, 16, 1024, 32, "bytes",
        "a miss fetches; the line size: no sectors"),
    INT("l2.latency", l2.latency, 1, 10000, 120, "cycles",
        "of a hit, inside the slice"),
    INT("l2.mshr", l2.mshr, 1, 65536, 256, "entries",
        "lines or sectors a slice may have outstanding"),
    INT("l2.mshr_merge", l2.mshr_merge, 1, 65536, 4, "requests",
        "one such entry can hold"),
    INT("l2.fetch_bytes", l2.fetch_bytes, 16, 1024, 128, "bytes",
        "of a line that one MSHR entry and one request to memory fetch"),
    OPTIONAL_BOOL("l2.fetch_whole", l2.fetch_whole, 0,
                  "all of those bytes come, for any sector that misses",
                  "the sectors that are wanted"),
    INT("l2.queue", l2.queue, 1, 65536, 64, "sectors", "that wait at a slice"),
    OPTIONAL_BOOL("l2.unreserved", l2.unreserved, 0,
                  "packets on the way through a slice have no place in its "
                  "queue yet",
                  "they have"),
    OPTIONAL_BOOL("l2.staged", l2.staged, 0,
                  "an answer leaves a slice a cycle after the access, or two "
                  "after its data have come, one a cycle of what waited",
                  "at once"),
    INT("l2.memory_queue", l2.memory_queue, 1, 65536, 64, "requests",
        "of a slice that wait for the memory controller"),
    REAL("l2.port_bytes", l2.port_bytes, 0.01, 4096, 32, "bytes",
         "a slice's data port moves in an L2 cycle"),
    OPTIONAL_REAL(
        "l2.partial_cycles", l2.partial_cycles, 0, 1024, 0, "cycles",
        "of the L2 that a slice takes, at least, a sector that a store "
        "writes in part",
        "as its bytes take"),
    OPTIONAL_REAL("l2.atomic_cycles", l2.atomic_cycles, 0, 1024, 0, "cycles",
                  "of the L2 that a slice takes for a sector of an atomic, "
                  "times the lanes at the address of it that most share",
                  "a cycle for each of those at the busiest address of all"),
    OPTIONAL_REAL("l2.dirty_share", l2.dirty_share, 0.01, 1, 1, "",
                  "of a set's lines that may be dirty: of more, one is written "
                  "back",
                  "GPGPU-Sim: all"),
    BOOL("l2.hashed", l2.hashed, 0, "the set index of a slice is hashed"),
    OPTIONAL_ENUM("l2.set_hash", l2.set_hash, SETS_XOR, SETS_FOLDED,
                  "how l2.hashed makes it", set_hash_names, "folded"),
    ENUM("l2.slice_hash", l2.slice_hash, SLICE_RANDOM, SLICE_PLAIN,
         "how the slice of an address is hashed", slice_hash_names),
    OPTIONAL_INT("l2.hash_bits", l2.hash_bits, 0, 63, 0, "bits",
                 "of an address above the slice's that ipoly reads; 0: all",
                 "all"),
    INT("l2.interleave_bytes", l2.interleave_bytes, 0, 65536, 0, "bytes",
        "of a channel that lie in one slice; 0: dram.interleave_bytes"),

    REAL("dram.gbps", dram.gbps, 0.01, 100000, 177.4, "GB/s",
         "peak of the whole GPU, 1e9 bytes a second; changed, it takes "
         "clock.dram_mhz with it unless that is given, too"),
    INT("dram.channels", dram.channels, 1, 512, 6, "channels",
        "independent memory channels"),
    INT("dram.burst_bytes", dram.burst_bytes, 8, 1024, 64, "bytes",
        "of one column command"),
    INT("dram.banks", dram.banks, 1, 1024, 16, "banks", "of a channel"),
    INT("dram.bank_groups", dram.bank_groups, 1, 64, 4, "groups",
        "of a channel's banks"),
    BOOL("dram.groups_interleaved", dram.groups_interleaved, 0,
         "neighbouring banks are of different groups"),
    BOOL("dram.rtp_group", dram.rtp_group, 0,
         "dram.rtp holds up precharges of the read's whole bank group"),
    ENUM("dram.bank_hash", dram.bank_hash, BANK_XOR, BANK_ROTATED,
         "how the bank of a row is permuted", bank_hash_names),
    INT("dram.rows", dram.rows, 0, 1073741824, 0, "rows",
        "of a bank, past which addresses wrap; 0: no end"),
    INT("dram.row_bytes", dram.row_bytes, 64, 65536, 4096, "bytes",
        "of one channel's open row"),
    INT("dram.interleave_bytes", dram.interleave_bytes, 32, 65536, 256, "bytes",
        "that lie in one channel before the next one's"),
    INT("dram.queue", dram.queue, 1, 65536, 64, "requests",
        "a channel's scheduler chooses from"),
    INT("dram.in_flight", dram.in_flight, 0, 65536, 0, "requests",
        "of a channel on their way to memory and back; 0: no limit"),
    BOOL("dram.dual_command", dram.dual_command, 0,
         "row and column commands have a bus each"),
    OPTIONAL_BOOL("dram.row_first", dram.row_first, 0,
                  "a row command of a bank in turn before the first that is "
                  "ready for a column goes beside it",
                  "a column command goes first"),
    OPTIONAL_BOOL("dram.clocked", dram.clocked, 0,
                  "one request a command clock goes into the controller, one "
                  "into its queue, and slices take turns",
                  "as many as there is room for, in order"),
    INT("dram.latency", dram.latency, 0, 10000, 100, "cycles",
        "of the memory controller, beside the timing below"),
    TIMING("dram.ccd", ccd, 2, "column command to column command"),
    TIMING("dram.ccdl", ccdl, 3, "the same inside a bank group"),
    TIMING("dram.rrd", rrd, 6, "activate to activate, other bank"),
    TIMING("dram.rcd", rcd, 12, "activate to column command"),
    TIMING("dram.ras", ras, 28, "activate to precharge"),
    TIMING("dram.rp", rp, 12, "precharge to activate"),
    TIMING("dram.rc", rc, 40, "activate to activate, same bank"),
    TIMING("dram.cl", cl, 12, "read command to data"),
    TIMING("dram.wl", wl, 4, "write command to data"),
    TIMING("dram.wtr", wtr, 5, "end of write data to read command"),
    TIMING("dram.wr", wr, 12, "end of write data to precharge"),
    TIMING("dram.rtp", rtp, 2, "read command to precharge"),

    ENERGY("energy.issue", issue, 1271.5,
           "warp instruction: scheduling, decoding, pipeline"),
    ENERGY("energy.icache", icache, 63.43, "access to the instruction cache"),
    ENERGY("energy.constant", constant, 1467, "access to the constant cache"),
    ENERGY("energy.texture", texture, 1353, "access to the texture cache"),
    ENERGY("energy.register_read", register_read, 7.267,
           "register operand read by a lane"),
    ENERGY("energy.register_write", register_write, 5.986,
           "register operand written by a lane"),
    ENERGY("energy.int", integer, 86.24, "lane's integer operation"),
    ENERGY("energy.imul", imul, 213, "lane's integer multiplication"),
    ENERGY("energy.sp", sp, 41.41, "lane's single-precision operation"),
    ENERGY("energy.sfu", sfu, 1293, "lane's special function"),
    ENERGY("energy.dp", dp, 41.41, "lane's double-precision operation"),
    ENERGY("energy.tensor", tensor, 41.41,
           "lane's share of a matrix operation"),
    ENERGY("energy.shared", shared, 2119,
           "pass over the banks of shared memory"),
    ENERGY("energy.l1_read", l1_read, 2935, "line read in an L1"),
    ENERGY("energy.l1_write", l1_write, 220.1, "line written in an L1"),
    ENERGY("energy.l2_read", l2_read, 701.3, "sector read in the L2"),
    ENERGY("energy.l2_write", l2_write, 3462.5, "sector written in the L2"),
    ENERGY("energy.noc", noc, 1939, "flit crossing a link of the interconnect"),
    ENERGY("energy.dram_read", dram_read, 26950, "burst read from memory"),
    ENERGY("energy.dram_write", dram_write, 15860, "burst written to memory"),
    ENERGY("energy.dram_row", dram_row, 4232, "row opened in memory"),

    ENUM("coherence", coherence, COHERENCE_DENOVO, COHERENCE_GPU,
         "of the L1s at kernel boundaries and writes", coherence_names),
};

const size_t gpu_key_count = sizeof(gpu_keys) / sizeof(gpu_keys[0]);

const struct gpu_key *gpu_key_find(const char *key)
{
    for (size_t i = 0; i < gpu_key_count; i++)
        if (strcmp(gpu_keys[i].key, key) == 0)
            return &gpu_keys[i];
    return NULL;
}

double gpu_key_get(const struct gpu *g, const struct gpu_key *key)
{
    const char *at = (const char *)g + key->offset;
    if (key->type == GPU_REAL) {
        double value;
        memcpy(&value, at, sizeof(value));
        return value;
    }
    int value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static void put_value(struct gpu *g, const struct gpu_key *key, double value)
{
    char *at = (char *)g + key->offset;
    if (key->type == GPU_REAL) {
        memcpy(at, &value, sizeof(value));
        return;
    }
    int whole = (int)value;
    memcpy(at, &whole, sizeof(whole));
}

/* Written so that NaN is in no range. */
static bool in_range(const struct gpu_key *key, double value)
{
    return value >= key->min && value <= key->max;
}

bool gpu_key_set(struct gpu *g, const struct gpu_key *key, double value,
                 struct error *e)
{
    const char *space = *key->unit == '\0' ? "" : " ";
    if (!in_range(key, value))
        return error_set(e, STATUS_USAGE,
                         "%s = %.15g: expected %.15g..%.15g%s%s", key->key,
                         value, key->min, key->max, space, key->unit);
    if (key->type != GPU_REAL && value != floor(value))
        return error_set(e, STATUS_USAGE, "%s = %.15g: expected an integer%s%s",
                         key->key, value, space, key->unit);
    put_value(g, key, value);
    return true;
}

void gpu_follow_bandwidth(struct gpu *g, double before)
{
    const struct gpu_key *clock = gpu_key_find("clock.dram_mhz");
    double mhz = g->clock.dram_mhz * g->dram.gbps / before;
    g->clock.dram_mhz = fmin(clock->max, fmax(clock->min, mhz));
}

void gpu_defaults(struct gpu *g)
{
    memset(g, 0, sizeof(*g));
    for (size_t i = 0; i < gpu_key_count; i++)
        gpu_key_set(g, &gpu_keys[i], gpu_keys[i].fallback, NULL);
}

void gpu_blank(struct gpu *g)
{
    memset(g, 0, sizeof(*g));
    for (size_t i = 0; i < gpu_key_count; i++) {
        const struct gpu_key *k = &gpu_keys[i];
        put_value(g, k, k->source != NULL ? k->fallback : k->min - 1);
    }
}

bool gpu_key_is_set(const struct gpu *g, const struct gpu_key *key)
{
    return in_range(key, gpu_key_get(g, key));
}

bool gpu_same(const struct gpu *a, const struct gpu *b)
{
    bool same = true;
    for (size_t i = 0; same && i < gpu_key_count; i++)
        same = gpu_key_get(a, &gpu_keys[i]) == gpu_key_get(b, &gpu_keys[i]);
    return same;
}

uint64_t gpu_hash(const struct gpu *g)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < gpu_key_count; i++) {
        double value = gpu_key_get(g, &gpu_keys[i]);
        hash = hash_bytes(hash, &value, sizeof(value));
    }
    return hash;
}
