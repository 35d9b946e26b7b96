/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/coherence.h"

#include "configs/gpu.h"
#include "sampler/memory/l2.h"
#include "sampler/sampler.h"

bool coherence_init(struct memory *m)
{
    return m->gpu->coherence != COHERENCE_DENOVO || owners_init(&m->owners);
}

/* Words of L2 sectors, and the sectors that hold words. */
static uint32_t words_of(const struct gpu *g, uint32_t sectors)
{
    int n = g->l2.sector_bytes / WORD_BYTES;
    uint32_t words = 0;
    for (; sectors != 0; sectors &= sectors - 1)
        words |= UINT32_MAX >> (32 - n) << n * __builtin_ctz(sectors);
    return words;
}

static uint32_t sectors_of(const struct gpu *g, uint32_t words)
{
    int n = g->l2.sector_bytes / WORD_BYTES;
    uint32_t sectors = 0;
    for (; words != 0; words &= words - 1)
        sectors |= 1u << __builtin_ctz(words) / n;
    return sectors;
}

static bool past_l1(const struct request *r)
{
    return r->kind == REQUEST_READ || r->kind == REQUEST_WRITE ||
           r->kind == REQUEST_ATOMIC;
}

static void set_owner(struct memory *m, uint64_t line, uint32_t words, int sm)
{
    if (!owners_set(&m->owners, line, words, sm))
        m->out_of_memory = true;
}

/* What is written back is void where it has been taken over meanwhile. */
static bool written_back(struct memory *m, uint32_t id)
{
    struct request *r = &m->request[id];
    uint32_t any = owners_any(&m->owners, r->line);
    uint32_t own = owners_words(&m->owners, r->line, r->sm);
    r->l1_sectors &= ~any | own;
    r->sectors = sectors_of(m->gpu, r->l1_sectors);
    if (r->l1_sectors == 0)
        memory_drop_writeback(m, id);
    else
        set_owner(m, r->line, r->l1_sectors, NO_OWNER);
    return r->l1_sectors == 0;
}

/* What request r makes of the words that SM `owner` has. */
static void hand_over(struct memory *m, struct slice *s,
                      const struct request *r, int owner, uint32_t words,
                      double now)
{
    bool own = r->kind == REQUEST_OWN || r->kind == REQUEST_OWN_FILL;
    bool call_in = r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC;
    if (own || call_in) {
        m->up.invalidate(m->up.user, owner, r->line, words);
        set_owner(m, r->line, words, own ? r->sm : NO_OWNER);
    }
    if (call_in)
        l2_take_in(m, s, r->line, sectors_of(m->gpu, words), now);
}

/* Have SM `owner` answer for its words of request id: the whole request, or a
 * part of its own. With them come those that it has of the extra ones; of what
 * is left of these, nothing comes with a whole request. */
static void answer_words(struct memory *m, struct slice *s, uint32_t id,
                         int owner, uint32_t words, bool whole, double now)
{
    struct request part = m->request[id];
    uint32_t has = owners_words(&m->owners, part.line, owner);
    m->request[id].extra &= ~has;
    part.absent = whole ? part.absent | (part.extra & ~has) : 0;
    part.extra &= has;
    part.l1_sectors = words;
    hand_over(m, s, &part, owner, words, now);
    if (whole) {
        m->request[id] = part;
    } else {
        id = memory_new_request(m);
        if (id == NO_REQUEST)
            return;
        part.next = NO_REQUEST;
        m->request[id] = part;
        m->up.expect_answer(m->up.user, &part);
    }
    memory_answer_from(m, owner, s, id, now);
}

/* Have the owners of `words` answer for them; the words that are left. */
static uint32_t ask_owners(struct memory *m, struct slice *s, uint32_t id,
                           uint32_t words, double now)
{
    const struct request r = m->request[id]; /* the array moves as it grows */
    bool any = r.kind == REQUEST_WRITE || r.kind == REQUEST_ATOMIC;
    uint32_t others = 0, part;
    int owner = NO_OWNER, but = any ? NO_OWNER : r.sm;
    for (uint32_t left = words;
         (part = owners_other(&m->owners, r.line, left, but, &owner)) != 0;
         left &= ~part) {
        memory_count_served(m, id, &m->counts->served_remote);
        others |= part;
        answer_words(m, s, id, owner, part, others == words, now);
    }
    return words & ~others;
}

/* What is left for the L2 of an L1's request: with its words come the extra
 * ones that nobody owns. */
static void cut_down(struct memory *m, uint32_t id, uint32_t words)
{
    struct request *r = &m->request[id];
    uint32_t owned = r->extra & owners_any(&m->owners, r->line);
    r->absent |= owned;
    r->extra &= ~owned;
    r->l1_sectors = words;
    r->sectors = sectors_of(m->gpu, words | r->extra);
}

bool coherence_serve(struct memory *m, struct slice *s, uint32_t id, double now)
{
    const struct request r = m->request[id]; /* the array moves as it grows */
    if (r.kind == REQUEST_WRITEBACK)
        return written_back(m, id);
    bool own = r.kind == REQUEST_OWN || r.kind == REQUEST_OWN_FILL;
    uint32_t words = past_l1(&r) ? words_of(m->gpu, r.sectors) : r.l1_sectors;
    uint32_t left = ask_owners(m, s, id, words, now);
    if (own)
        set_owner(m, r.line, left, r.sm);
    if (own && (left == 0 || r.kind == REQUEST_OWN)) {
        m->counts->l2_accesses++;
        m->counts->l2_hits++;
    }
    if (left == 0)
        return true;
    if (!past_l1(&r))
        cut_down(m, id, left);
    if (r.kind != REQUEST_OWN)
        return false;
    memory_count_served(m, id, &m->counts->served_l2);
    memory_answer(m, s, id, now);
    return true;
}
