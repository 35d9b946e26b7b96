/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which SM's L1 owns a line. The table keeps every line that was ever owned: a
 * registry that is never too small, where a machine's is as large as its L2. */
#ifndef SAMPLER_COHERENCE_OWNERS_H
#define SAMPLER_COHERENCE_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_OWNER (-1)

struct owner_entry {
    uint64_t line; /* UINT64_MAX: free */
    int sm;        /* or NO_OWNER */
};

struct owners {
    struct owner_entry *entry; /* open addressing */
    size_t used, capacity;     /* a power of two */
};

bool owners_init(struct owners *o);
void owners_free(struct owners *o);
int owners_find(const struct owners *o, uint64_t line);
/* False when memory is out; setting NO_OWNER always succeeds. */
bool owners_set(struct owners *o, uint64_t line, int sm);

#endif
