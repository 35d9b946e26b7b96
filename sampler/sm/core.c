/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/core.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void core_no_memory(struct sm_core *core)
{
    if (!core->failed)
        error_no_memory(core->error);
    core->failed = true;
}

void core_fail(struct sm_core *core, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!core->failed)
        error_set(core->error, STATUS_FAILED, "%s", text);
    core->failed = true;
}

void core_observe(struct sm_core *core, const struct observer *observer)
{
    assert(core->observers < MAX_OBSERVERS);
    core->observer[core->observers++] = *observer;
    core->observed |= observer->events;
}

void core_tell(const struct sm_core *core, const struct sched_event *event)
{
    for (int i = 0; i < core->observers; i++) {
        const struct observer *o = &core->observer[i];
        if ((o->events & event->type) != 0)
            o->tell(o->user, event);
    }
}

void core_settle_in_flight(struct sm_core *core)
{
    struct sampler_counts *c = &core->counts;
    uint64_t cycles = core->now - core->in_flight_since;
    core->in_flight_since = core->now;
    c->alu_in_flight += cycles * core->alu_in_flight;
    c->mem_in_flight += cycles * core->mem_in_flight;
    uint64_t *where[2][2] = {{&c->cycles_neither, &c->cycles_mem_only},
                             {&c->cycles_alu_only, &c->cycles_both}};
    *where[core->alu_in_flight > 0][core->mem_in_flight > 0] += cycles;
}
