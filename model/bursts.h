/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of what a warp asks of a unit in a phase comes at a time. Warps that
 * move together queue up for what each asks at a time, once: from then on they
 * come one after the other, and find the unit free again when the time between
 * two requests of a warp is longer than what all ask in it. */
#ifndef MODEL_BURSTS_H
#define MODEL_BURSTS_H

/* What a warp alone asks within a time: the last of n warps that do so together
 * is done n * work - span cycles later than one alone. */
struct burst {
    double work, span; /* cycles */
};

/* Of a unit in a phase, as so many warps see it that all do what one does. */
struct burst_search {
    struct burst now;   /* since the unit was free */
    double start, wait; /* when that was; the longest wait so far */
    struct burst worst; /* that made it */
};

/* A request of `cycles` at `time`, of each of `warps`. */
void burst_add(struct burst_search *b, double warps, double time,
               double cycles);

/* The one that makes them wait for longest; the phase ends. */
struct burst burst_end(struct burst_search *b);

/* How long `warps` warps make the last of them wait. */
double burst_wait(double warps, const struct burst *b);

#endif
