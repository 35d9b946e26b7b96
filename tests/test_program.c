/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs of kernel files: operations, control flow, streams. */
#include "tests/kernel_text.h"

#include <check.h>

/* ---- operations --------------------------------------------------------- */

static const struct {
    const char *line;
    enum op_class op;
    enum mem_space space;
    int width;
    const char *dst, *src; /* "3 4 p0" */
    const char *mnemonic;
} operations[] = {
    {"mov r1, r2", OP_INT, SPACE_NONE, 0, "1", "2", "mov"},
    {"mov r1, -0x7f", OP_INT, SPACE_NONE, 0, "1", "", "mov"},
    {"s2r r254", OP_INT, SPACE_NONE, 0, "254", "", "s2r"},
    {"iadd r1, r1, 4", OP_INT, SPACE_NONE, 0, "1", "1", "iadd"},
    {"isub r1, r2, r3", OP_INT, SPACE_NONE, 0, "1", "2 3", "isub"},
    {"iand r1, r2", OP_INT, SPACE_NONE, 0, "1", "2", "iand"},
    {"ior r1, r2, r3", OP_INT, SPACE_NONE, 0, "1", "2 3", "ior"},
    {"ixor r1, r2, r3", OP_INT, SPACE_NONE, 0, "1", "2 3", "ixor"},
    {"shl r1, r2, 2", OP_INT, SPACE_NONE, 0, "1", "2", "shl"},
    {"shr r1, r2, r3", OP_INT, SPACE_NONE, 0, "1", "2 3", "shr"},
    {"imin r1, r2, r3", OP_INT, SPACE_NONE, 0, "1", "2 3", "imin"},
    {"imax r1, r2, r3", OP_INT, SPACE_NONE, 0, "1", "2 3", "imax"},
    {"sel r1, r2, r3, p4", OP_INT, SPACE_NONE, 0, "1", "2 3 p4", "sel"},
    {"isetp p6, r2, r3", OP_INT, SPACE_NONE, 0, "p6", "2 3", "isetp"},
    {"imul r1, r2, r3", OP_IMUL, SPACE_NONE, 0, "1", "2 3", "imul"},
    {"imul24 r1, r2, r3", OP_IMUL, SPACE_NONE, 0, "1", "2 3", "imul24"},
    {"imad24 r1, r2, r3, r4", OP_IMUL, SPACE_NONE, 0, "1", "2 3 4", "imad24"},
    {"nop", OP_INT, SPACE_NONE, 0, "", "", "nop"},
    {"imad r1, r2, r3, r4", OP_IMUL, SPACE_NONE, 0, "1", "2 3 4", "imad"},
    {"fadd r1, r2, 1.5e-3", OP_SP, SPACE_NONE, 0, "1", "2", "fadd"},
    {"fsub r1, r2, r3", OP_SP, SPACE_NONE, 0, "1", "2 3", "fsub"},
    {"fmul r1, r2, r3", OP_SP, SPACE_NONE, 0, "1", "2 3", "fmul"},
    {"ffma r1, r2, r3, r1", OP_SP, SPACE_NONE, 0, "1", "2 3 1", "ffma"},
    {"fmin r1, r2, r3", OP_SP, SPACE_NONE, 0, "1", "2 3", "fmin"},
    {"fmax r1, r2, r3", OP_SP, SPACE_NONE, 0, "1", "2 3", "fmax"},
    {"fabs r1, r2", OP_SP, SPACE_NONE, 0, "1", "2", "fabs"},
    {"fsetp p0, r2, 0.0", OP_SP, SPACE_NONE, 0, "p0", "2", "fsetp"},
    {"rcp r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "rcp"},
    {"rsq r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "rsq"},
    {"sqrt r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "sqrt"},
    {"sin r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "sin"},
    {"cos r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "cos"},
    {"ex2 r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "ex2"},
    {"lg2 r1, r2", OP_SFU, SPACE_NONE, 0, "1", "2", "lg2"},
    {"i2f r1, r2", OP_CONVERT, SPACE_NONE, 0, "1", "2", "i2f"},
    {"f2i r1, r2", OP_CONVERT, SPACE_NONE, 0, "1", "2", "f2i"},
    {"dadd r1, r2, r3", OP_DP, SPACE_NONE, 0, "1", "2 3", "dadd"},
    {"dmul r1, r2, r3", OP_DP, SPACE_NONE, 0, "1", "2 3", "dmul"},
    {"dfma r1, r2, r3, r4", OP_DP, SPACE_NONE, 0, "1", "2 3 4", "dfma"},
    {"dsetp p1, r2, r3", OP_DP, SPACE_NONE, 0, "p1", "2 3", "dsetp"},
    {"hmma r1, r2, r3, r4", OP_TENSOR, SPACE_NONE, 0, "1", "2 3 4", "hmma"},
    {"ldg.4 r3, [x], r2", OP_LOAD, SPACE_GLOBAL, 4, "3", "2", "ldg.4"},
    {"ldg.1 r3, [x]", OP_LOAD, SPACE_GLOBAL, 1, "3", "", "ldg.1"},
    {"ldg.8 r3, [x], r2", OP_LOAD, SPACE_GLOBAL, 8, "3 4", "2", "ldg.8"},
    {"ldg.16 r4, [x], r2, r9", OP_LOAD, SPACE_GLOBAL, 16, "4 5 6 7", "2 9",
     "ldg.16"},
    {"stg.4 [x], r4, r2", OP_STORE, SPACE_GLOBAL, 4, "", "4 2", "stg.4"},
    {"stg.16 [x], r4, r2", OP_STORE, SPACE_GLOBAL, 16, "", "4 5 6 7 2",
     "stg.16"},
    {"lds.2 r1, [4*tid]", OP_LOAD, SPACE_SHARED, 2, "1", "", "lds.2"},
    {"sts.8 [8*tid], r1", OP_STORE, SPACE_SHARED, 8, "", "1 2", "sts.8"},
    {"ldl.4 r1, [4]", OP_LOAD, SPACE_LOCAL, 4, "1", "", "ldl.4"},
    {"stl.4 [4], r1", OP_STORE, SPACE_LOCAL, 4, "", "1", "stl.4"},
    {"ldc.4 r1, [16]", OP_LOAD, SPACE_CONST, 4, "1", "", "ldc.4"},
    {"tex.16 r0, [x], r9", OP_LOAD, SPACE_TEXTURE, 16, "0 1 2 3", "9",
     "tex.16"},
    {"atom.4 r1, [x], r2, r3", OP_ATOMIC, SPACE_GLOBAL, 4, "1", "2 3",
     "atom.4"},
    {"red.8 [x], r2, r5", OP_ATOMIC, SPACE_GLOBAL, 8, "", "2 3 5", "red.8"},
    {"atoms.4 r1, [0], r2", OP_ATOMIC, SPACE_SHARED, 4, "1", "2", "atoms.4"},
    {"atoms.4 [0], r2", OP_ATOMIC, SPACE_SHARED, 4, "", "2", "atoms.4"},
    {"bar", OP_BARRIER, SPACE_NONE, 0, "", "", "bar"},
    {"membar", OP_FENCE, SPACE_NONE, 0, "", "", "membar"},
    {"bra", OP_BRANCH, SPACE_NONE, 0, "", "", "bra"},
    {"exit", OP_EXIT, SPACE_NONE, 0, "", "", "exit"},
    {"@p3 fadd r1, r2, r3", OP_SP, SPACE_NONE, 0, "1", "p3 2 3", "fadd"},
    {"@!p3 bra r1", OP_BRANCH, SPACE_NONE, 0, "", "p3 1", "bra"},
    {"@p1 stg.4 [x], r4", OP_STORE, SPACE_GLOBAL, 4, "", "p1 4", "stg.4"},
};

static void register_list(char *out, const uint16_t *reg, int count)
{
    *out = '\0';
    for (int i = 0; i < count; i++)
        out += sprintf(out, reg[i] >= REG_PREDICATE ? "%sp%d" : "%s%d",
                       i > 0 ? " " : "", reg[i] % REG_PREDICATE);
}

START_TEST(operation_table)
{
    char program[100], text[100];
    bool ends = operations[_i].op == OP_EXIT;
    snprintf(program, sizeof(program), "%s%s", operations[_i].line,
             ends ? "" : "\nexit");
    struct kernel *k =
        kernel_of("grid = 1; block = 32; local_bytes = 16;", program);
    const struct inst *i = &k->inst[0];
    ck_assert_uint_eq(k->inst_count, ends ? 1 : 2);
    ck_assert_int_eq(i->op, operations[_i].op);
    ck_assert_int_eq(i->space, operations[_i].space);
    ck_assert_int_eq(i->width, operations[_i].width);
    ck_assert_str_eq(i->mnemonic, operations[_i].mnemonic);
    register_list(text, i->dst, i->dst_count);
    ck_assert_str_eq(text, operations[_i].dst);
    register_list(text, i->src, i->src_count);
    ck_assert_str_eq(text, operations[_i].src);
    kernel_free(k);
}
END_TEST

START_TEST(places_of_instructions)
{
    struct kernel *k =
        kernel_of("grid = 1; block = 32;", "mov r1\n\n  # nothing\nexit # end");
    ck_assert_uint_eq(k->inst[0].line, 4); /* kernel_text's launch, buffers */
    ck_assert_uint_eq(k->inst[1].line, 7);
    ck_assert_uint_eq(k->inst[0].pc, 0);
    ck_assert_uint_eq(k->inst[1].pc, 8);
    kernel_free(k);
}
END_TEST

/* Branch targets and basic blocks of all structures together. */
START_TEST(static_control_flow)
{
    static const struct {
        uint32_t target, reconverge;
        bool block_start;
    } expected[] = {
        {NO_INST, NO_INST, true}, /* 0 mov */
        {NO_INST, NO_INST, true}, /* 1 mov, loop */
        {5, 7, false},            /* 2 if */
        {NO_INST, NO_INST, true}, /* 3 mov */
        {7, 7, false},            /* 4 else */
        {7, 7, true},             /* 5 if without second side */
        {NO_INST, NO_INST, true}, /* 6 mov */
        {1, 8, true},             /* 7 endloop */
        {9, 9, true},             /* 8 bra */
        {NO_INST, NO_INST, true}, /* 9 exit */
    };
    struct kernel *k = kernel_of("grid = 1; block = 32;",
                                 "mov r1\nloop i, 2, p1, r4\nmov r1\n"
                                 "if lane < 4, p2\nmov r1\nelse\nif i == 1\n"
                                 "mov r1\nendif\nendif\nendloop\nbra\nexit");
    ck_assert_uint_eq(k->inst_count, 10);
    for (int i = 0; i < 10; i++) {
        ck_assert_msg(k->inst[i].target == expected[i].target &&
                          k->inst[i].reconverge == expected[i].reconverge &&
                          k->inst[i].block_start == expected[i].block_start,
                      "instruction %d: target %u, reconverge %u, start %d", i,
                      k->inst[i].target, k->inst[i].reconverge,
                      k->inst[i].block_start);
    }
    char text[100];
    register_list(text, k->inst[7].src, k->inst[7].src_count);
    ck_assert_str_eq(text, "p1 4");
    register_list(text, k->inst[2].src, k->inst[2].src_count);
    ck_assert_str_eq(text, "p2");
    kernel_free(k);
}
END_TEST

/* A call ends no basic block; a subroutine is one, and one begins behind it. */
START_TEST(blocks_of_subroutines)
{
    static const bool block_start[] = {true,  true,  false, true,
                                       false, false, false};
    struct kernel *k =
        kernel_of("grid = 1; block = 32;", "mov r0\nsub f\nmov r1\nendsub\n"
                                           "mov r2\ncall f\nmov r3\nexit");
    ck_assert_uint_eq(k->inst_count, 7);
    for (int i = 0; i < 7; i++) {
        ck_assert_int_eq(k->inst[i].block_start, block_start[i]);
        ck_assert_uint_eq(k->inst[i].target, NO_INST);
    }
    ck_assert_int_eq(k->inst[2].op, OP_BRANCH);
    ck_assert_int_eq(k->inst[4].op, OP_BRANCH);
    kernel_free(k);
}
END_TEST

/* ---- step sequences ----------------------------------------------------- */

/* Steps as "instruction:mask", for branches "/taken" behind. */
static const struct {
    const char *program, *steps;
} sequences[] = {
    {"mov r1\nexit", "0:f 1:f"},
    {"loop i, 3\nmov r1\nendloop\nexit", "0:f 1:f/f 0:f 1:f/f 0:f 1:f/0 2:f"},
    {"loop i, 0\nmov r1\nendloop\nexit", "0:f 1:f/0 2:f"},
    {"loop i, -5\nendloop\nexit", "0:f/0 1:f"},
    {"loop i, 2\nendloop\nexit", "0:f/f 0:f/0 1:f"},
    {"loop i, 1 + lane\nmov r1\nendloop\nexit",
     "0:f 1:f/e 0:e 1:e/c 0:c 1:c/8 0:8 1:8/0 2:f"},
    {"loop i, 2\nloop j, i + 1\nmov r1\nendloop\nendloop\nexit",
     "0:f 1:f/0 2:f/f 0:f 1:f/f 0:f 1:f/0 2:f/0 3:f"},
    {"loop i, 2\nloop j, lane - 1\nmov r1\nendloop\nendloop\nexit",
     "0:f 1:f/8 0:8 1:8/0 2:f/f 0:f 1:f/8 0:8 1:8/0 2:f/0 3:f"},
    {"if 1\nmov r1\nendif\nexit", "0:f/0 1:f 2:f"},
    {"if 0\nmov r1\nendif\nexit", "0:f/f 2:f"},
    {"if lane < 1\nmov r1\nendif\nexit", "0:f/e 1:1 2:f"},
    {"if 1\nmov r1\nelse\nmov r2\nendif\nexit", "0:f/0 1:f 2:f/f 4:f"},
    {"if 0\nmov r1\nelse\nmov r2\nendif\nexit", "0:f/f 3:f 4:f"},
    {"if lane % 2\nmov r1\nelse\nmov r2\nendif\nexit",
     "0:f/5 1:a 2:a/a 3:5 4:f"},
    {"if lane\nelse\nendif\nexit", "0:f/1 1:e/e 2:f"},
    {"if lane > 1\nif lane > 2\nmov r1\nelse\nmov r2\nendif\nendif\nexit",
     "0:f/3 1:c/4 2:8 3:8/8 4:4 5:f"},
    {"bra\nexit", "0:f/f 1:f"},
    {"if lane == 2\nexit\nendif\nmov r1\nexit", "0:f/b 1:4 2:b 3:b"},
    {"if 1\nexit\nelse\nmov r1\nendif\nmov r2\nexit", "0:f/0 1:f"},
    {"if lane < 2\nexit\nelse\nexit\nendif\nexit", "0:f/c 1:3 3:c"},
    {"loop i, 5\nif lane <= i\nexit\nendif\nendloop\nexit",
     "0:f/e 1:1 2:e/e 0:e/c 1:2 2:c/c 0:c/8 1:4 2:8/8 0:8/0 1:8"},
    /* Lanes 0 and 1 leave the loop, the others exit in it; then 0 and 1 go on.
     */
    {"loop i, 1 + lane / 2 * 2\nif i == 2\nexit\nendif\nendloop\nmov r1\nexit",
     "0:f/f 2:f/c 0:c/c 2:c/c 0:c/0 1:c 3:3 4:3"},
    /* Likewise with both sides of the if ending their lanes. */
    {"loop i, 1 + lane / 2\nif i < 1\nmov r1\nelse\nif lane == 2\nexit\nelse\n"
     "exit\nendif\nendif\nendloop\nmov r2\nexit",
     "0:f/0 1:f 2:f/f 7:f/c 0:c/c 3:c/8 4:4 6:8 8:3 9:3"},
    {"if lane < 2\nloop i, 2\nexit\nmov r1\nendloop\nmov r2\nelse\nmov r3\n"
     "endif\nexit",
     "0:f/c 1:3 6:c 7:c"},
    /* Subroutines: called twice, from a side of an if, never. */
    {"sub f\nmov r1\nendsub\ncall f\nmov r2\ncall f\nexit",
     "2:f/f 0:f 1:f/f 3:f 4:f/f 0:f 1:f/f 5:f"},
    {"mov r3\nsub f\nmov r1\nendsub\nsub g\nmov r2\nendsub\n"
     "if lane < 1\ncall g\nelse\ncall f\nendif\nexit",
     "0:f 5:f/e 6:1/1 3:1 4:1/1 7:1/1 8:e/e 1:e 2:e/e 9:f"},
    {"sub f\nendsub\nexit", "1:f"},
};

static void describe_steps(const struct kernel *k, char *out)
{
    void *state = open_block(k, 0);
    struct step s;
    uint32_t last = 0;
    const char *start = out;
    *out = '\0';
    while (k->ops->next(k, state, 0, &s)) {
        out += sprintf(out, "%s%u:%x", out > start ? " " : "", s.inst, s.mask);
        if (k->inst[s.inst].op == OP_BRANCH)
            out += sprintf(out, "/%x", s.taken_mask);
        last = s.inst;
    }
    ck_assert_int_eq(k->inst[last].op, OP_EXIT);
    ck_assert(!k->ops->next(k, state, 0, &s));
    close_block(k, state);
}

START_TEST(step_sequences)
{
    char steps[1000];
    struct kernel *k = kernel_of("grid = 1; block = 4;", sequences[_i].program);
    describe_steps(k, steps);
    ck_assert_str_eq(steps, sequences[_i].steps);
    kernel_free(k);
}
END_TEST

START_TEST(warps_of_a_block)
{
    struct kernel *k = kernel_of("grid = 1; block = [10, 7];", "exit");
    ck_assert_uint_eq(k->warps_per_block, 3);
    ck_assert_uint_eq(kernel_full_mask(k, 0), UINT32_MAX);
    ck_assert_uint_eq(kernel_full_mask(k, 2), 0x3f);
    ck_assert_uint_eq(kernel_full_mask(k, 3), 0);
    kernel_free(k);
}
END_TEST

/* ---- addresses ---------------------------------------------------------- */

/* Two words of local memory, each of 32 lanes' 4 (8) bytes side by side. */
START_TEST(local_addresses)
{
    const uint64_t base = (uint64_t)1 << 44;
    struct kernel *k = kernel_of("grid = 3; block = 64; local_bytes = 32;",
                                 "ldl.4 r1, [4]\nldl.8 r2, [8]\nldl.1 r1, [5]\n"
                                 "stl.4 [4*(lane % 2)], r1\nexit");
    void *state = open_block(k, 2);
    uint64_t warp = base + (2 * 2 + 1) * 32 * 32; /* fifth warp of the grid */
    struct step s;
    for (int n = 0; n < 4; n++) {
        ck_assert(k->ops->next(k, state, 1, &s));
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t lane = (uint64_t)l;
            const uint64_t expected[] = {
                warp + 128 + 4 * lane, warp + 256 + 8 * lane,
                warp + 128 + 4 * lane + 1, warp + lane % 2 * 128 + 4 * lane};
            ck_assert_uint_eq(step_address(&s, l), expected[n]);
        }
        ck_assert_int_eq(s.form, n < 3 ? ADDR_STRIDE : ADDR_LIST);
    }
    close_block(k, state);
    kernel_free(k);
}
END_TEST

/* ---- determinism -------------------------------------------------------- */

#define RECORD_MAX 4000

struct record {
    uint64_t hash[MAX_WARPS_A_BLOCK];
    int steps[MAX_WARPS_A_BLOCK];
};

static void record_step(struct record *r, uint32_t w, const struct step *s)
{
    uint64_t h = r->hash[w] * 31 + s->inst;
    h = h * 31 + s->mask;
    h = h * 31 + s->taken_mask;
    for (int l = 0; s->form != ADDR_NONE && l < WARP_LANES; l++)
        if (s->mask >> l & 1)
            h = h * 31 + step_address(s, l);
    r->hash[w] = h;
    r->steps[w]++;
}

static const char random_program[] =
    "loop i, geom(3)\nldg.4 r1, [x + 4*rand(200)]\nif chance(0.4)\n"
    "ldg.4 r1, [x + 4*zipf(50, 1.1)]\nelse\nldg.4 r1, [x + wrand(9)]\nendif\n"
    "endloop\nexit";

/* Run block 3, one warp after another, or a step of each in turn. */
static void record_block(const struct kernel *k, bool interleaved,
                         struct record *r)
{
    struct step s;
    void *state = open_block(k, 3);
    memset(r, 0, sizeof(*r));
    bool going = interleaved;
    while (going) {
        going = false;
        for (uint32_t w = k->warps_per_block; w-- > 0;) {
            if (!k->ops->next(k, state, w, &s))
                continue;
            record_step(r, w, &s);
            going = true;
        }
    }
    for (uint32_t w = 0; !interleaved && w < k->warps_per_block; w++)
        while (k->ops->next(k, state, w, &s))
            record_step(r, w, &s);
    close_block(k, state);
}

static struct kernel *seeded_kernel(uint64_t seed)
{
    static char text[TEXT_MAX];
    struct load_options o = {.seed = seed};
    struct error e;
    kernel_text(text, "grid = 8; block = 256;", random_program);
    struct kernel *k = kernel_file_parse(text, strlen(text), "t", &o, &e);
    ck_assert_ptr_nonnull(k);
    return k;
}

START_TEST(streams_do_not_depend_on_interleaving)
{
    struct record one, other;
    struct kernel *k = seeded_kernel(1);
    record_block(k, false, &one);
    record_block(k, true, &other);
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        ck_assert_int_eq(one.steps[w], other.steps[w]);
        ck_assert_uint_eq(one.hash[w], other.hash[w]);
        ck_assert(w == 0 || one.hash[w] != one.hash[w - 1]);
    }
    kernel_free(k);
    k = seeded_kernel(2);
    record_block(k, false, &other);
    ck_assert_uint_ne(one.hash[0], other.hash[0]);
    kernel_free(k);
}
END_TEST

/* ---- random programs against a lane by lane interpreter ----------------- */

#define RANDOM_PROGRAMS 400
#define LANE_STEPS_MAX  3000

/* Writes a random structured program and, beside it, runs it for every lane on
 * its own: what each lane executes must be what the stream's masks say. */
struct generator {
    uint32_t random;
    char text[TEXT_MAX];
    int length, insts, names;
};

enum statement_kind { DO_MOVE, DO_LOOP, DO_IF, DO_EXIT };
struct statement {
    enum statement_kind kind;
    uint32_t inst, end_inst, else_inst; /* the branch of a loop, the else */
    int a, b, c;                        /* constants of its expression */
    int first[2], count[2];             /* bodies, in pool */
    bool has_else;
};
#define POOL_MAX 400
static struct statement pool[POOL_MAX];
static int pool_used;

static int pick(struct generator *g, int n)
{
    g->random = g->random * 1664525u + 1013904223u;
    return (int)(g->random >> 8) % n;
}

static void line(struct generator *g, const char *format, int a, int b, int c,
                 int d)
{
    g->length +=
        snprintf(g->text + g->length, sizeof(g->text) - (size_t)g->length,
                 format, a, b, c, d);
}

static void generate(struct generator *g, int depth, int *first, int *count);

static void generate_statement(struct generator *g, int depth,
                               struct statement *s)
{
    int kind = pick(g, 10);
    *s = (struct statement){
        .a = pick(g, 4), .b = pick(g, 3), .c = 1 + pick(g, 4)};
    if (depth < 4 && kind < 3) {
        s->kind = DO_LOOP;
        line(g, "loop v%d, %d + %d*lane %% %d\n", g->names++, s->a, s->b, s->c);
        generate(g, depth + 1, &s->first[0], &s->count[0]);
        s->end_inst = (uint32_t)g->insts++;
        line(g, "endloop\n", 0, 0, 0, 0);
    } else if (depth < 4 && kind < 6) {
        s->kind = DO_IF;
        s->inst = (uint32_t)g->insts++;
        line(g, "if %d*lane %% %d > %d\n", s->b, s->c, s->a, 0);
        generate(g, depth + 1, &s->first[0], &s->count[0]);
        s->has_else = pick(g, 2);
        if (s->has_else) {
            s->else_inst = (uint32_t)g->insts++;
            line(g, "else\n", 0, 0, 0, 0);
            generate(g, depth + 1, &s->first[1], &s->count[1]);
        }
        line(g, "endif\n", 0, 0, 0, 0);
    } else {
        s->kind = depth > 0 && kind == 6 ? DO_EXIT : DO_MOVE;
        s->inst = (uint32_t)g->insts++;
        line(g, s->kind == DO_EXIT ? "exit\n" : "mov r1\n", 0, 0, 0, 0);
    }
}

static void generate(struct generator *g, int depth, int *first, int *count)
{
    *count = 1 + pick(g, 3);
    *first = pool_used;
    pool_used += *count;
    ck_assert_int_le(pool_used, POOL_MAX);
    for (int i = 0; i < *count; i++)
        generate_statement(g, depth, &pool[*first + i]);
}

struct lane_run {
    uint32_t inst[LANE_STEPS_MAX];
    int count;
    bool ended;
};

static void lane_step(struct lane_run *r, uint32_t inst)
{
    ck_assert_int_lt(r->count, LANE_STEPS_MAX);
    r->inst[r->count++] = inst;
}

static void run_lane(struct lane_run *r, int first, int count, int lane)
{
    for (int i = 0; i < count && !r->ended; i++) {
        const struct statement *s = &pool[first + i];
        int trips = s->a + s->b * lane % s->c, side = 0;
        switch (s->kind) {
        case DO_LOOP:
            do {
                run_lane(r, s->first[0], s->count[0], lane);
                if (!r->ended)
                    lane_step(r, s->end_inst);
            } while (--trips > 0 && !r->ended);
            break;
        case DO_IF:
            lane_step(r, s->inst);
            side = s->b * lane % s->c > s->a ? 0 : 1;
            if (side == 0 || s->has_else)
                run_lane(r, s->first[side], s->count[side], lane);
            if (side == 0 && s->has_else && !r->ended)
                lane_step(r, s->else_inst);
            break;
        case DO_EXIT:
            r->ended = true;
            lane_step(r, s->inst);
            break;
        case DO_MOVE:
            lane_step(r, s->inst);
        }
    }
}

START_TEST(random_programs)
{
    static struct lane_run expected[8], found[8];
    static struct generator g;
    g = (struct generator){.random = (uint32_t)_i * 7919u + 1};
    int first, count;
    pool_used = 0;
    generate(&g, 0, &first, &count);
    line(&g, "exit", 0, 0, 0, 0);
    struct kernel *k = kernel_of("grid = 1; block = 8;", g.text);
    void *state = open_block(k, 0);
    struct step s;
    memset(found, 0, sizeof(found));
    while (k->ops->next(k, state, 0, &s)) {
        ck_assert_uint_ne(s.mask, 0);
        ck_assert_uint_eq(s.taken_mask & ~s.mask, 0);
        for (int l = 0; l < 8; l++)
            if (s.mask >> l & 1)
                lane_step(&found[l], s.inst);
    }
    for (int l = 0; l < 8; l++) {
        struct lane_run *e = &expected[l];
        e->count = 0;
        e->ended = false;
        run_lane(e, first, count, l);
        if (!e->ended)
            lane_step(e, (uint32_t)g.insts);
        ck_assert_msg(e->count == found[l].count &&
                          memcmp(e->inst, found[l].inst,
                                 (size_t)e->count * sizeof(e->inst[0])) == 0,
                      "lane %d of\n%s", l, g.text);
    }
    close_block(k, state);
    kernel_free(k);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program");
    TCase *t = tcase_create("program");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, operation_table, 0,
                        (int)(sizeof(operations) / sizeof(operations[0])));
    tcase_add_test(t, places_of_instructions);
    tcase_add_test(t, static_control_flow);
    tcase_add_test(t, blocks_of_subroutines);
    tcase_add_loop_test(t, step_sequences, 0,
                        (int)(sizeof(sequences) / sizeof(sequences[0])));
    tcase_add_test(t, warps_of_a_block);
    tcase_add_test(t, local_addresses);
    tcase_add_test(t, streams_do_not_depend_on_interleaving);
    tcase_add_loop_test(t, random_programs, 0, RANDOM_PROGRAMS);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
