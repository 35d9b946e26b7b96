/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KEY=SPEC of --sweep. SPEC is a comma list of numbers and ranges:
 *
 *     8            one value
 *     1..8         every whole step from 1 to 8
 *     16..64:16    16, 32, 48, 64
 *     16..128*2    16, 32, 64, 128
 *
 * A key whose values have names takes a comma list of these instead. Numbers
 * ascend over the whole SPEC, so that none comes twice. They are counted
 * and computed one by one and never listed, so that a range of a trillion costs
 * no more than a short one. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/error.h"

#define SWEEP_ITEMS_MAX 64

struct sweep_item {
    double first, last, step; /* step: added, or multiplied when geometric */
    bool geometric;
    uint64_t count;
};

/* Keys of a launch. */
enum launch_key {
    LAUNCH_BLOCK,
    LAUNCH_REGS,
    LAUNCH_SHARED,
    LAUNCH_KEYS,
    LAUNCH_NONE = LAUNCH_KEYS
};
extern const char *const launch_key_names[LAUNCH_KEYS];

struct sweep {
    /* A key of GPUs, or of launches, or resident blocks, "tb". */
    const struct estimate_key *key; /* NULL: none */
    enum launch_key launch;
    const char *text; /* KEY=SPEC as given */
    struct sweep_item item[SWEEP_ITEMS_MAX];
    size_t items;
    uint64_t count; /* values of all items; saturates at UINT64_MAX */
};

/* ESTIMATE_USAGE when KEY is not known (with the nearest) or SPEC is wrong or
 * outside KEY's range. `text` must outlive the sweep. */
bool sweep_parse(struct sweep *out, const char *text, struct estimate_error *e);

const char *sweep_name(const struct sweep *s); /* KEY */
bool sweep_is_tb(const struct sweep *s);

/* Value i, 0 <= i < count. */
double sweep_value(const struct sweep *s, uint64_t i);

/* a * b, UINT64_MAX when it overflows. */
uint64_t saturating_product(uint64_t a, uint64_t b);

#endif
