/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/lab.h"

#include "paper_repro/hybrid.h"
#include "paper_repro/parts.h"
#include "paper_repro/simulate.h"
#include "paper_repro/store.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A point that was asked for: its key is its text. */
struct memo {
    char *key;
    struct point point; /* its strings are in text */
    char *text;
    char *name; /* in the store, NULL = not kept there */
    enum { ASKED, DONE, FAILED } state;
    struct lab_record record;
    struct error error;
};

struct lab {
    struct lab_options options;
    struct store *store;
    struct parts *parts;
    struct memo **memo;
    size_t memos, capacity;
    bool listening;
    struct lab_record ones;
};

static void set_to_ones(struct lab_record *r)
{
    for (const struct counter *c = sampler_counters; c->name != NULL; c++)
        for (size_t i = 0; i < c->number; i++)
            ((uint64_t *)(void *)&r->run.counts)[c->first + i] = 1;
}

struct lab *lab_create(const struct lab_options *o, struct error *e)
{
    struct lab *l = calloc(1, sizeof(*l));
    if (l == NULL) {
        error_no_memory(e);
        return NULL;
    }
    l->options = *o;
    set_to_ones(&l->ones);
    l->parts = parts_create();
    l->store = o->store != NULL ? store_open(o->store, e) : NULL;
    if (l->parts == NULL)
        error_no_memory(e);
    if (l->parts == NULL || (o->store != NULL && l->store == NULL)) {
        lab_free(l);
        return NULL;
    }
    return l;
}

static void free_memo(struct memo *m)
{
    lab_record_clear(&m->record);
    free(m->key);
    free(m->text);
    free(m->name);
    free(m);
}

void lab_free(struct lab *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < l->memos; i++)
        free_memo(l->memo[i]);
    free(l->memo);
    store_close(l->store);
    parts_free(l->parts);
    free(l);
}

static const char *text_of(const char *text)
{
    return text != NULL ? text : "";
}

/* Every field of a point, in a text of its own. */
static char *point_key(const struct point *p)
{
    char *key = NULL, told[128];
    size_t size;
    FILE *f = open_memstream(&key, &size);
    if (f == NULL)
        return NULL;
    fprintf(f, "%s %s %s [%s] blocks=%d window=%s launches=%d", p->kernel,
            p->gpu, text_of(p->policies), text_of(p->keys), p->blocks,
            window_names[p->window], p->launches);
    fprintf(f, " criticality=%d %s", p->criticality,
            point_told(p, told, sizeof(told)));
    if (text_of(p->study)[0] != '\0')
        fprintf(f, " study=[%s]", p->study);
    if (fclose(f) != 0) {
        free(key);
        return NULL;
    }
    return key;
}

/* Copies of a point's strings, one after another in m->text. */
static bool keep_strings(struct memo *m)
{
    const char **field[] = {&m->point.kernel, &m->point.gpu, &m->point.policies,
                            &m->point.keys, &m->point.study};
    enum { FIELDS = sizeof(field) / sizeof(field[0]) };
    size_t size = 0;
    for (int i = 0; i < FIELDS; i++)
        size += strlen(text_of(*field[i])) + 1;
    char *at = m->text = malloc(size);
    if (at == NULL)
        return false;
    for (int i = 0; i < FIELDS; i++) {
        size_t length = strlen(text_of(*field[i])) + 1;
        memcpy(at, text_of(*field[i]), length);
        *field[i] = at;
        at += length;
    }
    return true;
}

static struct memo *add_memo(struct lab *l, const struct point *p, char *key)
{
    if (l->memos == l->capacity) {
        size_t capacity = l->capacity == 0 ? 256 : 2 * l->capacity;
        struct memo **memo = realloc(l->memo, capacity * sizeof(struct memo *));
        if (memo == NULL)
            return NULL;
        l->memo = memo;
        l->capacity = capacity;
    }
    struct memo *m = calloc(1, sizeof(*m));
    if (m == NULL)
        return NULL;
    m->point = *p;
    if (!keep_strings(m)) {
        free(m);
        return NULL;
    }
    m->key = key;
    l->memo[l->memos++] = m;
    return m;
}

/* The memo of p, a new one the first time. NULL with e. */
static struct memo *memo_of(struct lab *l, const struct point *asked,
                            struct error *e)
{
    struct point p = *asked;
    if (p.window == WINDOW_UNSET)
        p.window = l->options.window;
    char *key = point_key(&p);
    for (size_t i = 0; key != NULL && i < l->memos; i++)
        if (strcmp(l->memo[i]->key, key) == 0) {
            free(key);
            return l->memo[i];
        }
    struct memo *m = key != NULL ? add_memo(l, &p, key) : NULL;
    if (m == NULL) {
        free(key);
        error_no_memory(e);
    }
    return m;
}

static bool is_study(const struct memo *m)
{
    return m->point.study[0] != '\0';
}

/* What is wrong with the point is told when it is run. */
static void name_memo(const struct lab *l, struct memo *m)
{
    char *part = is_study(m) ? NULL : parts_text(l->parts, &m->point, NULL);
    if (is_study(m) || part != NULL)
        m->name = point_store_name(&m->point, part);
    free(part);
}

static bool find_memo(const struct lab *l, struct memo *m)
{
    if (l->store != NULL && m->name == NULL)
        name_memo(l, m);
    if (m->name != NULL && store_record_get(l->store, m->name, &m->record))
        m->state = DONE;
    return m->state == DONE;
}

/* A store that cannot be written is the point's failure: its result would be
 * lost. */
static void keep_memo(const struct lab *l, struct memo *m)
{
    bool kept = m->name == NULL ||
                store_record_put(l->store, m->name, &m->record, &m->error);
    m->state = kept ? DONE : FAILED;
}

/* Memos that are estimates, none of them found. */
static void run_studies(const struct lab *l, struct memo **m, size_t count)
{
    struct hybrid_point *p = calloc(count, sizeof(*p));
    for (size_t i = 0; p != NULL && i < count; i++)
        p[i] = (struct hybrid_point){.point = &m[i]->point,
                                     .record = &m[i]->record};
    clock_t start = clock();
    if (p != NULL)
        hybrid_run(p, count, l->options.threads);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (size_t i = 0; i < count; i++) {
        m[i]->record.seconds = seconds / (double)count;
        m[i]->state = FAILED;
        if (p == NULL)
            error_no_memory(&m[i]->error);
        else if (p[i].done)
            keep_memo(l, m[i]);
        else
            m[i]->error = p[i].error;
    }
    free(p);
}

/* Run a point, or find it in the store. */
static void run_memo(const struct lab *l, struct memo *m)
{
    if (find_memo(l, m))
        return;
    if (is_study(m))
        run_studies(l, &m, 1);
    else if (point_simulate(&m->record, &m->point, &m->error))
        keep_memo(l, m);
    else
        m->state = FAILED;
}

const struct lab_record *lab_record(struct lab *l, const struct point *p,
                                    struct error *e)
{
    struct memo *m = memo_of(l, p, e);
    if (m == NULL)
        return NULL;
    if (l->listening)
        return &l->ones;
    if (m->state == ASKED)
        run_memo(l, m);
    if (m->state == FAILED && e != NULL)
        *e = m->error;
    return m->state == DONE ? &m->record : NULL;
}

const struct sampler_run *lab_run(struct lab *l, const struct point *p,
                                  struct error *e)
{
    const struct lab_record *r = lab_record(l, p, e);
    return r != NULL ? &r->run : NULL;
}

static void run_all(struct lab *l)
{
    int threads = l->options.threads;
    size_t done = 0;
#pragma omp parallel for schedule(dynamic, 1)                                  \
    num_threads(threads > 0 ? threads : omp_get_num_procs())
    for (size_t i = 0; i < l->memos; i++) {
        if (l->memo[i]->state == ASKED && !is_study(l->memo[i]))
            run_memo(l, l->memo[i]);
#pragma omp critical(paper_progress)
        if (++done && l->options.progress)
            fprintf(stderr, "\rpaper: %zu of %zu points ", done, l->memos);
    }
    if (l->options.progress)
        fputc('\n', stderr);
}

/* Those that are estimates have threads of their own. */
static bool run_all_studies(struct lab *l, struct error *e)
{
    struct memo **m = calloc(l->memos + 1, sizeof(struct memo *));
    size_t count = 0;
    if (m == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < l->memos; i++)
        if (l->memo[i]->state == ASKED && !find_memo(l, l->memo[i]))
            m[count++] = l->memo[i];
    run_studies(l, m, count);
    free(m);
    return true;
}

bool lab_gather(struct lab *l, bool (*work)(void *user, struct error *e),
                void *user, struct error *e)
{
    l->listening = true;
    bool ok = work(user, e);
    l->listening = false;
    if (!ok)
        return false;
    run_all(l);
    return run_all_studies(l, e) && work(user, e);
}

bool lab_listening(const struct lab *l)
{
    return l->listening;
}

bool lab_beside(const struct lab *l)
{
    return l->options.beside;
}

size_t lab_cost(const struct lab *l, double *seconds)
{
    size_t points = 0;
    *seconds = 0;
    for (size_t i = 0; i < l->memos; i++) {
        points += l->memo[i]->state == DONE;
        *seconds += l->memo[i]->record.seconds;
    }
    return points;
}

enum window lab_window(const struct lab *l)
{
    return l->options.window;
}
