/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/machine.h"

#include "base/bits.h"
#include "configs/gpu.h"
#include "sampler/sm/l1_coherence.h"
#include "sampler/warm.h"
#include "sampler/warmed.h"

#include <stdlib.h>

/* ---- what the memory system tells --------------------------------------- */

static bool on_reply(void *user, const struct request *r, uint64_t now)
{
    struct machine *m = user;
    return sm_reply(&m->sm[r->sm], r, now);
}

static void on_room(void *user, int sm)
{
    struct machine *m = user;
    sm_credit(&m->sm[sm], m->now);
}

static void on_invalidate(void *user, int sm, uint64_t line, uint32_t words)
{
    struct machine *m = user;
    l1_invalidate(&m->sm[sm].l1, line, words);
}

static void on_expect_answer(void *user, const struct request *r)
{
    struct machine *m = user;
    l1_expect_answer(&m->sm[r->sm].l1, r);
}

/* ---- what an SM tells --------------------------------------------------- */

static void on_block_end(void *user, struct sm *sm,
                         const struct block_slot *slot)
{
    struct machine *m = user;
    uint64_t now = sm->core.now;
    m->counts.blocks_done++;
    m->blocks_left--;
    m->counts.last_block_start = slot->launched;
    m->counts.last_block_end = now;
    dispatch_block_ended(&m->dispatch, sm, slot, now);
    const struct sampler_options *o = m->options;
    if (o->block_done != NULL &&
        !o->block_done(o->user, &(struct sampler_block){
                                    slot->id, sm->core.id, slot->launched, now,
                                    sm_block_insts(sm, slot)}))
        m->stopped = true;
}

static struct sampler_warp life_of(const struct machine *m, const struct sm *sm,
                                   int warp)
{
    const struct warp *w = &sm->core.warp[warp];
    return (struct sampler_warp){.kernel = m->kernel_index,
                                 .block = sm->core.table.block_id[warp],
                                 .warp = w->in_block,
                                 .sm = sm->core.id,
                                 .start = w->launched,
                                 .end = sm->core.now,
                                 .insts = w->insts,
                                 .sched_wait = w->sched_wait};
}

/* Record how long the warp takes in all, by the part of its steps that it
 * issued in this run: it runs still, or its block was underway. Where nobody
 * knows how many there are it is not recorded. */
static void record_part(const struct machine *m, const struct sm *sm, int warp)
{
    const struct kernel *k = m->kernel;
    struct sampler_warp life = life_of(m, sm, warp);
    const struct block_slot *slot =
        &sm->core.block[sm->core.warp[warp].block_slot];
    uint64_t steps = k->ops->steps == NULL || life.insts == 0
                         ? 0
                         : k->ops->steps(k, slot->stream, life.warp);
    if (steps == 0)
        return;
    double times = (double)steps / (double)life.insts;
    life.end =
        life.start + (uint64_t)((double)(sm->core.now - life.start) * times);
    oracle_record(m->oracle, m->kernel_index, k->warps_per_block, &life);
}

static void record_end(const struct machine *m, const struct sm *sm, int warp,
                       const struct sampler_warp *life)
{
    const struct sampler_options *o = m->options;
    oracle_record(m->oracle, m->kernel_index, m->kernel->warps_per_block, life);
    if (life->block - o->first_block < o->underway.blocks)
        record_part(m, sm, warp);
}

void machine_end_recording(struct machine *m)
{
    for (int i = 0; i < m->sms; i++)
        for (uint64_t left = m->sm[i].core.table.live; left != 0;)
            record_part(m, &m->sm[i], take_bit(&left));
    m->oracle->recording = false;
    m->oracle->complete = true;
}

static void on_warp_end(void *user, const struct sm *sm, int warp)
{
    const struct machine *m = user;
    const struct sampler_warp life = life_of(m, sm, warp);
    if (m->oracle != NULL && m->oracle->recording)
        record_end(m, sm, warp, &life);
    if (m->options->warp_done != NULL)
        m->options->warp_done(m->options->user, &life);
}

static void on_line_event(void *user, const struct sm *sm,
                          const struct sched_event *e)
{
    const struct machine *m = user;
    struct sampler_line line = {.event = e->type == EVENT_L1_HIT ? LINE_HIT
                                         : e->type == EVENT_L1_MISS
                                             ? LINE_MISS
                                             : LINE_EVICTED,
                                .sm = sm->core.id,
                                .kernel = m->kernel_index,
                                .line = e->line,
                                .inst = e->inst,
                                .present = e->present,
                                .critical = e->critical};
    m->options->line(m->options->user, &line);
}

/* ---- a kernel ----------------------------------------------------------- */

static uint8_t registers(const uint16_t *operand, int count)
{
    uint8_t n = 0;
    for (int i = 0; i < count; i++)
        n += operand[i] < REG_PREDICATE;
    return n;
}

/* A register that stands for several operands is read once. */
static bool is_new(const struct inst *i, int source)
{
    for (int r = 0; r < source; r++)
        if (i->src[r] == i->src[source])
            return false;
    return i->src[source] < REG_PREDICATE;
}

/* The registers that its collector reads. */
static void list_sources(struct decoded *d, const struct inst *i)
{
    for (int r = 0; r < i->src_count; r++)
        if (is_new(i, r))
            d->source[d->sources++] = i->src[r];
}

/* The kernel with the registers alone that name operands; NULL when memory is
 * out. */
static const struct kernel *narrowed(struct machine *m, const struct kernel *k)
{
    struct inst *inst = realloc(m->narrow.inst, k->inst_count * sizeof(*inst));
    if (inst == NULL)
        return NULL;
    m->narrow = *k;
    m->narrow.inst = inst;
    for (uint32_t i = 0; i < k->inst_count; i++) {
        inst[i] = k->inst[i];
        inst[i].dst_count -= inst[i].dst_implied;
        inst[i].src_count -= inst[i].src_implied;
    }
    return &m->narrow;
}

static bool decode(struct machine *m, const struct kernel *k)
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
            .interval = (uint32_t)exec_interval(&m->exec, inst),
            .late = (uint32_t)exec_late(&m->exec, inst),
        };
        list_sources(&d[i], inst);
        registers_name(&d[i].uses, inst->src, inst->src_count);
        registers_name(&d[i].uses, inst->dst, inst->dst_count);
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
    for (int i = 0; i < m->sms; i++)
        sm_rest(&m->sm[i], m->now);
}

/* The blocks before the run's first, of which an SM held max_blocks. */
static struct warm_blocks blocks_before(const struct machine *m, int max_blocks)
{
    return (struct warm_blocks){.first = m->options->first_block,
                                .most = m->options->warm,
                                .at_once =
                                    (uint64_t)m->sms * (uint64_t)max_blocks};
}

/* What they leave in the caches. */
static bool warm(struct machine *m, const struct warm_blocks *blocks)
{
    const struct sampler_options *o = m->options;
    struct cache *l1[MAX_SMS];
    const struct cache *tags = &m->sm[0].l1.tags;
    struct warm_caches caches = {.memory = &m->memory,
                                 .l1 = l1,
                                 .sms = m->sms,
                                 .l1_lines =
                                     (double)tags->sets * tags->ways * m->sms,
                                 .before = o->before,
                                 .befores = o->befores,
                                 .before_share = o->before_share};
    if (o->warm == 0 && o->befores == 0)
        return true;
    for (int i = 0; i < m->sms; i++)
        l1[i] = l1_to_warm(&m->sm[i].l1);
    if (l1[0] == NULL)
        caches.l1 = NULL;
    return o->warmed != NULL
               ? warmed_caches(o->warmed, &caches, blocks, m->error)
               : warm_caches(&caches, m->kernel, blocks, m->error);
}

bool machine_start_kernel(struct machine *m, const struct kernel *k, int index)
{
    const struct sampler_options *o = m->options;
    bool known = m->oracle != NULL && !m->oracle->recording;
    if (!m->gpu->sm.wide_operands)
        k = narrowed(m, k);
    if (k == NULL)
        return error_no_memory(m->error);
    m->kernel = k;
    m->kernel_index = index;
    m->steps = 0;
    m->blocks_left = o->block_count > 0 ? o->block_count : k->blocks;
    if (index > 0)
        rest(m);
    m->now += (uint64_t)m->gpu->launch.kernel_cycles;
    if (!decode(m, k) ||
        !timeline_start(&m->timeline, o, k->phase_count, m->sms, m->now))
        return error_no_memory(m->error);
    const struct sm_kernel next = {
        .kernel = k,
        .decoded = m->decoded,
        .index = index,
        .read_only = &m->read_only,
        .warp_cycles = known ? m->oracle->warp_cycles[index] : NULL,
        .first_block = o->first_block};
    for (int i = 0; i < m->sms; i++)
        if (!sm_start_kernel(&m->sm[i], &next))
            return error_no_memory(m->error);
    int max_blocks = at_most(occupancy_blocks(m->gpu, k, NULL), o->block_limit);
    const struct warm_blocks before = blocks_before(m, max_blocks);
    if (!warm(m, &before))
        return false;
    if (!dispatch_set_underway(&m->dispatch, &o->underway, &before))
        return error_no_memory(m->error);
    dispatch_start_kernel(&m->dispatch, k, index, m->blocks_left, max_blocks,
                          m->now);
    return true;
}

bool machine_end_kernel(struct machine *m)
{
    for (int i = 0; i < m->sms; i++)
        if (!sm_end_kernel(&m->sm[i], m->now))
            return false;
    return memory_drain_writebacks(&m->memory, &m->now) ||
           error_no_memory(m->error);
}

/* ---- life --------------------------------------------------------------- */

/* The most resident blocks an SM may hold of any kernel of the run, or 0 with
 * the error set. */
static int block_room(const struct machine *m, struct kernel *const *kernels,
                      int count)
{
    int room = 0;
    for (int i = 0; i < count; i++) {
        int fits = occupancy_blocks(m->gpu, kernels[i], NULL);
        if (fits == 0)
            return occupancy_none_fits(m->gpu, kernels[i], m->error);
        room = fits > room ? fits : room;
    }
    return at_most(room, m->options->block_limit);
}

static bool init_sms(struct machine *m, int block_slots)
{
    const struct sampler_options *o = m->options;
    bool recording = m->oracle != NULL && m->oracle->recording;
    struct sm_setup setup = {.gpu = m->gpu,
                             .exec = &m->exec,
                             .policies = m->policies,
                             .memory = &m->memory,
                             .block_slots = block_slots,
                             .criticality = o->criticality,
                             .criticality_period = o->criticality_period,
                             .up = {.user = m, .block_ended = on_block_end},
                             .error = m->error};
    if (recording || o->warp_done != NULL)
        setup.up.warp_ended = on_warp_end;
    if (o->line != NULL)
        setup.up.line_event = on_line_event;
    for (; m->sms < m->gpu->sms; m->sms++) {
        setup.id = m->sms;
        setup.wake = &m->wake[m->sms];
        if (!sm_init(&m->sm[m->sms], &setup)) {
            sm_free(&m->sm[m->sms]);
            return false;
        }
    }
    return true;
}

bool machine_init(struct machine *m, struct kernel *const *kernels, int count)
{
    const struct memory_callbacks up = {.user = m,
                                        .reply = on_reply,
                                        .room = on_room,
                                        .invalidate = on_invalidate,
                                        .expect_answer = on_expect_answer};
    int room = block_room(m, kernels, count);
    if (room == 0)
        return false;
    bool tells =
        m->options->interval != NULL && m->options->interval_period > 0;
    m->next_interval = tells ? m->options->interval_period : UINT64_MAX;
    exec_table_init(&m->exec, m->gpu);
    m->sm = calloc((size_t)m->gpu->sms, sizeof(*m->sm));
    m->wake = malloc((size_t)m->gpu->sms * sizeof(*m->wake));
    m->dispatch = (struct dispatch){.gpu = m->gpu,
                                    .sm = m->sm,
                                    .first_block = m->options->first_block,
                                    .memory = &m->memory,
                                    .warmed = m->options->warmed};
    if (m->sm == NULL || m->wake == NULL ||
        !dispatch_init(&m->dispatch, &m->policies->block) ||
        !memory_init(&m->memory, m->gpu, &up))
        return error_no_memory(m->error);
    if (!init_sms(m, room))
        return false;
    /* Under denovo buffers that no launch writes to stay in the L1s. */
    return m->gpu->coherence != COHERENCE_DENOVO || count < 2 ||
           read_only_ranges(&m->read_only, kernels, count, m->error);
}

void machine_free(struct machine *m)
{
    for (int i = 0; i < m->sms; i++)
        sm_free(&m->sm[i]);
    memory_free(&m->memory);
    dispatch_free(&m->dispatch);
    timeline_free(&m->timeline);
    address_ranges_free(&m->read_only);
    free(m->sm);
    free(m->wake);
    free(m->decoded);
    free(m->narrow.inst);
}
