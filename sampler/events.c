/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/events.h"

#include <assert.h>
#include <stdlib.h>

static bool earlier(const struct event *a, const struct event *b)
{
    return a->time < b->time ||
           (a->time == b->time && a->sequence < b->sequence);
}

bool events_push(struct event_heap *h, uint64_t time, enum event_kind kind,
                 uint32_t subject)
{
    if (h->count == h->capacity) {
        size_t capacity = h->capacity == 0 ? 1024 : 2 * h->capacity;
        struct event *item = realloc(h->item, capacity * sizeof(*item));
        if (item == NULL)
            return false;
        h->item = item;
        h->capacity = capacity;
    }
    struct event e = {time, h->sequence++, kind, subject};
    size_t i = h->count++;
    while (i > 0 && earlier(&e, &h->item[(i - 1) / 2])) {
        h->item[i] = h->item[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->item[i] = e;
    return true;
}

struct event events_pop(struct event_heap *h)
{
    assert(h->count > 0);
    struct event top = h->item[0];
    struct event last = h->item[--h->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count &&
            earlier(&h->item[child + 1], &h->item[child]))
            child++;
        if (!earlier(&h->item[child], &last))
            break;
        h->item[i] = h->item[child];
        i = child;
    }
    if (h->count > 0)
        h->item[i] = last;
    return top;
}

uint64_t events_next(const struct event_heap *h)
{
    return h->count == 0 ? NO_EVENT : h->item[0].time;
}

void events_free(struct event_heap *h)
{
    free(h->item);
    *h = (struct event_heap){0};
}
