/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line on standard error, rewritten in place, when that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;
    double start_s, last_s; /* of estimate_clock() */
};

void progress_start(struct progress *p);
/* calib_options.progress: calls are serialised by the caller. */
void progress_update(void *progress, int done, int total);
/* Each line of text on standard error, behind what it is about. */
void print_lines(const char *about, const char *text);
void progress_end(struct progress *p); /* clears the line */

#endif
