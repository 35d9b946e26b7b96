/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/deal.h"

#include "cli/interrupt.h"
#include "cli/plan_run.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TAG_LEAVE  1    /* of a message to workers; others have 0 */
#define NOTHING    (-1) /* a worker has done nothing yet; there is no more */
#define POLL_S     0.01 /* between two looks for messages */
#define PATIENCE_S 10   /* for workers that still run what others have done */

/* ---- the job --------------------------------------------------------------
 */

static int rank_of_this(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int processes(void)
{
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

void deal_start(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

/* Whether the first process has told this one not to wait for lost ones. */
static bool told_to_leave(void)
{
    int there = 0;
    MPI_Iprobe(0, TAG_LEAVE, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
}

static void tell_to_leave(void)
{
    MPI_Request sent;
    for (int i = 1; i < processes(); i++)
        if (MPI_Isend(NULL, 0, MPI_INT, i, TAG_LEAVE, MPI_COMM_WORLD, &sent) ==
            MPI_SUCCESS)
            MPI_Request_free(&sent);
}

/* Where some are lost the others end without them: MPI_Finalize and MPI_Abort
 * would wait for all, or for mpirun. */
void deal_end(int status)
{
    const struct timespec poll = {.tv_nsec = (long)(POLL_S * 1e9)};
    MPI_Request all;
    int there = 0;
    bool leave = false;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    for (double waited = 0; !there && !leave; waited += POLL_S) {
        MPI_Test(&all, &there, MPI_STATUS_IGNORE);
        leave = deal_is_worker() ? told_to_leave() : waited > PATIENCE_S;
        nanosleep(&poll, NULL);
    }
    if (there)
        MPI_Finalize();
    else if (!deal_is_worker())
        tell_to_leave();
    fflush(NULL);
    if (!there)
        _exit(status);
}

bool deal_is_worker(void)
{
    return rank_of_this() > 0;
}

/* ---- stores -----------------------------------------------------------------
 */

static void rank_path(char out[PATH_BYTES], const struct options *o, int rank)
{
    snprintf(out, PATH_BYTES, "%s.rank%d", o->run.store, rank);
}

static void tell_nothing(void *user, const char *name, size_t shard,
                         size_t shards)
{
    (void)user, (void)name, (void)shard, (void)shards;
}

/* The store and those of all ranks that there are, in the store. */
static bool gather(const struct options *o, int ranks, struct estimate_error *e)
{
    char(*path)[PATH_BYTES] = calloc((size_t)ranks + 1, PATH_BYTES);
    const char **from = calloc((size_t)ranks + 1, sizeof(*from));
    size_t count = 0;
    bool ok = (path != NULL && from != NULL) || fail_no_memory(e);
    for (int i = 0; ok && i <= ranks; i++) {
        if (i == 0)
            snprintf(path[0], PATH_BYTES, "%s", o->run.store);
        else
            rank_path(path[i], o, i);
        if (access(path[i], F_OK) == 0)
            from[count++] = path[i];
    }
    ok = ok && (count == 0 || estimate_stores_merge(from, count, o->run.store,
                                                    tell_nothing, NULL, e));
    for (int i = 1; ok && i <= ranks; i++)
        remove(path[i]);
    free(path);
    free(from);
    return ok;
}

/* What is there at the start, as the worker's own. */
static bool take_copy(const char *path, const struct options *o,
                      struct estimate_error *e)
{
    const char *from = o->run.store;
    return access(from, F_OK) != 0 ||
           estimate_stores_merge(&from, 1, path, tell_nothing, NULL, e);
}

/* ---- a worker
 * ---------------------------------------------------------------- */

/* One study. What fails here fails again where results are put together. */
static void run_study(const struct plan *p, const struct options *o,
                      size_t which)
{
    struct estimate_error why;
    struct plan one = *p;
    one.at = &p->at[which];
    one.cases = 1;
    estimate_results_free(plan_run(&one, o, NULL, &why));
}

static bool work(const struct plan *p, const struct options *o,
                 struct estimate_error *e)
{
    struct options own = *o;
    char path[PATH_BYTES];
    int which = NOTHING;
    rank_path(path, o, rank_of_this());
    own.run.store = path;
    take_copy(path, o, e); /* without it, more is run */
    *e = (struct estimate_error){ESTIMATE_OK, ""};
    do {
        if (which != NOTHING)
            run_study(p, &own, (size_t)which);
        MPI_Send(&which, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&which, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } while (which != NOTHING);
    return false;
}

/* ---- the first process
 * --------------------------------------------------------- */

struct dealer {
    size_t *order; /* [studies], longest first */
    double *cost;
    bool *done;
    size_t studies, next, left;
    int workers; /* that have not ended */
};

static bool expect(struct dealer *d, const struct plan *p,
                   const struct options *o, struct estimate_error *e)
{
    for (size_t i = 0; i < p->cases; i++) {
        struct plan one = *p;
        struct estimate_cost cost;
        one.at = &p->at[i];
        one.cases = 1;
        struct estimate_study *s = plan_study(&one, e);
        bool ok =
            s != NULL && estimate_expect(&cost, sizeof(cost), s, &o->run, e);
        estimate_study_free(s);
        if (!ok)
            return false;
        d->cost[i] = cost.seconds;
    }
    return true;
}

/* By insertion, so that what is alike keeps its order. */
static void sort_longest_first(struct dealer *d)
{
    for (size_t i = 0; i < d->studies; i++) {
        size_t at = i;
        for (; at > 0 && d->cost[d->order[at - 1]] < d->cost[i]; at--)
            d->order[at] = d->order[at - 1];
        d->order[at] = i;
    }
}

/* The next study; when all were dealt, one again that is not done: whoever has
 * it may be lost. */
static int pick(struct dealer *d)
{
    if (d->left == 0 || *interrupt_flag() != 0)
        return NOTHING;
    for (size_t tries = 0; tries < d->studies; tries++) {
        size_t which = d->order[d->next++ % d->studies];
        if (!d->done[which])
            return (int)which;
    }
    return NOTHING;
}

static void answer(struct dealer *d, const MPI_Status *from)
{
    int which;
    MPI_Recv(&which, 1, MPI_INT, from->MPI_SOURCE, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (which != NOTHING && !d->done[which]) {
        d->done[which] = true;
        d->left--;
    }
    which = pick(d);
    MPI_Send(&which, 1, MPI_INT, from->MPI_SOURCE, 0, MPI_COMM_WORLD);
    d->workers -= which == NOTHING;
}

/* Until all is done and workers have ended, or are not waited for longer. */
static void serve(struct dealer *d)
{
    const struct timespec poll = {.tv_nsec = (long)(POLL_S * 1e9)};
    double waited = 0;
    while (d->workers > 0 && waited < PATIENCE_S) {
        int there = 0;
        MPI_Status from;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &from);
        if (there) {
            answer(d, &from);
            continue;
        }
        nanosleep(&poll, NULL);
        waited += d->left == 0 || *interrupt_flag() != 0 ? POLL_S : 0;
    }
}

static bool deal(const struct plan *p, const struct options *o,
                 struct estimate_error *e)
{
    size_t n = p->cases;
    struct dealer d = {.order = calloc(n + 1, sizeof(size_t)),
                       .cost = calloc(n + 1, sizeof(double)),
                       .done = calloc(n + 1, sizeof(bool)),
                       .studies = n,
                       .left = n,
                       .workers = processes() - 1};
    bool ok = (d.order != NULL && d.cost != NULL && d.done != NULL) ||
              fail_no_memory(e);
    ok = ok && expect(&d, p, o, e);
    if (ok) {
        sort_longest_first(&d);
        serve(&d);
    }
    free(d.order);
    free(d.cost);
    free(d.done);
    return ok;
}

bool deal_run(const struct plan *p, const struct options *o,
              struct estimate_error *e)
{
    int workers = processes() - 1;
    if (workers == 0 || o->run.mode == ESTIMATE_MODEL)
        return !deal_is_worker();
    if (o->run.store == NULL)
        return fail(e, ESTIMATE_USAGE,
                    "under mpirun: expected --store FILE.db, where the "
                    "processes put what they find");
    bool first = !deal_is_worker(), ok = !first || gather(o, workers, e);
    MPI_Bcast(&ok, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
    if (!ok)
        return false;
    return first ? deal(p, o, e) && gather(o, workers, e) : work(p, o, e);
}
