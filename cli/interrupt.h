/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ctrl-C: the first asks the engines to stop, the second ends the program. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#define STATUS_INTERRUPTED 130 /* 128 + SIGINT, as shells have it */

void interrupt_catch(void);
/* Non-zero once Ctrl-C was pressed. */
const volatile int *interrupt_flag(void);

#endif
