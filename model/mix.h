/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that follow no pattern, the same every time: splitmix64 (Steele, Lea
 * and Flood, OOPSLA 2014, Fig. 17). */
#ifndef MODEL_MIX_H
#define MODEL_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
