/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread-block scheduler driven by hand, without a machine. */
#ifndef TESTS_BLOCK_DRIVER_H
#define TESTS_BLOCK_DRIVER_H

#include "base/error.h"
#include "sampler/policy/block/block_scheduler.h"
#include "sampler/policy/registry.h"

#include <check.h>
#include <stdlib.h>

struct driver {
    struct choice choice;
    struct block_scheduler scheduler;
    uint64_t stalls[STALLS]; /* of the SM next told about */
    int max_blocks;
};

static inline void driver_open(struct driver *d, const char *choice, int sms,
                               int max_blocks)
{
    struct error e;
    *d = (struct driver){.max_blocks = max_blocks};
    if (!choice_parse(&d->choice, NULL, POLICY_BLOCK, choice, &e))
        ck_abort_msg("%s", e.text);
    ck_assert(block_scheduler_init(&d->scheduler, &d->choice, sms));
}

static inline void driver_close(struct driver *d)
{
    block_scheduler_free(&d->scheduler);
}

/* The next kernel of the application, of x by y blocks. */
static inline void driver_kernel(struct driver *d, int index, uint32_t x,
                                 uint32_t y)
{
    block_scheduler_start(&d->scheduler,
                          &(struct block_context){.max_blocks = d->max_blocks,
                                                  .blocks = (uint64_t)x * y,
                                                  .grid_x = x,
                                                  .grid_y = y,
                                                  .grid_z = 1,
                                                  .kernel_index = index});
}

static inline void driver_tell(struct driver *d, struct block_event e)
{
    e.stalls = d->stalls;
    block_scheduler_event(&d->scheduler, &e);
}

/* Launch the SM's next block, -1 when there is none for it. */
static inline int64_t driver_launch(struct driver *d, int sm, uint64_t cycle)
{
    int64_t block = block_scheduler_next(&d->scheduler, sm);
    if (block >= 0)
        driver_tell(d, (struct block_event){.type = BLOCK_EVENT_START,
                                            .cycle = cycle,
                                            .sm = sm,
                                            .block = (uint64_t)block});
    return block;
}

static inline int driver_first_sm(struct driver *d)
{
    return block_scheduler_first_sm(&d->scheduler);
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
    return block_scheduler_sample_at(&d->scheduler, sm);
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
    return block_scheduler_limit(&d->scheduler, sm);
}

static inline bool driver_settled(const struct driver *d, int sm)
{
    return block_scheduler_settled(&d->scheduler, sm);
}

/* What the policy says of sm; the caller frees it. */
static inline char *driver_explain(const struct driver *d, int sm)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    block_scheduler_explain(&d->scheduler, sm, out);
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
