/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams against what was written: a random kernel as text in each address
 * encoding, read back in one go, interleaved, and by several threads. */
#include "tests/trace_files.h"

#include <inttypes.h>

#define BLOCKS 3
#define WARPS  4
#define STEPS  3000
#define PCS    40 /* the last is EXIT, each fourth a jump, each third a load */

/* One instruction as it was written. */
struct written {
    uint32_t pc, mask;
    uint64_t address[WARP_LANES];
};

static struct written truth[BLOCKS][WARPS][STEPS];

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

static bool is_load(uint32_t pc)
{
    return pc / 16 % 3 == 1;
}

static bool is_jump(uint32_t pc)
{
    return pc / 16 % 4 == 2 && !is_load(pc);
}

static uint32_t draw_mask(uint64_t *state)
{
    switch (draw(state) % 4) {
    case 0:
        return UINT32_MAX;
    case 1:
        return UINT32_MAX >> draw(state) % 32;
    case 2:
        return 0;
    default:
        return (uint32_t)(draw(state) ^ draw(state) << 16);
    }
}

/* A few strides, some scatter, and jumps across the whole address space. */
static void draw_addresses(uint64_t *state, uint64_t address[WARP_LANES])
{
    uint64_t base = draw(state) << 16 ^ draw(state);
    uint64_t stride = draw(state) % 3 * 4;
    bool scatter = draw(state) % 2 == 0;

    for (int l = 0; l < WARP_LANES; l++) {
        address[l] = base + stride * (uint64_t)l;
        if (scatter)
            address[l] ^= draw(state) << draw(state) % 16;
    }
}

static void draw_truth(void)
{
    uint64_t state = 1;

    for (int b = 0; b < BLOCKS; b++)
        for (int w = 0; w < WARPS; w++)
            for (int i = 0; i < STEPS; i++) {
                struct written *t = &truth[b][w][i];

                t->pc = (uint32_t)(i % (PCS - 1)) * 16;
                if (draw(&state) % 8 == 0)
                    t->pc = (uint32_t)(draw(&state) % (PCS - 1)) * 16;
                t->mask = draw_mask(&state);
                draw_addresses(&state, t->address);
                if (i == STEPS - 1) {
                    t->pc = (PCS - 1) * 16;
                    t->mask = UINT32_MAX;
                }
            }
}

static bool constant_stride(const struct written *t, int64_t *stride)
{
    uint32_t lanes = t->mask & (t->mask - 1);
    int first = t->mask != 0 ? __builtin_ctz(t->mask) : 0;

    /* mode 1 is for lanes without gaps */
    if (t->mask == 0 || ((t->mask >> first) & ((t->mask >> first) + 1)) != 0)
        return false;
    *stride =
        lanes != 0 ? (int64_t)(t->address[first + 1] - t->address[first]) : 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);

        if (t->address[l] - t->address[l - 1] != (uint64_t)*stride)
            return false;
    }
    return true;
}

static void write_addresses(FILE *f, const struct written *t, int mode)
{
    uint64_t before = 0;
    int64_t stride;
    bool first = true;

    if (mode == 1 && constant_stride(t, &stride)) {
        fprintf(f, " 1 0x%" PRIx64 " %" PRId64,
                t->address[__builtin_ctz(t->mask)], stride);
        return;
    }
    fprintf(f, " %d", mode == 0 ? 0 : 2);
    if (mode != 0 && t->mask == 0)
        fprintf(f, " 0x0");
    for (int l = 0; l < WARP_LANES; l++) {
        if ((t->mask >> l & 1) == 0)
            continue;
        if (mode == 0 || first)
            fprintf(f, " 0x%016" PRIx64, t->address[l]);
        else
            fprintf(f, " %" PRId64, (int64_t)(t->address[l] - before));
        before = t->address[l];
        first = false;
    }
}

static void write_step(FILE *f, const struct written *t, int mode)
{
    fprintf(f, "%04x %08x ", t->pc, t->mask);
    if (t->pc == (PCS - 1) * 16)
        fprintf(f, "0 EXIT 0 0");
    else if (is_load(t->pc))
        fprintf(f, "1 R4 LDG.E 1 R2 4");
    else if (is_jump(t->pc))
        fprintf(f, "0 BRA 0 0");
    else
        fprintf(f, "1 R5 IADD3 2 R4 R5 0");
    if (is_load(t->pc))
        write_addresses(f, t, mode);
    fputc('\n', f);
}

/* Blocks out of order, to be found by number all the same. */
static void write_trace(const char *path, int mode)
{
    FILE *f = fopen(path, "w");

    ck_assert(f != NULL);
    fprintf(f,
            "-kernel name = random\n-grid dim = (%d,1,1)\n"
            "-block dim = (%d,1,1)\n-shmem = 0\n-nregs = 16\n"
            "-binary version = 70\n-shmem base_addr = 0x7f00000000000000\n"
            "-local mem base_addr = 0x7e00000000000000\n"
            "-accelsim tracer version = 3\n\n#traces format\n",
            BLOCKS, WARPS * WARP_LANES);
    for (int i = 0; i < BLOCKS; i++) {
        int b = (i + 1) % BLOCKS;

        fprintf(f, "#BEGIN_TB\n\nthread block = %d,0,0\n", b);
        for (int w = 0; w < WARPS; w++) {
            fprintf(f, "\nwarp = %d\ninsts = %d\n", w, STEPS);
            for (int s = 0; s < STEPS; s++)
                write_step(f, &truth[b][w][s], mode);
        }
        fprintf(f, "\n#END_TB\n\n");
    }
    ck_assert(fclose(f) == 0);
}

/* What does not fit is returned in words; NULL when all is right. */
static const char *compare(const struct kernel *k, const struct step *s,
                           const struct written *t)
{
    if (k->inst[s->inst].pc != t->pc)
        return "PC";
    if (s->mask != t->mask)
        return "mask";
    if ((s->taken_mask & ~s->mask) != 0 ||
        (s->taken_mask != 0 && !is_jump(t->pc)))
        return "jump";
    if (is_load(t->pc) != (s->form != ADDR_NONE) && t->mask != 0)
        return "form";
    for (int l = 0; l < WARP_LANES && s->form != ADDR_NONE; l++) {
        uint64_t found = s->form == ADDR_LIST
                             ? s->lane_address[l]
                             : s->base + (uint64_t)s->stride * (uint64_t)l;

        if ((t->mask >> l & 1) != 0 && found != t->address[l])
            return "address";
    }
    return NULL;
}

static struct kernel *load_random(struct kernel_list *list, int mode)
{
    const char *const files[] = {"a.traceg", NULL};
    struct kernel *k;
    char folder[32];

    draw_truth();
    enter_folder(folder);
    write_trace("a.traceg", mode);
    k = load_one(list, "a.traceg", &no_options);
    remove_folder(folder, files); /* the trace itself is not needed any more */
    return k;
}

/* All of a block, a warp at a time; what is wrong or NULL. */
static const char *check_block(const struct kernel *k, void *state, int b)
{
    struct step s;

    for (int w = 0; w < WARPS; w++) {
        for (int i = 0; i < STEPS; i++) {
            const char *wrong;

            if (!k->ops->next(k, state, (uint32_t)w, &s))
                return "early end";
            wrong = compare(k, &s, &truth[b][w][i]);
            if (wrong != NULL)
                return wrong;
        }
        if (k->ops->next(k, state, (uint32_t)w, &s))
            return "late end";
    }
    return NULL;
}

/* _i is the address mode. */
START_TEST(one_after_another)
{
    struct kernel_list list;
    struct kernel *k = load_random(&list, _i);

    for (int b = 0; b < BLOCKS; b++) {
        void *state = open_block(k, (uint64_t)b);
        const char *wrong = check_block(k, state, b);

        ck_assert_msg(wrong == NULL, "block %d: wrong %s", b, wrong);
        close_block(k, state);
    }
    kernel_list_free(&list);
}
END_TEST

START_TEST(interleaved)
{
    struct kernel_list list;
    struct kernel *k = load_random(&list, 2);
    int at[BLOCKS][WARPS] = {{0}};
    void *state[BLOCKS];
    uint64_t random = 7;

    for (int b = 0; b < BLOCKS; b++)
        state[b] = open_block(k, (uint64_t)b);
    for (int n = 0; n < 20 * STEPS; n++) {
        int b = (int)(draw(&random) % BLOCKS), w = (int)(draw(&random) % WARPS);
        struct step s;
        bool more = k->ops->next(k, state[b], (uint32_t)w, &s);

        ck_assert_int_eq(more, at[b][w] < STEPS);
        if (more)
            ck_assert_ptr_null(compare(k, &s, &truth[b][w][at[b][w]++]));
    }
    for (int b = 0; b < BLOCKS; b++)
        close_block(k, state[b]);
    kernel_list_free(&list);
}
END_TEST

START_TEST(many_threads)
{
    struct kernel_list list;
    struct kernel *k = load_random(&list, 1);
    int failures = 0;

#pragma omp parallel for num_threads(4) reduction(+ : failures)
    for (int n = 0; n < 8; n++) {
        void *state = malloc(k->ops->state_size(k));
        struct error e;

        if (state == NULL ||
            !k->ops->open(k, state, (uint64_t)(n % BLOCKS), &e) ||
            check_block(k, state, n % BLOCKS) != NULL)
            failures++;
        free(state);
    }
    ck_assert_int_eq(failures, 0);
    kernel_list_free(&list);
}
END_TEST

/* A state is opened again and again, also half-way through a block. */
START_TEST(state_reused)
{
    struct kernel_list list;
    struct kernel *k = load_random(&list, 1);
    void *state = open_block(k, 2);
    struct error e;
    struct step s;

    for (int i = 0; i < 100; i++)
        ck_assert(k->ops->next(k, state, 3, &s));
    k->ops->close(k, state);
    for (int i = 0; i < 2; i++) {
        ck_assert(k->ops->open(k, state, 1, &e));
        ck_assert_ptr_null(check_block(k, state, 1));
        k->ops->close(k, state);
    }
    free(state);
    kernel_list_free(&list);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace streams");
    TCase *cases = tcase_create("random kernel");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(cases, one_after_another, 0, 3);
    tcase_add_test(cases, interleaved);
    tcase_add_test(cases, many_threads);
    tcase_add_test(cases, state_reused);
    tcase_set_timeout(cases, 300);
    suite_add_tcase(suite, cases);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
