/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the program that stands outside, and its parts. */
#ifndef TESTS_OUTSIDE_CHECK_H
#define TESTS_OUTSIDE_CHECK_H

#include <estimate.h>
#include <stdbool.h>
#include <stdint.h>

/* Count the check and print it when it does not hold. Returns `what`. */
bool holds(bool what, const char *file, int line, const char *text);

#define CHECK(what) holds((what), __FILE__, __LINE__, #what)

/* For what has to be there for the rest to make sense. */
#define NEED(what)                                                             \
    do {                                                                       \
        if (!CHECK(what))                                                      \
            return;                                                            \
    } while (0)

/* The input with a grid of so many blocks, few enough to be run in detail; NULL
 * when it is refused, which is printed. */
struct estimate_input *load(const char *input, uint32_t grid);

/* The parts, each of which counts its checks; what they keep goes to `folder`.
 */
void lists(void);
void slips(void);
void machines(void);
void ptx(void);
void execution(void);
void devices(const char *folder); /* launches over memory of one's own */
void sweep(void);
void cancelled(void);
void calibrate(const char *folder);
void detail(void);
void schedulers(void);
void other_kinds(void);

#endif
