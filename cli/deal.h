/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run that the processes of an MPI job share (deal_mpi.c; without MPI,
 * deal_alone.c). The first one deals the studies out to the others, longest
 * first; each keeps its samples in a store beside the named one, FILE.rankN;
 * the first then puts these together and reports, as though it had run alone.
 *
 * A process that is lost takes with it what it has not written, a fraction of a
 * second. Its study is dealt again once others have nothing left to do, where
 * MPI lets them live; where it ends the job, as Open MPI does unless told
 * otherwise, the next run begins with what all of them kept. */
#ifndef CLI_DEAL_H
#define CLI_DEAL_H

#include "cli/points.h"

/* At the program's start and end, with its exit status. */
void deal_start(int *argc, char ***argv);
void deal_end(int status);

/* Whether this process only runs what it is dealt, and says nothing. */
bool deal_is_worker(void);

/* Have the plan's samples in the store by all processes together. True: this
 * process goes on to report. False: a worker that is done, e->status being 0,
 * or a failure. */
bool deal_run(const struct plan *p, const struct options *o,
              struct estimate_error *e);

#endif
