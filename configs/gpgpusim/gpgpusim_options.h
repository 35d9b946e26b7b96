/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option files of GPGPU-Sim: words separated by blanks, # comments, values
 * in double quotes that may span lines; a word that starts with '-' and a
 * letter names an option, the words up to the next one are its value. */
#ifndef CONFIGS_GPGPUSIM_GPGPUSIM_OPTIONS_H
#define CONFIGS_GPGPUSIM_GPGPUSIM_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct sim_option {
    const char *file;
    int line;
    bool used;       /* somebody asked for it */
    bool overridden; /* given again further down, which counts */
    char *name;      /* without the '-' */
    char *value;     /* words joined by one blank; blanks in quotes dropped */
};

struct sim_options {
    struct sim_option *option;
    size_t count, capacity;
};

/* Append the options of `text`, which is called `file` in messages; `file` must
 * live as long as the list. */
bool sim_options_parse(struct sim_options *list, const char *text,
                       const char *file, struct error *e);
void sim_options_free(struct sim_options *list);

/* The option, marked as used, or NULL. */
const struct sim_option *sim_options_find(struct sim_options *list,
                                          const char *name);

/* Write the names of the options nobody used, comma separated. */
void sim_options_unused(const struct sim_options *list, char *out, size_t size);

/* Read `least` to `most` numbers separated by `separator` into out; *count (may
 * be NULL) tells how many. */
bool sim_option_numbers(const struct sim_option *o, char separator, int least,
                        int most, double *out, int *count, struct error *e);

/* "file:line: -name 'value', expected ..." */
bool sim_option_error(const struct sim_option *o, const char *expected,
                      struct error *e);

#endif
