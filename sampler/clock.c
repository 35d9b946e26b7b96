/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/clock.h"

#include "base/bits.h"
#include "sampler/counts.h"
#include "sampler/sm/stuck.h"

#include <time.h>

/* Steps of the loop between two looks at the wall clock. */
#define STEPS_TO_LOOK 65536
/* Likewise at how far it has come. */
#define STEPS_TO_TELL 16

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool out_of_time(const struct machine *m, double deadline)
{
    const struct sampler_options *o = m->options;
    return (o->cancel != NULL && *o->cancel) ||
           (o->time_limit_s > 0 && clock_seconds() > deadline);
}

/* Warps may wait for what a stream that broke off was to bring. */
static bool stuck(const struct machine *m)
{
    if (!kernel_streams_check(m->kernel, m->error))
        return false;
    char text[400] = "no block can be launched";
    for (int i = 0; i < m->sms; i++)
        if (m->sm[i].blocks.resident > 0) {
            stuck_describe(&m->sm[i].core, text, sizeof(text));
            break;
        }
    return error_set(m->error, STATUS_LIMIT,
                     "%s: no warp can issue after cycle %llu: %s",
                     m->kernel->name, (unsigned long long)m->now, text);
}

static void tell_timeline(struct machine *m, uint64_t now)
{
    if (!timeline_tell(&m->timeline, m->sm, m->sms, now))
        m->stopped = true;
}

/* One cycle in which something may happen; *next is the following such cycle,
 * UINT64_MAX when there is none. */
static bool step(struct machine *m, uint64_t *next)
{
    uint64_t now = m->now;
    tell_timeline(m, now);
    counts_tell(m, now);
    if (!memory_advance(&m->memory, now))
        return error_no_memory(m->error);
    bool every = m->options->tick_every_cycle;
    uint64_t soonest = dispatch_sample(&m->dispatch, now);
    if (!dispatch_cycle(&m->dispatch, now, m->error))
        return false;
    for (int i = 0; i < m->sms; i++) {
        if ((every || m->wake[i] <= now) && !sm_tick(&m->sm[i], now))
            return false;
        soonest = earliest(soonest, m->wake[i]);
    }
    soonest = earliest(soonest, memory_next(&m->memory));
    soonest = earliest(soonest, dispatch_wake(&m->dispatch, now));
    bool jump = soonest > now && !every;
    *next = jump || soonest == UINT64_MAX ? soonest : now + 1;
    return true;
}

static bool is_recording(const struct machine *m)
{
    return m->oracle != NULL && m->oracle->recording;
}

static bool watches_progress(const struct machine *m)
{
    const struct sampler_options *o = m->options;
    return o->progress != NULL || o->measured_from > 0 || is_recording(m);
}

/* The end of a first pass is that of the run, where nobody hears of it. */
static void end_first_pass(struct machine *m, uint64_t insts)
{
    const struct sampler_options *o = m->options;
    if (!is_recording(m) || o->first_pass == 0 || insts < o->first_pass)
        return;
    machine_end_recording(m);
    m->stopped = o->progress == NULL;
}

/* Tell how far the run has come, and whether it goes on. */
static void tell_progress(struct machine *m)
{
    const struct sampler_options *o = m->options;
    uint64_t insts = 0;
    for (int i = 0; i < m->sms; i++)
        insts += sm_insts(&m->sm[i]);
    end_first_pass(m, insts);
    bool measures = m->unmeasured.warp_insts > 0;
    if (!measures && o->measured_from > 0 && insts >= o->measured_from)
        counts_begin_measuring(m);
    if (o->progress == NULL || insts < m->next_progress)
        return;
    m->next_progress = insts + o->progress_period;
    m->stopped = !o->progress(o->user, m->now, insts);
}

bool clock_run_kernel(struct machine *m, double deadline, bool *partial)
{
    uint64_t max =
        m->options->max_cycles > 0 ? m->options->max_cycles : UINT64_MAX;
    while (m->blocks_left > 0 && !m->stopped) {
        uint64_t next = UINT64_MAX, n = m->steps++;
        if (!step(m, &next))
            return false;
        if (m->blocks_left == 0) {
            tell_timeline(m, m->now + 1);
            break;
        }
        if (watches_progress(m) && n % STEPS_TO_TELL == 0)
            tell_progress(m);
        if (next == UINT64_MAX)
            return stuck(m);
        *partial =
            next > max || (n % STEPS_TO_LOOK == 0 && out_of_time(m, deadline));
        if (next > max && m->now < max)
            m->now = max;
        if (*partial)
            return true;
        m->now = next;
    }
    return true;
}
