/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"
#include "base/hash.h"
#include "calib/shares.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text, strlen(text) + 1);
}

uint64_t estimate_study_hash(const struct estimate_study *s,
                             const struct estimate_options *o)
{
    uint64_t number[] = {o->mode,       o->budget_insts, o->seed,
                         o->max_cycles, s->policies,     s->reference};
    uint64_t h = hash_bytes(HASH_START, number, sizeof(number));
    h = hash_bytes(h, &o->error_pct, sizeof(o->error_pct));
    for (size_t q = 0; q < s->policies; q++) {
        h = hash_text(h, s->label[q].sched);
        h = hash_text(h, s->label[q].tb_sched);
        h = hash_text(h, s->label[q].l1_policy);
    }
    for (size_t i = 0; i < s->cases; i++) {
        const struct study_case *c = &s->at[i];
        h = hash_step(h, c->kernel->info.hash);
        h = hash_step(h, gpu_hash(&c->gpu->gpu));
        h = hash_bytes(h, c->tb, c->tb_count * sizeof(*c->tb));
    }
    return h;
}

bool estimate_store_note(const char *store, uint64_t run, size_t shards,
                         const struct estimate_share *share, size_t count,
                         struct estimate_error *out)
{
    struct error e;
    struct share *own = calloc(count + 1, sizeof(*own));
    if (own == NULL)
        return tell_no_memory(out);
    for (size_t i = 0; i < count; i++)
        own[i] = (struct share){share[i].name, share[i].number, share[i].shard,
                                share[i].done};
    bool ok = shares_note(store, run, shards, own, count, &e) || tell(out, &e);
    free(own);
    return ok;
}

bool estimate_stores_merge(const char *const *from, size_t count,
                           const char *to,
                           void (*missing)(void *user, const char *name,
                                           size_t shard, size_t shards),
                           void *user, struct estimate_error *out)
{
    struct error e;
    return shares_merge(from, count, to, missing, user, &e) || tell(out, &e);
}
