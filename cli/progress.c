/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <estimate.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UPDATE_S 0.1 /* between two drawings */

void progress_start(struct progress *p)
{
    *p = (struct progress){.shown = isatty(STDERR_FILENO) == 1,
                           .start_s = estimate_clock()};
}

void progress_update(void *progress, int done, int total)
{
    struct progress *p = progress;
    double now = estimate_clock();
    if (!p->shown || done == 0 || now - p->last_s < UPDATE_S)
        return;
    p->last_s = now;
    double rate = done / (now - p->start_s);
    fprintf(stderr, "\r%d/%d, %.1f a second, %.0f s left \033[K", done, total,
            rate, (total - done) / rate);
}

void print_lines(const char *about, const char *text)
{
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(stderr, "estimate: %s: %.*s\n", about, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void progress_end(struct progress *p)
{
    if (p->shown && p->last_s > 0)
        fputs("\r\033[K", stderr);
}
