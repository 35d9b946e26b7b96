/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/readings.h"

#include <stddef.h>

const struct reading readings[] = {
    {NULL, "window", "half the window", .window = WINDOW_HALF},
    {NULL, "window", "three times the window", .window = WINDOW_TRIPLE},

    {"paws", "machine", "the board", .gpu = "m2090"},
    /* GPGPU-Sim hashes the sets of the L1 from July 2014 on (its commit
     * 94a6b6c5), after 3.2.2; the paper says "v3.2". */
    {"paws", "machine", "hashed L1", .keys = "l1.hashed=true"},
    /* Sec. IV-B2: GTO "always assigns the highest priority to the oldest". */
    {"paws", "policy", "old for gto", .rename = "gto=old"},
    /* Sec. III-C2 and V-E have fetch groups of six warps on a core of two
     * schedulers, Table I a queue of six. */
    {"paws", "policy", "six ready warps a core",
     .rename = "tlrr=tlrr:3 tlgto=tlgto:3 tlpaws=tlpaws:3"},
    /* Sec. IV-B2: "When all the long latency instructions complete". */
    {"paws", "policy", "back when all long operations are done",
     .rename = "tlrr=tlrr:6:0:1 tlgto=tlgto:6:1 tlpaws=tlpaws:6:1"},

    /* Sec. IV-B1: "each basic block starts a new phase"; Table II has two
     * phases for kernels with loops. */
    {"paws", "policy", "phases by dependence alone",
     .keys = "sm.phase_blocks=false"},

    /* The mesh is not at hand: the best numbering that there can be. */
    {"paws", "workload", "CFD's neighbours side by side",
     .kernels = "cfd=paper_repro/kernels/cfd-near.kernel"},
    /* Table II's longest phase, 985 cycles, made with filler. */
    {"paws", "workload", "CFD side by side with phases of Table II's length",
     .kernels = "cfd=paper_repro/kernels/cfd-near-long.kernel"},

    /* No readings of the paper: memory that does not hold anything up. */
    {"paws", "bound", "memory of 1000 GB/s", .keys = "dram.gbps=1000"},
    {"paws", "bound", "L1s of 1 MB", .keys = "l1.size_kb=1024 l1.ways=8"},
    {"paws", "bound", "memory at once",
     .keys = "dram.gbps=1000 l2.latency=1 dram.latency=1 icnt.latency=1"},

    {"perfsat", "machine", "the simulator", .gpu = "m2090-gsim"},
    /* What GPGPU-Sim 3.1.2 had, one at a time: both boards have six memory
     * controllers. */
    {"perfsat", "machine", "an L2 bank a controller of 32 MSHRs",
     .keys = "l2.banks=6 l2.mshr=32"},
    {"perfsat", "machine", "L1 of 32 MSHRs, sets not hashed",
     .keys = "l1.mshr=32 l1.hashed=false"},
    {"perfsat", "machine", "instructions fetched for a warp a cycle",
     .keys = "fetch.warps_per_cycle=1"},
    /* A turn of the search is the first of two decisions, or starts anew. */
    {"perfsat", "policy", "turns do not count", .rename = "perfsat=perfsat:0"},
    /* Sec. IV-B1: by its formula a period is Nmax times a block's time, by its
     * words the time in which Nmax blocks complete. */
    {"perfsat", "policy", "periods of blocks side by side",
     .rename = "perfsat=perfsat:1:1"},
    /* Sec. III-A describes the scheduler as turning about inside a block, and
     * says that the work does not depend on it. */
    {"perfsat", "policy", "lrr for gto", .rename = "gto=lrr"},

    {"kaws", "machine", "the board", .gpu = "titanx"},
    {"kaws", "policy", "old for gto", .rename = "gto=old"},
    /* Its two halves. */
    {"kaws", "policy", "the order alone", .rename = "kaws=kaws-k"},
    {"kaws", "policy", "the sharing alone", .rename = "kaws=kaws-s"},

    {"cawa", "machine", "the board", .gpu = "gtx480"},
    /* The simulator's own configuration has 4 ways, later versions hash. */
    {"cawa", "machine", "4 ways", .keys = "l1.ways=4"},
    {"cawa", "machine", "hashed L1", .keys = "l1.hashed=true"},
    /* Counts of criticality that stop at 0. */
    {"cawa", "policy", "unsigned counts",
     .rename = "gcaws=gcaws:0 cawa=cawa:0"},
    {"cawa", "policy", "old for gto", .rename = "gto=old"},
    {"cawa", "policy", "gcaws without cacp", .rename = "cawa=gcaws"},

    /* The paper names Garnet and a 4 x 4 mesh and nothing else of the network:
     * other flits than Garnet's default, links without contention, the clock
     * of the CPU in place of the compute units'. */
    {"ikra", "machine", "flits of 8 bytes", .keys = "icnt.flit_bytes=8"},
    {"ikra", "machine", "flits of 32 bytes", .keys = "icnt.flit_bytes=32"},
    {"ikra", "machine", "flits of 40 bytes", .keys = "icnt.flit_bytes=40"},
    {"ikra", "machine", "links without contention",
     .keys = "mesh.link_flits=0"},
    {"ikra", "machine", "network at 2 GHz", .keys = "clock.icnt_mhz=2000"},
    /* Its network energies, by McPAT 1.1, are not printed: those of GPUWattch
     * for the GTX 480, 1939 pJ a flit of 40 bytes, by the byte. */
    {"ikra", "machine", "network energy of GPUWattch",
     .keys = "energy.noc=776"},
    /* Table 2 has times of memory and nothing of DRAM. */
    {"ikra", "machine", "DRAM rows that open at once",
     .keys = "dram.rp=1 dram.rcd=1 dram.ras=1 dram.rc=1"},
    /* Sec. 7.1's next size. */
    {"ikra", "machine", "L1s and L2 twice as large",
     .keys = "l1.size_kb=256 l2.size_kb=8192"},
    /* What is not in Table 2's store buffers is written back at once. */
    {"ikra", "machine", "store buffers of any size",
     .keys = "l1.store_buffer=0"},
    /* Sec. 4.4: a unit steals when it "has executed all the" blocks of its
     * chunk; an ID past the chunk's end tells. */
    {"ikra", "policy", "stealing when its own blocks have ended",
     .rename = "steal=steal:0:1"},
    /* Sec. 5.2: "GPGPU-Sim's default GTO". */
    {"ikra", "policy", "lrr for gto", .rename = "gto=lrr"},
    {"ikra", "policy", "old for gto", .rename = "gto=old"},

    {.name = NULL},
};
