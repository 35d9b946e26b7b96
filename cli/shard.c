/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shard.h"

#include "cli/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shard_parse(struct shard *out, const char *text, struct estimate_error *e)
{
    char number[VALUE_MAX];
    const char *slash = strchr(text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text) : 0;
    if (length > 0 && length < sizeof(number)) {
        memcpy(number, text, length);
        number[length] = '\0';
        if (parse_u64(slash + 1, 1, UINT32_MAX, &out->of) &&
            parse_u64(number, 0, out->of - 1, &out->number))
            return true;
    }
    return fail(e, ESTIMATE_USAGE,
                "--shard %s: expected K/N, whole numbers, K from 0 to N-1",
                text);
}

/* The number that a variable holds, or `otherwise`. */
static bool variable(uint64_t *out, const char *name, uint64_t otherwise,
                     struct estimate_error *e)
{
    const char *text = getenv(name);
    *out = otherwise;
    return text == NULL || parse_u64(text, 0, UINT32_MAX, out) ||
           fail(e, ESTIMATE_USAGE, "%s=%s: expected a whole number", name,
                text);
}

bool shard_of_slurm(struct shard *out, struct estimate_error *e)
{
    uint64_t id, count, first, step;
    if (getenv("SLURM_ARRAY_TASK_ID") == NULL ||
        getenv("SLURM_ARRAY_TASK_COUNT") == NULL)
        return true;
    if (!variable(&id, "SLURM_ARRAY_TASK_ID", 0, e) ||
        !variable(&count, "SLURM_ARRAY_TASK_COUNT", 0, e) ||
        !variable(&first, "SLURM_ARRAY_TASK_MIN", 0, e) ||
        !variable(&step, "SLURM_ARRAY_TASK_STEP", 1, e))
        return false;
    if (step == 0 || id < first || (id - first) / step >= count)
        return fail(e, ESTIMATE_USAGE,
                    "SLURM_ARRAY_TASK_ID=%llu: is none of %llu tasks from %llu "
                    "on (--shard K/N says which studies to take)",
                    (unsigned long long)id, (unsigned long long)count,
                    (unsigned long long)first);
    *out = (struct shard){(id - first) / step, count};
    fprintf(stderr, "estimate: note: shard %llu/%llu, as this Slurm task\n",
            (unsigned long long)out->number, (unsigned long long)out->of);
    return true;
}
