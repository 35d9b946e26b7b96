/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page's section on designs that are compared: where each stands by the first
 * two objectives, and the table of those on the front. */
#ifndef CLI_HTML_DESIGNS_H
#define CLI_HTML_DESIGNS_H

#include "cli/report.h"

/* r->designs is not NULL. */
void html_designs(FILE *f, const struct report *r);

#endif
