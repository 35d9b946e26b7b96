/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct member {
    struct ptx_crew *crew;
    unsigned worker;
    pthread_t thread;
};

struct ptx_crew {
    pthread_mutex_t lock;
    pthread_cond_t begins, ended;
    uint64_t round; /* of work */
    unsigned busy;  /* threads that are not done with it */
    bool over;
    void (*work)(void *user, unsigned worker);
    void *user;
    pid_t owner; /* a child of it has none of the threads */
    unsigned workers;
    struct member *member; /* workers - 1 */
};

static void *wait_for_work(void *user)
{
    struct member *m = user;
    struct ptx_crew *c = m->crew;
    uint64_t round = 0;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (c->round == round && !c->over)
            pthread_cond_wait(&c->begins, &c->lock);
        if (c->over)
            break;
        round = c->round;
        pthread_mutex_unlock(&c->lock);
        c->work(c->user, m->worker);
        pthread_mutex_lock(&c->lock);
        if (--c->busy == 0)
            pthread_cond_signal(&c->ended);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals are for the threads of the program. */
static bool start(struct member *m)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool ok = pthread_create(&m->thread, NULL, wait_for_work, m) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return ok;
}

struct ptx_crew *ptx_crew_create(unsigned workers)
{
    struct ptx_crew *c = calloc(1, sizeof(*c));
    if (c == NULL ||
        (c->member = calloc(workers, sizeof(*c->member))) == NULL) {
        free(c);
        return NULL;
    }
    c->owner = getpid();
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begins, NULL);
    pthread_cond_init(&c->ended, NULL);
    for (c->workers = 1; c->workers < workers; c->workers++) {
        struct member *m = &c->member[c->workers - 1];
        *m = (struct member){.crew = c, .worker = c->workers};
        if (!start(m)) {
            ptx_crew_free(c);
            return NULL;
        }
    }
    return c;
}

void ptx_crew_free(struct ptx_crew *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    c->over = true;
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i + 1 < c->workers; i++)
        pthread_join(c->member[i].thread, NULL);
    pthread_cond_destroy(&c->ended);
    pthread_cond_destroy(&c->begins);
    pthread_mutex_destroy(&c->lock);
    free(c->member);
    free(c);
}

unsigned ptx_crew_workers(const struct ptx_crew *c)
{
    return c != NULL && c->owner == getpid() ? c->workers : 1;
}

void ptx_crew_run(struct ptx_crew *c, void (*work)(void *user, unsigned worker),
                  void *user)
{
    pthread_mutex_lock(&c->lock);
    c->work = work;
    c->user = user;
    c->busy = c->workers - 1;
    c->round++;
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->lock);
    work(user, 0);
    pthread_mutex_lock(&c->lock);
    while (c->busy > 0)
        pthread_cond_wait(&c->ended, &c->lock);
    pthread_mutex_unlock(&c->lock);
}
