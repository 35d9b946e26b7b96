/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that uses the CUDA runtime, run with ours in place of its own. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/options.h"

/* Whether the program that argv[0] names can be run so: it is there, and its
 * runtime is a shared library. *out is its path, PATH_BYTES long. What is no
 * executable of this machine, a script say, is let pass. False with e set. */
bool program_check(char *out, const char *name, struct estimate_error *e);

/* Run argv with the runtime, which keeps launches in `folder`, and wait for its
 * end. *status is its exit status, or 128 and the signal that ended it. */
bool program_run(int *status, const char *path, char *const *argv,
                 const struct options *o, const char *folder,
                 struct estimate_error *e);

#endif
