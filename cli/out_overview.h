/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table of cases that have a point each. */
#ifndef CLI_OUT_OVERVIEW_H
#define CLI_OUT_OVERVIEW_H

#include "cli/page.h"
#include "cli/report.h"

/* What each case is about where they are few, then a row each; what all share
 * is said above. */
void put_overview(const struct page *page, const struct report *r);

#endif
