/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the papers print of the kernels that are bundled: typed from their
 * tables, for the programs that judge the papers' claims and for the tests of
 * the kernel files. */
#ifndef PAPER_REPRO_TABLES_H
#define PAPER_REPRO_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* paws Table II: a kernel on the Tesla M2090. Lengths are cycles. */
struct paws_row {
    const char *kernel;
    uint64_t total_blocks;
    uint32_t threads; /* of a block */
    int blocks_per_core;
    uint32_t phases, longest, shortest;
};

/* perfsat Table II: registers and threads of a block; on either board the
 * largest number of blocks that an SM holds, the best one, and how performance
 * goes with it: up to the end, up to less than the end, or down again. */
enum perfsat_class { C_STRONG, C_WEAK, MEM };
enum perfsat_board { FERMI, KEPLER, PERFSAT_BOARDS };
struct perfsat_row {
    const char *kernel;
    uint32_t register_bytes, threads;
    struct {
        int max, best;
        enum perfsat_class class;
    } on[PERFSAT_BOARDS];
};

/* kaws Table 2: cycles of the last block on average over the launches, under
 * gto and kaws, and the latter in percent of the former. */
struct kaws_row {
    const char *kernel;
    double gto, kaws, percent;
};

/* ikra Table 1: dependences between launches, percent. */
struct ikra_row {
    const char *kernel;
    double self, ghost, other;
};

/* ikra Table 3: the most threads of a block and blocks of a launch; of the
 * irregular applications the size of the input, NAN of the others. */
struct ikra_application {
    const char *kernel;
    double threads, blocks, kilobytes;
};

/* In the papers' order. */
extern const struct ikra_application ikra_table3[];
extern const size_t ikra_table3_rows;
extern const struct ikra_row ikra_table1[];
extern const size_t ikra_table1_rows;
extern const struct paws_row paws_table2[];
extern const size_t paws_table2_rows;
extern const struct kaws_row kaws_table2[];
extern const size_t kaws_table2_rows;
extern const struct perfsat_row perfsat_table2[];
extern const size_t perfsat_table2_rows;

#endif
