/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/launch_group.h"

#include <stdio.h>

#define BLOCK_THREADS_MAX 1024
#define GRID_BLOCKS_MAX   ((int64_t)1 << 40)
#define GRID_SIDE_MAX     INT32_MAX /* CUDA's limit for x */
#define REGISTERS_MAX     255
#define SHARED_BYTES_MAX  (256 << 10)
#define LOCAL_BYTES_MAX   (512 << 10) /* CUDA's limit for a thread */

static bool read_side(const struct config_file *f, const config_setting_t *s,
                      void *user, int64_t *out)
{
    (void)user;
    return read_number(f, s, 1, GRID_SIDE_MAX, out);
}

static bool read_size(const struct config_file *f,
                      const config_setting_t *launch, const char *key,
                      struct dim3 *out)
{
    const config_setting_t *s = config_setting_get_member(launch, key);
    char expected[100];
    if (s != NULL)
        return read_dimensions(f, s, read_side, NULL, out);
    snprintf(expected, sizeof(expected), "a key '%s' in it", key);
    return fail_setting(f, launch, expected);
}

static void override_launch(struct kernel *k, const struct launch *o)
{
    if (o->grid.x != 0)
        k->grid = o->grid;
    if (o->block.x != 0)
        k->block = o->block;
    if (o->regs_per_thread != 0)
        k->regs_per_thread = o->regs_per_thread;
    if (o->shared_given)
        k->shared_bytes = o->shared_bytes;
    struct dim3 *const dims[] = {&k->grid, &k->block};
    for (int d = 0; d < 2; d++) {
        dims[d]->y = dims[d]->y != 0 ? dims[d]->y : 1;
        dims[d]->z = dims[d]->z != 0 ? dims[d]->z : 1;
    }
}

/* Product of the sides, or -1 when it is above `limit`. */
static int64_t product(const struct dim3 *d, int64_t limit)
{
    if (d->x > limit || d->y > limit / d->x)
        return -1;
    int64_t n = (int64_t)d->x * d->y;
    return d->z > limit / n ? -1 : n * d->z;
}

static bool check_size(const struct config_file *f, struct kernel *k)
{
    int64_t threads = product(&k->block, BLOCK_THREADS_MAX);
    int64_t blocks = product(&k->grid, GRID_BLOCKS_MAX);
    if (threads < 1)
        return error_set(f->e, STATUS_BAD_INPUT,
                         "%s: found a block of %u x %u x %u threads, expected "
                         "at most %d",
                         f->source.path, k->block.x, k->block.y, k->block.z,
                         BLOCK_THREADS_MAX);
    if (blocks < 1)
        return error_set(f->e, STATUS_BAD_INPUT,
                         "%s: found a grid of %u x %u x %u blocks, expected "
                         "at most 2^40",
                         f->source.path, k->grid.x, k->grid.y, k->grid.z);
    k->blocks = (uint64_t)blocks;
    k->threads_per_block = (uint32_t)threads;
    k->warps_per_block = (uint32_t)(threads + WARP_LANES - 1) / WARP_LANES;
    return true;
}

static bool check_resources(const struct config_file *f, const struct kernel *k)
{
    if (k->regs_per_thread > REGISTERS_MAX)
        return error_set(f->e, STATUS_BAD_INPUT,
                         "%s: found %u registers a thread, expected at most %d",
                         f->source.path, k->regs_per_thread, REGISTERS_MAX);
    return k->shared_bytes <= SHARED_BYTES_MAX ||
           error_set(f->e, STATUS_BAD_INPUT,
                     "%s: found %u bytes of shared memory a block, expected "
                     "at most %d",
                     f->source.path, k->shared_bytes, SHARED_BYTES_MAX);
}

unsigned kernel_group_line(const config_setting_t *group)
{
    unsigned line = config_setting_source_line(group);
    return config_setting_is_root(group) || line == 0 ? 1 : line;
}

bool launch_group_read(const struct launch_group *g, struct kernel *k,
                       uint32_t *local_bytes)
{
    static const char *const keys[] = {"grid", "block", "registers",
                                       "shared_bytes", "local_bytes"};
    const struct config_file *f = g->file;
    config_setting_t *launch = config_setting_get_member(g->kernel, "launch");
    if (launch == NULL || !config_setting_is_group(launch))
        return fail_at_line(f, kernel_group_line(g->kernel),
                            "found no group 'launch', expected one");
    if (!check_keys(f, launch, keys, sizeof(keys) / sizeof(keys[0])) ||
        !read_size(f, launch, "grid", &k->grid) ||
        !read_size(f, launch, "block", &k->block) ||
        !read_optional(f, launch, "registers", 1, REGISTERS_MAX,
                       &k->regs_per_thread) ||
        !read_optional(f, launch, "shared_bytes", 0, SHARED_BYTES_MAX,
                       &k->shared_bytes) ||
        !read_optional(f, launch, "local_bytes", 4, LOCAL_BYTES_MAX,
                       local_bytes))
        return false;
    if (g->changes != NULL)
        override_launch(k, g->changes);
    k->row = k->grid.x;
    override_launch(k, g->options);
    if (k->regs_per_thread == 0)
        return fail_setting(f, launch, "a key 'registers' in it");
    return check_size(f, k) && check_resources(f, k);
}
