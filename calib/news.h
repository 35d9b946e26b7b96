/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the caller hears while a call goes on: that a sample has ended, and
 * which points are known. From any thread, but one at a time. */
#ifndef CALIB_NEWS_H
#define CALIB_NEWS_H

#include "calib/round.h"

/* A sample was run, or found where it is kept. In full detail the points of a
 * block count are known when all of its samples have ended. */
void news_sample(struct batch *b, struct job *job, const struct sample *s);

/* The job is done: so are those of its points that were not told of. */
void news_job(const struct batch *b, struct job *job);

#endif
