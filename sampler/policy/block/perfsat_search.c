/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/block/perfsat_search.h"

#include <assert.h>

/* "if the state machine toggles more than three times" (Sec. IV-B2, IV-B3) */
#define MOST_TOGGLES 3

const char *const perfsat_state_names[] = {
    [PERFSAT_START] = "start",
    [PERFSAT_WEAK_INCREASE] = "weak-increase",
    [PERFSAT_STRONG_INCREASE] = "strong-increase",
    [PERFSAT_WEAK_DECREASE] = "weak-decrease",
    [PERFSAT_STRONG_DECREASE] = "strong-decrease",
    [PERFSAT_DONE] = "done",
};

static const char *const reason_texts[] = {
    [PERFSAT_SEARCHING] = "unfinished",
    [PERFSAT_ONE_FITS] = "only one fits",
    [PERFSAT_BOUND] = "still better at the end of the range",
    [PERFSAT_NO_LOWER] = "one more step was twice no better",
    [PERFSAT_NO_DIRECTION] = "toggled between increase and decrease",
    [PERFSAT_WEAK_AND_STRONG] = "toggled between weak and strong",
};

/* Where the search begins: half of the blocks that fit, rounded up. */
static int middle(const struct perfsat_search *s)
{
    return (s->max + 1) / 2;
}

static int direction(const struct perfsat_search *s)
{
    bool up = s->state == PERFSAT_WEAK_INCREASE ||
              s->state == PERFSAT_STRONG_INCREASE;
    return up ? 1 : -1;
}

static void done(struct perfsat_search *s, int blocks,
                 enum perfsat_reason reason)
{
    s->state = PERFSAT_DONE;
    s->reason = reason;
    s->blocks = blocks;
}

void perfsat_search_start(struct perfsat_search *s, int max, bool turn_counts)
{
    assert(max >= 1);
    *s = (struct perfsat_search){.max = max, .turn_counts = turn_counts};
    s->blocks = middle(s);
    if (max == 1)
        done(s, 1, PERFSAT_ONE_FITS);
}

static void first_sample(struct perfsat_search *s, uint64_t sample)
{
    s->stored = sample;
    s->blocks = middle(s) + 1;
    s->state = PERFSAT_WEAK_INCREASE;
}

/* The sample speaks for a further step; done where there is none. */
static void step_on(struct perfsat_search *s, uint64_t sample)
{
    int step = direction(s);
    s->stored = sample;
    if (s->blocks + step < 1 || s->blocks + step > s->max) {
        done(s, s->blocks, PERFSAT_BOUND);
        return;
    }
    s->blocks += step;
    s->state = step > 0 ? PERFSAT_STRONG_INCREASE : PERFSAT_STRONG_DECREASE;
}

/* The sample speaks for the other one of the two counts tried so far. */
static void turn(struct perfsat_search *s, uint64_t sample)
{
    if (++s->toggles > MOST_TOGGLES) {
        done(s, middle(s) + 1, PERFSAT_NO_DIRECTION);
        return;
    }
    bool up = s->state == PERFSAT_WEAK_INCREASE;
    s->stored = sample;
    s->history = s->turn_counts;
    s->blocks = up ? middle(s) : middle(s) + 1;
    s->state = up ? PERFSAT_WEAK_DECREASE : PERFSAT_WEAK_INCREASE;
}

/* Phase 2: two samples in a row decide the direction. */
static void weak_undirected(struct perfsat_search *s, uint64_t sample)
{
    bool lower = sample < s->stored;
    if (lower && s->history) {
        s->directed = true;
        s->toggles = 0;
        step_on(s, sample);
    } else if (!lower && !s->history)
        turn(s, sample);
    else
        s->history = lower;
}

/* Phase 3. */
static void strong(struct perfsat_search *s, uint64_t sample)
{
    if (sample < s->stored) {
        step_on(s, sample);
        return;
    }
    s->state = direction(s) > 0 ? PERFSAT_WEAK_INCREASE : PERFSAT_WEAK_DECREASE;
    s->history = false;
}

static void weak_directed(struct perfsat_search *s, uint64_t sample)
{
    int previous = s->blocks - direction(s);
    if (sample >= s->stored)
        done(s, previous, PERFSAT_NO_LOWER);
    else if (++s->toggles > MOST_TOGGLES)
        done(s, previous, PERFSAT_WEAK_AND_STRONG);
    else
        step_on(s, sample);
}

static void take(struct perfsat_search *s, uint64_t sample)
{
    switch (s->state) {
    case PERFSAT_START:
        first_sample(s, sample);
        break;
    case PERFSAT_STRONG_INCREASE:
    case PERFSAT_STRONG_DECREASE:
        strong(s, sample);
        break;
    case PERFSAT_WEAK_INCREASE:
    case PERFSAT_WEAK_DECREASE:
        if (s->directed)
            weak_directed(s, sample);
        else
            weak_undirected(s, sample);
        break;
    case PERFSAT_DONE:
        assert(false);
    }
}

void perfsat_search_sample(struct perfsat_search *s, uint64_t sample)
{
    struct perfsat_step step = {
        .sample = sample, .stored = s->stored, .blocks = s->blocks};
    take(s, sample);
    step.next_blocks = s->blocks;
    step.next_state = s->state;
    step.history = s->history;
    step.toggles = s->toggles;
    if (s->samples < PERFSAT_LOG)
        s->log[s->samples] = step;
    s->samples++;
}

static void explain_step(const struct perfsat_step *step, uint32_t number,
                         FILE *out)
{
    unsigned long long sample = step->sample, stored = step->stored;
    fprintf(out, "sample %u: N=%d stalled=%llu", number, step->blocks, sample);
    if (number > 1)
        fprintf(out, " %s stored %llu", sample < stored ? "<" : ">=", stored);
    fprintf(out, " -> %s N=%d history=%d toggles=%d\n",
            perfsat_state_names[step->next_state], step->next_blocks,
            step->history, step->toggles);
}

void perfsat_search_explain(const struct perfsat_search *s, const char *prefix,
                            FILE *out)
{
    for (uint32_t i = 0; i < s->samples && i < PERFSAT_LOG; i++) {
        fputs(prefix, out);
        explain_step(&s->log[i], i + 1, out);
    }
    if (s->samples > PERFSAT_LOG)
        fprintf(out, "%s%u more samples\n", prefix, s->samples - PERFSAT_LOG);
    fprintf(out, "%s%s N=%d of %d after %u sample%s: %s\n", prefix,
            s->state == PERFSAT_DONE ? "done" : "stopped", s->blocks, s->max,
            s->samples, s->samples == 1 ? "" : "s", reason_texts[s->reason]);
}
