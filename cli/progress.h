/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line on standard error, rewritten in place, when that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool shown;
    const char *what;
    size_t done, total;
    double start_s, last_s; /* of estimate_clock() */
};

/* `what` are counted. */
void progress_start(struct progress *p, const char *what, size_t total);
/* Draw how far it is, at most ten times a second; `name`: what is worked on.
 * Calls are serialised by the caller. */
void progress_draw(struct progress *p, const char *name);
/* Each line of text on standard error, behind what it is about. */
void print_lines(const char *about, const char *text);
void progress_end(struct progress *p); /* clears the line */

#endif
