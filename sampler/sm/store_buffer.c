/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/store_buffer.h"

#include <stdlib.h>

bool store_buffer_init(struct store_buffer *b, int room)
{
    *b = (struct store_buffer){.room = room};
    if (room > 0)
        b->line = calloc((size_t)room, sizeof(*b->line));
    return room == 0 || b->line != NULL;
}

void store_buffer_free(struct store_buffer *b)
{
    free(b->line);
}

void store_buffer_put(struct store_buffer *b, uint64_t line)
{
    b->line[(b->first + b->count++) % b->room] = line;
}

uint64_t store_buffer_take(struct store_buffer *b)
{
    uint64_t line = b->line[b->first];
    b->first = (b->first + 1) % b->room;
    b->count--;
    return line;
}
