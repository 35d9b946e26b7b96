/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page's tables of designs that are compared; r->designs is not NULL. */
#ifndef CLI_HTML_DESIGN_TABLE_H
#define CLI_HTML_DESIGN_TABLE_H

#include "cli/report.h"

/* Those on the front, with --all all of them, and the best that costs no more
 * than the GPU as it is. */
void html_design_table(FILE *f, const struct report *r);
/* What one percent more of a swept key changes, if any is swept. */
void html_elasticities(FILE *f, const struct report *r);

#endif
