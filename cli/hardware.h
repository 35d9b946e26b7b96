/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the GPUs of a report are known to take beside what is estimated for
 * them: intervals say how far a sample is from full detail, not from that. */
#ifndef CLI_HARDWARE_H
#define CLI_HARDWARE_H

#include "cli/page.h"
#include "cli/report.h"

#define HARDWARE_TEXT 512

/* "h200: 79 of 85 kernels on hardware took 20 % less to 44 % more cycles than
 * samples say", or that none was compared. */
void hardware_text(char *out, size_t size, const struct plan_case *c,
                   const struct options *o);

/* The same of a report, once for each GPU of which kernels were measured, and
 * once for all others. */
void hardware_tell(const struct report *r, void *user,
                   void (*put)(void *user, const char *text));

/* The same, a paragraph each. */
void put_hardware(const struct page *page, const struct report *r);

#endif
