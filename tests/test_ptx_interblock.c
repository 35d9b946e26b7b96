/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks of a launch tell each other: noted where it is, not noted where
 * it is not, and seen with exec_all. */
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/ptx/launch/stream.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEXT_MAX 8192
#define BLOCKS   6

/* The entry k(u64 b, u64 c, u32 n): %d1 = b, %d2 = c, %r0 = tid, %r1 = ctaid,
 * %r2 = ctaid * 64 + tid, %d3 and %d4 that element of b and c. Line 9 is the
 * body's first. */
static bool load_grid(struct kernel_list *list, uint32_t grid, const char *body,
                      bool exec_all, bool code_only, struct error *e)
{
    char path[] = "/tmp/test_ptx_XXXXXX", text[TEXT_MAX];
    static const char *const arg[] = {"tex:64x64:u32:iota", "buf:4096:u32",
                                      "5"};
    const struct load_options o = {.launch.grid = {grid, 1, 1},
                                   .launch.block = {64, 1, 1},
                                   .ptx.arg = arg,
                                   .ptx.args = 3,
                                   .ptx.exec_all = exec_all,
                                   .code_only = code_only};
    int length = snprintf(
        text, sizeof(text),
        "%s.visible .entry k(.param .u64 b, .param .u64 c, .param .u32 n)\n"
        "{ .reg .pred %%p<9>; .reg .b32 %%r<99>; .reg .b64 %%d<99>;\n"
        ".shared .align 4 .b8 s[512]; ld.param.u64 %%d1, [b];\n"
        "ld.param.u64 %%d2, [c]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, "
        "%%ctaid.x;"
        "\nmad.lo.u32 %%r2, %%r1, 64, %%r0; mul.wide.u32 %%d3, %%r2, 4;\n"
        "add.u64 %%d4, %%d2, %%d3; add.u64 %%d3, %%d1, %%d3;\n%s\nret; }\n",
        PTX_HEAD, body);
    ck_assert_int_lt(length, TEXT_MAX);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, (size_t)length), length);
    close(fd);
    *list = (struct kernel_list){0};
    bool ok = ptx_kernel_load(list, path, &o, e);
    remove(path);
    return ok;
}

static bool load(struct kernel_list *list, const char *body, bool exec_all,
                 bool code_only, struct error *e)
{
    return load_grid(list, BLOCKS, body, exec_all, code_only, e);
}

static void must_load(struct kernel_list *list, const char *body, bool exec_all,
                      bool code_only)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(load(list, body, exec_all, code_only, &e), "%s", e.text);
}

static void must_note(const char *body, bool code_only, const char *expected)
{
    struct kernel_list l;
    must_load(&l, body, false, code_only);
    const char *note = l.kernel[0]->note;
    if (expected == NULL)
        ck_assert_msg(note == NULL, "%s\nnoted %s", body, note);
    else
        ck_assert_msg(note != NULL && strstr(note, expected) != NULL,
                      "%s\nnoted %s", body, note);
    kernel_list_free(&l);
    must_load(&l, body, true, code_only);
    ck_assert_ptr_null(l.kernel[0]->note);
    kernel_list_free(&l);
}

/* ---- what execution shows ----------------------------------------------- */

#define LOAD  ": ld: found that it reads what another block writes"
#define STORE ": st: found that it writes what another block reads"

/* Loads the tile that is so many bytes further on, stores its own. */
#define TILE(offset)                                                           \
    "mul.wide.u32 %d5, %r1, 1024; add.u64 %d5, %d1, %d5;\n"                    \
    "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r4, %r5, %r6, %r7, "  \
    "%r8, %r9, %r10, %r11}, [%d5+" offset "];\n"                               \
    "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d5], {%r4, %r5, "    \
    "%r6, %r7, %r8, %r9, %r10, %r11};"

#define ROWS "shl.b32 %r5, %r0, 2; add.u32 %r6, %r1, 1;\n"

START_TEST(test_executed)
{
    static const char *const body[][2] = {
        /* each its own element */
        {"ld.global.u32 %r3, [%d3]; st.global.u32 [%d3], %r3;", NULL},
        /* the next thread's, the last of which is the next block's */
        {"ld.global.u32 %r3, [%d3+4]; st.global.u32 [%d3], %r3;", ":10:1" LOAD},
        /* into another buffer */
        {"ld.global.u32 %r3, [%d3+4]; st.global.u32 [%d4], %r3;", NULL},
        /* written by itself before */
        {"st.global.u32 [%d1], 3; ld.global.u32 %r3, [%d1];\n"
         "st.global.u32 [%d4], %r3;",
         NULL},
        {"ld.global.u32 %r3, [%d1];\nst.global.u32 [%d4], %r3;\n"
         "st.global.u32 [%d1], 3;",
         ":10:1" LOAD},
        /* block 0 alone reads, another one writes */
        {"setp.ne.u32 %p1, %r1, 0; @%p1 bra other;\n"
         "ld.global.u32 %r3, [%d1+256]; st.global.u32 [%d4], %r3; ret;\n"
         "other: st.global.u32 [%d3], 1;",
         ":12:8" STORE},
        /* bytes beside each other */
        {"cvt.u64.u32 %d5, %r1; add.u64 %d5, %d1, %d5;\n"
         "ld.global.u8 %r3, [%d5]; st.global.u8 [%d5], %r3;",
         NULL},
        /* sums are the same in any order; reading them is not */
        {"red.global.add.u32 [%d1], 1;", NULL},
        {"red.global.add.u32 [%d1], 1; ld.global.u32 %r3, [%d1];\n"
         "st.global.u32 [%d4], %r3;",
         LOAD},
        /* tiles of 16 x 16: each block its own, or the next one's too */
        {TILE("0"), NULL},
        {TILE("1024"), ": wmma: found that it reads what another block"},
        /* by rows of a surface or texture */
        {ROWS "suld.b.2d.b32.trap {%r3}, [%d1, {%r5, %r1}];\n"
              "sust.b.2d.b32.trap [%d1, {%r5, %r1}], {%r3};",
         NULL},
        {ROWS "suld.b.2d.b32.trap {%r3}, [%d1, {%r5, %r6}];\n"
              "sust.b.2d.b32.trap [%d1, {%r5, %r1}], {%r3};",
         ": suld: found that it reads what another block writes"},
        {ROWS "tex.2d.v4.u32.s32 {%r3, %r7, %r8, %r9}, [%d1, {%r0, %r6}];\n"
              "st.global.u32 [%d3], %r3;",
         ": tex: found that it reads what another block writes"},
        /* copied into shared memory */
        {"mov.u32 %r4, s; cp.async.ca.shared.global [%r4], [%d3+4], 4;\n"
         "st.global.u32 [%d3], 1;",
         ": cp: found that it reads"},
        /* one warp reads, another writes, by a generic address */
        {"cvta.to.global.u64 %d6, %d1; setp.lt.u32 %p1, %r0, 32;\n"
         "@%p1 ld.global.u32 %r3, [%d6]; @!%p1 st.u32 [%d6], 1;\n"
         "st.global.u32 [%d4], %r3;",
         LOAD},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_note(body[i][0], false, body[i][1]);
}
END_TEST

/* A fault of another block than the first is told when it is executed. */
/* Whatever the number of blocks: each works on its own elements in place. */
START_TEST(test_own_elements)
{
    struct kernel_list l;
    struct error e = {STATUS_OK, ""};
    for (uint32_t grid = 1; grid <= 12; grid++) {
        ck_assert_msg(load_grid(&l, grid,
                                "ld.global.u32 %r3, [%d4]; add.u32 %r3, %r3, 1;"
                                "\nst.global.u32 [%d4], %r3;",
                                false, false, &e),
                      "%s", e.text);
        ck_assert_msg(l.kernel[0]->note == NULL, "%u blocks: %s", grid,
                      l.kernel[0]->note);
        kernel_list_free(&l);
    }
}
END_TEST

START_TEST(test_others_fault)
{
    must_note("mul.wide.u32 %d5, %r1, 8192; add.u64 %d5, %d1, %d5;\n"
              "ld.global.u32 %r3, [%d5]; st.global.u32 [%d4], %r3;",
              false, NULL);
}
END_TEST

/* ---- what the code shows ------------------------------------------------ */

#define PATH  ": atom: found that its result decides the way in line "
#define WHERE ": atom: found that its result decides the address in line "
#define WAIT  ": ld: found a loop that waits here"

START_TEST(test_atomics)
{
    static const char *const body[][2] = {
        {"atom.global.exch.b32 %r3, [%d1], 1; st.global.u32 [%d4], %r3;", NULL},
        {"atom.global.exch.b32 %r3, [%d1], 1;\nsetp.eq.u32 %p1, %r3, 5;\n"
         "@%p1 bra end; st.global.u32 [%d4], 1;\nend:",
         ":10:1" PATH "12;"},
        {"atom.global.exch.b32 %r3, [%d1], 1;\nmul.wide.u32 %d5, %r3, 4;\n"
         "add.u64 %d5, %d2, %d5; st.global.u32 [%d5], 1;",
         ":10:1" WHERE "12;"},
        {"atom.global.exch.b32 %r3, [%d1], 1; setp.eq.u32 %p1, %r3, 5;\n"
         "@%p1 st.global.u32 [%d4], 1;",
         PATH "11;"},
        {"atom.global.exch.b32 %r3, [%d1], 1; setp.eq.u32 %p1, %r3, 5;\n"
         "@%p1 mov.u32 %r4, 7; st.global.u32 [%d4], %r4;",
         NULL},
        /* it draws, which is seen */
        {"atom.global.add.u32 %r3, [%d1], 1; setp.eq.u32 %p1, %r3, 5;\n"
         "@%p1 st.global.u32 [%d4], 1;",
         NULL},
        /* shared memory is the block's own; but it may hand on */
        {"mov.u32 %r4, s; atom.shared.add.u32 %r3, [%r4], 1;\n"
         "setp.eq.u32 %p1, %r3, 5; @%p1 st.global.u32 [%d4], 1;",
         NULL},
        {"atom.global.exch.b32 %r3, [%d1], 1; st.shared.u32 [s+4], %r3;\n"
         "bar.sync 0; ld.shared.u32 %r4, [s+4]; setp.eq.u32 %p1, %r4, 5;\n"
         "@%p1 st.global.u32 [%d4], 1;",
         PATH "12;"},
        {"atom.global.exch.b32 %r3, [%d1], 1; st.shared.u32 [s+4], %r3;\n"
         "bar.sync 0; ld.shared.u32 %r4, [s+8]; setp.eq.u32 %p1, %r4, 5;\n"
         "@%p1 st.global.u32 [%d4], 1;",
         NULL},
        {"mov.u32 %r5, s; mad.lo.u32 %r6, %r0, 4, %r5;\n"
         "atom.exch.b32 %r3, [%d1], 1; st.shared.u32 [%r6], %r3;\n"
         "bar.sync 0; ld.shared.u32 %r4, [%r5]; setp.eq.u32 %p1, %r4, 5;\n"
         "@%p1 st.global.u32 [%d4], 1;",
         PATH "13;"},
        /* a way rather than an address before it */
        {"atom.global.exch.b32 %r3, [%d1], 1; mul.wide.u32 %d5, %r3, 4;\n"
         "add.u64 %d5, %d2, %d5; st.global.u32 [%d5], 1;\n"
         "atom.global.exch.b32 %r4, [%d1], 1; setp.eq.u32 %p1, %r4, 5;\n"
         "@%p1 st.global.u32 [%d4], 1;",
         ":12:1" PATH "13;"},
        /* around a loop, against the order of the text */
        {"mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
         "again: setp.gt.u32 %p1, %r4, 3; @%p1 bra end;\n"
         "mov.u32 %r4, %r3; atom.global.exch.b32 %r3, [%d1], 1; bra again;\n"
         "end:",
         ":12:19" PATH "11;"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_note(body[i][0], true, body[i][1]);
}
END_TEST

START_TEST(test_loops)
{
    static const char *const body[][2] = {
        {"again:\nld.volatile.global.u32 %r3, [%d1]; setp.eq.u32 %p1, %r3, 0;\n"
         "@%p1 bra again;",
         ":11:1" WAIT},
        {"again: ld.acquire.gpu.global.u32 %r3, [%d1+8];\n"
         "setp.ne.u32 %p1, %r3, 0; @%p1 bra end; bra again; end:",
         WAIT},
        /* another address in each turn */
        {"again: ld.volatile.global.u32 %r3, [%d1]; add.u64 %d1, %d1, 4;\n"
         "setp.eq.u32 %p1, %r3, 0; @%p1 bra again;",
         NULL},
        /* it counts */
        {"mov.u32 %r4, 0;\n"
         "again: ld.volatile.global.u32 %r3, [%d1]; add.u32 %r4, %r4, 1;\n"
         "setp.lt.u32 %p1, %r4, %r3; @%p1 bra again;",
         NULL},
        {"ld.volatile.global.u32 %r3, [%d1];\n"
         "again: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 9;\n"
         "@%p1 bra again;",
         NULL},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_note(body[i][0], true, body[i][1]);
}
END_TEST

/* ---- what blocks draw --------------------------------------------------- */

static unsigned stores(const struct kernel *k, uint64_t block, bool *ok,
                       struct error *e)
{
    void *state = malloc(k->ops->state_size(k));
    struct step s;
    unsigned n = 0;
    *ok = k->ops->open(k, state, block, e);
    while (*ok && k->ops->next(k, state, 0, &s))
        n += k->inst[s.inst].op == OP_STORE && s.mask != 0;
    if (*ok)
        k->ops->close(k, state);
    free(state);
    return n;
}

/* The stores of each block's first warp, whoever asks first. */
static void must_store(const char *body, const unsigned expected[BLOCKS])
{
    for (int exec_all = 0; exec_all < 2; exec_all++) {
        struct kernel_list l;
        struct error e;
        bool ok;
        must_load(&l, body, exec_all != 0, false);
        for (int pass = 0; pass < 2; pass++)
            for (uint64_t b = BLOCKS; b-- > 0;) {
                unsigned n = stores(l.kernel[0], b, &ok, &e);
                ck_assert_msg(ok && n == expected[b],
                              "%s\nblock %u stores %u times", body, (unsigned)b,
                              n);
            }
        kernel_list_free(&l);
    }
}

/* Thread 0 claims eight places, from its block's own on. */
#define CLAIMS(op)                                                             \
    "setp.ne.u32 %p1, %r0, 0; @%p1 ret; mov.u32 %r5, 0;\n"                     \
    "again: add.u32 %r6, %r1, %r5; and.b32 %r6, %r6, 7;\n"                     \
    "mul.wide.u32 %d5, %r6, 4; add.u64 %d5, %d2, %d5;\n"                       \
    "add.u32 %r5, %r5, 1; atom.global." op ";\n"                               \
    "setp.ne.u32 %p2, %r7, 0; @!%p2 st.global.u32 [%d2+64], 1;\n"              \
    "setp.lt.u32 %p1, %r5, 8; @%p1 bra again;"

/* Thread 0 takes one item after another until there are none, here 15. */
#define TAKES(bits, x)                                                         \
    "setp.ne.u32 %p1, %r0, 0; @%p1 ret; mov.u32 %r5, 0;\n"                     \
    "again: atom.global.add.u" bits " %" x "7, [%d2], 1;\n"                    \
    "setp.ge.u" bits " %p1, %" x "7, 15; @%p1 ret;\n"                          \
    "st.global.u32 [%d2+64], %r5; bra again;"

START_TEST(test_draws)
{
    static const struct {
        const char *body;
        unsigned stores[BLOCKS];
    } of[] = {
        /* in turns: 15 items are two each, and three blocks take one more */
        {TAKES("32", "r"), {3, 3, 3, 2, 2, 2}},
        {TAKES("64", "d"), {3, 3, 3, 2, 2, 2}},
        /* the last one to come does what is left */
        {"setp.ne.u32 %p1, %r0, 0; @%p1 ret;\n"
         "atom.global.inc.u32 %r3, [%d2], 5; setp.ne.u32 %p1, %r3, 5;\n"
         "@%p1 ret; st.global.u32 [%d2+64], 1;",
         {0, 0, 0, 0, 0, 1}},
        /* six of eight in the first turn, the others by the last block */
        {CLAIMS("exch.b32 %r7, [%d5], 1"), {1, 1, 1, 1, 1, 3}},
        {CLAIMS("cas.b32 %r7, [%d5], 0, 1"), {1, 1, 1, 1, 1, 3}},
        /* a lock each block finds open */
        {"setp.ne.u32 %p1, %r0, 0; @%p1 ret;\n"
         "again: atom.global.exch.b32 %r3, [%d2], 1;\n"
         "setp.ne.u32 %p1, %r3, 0; @%p1 bra again;\n"
         "st.global.u32 [%d2+64], 1; st.global.u32 [%d2], 0;",
         {2, 2, 2, 2, 2, 2}},
    };
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        must_store(of[i].body, of[i].stores);
}
END_TEST

/* Room in a list: what all threads store is side by side, each place once. */
START_TEST(test_places)
{
    struct kernel_list l;
    struct error e;
    bool taken[BLOCKS * 64] = {false};
    must_load(&l,
              "atom.global.add.u32 %r3, [%d2+12000], 1;\n"
              "mul.wide.u32 %d5, %r3, 4; add.u64 %d5, %d2, %d5;\n"
              "st.global.u32 [%d5], %r3;",
              false, false);
    const struct kernel *k = l.kernel[0];
    void *state = malloc(k->ops->state_size(k));
    uint64_t least = UINT64_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t b = 0; b < BLOCKS; b++) {
            struct step s;
            ck_assert(k->ops->open(k, state, b, &e));
            for (uint32_t warp = 0; warp < 2; warp++)
                while (k->ops->next(k, state, warp, &s))
                    for (unsigned lane = 0;
                         k->inst[s.inst].op == OP_STORE && lane < WARP_LANES;
                         lane++) {
                        uint64_t at =
                            s.base + (uint64_t)s.stride * (uint64_t)lane;
                        ck_assert_int_eq(s.form, ADDR_STRIDE);
                        least = pass == 0 && at < least ? at : least;
                        ck_assert_uint_lt((at - least) / 4, BLOCKS * 64);
                        taken[(at - least) / 4] |= pass == 1;
                    }
            k->ops->close(k, state);
        }
    for (unsigned i = 0; i < BLOCKS * 64; i++)
        ck_assert_msg(taken[i], "place %u", i);
    free(state);
    kernel_list_free(&l);
}
END_TEST

/* Behind its last ticket each block goes on with its share: of 15 items, one
 * each is known. */
START_TEST(test_rest_of_draws)
{
    struct kernel_list l;
    struct error e;
    bool ok;
    unsigned all = 0;
    must_load(&l, TAKES("32", "r"), false, false);
    struct ptx_tickets *t =
        ((struct ptx_source *)l.kernel[0]->source)->turns->tickets[0];
    ck_assert(t->complete);
    t->at_once = BLOCKS;
    for (uint64_t b = 0; b < BLOCKS; b++)
        t->of[b].count = 4; /* the words of a ticket of one lane */
    for (uint64_t b = 0; b < BLOCKS; b++) {
        unsigned n = stores(l.kernel[0], b, &ok, &e);
        ck_assert_uint_ge(n, 2);
        ck_assert_uint_le(n, 3);
        all += n;
    }
    ck_assert_uint_eq(all, 15);
    kernel_list_free(&l);
}
END_TEST

/* ---- whole grids in order ----------------------------------------------- */

/* Each block counts up, thread 0 then stores as often as it found counts. */
static const char counts[] =
    "setp.ne.u32 %p1, %r0, 0; @%p1 ret;\n"
    "atom.global.add.u32 %r3, [%d2], 1;\n"
    "again: setp.eq.u32 %p1, %r3, 0; @%p1 bra end;\n"
    "st.global.u32 [%d2+64], 1; sub.u32 %r3, %r3, 1; bra again;\nend:";

START_TEST(test_in_order)
{
    struct kernel_list l;
    struct error e;
    bool ok;
    uint64_t hash;
    static const uint64_t order[] = {5, 0, 3, 5, 1, 4, 2};
    must_load(&l, counts, false, false);
    hash = l.kernel[0]->hash;
    kernel_list_free(&l);
    must_load(&l, counts, true, false);
    ck_assert_uint_ne(l.kernel[0]->hash, hash);
    for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
        ck_assert_uint_eq(stores(l.kernel[0], order[i], &ok, &e), order[i]);
    kernel_list_free(&l);
}
END_TEST

/* Waiting for an earlier block ends in order, for a later one it does not. */
START_TEST(test_waiting)
{
    struct kernel_list l;
    struct error e;
    bool ok;
    static const char before[] =
        "setp.eq.u32 %p1, %r1, 0; @%p1 bra go;\n"
        "again: ld.volatile.global.u32 %r3, [%d4+-256]; setp.eq.u32 %p1, %r3, "
        "0;\n@%p1 bra again;\ngo: st.volatile.global.u32 [%d4], 1;";
    for (int asked = 0; asked < 2; asked++) { /* or seen to be needed */
        must_load(&l, before, asked != 0, false);
        ck_assert(asked || strstr(l.kernel[0]->note, "waits for it") != NULL);
        for (uint64_t b = 0; b < BLOCKS; b++)
            ck_assert_uint_eq(stores(l.kernel[0], b, &ok, &e), 1);
        ck_assert(ok);
        kernel_list_free(&l);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_interblock");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_executed);
    tcase_add_test(c, test_own_elements);
    tcase_add_test(c, test_others_fault);
    tcase_add_test(c, test_atomics);
    tcase_add_test(c, test_loops);
    tcase_add_test(c, test_draws);
    tcase_add_test(c, test_places);
    tcase_add_test(c, test_rest_of_draws);
    tcase_add_test(c, test_in_order);
    tcase_add_test(c, test_waiting);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
