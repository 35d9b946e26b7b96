/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/overlap.h"

#include "model/constants.h"

#include <math.h>

/* Use of a resource with the stretch that a short ready queue puts on issue. */
static double use_of(const struct demand *d, const struct overlap *o, int u)
{
    return u == RES_ISSUE ? d->use[u] * o->issue_stretch : d->use[u];
}

static double largest_use(const struct demand *d, const struct overlap *o)
{
    double most = 0;
    for (int u = 0; u < RESOURCES; u++)
        most = fmax(most, use_of(d, o, u));
    return most;
}

/* Waiting that a customer adds to its own path at one centre, and its
 * derivative by the cycle time t: Schweitzer's approximation of mean-value
 * analysis (Performance 1979) with deterministic service. A customer finds
 * (n - 1) / n of the mean queue, less half of the one in service:
 *   R = D (1 - U / 2) / (1 - U (n - 1) / n),  U = n use / t. */
struct wait {
    double value, slope;
};

static struct wait waiting(double demand, double busy, double customers,
                           double t)
{
    double u = busy / t, others = (customers - 1) / customers;
    double free = 1 - u * others;
    double value = demand * ((1 - u / 2) / free - 1);
    struct wait w = {0, 0};
    if (value <= 0)
        return w;
    w.value = value;
    /* d/du ((1 - u/2) / free) = (others - 1/2) / free^2; du/dt = -u / t */
    w.slope = -demand * (others - 0.5) / (free * free) * u / t;
    return w;
}

/* Issue slots and units follow each other in a pipeline, and so do the stations
 * on the way to memory: queues form before the slowest of each. */
static struct wait total_wait(const struct demand *d, const struct overlap *o,
                              double warps, double t)
{
    struct wait alu = {0, 0}, memory = {0, 0};
    for (int u = 0; u < RESOURCES; u++) {
        struct wait *longest = u < RES_LDST ? &alu : &memory;
        double use = use_of(d, o, u), demand = use, customers = warps;
        struct wait w;
        if (use <= 0)
            continue;
        if (u == RES_ISSUE) { /* each scheduler serves its share of the warps */
            demand = use * o->schedulers;
            customers = fmax(1, warps / o->schedulers);
        } else if (u >= RES_L2) {
            /* so does each slice and channel, its share of all SMs' warps */
            double served = o->servers_a_sm[u - RES_L2];
            demand = use * served;
            customers = fmax(1, warps / served);
        }
        w = waiting(demand, use * warps, customers, t);
        if (w.value > longest->value)
            *longest = w;
    }
    return (struct wait){alu.value + memory.value, alu.slope + memory.slope};
}

/* Cycle time of `warps` warps that run through the demand again and again:
 * path + waiting(t) = t, by Newton's method from below (the left side falls and
 * is convex in t). The path is the block's longest: a warp that is done early
 * leaves its place empty until its block ends. */
static double cycle_time(const struct demand *d, const struct overlap *o,
                         double warps)
{
    double bound = warps * largest_use(d, o), t = fmax(d->critical, bound);
    if (warps <= 1)
        return t;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        struct wait w = total_wait(d, o, warps, t);
        double gap = d->critical + w.value - t;
        if (gap <= NEWTON_TOLERANCE * t)
            break;
        t += gap / (1 - w.slope);
    }
    return t;
}

double overlap_shared_time(double path, double service, double customers)
{
    double t = fmax(path, customers * service);
    for (int i = 0; i < NEWTON_STEPS && customers > 1; i++) {
        struct wait w = waiting(service, service * customers, customers, t);
        double gap = path + w.value - t;
        if (gap <= NEWTON_TOLERANCE * t)
            break;
        t += gap / (1 - w.slope);
    }
    return t;
}

/* What a phase adds to the time of a warp when all move phase by phase
 * together. They share the issue slots evenly, so that a phase's instructions
 * take the longer of what one warp needs for them and what all need of the
 * busiest unit; and they come to slow units and memory in a row, to queue up
 * for what these take. */
static double queue_of(const struct demand *d, const struct overlap *o,
                       double warps, int phase)
{
    double compute = d->phase_compute[phase];
    double behind = fmax(0, warps - o->unit_sets);
    double queued = compute + fmax(behind * d->phase_unit[phase],
                                   (warps - 1) * d->phase_slow[phase]);
    double issued = warps * d->phase_alu[phase] * o->issue_stretch;
    return fmax(queued, issued) - compute;
}

/* The same of warps that start together, each of which then finds its own way:
 * what those ahead ask at a time. All together may ask for more than the phase
 * hides behind what a warp computes in it, of what other SMs slow down, too. */
static double start_queue_of(const struct demand *d, const struct overlap *o,
                             double warps, int phase)
{
    double compute = d->phase_compute[phase], others = fmax(0, warps - 1);
    double unit = burst_wait(warps / o->unit_sets, &d->phase_unit_burst[phase]);
    double ldst = burst_wait(warps, &d->phase_ldst_burst[phase]);
    double sent = fmax(others * d->phase_sent[phase],
                       others * d->phase_slow[phase] - compute);
    double issued = warps * fmax(d->phase_alu[phase] * o->issue_stretch,
                                 d->phase_unit[phase]);
    return fmax(fmax(unit, ldst), fmax(sent, issued - compute));
}

/* What all phases add, and what those of a warp's start do. Warps that start
 * together form one queue, which takes as long as the longest of their phases
 * makes it: behind that they come one after the other. A barrier lines them up
 * again. So many of the longest queues, then, as a block has stretches between
 * barriers. */
struct queues {
    double all, start;
};

static struct queues queues_of(const struct demand *d, const struct overlap *o,
                               double warps)
{
    struct queues q = {0, 0};
    double each[PROFILE_PHASES], left = 1 + o->barriers;
    for (int i = 0; i < d->phase_count; i++) {
        double queue = queue_of(d, o, warps, i);
        q.all += queue;
        each[i] = start_queue_of(d, o, warps, i) / d->phase_runs[i];
    }
    while (left > 0 && q.all > 0) {
        int longest = 0;
        for (int i = 1; i < d->phase_count; i++)
            longest = each[i] > each[longest] ? i : longest;
        if (each[longest] <= 0)
            break;
        q.start += each[longest] * fmin(left, d->phase_runs[longest]);
        left -= d->phase_runs[longest];
        each[longest] = 0;
    }
    return q;
}

/* How much of the queues that a block's warps form together is seen when there
 * are others: these hide it, unless they advance in step with it. */
static double start_share(const struct overlap *o, double blocks)
{
    return fmax(1 / fmax(1, blocks), o->aligned ? ALIGNED_SHARE : 0);
}

/* The time in which `warps` warps of as many blocks as fit run once. */
static double time_of(const struct demand *d, const struct overlap *o,
                      double blocks, double warps)
{
    double t = cycle_time(d, o, warps);
    struct queues q = queues_of(d, o, warps);
    double lock = o->beta * fmax(0, d->critical + q.all - t);
    double start = (1 - o->beta) * start_share(o, blocks) *
                   fmax(0, d->critical + q.start - t);
    return t + lock + start;
}

/* Warps that may be resident before any is held back: those that wait at a
 * barrier, or for their block's end, make room. */
static double limit_of(const struct demand *d, const struct overlap *o)
{
    return o->limit * fmax(1, d->critical / d->unloaded);
}

double overlap_block_time(const struct demand *d, const struct overlap *o,
                          double blocks)
{
    double warps = blocks * o->warps_per_block;
    double t = time_of(d, o, blocks, warps);
    double limit = limit_of(d, o);
    if (warps <= limit)
        return t;
    /* Warps that are held back take their turn after those that run, which
     * make room when they have issued all. */
    struct demand issuing = *d;
    issuing.critical -= fmin(o->drain, d->critical);
    double turn = time_of(&issuing, o, blocks, limit);
    return fmax(t, turn * warps / limit);
}

int overlap_bottleneck(const struct demand *d, const struct overlap *o,
                       double blocks)
{
    double warps = fmin(blocks * o->warps_per_block, limit_of(d, o));
    double most = d->unloaded;
    int which = RESOURCES;
    for (int u = 0; u < RESOURCES; u++)
        if (warps * use_of(d, o, u) > most) {
            most = warps * use_of(d, o, u);
            which = u;
        }
    return which;
}
