/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include "cli/page.h"

#include <estimate.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UPDATE_S 0.1 /* between two drawings */

void progress_start(struct progress *p, const char *what, size_t total)
{
    *p = (struct progress){.shown = isatty(STDERR_FILENO) == 1,
                           .what = what,
                           .total = total,
                           .start_s = estimate_clock()};
}

void progress_draw(struct progress *p, const char *name)
{
    char text[256], left[64] = "";
    double now = estimate_clock();
    if (!p->shown || now - p->last_s < UPDATE_S)
        return;
    p->last_s = now;
    double rate = (double)p->done / (now - p->start_s);
    if (p->done > 0)
        snprintf(left, sizeof(left), ", %.3g a second, %.0f s left", rate,
                 (double)(p->total - p->done) / rate);
    snprintf(text, sizeof(text), "%zu/%zu %s%s: %s", p->done, p->total, p->what,
             left, name);
    const struct page page = page_open(stderr, COLOR_NEVER, false);
    fprintf(stderr, "\r%.*s\033[K", page.width - 1, text);
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
