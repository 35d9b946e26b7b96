/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The address ranges that an application reads and never writes. */
#ifndef KERNELS_FORM_READ_ONLY_H
#define KERNELS_FORM_READ_ONLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct kernel;

struct address_range {
    uint64_t first, bytes;
};

/* All zero: empty. */
struct address_ranges {
    struct address_range *range;
    size_t count;
};

/* Fill *out with the buffers that none of the kernels stores to. The kernels
 * are launches over the same buffers; every stream of every different kernel is
 * run once. False with e set on a fault of a stream or when memory is out; *out
 * must be freed in either case. */
bool read_only_ranges(struct address_ranges *out, struct kernel *const *kernels,
                      int count, struct error *e);

bool address_ranges_contain(const struct address_ranges *r, uint64_t address);
void address_ranges_free(struct address_ranges *r);

#endif
