/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is kept but the slices that are open: events go to the file as they
 * end. */
#include "cli/out_trace.h"

#include "cli/formats.h"
#include "cli/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>

#define SLOTS_MAX      64
#define SCHEDULERS_MAX 8
/* Of a value of the counters, without --interval. */
#define COUNTER_CYCLES 100
/* Shorter stretches of a scheduler are left out, or there would be an event for
 * most of its cycles. */
#define STRETCH_CYCLES 8

/* A process of its own for what belongs to no SM. */
#define GPU_PROCESS        0
#define SM_PROCESS(sm)     ((sm) + 1)
#define SCHEDULER_TRACK(s) ((s) + 1)
#define WARP_TRACK(slot)   (100 + (slot))
#define SORT_STEP          100

struct warp_slices {
    uint64_t since, block;
    uint64_t phase_since, issued; /* issued: in this phase */
    uint32_t warp, phase;
};

struct scheduler_slice {
    uint64_t since;
    const char *cause; /* NULL: none yet */
};

struct sm_slices {
    uint64_t live;  /* slots whose warp's slices are open */
    uint64_t named; /* slots whose track has its name */
    bool known;     /* the process and its schedulers have theirs */
    struct warp_slices warp[SLOTS_MAX];
    struct scheduler_slice scheduler[SCHEDULERS_MAX];
};

struct trace {
    FILE *f;
    bool begun;           /* an event was written */
    uint64_t last;        /* cycle of the latest state */
    struct sm_slices *sm; /* [sms] */
    int sms;
};

/* ---- events -------------------------------------------------------------- */

/* Up to where an event's own fields go. */
static void begin(struct trace *t, char kind, int process)
{
    fprintf(t->f, "%s\n{\"ph\":\"%c\",\"pid\":%d", t->begun ? "," : "", kind,
            process);
    t->begun = true;
}

static void put_name(struct trace *t, const char *what, int process, int track,
                     const char *format, int a, int b)
{
    begin(t, 'M', process);
    fprintf(t->f, ",\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"", track,
            what);
    fprintf(t->f, format, a, b);
    fputs("\"}}", t->f);
}

static void put_place(struct trace *t, const char *what, int process, int track,
                      int place)
{
    begin(t, 'M', process);
    fprintf(t->f, ",\"tid\":%d,\"name\":\"%s\",\"args\":{\"sort_index\":%d}}",
            track, what, place);
}

/* Up to a slice's name. */
static void begin_slice(struct trace *t, int sm, int track, uint64_t from,
                        uint64_t to)
{
    begin(t, 'X', SM_PROCESS(sm));
    fprintf(t->f, ",\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64, track,
            from, to - from);
}

static void put_counter(struct trace *t, const char *name, uint64_t at,
                        const char *unit, double value)
{
    begin(t, 'C', GPU_PROCESS);
    fprintf(t->f, ",\"name\":\"%s\",\"ts\":%" PRIu64 ",\"args\":{\"%s\":%.6g}}",
            name, at, unit, value);
}

/* ---- warps --------------------------------------------------------------- */

static void end_phase(struct trace *t, int sm, int slot, uint64_t now)
{
    const struct warp_slices *w = &t->sm[sm].warp[slot];
    if (now == w->phase_since)
        return;
    begin_slice(t, sm, WARP_TRACK(slot), w->phase_since, now);
    fprintf(t->f,
            ",\"cat\":\"phase\",\"name\":\"phase %" PRIu32
            "\",\"args\":{\"warp_insts\":%" PRIu64 "}}",
            w->phase, w->issued);
}

static void start_phase(struct warp_slices *w, uint32_t phase, uint64_t now)
{
    w->phase = phase;
    w->phase_since = now;
    w->issued = 0;
}

static void start_warp(struct trace *t, const struct estimate_moment *m,
                       int slot)
{
    struct sm_slices *s = &t->sm[m->sm];
    struct warp_slices *w = &s->warp[slot];
    uint64_t bit = UINT64_C(1) << slot;
    if ((s->named & bit) == 0) {
        int scheduler = slot % m->schedulers, track = WARP_TRACK(slot);
        int sm = SM_PROCESS(m->sm);
        put_name(t, "thread_name", sm, track, "scheduler %d, warp slot %d",
                 scheduler, slot);
        put_place(t, "thread_sort_index", sm, track,
                  SORT_STEP * scheduler + slot + 1);
        s->named |= bit;
    }
    s->live |= bit;
    w->since = m->from;
    w->block = m->block[slot];
    w->warp = m->warp[slot];
    start_phase(w, m->phase[slot], m->from);
}

static void end_warp(struct trace *t, int sm, int slot, const char *kernel,
                     uint64_t now)
{
    struct sm_slices *s = &t->sm[sm];
    const struct warp_slices *w = &s->warp[slot];
    end_phase(t, sm, slot, now);
    s->live &= ~(UINT64_C(1) << slot);
    begin_slice(t, sm, WARP_TRACK(slot), w->since, now);
    fprintf(t->f,
            ",\"cat\":\"warp\",\"name\":\"block %" PRIu64 " warp %" PRIu32
            "\",\"args\":{\"kernel\":",
            w->block, w->warp);
    put_json_text(t->f, kernel);
    fputs("}}", t->f);
}

static void follow_warp(struct trace *t, const struct estimate_moment *m,
                        int slot)
{
    struct sm_slices *s = &t->sm[m->sm];
    struct warp_slices *w = &s->warp[slot];
    uint64_t bit = UINT64_C(1) << slot;
    bool was = (s->live & bit) != 0, is = (m->live & bit) != 0;
    w->issued += (m->issued & bit) != 0;
    if (was && (!is || w->block != m->block[slot])) {
        end_warp(t, m->sm, slot, m->kernel, m->from);
        was = false;
    }
    if (is && !was)
        start_warp(t, m, slot);
    if (is && w->phase != m->phase[slot]) {
        end_phase(t, m->sm, slot, m->from);
        start_phase(w, m->phase[slot], m->from);
    }
}

/* ---- schedulers ---------------------------------------------------------- */

static void end_stretch(struct trace *t, int sm, int scheduler, uint64_t now)
{
    const struct scheduler_slice *s = &t->sm[sm].scheduler[scheduler];
    if (s->cause == NULL || now < s->since + STRETCH_CYCLES)
        return;
    begin_slice(t, sm, SCHEDULER_TRACK(scheduler), s->since, now);
    fprintf(t->f, ",\"cat\":\"slots\",\"name\":\"%s\"}", s->cause);
}

static void follow_scheduler(struct trace *t, const struct estimate_moment *m,
                             int scheduler)
{
    struct scheduler_slice *s = &t->sm[m->sm].scheduler[scheduler];
    if (s->cause == m->stalled[scheduler])
        return;
    end_stretch(t, m->sm, scheduler, m->from);
    *s = (struct scheduler_slice){m->from, m->stalled[scheduler]};
}

static void name_sm(struct trace *t, const struct estimate_moment *m)
{
    int process = SM_PROCESS(m->sm);
    put_name(t, "process_name", process, 0, "SM %d", m->sm, 0);
    put_place(t, "process_sort_index", process, 0, process);
    for (int i = 0; i < m->schedulers; i++) {
        int track = SCHEDULER_TRACK(i);
        put_name(t, "thread_name", process, track, "scheduler %d", i, 0);
        put_place(t, "thread_sort_index", process, track, SORT_STEP * i);
    }
    t->sm[m->sm].known = true;
}

/* ---- the run ------------------------------------------------------------- */

static bool follow(void *user, const struct estimate_moment *m)
{
    struct trace *t = user;
    struct sm_slices *s = &t->sm[m->sm];
    uint64_t changed = m->live | s->live;
    t->last = m->from;
    if (!s->known && m->live == 0)
        return true;
    if (!s->known)
        name_sm(t, m);
    for (; changed != 0; changed &= changed - 1)
        follow_warp(t, m, __builtin_ctzll(changed));
    for (int i = 0; i < m->schedulers; i++)
        follow_scheduler(t, m, i);
    return !ferror(t->f);
}

static void put_counters(void *user, const struct estimate_interval *i)
{
    struct trace *t = user;
    put_counter(t, "IPC of an SM", i->from, "ipc", i->ipc);
    put_counter(t, "DRAM", i->from, "GB/s", i->dram_gbps);
    put_counter(t, "resident warps", i->to, "warps", (double)i->resident_warps);
    t->last = i->to;
}

/* The stretches that the run ends in, and the counters' fall to nothing. */
static void put_end(struct trace *t)
{
    for (int i = 0; i < t->sms; i++)
        for (int s = 0; s < SCHEDULERS_MAX; s++)
            end_stretch(t, i, s, t->last);
    put_counter(t, "IPC of an SM", t->last, "ipc", 0);
    put_counter(t, "DRAM", t->last, "GB/s", 0);
}

static void put_about(FILE *f, const struct plan *p)
{
    const struct plan_case *c = &p->at[0];
    const struct estimate_key *clock =
        estimate_key_find("clock.core_mhz", NULL);
    fputs("\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{"
          "\"time\":\"ts and dur are core cycles\",\"kernel\":",
          f);
    put_json_text(f, case_kernel(c));
    fputs(",\"gpu\":", f);
    put_json_text(f, case_gpu(c));
    fprintf(f, ",\"tb\":%d,\"core_mhz\":%g,\"program\":\"estimate %s\"}}\n",
            c->tb[0], estimate_gpu_get(c->variant->gpu, clock),
            estimate_version());
}

/* What write_file() is handed. */
struct job {
    const struct options *options;
    const struct plan *plan;
    int sms;
    struct estimate_error *failure;
};

static bool run(struct trace *t, const struct job *j)
{
    const struct options *o = j->options;
    struct estimate_watcher w;
    struct estimate_study *study = plan_study(j->plan, j->failure);
    if (study == NULL)
        return false;
    estimate_watcher_init(&w, sizeof(w));
    w.user = t;
    w.cancel = interrupt_flag();
    w.period = o->interval > 0 ? o->interval : COUNTER_CYCLES;
    w.interval = put_counters;
    w.sm = options_given(o, "sm") ? (int)o->sm : -1;
    w.moment = follow;
    bool ok = estimate_watch(study, &w, j->failure);
    estimate_study_free(study);
    return ok;
}

static void write_it(FILE *f, const struct format *format, const void *what)
{
    const struct job *j = what;
    struct trace t = {.f = f, .sms = j->sms};
    (void)format;
    t.sm = calloc((size_t)t.sms, sizeof(*t.sm));
    if (t.sm == NULL) {
        fail_no_memory(j->failure);
        return;
    }
    fputs("{\"traceEvents\":[", f);
    put_name(&t, "process_name", GPU_PROCESS, 0, "GPU", 0, 0);
    if (run(&t, j)) {
        put_end(&t);
        put_about(f, j->plan);
    }
    free(t.sm);
}

bool write_trace(const struct options *o, const struct plan *p,
                 struct estimate_error *e)
{
    struct estimate_error failure = {ESTIMATE_OK, ""};
    const struct estimate_gpu *g = p->at[0].variant->gpu;
    const struct job j = {
        o, p, (int)estimate_gpu_get(g, estimate_key_find("sms", NULL)),
        &failure};
    const struct written w = {
        .write = write_it, .what = &j, .failure = &failure};
    return write_file(o->trace_json, NULL, &w, e);
}
