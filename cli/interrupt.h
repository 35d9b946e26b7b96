/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ctrl-C, SIGTERM, and SIGUSR1, by which batch systems tell that time is nearly
 * up: the first asks the engines to stop, the second ends the program. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);

/* Non-zero once one of the signals came. */
const volatile int *interrupt_flag(void);

/* The exit status of a program that such a signal ended, as shells have it: 128
 * and the signal's number. 0 before one came. */
int interrupt_status(void);

/* While held, a second signal does not end the program: a file that is being
 * written is not left behind half done. */
void interrupt_hold(bool held);

#endif
