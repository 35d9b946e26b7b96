/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/view.h"

#include <stdio.h>
#include <string.h>

/* A name's new one in "name=new name=new", or the name; length in *length. */
static const char *renamed(const char *list, const char *name, size_t *length)
{
    for (const char *at = list; at != NULL && *at != '\0';) {
        size_t word = strcspn(at, " "), old = strcspn(at, "=");
        if (old == *length && memcmp(at, name, old) == 0) {
            *length = word - old - 1;
            return at + old + 1;
        }
        at += word;
        at += strspn(at, " ");
    }
    return name;
}

/* The names between `separators`, each by `list`. */
static void rename_each(char *out, size_t size, const char *names,
                        const char *separators, const char *list)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *at = names; at != NULL && used < size;) {
        size_t length = strcspn(at, separators);
        const char *next = at[length] != '\0' ? at + length + 1 : NULL;
        const char *name = renamed(list, at, &length);
        int n = snprintf(out + used, size - used, "%.*s%s", (int)length, name,
                         next != NULL ? "/" : "");
        used += (size_t)n;
        at = next;
    }
}

struct point view_point(const struct view *v, const struct point *p,
                        char room[VIEW_ROOM])
{
    struct point out = *p;
    size_t third = VIEW_ROOM / 3;
    if (out.gpu == NULL)
        out.gpu = v->gpu;
    if (out.window == WINDOW_UNSET)
        out.window = v->window;
    if (v->study != NULL) {
        out.study = v->study;
        out.window = WINDOW_FULL; /* an estimate is of the whole grid */
    }
    if (v->rename != NULL) {
        rename_each(room, third, p->policies, "/", v->rename);
        out.policies = room;
    }
    if (v->kernels != NULL) {
        rename_each(room + 2 * third, third, p->kernel, "", v->kernels);
        out.kernel = room + 2 * third;
    }
    if (v->keys != NULL) {
        const char *keys = p->keys != NULL ? p->keys : "";
        snprintf(room + third, third, "%s%s%s", keys,
                 keys[0] != '\0' ? " " : "", v->keys);
        out.keys = room + third;
    }
    return out;
}

const struct lab_record *view_record(const struct view *v,
                                     const struct point *p, struct error *e)
{
    char room[VIEW_ROOM];
    struct point point = view_point(v, p, room);
    return lab_record(v->lab, &point, e);
}

const struct sampler_run *view_run(const struct view *v, const struct point *p,
                                   struct error *e)
{
    const struct lab_record *r = view_record(v, p, e);
    return r != NULL ? &r->run : NULL;
}
