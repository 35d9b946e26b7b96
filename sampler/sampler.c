/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sampler.h"

#include "sampler/machine.h"
#include "sampler/policy/check.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/table.h"
#include "sampler/sm/l1_coherence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK_CLOCK_EVERY                                                      \
    65536 /* steps of the loop between looks at limits                         \
           */

/* ---- handing out blocks ------------------------------------------------- */

static void block_event(struct machine *m, struct sm *sm,
                        enum block_event_type type,
                        const struct block_slot *slot)
{
    if (m->blocks.policy->event != NULL)
        sm_settle(sm, m->now);
    block_scheduler_event(
        &m->blocks,
        &(struct block_event){
            .type = type,
            .cycle = m->now,
            .sm = sm->id,
            .block = slot != NULL ? slot->id - m->options->first_block : 0,
            .block_insts = slot != NULL ? sm_block_insts(sm, slot) : 0,
            .sm_insts = sm->insts,
            .stalls = sm->stalls});
}

static void tell_last_block(struct machine *m)
{
    for (int i = 0; i < m->sms; i++)
        sm_event(&m->sm[i], &(struct sched_event){.type = EVENT_LAST_BLOCK,
                                                  .cycle = m->now,
                                                  .warp = -1,
                                                  .block_slot = -1});
}

/* Deliver the samples that are due; returns the cycle of the next one. */
static uint64_t take_samples(struct machine *m)
{
    uint64_t soonest = NO_EVENT;
    if (m->blocks.policy->sample_at == NULL)
        return soonest;
    for (int i = 0; i < m->sms; i++) {
        uint64_t due = block_scheduler_sample_at(&m->blocks, i);
        if (due <= m->now) {
            block_event(m, &m->sm[i], BLOCK_EVENT_SAMPLE, NULL);
            m->dispatch = true;
            due = block_scheduler_sample_at(&m->blocks, i);
        }
        soonest = due < soonest ? due : soonest;
    }
    return soonest;
}

/* Give sm a block if its policy has one for it. */
static bool hand_out(struct machine *m, struct sm *sm, bool *gave)
{
    struct block_scheduler *b = &m->blocks;
    *gave = false;
    if (block_scheduler_left(b) == 0 ||
        sm->resident >= block_scheduler_limit(b, sm->id))
        return true;
    int64_t block = block_scheduler_next(b, sm->id);
    if (block < 0)
        return true;
    uint64_t id = m->options->first_block + (uint64_t)block;
    const struct block_slot *slot = sm_launch(sm, id, m->now, m->error);
    if (slot == NULL)
        return false;
    *gave = true;
    block_event(m, sm, BLOCK_EVENT_START, slot);
    if (block_scheduler_left(b) == 0)
        tell_last_block(m);
    return true;
}

/* At most one block an SM and cycle, launch.block_period cycles apart; the
 * flag stays up while another round may find room. */
static bool dispatch(struct machine *m, double *next_hand_out)
{
    double period = m->gpu->launch.block_period;
    int first = block_scheduler_first_sm(&m->blocks);
    bool any = false;
    for (int i = 0; i < m->sms; i++) {
        if (period > 0 && *next_hand_out > (double)m->now)
            return true;
        bool gave;
        if (!hand_out(m, &m->sm[(first + i) % m->sms], &gave))
            return false;
        any |= gave;
        /* Due in this cycle: the fraction of a period is not lost. */
        bool due = *next_hand_out > (double)m->now - 1;
        if (gave)
            *next_hand_out = (due ? *next_hand_out : (double)m->now) + period;
    }
    m->dispatch = any && block_scheduler_left(&m->blocks) > 0;
    return true;
}

void machine_block_done(struct machine *m, struct sm *sm,
                        const struct block_slot *slot, uint64_t now)
{
    m->counts.blocks_done++;
    m->counts.last_block_start = slot->launched;
    m->counts.last_block_end = now;
    m->dispatch = true;
    block_event(m, sm, BLOCK_EVENT_END, slot);
    const struct sampler_options *o = m->options;
    if (o->block_done != NULL &&
        !o->block_done(o->user, slot->id, slot->launched, now,
                       sm_block_insts(sm, slot)))
        m->stopped = true;
}

static void explain_blocks(const struct machine *m)
{
    if (m->options->explain == NULL)
        return;
    for (int i = 0; i < m->sms; i++)
        block_scheduler_explain(&m->blocks, i, m->options->explain);
}

static struct sampler_search collect_search(const struct machine *m)
{
    struct sampler_search s = {0};
    for (int i = 0; i < m->sms; i++) {
        s.blocks += (double)block_scheduler_limit(&m->blocks, i) / m->sms;
        s.settled += block_scheduler_settled(&m->blocks, i);
    }
    return s;
}

/* ---- a kernel ----------------------------------------------------------- */

static uint8_t registers(const uint16_t *operand, int count)
{
    uint8_t n = 0;
    for (int i = 0; i < count; i++)
        n += operand[i] < REG_PREDICATE;
    return n;
}

static bool decode_kernel(struct machine *m, const struct kernel *k)
{
    struct decoded *d = realloc(m->decoded, k->inst_count * sizeof(*d));
    if (d == NULL)
        return false;
    m->decoded = d;
    for (uint32_t i = 0; i < k->inst_count; i++) {
        const struct inst *inst = &k->inst[i];
        d[i] = (struct decoded){
            .unit = (uint8_t)exec_unit_of(&m->exec, inst->op),
            .exec = m->exec.class_of[inst->op],
            .load = inst->op == OP_LOAD &&
                    (inst->space == SPACE_GLOBAL || inst->space == SPACE_LOCAL),
            .reads = registers(inst->src, inst->src_count),
            .writes = registers(inst->dst, inst->dst_count),
        };
    }
    return true;
}

static int at_most(int n, int limit)
{
    return limit > 0 && limit < n ? limit : n;
}

/* From the cycle after a kernel's last the issue slots are idle. */
static void rest(struct machine *m)
{
    m->now++;
    for (int i = 0; i < m->sms; i++) {
        struct sm *sm = &m->sm[i];
        sm_settle(sm, m->now);
        for (int s = 0; s < sm->table.schedulers; s++)
            sm->scheduler[s].stall = STALL_IDLE;
    }
}

static bool start_kernel(struct machine *m, const struct kernel *k, int index)
{
    const struct sampler_options *o = m->options;
    uint64_t blocks = o->block_count > 0 ? o->block_count : k->blocks;
    m->kernel = k;
    block_scheduler_start(
        &m->blocks, &(struct block_context){
                        .max_blocks = at_most(occupancy_blocks(m->gpu, k, NULL),
                                              o->block_limit),
                        .blocks = blocks,
                        .grid_x = k->grid.x,
                        .grid_y = k->grid.y,
                        .grid_z = k->grid.z,
                        .kernel_index = index});
    m->dispatch = true;
    if (index > 0)
        rest(m);
    m->now += (uint64_t)m->gpu->launch.kernel_cycles;
    if (!decode_kernel(m, k) || !timeline_start(m))
        return false;
    for (int i = 0; i < m->sms; i++)
        if (!sm_start_kernel(&m->sm[i], k))
            return false;
    return true;
}

static bool busy(const struct machine *m)
{
    if (block_scheduler_left(&m->blocks) > 0)
        return true;
    for (int i = 0; i < m->sms; i++)
        if (m->sm[i].resident > 0)
            return true;
    return false;
}

static bool stuck(const struct machine *m)
{
    char text[400] = "no block can be launched";
    for (int i = 0; i < m->sms; i++)
        if (m->sm[i].resident > 0) {
            sm_describe_stuck(&m->sm[i], text, sizeof(text));
            break;
        }
    return error_set(m->error, STATUS_LIMIT,
                     "%s: no warp can issue after cycle %llu: %s",
                     m->kernel->name, (unsigned long long)m->now, text);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool out_of_time(const struct machine *m, double deadline)
{
    const struct sampler_options *o = m->options;
    return (o->cancel != NULL && *o->cancel) ||
           (o->time_limit_s > 0 && seconds() > deadline);
}

/* One cycle in which something may happen; *next is the following such cycle,
 * NO_EVENT when there is none. */
static bool step(struct machine *m, double *next_hand_out, uint64_t *next)
{
    timeline_tell(m);
    if (!memory_advance(&m->memory, m->now))
        return error_no_memory(m->error);
    bool every = m->options->tick_every_cycle;
    uint64_t soonest = take_samples(m);
    if (m->dispatch && !dispatch(m, next_hand_out))
        return false;
    for (int i = 0; i < m->sms; i++) {
        struct sm *sm = &m->sm[i];
        if (every || sm->wake <= m->now)
            sm_tick(sm, m->now);
        soonest = sm->wake < soonest ? sm->wake : soonest;
    }
    if (m->out_of_memory)
        return error_no_memory(m->error);
    uint64_t sent = memory_next(&m->memory);
    soonest = sent < soonest ? sent : soonest;
    if (m->dispatch && block_scheduler_left(&m->blocks) > 0) {
        uint64_t due = (uint64_t)ceil(*next_hand_out);
        due = due > m->now ? due : m->now + 1;
        soonest = due < soonest ? due : soonest;
    }
    bool jump = soonest > m->now && !every;
    *next = jump || soonest == NO_EVENT ? soonest : m->now + 1;
    return true;
}

/* Run the kernel to its end; *partial when a limit came first. */
static bool run_kernel(struct machine *m, double deadline, bool *partial)
{
    uint64_t max =
        m->options->max_cycles > 0 ? m->options->max_cycles : UINT64_MAX;
    double next_hand_out = (double)m->now;
    for (uint64_t n = 0; busy(m) && !m->stopped; n++) {
        uint64_t next = NO_EVENT;
        if (!step(m, &next_hand_out, &next))
            return false;
        if (!busy(m))
            break;
        if (next == NO_EVENT)
            return stuck(m);
        *partial = next > max ||
                   (n % CHECK_CLOCK_EVERY == 0 && out_of_time(m, deadline));
        if (next > max && m->now < max)
            m->now = max;
        if (*partial)
            return true;
        m->now = next;
    }
    return true;
}

/* ---- the run ------------------------------------------------------------ */

static bool on_reply(void *user, const struct request *r, uint64_t now)
{
    struct machine *m = user;
    sm_reply(&m->sm[r->sm], r, now);
    return !m->out_of_memory;
}

static void on_room(void *user, int sm)
{
    struct machine *m = user;
    if (ldst_credit_returned(&m->sm[sm]))
        m->sm[sm].wake = m->now;
}

static void on_invalidate(void *user, int sm, uint64_t line, uint32_t words)
{
    struct machine *m = user;
    l1_invalidate(&m->sm[sm], line, words);
}

static void on_expect_answer(void *user, const struct request *r)
{
    struct machine *m = user;
    l1_expect_answer(&m->sm[r->sm], r);
}

/* The most resident blocks an SM may hold of any kernel of the run, or 0 with
 * e.
 */
static int block_room(struct kernel *const *kernels, int count,
                      const struct gpu *g, int limit, struct error *e)
{
    int room = 0;
    for (int i = 0; i < count; i++) {
        enum occupancy_limit why;
        int fits = occupancy_blocks(g, kernels[i], &why);
        if (fits == 0)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s: not one block fits on an SM of %s (%s)",
                             kernels[i]->name, g->name,
                             occupancy_limit_name(why));
        room = fits > room ? fits : room;
    }
    return at_most(room, limit);
}

static bool machine_init(struct machine *m, int room)
{
    exec_table_init(&m->exec, m->gpu);
    m->sms = m->gpu->sms;
    m->sm = calloc((size_t)m->sms, sizeof(*m->sm));
    if (m->sm == NULL ||
        !block_scheduler_init(&m->blocks, &m->policies->block, m->sms))
        return false;
    const struct memory_callbacks up = {.user = m,
                                        .reply = on_reply,
                                        .room = on_room,
                                        .invalidate = on_invalidate,
                                        .expect_answer = on_expect_answer};
    if (!memory_init(&m->memory, m->gpu, &up))
        return false;
    for (int i = 0; i < m->sms; i++)
        if (!sm_init(&m->sm[i], m, i, room))
            return false;
    return true;
}

static void machine_free(struct machine *m)
{
    for (int i = 0; m->sm != NULL && i < m->sms; i++)
        if (m->sm[i].machine != NULL)
            sm_free(&m->sm[i]);
    memory_free(&m->memory);
    free(m->sm);
    block_scheduler_free(&m->blocks);
    free(m->decoded);
    free(m->warps_in_phase);
    address_ranges_free(&m->read_only);
}

/* Under denovo buffers that no launch writes to stay in the L1s. */
static bool find_read_only(struct machine *m, struct kernel *const *kernels,
                           int count)
{
    return m->gpu->coherence != COHERENCE_DENOVO || count < 2 ||
           read_only_ranges(&m->read_only, kernels, count, m->error);
}

static bool end_kernel(struct machine *m)
{
    for (int i = 0; i < m->sms; i++)
        l1_end_kernel(&m->sm[i]);
    return (!m->out_of_memory &&
            memory_drain_writebacks(&m->memory, &m->now)) ||
           error_no_memory(m->error);
}

/* Run all kernels on a machine whose gpu, policies, options and error are set,
 * and free it. */
static bool run(struct sampler_run *out, struct machine *m,
                struct kernel *const *kernels, int count, double deadline)
{
    *out = (struct sampler_run){0};
    struct error *e = m->error;
    int room = block_room(kernels, count, m->gpu, m->options->block_limit, e);
    if (room == 0)
        return false;
    bool partial = false;
    bool ok = (machine_init(m, room) || error_no_memory(e)) &&
              find_read_only(m, kernels, count);
    for (int i = 0; ok && i < count && !partial && !m->stopped; i++) {
        ok = (start_kernel(m, kernels[i], i) || error_no_memory(e)) &&
             run_kernel(m, deadline, &partial) &&
             kernel_streams_check(kernels[i], e);
        if (ok && !partial && !m->stopped)
            ok = end_kernel(m);
        if (ok)
            explain_blocks(m);
    }
    if (ok) {
        counts_collect(out, m, partial);
        out->search = collect_search(m);
    }
    machine_free(m);
    return ok;
}

/* A first run under lrr, of which the caller hears nothing, then the run. */
static bool run_twice(struct sampler_run *out, const struct machine *m,
                      struct kernel *const *kernels, int count, double deadline)
{
    struct oracle oracle;
    struct policy_set under_lrr = *m->policies;
    under_lrr.warp.warp = &warp_lrr;
    struct sampler_options unheard = *m->options;
    unheard.block_done = NULL;
    unheard.moment = NULL;
    unheard.warp_done = NULL;
    unheard.explain = NULL;
    struct machine first = *m, second = *m;
    first.policies = &under_lrr;
    first.options = &unheard;
    first.oracle = second.oracle = &oracle;
    bool ok = oracle_init(&oracle, kernels, count, m->options) ||
              error_no_memory(m->error);
    ok = ok && run(out, &first, kernels, count, deadline);
    oracle.recording = false;
    ok = ok && run(out, &second, kernels, count, deadline);
    oracle_free(&oracle);
    return ok;
}

bool sampler_simulate(struct sampler_run *out, struct kernel *const *kernels,
                      int kernel_count, const struct gpu *gpu,
                      const struct policy_set *policies,
                      const struct sampler_options *options, struct error *e)
{
    struct policy_set set = *policies;
    const struct warp_policy *p = set.warp.warp;
    if (!policy_set_check(&set, e))
        return false;
    if (p->l1 != NULL && p->l1 != set.l1.cache)
        set.l1 = choice_of(&p->l1->info);
    struct machine m = {
        .gpu = gpu, .policies = &set, .options = options, .error = e};
    double deadline = seconds() + options->time_limit_s;
    return p->two_pass ? run_twice(out, &m, kernels, kernel_count, deadline)
                       : run(out, &m, kernels, kernel_count, deadline);
}
