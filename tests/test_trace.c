/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces of every version and encoding: instructions, streams, launches. */
#include "kernels/trace/trace_known.h"
#include "kernels/trace/trace_text.h"
#include "tests/trace_files.h"

#include <lzma.h>

/* ---- small traces, step by step ----------------------------------------- */

struct expected {
    uint32_t pc, mask, taken;
    enum mem_space space;
};

static void check_steps(const struct kernel *k, void *state, uint32_t warp,
                        const struct expected *expected, int count)
{
    struct step s;

    for (int i = 0; i < count; i++) {
        ck_assert_msg(k->ops->next(k, state, warp, &s), "step %d", i);
        ck_assert_uint_eq(k->inst[s.inst].pc, expected[i].pc);
        ck_assert_uint_eq(s.mask, expected[i].mask);
        ck_assert_msg(s.taken_mask == expected[i].taken,
                      "step %d: jump of %08x, not %08x", i, s.taken_mask,
                      expected[i].taken);
        ck_assert_int_eq(k->inst[s.inst].space, expected[i].space);
    }
    ck_assert(!k->ops->next(k, state, warp, &s));
    ck_assert(!k->ops->next(k, state, warp, &s));
}

/* The step at the nth instruction of warp 0 of block 0. */
static struct step nth_step(const struct kernel *k, int n)
{
    void *state = open_block(k, 0);
    struct step s;

    for (int i = 0; i <= n; i++)
        ck_assert(k->ops->next(k, state, 0, &s));
    close_block(k, state);
    return s;
}

static void check_registers(const uint16_t *found, int count,
                            const uint16_t *expected, int expected_count)
{
    ck_assert_int_eq(count, expected_count);
    for (int i = 0; i < count; i++)
        ck_assert_uint_eq(found[i], expected[i]);
}

START_TEST(header_and_launch)
{
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/encodings.traceg", &no_options);

    ck_assert_str_eq(k->name, "encodings");
    ck_assert_str_eq(k->path, "tests/traces/encodings.traceg");
    ck_assert_uint_eq(k->blocks, 2);
    ck_assert_uint_eq(k->threads_per_block, 64);
    ck_assert_uint_eq(k->warps_per_block, 2);
    ck_assert_uint_eq(k->regs_per_thread, 20);
    ck_assert_uint_eq(k->shared_bytes, 1024);
    kernel_list_free(&list);
}
END_TEST

START_TEST(version_3_steps)
{
    static const struct expected steps[] = {{0x00, 0xffffffff, 0, SPACE_NONE},
                                            {0x10, 0xffffffff, 0, SPACE_GLOBAL},
                                            {0x20, 0x0000000f, 0, SPACE_GLOBAL},
                                            {0x30, 0x000000f1, 0, SPACE_GLOBAL},
                                            {0x40, 0x00ff0000, 0, SPACE_SHARED},
                                            {0x50, 0x80000001, 0, SPACE_SHARED},
                                            {0x60, 0x00000003, 0, SPACE_SHARED},
                                            {0x60, 0x00000003, 0, SPACE_GLOBAL},
                                            {0x70, 0x00000100, 0, SPACE_LOCAL},
                                            {0x80, 0x00000000, 0, SPACE_GLOBAL},
                                            {0x90, 0xffffffff, 0, SPACE_NONE}};
    static const struct expected short_steps[] = {
        {0x00, 0xffffffff, 0, SPACE_NONE}, {0x90, 0xffffffff, 0, SPACE_NONE}};
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/encodings.traceg", &no_options);
    void *state = open_block(k, 0);

    check_steps(k, state, 1, short_steps, 2);
    check_steps(k, state, 0, steps, 11);
    close_block(k, state);
    state = open_block(k, 1);
    check_steps(k, state, 0, short_steps, 2);
    check_steps(k, state, 1, short_steps + 1, 1);
    close_block(k, state);
    kernel_list_free(&list);
}
END_TEST

START_TEST(addresses)
{
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/encodings.traceg", &no_options);
    struct step s = nth_step(k, 1);

    ck_assert_int_eq(s.form, ADDR_STRIDE);
    ck_assert_uint_eq(s.base, 0x7f1000000000);
    ck_assert_int_eq(s.stride, 4);
    s = nth_step(k, 2);
    ck_assert_int_eq(s.form, ADDR_LIST);
    ck_assert_uint_eq(lane_address(&s, 0), 0x7f1000000100);
    ck_assert_uint_eq(lane_address(&s, 1), 0x7f1000000300);
    ck_assert_uint_eq(lane_address(&s, 2), 0x7f1000000108);
    ck_assert_uint_eq(lane_address(&s, 3), 0x7f1000000000);
    s = nth_step(k, 3);
    ck_assert_uint_eq(lane_address(&s, 0), 0x7f1000000010);
    ck_assert_uint_eq(lane_address(&s, 4), 0x7f1000000030);
    ck_assert_uint_eq(lane_address(&s, 5), 0x7f1000000020);
    ck_assert_uint_eq(lane_address(&s, 6), 0x7f1000000020);
    ck_assert_uint_eq(lane_address(&s, 7), 0x7f1000000084);
    s = nth_step(k, 4); /* lanes 16 to 23, relative to the shared window */
    ck_assert_uint_eq(lane_address(&s, 16), 0x40);
    ck_assert_uint_eq(lane_address(&s, 23), 0x40 + 7 * 16);
    s = nth_step(k, 5); /* lanes 0 and 31 */
    ck_assert_uint_eq(lane_address(&s, 0), 0x80);
    ck_assert_uint_eq(lane_address(&s, 31), 0x84);
    s = nth_step(k, 6);
    ck_assert_uint_eq(lane_address(&s, 1), 0x10);
    s = nth_step(k, 7);
    ck_assert_uint_eq(lane_address(&s, 1), 0x7f1000000010);
    s = nth_step(k, 9); /* no lane, no address */
    ck_assert_int_eq(s.form, ADDR_NONE);
    kernel_list_free(&list);
}
END_TEST

/* Fields that share none, some or all digits with the one before. */
START_TEST(fields_like_the_one_before)
{
    static const char text[] = "0x7f1000000010 0x7f1000000114 0x7f1000000 "
                               "0x7f1000000f 7f1000000f12 0x7f100000000000ff "
                               "0x7f100000000000ff 0x12 0x7f1000000000000ff";
    static const uint64_t value[] = {
        0x7f1000000010, 0x7f1000000114,     0x7f1000000,        0x7f1000000f,
        0x7f1000000f12, 0x7f100000000000ff, 0x7f100000000000ff, 0x12};
    struct span s = {text, text + sizeof(text) - 1};
    struct hex_field f = {0, NULL, 0};

    for (size_t i = 0; i < sizeof(value) / sizeof(value[0]); i++) {
        ck_assert(span_hex_like(&s, &f));
        ck_assert_uint_eq(f.value, value[i]);
    }
    ck_assert(!span_hex_like(&s, &f)); /* 17 digits */
    ck_assert_uint_eq(s.end - s.at, 19);
    ck_assert_uint_eq(f.value, 0x12);
    s = (struct span){"0x7f1000000g 0x7f100000", NULL};
    s.end = s.at + 12;
    f = (struct hex_field){0x7f10000000, "0x7f10000000", 12};
    ck_assert(!span_hex_like(&s, &f));
}
END_TEST

/* The lines with two blanks behind the PC. */
static void space_out(char *out, size_t size, const char *lines)
{
    for (const char *at = lines, *end; *at != '\0'; at = end + 1) {
        size_t used = strlen(out);

        end = strchr(at, '\n');
        snprintf(out + used, size - used, "%.4s %.*s\n", at,
                 (int)(end - at - 4), at + 4);
    }
}

/* Both warps of the first block execute the same `count` steps. */
static void check_same_steps(const struct kernel *k, int count)
{
    void *state = open_block(k, 0);
    struct step a, b;

    for (int n = 0; n < count; n++) {
        ck_assert(k->ops->next(k, state, 0, &a));
        ck_assert(k->ops->next(k, state, 1, &b));
        ck_assert_uint_eq(a.inst, b.inst);
        ck_assert_uint_eq(a.mask, b.mask);
        ck_assert_int_eq(a.form, b.form);
        if (a.form == ADDR_NONE || k->inst[a.inst].space == SPACE_LOCAL)
            continue; /* what is local lies apart */
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (a.mask >> lane & 1)
                ck_assert_uint_eq(lane_address(&a, lane),
                                  lane_address(&b, lane));
    }
    ck_assert(!k->ops->next(k, state, 1, &b));
    close_block(k, state);
}

/* Lines that come again mean what they meant, whether they are the same to the
 * byte or written another way. */
START_TEST(lines_that_were_read_before)
{
    const char *const files[] = {"same.traceg", "other.traceg", NULL};
    char *text = read_text("tests/traces/encodings.traceg"), folder[32];
    const char *first = strstr(text, "insts = 11\n") + strlen("insts = 11\n");
    char lines[2][1024] = {"", ""};

    snprintf(lines[0], sizeof(lines[0]), "%.*s",
             (int)(strstr(first, "\n\n") + 1 - first), first);
    space_out(lines[1], sizeof(lines[1]), lines[0]);
    enter_folder(folder);
    for (int i = 0; i < 2; i++) {
        char *longer = replaced(text,
                                "warp = 1\ninsts = 2\n"
                                "0000 ffffffff 1 R2 S2R 0 0\n"
                                "0090 ffffffff 0 EXIT 0 0\n",
                                "warp = 1\ninsts = 11\nLINES");
        char *with = replaced(longer, "LINES", lines[i]);
        struct kernel_list list;

        write_text(files[i], with);
        check_same_steps(load_one(&list, files[i], &no_options), 11);
        kernel_list_free(&list);
        free(longer);
        free(with);
    }
    remove_folder(folder, files);
    free(text);
}
END_TEST

/* What is kept of a line is kept for that line alone. */
START_TEST(known_lines_are_told_apart)
{
    static char text[2][KNOWN_BYTES + 1];
    struct trace_known known;
    const struct step step = {.inst = 7};
    memset(text, 'a', sizeof(text));
    text[1][KNOWN_BYTES / 2] = 'b'; /* the same place, another line */
    ck_assert(trace_known_init(&known));
    const struct span line = {text[0], text[0] + KNOWN_BYTES},
                      other = {text[1], text[1] + KNOWN_BYTES},
                      longer = {text[0], text[0] + KNOWN_BYTES + 1},
                      shorter = {text[0], text[0] + KNOWN_BYTES - 1},
                      least = {text[0], text[0] + 15};
    struct known_line *place = trace_known_place(&known, line);
    ck_assert(place != NULL && place == trace_known_place(&known, other));
    ck_assert(!trace_known_holds(place, line));
    trace_known_keep(place, line, 3, &step);
    ck_assert(trace_known_holds(place, line));
    ck_assert(!trace_known_holds(place, other));
    ck_assert(!trace_known_holds(place, shorter));
    ck_assert_uint_eq(place->entry, 3);
    ck_assert_uint_eq(place->step.inst, 7);
    trace_known_keep(place, other, 4, &step);
    ck_assert(!trace_known_holds(place, line));
    ck_assert(trace_known_holds(place, other));
    ck_assert_ptr_null(trace_known_place(&known, longer));
    ck_assert_ptr_null(trace_known_place(&known, least));
    trace_known_keep(NULL, longer, 0, &step);
    ck_assert(!trace_known_holds(NULL, longer));
    trace_known_free(&known);
}
END_TEST

/* RZ and what its width implies: see the lines of the file. */
START_TEST(registers)
{
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/encodings.traceg", &no_options);
    const struct inst *i = &k->inst[2]; /* LDG.E.64 R4, [R2.64] */

    ck_assert_str_eq(i->mnemonic, "LDG.E.64");
    ck_assert_uint_eq(i->width, 8);
    check_registers(i->dst, i->dst_count, (const uint16_t[]){4, 5}, 2);
    check_registers(i->src, i->src_count, (const uint16_t[]){2, 3}, 2);
    i = &k->inst[4]; /* STS.128 [R3], R12 */
    ck_assert_uint_eq(i->width, 16);
    ck_assert_uint_eq(i->dst_count, 0);
    check_registers(i->src, i->src_count, (const uint16_t[]){3, 12, 13, 14, 15},
                    5);
    ck_assert_uint_eq(k->inst[3].width, 1);
    ck_assert_uint_eq(k->inst[5].width, 2);
    kernel_list_free(&list);
}
END_TEST

START_TEST(version_4_line_info)
{
    static const uint32_t lines[] = {12, 12, 13, 14};
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/lineinfo.traceg", &no_options);
    struct step s = nth_step(k, 2);

    ck_assert_uint_eq(k->inst_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(k->inst[i].line, lines[i]);
    ck_assert_int_eq(s.form, ADDR_STRIDE); /* a list with one stride */
    ck_assert_int_eq(s.stride, 8);
    kernel_list_free(&list);
}
END_TEST

/* Jumps: with the lanes that take them (0x30, 0x70), with none; turning to
 * other lanes is no jump (0x90). A BAR or EXIT without lanes does nothing. */
START_TEST(version_5_divergence)
{
    static const struct expected steps[] = {
        {0x00, 0xffffffff, 0, SPACE_CONST},
        {0x10, 0x00000000, 0, SPACE_NONE},
        {0x20, 0xffffffff, 0, SPACE_NONE},
        {0x30, 0x000000ff, 0x000000ff, SPACE_NONE},
        {0x40, 0xffffff00, 0, SPACE_LOCAL},
        {0x50, 0x00000000, 0, SPACE_NONE},
        {0x60, 0xffffff00, 0, SPACE_NONE},
        {0x70, 0x00ffff00, 0x00ffff00, SPACE_NONE},
        {0x40, 0x00ffff00, 0, SPACE_LOCAL},
        {0x50, 0x00000000, 0, SPACE_NONE},
        {0x60, 0x00ffff00, 0, SPACE_NONE},
        {0x70, 0x00000000, 0, SPACE_NONE},
        {0x90, 0x00ffff00, 0, SPACE_NONE},
        {0x80, 0x000000ff, 0, SPACE_NONE},
        {0x90, 0x000000ff, 0, SPACE_NONE},
        {0x90, 0xff000000, 0, SPACE_NONE},
        {0xa0, 0xffffffff, 0, SPACE_NONE},
        {0xb0, 0xffffffff, 0, SPACE_GLOBAL},
        {0xc0, 0xffffffff, 0, SPACE_NONE},
        {0xd0, 0x0000ffff, 0, SPACE_NONE},
        {0xe0, 0xffff0000, 0, SPACE_NONE}};
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/divergence.traceg", &no_options);
    void *state = open_block(k, 0);

    check_steps(k, state, 0, steps, 21);
    close_block(k, state);
    ck_assert_uint_eq(k->inst_count, 15);
    ck_assert_int_eq(k->inst[5].op, OP_INT); /* BAR never executed by a lane */
    ck_assert_int_eq(k->inst[10].op, OP_FENCE); /* DEPBAR.LE SB0, 0 */
    ck_assert_int_eq(k->inst[12].op, OP_BARRIER);
    check_registers(k->inst[8].dst, k->inst[8].dst_count, (const uint16_t[]){5},
                    1);
    kernel_list_free(&list);
}
END_TEST

static void check_blocks(const struct kernel *k, const uint32_t *starts,
                         int count)
{
    int n = 0;

    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].block_start) {
            ck_assert_int_lt(n, count);
            ck_assert_uint_eq(k->inst[i].pc, starts[n++]);
        }
    ck_assert_int_eq(n, count);
}

START_TEST(targets_by_operand)
{
    /* the entry, behind EXIT, BRA, BRA, BSYNC, EXIT, and the targets 0x80 (also
     * behind a BRA) and 0x40; 0x90 is where other lanes go on after a BRA */
    static const uint32_t starts[] = {0x00, 0x20, 0x40, 0x80, 0x90, 0xa0, 0xe0};
    struct kernel_list list;
    struct kernel *k =
        load_one(&list, "tests/traces/divergence.traceg", &no_options);

    check_blocks(k, starts, 7);
    ck_assert_uint_eq(k->inst[k->inst[3].target].pc, 0x80);
    ck_assert_uint_eq(k->inst[k->inst[7].target].pc, 0x40);
    ck_assert_uint_eq(k->inst[9].target, NO_INST); /* BSYNC */
    kernel_list_free(&list);
}
END_TEST

/* Before version 5, and with all lanes in a jump's mask: the target is where
 * lanes of the jump went on, those that stayed behind did not jump. On Pascal
 * 0x30 follows 0x28, and 0x28 follows 0x18. */
START_TEST(targets_by_observation)
{
    static const struct expected steps[] = {
        {0x08, 0xffffffff, 0, SPACE_NONE},
        {0x10, 0xffffffff, 0, SPACE_NONE},
        {0x18, 0xffffffff, 0, SPACE_NONE},
        {0x28, 0xffffffff, 0xffff, SPACE_NONE},
        {0x10, 0x0000ffff, 0, SPACE_NONE},
        {0x18, 0x0000ffff, 0, SPACE_NONE},
        {0x28, 0x0000ffff, 0xff, SPACE_NONE},
        {0x10, 0x000000ff, 0, SPACE_NONE},
        {0x18, 0x000000ff, 0, SPACE_NONE},
        {0x28, 0x000000ff, 0, SPACE_NONE},
        {0x30, 0xffffffff, 0, SPACE_NONE},
        {0x38, 0xffffffff, 0xffffffff, SPACE_NONE},
        {0x50, 0xffffffff, 0, SPACE_NONE}};
    static const uint32_t starts[] = {0x08, 0x10, 0x30, 0x50};
    struct kernel_list list;
    struct kernel *k = load_one(&list, "tests/traces/loop.traceg", &no_options);
    void *state = open_block(k, 0);

    check_steps(k, state, 0, steps, 13);
    close_block(k, state);
    check_blocks(k, starts, 4);
    ck_assert_uint_eq(k->inst[k->inst[3].target].pc, 0x10);
    ck_assert_uint_eq(k->inst[5].target, NO_INST); /* it only leads on */
    ck_assert_int_eq(k->inst[2].op, OP_INT);       /* XMAD */
    ck_assert_int_eq(k->inst[4].op, OP_SFU);       /* I2I on Pascal */
    kernel_list_free(&list);
}
END_TEST

/* Lanes of a warp lie side by side, warps and offsets apart: two offsets of 8
 * bytes here, 0xfffbd0 and 0xfffbd8. */
START_TEST(local_memory)
{
    const struct load_options two = {.launch.grid = {2, 1, 1}};
    struct kernel_list list;
    struct kernel *k = load_one(&list, "tests/traces/divergence.traceg", &two);
    struct step a = nth_step(k, 4), b = nth_step(k, 8), other;
    void *state = open_block(k, 1);

    for (int i = 0; i <= 4; i++)
        ck_assert(k->ops->next(k, state, 0, &other));
    close_block(k, state);
    ck_assert_int_eq(a.form, ADDR_STRIDE);
    ck_assert_int_eq(a.stride, 8);
    ck_assert_uint_eq(b.base - a.base, 8 * 32);
    ck_assert_uint_ge(other.base - a.base, 2 * 8 * 32);
    kernel_list_free(&list);
}
END_TEST

/* ---- launches ----------------------------------------------------------- */

static uint64_t count_steps(const struct kernel *k, uint64_t block,
                            uint32_t warp)
{
    void *state = open_block(k, block);
    struct step s;
    uint64_t n = 0;

    while (k->ops->next(k, state, warp, &s))
        n++;
    close_block(k, state);
    return n;
}

START_TEST(grid_and_block_repeat)
{
    const struct load_options o = {.launch.grid = {3, 2, 0},
                                   .launch.block = {160, 1, 1},
                                   .launch.regs_per_thread = 33,
                                   .launch.shared_bytes = 0,
                                   .launch.shared_given = true};
    static const uint64_t lengths[2][2] = {{11, 2}, {2, 1}};
    struct kernel_list list, plain;
    struct kernel *k = load_one(&list, "tests/traces/encodings.traceg", &o);
    struct kernel *p =
        load_one(&plain, "tests/traces/encodings.traceg", &no_options);

    ck_assert_uint_eq(k->blocks, 6);
    ck_assert_uint_eq(k->warps_per_block, 5);
    ck_assert_uint_eq(k->regs_per_thread, 33);
    ck_assert_uint_eq(k->shared_bytes, 0);
    ck_assert_uint_ne(k->hash, p->hash);
    for (uint64_t b = 0; b < 6; b++)
        for (uint32_t w = 0; w < 5; w++)
            ck_assert_uint_eq(count_steps(k, b, w), lengths[b % 2][w % 2]);
    kernel_list_free(&list);
    kernel_list_free(&plain);
}
END_TEST

/* With a grid given, blocks and warps may be missing; a missing warp is one of
 * those the block has, and a block without any is as if not traced. */
START_TEST(partial_trace)
{
    const char *const files[] = {"a.traceg", NULL};
    const struct load_options o = {.launch.grid = {4, 1, 1}};
    char *text = read_text("tests/traces/encodings.traceg"), *cut, folder[32];
    struct kernel_list list;
    struct kernel *k;

    enter_folder(folder);
    cut =
        replaced(text, "insts = 1\n0090 ffffffff 0 EXIT 0 0\n", "insts = 0\n");
    write_text("a.traceg", cut);
    k = load_one(&list, "a.traceg", &o);
    ck_assert_uint_eq(count_steps(k, 1, 0), 2);
    ck_assert_uint_eq(count_steps(k, 1, 1), 2);
    ck_assert_uint_eq(count_steps(k, 2, 0), 11);
    kernel_list_free(&list);
    remove_folder(folder, files);
    free(cut);
    free(text);
}
END_TEST

START_TEST(unknown_opcode_as_class)
{
    const char *const files[] = {"a.traceg", NULL};
    const struct load_options o = {.trace.unknown_op = "dp"};
    char *text = read_text("tests/traces/encodings.traceg"), *odd, folder[32];
    struct kernel_list list;
    struct kernel *k;

    enter_folder(folder);
    odd = replaced(text, "LDG.E.64", "FROB.E.64");
    write_text("a.traceg", odd);
    k = load_one(&list, "a.traceg", &o);
    ck_assert_int_eq(k->inst[2].op, OP_DP);
    ck_assert_uint_eq(count_steps(k, 0, 0), 11);
    kernel_list_free(&list);
    remove_folder(folder, files);
    free(odd);
    free(text);
}
END_TEST

/* ---- files -------------------------------------------------------------- */

static void write_xz(const char *path, const char *text)
{
    size_t room = strlen(text) + 65536, size = 0;
    uint8_t *bytes = malloc(room);

    ck_assert(bytes != NULL);
    ck_assert_int_eq(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL,
                                             (const uint8_t *)text,
                                             strlen(text), bytes, &size, room),
                     LZMA_OK);
    write_bytes(path, bytes, size);
    free(bytes);
}

START_TEST(xz_equals_plain)
{
    const char *const files[] = {"a.traceg", "b.traceg.xz", NULL};
    char *text = read_text("tests/traces/encodings.traceg"), folder[32];
    struct kernel_list plain, packed;

    enter_folder(folder);
    write_text("a.traceg", text);
    write_xz("b.traceg.xz", text);
    load_one(&plain, "a.traceg", &no_options);
    load_one(&packed, "b.traceg.xz", &no_options);
    ck_assert_uint_eq(plain.kernel[0]->hash, packed.kernel[0]->hash);
    ck_assert_uint_eq(plain.kernel[0]->inst_count,
                      packed.kernel[0]->inst_count);
    ck_assert_uint_eq(count_steps(packed.kernel[0], 0, 0), 11);
    kernel_list_free(&plain);
    kernel_list_free(&packed);
    remove_folder(folder, files);
    free(text);
}
END_TEST

/* Copies are skipped, a file may have been compressed, names are told apart,
 * and one spool serves all kernels, in whatever order they are freed. */
START_TEST(kernel_list_and_folder)
{
    const char *const files[] = {"kernelslist.g", "kernel-1.traceg.xz",
                                 "kernel-2.traceg", NULL};
    char *text = read_text("tests/traces/encodings.traceg"), folder[32];
    char *nameless;
    struct kernel_list list;
    struct error e;

    enter_folder(folder);
    nameless = replaced(text, "-kernel name = encodings\n", "");
    write_xz("kernel-1.traceg.xz", text);
    write_text("kernel-2.traceg", nameless);
    write_text("kernelslist.g",
               "MemcpyHtoD,0x00007f1000000000,4096\nkernel-1.traceg\n\n"
               "kernel-2.traceg\nMemcpyDtoH,0x0,4\nkernel-1.traceg.xz\n");
    ck_assert_msg(trace_load(&list, folder, &no_options, &e), "%s", e.text);
    ck_assert_uint_eq(list.count, 3);
    ck_assert_str_eq(list.kernel[0]->name, "encodings");
    ck_assert_str_eq(list.kernel[1]->name, "kernel-2");
    ck_assert_str_eq(list.kernel[2]->name, "encodings#2");
    kernel_free(list.kernel[0]);
    ck_assert_uint_eq(count_steps(list.kernel[2], 0, 0), 11);
    list.kernel[0] = list.kernel[2];
    list.count = 2;
    kernel_list_free(&list);
    ck_assert(trace_load(&list, "kernelslist.g", &no_options, &e));
    kernel_list_free(&list);
    remove_folder(folder, files);
    free(nameless);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace");
    TCase *small = tcase_create("small traces");
    TCase *files = tcase_create("launches and files");
    SRunner *runner;
    int failed;

    tcase_add_test(small, header_and_launch);
    tcase_add_test(small, version_3_steps);
    tcase_add_test(small, addresses);
    tcase_add_test(small, fields_like_the_one_before);
    tcase_add_test(small, lines_that_were_read_before);
    tcase_add_test(small, known_lines_are_told_apart);
    tcase_add_test(small, registers);
    tcase_add_test(small, version_4_line_info);
    tcase_add_test(small, version_5_divergence);
    tcase_add_test(small, targets_by_operand);
    tcase_add_test(small, targets_by_observation);
    tcase_add_test(small, local_memory);
    suite_add_tcase(suite, small);
    tcase_add_test(files, grid_and_block_repeat);
    tcase_add_test(files, partial_trace);
    tcase_add_test(files, unknown_opcode_as_class);
    tcase_add_test(files, xz_equals_plain);
    tcase_add_test(files, kernel_list_and_folder);
    suite_add_tcase(suite, files);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
