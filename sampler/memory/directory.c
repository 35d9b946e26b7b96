/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/directory.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"

bool directory_init(struct directory *d, struct memory_core *core,
                    struct network *network,
                    const struct directory_callbacks *up)
{
    *d = (struct directory){.core = core, .network = network, .up = *up};
    return owners_init(&d->owners);
}

void directory_free(struct directory *d)
{
    owners_free(&d->owners);
}

/* ---- requests ----------------------------------------------------------- */

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

static bool takes_ownership(const struct request *r)
{
    return r->kind == REQUEST_OWN || r->kind == REQUEST_OWN_FILL;
}

/* A write or atomic past the L1 ends all ownership of its words. */
static bool recalls(const struct request *r)
{
    return r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC;
}

static bool past_l1(const struct request *r)
{
    return r->kind == REQUEST_READ || recalls(r);
}

/* ---- write-backs -------------------------------------------------------- */

/* What is written back is void where another SM has taken it over meanwhile. */
static bool serve_writeback(struct directory *d, uint32_t id, bool *served)
{
    struct request *r = &d->core->packet[id].request;
    uint32_t any = owners_any(&d->owners, r->line);
    uint32_t own = owners_words(&d->owners, r->line, r->sm);
    r->l1_sectors &= ~any | own;
    r->sectors = sectors_of(d->core->gpu, r->l1_sectors);
    *served = r->l1_sectors == 0;
    if (!*served)
        return owners_set(&d->owners, r->line, r->l1_sectors, NO_OWNER);
    mem_drop_writeback(d->core, id);
    return true;
}

/* ---- answers of owners -------------------------------------------------- */

/* The words that SM `owner` has pass to the SM that asks for them, or back to
 * the L2, or stay where they are. */
static bool transfer_ownership(struct directory *d, const struct packet *p,
                               int owner, uint32_t words, double now)
{
    const struct request *r = &p->request;
    bool own = takes_ownership(r);
    if (!own && !recalls(r))
        return true;
    d->up.invalidate(d->up.user, owner, r->line, words);
    if (!owners_set(&d->owners, r->line, words, own ? r->sm : NO_OWNER))
        return false;
    return own || d->up.write_back(d->up.slices, p->slice, r->line,
                                   sectors_of(d->core->gpu, words), now);
}

/* A packet of its own for a part of an answer, or NO_PACKET. */
static uint32_t split_off(struct directory *d, const struct packet *part)
{
    uint32_t id = mem_new_packet(d->core);
    if (id == NO_PACKET)
        return id;
    d->core->packet[id] = *part;
    d->up.expect_answer(d->up.user, &part->request);
    return id;
}

/* Have SM `owner` answer for its words of a packet: for all that it asks for
 * (`whole`), or for a part, which becomes a packet of its own. Of the
 * optional words those come along that the owner has; a whole packet says which
 * of them are absent. */
static bool answer_words(struct directory *d, uint32_t id, int owner,
                         uint32_t words, bool whole, double now)
{
    struct packet part = d->core->packet[id];
    struct request *r = &part.request;
    uint32_t has = owners_words(&d->owners, r->line, owner);
    d->core->packet[id].request.l1_optional &= ~has;
    r->l1_absent = whole ? r->l1_absent | (r->l1_optional & ~has) : 0;
    r->l1_optional &= has;
    r->l1_sectors = words;
    if (!transfer_ownership(d, &part, owner, words, now))
        return false;
    if (whole)
        d->core->packet[id] = part;
    else
        id = split_off(d, &part);
    return id != NO_PACKET && network_answer_from(d->network, owner, id, now);
}

/* Have the owners of *words answer for them; *words are then those left. */
static bool ask_owners(struct directory *d, uint32_t id, uint32_t *words,
                       double now)
{
    const struct request r = d->core->packet[id].request;
    uint32_t others = 0, part;
    int owner = NO_OWNER, but = recalls(&r) ? NO_OWNER : r.sm;
    for (uint32_t left = *words;
         (part = owners_other(&d->owners, r.line, left, but, &owner)) != 0;
         left &= ~part) {
        mem_count_served(&d->core->packet[id], &d->core->counts.served_remote);
        others |= part;
        if (!answer_words(d, id, owner, part, others == *words, now))
            return false;
    }
    *words &= ~others;
    return true;
}

/* ---- what is left for the L2 -------------------------------------------- */

/* Of an L1's request: with its words come the optional ones that nobody owns.
 */
static void keep_words(struct directory *d, struct request *r, uint32_t words)
{
    uint32_t owned = r->l1_optional & owners_any(&d->owners, r->line);
    r->l1_absent |= owned;
    r->l1_optional &= ~owned;
    r->l1_sectors = words;
    r->sectors = sectors_of(d->core->gpu, words | r->l1_optional);
}

static bool acknowledge(struct directory *d, uint32_t id, double now)
{
    mem_count_served(&d->core->packet[id], &d->core->counts.served_l2);
    return network_answer(d->network, id, now);
}

bool directory_serve(struct directory *d, uint32_t id, double now, bool *served)
{
    struct memory_core *core = d->core;
    const struct request r = core->packet[id].request;
    if (r.kind == REQUEST_WRITEBACK)
        return serve_writeback(d, id, served);
    bool own = takes_ownership(&r), past = past_l1(&r);
    uint32_t left = past ? words_of(core->gpu, r.sectors) : r.l1_sectors;
    if (!ask_owners(d, id, &left, now) ||
        (own && !owners_set(&d->owners, r.line, left, r.sm)))
        return false;
    *served = left == 0 || r.kind == REQUEST_OWN;
    if (own && *served) {
        core->counts.l2_accesses++;
        core->counts.l2_hits++;
    }
    if (left == 0)
        return true;
    if (!past)
        keep_words(d, &core->packet[id].request, left);
    return r.kind != REQUEST_OWN || acknowledge(d, id, now);
}
