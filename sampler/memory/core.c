/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/core.h"

#include "configs/gpu.h"

#include <stdlib.h>

bool mem_init(struct memory_core *c, const struct gpu *g)
{
    *c = (struct memory_core){
        .gpu = g, .at_doors = calloc((size_t)g->l2.banks, sizeof(int))};
    return c->at_doors != NULL;
}

void mem_free(struct memory_core *c)
{
    free(c->packet);
    free(c->at_doors);
    events_free(&c->events);
    *c = (struct memory_core){0};
}
