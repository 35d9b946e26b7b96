/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/sample_bytes.h"

#include "base/hash.h"

#include <string.h>

#define FORMAT 24
#define WORD   8 /* bytes, the lowest first */

/* Words written to `at`, or read from it up to `end`: one walk over the fields
 * does both. */
struct tape {
    unsigned char *at;
    const unsigned char *end;
    bool writing, good;
};

static void put_word(unsigned char *at, uint64_t value)
{
    for (int i = 0; i < WORD; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_word(const unsigned char *at)
{
    uint64_t value = 0;
    for (int i = 0; i < WORD; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static void tape_word(struct tape *t, uint64_t *value)
{
    t->good = t->good && t->end - t->at >= WORD;
    if (!t->good)
        return;
    if (t->writing)
        put_word(t->at, *value);
    else
        *value = get_word(t->at);
    t->at += WORD;
}

static void tape_real(struct tape *t, double *value)
{
    uint64_t word;
    memcpy(&word, value, sizeof(word));
    tape_word(t, &word);
    memcpy(value, &word, sizeof(word));
}

/* A number from 0 to max. */
static int tape_int(struct tape *t, int value, int max)
{
    uint64_t word = (uint64_t)value;
    tape_word(t, &word);
    t->good = t->good && word <= (uint64_t)max;
    return t->good ? (int)word : 0;
}

static void tape_reals(struct tape *t, double *value, int count)
{
    for (int i = 0; i < count; i++)
        tape_real(t, &value[i]);
}

static void tape_steady(struct tape *t, struct steady *p)
{
    tape_real(t, &p->cycles_per_inst);
    tape_real(t, &p->error);
    tape_real(t, &p->insts);
    tape_real(t, &p->end_cycle);
    tape_real(t, &p->begun);
    tape_reals(t, p->part, STEADY_PARTS);
}

static void tape_result(struct tape *t, struct result *r)
{
    double *real[] = {&r->cycles,     &r->cycles_lo,    &r->cycles_hi,
                      &r->warp_insts, &r->thread_insts, &r->ipc,
                      &r->time_us,    &r->occupancy,    &r->l1_miss,
                      &r->l2_miss,    &r->l2_fill,      &r->dram_gbps,
                      &r->energy_uj};
    for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
        tape_real(t, real[i]);
    tape_reals(t, r->stall, STALLS);
    tape_reals(t, r->use, USES);
    tape_reals(t, r->memory.served, SERVED_CLASSES);
    tape_reals(t, r->memory.crossings, NOC_CLASSES);
    tape_reals(t, r->memory.energy_uj, ENERGY_PARTS);
    r->limiter = (enum limiter)tape_int(t, (int)r->limiter, LIMITERS - 1);
    r->sampled = tape_int(t, r->sampled, 1) != 0;
    r->partial = tape_int(t, r->partial, 1) != 0;
}

static void tape_sample(struct tape *t, struct sample *s)
{
    t->good = tape_int(t, FORMAT, FORMAT) == FORMAT;
    s->started = tape_int(t, s->started, 1) != 0;
    s->done = tape_int(t, s->done, 1) != 0;
    s->partial = tape_int(t, s->partial, 1) != 0;
    tape_word(t, &s->blocks);
    tape_real(t, &s->insts);
    tape_real(t, &s->longest);
    tape_steady(t, &s->steady);
    tape_steady(t, &s->planned);
    tape_steady(t, &s->start);
    tape_real(t, &s->rest);
    tape_real(t, &s->slower);
    tape_real(t, &s->first_wave);
    tape_real(t, &s->first_alone);
    tape_real(t, &s->later_wave);
    tape_real(t, &s->after_first);
    tape_real(t, &s->lone_spread);
    tape_real(t, &s->spread);
    tape_real(t, &s->alike);
    tape_real(t, &s->apart);
    tape_real(t, &s->long_cycles);
    tape_real(t, &s->issued);
    tape_real(t, &s->uneven);
    s->departed = tape_int(t, s->departed, 1) != 0;
    tape_result(t, &s->run);
}

size_t sample_pack(unsigned char out[SAMPLE_BYTES_MAX],
                   const struct sample *sample)
{
    struct sample copy = *sample;
    struct tape t = {.at = out,
                     .end = out + SAMPLE_BYTES_MAX - WORD,
                     .writing = true,
                     .good = true};
    tape_sample(&t, &copy);
    size_t size = (size_t)(t.at - out);
    put_word(t.at, hash_bytes(HASH_START, out, size));
    return size + WORD;
}

bool sample_unpack(struct sample *sample, const unsigned char *bytes,
                   size_t size)
{
    unsigned char own[SAMPLE_BYTES_MAX];
    if (size < WORD || size > sizeof(own))
        return false;
    size -= WORD;
    if (get_word(bytes + size) != hash_bytes(HASH_START, bytes, size))
        return false;
    memcpy(own, bytes, size);
    struct sample copy = *sample;
    struct tape t = {.at = own, .end = own + size, .good = true};
    tape_sample(&t, &copy);
    if (!t.good || t.at != t.end)
        return false;
    *sample = copy;
    return true;
}
