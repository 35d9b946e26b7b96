/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/launches.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS                                                                 \
    8 /* of a line: kernel, grid, block, shared, warp and thread               \
       * instructions, kept launch, its warp instructions */

/* ---- reading ------------------------------------------------------------- */

static bool split(char *line, char *field[FIELDS])
{
    int n = 0;
    for (char *at = line; at != NULL && n < FIELDS; n++) {
        field[n] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    if (n == FIELDS)
        field[FIELDS - 1][strcspn(field[FIELDS - 1], "\n")] = '\0';
    return n == FIELDS;
}

static bool read_dim(struct estimate_dim *out, const char *text)
{
    return sscanf(text, "%u,%u,%u", &out->x, &out->y, &out->z) == 3;
}

static bool is_same(struct estimate_dim a, struct estimate_dim b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The group of the launch, NULL: no memory. */
static struct launch_group *group_of(struct launch_list *l, const char *kernel,
                                     const struct launch_group *like)
{
    for (size_t i = 0; i < l->groups; i++) {
        struct launch_group *g = &l->group[i];
        if (strcmp(g->kernel, kernel) == 0 && is_same(g->grid, like->grid) &&
            is_same(g->block, like->block) &&
            g->shared_bytes == like->shared_bytes)
            return g;
    }
    void *grown = realloc(l->group, (l->groups + 1) * sizeof(*l->group));
    if (grown == NULL)
        return NULL;
    l->group = grown;
    struct launch_group *g = &l->group[l->groups];
    *g = *like;
    g->kernel = strdup(kernel);
    l->groups += g->kernel != NULL;
    return g->kernel != NULL ? g : NULL;
}

static struct kept_launch *kept_of(struct launch_list *l,
                                   struct launch_group *g, const char *folder,
                                   const char *name)
{
    size_t size = strlen(folder) + strlen(name) + sizeof("/.launch");
    char *file = malloc(size);
    void *grown = realloc(g->kept, (g->kept_count + 1) * sizeof(*g->kept));
    if (grown != NULL)
        g->kept = grown;
    if (file == NULL || grown == NULL) {
        free(file);
        return NULL;
    }
    snprintf(file, size, "%s/%s.launch", folder, name);
    for (size_t i = 0; i < g->kept_count; i++)
        if (strcmp(g->kept[i].file, file) == 0) {
            free(file);
            return &g->kept[i];
        }
    g->kept[g->kept_count] = (struct kept_launch){.file = file};
    l->kept++;
    return &g->kept[g->kept_count++];
}

static bool add_line(struct launch_list *l, const char *folder, char *line,
                     struct estimate_error *e)
{
    char *field[FIELDS];
    struct launch_group like = {0};
    if (!split(line, field) || !read_dim(&like.grid, field[1]) ||
        !read_dim(&like.block, field[2]))
        return fail(e, ESTIMATE_FAILED,
                    "%s/launches.tsv: found a line that is not whole", folder);
    like.shared_bytes = strtoull(field[3], NULL, 10);
    struct launch_group *g = group_of(l, field[0], &like);
    struct kept_launch *k = g != NULL ? kept_of(l, g, folder, field[6]) : NULL;
    if (k == NULL)
        return fail_no_memory(e);
    k->executed = strtod(field[7], NULL);
    k->share += strtod(field[4], NULL) / k->executed;
    g->launches++;
    l->launches++;
    return true;
}

bool launch_list_read(struct launch_list *out, const char *folder,
                      struct estimate_error *e)
{
    char path[PATH_BYTES];
    char *line = NULL;
    size_t room = 0;
    *out = (struct launch_list){0};
    snprintf(path, sizeof(path), "%s/launches.tsv", folder);
    FILE *f = fopen(path, "r");
    if (f == NULL && errno == ENOENT)
        return true;
    if (f == NULL)
        return fail(e, ESTIMATE_FAILED, "%s: %s", path, strerror(errno));
    bool ok = true;
    while (ok && getline(&line, &room, f) > 0)
        ok = add_line(out, folder, line, e);
    free(line);
    fclose(f);
    return ok;
}

void launch_list_free(struct launch_list *l)
{
    for (size_t i = 0; i < l->groups; i++) {
        struct launch_group *g = &l->group[i];
        for (size_t k = 0; k < g->kept_count; k++)
            free(g->kept[k].file);
        free(g->kept);
        free(g->kernel);
    }
    free(l->group);
}

/* ---- what they take ------------------------------------------------------ */

/* The plan's case of the group's first kept launch. */
static size_t first_case(const struct launch_report *r, size_t group)
{
    size_t at = 0;
    for (size_t i = 0; i < group; i++)
        at += r->list->group[i].kept_count;
    return at;
}

size_t group_tbs(const struct launch_report *r, size_t group)
{
    return (size_t)r->plan->at[first_case(r, group)].shown_tbs;
}

bool group_point(struct group_point *out, const struct launch_report *r,
                 size_t group, size_t tb, size_t policy)
{
    const struct launch_group *g = &r->list->group[group];
    size_t first = first_case(r, group);
    *out = (struct group_point){0};
    for (size_t i = 0; i < g->kept_count; i++) {
        const struct estimate_point *p =
            estimate_result(r->results, first + i, tb, policy);
        double times = g->kept[i].share;
        if (p == NULL || p->partial)
            return false;
        out->point = out->point != NULL ? out->point : p;
        out->cycles += times * p->cycles;
        out->cycles_lo += times * p->cycles_lo;
        out->cycles_hi += times * p->cycles_hi;
        out->time_us += times * p->time_us;
        out->warp_insts += times * p->warp_insts;
        out->thread_insts += times * p->thread_insts;
    }
    return out->point != NULL;
}

void launch_report_sum(struct launch_report *r)
{
    r->whole = 0;
    for (size_t i = 0; i < r->list->groups; i++) {
        struct group_point p;
        if (group_point(&p, r, i, group_tbs(r, i) - 1, 0))
            r->whole += p.cycles;
    }
}
