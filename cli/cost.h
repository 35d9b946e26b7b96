/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --cost: an expression of numbers and keys of a GPU, with + - * / ^ and
 * parentheses, "4 * sms + dram.gbps / 5". */
#ifndef CLI_COST_H
#define CLI_COST_H

#include "cli/error.h"

struct cost;

/* NULL with e set, ESTIMATE_USAGE. cost_free() takes NULL. */
struct cost *cost_parse(const char *text, struct estimate_error *e);
void cost_free(struct cost *c);

double cost_of(const struct cost *c, const struct estimate_gpu *g);

#endif
