/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX as kernels for the engines: static instructions, streams, and that
 * streams do not depend on who reads them when. */
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/ptx/launch/stream.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STEPS_MAX 4096

/* Load the text's only entry by way of a file. */
static bool load(struct kernel_list *list, const char *text, uint32_t grid,
                 uint32_t block, const char *const *arg, struct error *e)
{
    char path[] = "/tmp/test_ptx_XXXXXX";
    struct load_options o = {.launch.grid = {grid, 1, 1},
                             .launch.block = {block, 1, 1},
                             .ptx.arg = arg,
                             .seed = 1};
    while (arg[o.ptx.args] != NULL)
        o.ptx.args++;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    *list = (struct kernel_list){0};
    bool ok = ptx_kernel_load(list, path, &o, e);
    remove(path);
    return ok;
}

static const struct kernel *must_load(struct kernel_list *list,
                                      const char *text, uint32_t grid,
                                      uint32_t block, const char *const *arg)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(load(list, text, grid, block, arg, &e), "%s", e.text);
    ck_assert_uint_eq(list->count, 1);
    return list->kernel[0];
}

/* ---- the code ----------------------------------------------------------- */

static const char *const one_buffer[] = {"buf:4096:u32:iota:b", NULL};

/* y[i] = 3 * x[i] with a loop: what remains, and its registers. */
static const char scale[] =
    PTX_HEAD ".visible .entry k(.param .u64 b)\n{\n"
             ".reg .pred %p; .reg .b32 %r<5>; .reg .b64 %d<4>;\n"
             "ld.param.u64 %d0, [b];\n"
             "cvta.to.global.u64 %d1, %d0;\n"
             "mov.u32 %r1, %tid.x;\n"
             "mov.u32 %r4, 0;\n"
             "again: .pragma \"nounroll\"; mul.wide.u32 %d2, %r1, 4;\n"
             "add.s64 %d3, %d1, %d2;\n"
             "ld.global.u32 %r2, [%d3];\n"
             "mul.lo.u32 %r3, %r2, 3;\n"
             "st.global.u32 [%d3+256], %r3;\n"
             "add.u32 %r4, %r4, 1;\n"
             "setp.lt.u32 %p, %r4, 2;\n"
             "@%p bra again;\n"
             "ret;\n}\n";

static const struct inst *of_line(const struct kernel *k, uint32_t line)
{
    const struct inst *i = k->inst;
    while (i < k->inst + k->inst_count && i->line != line)
        i++;
    ck_assert_msg(i < k->inst + k->inst_count, "line %u", line);
    return i;
}

START_TEST(test_code)
{
    /* From line 9 on. The product is added to the address as it is made. */
    static const int class[] = {OP_INT,  OP_INT,    -1,       OP_IMUL,
                                OP_LOAD, OP_IMUL,   OP_STORE, OP_INT,
                                OP_INT,  OP_BRANCH, OP_EXIT};
    struct kernel_list list;
    const struct kernel *k = must_load(&list, scale, 3, 64, one_buffer);
    const struct inst *branch = of_line(k, 18);
    ck_assert_uint_eq(k->inst_count, 10);
    for (uint32_t n = 0; n < 11; n++)
        if (class[n] >= 0)
            ck_assert_int_eq(of_line(k, 9 + n)->op, class[n]);
    ck_assert_uint_eq(branch->target, 2); /* behind the two moves */
    ck_assert_ptr_eq(branch + 1, of_line(k, 19));
    ck_assert_uint_eq(branch->reconverge, 9);
    ck_assert_uint_eq(of_line(k, 13)->space, SPACE_GLOBAL);
    ck_assert_uint_eq(of_line(k, 13)->width, 4);
    /* the load's value, the comparison's */
    ck_assert_uint_eq(of_line(k, 14)->src[0], of_line(k, 13)->dst[0]);
    ck_assert_uint_eq(branch->src[0], of_line(k, 17)->dst[0]);
    ck_assert_uint_ge(branch->src[0], REG_PREDICATE);
    /* %r1 lives through the loop: nobody else gets its register. */
    for (const struct inst *i = k->inst; i <= branch; i++)
        ck_assert(i->line == 9 || i->dst_count == 0 ||
                  i->dst[0] != of_line(k, 9)->dst[0]);
    ck_assert_uint_eq(k->blocks, 3);
    ck_assert_uint_eq(k->warps_per_block, 2);
    kernel_list_free(&list);
}
END_TEST

/* ---- streams ------------------------------------------------------------ */

struct reading {
    struct step step[2][STEPS_MAX]; /* of two warps */
    size_t count[2];
};

static bool read_one(const struct kernel *k, void *state, uint32_t warp,
                     struct reading *r)
{
    ck_assert_uint_lt(r->count[warp], STEPS_MAX);
    if (!k->ops->next(k, state, warp, &r->step[warp][r->count[warp]]))
        return false;
    r->count[warp]++;
    return true;
}

/* Both warps of a block: `first` alone as far as it goes, or in turns. */
static void read_block(const struct kernel *k, uint64_t block, int first,
                       struct reading *r)
{
    struct error e = {STATUS_OK, ""};
    void *state = malloc(k->ops->state_size(k));
    memset(r, 0, sizeof(*r));
    ck_assert_msg(k->ops->open(k, state, block, &e), "%s", e.text);
    if (first >= 0)
        while (read_one(k, state, (uint32_t)first, r))
            ;
    for (bool more = true; more;) {
        more = read_one(k, state, 0, r);
        more |= read_one(k, state, 1, r);
    }
    k->ops->close(k, state);
    free(state);
}

static void must_be_equal(const struct reading *a, const struct reading *b)
{
    for (int w = 0; w < 2; w++) {
        ck_assert_uint_eq(a->count[w], b->count[w]);
        for (size_t i = 0; i < a->count[w]; i++) {
            const struct step *s = &a->step[w][i], *t = &b->step[w][i];
            ck_assert(s->inst == t->inst && s->mask == t->mask &&
                      s->taken_mask == t->taken_mask && s->form == t->form &&
                      s->signal == t->signal && s->await == t->await &&
                      s->await_count == t->await_count);
            if (s->form != ADDR_NONE)
                ck_assert(s->base == t->base && s->stride == t->stride);
        }
    }
}

/* Block 0, which is the same whichever warp is read first. */
static void read_in_any_order(const struct kernel *k, struct reading *r)
{
    static struct reading first, second;
    read_block(k, 0, -1, r);
    read_block(k, 0, 0, &first);
    read_block(k, 0, 1, &second);
    must_be_equal(r, &first);
    must_be_equal(r, &second);
}

START_TEST(test_steps)
{
    static struct reading r, again;
    struct kernel_list list;
    const struct kernel *k = must_load(&list, scale, 3, 40, one_buffer);
    read_block(k, 1, -1, &r);
    ck_assert_uint_eq(r.count[0], 2 + 2 * 7 + 1);
    ck_assert_uint_eq(r.count[1], 2 + 2 * 7 + 1);
    ck_assert_uint_eq(r.step[0][0].mask, UINT32_MAX);
    ck_assert_uint_eq(r.step[1][0].mask, 0xFF);
    const struct step *load = r.step[1];
    while (k->inst[load->inst].op != OP_LOAD)
        load++;
    ck_assert_int_eq(load->form, ADDR_STRIDE);
    ck_assert_uint_eq(load->base, k->buffer[0].address + 128);
    ck_assert_int_eq(load->stride, 4);
    ck_assert_uint_eq(r.step[0][8].taken_mask, UINT32_MAX);
    ck_assert_uint_eq(r.step[0][15].taken_mask, 0);
    ck_assert_uint_eq(k->inst[r.step[0][16].inst].op, OP_EXIT);
    read_block(k, 1, 1, &again);
    must_be_equal(&r, &again);
    kernel_list_free(&list);
}
END_TEST

/* Warps that take numbers from a counter, wait for each other, and walk as many
 * steps as the other's number says. */
static const char contest[] = PTX_HEAD
    ".visible .entry k(.param .u64 b)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    ".shared .align 4 .u32 next; .shared .align 4 .b8 got[8];\n"
    "ld.param.u64 %d0, [b]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5;\n"
    "and.b32 %r3, %r1, 31; setp.ne.u32 %p1, %r3, 0; @%p1 bra wait;\n"
    "atom.shared.add.u32 %r4, [next], 1;\n"
    "mov.u32 %r6, got; mad.lo.u32 %r6, %r2, 4, %r6;\n"
    "st.shared.u32 [%r6], %r4;\n"
    "wait: bar.sync 0;\n"
    "mov.u32 %r6, got; xor.b32 %r7, %r2, 1; mad.lo.u32 %r6, %r7, 4, %r6;\n"
    "ld.shared.u32 %r5, [%r6]; mul.lo.u32 %r5, %r5, 7;\n"
    "again: setp.eq.u32 %p2, %r5, 0; @%p2 bra done;\n"
    "sub.u32 %r5, %r5, 1; bra again;\n"
    "done: atom.global.add.u32 %r4, [%d0], 1; ret;\n}\n";

START_TEST(test_order_of_reading)
{
    static struct reading r;
    struct kernel_list list;
    const struct kernel *k = must_load(&list, contest, 2, 64, one_buffer);
    read_in_any_order(k, &r);
    ck_assert_uint_ne(r.count[0], r.count[1]);
    kernel_list_free(&list);
}
END_TEST

/* A warp hands three values to the other through one place. */
static const char hand_over[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 b)\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    ".shared .align 8 .b64 bar[2];\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r2, 0;\n"
    "setp.ne.u32 %p0, %r0, 0; @%p0 bra made;\n"
    "mbarrier.init.shared.b64 [bar], 1; mbarrier.init.shared.b64 [bar+8], 1;\n"
    "made: bar.sync 0; setp.ge.u32 %p1, %r0, 32; and.b32 %r3, %r0, 31;\n"
    "setp.ne.u32 %p0, %r3, 0; @%p0 bra end; @%p1 bra takes;\n"
    "gives: and.b32 %r6, %r2, 1; xor.b32 %r6, %r6, 1;\n"
    "empty: mbarrier.try_wait.parity.shared.b64 %p2, [bar+8], %r6;\n"
    "@!%p2 bra empty; mbarrier.arrive.shared.b64 _, [bar];\n"
    "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 3; @%p3 bra gives; bra end;\n"
    "takes: and.b32 %r6, %r2, 1;\n"
    "full: mbarrier.try_wait.parity.shared.b64 %p2, [bar], %r6;\n"
    "@!%p2 bra full; mbarrier.arrive.shared.b64 _, [bar+8];\n"
    "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 3; @%p3 bra takes;\n"
    "end: ret;\n}\n";

static size_t count_waits(const struct kernel *k, const struct reading *r,
                          int warp)
{
    size_t n = 0;
    for (size_t i = 0; i < r->count[warp]; i++)
        n += k->inst[r->step[warp][i].inst].sync && r->step[warp][i].await != 0;
    return n;
}

/* Whoever is read first, each warp waits as often, once for each value: the
 * first place was free from the start. */
START_TEST(test_order_of_waits)
{
    static struct reading r;
    struct kernel_list list;
    const struct kernel *k = must_load(&list, hand_over, 2, 64, one_buffer);
    read_in_any_order(k, &r);
    ck_assert_uint_eq(count_waits(k, &r, 0), 2);
    ck_assert_uint_eq(count_waits(k, &r, 1), 3);
    kernel_list_free(&list);
}
END_TEST

/* Both warps mark the same places and stop at what the other marked: which of
 * them is read first would decide how far each goes. */
static const char marks[] = PTX_HEAD
    ".visible .entry k(.param .u64 b)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d0, [b]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5;\n"
    "setp.ne.u32 %p1, %r2, 0; @%p1 bra other;\n"
    "mov.u64 %d1, %d0; mov.u64 %d2, 4; bra walk;\n"
    "other: add.u64 %d1, %d0, 400; mov.u64 %d2, -4;\n"
    "walk: ld.global.u32 %r3, [%d1]; setp.ne.u32 %p2, %r3, 0; @%p2 bra done;\n"
    "mov.u32 %r4, 1; st.global.u32 [%d1], %r4; add.u64 %d1, %d1, %d2;\n"
    "bra walk;\ndone: ret;\n}\n";

START_TEST(test_order_of_marks)
{
    static const char *const arg[] = {"buf:4096:u32", NULL};
    static struct reading r;
    struct kernel_list list;
    const struct kernel *k = must_load(&list, marks, 2, 64, arg);
    read_in_any_order(k, &r);
    ck_assert_uint_gt(r.count[0], 100);
    ck_assert_uint_gt(r.count[1], 100);
    kernel_list_free(&list);
}
END_TEST

/* Where %d1 and %d2 point to two buffers, %d3 and %d4 to the thread's element
 * of them, s is shared memory and `end` the end. */
#define BODY(text)                                                             \
    PTX_HEAD                                                                   \
    ".visible .entry k(.param .u64 b, .param .u64 c)\n{\n"                     \
    ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n"                    \
    ".shared .align 8 .b8 s[512];\n"                                           \
    "ld.param.u64 %d1, [b]; ld.param.u64 %d2, [c]; mov.u32 %r0, %tid.x;\n"     \
    "mul.wide.u32 %d6, %r0, 4; add.u64 %d4, %d2, %d6;\n"                       \
    "add.u64 %d3, %d1, %d6; mov.u32 %r7, 1;\n" text "\nend: ret;\n}\n"
#define STOP_AT(r) "setp.eq.u32 %p1, " r ", 0; @%p1 bra end;"

/* Whether the order of warps may show, as what they find decides what they do:
 * only then are all of a block run for the sake of one. */
START_TEST(test_order_shows)
{
    static const struct {
        const char *text;
        bool shows;
    } row[] = {
        {BODY("ld.global.u32 %r1, [%d3];" STOP_AT(
             "%r1") "st.global.u32 [%d3], %r7;"),
         true},
        {BODY("ld.global.u32 %r1, [%d3];" STOP_AT(
             "%r1") "red.global.add.u32 [%d1], 1;"),
         true},
        {BODY("ld.global.u32 %r1, [%d3]; mul.wide.u32 %d5, %r1, 4;"
              "add.u64 %d5, %d1, %d5; st.global.u32 [%d5], %r7;"),
         true},
        {BODY("ld.global.u32 %r1, [%d3];" STOP_AT(
             "%r1") "st.global.u32 [%d4], %r7;"),
         false},
        {BODY("ld.global.u32 %r1, [%d3]; add.u32 %r1, %r1, 1;"
              "st.global.u32 [%d3], %r1;"),
         false},
        {BODY("ld.global.nc.u32 %r1, [%d3];" STOP_AT(
             "%r1") "st.global.u32 [%d3], %r7;"),
         false},
        {BODY("ld.global.u32 %r1, [%d3]; st.shared.u32 [s], %r1;"
              "ld.shared.u32 %r2, [s];" STOP_AT(
                  "%r2") "st.global.u32 [%d3], %r7;"),
         true},
        {BODY("st.shared.u64 [s], %d3; ld.shared.u64 %d5, [s];"
              "ld.global.u32 %r1, [%d5];" STOP_AT(
                  "%r1") "st.global.u32 [%d4], %r7;"),
         false},
        {BODY("ld.global.u64 %d5, [%d2]; ld.global.u32 %r1, [%d3];" STOP_AT(
             "%r1") "st.global.u32 [%d5], %r7;"),
         true},
        {BODY("atom.global.add.u32 %r1, [%d1], 1;"), false},
        {BODY("atom.global.add.u32 %r1, [%d1], 1;"
              "st.global.u32 [%d4], %r1;"),
         true},
    };
    static const char *const arg[] = {"buf:4096:u32", "buf:4096:u32", NULL};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct kernel_list list;
        const struct kernel *k = must_load(&list, row[i].text, 2, 64, arg);
        const struct ptx_source *source = k->source;
        ck_assert_msg(source->in_turns == row[i].shows, "%s", row[i].text);
        kernel_list_free(&list);
    }
}
END_TEST

/* A block sees what it writes itself and nothing of what others wrote. */
START_TEST(test_apart)
{
    static const char text[] =
        PTX_HEAD ".visible .entry k(.param .u64 b)\n{\n"
                 ".reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;\n"
                 "ld.param.u64 %d, [b];\n"
                 "again: ld.global.u32 %r0, [%d]; add.u32 %r0, %r0, 1;\n"
                 "st.global.u32 [%d], %r0; setp.lt.u32 %p, %r0, 5;\n"
                 "@%p bra again;\nret;\n}\n";
    static const char *const arg[] = {"buf:1:u32", NULL};
    static struct reading r;
    struct kernel_list list;
    const struct kernel *k = must_load(&list, text, 9, 1, arg);
    for (uint64_t block = 0; block < 9; block++) {
        struct error e;
        void *state = malloc(k->ops->state_size(k));
        ck_assert(k->ops->open(k, state, block, &e));
        r.count[0] = 0;
        while (read_one(k, state, 0, &r))
            ;
        k->ops->close(k, state);
        free(state);
        ck_assert_uint_eq(r.count[0], 5 * 5 + 1);
    }
    kernel_list_free(&list);
}
END_TEST

/* Block 0 at once, a later block when the one behind it is opened. */
START_TEST(test_faults)
{
    struct kernel_list list;
    struct error e = {STATUS_OK, ""};
    static const char *const small[] = {"buf:1:u32", NULL};
    static const char *const larger[] = {"buf:80:u32", NULL};
    ck_assert(!load(&list, scale, 2, 32, small, &e));
    ck_assert_msg(strstr(e.text, "outside every buffer") != NULL, "%s", e.text);
    static const char text[] =
        PTX_HEAD ".visible .entry k(.param .u64 b)\n{\n"
                 ".reg .b32 %r<2>; .reg .b64 %d<2>;\n"
                 "ld.param.u64 %d0, [b]; mov.u32 %r0, %ctaid.x;\n"
                 "mul.wide.u32 %d1, %r0, 200; add.u64 %d0, %d0, %d1;\n"
                 "ld.global.u32 %r1, [%d0];\nret;\n}\n";
    const struct kernel *k = must_load(&list, text, 4, 1, larger);
    void *state = malloc(k->ops->state_size(k));
    struct step s;
    ck_assert(k->ops->open(k, state, 2, &e));
    while (k->ops->next(k, state, 0, &s))
        ;
    ck_assert_uint_eq(k->inst[s.inst].op, OP_EXIT);
    ck_assert_uint_eq(s.mask, 1);
    k->ops->close(k, state);
    ck_assert(!k->ops->open(k, state, 3, &e));
    ck_assert_msg(strstr(e.text, "(block 2, warp 0)") != NULL, "%s", e.text);
    free(state);
    kernel_list_free(&list);
}
END_TEST

/* One whose warps never end is loaded all the same: its streams go on. */
START_TEST(test_endless)
{
    static const char text[] =
        PTX_HEAD ".visible .entry k(.param .u64 b)\n{\n"
                 ".reg .b32 %r<2>;\nmov.u32 %r1, 0;\n"
                 "again: add.u32 %r1, %r1, 1;\nbra again;\n}\n";
    struct kernel_list list;
    struct error e = {STATUS_OK, ""};
    struct step s;
    const struct kernel *k = must_load(&list, text, 2, 256, one_buffer);
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 0, &e));
    for (int i = 0; i < 1000; i++)
        ck_assert(k->ops->next(k, state, 7, &s));
    k->ops->close(k, state);
    ck_assert(kernel_streams_check(k, &e));
    free(state);
    kernel_list_free(&list);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_stream");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_code);
    tcase_add_test(c, test_steps);
    tcase_add_test(c, test_order_of_reading);
    tcase_add_test(c, test_order_of_waits);
    tcase_add_test(c, test_order_of_marks);
    tcase_add_test(c, test_order_shows);
    tcase_add_test(c, test_apart);
    tcase_add_test(c, test_faults);
    tcase_add_test(c, test_endless);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
