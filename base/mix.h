/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that follow no pattern, the same every time: SplitMix64 (Steele, Lea
 * and Flood, OOPSLA 2014, Fig. 17). */
#ifndef BASE_MIX_H
#define BASE_MIX_H

#include <stdint.h>

/* From one state of the generator to the next. */
#define MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The number that a state gives. */
static inline uint64_t mix_state(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The first number of the generator that begins at x. */
static inline uint64_t mix(uint64_t x)
{
    return mix_state(x + MIX_STEP);
}

#endif
