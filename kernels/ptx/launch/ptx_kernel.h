/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX as a kernel for the engines: a launch whose blocks are executed when
 * their streams are read, each by itself over the memory that the launch finds,
 * with what it writes kept apart. What blocks of one launch tell each other
 * through memory is therefore not seen (the kernel's note says so where it
 * shows), but for what atomics return (execute/tickets.h), unless blocks are to
 * find what those before them leave; what earlier launches of a launch file
 * leave is seen.
 *
 * Warps run as they are read, up to the next barrier; where the order of warps
 * may show (execute/warp_order.h) all of a block run in turns of a fixed length
 * instead, so that the streams do not depend on who reads first. */
#ifndef KERNELS_PTX_LAUNCH_PTX_KERNEL_H
#define KERNELS_PTX_LAUNCH_PTX_KERNEL_H

#include "kernels/form/load_options.h"
#include "kernels/ptx/launch/sequence.h"

/* Load the file's entry with the launch and arguments of the options. The
 * first block is executed to see that it can be. */
bool ptx_kernel_load(struct kernel_list *out, const char *path,
                     const struct load_options *o, struct error *e);

/* What a kernel that stands for a turn cannot know from it. */
struct ptx_kernel_about {
    const char *name, *summary;
    uint32_t regs_per_thread; /* 0: the assembler's, or as found from the
                               * instructions */
    const char *regs_from;    /* when they are given */
    uint64_t hash;            /* of all that decides what it executes */
};

/* Add the kernel of turn `turn` to the list, in which there is room; it becomes
 * one more user of the turns. */
bool ptx_kernel_add(struct kernel_list *out, struct ptx_sequence *turns,
                    uint32_t turn, const struct ptx_kernel_about *about,
                    struct error *e);

/* Once all parts are set and ordered: number the versions, ask the assembler
 * for registers where none are given by the options, look for what blocks tell
 * each other, and execute the first block of the first turn, and some others
 * for that, forgetting what they wrote: what is wrong with most launches shows
 * there. */
bool ptx_kernel_prepare(struct ptx_sequence *turns,
                        const struct load_options *o, struct error *e);

#endif
