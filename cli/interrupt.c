/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>

/* The one variable of the program that is not in a struct: a signal handler
 * can reach nothing else. */
static volatile int interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

void interrupt_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

const volatile int *interrupt_flag(void)
{
    return &interrupted;
}
