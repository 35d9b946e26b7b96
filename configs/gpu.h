/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU: everything the sampler and the model need to know of a machine. Every
 * field is a key of the configuration file (configs/gpu_keys.c lists key,
 * range, default, unit and meaning); `--sweep KEY=...` may vary any of them.
 * Cycles are core cycles unless the name says otherwise. */
#ifndef CONFIGS_GPU_H
#define CONFIGS_GPU_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct kernel;

enum l1_write_policy {
    L1_WRITE_THROUGH, /* no allocate; a hit line is evicted (Fermi global) */
    L1_WRITE_UPDATE,  /* through, no allocate, a hit sector is updated */
    L1_WRITE_BACK,    /* allocate without fetch, written back on eviction */
    L1_WRITE_ALLOCATE /* through; allocate without fetch */
};

/* What moves packets from ports in to ports out. */
enum icnt_router {
    ROUTER_NONE,    /* ports that take turns */
    ROUTER_PACKETS, /* GPGPU-Sim's local crossbar */
    ROUTER_FLITS    /* its intersim2, which is BookSim 2 */
};

/* How the index of a hashed set follows from a line's address. */
enum set_hash {
    SETS_FOLDED, /* pieces as long as an index, added */
    SETS_FERMI,  /* five bits, exclusive or: Nugteren et al., HPCA 2014 */
    SETS_IPOLY,  /* modulo a polynomial: Rau, ISCA 1991 */
    SETS_XOR     /* the next piece, exclusive or */
};

/* Which L2 slice an address belongs to, beyond the bits that would say so. */
enum slice_hash {
    SLICE_PLAIN,
    SLICE_ROTATED, /* by the sum of the upper bits, five at a time */
    SLICE_IPOLY,   /* remainder of a polynomial (Rau, ISCA 1991) */
    SLICE_RANDOM   /* as good as random, line by line */
};

/* Which bank of a channel a row belongs to. */
enum bank_hash {
    BANK_PLAIN,
    BANK_ROTATED, /* by the row's number (Zhang et al., MICRO 2000) */
    BANK_XOR      /* exclusive or with the row's lowest bits (ibidem) */
};

enum coherence { COHERENCE_GPU, COHERENCE_DENOVO };

/* SMs of a GPU, at most. Chosen. */
#define MAX_SMS 1024

/* Denovo owns words (WORD_BYTES), of at most as many a line. */
#define LINE_WORDS 32

/* How long kernels that were measured on the GPU itself take: of `kernels` of
 * them `held` take less_pct less to more_pct more cycles than samples say; all
 * 0: none were measured. */
struct gpu_measured {
    double kernels, held;
    double less_pct, more_pct;
};

struct gpu {
    char name[64];
    char summary[128];
    struct gpu_measured measured; /* no key: of this GPU, and of no other that
                                   * is made from it */
    char sched[16]; /* warp scheduler that a gpgpusim.config names, or empty */
    int arch;       /* 20 = Fermi sm_20, 35, 61, 70, 80, 90 */
    int sms;

    struct {
        double core_mhz, icnt_mhz, l2_mhz, dram_mhz; /* dram: command clock */
    } clock;

    struct {
        int kernel_cycles; /* from launch to the first block's start */
        int block_cycles;  /* from a free slot to the new block's first fetch */
        double block_period; /* between two blocks the whole GPU hands out */
    } launch;

    struct {
        int max_warps, max_blocks, max_threads;
        int registers;        /* 32-bit registers of one SM */
        int register_unit;    /* allocation unit of a warp's registers */
        int warp_granularity; /* warps are allocated in multiples of this */
        int shared_bytes;
        int shared_unit;     /* allocation unit of a block's shared memory */
        int shared_reserved; /* shared bytes the system keeps of each block */
        int schedulers;
        int issue_width;   /* instructions of one warp an issue slot takes */
        int issue_period;  /* cycles between a scheduler's issue slots */
        int dual_distinct; /* bool: the second must go to another unit */
        int sub_core;      /* bool: each scheduler owns collectors and units */
        int predicate_latency; /* of what writes predicates alone, if longer
                                * than its class's */
        int turn_blocks;   /* bool: the first warp of a block has the warp slot
                            * behind that of the block before in its slots */
        int imul_on_sp;    /* bool: integers are multiplied where single
                            * precision runs */
        int wide_operands; /* bool: all registers of an operand of 64 bits or
                            * more are waited for and read, else the first */
        int phase_blocks;  /* bool: policies are told of phases that basic
                            * blocks end, else by dependence alone */
    } sm;

    struct {
        int warps_per_cycle; /* warps fetched for in one cycle */
        int buffer;          /* instruction buffer entries a warp */
        int latency;         /* from fetch to a decoded instruction */
        int branch_latency;  /* from a branch's issue to the next fetch */
        int when_empty;      /* bool: an empty buffer is refilled, else one that
                              * is at most half full */
        int no_end;          /* bool: a warp at its end takes no turn */
        int late_last;       /* bool: the last of a cycle is decoded a cycle
                              * later */
        int past_branches;   /* bool: every branch is foreseen */
        int inst_bytes;      /* size of an instruction: 8 or 16 */
    } fetch;

    struct {
        int perfect; /* bool */
        double size_kb;
        int ways, line_bytes;
        int miss_latency;
        int from_l2;    /* bool: a miss is a request to the L2 instead */
        double base_mb; /* where code lies, MiB */
        int mshr, mshr_merge;
    } icache;

    struct {
        int generic; /* collectors any class may take; 0: by class */
        int sp, sfu, dp, tensor, mem;
        int banks; /* register banks */
        int ports; /* reads a bank serves in a cycle; with stage.registers the
                    * read steps of a cycle */
    } collector;

    struct {
        /* Pipelines; 0: another kind executes what they would (exec.h). */
        int sp, integer, sfu, dp, tensor, branch, mem;
        int results; /* of all but mem that end in a cycle, 0 = any number */
    } unit;

    /* Pipeline registers (GPGPU-Sim 3.x manual, "Pipeline"). With them an
     * instruction goes from issue to a register, to a collector, to a second
     * register and to its unit, and its result goes to a third register, each
     * in a cycle or read step. Dependent instructions then issue latency + 6
     * cycles apart with one read step a cycle, and latency + 5 with more. */
    struct {
        int registers; /* bool */
        /* Registers of a class on either side; with sm.sub_core divided among
         * the schedulers. */
        int sp, integer, sfu, dp, tensor, branch, mem;
        /* Instructions of a class that enter, and that leave, collectors of
         * their own in a read step. */
        int sp_moves, sfu_moves, dp_moves, tensor_moves, mem_moves;
        /* bool: collectors that any class may take go to SP, SFU, MEM, TENSOR,
         * DP, INT and BRANCH in this order, only to the oldest instruction of
         * each; else to the oldest that finds one. */
        int by_class;
        /* bool: units are served in the order of their ports */
        int by_port;
    } stage;

    struct {
        int integer, imul, sp, sfu, dp, tensor, branch;
    } latency;

    struct {
        int integer, imul, sp, sfu, dp, tensor, branch, mem;
        int wgmma; /* as tensor, of wgmma; 0: the same */
    } interval;    /* initiation intervals; mem: between two accesses (line or
                    * shared-memory pass) of the load/store pipeline */

    struct {
        int latency, banks, bank_bytes;
        int wide;  /* bool: an access wider than a bank counts with all its
                    * words, else with its first */
        int pairs; /* bool: loads as in shared_conflict_degree() */
    } shared;

    struct {
        int sectors;    /* bool: an access is a sector of L1 or L2, not a line
                         * with any of its sectors */
        int banked;     /* bool: L1 accesses of one cycle go to different banks,
                         * sectors in turn, and past the L1 there is one */
        int last_first; /* bool: transactions go from the last address down */
        int late_tags;  /* bool: the L1's tags are looked up when its latency
                         * is over, for stores too */
        int one_miss;   /* bool: one request a cycle leaves the L1's miss queue,
                         * of which a load's asks for two places */
        int write_back; /* bool: one answer a cycle is written back, two cycles
                         * after it has come */
    } ldst;

    struct {
        double size_kb;
        int ways, line_bytes, sector_bytes; /* sector = line: not sectored */
        int latency;
        int mshr, mshr_merge, miss_queue;
        int accesses_per_cycle;
        int unified;       /* bool: its memory is the shared memory, too, of
                            * which size_kb is what it has beside the least
                            * that is set apart */
        int caches_global; /* bool: global loads go through it */
        int write_policy;  /* enum l1_write_policy */
        int store_buffer;  /* lines; 0: as many as the L1 holds */
        int hashed;        /* bool: set index is hashed */
        int set_hash;      /* enum set_hash, how */
        /* With L1_WRITE_ALLOCATE: lines that a store has written to are
         * replaced when they are this share of all lines, in percent. */
        double written_percent;
    } l1;

    struct {
        double size_kb;
        int ways, line_bytes, latency, miss_latency;
        int by_address; /* bool: an access serves one address of a warp, else
                         * one line */
        int apart;      /* bool: beside the load/store unit, which goes on */
        int interval;   /* between two accesses */
    } constant;

    struct {
        double size_kb;
        int ways, line_bytes, latency; /* of a hit; the L2 serves a miss */
        int interval;                  /* between two instructions */
    } texture;

    struct {
        int latency;        /* one way, core cycles, unloaded */
        int flit_bytes;     /* bytes a port moves in an interconnect cycle */
        int header_bytes;   /* of a packet */
        int sector_packets; /* bool: each sector in a packet of its own */
        int sector_answers; /* bool: each at least in an answer of its own,
                             * those to stores too */
        int input_queue;    /* flits at a port in, beside the caches' queues */
        int output_queue;   /* requests at a port out, beside the slice's */
        int router;         /* enum icnt_router */
        int speedup;        /* of a router of flits: steps a cycle */
        int virtual_queues; /* bool: at a port in one for every port out */
        int by_channel;   /* bool: a channel's slices are neighbours as ports */
        int answer_queue; /* bool: answers wait a cycle at the SM */
        int next_step; /* bool: what an SM sends takes part in the next cycle */
        int mesh;      /* bool: 4 x 4 mesh latencies by distance */
    } icnt;

    /* With icnt.mesh: cycles from a request's start to its data when the other
     * end is h hops away are near + (far - near) * h / 12. Memory takes no less
     * than its controller and an access to an idle bank do. */
    struct {
        int l2_near, l2_far, remote_near, remote_far, memory_near, memory_far;
        int link_flits; /* that a link passes in an interconnect cycle; 0: any
                         * number */
    } mesh;

    struct {
        double size_kb; /* of the whole GPU */
        int banks;      /* slices, each with a port of its own */
        int ways, line_bytes, sector_bytes;
        int latency; /* of a hit inside the slice, core cycles */
        int mshr, mshr_merge;
        int fetch_bytes;   /* of a line that one MSHR entry and one request to
                            * memory fetch */
        int fetch_whole;   /* bool: all of them, for any sector that misses */
        int queue;         /* sectors waiting at a slice */
        int unreserved;    /* bool: those under way have no place in it */
        int staged;        /* bool: queues behind its tags take a cycle each */
        int memory_queue;  /* requests waiting there for the controller */
        double port_bytes; /* bytes its data port moves in an L2 cycle; a
                            * slice of the GPU may have a fraction */
        double partial_cycles; /* L2 cycles that a slice takes, at least, a
                                * sector that a store writes in part */
        double atomic_cycles;  /* ... that an atomic changes, for each of the
                                * lanes at its busiest address; 0: one for
                                * those of all its sectors; a slice of the GPU
                                * may have a multiple of both */
        double dirty_share;    /* of a set's lines may be dirty */
        int hashed;            /* bool: set index is hashed */
        int set_hash;          /* enum set_hash, how */
        int slice_hash;        /* enum slice_hash */
        int hash_bits; /* above those of the slice that it reads; 0: all */
        int interleave_bytes; /* consecutive bytes of a channel in one slice; 0:
                               * as many as in one channel */
    } l2;

    struct {
        double gbps; /* peak of the whole GPU, 1e9 bytes a second */
        int channels;
        int burst_bytes; /* bytes of one column command */
        int banks, bank_groups;
        int groups_interleaved; /* bool: neighbour banks are of other groups */
        int rtp_group;          /* bool: rtp holds for the whole bank group */
        int bank_hash;          /* enum bank_hash */
        int rows;      /* of a bank, past which addresses wrap; 0: no end */
        int row_bytes; /* of one channel's open row */
        int interleave_bytes; /* consecutive bytes of one channel */
        int queue;
        int in_flight;    /* requests of a channel from the controller's door to
                           * their data; 0: as many as pipeline and queue hold */
        int dual_command; /* bool: row and column commands side by side */
        int row_first;    /* bool: without that, a row command of a bank before
                           * the first ready for a column goes with it */
        int clocked; /* bool: one request a command clock goes in, on, back */
        int latency; /* controller pipeline, core cycles */
        /* timing in command clocks (JEDEC names) */
        int ccd, ccdl, rrd, rcd, ras, rp, rc, cl, wl, wtr, wr, rtp;
    } dram;

    int coherence; /* enum coherence */

    /* Picojoules an event (sampler/energy.h). */
    struct {
        double issue; /* a warp instruction: scheduling, decoding, pipeline */
        double icache, constant, texture;          /* an access */
        double register_read, register_write;      /* a lane's operand */
        double integer, imul, sp, sfu, dp, tensor; /* a lane's operation */
        double shared;                             /* a pass over the banks */
        double l1_read, l1_write;                  /* a line */
        double l2_read, l2_write;                  /* a sector */
        double noc;                                /* a flit over a link */
        double dram_read, dram_write;              /* a burst */
        double dram_row;                           /* opening another row */
    } energy;
};

enum gpu_key_type { GPU_INT, GPU_REAL, GPU_BOOL, GPU_ENUM };

/* One row a key: everything that reads, checks, prints or sweeps keys uses this
 * table. */
struct gpu_key {
    const char *key; /* "l1.size_kb" */
    enum gpu_key_type type;
    size_t offset;
    double min, max;
    double fallback; /* value where a gpgpusim.config has no say */
    const char *unit;
    const char *help;
    const char *const *names; /* GPU_ENUM: the values' names, NULL-ended */
    const char *source; /* where the fallback is from, of a key that files may
                         * leave out; NULL: of one that they must state */
};

extern const struct gpu_key gpu_keys[];
extern const size_t gpu_key_count;

const struct gpu_key *gpu_key_find(const char *key);
double gpu_key_get(const struct gpu *g, const struct gpu_key *key);
/* False with e (STATUS_USAGE) when value is out of range or not an integer. */
bool gpu_key_set(struct gpu *g, const struct gpu_key *key, double value,
                 struct error *e);

/* A value as text: the name of an enum's, true or false, or a number that reads
 * back to the same. GPU_VALUE_BYTES hold any. */
#define GPU_VALUE_BYTES 64
void gpu_key_text(const struct gpu *g, const struct gpu_key *key, char *out,
                  size_t size);
bool gpu_key_set_text(struct gpu *g, const struct gpu_key *key,
                      const char *text, struct error *e);
/* What a key takes: "1..1024 SMs", "true or false", "\"gpu\", \"denovo\"". */
void gpu_key_expected(const struct gpu_key *key, char *out, size_t size);
/* The key that a wrong name is a likely slip of, or NULL. */
const char *gpu_key_nearest(const char *name);

/* The two by a key's name; an unknown one is STATUS_USAGE with the nearest.
 * What spans keys is not checked: gpu_validate(). */
bool gpu_set(struct gpu *g, const char *name, const char *text,
             struct error *e);
bool gpu_get(const struct gpu *g, const char *name, char *out, size_t size,
             struct error *e);

/* A bundled GPU's name, a libconfig file (.cfg), or a gpgpusim.config with its
 * trace.config beside it, or their folder. A .cfg states every key, or only
 * those that differ from another GPU, which it names: base = "m2090", or the
 * path of a file seen from its own folder. Unknown names are STATUS_USAGE with
 * the nearest one. Options of a gpgpusim.config without a counterpart are
 * listed, comma separated, in `ignored` (may be NULL; truncated to size). */
bool gpu_load(struct gpu *g, const char *name_or_path, char *ignored,
              size_t ignored_size, struct error *e);

/* dram.gbps of a whole GPU was `before`, and is now another: a memory of the
 * same width has another bandwidth by another clock, so that clock.dram_mhz
 * goes with it, as far as its range does, and with that all timings that are
 * counted in its clocks. */
void gpu_follow_bandwidth(struct gpu *g, double before);

/* Consistency of the whole: ranges hold key by key, here what spans keys (sets
 * are whole, schedulers divide warps, ...). Run after every change. */
bool gpu_validate(const struct gpu *g, struct error *e);

const char *const *gpu_bundled_names(size_t *count);

/* The GPU slice of `sms` SMs with their share of L2 and DRAM bandwidth, as
 * samples use it. 1 <= sms <= g->sms. */
void gpu_slice(struct gpu *out, const struct gpu *g, int sms);

/* Give a GPU slice of g another share of the lines of g's L2, 0..1: lines that
 * all SMs use are there once, whatever the number of SMs. */
void gpu_slice_capacity(struct gpu *slice, const struct gpu *g, double share);

/* Flits that an interconnect with so many ports in, of one queue each, and out
 * moves in a cycle when all queues are full of packets for any port. */
double gpu_crossbar_flits(double in, double out);
/* Likewise of this GPU's: with icnt.virtual_queues all ports move. */
double gpu_network_flits(const struct gpu *g, double in, double out);

/* Of every key, not of the name. */
uint64_t gpu_hash(const struct gpu *g);
bool gpu_same(const struct gpu *a, const struct gpu *b);

/* The GPU as kernels that run one after another find it: with l1.unified the L1
 * has what the one with the most shared memory leaves (configs/unified_l1.c).
 */
void gpu_for_kernels(struct gpu *out, const struct gpu *g,
                     struct kernel *const *kernels, size_t count);

/* Occupancy, by the rules of the CUDA C++ Programming Guide and the occupancy
 * calculator. */
enum occupancy_limit {
    LIMIT_BLOCKS,
    LIMIT_WARPS,
    LIMIT_THREADS,
    LIMIT_SHARED,
    LIMIT_REGISTERS
};

/* Blocks of k that fit on one SM at once; 0 when not even one does. *limit (may
 * be NULL) tells which resource is the tightest. */
int occupancy_blocks(const struct gpu *g, const struct kernel *k,
                     enum occupancy_limit *limit);
const char *occupancy_limit_name(enum occupancy_limit limit);
/* Says in e that not even one block of k fits on an SM, and why; false. */
bool occupancy_none_fits(const struct gpu *g, const struct kernel *k,
                         struct error *e);

#endif
