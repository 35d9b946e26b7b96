/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of a GPU fitted to cycles from elsewhere: robust least squares on logs.
 * Estimates are those of the model, moved at every point by what calibrated
 * estimates were off it where the last fit stood (space mapping: Bandler et
 * al., IEEE Trans. Microwave Theory and Techniques 42(12), 1994), so that few
 * of the slow ones do. */
#ifndef CLI_KEY_FIT_H
#define CLI_KEY_FIT_H

#include "cli/against.h"

#define FIT_KEYS_MAX 16

struct key_fit {
    const struct estimate_key *key[FIT_KEYS_MAX];
    int keys;
    double before[FIT_KEYS_MAX], value[FIT_KEYS_MAX];
    /* How far the log of the key lies from that of value at most, with a
     * probability of 90 %: the wider of what the points' scatter about the fit
     * says and of what the fits without one kernel each do. */
    double margin[FIT_KEYS_MAX];
    bool identified[FIT_KEYS_MAX]; /* known to a tenth */
    double *first, *last; /* [rows] estimated cycles before and after */
    double *left_out;     /* ... of each row by a fit without its kernel; NAN
                           * with one kernel alone */
};

/* The keys of a comma list; ESTIMATE_USAGE. */
bool key_fit_parse(struct key_fit *f, const char *list,
                   struct estimate_error *e);
/* The file's only GPU, a->gpu[0], has the fitted values afterwards. */
bool key_fit_run(struct key_fit *f, struct against *a,
                 struct estimate_error *e);
void key_fit_free(struct key_fit *f);

#endif
