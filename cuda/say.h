/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the runtime says, and what `estimate run` told it. */
#ifndef CUDA_SAY_H
#define CUDA_SAY_H

/* One line on standard error, "estimate: ..", as the program itself does. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say it, hand out what the program has printed, and end it with a status of
 * estimate's. */
_Noreturn void end_program(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What an option of `estimate run` said ("GPU", "FOLDER"), NULL: nothing. */
const char *run_option(const char *name);

#endif
