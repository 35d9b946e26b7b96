/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program can be told to do. Each returns the exit status; when it is
 * not 0 and e.text is not empty, that is the line to print. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/error.h"

struct options;
struct plan;

/* estimate, simulate, calibrate */
int run_points(const struct options *o, struct estimate_error *e);
int run_calibrate(const struct options *o, struct estimate_error *e);
int run_report(const struct options *o, struct estimate_error *e);
int run_explain(const struct options *o, struct estimate_error *e);
int run_phases(const struct options *o, struct estimate_error *e);
int run_occupancy(const struct options *o, struct estimate_error *e);
int run_entries(const struct options *o, struct estimate_error *e);
int run_execute(const struct options *o, struct estimate_error *e);
int run_program(const struct options *o, struct estimate_error *e);
int run_merge(const struct options *o, struct estimate_error *e);
int run_completions(const struct options *o, struct estimate_error *e);
int run_compare(const struct options *o, struct estimate_error *e);
int run_list(const struct options *o, struct estimate_error *e);

/* The resolved configuration: each GPU as a configuration file reads it back,
 * the rest as comments. */
int print_config(const struct options *o, const struct plan *p,
                 struct estimate_error *e);

#endif
