/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the program that stands outside, and its parts. */
#ifndef TESTS_OUTSIDE_CHECK_H
#define TESTS_OUTSIDE_CHECK_H

#include <stdbool.h>

/* Count the check and print it when it does not hold. Returns `what`. */
bool holds(bool what, const char *file, int line, const char *text);

#define CHECK(what) holds((what), __FILE__, __LINE__, #what)

/* For what has to be there for the rest to make sense. */
#define NEED(what)                                                             \
    do {                                                                       \
        if (!CHECK(what))                                                      \
            return;                                                            \
    } while (0)

/* Launches over memory of one's own; what is kept goes to `folder`. */
void devices(const char *folder);

#endif
