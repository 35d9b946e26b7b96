/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>

/* The only variables of the program that are not in a struct: a signal handler
 * can reach nothing else. */
static volatile int interrupted; /* the signal that came first */
static volatile sig_atomic_t holding;

static void on_interrupt(int number)
{
    if (interrupted != 0 && !holding) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (interrupted == 0)
        interrupted = number;
}

void interrupt_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
}

const volatile int *interrupt_flag(void)
{
    return &interrupted;
}

int interrupt_status(void)
{
    return interrupted != 0 ? 128 + interrupted : 0;
}

void interrupt_hold(bool held)
{
    holding = held;
}
