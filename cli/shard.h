/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --shard: which studies of a run a process takes. */
#ifndef CLI_SHARD_H
#define CLI_SHARD_H

#include "cli/error.h"

/* Those whose number is `number` modulo `of`. */
struct shard {
    uint64_t number, of;
};

/* K/N. ESTIMATE_USAGE unless K is below N. */
bool shard_parse(struct shard *out, const char *text, struct estimate_error *e);

/* Where --shard was not given, what a Slurm array says of this task, with a
 * note on standard error. */
bool shard_of_slurm(struct shard *out, struct estimate_error *e);

#endif
