/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops over arrays of a fixed size, for processors with wider or fused
 * instructions as well as for all: what they compute is the same. */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

/* Before a function: a version of it for processors with `feature`, which is
 * taken where there is one, beside the one for all. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&    \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_PROCESSORS(feature)                                                \
    __attribute__((target_clones(feature, "default")))
#else
#define FOR_PROCESSORS(feature)
#endif

/* Before a loop: no turn reads what another one has written. Arrays may be the
 * same, or apart. */
#if defined(__GNUC__) && !defined(__clang__)
#define TURNS_APART _Pragma("GCC ivdep")
#else
#define TURNS_APART
#endif

/* Before a loop of few turns, so many as are known: all are written out, and
 * arrays that it goes through can stay in registers. */
#if defined(__GNUC__) && !defined(__clang__)
#define TURNS_WRITTEN_OUT _Pragma("GCC unroll 16")
#else
#define TURNS_WRITTEN_OUT
#endif

#endif
