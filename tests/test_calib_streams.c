/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams that samples share against those that a front end makes. */
#include "calib/constants.h"
#include "calib/streams.h"
#include "kernels/form/step_bytes.h"
#include "kernels/load.h"
#include "tests/script_kernel.h"

#include <check.h>

/* ---- two readers -------------------------------------------------------- */

static bool has_address(const struct step *a, const struct step *b)
{
    if (a->form == ADDR_NONE)
        return true;
    for (int l = 0; a->form == ADDR_LIST && l < WARP_LANES; l++)
        if (a->mask >> l & 1 && a->lane_address[l] != b->lane_address[l])
            return false;
    return (a->form == ADDR_LIST || a->base == b->base) &&
           (a->form != ADDR_STRIDE || a->stride == b->stride) &&
           (a->form != ADDR_BOX ||
            memcmp(&a->box, &b->box, sizeof(a->box)) == 0);
}

static bool has_sync(const struct kernel *k, const struct step *a,
                     const struct step *b)
{
    return k->inst[a->inst].sync == SYNC_NONE ||
           (a->signal == b->signal && a->await == b->await &&
            a->await_count == b->await_count);
}

static bool is_same(const struct kernel *k, const struct step *a,
                    const struct step *b)
{
    return a->inst == b->inst && a->mask == b->mask &&
           a->taken_mask == b->taken_mask && a->form == b->form &&
           has_address(a, b) && has_sync(k, a, b);
}

/* `turn` steps of a warp before the next one's; returns all steps. */
static uint64_t check_block(const struct kernel *k, const struct streams *s,
                            uint64_t block, int turn)
{
    const struct kernel *shared = streams_kernel(s);
    void *made = malloc(k->ops->state_size(k) + 1);
    void *kept = malloc(shared->ops->state_size(shared));
    bool ended[MAX_WARPS_A_BLOCK] = {false};
    uint32_t left = k->warps_per_block;
    uint64_t steps = 0, of_warp[MAX_WARPS_A_BLOCK] = {0};
    bool same = true;
    struct error e;
    ck_assert(k->ops->open(k, made, block, &e));
    ck_assert(shared->ops->open(shared, kept, block, &e));
    for (uint32_t w = 0; left > 0; w = (w + 1) % k->warps_per_block)
        for (int n = 0; n < turn && !ended[w]; n++, steps++) {
            struct step a = {0}, b = {0};
            ended[w] = !k->ops->next(k, made, w, &a);
            same = same && shared->ops->next(shared, kept, w, &b) != ended[w];
            same = same && (ended[w] || is_same(k, &a, &b));
            left -= ended[w];
            of_warp[w] += !ended[w];
        }
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        ck_assert_uint_eq(shared->ops->steps(shared, kept, w), of_warp[w]);
    }
    ck_assert_msg(same, "%s, block %llu", k->name, (unsigned long long)block);
    k->ops->close(k, made);
    shared->ops->close(shared, kept);
    ck_assert(kernel_streams_check(shared, &e));
    free(made);
    free(kept);
    return steps;
}

/* ---- what a step may be -------------------------------------------------- */

/* All forms of addresses, lanes that are off, jumps, counts. */
static const struct script all_forms = {
    .op = {{.op = OP_INT, .dst = 1, .src0 = 2, .src1 = -1},
           {.op = OP_LOAD,
            .space = SPACE_GLOBAL,
            .dst = 1,
            .src0 = 2,
            .src1 = -1,
            .width = 4,
            .base = 1 << 20,
            .stride = 4,
            .block_step = 4096,
            .warp_step = 128,
            .iteration_step = 64},
           {.op = OP_LOAD,
            .space = SPACE_GLOBAL,
            .dst = 1,
            .src0 = 2,
            .src1 = -1,
            .width = 4,
            .base = UINT64_C(1) << 40,
            .stride = -8,
            .mask = 0xf0},
           {.op = OP_LOAD,
            .space = SPACE_GLOBAL,
            .dst = 1,
            .src0 = 2,
            .src1 = -1,
            .width = 4,
            .mask = 0x80000001,
            .random_bytes = 1 << 20},
           {.op = OP_LOAD,
            .space = SPACE_GLOBAL,
            .dst = 1,
            .src0 = 2,
            .src1 = -1,
            .width = 4,
            .random_bytes = UINT64_C(1) << 44},
           {.op = OP_LOAD,
            .space = SPACE_SHARED,
            .dst = -1,
            .src0 = 2,
            .src1 = -1,
            .width = 16,
            .base = 4096,
            .box_bytes = 512},
           {.op = OP_INT, .dst = 1, .src0 = 2, .src1 = -1, .times = 2},
           {.op = OP_BRANCH, .dst = -1, .src0 = -1, .src1 = -1, .mask = 0xff},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 9,
    .repeat = 100,
    .warp_repeat = 7};

START_TEST(steps_are_those_of_the_front_end)
{
    struct kernel *k = script_kernel(&all_forms, 5, 3);
    struct streams *s = streams_create(k);
    /* 8 instructions 100, 107 and 114 times, the exits and three ends */
    for (int again = 0; again < 2; again++)
        for (uint64_t b = 0; b < 5; b++)
            ck_assert_uint_eq(check_block(k, s, b, 1 + 10 * again),
                              8 * (100 + 107 + 114) + 3 + 3);
    streams_free(s);
    k->ops->destroy(k);
}
END_TEST

START_TEST(steps_of_a_block_are_counted)
{
    struct kernel *k = script_kernel(&all_forms, 5, 3);
    uint64_t steps[3];
    struct error e;
    ck_assert(kernel_block_steps(steps, k, 4, &e));
    for (uint64_t w = 0; w < 3; w++)
        ck_assert_uint_eq(steps[w], 8 * (100 + 7 * w) + 1);
    k->ops->destroy(k);
}
END_TEST

START_TEST(an_emptied_writer_keeps_its_room)
{
    struct kernel *k = script_kernel(&all_forms, 1, 1);
    struct step_writer w = {.last = NO_STEP};
    struct step s = {.inst = 2, .mask = 1, .form = ADDR_STRIDE, .base = 7},
                back;
    for (int i = 0; i < 1000; i++, s.base += 3)
        ck_assert(step_write(&w, k, &s));
    const uint8_t *bytes = w.bytes;
    size_t room = w.room;
    struct step_reader r = {w.bytes, w.bytes + w.count, w.last};
    w.count = 0;
    ck_assert(step_write(&w, k, &s));
    step_read(&r, k, &back);
    ck_assert_uint_eq(back.base, 3007);
    ck_assert_ptr_eq(w.bytes, bytes);
    ck_assert_uint_eq(w.room, room);
    free(w.bytes);
    k->ops->destroy(k);
}
END_TEST

/* As traces have them. */
START_TEST(all_lanes_may_be_off)
{
    struct kernel *k = script_kernel(&all_forms, 1, 1);
    struct step_writer w = {.last = NO_STEP};
    struct step s = {.inst = 3, .form = ADDR_LIST}, back;
    ck_assert(step_write(&w, k, &s));
    struct step_reader r = {w.bytes, w.bytes + w.count, NO_STEP};
    step_read(&r, k, &back);
    ck_assert_uint_eq(back.inst, 3);
    ck_assert_uint_eq(back.mask, 0);
    ck_assert_int_eq(back.form, ADDR_LIST);
    ck_assert_ptr_eq(r.at, r.end);
    free(w.bytes);
    k->ops->destroy(k);
}
END_TEST

/* Loops that lanes leave one by one, random draws, gathers, subroutines; PTX
 * with barriers, whose warps run ahead of each other. */
static const char *const bundled[] = {
    "bfs",    "heartwall", "histogram",        "nn",      "bt-k2",
    "needle", "tpacf",     "ptx-matmul-tiled", "ptx-scan"};

START_TEST(bundled_kernels_are_the_same)
{
    struct kernel_list list;
    struct load_options o = load_options_default();
    struct error e;
    ck_assert_msg(kernel_load(&list, bundled[_i], &o, &e), "%s", e.text);
    const struct kernel *k = list.kernel[0];
    struct streams *s = streams_create(k);
    uint64_t blocks[] = {0, k->blocks - 1, k->blocks / 2, 0};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_gt(check_block(k, s, blocks[i], 5), 0);
    streams_free(s);
    kernel_list_free(&list);
}
END_TEST

/* ---- how often a block is made ------------------------------------------- */

static int opened;

static bool counted_open(const struct kernel *k, void *state, uint64_t block,
                         struct error *e)
{
    opened++;
    return block == 9 ? error_set(e, STATUS_FAILED, "block 9 cannot be read")
                      : script_open(k, state, block, e);
}

static const struct kernel_source_ops counted_ops = {
    .state_size = script_state_size,
    .open = counted_open,
    .next = script_next,
    .close = script_close,
    .destroy = script_destroy,
};

static struct kernel *counted_kernel(const struct script *s, uint32_t warps)
{
    struct kernel *k = script_kernel(s, 100, warps);
    k->ops = &counted_ops;
    opened = 0;
    return k;
}

/* How often the front end opens block `block` for a reader that shares it. */
static int opens(const struct kernel *k, const struct streams *s,
                 uint64_t block)
{
    opened = 0;
    check_block(k, s, block, 1);
    return opened - 1;
}

START_TEST(a_block_is_made_once)
{
    struct kernel *k = counted_kernel(&all_forms, 2);
    struct streams *s = streams_create(k);
    ck_assert_int_eq(opens(k, s, 3), 1);
    ck_assert_int_eq(opens(k, s, 3), 0);
    ck_assert_int_eq(opens(k, s, 4), 1);
    ck_assert_int_eq(opens(k, s, 3), 0);
    streams_free(s);
    k->ops->destroy(k);
}
END_TEST

START_TEST(blocks_a_period_apart_are_one)
{
    struct script same = all_forms;
    for (int i = 0; i < same.count; i++)
        same.op[i].block_step = 0;
    same.op[3].random_bytes = same.op[4].random_bytes = 0;
    struct kernel *k = counted_kernel(&same, 2);
    k->period = 10;
    struct streams *s = streams_create(k);
    ck_assert_int_eq(opens(k, s, 3), 1);
    ck_assert_int_eq(opens(k, s, 43), 0);
    ck_assert_int_eq(opens(k, s, 44), 1);
    streams_free(s);
    k->ops->destroy(k);
}
END_TEST

/* Of a step whose lanes are far apart, as those of readers() in this many
 * bytes: what follows, the instruction's number, an address, and how far from
 * it each lane is. */
#define FAR       (UINT64_C(1) << 44)
#define FAR_BYTES (1 + 4 + 8 + 8 * WARP_LANES)

START_TEST(long_blocks_are_made_each_time)
{
    struct script fits = readers(STREAMS_BLOCK_BYTES / FAR_BYTES - 10, FAR);
    struct script long_one = readers(STREAMS_BLOCK_BYTES / FAR_BYTES + 10, FAR);
    struct kernel *k = counted_kernel(&fits, 1);
    struct streams *s = streams_create(k);
    ck_assert_int_eq(opens(k, s, 3), 1);
    ck_assert_int_eq(opens(k, s, 3), 0);
    streams_free(s);
    k->ops->destroy(k);
    k = counted_kernel(&long_one, 1);
    s = streams_create(k);
    ck_assert_int_eq(opens(k, s, 3), 3); /* tried, read, its steps counted */
    ck_assert_int_eq(opens(k, s, 3), 1);
    ck_assert_int_eq(opens(k, s, 4), 2);
    streams_free(s);
    k->ops->destroy(k);
}
END_TEST

START_TEST(what_is_kept_is_bounded)
{
    struct script half = readers(STREAMS_BLOCK_BYTES / FAR_BYTES / 2, FAR);
    uint64_t fit = STREAMS_BYTES / (STREAMS_BLOCK_BYTES / 2);
    int more = 0;
    struct kernel *k = counted_kernel(&half, 1);
    struct streams *s = streams_create(k);
    for (uint64_t b = 10; b < 10 + fit + 3; b++)
        opens(k, s, b);
    for (uint64_t b = 10; b < 10 + fit + 3; b++)
        more += opens(k, s, b);
    ck_assert_int_ge(more, 3);
    ck_assert_int_le(more, 4);
    streams_free(s);
    k->ops->destroy(k);
}
END_TEST

START_TEST(a_block_that_cannot_be_read_fails)
{
    struct kernel *k = counted_kernel(&all_forms, 1);
    struct streams *s = streams_create(k);
    const struct kernel *shared = streams_kernel(s);
    void *state = malloc(shared->ops->state_size(shared));
    struct error e;
    ck_assert(!shared->ops->open(shared, state, 9, &e));
    ck_assert_str_eq(e.text, "block 9 cannot be read");
    free(state);
    streams_free(s);
    k->ops->destroy(k);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("streams that samples share");
    TCase *same = tcase_create("same"), *kept = tcase_create("kept");
    tcase_add_test(same, steps_are_those_of_the_front_end);
    tcase_add_test(same, steps_of_a_block_are_counted);
    tcase_add_test(same, an_emptied_writer_keeps_its_room);
    tcase_add_test(same, all_lanes_may_be_off);
    tcase_add_loop_test(same, bundled_kernels_are_the_same, 0,
                        sizeof(bundled) / sizeof(*bundled));
    tcase_add_test(kept, a_block_is_made_once);
    tcase_add_test(kept, blocks_a_period_apart_are_one);
    tcase_add_test(kept, long_blocks_are_made_each_time);
    tcase_add_test(kept, what_is_kept_is_bounded);
    tcase_add_test(kept, a_block_that_cannot_be_read_fails);
    suite_add_tcase(suite, same);
    suite_add_tcase(suite, kept);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
