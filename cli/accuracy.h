/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether intervals are as narrow as --error and --gate ask. */
#ifndef CLI_ACCURACY_H
#define CLI_ACCURACY_H

#include "cli/report.h"

/* A note on standard error where hybrid mode did not reach --error: the widest
 * interval and the budget that should reach it. */
void accuracy_note(const struct report *r);

/* Whether some interval is wider than --gate; says so in e. */
bool accuracy_fails(const struct report *r, struct estimate_error *e);

#endif
