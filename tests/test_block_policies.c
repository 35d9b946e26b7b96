/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread-block schedulers driven by hand: SMs that are nothing but a number of
 * resident blocks. */
#include "sampler/policy/block/block_scheduler.h"
#include "sampler/policy/block/table.h"
#include "sampler/policy/registry.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SMS    16
#define MAX_BLOCKS 8

struct bench {
    struct choice choice;
    struct block_scheduler scheduler;
    int sms, max_blocks;
    int64_t resident[MAX_SMS][MAX_BLOCKS]; /* -1 = free */
    int count[MAX_SMS];
    uint64_t cycle, insts[MAX_SMS];
    uint64_t stalls[STALLS];
    int launched[1024]; /* by block */
};

static void bench_open(struct bench *b, const struct block_policy *policy,
                       int sms, int max_blocks)
{
    *b = (struct bench){.choice = choice_of(&policy->info),
                        .sms = sms,
                        .max_blocks = max_blocks};
    ck_assert(block_scheduler_init(&b->scheduler, &b->choice, sms));
}

static void bench_close(struct bench *b)
{
    block_scheduler_free(&b->scheduler);
}

static uint64_t left(const struct bench *b)
{
    return block_scheduler_left(&b->scheduler);
}

static void start_kernel(struct bench *b, uint32_t blocks, int index)
{
    memset(b->resident, -1, sizeof(b->resident));
    memset(b->count, 0, sizeof(b->count));
    memset(b->insts, 0, sizeof(b->insts));
    memset(b->launched, 0, sizeof(b->launched));
    block_scheduler_start(&b->scheduler,
                          &(struct block_context){.max_blocks = b->max_blocks,
                                                  .blocks = blocks,
                                                  .grid_x = blocks,
                                                  .grid_y = 1,
                                                  .grid_z = 1,
                                                  .kernel_index = index});
}

static void tell(struct bench *b, enum block_event_type type, int sm,
                 int64_t block)
{
    b->cycle += 10;
    b->stalls[STALL_SB_MEM] += 3;
    b->stalls[STALL_ISSUED] += 7;
    block_scheduler_event(&b->scheduler,
                          &(struct block_event){.type = type,
                                                .cycle = b->cycle,
                                                .sm = sm,
                                                .block = (uint64_t)block,
                                                .block_insts = 100,
                                                .sm_insts = b->insts[sm],
                                                .stalls = b->stalls});
}

/* What the policy itself answers, not cut down to what fits. */
static int limit_of(const struct bench *b, int sm)
{
    const struct block_scheduler *s = &b->scheduler;
    return s->policy->limit != NULL
               ? s->policy->limit(s->state, &s->context, sm)
               : s->context.max_blocks;
}

/* As the sampler does: at most one block an SM and round. How many went out. */
static int hand_out(struct bench *b)
{
    int first = block_scheduler_first_sm(&b->scheduler), given = 0;
    ck_assert(first >= 0 && first < b->sms);
    for (int i = 0; i < b->sms && left(b) > 0; i++) {
        int sm = (first + i) % b->sms;
        int limit = block_scheduler_limit(&b->scheduler, sm);
        ck_assert_int_eq(limit, limit_of(b, sm));
        ck_assert(limit >= 1 && limit <= b->max_blocks);
        if (b->count[sm] >= limit)
            continue;
        int64_t block = block_scheduler_next(&b->scheduler, sm);
        if (block < 0)
            continue;
        ck_assert_uint_lt((uint64_t)block, b->scheduler.context.blocks);
        ck_assert_int_eq(b->launched[block], 0);
        b->launched[block] = 1 + sm;
        int slot = 0;
        while (b->resident[sm][slot] >= 0)
            slot++;
        b->resident[sm][slot] = block;
        b->count[sm]++;
        given++;
        tell(b, BLOCK_EVENT_START, sm, block);
    }
    return given;
}

static void end_block(struct bench *b, int sm, int slot)
{
    int64_t block = b->resident[sm][slot];
    b->resident[sm][slot] = -1;
    b->count[sm]--;
    b->insts[sm] += 100;
    tell(b, BLOCK_EVENT_END, sm, block);
}

static void samples(struct bench *b)
{
    for (int sm = 0; sm < b->sms; sm++)
        if (block_scheduler_sample_at(&b->scheduler, sm) <= b->cycle)
            tell(b, BLOCK_EVENT_SAMPLE, sm, 0);
}

/* ---- round-robin -------------------------------------------------------- */

START_TEST(rr_goes_round)
{
    struct bench b;
    bench_open(&b, &block_rr, 3, 2);
    start_kernel(&b, 10, 0);
    while (hand_out(&b) > 0)
        ;
    for (int block = 0; block < 6; block++)
        ck_assert_int_eq(b.launched[block], 1 + block % 3);
    ck_assert_uint_eq(left(&b), 4);
    end_block(&b, 1, 0); /* the next block of the grid to who has room */
    hand_out(&b);
    ck_assert_int_eq(b.launched[6], 1 + 1);
    end_block(&b, 0, 1);
    hand_out(&b);
    ck_assert_int_eq(b.launched[7], 1 + 0);
    end_block(&b, 1, 0);
    hand_out(&b);
    ck_assert_int_eq(b.launched[8], 1 + 1);
    bench_close(&b);
}
END_TEST

/* The next kernel starts from the successor of the SM that finished last. */
START_TEST(rr_goes_on_after_the_last)
{
    for (int last = 0; last < 3; last++) {
        struct bench b;
        bench_open(&b, &block_rr, 3, 1);
        start_kernel(&b, 3, 0);
        hand_out(&b);
        for (int i = 1; i <= 3; i++)
            end_block(&b, (last + i) % 3, 0);
        start_kernel(&b, 3, 1);
        hand_out(&b);
        for (int block = 0; block < 3; block++)
            ck_assert_int_eq(b.launched[block], 1 + (last + 1 + block) % 3);
        bench_close(&b);
    }
}
END_TEST

/* ---- all ---------------------------------------------------------------- */

/* Every block of every kernel runs once, whoever ends when. */
static void run_kernel(struct bench *b, uint32_t blocks, int index)
{
    start_kernel(b, blocks, index);
    int resident = 0;
    for (int round = 0;; round++) {
        ck_assert_int_lt(round, 100000);
        samples(b);
        resident += hand_out(b);
        if (left(b) == 0 && resident == 0)
            break;
        if (resident == 0 && b->choice.block->sample_at == NULL)
            ck_abort_msg("%s hands out nothing", b->choice.info->name);
        int sm = rand() % b->sms, slot = rand() % MAX_BLOCKS;
        if (b->resident[sm][slot] >= 0) {
            end_block(b, sm, slot);
            resident--;
        }
    }
    for (uint32_t block = 0; block < blocks; block++)
        ck_assert_int_gt(b->launched[block], 0);
}

START_TEST(every_block_runs_once)
{
    srand(5);
    for (size_t p = 0; block_policies[p] != NULL; p++)
        for (int sms = 1; sms <= MAX_SMS; sms += sms < 4 ? 1 : 6)
            for (int max = 1; max <= MAX_BLOCKS; max += 3) {
                struct bench b;
                bench_open(&b, block_policies[p], sms, max);
                run_kernel(&b, 1, 0);
                run_kernel(&b, 200, 1);
                run_kernel(&b, 200, 2);
                run_kernel(&b, 200, 3);
                run_kernel(&b, 3, 4);
                run_kernel(&b, 777, 5);
                bench_close(&b);
            }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("thread-block schedulers");
    TCase *tc = tcase_create("by hand");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, rr_goes_round);
    tcase_add_test(tc, rr_goes_on_after_the_last);
    tcase_add_test(tc, every_block_runs_once);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
