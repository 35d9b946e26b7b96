/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hybrid mode over many GPUs, of which the caller chooses those to be sampled.
 * What samples say of a kernel, the log ratio of sampled to modelled cycles, is
 * carried to the GPUs of the same name that are not: kriging over the keys in
 * which they differ and the block count, for each policy. */
#ifndef CALIB_EXPLORE_H
#define CALIB_EXPLORE_H

#include "calib/round.h"

struct exploration {
    struct batch *batch;
    unsigned char *effort; /* [batch.jobs] what is chosen, of enum effort */
    unsigned char *begun;  /* ... and what was begun of it */
    double *log_model;     /* of every point */
    size_t *first;         /* [batch.jobs] in log_model */
};

/* Every point as the model has it; jobs are not done. exploration_free() in
 * either case. */
bool exploration_begin(struct exploration *x, struct batch *b, struct error *e);
/* Carry what is sampled to those that are not. */
bool exploration_carry(struct exploration *x, struct error *e);
void exploration_free(struct exploration *x);

#endif
