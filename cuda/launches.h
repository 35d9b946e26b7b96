/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launches of a program, in order: each is executed, and told of in
 * FOLDER/launches.tsv with the launch file that stands for it. A kernel under
 * one geometry is kept the first time and where it has other arguments, or
 * executes another number of instructions, than those kept so far. Launches
 * that are not asked for are not told of; where the program takes times, they
 * are kept as well, in a folder below. */
#ifndef CUDA_LAUNCHES_H
#define CUDA_LAUNCHES_H

#include "cuda/modules.h"
#include "cuda/types.h"

/* Two launches of a kernel behave alike when their arguments are the same, but
 * for which buffers of one size they are, and their instructions differ by at
 * most this share; so many that do not are kept of a geometry. */
#define ALIKE          0.1
#define BEHAVIOURS_MAX 8

#define OTHERS "others" /* the folder of launches that are not asked for */

struct launches;

/* Where and which by the options FOLDER, LAUNCH, KERNEL and MAX_LAUNCHES of
 * run_option(). Without a folder nothing is kept. NULL with e set. */
struct launches *launches_open(struct machine *m, struct estimate_error *e);

/* Execute one. A fault ends the program. */
cudaError_t launches_run(struct launches *l, struct registered_kernel *k,
                         const struct estimate_call *call);

/* From now on the program may ask for times. */
void launches_will_be_timed(struct launches *l);

/* What was done for those so far: a launch that repeats another is not
 * executed; one that is looked at is executed with its memory kept apart, which
 * takes as long again. */
struct launches_work {
    size_t executed, looked_at;
};
struct launches_work launches_work(const struct launches *l);

/* How many there were so far, and the time that those from `first` to before
 * `end` take as estimated, microseconds. */
size_t launches_count(const struct launches *l);
double launches_time(struct launches *l, size_t first, size_t end);

#endif
