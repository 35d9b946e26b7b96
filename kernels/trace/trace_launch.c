/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launch of a traced kernel: what the header says, under the options. */
#include "kernels/trace/trace_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct dim3 given(struct dim3 option, struct dim3 header)
{
    if (option.x == 0)
        return header;
    if (option.y == 0)
        option.y = 1;
    if (option.z == 0)
        option.z = 1;
    return option;
}

static bool set_size(struct kernel *k, struct error *e)
{
    uint64_t plane = (uint64_t)k->block.x * k->block.y;
    uint64_t most = (uint64_t)MAX_WARPS_A_BLOCK * WARP_LANES;

    if (plane > most || plane * k->block.z > most)
        return error_set(e, STATUS_BAD_INPUT,
                         "block of %u x %u x %u threads, expected at most "
                         "%llu threads",
                         k->block.x, k->block.y, k->block.z,
                         (unsigned long long)most);
    k->threads_per_block = (uint32_t)plane * k->block.z;
    k->warps_per_block = (k->threads_per_block + WARP_LANES - 1) / WARP_LANES;
    if (__builtin_mul_overflow((uint64_t)k->grid.x * k->grid.y,
                               (uint64_t)k->grid.z, &k->blocks))
        return error_set(e, STATUS_BAD_INPUT,
                         "grid of %u x %u x %u blocks, expected fewer than "
                         "2^64",
                         k->grid.x, k->grid.y, k->grid.z);
    return true;
}

/* Of the text and of the options that change the streams. */
static uint64_t input_hash(const struct kernel *k, const struct trace_text *t,
                           const struct load_options *o)
{
    const uint32_t launch[] = {k->grid.x,          k->grid.y,      k->grid.z,
                               k->block.x,         k->block.y,     k->block.z,
                               k->regs_per_thread, k->shared_bytes};
    uint64_t hash = trace_text_hash(t);

    for (size_t i = 0; i < sizeof(launch) / sizeof(launch[0]); i++)
        hash = trace_hash_add(hash, launch[i]);
    for (const char *c = o->trace.unknown_op; c != NULL && *c != '\0'; c++)
        hash = trace_hash_add(hash, (uint64_t)(uint8_t)*c);
    return hash;
}

/* The file's name without folder and ending. */
static char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    const char *end = strstr(start, ".traceg");

    return strndup(start, end != NULL ? (size_t)(end - start) : strlen(start));
}

bool trace_launch(struct kernel *k, const struct trace_header *h,
                  const struct trace_text *t, const struct load_options *o,
                  struct error *e)
{
    char summary[80];

    snprintf(summary, sizeof(summary), "trace of sm_%d code, tracer version %d",
             h->arch, h->version);
    k->name = h->name != NULL ? strdup(h->name) : file_name(t->path);
    k->summary = strdup(summary);
    k->path = strdup(t->path);
    if (k->name == NULL || k->summary == NULL || k->path == NULL)
        return error_no_memory(e);
    k->grid = given(o->launch.grid, h->grid);
    k->block = given(o->launch.block, h->block);
    k->regs_per_thread =
        o->launch.regs_per_thread != 0 ? o->launch.regs_per_thread : h->regs;
    k->shared_bytes =
        o->launch.shared_given ? o->launch.shared_bytes : h->shared_bytes;
    if (!set_size(k, e))
        return false;
    k->hash = input_hash(k, t, o);
    return true;
}
