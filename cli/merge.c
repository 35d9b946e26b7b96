/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate merge: what the stores of shards hold, in one. */
#include "cli/commands.h"
#include "cli/options.h"

#include <stdio.h>

static void print_missing(void *user, const char *name, size_t shard,
                          size_t shards)
{
    size_t *count = user;
    ++*count;
    printf("missing: %s (shard %zu/%zu)\n", name, shard, shards);
}

int run_merge(const struct options *o, struct estimate_error *e)
{
    size_t missing = 0;
    if (o->inputs == 0 || o->outputs != 1) {
        fail(e, ESTIMATE_USAGE, "merge: expected A.db [B.db...] -o C.db");
        return ESTIMATE_USAGE;
    }
    if (!estimate_stores_merge(o->input, o->inputs, o->output[0].path,
                               print_missing, &missing, e))
        return e->status;
    if (missing == 0)
        return ESTIMATE_OK;
    fail(e, ESTIMATE_LIMIT, "%s: %zu stud%s missing", o->output[0].path,
         missing, missing == 1 ? "y is" : "ies are");
    return ESTIMATE_LIMIT;
}
