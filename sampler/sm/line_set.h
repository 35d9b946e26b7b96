/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growing set of line addresses (below UINT64_MAX). Zero is empty. */
#ifndef SAMPLER_SM_LINE_SET_H
#define SAMPLER_SM_LINE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_set {
    uint64_t *slot; /* line + 1, 0 = free */
    size_t capacity, count;
};

/* False when memory is out. */
bool line_set_add(struct line_set *s, uint64_t line);
bool line_set_has(const struct line_set *s, uint64_t line);
void line_set_free(struct line_set *s);

#endif
