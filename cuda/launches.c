/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/launches.h"

#include "cuda/say.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_BYTES 128
#define PATH_BYTES 4096
#define SKIP_MAX   1024 /* launches without a look between two with one */

struct behaviour { /* one that was kept */
    char name[NAME_BYTES];
    uint8_t *arguments; /* as note_arguments() has them */
    double warp_insts;
    double time_us; /* NAN: not estimated yet */
};

struct geometry { /* of a kernel */
    const struct registered_kernel *kernel;
    struct estimate_call call; /* without values */
    bool wanted;               /* asked for: those that are not are apart */
    struct behaviour behaviour[BEHAVIOURS_MAX];
    size_t behaviours;
    unsigned skip, skipped; /* looks that showed nothing new are made seldom */
    struct geometry *next;
};

struct record { /* of a launch */
    const struct geometry *geometry;
    struct behaviour *like; /* one of that; NULL: nothing was kept */
    double warp_insts;
};

struct launches {
    struct machine *machine;
    const char *folder, *kernel; /* NULL: any */
    uint64_t only, most;         /* 0: all */
    uint64_t told;               /* lines written */
    bool timed;
    FILE *list;
    struct geometry *geometry;
    struct record *record; /* of every launch */
    size_t records, room;
    struct launches_work work;
    struct copies copies;
};

static uint64_t number(const char *option)
{
    const char *text = run_option(option);
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

struct launches *launches_open(struct machine *m, struct estimate_error *e)
{
    struct launches *l = calloc(1, sizeof(*l));
    char path[PATH_BYTES];
    e->status = ESTIMATE_FAILED;
    strcpy(e->text, "out of memory");
    if (l == NULL)
        return NULL;
    *l = (struct launches){.machine = m,
                           .folder = run_option("FOLDER"),
                           .kernel = run_option("KERNEL"),
                           .only = number("LAUNCH"),
                           .most = number("MAX_LAUNCHES")};
    l->copies.are_kept =
        run_option("CHECK_INIT") == NULL && run_option("CHECK_RACES") == NULL;
    if (l->folder == NULL)
        return l;
    snprintf(path, sizeof(path), "%s/launches.tsv", l->folder);
    l->list = fopen(path, "w");
    if (l->list != NULL) {
        setvbuf(l->list, NULL, _IOLBF, BUFSIZ);
        return l;
    }
    snprintf(e->text, sizeof(e->text), "%.400s: cannot be written", path);
    free(l);
    return NULL;
}

/* The folder of what stands for such launches. */
static void folder_of(char *out, const struct launches *l, bool wanted)
{
    snprintf(out, PATH_BYTES, "%.3000s%s", l->folder, wanted ? "" : "/" OTHERS);
}

void launches_will_be_timed(struct launches *l)
{
    char folder[PATH_BYTES];
    if (l->timed || l->list == NULL)
        return;
    folder_of(folder, l, false);
    l->timed = mkdir(folder, 0777) == 0 || errno == EEXIST;
}

size_t launches_count(const struct launches *l)
{
    return l->records;
}

struct launches_work launches_work(const struct launches *l)
{
    return l->work;
}

/* ---- arguments ----------------------------------------------------------- */

/* The parameters of the launch that was made ready, with the size of its
 * allocation in place of each address: buffers of one size that take turns are
 * alike, those of two sizes are not. Their bytes, or NULL: no memory. */
static uint8_t *note_arguments(const struct estimate_function *f,
                               const struct arena *a)
{
    uint64_t bytes = estimate_function_info(f)->parameter_bytes;
    uint8_t *out = malloc(bytes + 1);
    if (out == NULL)
        return NULL;
    memcpy(out, estimate_function_parameters(f), bytes);
    for (uint64_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
        void *value;
        memcpy(&value, out + at, sizeof(value));
        const struct allocation *found = arena_find(a, value);
        if (found != NULL)
            memcpy(out + at, &found->bytes, sizeof(found->bytes));
    }
    return out;
}

static bool has_arguments(const struct behaviour *b,
                          const struct registered_kernel *k,
                          const uint8_t *arguments)
{
    return memcmp(b->arguments, arguments,
                  estimate_function_info(k->function)->parameter_bytes) == 0;
}

static bool knows(const struct geometry *g, const uint8_t *arguments)
{
    for (size_t i = 0; i < g->behaviours; i++)
        if (has_arguments(&g->behaviour[i], g->kernel, arguments))
            return true;
    return false;
}

/* ---- what is kept -------------------------------------------------------- */

static struct geometry *geometry_of(struct launches *l,
                                    const struct registered_kernel *k,
                                    const struct estimate_call *c, bool wanted)
{
    struct geometry *g = l->geometry;
    while (g != NULL &&
           (g->kernel != k || g->wanted != wanted || !calls_alike(&g->call, c)))
        g = g->next;
    if (g != NULL || (g = calloc(1, sizeof(*g))) == NULL)
        return g;
    g->kernel = k;
    g->wanted = wanted;
    g->call = *c;
    g->call.value = NULL;
    g->next = l->geometry;
    l->geometry = g;
    return g;
}

/* Of those with the same arguments, where there are any. */
static struct behaviour *nearest(struct geometry *g, const uint8_t *arguments,
                                 double warp_insts)
{
    struct behaviour *best = NULL;
    bool known = knows(g, arguments);
    for (size_t i = 0; i < g->behaviours; i++) {
        struct behaviour *b = &g->behaviour[i];
        if (known && !has_arguments(b, g->kernel, arguments))
            continue;
        if (best == NULL || fabs(log(b->warp_insts / warp_insts)) <
                                fabs(log(best->warp_insts / warp_insts)))
            best = b;
    }
    return best;
}

/* Whether the next launch is asked for at all. */
static bool is_wanted(const struct launches *l,
                      const struct registered_kernel *k)
{
    return (l->only == 0 || l->only == l->records + 1) &&
           (l->kernel == NULL || strstr(k->name, l->kernel) != NULL) &&
           (l->most == 0 || l->told < l->most);
}

/* Whether to look at this launch of the geometry for something new: where its
 * arguments are, and now and then where they are not. */
static bool is_looked_at(struct geometry *g, const uint8_t *arguments)
{
    if (g->behaviours == BEHAVIOURS_MAX)
        return false;
    if (knows(g, arguments) && g->skipped < g->skip) {
        g->skipped++;
        return false;
    }
    g->skipped = 0;
    return true;
}

/* The behaviour has the arguments from now on. */
static void keep(struct launches *l, struct geometry *g,
                 const struct estimate_snapshot *s, uint8_t *arguments,
                 double warp_insts)
{
    struct estimate_error e;
    struct behaviour *b = &g->behaviour[g->behaviours];
    char kernel[64], folder[PATH_BYTES];
    folder_of(folder, l, g->wanted);
    estimate_short_name(kernel, sizeof(kernel), g->kernel->name);
    snprintf(b->name, sizeof(b->name), "%04zu-%s", l->records + 1, kernel);
    b->warp_insts = warp_insts;
    b->arguments = arguments;
    b->time_us = NAN;
    if (estimate_snapshot_write(s, g->kernel->function, folder, b->name, &e))
        g->behaviours++;
    else
        end_program(e.status, "%s", e.text);
}

/* What stands for a launch; it becomes another when that is nothing like it. */
static struct behaviour *behaviour_of(struct launches *l, struct geometry *g,
                                      const struct estimate_snapshot *s,
                                      uint8_t *arguments, double warp_insts)
{
    struct behaviour *like = nearest(g, arguments, warp_insts);
    bool is_new = like == NULL || !knows(g, arguments) ||
                  fabs(warp_insts / like->warp_insts - 1) > ALIKE;
    if (s != NULL)
        g->skip = is_new ? 0 : g->skip < SKIP_MAX ? 2 * g->skip + 1 : SKIP_MAX;
    if (s != NULL && is_new) {
        keep(l, g, s, arguments, warp_insts);
        return nearest(g, arguments, warp_insts);
    }
    free(arguments);
    return like;
}

static void tell(struct launches *l, const struct geometry *g,
                 const struct estimate_executed *x, const struct behaviour *b)
{
    const struct estimate_call *c = &g->call;
    fprintf(l->list,
            "%s\t%u,%u,%u\t%u,%u,%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
            "\t%s\t%.0f\n",
            g->kernel->name, c->grid.x, c->grid.y, c->grid.z, c->block.x,
            c->block.y, c->block.z, c->shared_bytes, x->warp_insts,
            x->thread_insts, b->name, b->warp_insts);
    l->told++;
}

static bool add_record(struct launches *l, const struct geometry *g,
                       struct behaviour *like, double warp_insts)
{
    if (l->records == l->room) {
        size_t room = l->room != 0 ? 2 * l->room : 64;
        struct record *grown = realloc(l->record, room * sizeof(*grown));
        if (grown == NULL)
            return false;
        l->record = grown;
        l->room = room;
    }
    l->record[l->records++] = (struct record){g, like, warp_insts};
    return true;
}

/* ---- running ------------------------------------------------------------- */

#define KERNEL_CHARS 64

static const char *shown(char out[KERNEL_CHARS],
                         const struct registered_kernel *k)
{
    estimate_short_name(out, KERNEL_CHARS, k->name);
    return out;
}

/* What a program would be told of a launch that cannot be. */
static cudaError_t refuse(const struct registered_kernel *k,
                          const struct estimate_error *e)
{
    char kernel[KERNEL_CHARS];
    say("%s: %s", shown(kernel, k), e->text);
    return cudaErrorInvalidConfiguration;
}

static const struct estimate_executed *execute(struct launches *l,
                                               struct registered_kernel *k,
                                               const struct estimate_call *call)
{
    char kernel[KERNEL_CHARS];
    struct estimate_error e;
    struct machine *m = l->machine;
    l->work.executed++;
    const struct estimate_executed *x = estimate_function_run(k->function, &e);
    if (x == NULL)
        end_program(e.status, "%s: %s", shown(kernel, k), e.text);
    repeats_note(&k->repeats, &m->arena, &l->copies, m->device, k->function,
                 call, x);
    return x;
}

cudaError_t launches_run(struct launches *l, struct registered_kernel *k,
                         const struct estimate_call *call)
{
    struct estimate_error e;
    struct estimate_snapshot *s = NULL;
    struct behaviour *like = NULL;
    if (!estimate_function_set(k->function, call, &e))
        return refuse(k, &e);
    bool wanted = is_wanted(l, k);
    struct geometry *g = geometry_of(l, k, call, wanted);
    bool kept = g != NULL && l->list != NULL && (wanted || l->timed);
    struct arena *a = &l->machine->arena;
    uint8_t *arguments = kept ? note_arguments(k->function, a) : NULL;
    kept = arguments != NULL;
    /* A launch that is kept is executed even where it repeats another one: it
     * shows what memory it uses. */
    bool is_new =
        kept && !knows(g, arguments) && g->behaviours < BEHAVIOURS_MAX;
    struct repeat *before = repeats_find(&k->repeats, k->function, call);
    const struct estimate_executed *x =
        before != NULL && !is_new ? repeat_use(before, a, &l->copies) : NULL;
    if (x == NULL && kept && is_looked_at(g, arguments))
        s = estimate_snapshot_take(l->machine->device, &e);
    l->work.looked_at += s != NULL;
    if (x == NULL && before != NULL)
        repeat_prepare(before, a, &l->copies);
    if (x == NULL)
        x = execute(l, k, call);
    if (kept)
        like = behaviour_of(l, g, s, arguments, (double)x->warp_insts);
    estimate_snapshot_free(s);
    if (like != NULL && wanted)
        tell(l, g, x, like);
    return add_record(l, g, like, (double)x->warp_insts)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

/* ---- times --------------------------------------------------------------- */

static double estimated(const struct launches *l, const struct record *n)
{
    struct estimate_error e;
    char folder[PATH_BYTES], path[PATH_BYTES + NAME_BYTES + 16];
    double time_us = 0;
    const struct estimate_policies policies = {.sched = run_option("SCHED")};
    folder_of(folder, l, n->geometry->wanted);
    snprintf(path, sizeof(path), "%s/%s.launch", folder, n->like->name);
    struct machine_launch with;
    machine_launch(l->machine, &with);
    struct estimate_input *in = estimate_input_load(path, &with.launch, &e);
    struct estimate_study *s =
        in != NULL ? estimate_study_create(NULL, &policies, 1, &e) : NULL;
    struct estimate_results *r = NULL;
    if (s != NULL && estimate_study_add(s, estimate_input_kernel(in, 0),
                                        l->machine->gpu, NULL, 0, &e))
        r = estimate_run(s, NULL, &e);
    if (r != NULL)
        time_us = estimate_result(r, 0, 0, 0)->time_us;
    else
        say("%s: %s", n->like->name, e.text);
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_input_free(in);
    return time_us;
}

double launches_time(struct launches *l, size_t first, size_t end)
{
    double time_us = 0;
    for (size_t i = first; i < end; i++) {
        const struct record *n = &l->record[i];
        if (n->like == NULL)
            continue;
        if (isnan(n->like->time_us))
            n->like->time_us = estimated(l, n);
        time_us += n->like->time_us * n->warp_insts / n->like->warp_insts;
    }
    return time_us;
}
