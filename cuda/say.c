/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say_list(const char *format, va_list list)
{
    char text[1024];
    vsnprintf(text, sizeof(text), format, list);
    fprintf(stderr, "estimate: %s\n", text);
}

void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_list(format, list);
    va_end(list);
}

void end_program(int status, const char *format, ...)
{
    va_list list;
    fflush(NULL);
    va_start(list, format);
    say_list(format, list);
    va_end(list);
    _exit(status);
}

const char *run_option(const char *name)
{
    char variable[64];
    snprintf(variable, sizeof(variable), "ESTIMATE_RUN_%s", name);
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0' ? value : NULL;
}
