/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/forwarded.h"

#include "configs/gpu.h"

#include <stdlib.h>
#include <string.h>

/* Of the states of blocks. Chosen. */
#define FORWARDED_BYTES (8 << 20)

/* Counts that blocks have raised are not kept. */
static bool raises(const struct kernel *k)
{
    bool any = false;
    for (uint32_t i = 0; i < k->inst_count; i++)
        any |= k->inst[i].sync != SYNC_NONE;
    return any;
}

static bool can_be_kept(const struct underway *u, const struct kernel *k)
{
    bool can = k->ops->is_bytes != NULL && !raises(k) &&
               u->count * k->ops->state_size(k) <= FORWARDED_BYTES;
    for (uint64_t i = 0; can && i < u->count; i++)
        can = k->ops->is_bytes(k, u->block[i].slot->stream);
    return can;
}

static void take_blocks(struct forwarded *out, const struct underway *u)
{
    for (uint64_t i = 0; i < u->count; i++) {
        out->block[i] = u->block[i].slot->id;
        out->time[i] = u->block[i].time;
        memcpy(out->states + i * out->state_size, u->block[i].slot->stream,
               out->state_size);
    }
    out->even = u->of.course == NULL;
    if (!out->even)
        memcpy(out->course, u->of.course, sizeof(out->course));
}

bool forwarded_take(struct forwarded *out, const struct underway *u,
                    const struct kernel *k, const struct memory *m)
{
    *out = (struct forwarded){.count = u->count};
    if (u->count == 0 || !can_be_kept(u, k))
        return false;
    out->state_size = k->ops->state_size(k);
    out->banks = m->core.gpu->l2.banks;
    out->block = calloc(u->count, sizeof(*out->block));
    out->time = calloc(u->count, sizeof(*out->time));
    out->states = malloc(u->count * out->state_size + 1);
    out->l2 = memory_copy_tags(m);
    if (out->block == NULL || out->time == NULL || out->states == NULL ||
        out->l2 == NULL)
        return false;
    take_blocks(out, u);
    return true;
}

void forwarded_free(struct forwarded *f)
{
    free(f->block);
    free(f->time);
    free(f->states);
    memory_free_tags(f->l2, f->banks);
    *f = (struct forwarded){0};
}

static bool same_course(const double *a, const double *b)
{
    bool same = true;
    for (int i = 0; same && i <= COURSE_PARTS; i++)
        same = a[i] == b[i];
    return same;
}

bool forwarded_is_of(const struct forwarded *f, const struct underway *u)
{
    bool same = f->count == u->count && f->even == (u->of.course == NULL);
    if (same && !f->even)
        same = same_course(f->course, u->of.course);
    for (uint64_t i = 0; same && i < u->count; i++)
        same = f->block[i] == u->block[i].slot->id &&
               f->time[i] == u->block[i].time;
    return same;
}

void forwarded_give(const struct forwarded *f, const struct underway *u,
                    struct memory *m)
{
    for (uint64_t i = 0; i < u->count; i++)
        memcpy(u->block[i].slot->stream, f->states + i * f->state_size,
               f->state_size);
    memory_assign_tags(m, f->l2);
}
