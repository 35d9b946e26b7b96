/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/parts.h"

#include "paper_repro/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all points of one kernel, GPU and window have in common. */
struct known {
    char *of, *text;
    int resident; /* blocks that fit on an SM, of the first launch */
    struct known *next;
};

struct parts {
    struct known *first;
};

struct parts *parts_create(void)
{
    return calloc(1, sizeof(struct parts));
}

static void free_known(struct known *k)
{
    free(k->of);
    free(k->text);
    free(k);
}

void parts_free(struct parts *s)
{
    while (s != NULL && s->first != NULL) {
        struct known *next = s->first->next;
        free_known(s->first);
        s->first = next;
    }
    free(s);
}

/* Allocated. */
static char *format_of(const struct point *p)
{
    const char *keys = p->keys != NULL ? p->keys : "";
    size_t size = strlen(p->kernel) + strlen(p->gpu) + strlen(keys) + 64;
    char *of = malloc(size);
    if (of != NULL)
        snprintf(of, size, "%s %s [%s] %d %d", p->kernel, p->gpu, keys,
                 (int)p->window, p->launches);
    return of;
}

static char *format_part(const struct part *part)
{
    char *text = malloc(96);
    if (text != NULL)
        snprintf(text, 96, "sms=%d first=%d launches=%d blocks=%llu",
                 part->gpu.sms, part->first, part->launches,
                 (unsigned long long)part->blocks);
    return text;
}

/* NULL with e. */
static struct known *find_out(const struct point *p, struct error *e)
{
    struct part part;
    struct kernel_list list;
    if (!point_load(&part, &list, p, e))
        return NULL;
    struct known *k = calloc(1, sizeof(*k));
    if (k != NULL) {
        k->of = format_of(p);
        k->text = format_part(&part);
        k->resident = list.count == 1
                          ? occupancy_blocks(&part.gpu, list.kernel[0], NULL)
                          : 0;
    }
    kernel_list_free(&list);
    if (k != NULL && k->of != NULL && k->text != NULL)
        return k;
    if (k != NULL)
        free_known(k);
    error_no_memory(e);
    return NULL;
}

static const struct known *find_known(struct parts *s, const struct point *p,
                                      struct error *e)
{
    char *of = format_of(p);
    if (of == NULL) {
        error_no_memory(e);
        return NULL;
    }
    struct known *k = s->first;
    while (k != NULL && strcmp(k->of, of) != 0)
        k = k->next;
    free(of);
    if (k == NULL && (k = find_out(p, e)) != NULL) {
        k->next = s->first;
        s->first = k;
    }
    return k;
}

char *parts_text(struct parts *s, const struct point *p, struct error *e)
{
    const struct known *k;
#pragma omp critical(paper_parts)
    k = find_known(s, p, e);
    if (k == NULL)
        return NULL;
    int resident = p->blocks == k->resident ? 0 : p->blocks;
    size_t size = strlen(k->text) + 32;
    char *text = malloc(size);
    if (text == NULL) {
        error_no_memory(e);
        return NULL;
    }
    snprintf(text, size, "%s resident=%d", k->text, resident);
    return text;
}
