/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OUT_ACCOUNT_H
#define CLI_OUT_ACCOUNT_H

#include "cli/report.h"

/* What an application's launches did to memory, a line for each point measured
 * in detail: shares of the accesses by what answered, traffic, energy by part.
 * Nothing for other studies. */
void put_accounts(FILE *f, const struct report *r, size_t which);

#endif
