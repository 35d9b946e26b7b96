/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash of whatever is told apart by one: FNV-1a, 64 bits (Fowler, Noll and
 * Vo; IETF draft-eastlake-fnv). Kept samples are found by such values. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* A step: of a byte, or of a word that is a hash itself. */
static inline uint64_t hash_step(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = hash_step(hash, at[i]);
    return hash;
}

#endif
