/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which SM's L1 owns each word of a line. The table keeps every line of which a
 * word was ever owned: a registry that is never too small, where a machine's is
 * as large as its L2. */
#ifndef SAMPLER_MEMORY_OWNERS_H
#define SAMPLER_MEMORY_OWNERS_H

#include "configs/gpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_OWNER (-1)

struct owner_entry {
    uint64_t key;           /* line + 1, or 0: free */
    int16_t sm[LINE_WORDS]; /* or NO_OWNER */
};

struct owners {
    struct owner_entry *entry; /* open addressing */
    size_t used, capacity;     /* a power of two */
};

/* False when memory is out. An all-zero struct may be freed. */
bool owners_init(struct owners *o);
void owners_free(struct owners *o);
/* The words of a line that `sm` owns. */
uint32_t owners_words(const struct owners *o, uint64_t line, int sm);
/* The words of a line that anybody owns. */
uint32_t owners_any(const struct owners *o, uint64_t line);
/* An SM other than `but` that owns some of `words`, and which of them; 0 words
 * when there is none. */
uint32_t owners_other(const struct owners *o, uint64_t line, uint32_t words,
                      int but, int *sm);
/* False when memory is out; setting NO_OWNER always succeeds. */
bool owners_set(struct owners *o, uint64_t line, uint32_t words, int sm);

#endif
