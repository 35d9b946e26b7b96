/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/gsl.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_handler(void)
{
    gsl_set_error_handler_off();
}

void gsl_return_errors(void)
{
    pthread_once(&once, set_handler);
}
