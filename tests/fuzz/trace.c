/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces: plain, compressed, and lists of them. */
#include "kernels/trace/trace.h"
#include "kernels/trace/trace_text.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void load(const char *path, const struct load_options *o)
{
    struct error e;
    struct kernel_list list;
    if (trace_load(&list, path, o, &e)) {
        fuzz_kernels(&list);
        kernel_list_free(&list);
    }
}

/* As it is, then with blocks and warps repeated and opcodes taken as known. */
static void load_both_ways(const char *path)
{
    const struct load_options plain = {0};
    const struct load_options other = {
        .launch = {.grid = {5, 2, 1}, .block = {64, 2, 1}},
        .trace = {.unknown_op = "int"}};
    load(path, &plain);
    load(path, &other);
}

void fuzz_trace(const uint8_t *data, size_t size)
{
    char *path = fuzz_file("kernel-1.traceg", data, size);
    load_both_ways(path);
    free(path);
}

void fuzz_xz(const uint8_t *data, size_t size)
{
    char *path = fuzz_file("kernel-1.traceg.xz", data, size);
    const struct load_options plain = {0};
    load(path, &plain);
    free(path);
}

void fuzz_list(const uint8_t *data, size_t size)
{
    static const char trace[] =
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
        "-shmem = 0\n-nregs = 8\n-binary version = 70\n"
        "-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
        "-local mem base_addr = 0x00007f1000000000\n-nvbit version = 1.5\n"
        "-accelsim tracer version = 4\n\n#traces format = PC mask dest_num "
        "[reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
        "[mem_addresses]\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n"
        "insts = 1\n0000 ffffffff 0 EXIT 0 0 \n\n#END_TB\n";
    char *one = fuzz_file("kernel-1.traceg", trace, sizeof(trace) - 1);
    char *two = fuzz_file("kernel-2.traceg", trace, sizeof(trace) - 1);
    char *list = fuzz_file("kernelslist.g", data, size);
    load_both_ways(list);
    free(one);
    free(two);
    free(list);
}
