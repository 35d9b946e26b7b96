/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the option table, shared by its parser and its help text. */
#ifndef CLI_OPTIONS_TABLE_H
#define CLI_OPTIONS_TABLE_H

#include "cli/options.h"

struct option_row {
    const char *name;     /* without dashes */
    char letter;          /* short form, 0: none */
    const char *argument; /* what it takes, NULL: nothing */
    const char *fallback; /* its value where it is not given, NULL: none */
    const char *help;     /* one line */
    const char *instead;  /* what does the same elsewhere, NULL: nothing */
    unsigned commands;    /* mask of 1 << enum command_id that take it */
    unsigned inputs;      /* mask of 1 << enum estimate_input_kind that it says
                           * anything to, 0: all */
    /* Store `value` (NULL without argument) at the row's place in o. */
    bool (*set)(struct options *o, const struct option_row *row,
                const char *value, struct estimate_error *e);
    size_t offset;     /* of the field, where the setter is a general one */
    uint64_t min, max; /* of a whole number */
};

extern const char *const mode_names[]; /* by enum estimate_mode */
extern const struct option_row option_table[];
extern const size_t option_count;

#endif
