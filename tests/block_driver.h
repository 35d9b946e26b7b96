/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread-block scheduler driven by hand, without a machine. */
#ifndef TESTS_BLOCK_DRIVER_H
#define TESTS_BLOCK_DRIVER_H

#include "base/error.h"
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/registry.h"

#include <check.h>
#include <stdlib.h>

struct driver {
    struct choice choice;
    struct block_context context;
    void *state;
    uint64_t stalls[STALLS]; /* of the SM next told about */
};

static inline void driver_open(struct driver *d, const char *choice, int sms,
                               int max_blocks)
{
    struct error e;
    *d = (struct driver){.stalls = {0}};
    if (!choice_parse(&d->choice, NULL, POLICY_BLOCK, choice, &e))
        ck_abort_msg("%s", e.text);
    d->context = (struct block_context){
        .sms = sms, .max_blocks = max_blocks, .param = d->choice.param};
    d->state = calloc(1, d->choice.block->state_size(&d->context));
}

static inline void driver_close(struct driver *d)
{
    free(d->state);
}

/* The next kernel of the application, of x by y blocks. */
static inline void driver_kernel(struct driver *d, int index, uint32_t x,
                                 uint32_t y)
{
    d->context.kernel_index = index;
    d->context.grid_x = x;
    d->context.grid_y = y;
    d->context.grid_z = 1;
    d->context.blocks = (uint64_t)x * y;
    d->choice.block->kernel_start(d->state, &d->context);
}

static inline void driver_tell(struct driver *d, struct block_event e)
{
    e.stalls = d->stalls;
    if (d->choice.block->event != NULL)
        d->choice.block->event(d->state, &d->context, &e);
}

/* Launch the SM's next block, -1 when there is none for it. */
static inline int64_t driver_launch(struct driver *d, int sm, uint64_t cycle)
{
    int64_t block = d->choice.block->next(d->state, &d->context, sm);
    if (block >= 0)
        driver_tell(d, (struct block_event){.type = BLOCK_EVENT_START,
                                            .cycle = cycle,
                                            .sm = sm,
                                            .block = (uint64_t)block});
    return block;
}

static inline void driver_end(struct driver *d, int sm, uint64_t cycle,
                              uint64_t block_insts, uint64_t sm_insts)
{
    driver_tell(d, (struct block_event){.type = BLOCK_EVENT_END,
                                        .cycle = cycle,
                                        .sm = sm,
                                        .block_insts = block_insts,
                                        .sm_insts = sm_insts});
}

static inline uint64_t driver_due(const struct driver *d, int sm)
{
    return d->choice.block->sample_at(d->state, sm);
}

/* The sample that is due, the stall counters having grown by `stalls`. */
static inline void driver_sample(struct driver *d, int sm,
                                 const uint64_t stalls[STALLS])
{
    for (int i = 0; i < STALLS; i++)
        d->stalls[i] += stalls[i];
    driver_tell(d, (struct block_event){.type = BLOCK_EVENT_SAMPLE,
                                        .cycle = driver_due(d, sm),
                                        .sm = sm});
}

static inline int driver_limit(const struct driver *d, int sm)
{
    return d->choice.block->limit(d->state, &d->context, sm);
}

/* What the policy says of sm; the caller frees it. */
static inline char *driver_explain(const struct driver *d, int sm)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    d->choice.block->explain(d->state, &d->context, sm, out);
    fclose(out);
    return text;
}

static inline int driver_main(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
