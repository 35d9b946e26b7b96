/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What points run, as text: what their results are kept under in place of the
 * rule that chose their window, so that another rule leaves those whose window
 * stays. */
#ifndef PAPER_REPRO_PARTS_H
#define PAPER_REPRO_PARTS_H

#include "paper_repro/lab.h"

/* What was found out, once for all points that share a window. Any number of
 * threads may use it. */
struct parts;

/* NULL when memory is out. */
struct parts *parts_create(void);
void parts_free(struct parts *s);

/* "sms=4 first=0 launches=1 blocks=120 resident=3" of p, whose window is set:
 * of the GPU, the application, each launch (0 = all) and an SM (0 = as many as
 * fit), allocated. NULL with e. */
char *parts_text(struct parts *s, const struct point *p, struct error *e);

#endif
