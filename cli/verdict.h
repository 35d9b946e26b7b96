/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a case comes to: which point to use, or why nothing can be said. */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "cli/page.h"
#include "cli/report.h"

/* A paragraph. It never advises what takes more cycles than the default, nor
 * anything while points of the case are unfinished. */
void put_verdict(const struct page *page, const struct report *r, size_t which);

/* Where launches were swept: which to use, a paragraph an input and GPU. */
void put_launch_verdicts(const struct page *page, const struct report *r);

/* What the kernels of an input with several take together, an input a line. */
void put_totals(const struct page *page, const struct report *r);

#endif
