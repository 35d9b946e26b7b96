/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stable columns of results: one table that every reader of points by name
 * uses. */
#include <estimate.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct estimate_column {
    const char *name, *unit; /* the unit as the manual page gives it */
    enum estimate_column_type type;
    size_t offset; /* in struct estimate_point */
    int decimals;  /* of a real */
    size_t bytes;  /* of a whole number: an int or 64 bits */
};

#define AT(member) offsetof(struct estimate_point, member)

#define TEXT(name, member)                                                     \
    {                                                                          \
        name, "name", ESTIMATE_COLUMN_TEXT, AT(member), 0, 0                   \
    }
#define WHOLE(name, unit, member)                                              \
    {                                                                          \
        name, unit, ESTIMATE_COLUMN_WHOLE, AT(member), 0,                      \
            sizeof(((struct estimate_point *)NULL)->member)                    \
    }
#define FLAG(name, member)                                                     \
    {                                                                          \
        name, "0 or 1", ESTIMATE_COLUMN_FLAG, AT(member), 0, 0                 \
    }
#define REAL(name, unit, member, decimals)                                     \
    {                                                                          \
        name, unit, ESTIMATE_COLUMN_REAL, AT(member), decimals, 0              \
    }

// clang-format off
static const struct estimate_column columns[] = {
    TEXT("kernel", kernel),
    TEXT("gpu", gpu),
    WHOLE("tb", "resident blocks a SM", tb),
    TEXT("sched", sched),
    TEXT("tb_sched", tb_sched),
    TEXT("l1_policy", l1_policy),
    TEXT("mode", mode),
    REAL("cycles", "core cycles", cycles, 1),
    REAL("cycles_lo", "core cycles", cycles_lo, 1),
    REAL("cycles_hi", "core cycles", cycles_hi, 1),
    REAL("delta_pct", "%", delta.pct, 3),
    REAL("delta_lo", "%", delta.lo, 3),
    REAL("delta_hi", "%", delta.hi, 3),
    REAL("ipc", "warp instructions a cycle and SM", ipc, 4),
    REAL("warp_insts", "warp instructions", warp_insts, 0),
    REAL("thread_insts", "thread instructions", thread_insts, 0),
    REAL("time_us", "microseconds", time_us, 3),
    REAL("occupancy", "share", occupancy, 4),
    TEXT("limiter", limiter),
    REAL("stall_issued", "share", stall.issued, 6),
    REAL("stall_idle", "share", stall.idle, 6),
    REAL("stall_sb_mem", "share", stall.sb_mem, 6),
    REAL("stall_sb_alu", "share", stall.sb_alu, 6),
    REAL("stall_pipe_mem", "share", stall.pipe_mem, 6),
    REAL("stall_pipe_alu", "share", stall.pipe_alu, 6),
    REAL("l1_miss", "share", l1_miss, 4),
    REAL("l2_miss", "share", l2_miss, 4),
    REAL("dram_gbps", "1e9 bytes a second", dram_gbps, 3),
    REAL("energy_uj", "microjoules", energy_uj, 3),
    FLAG("sampled", sampled),
    FLAG("partial", partial),
    WHOLE("seed", "whole number", seed),
    REAL("served_l1", "share", served.l1, 4),
    REAL("served_remote", "share", served.remote, 4),
    REAL("served_l2", "share", served.l2, 4),
    REAL("served_memory", "share", served.memory, 4),
    REAL("crossings_read", "flits times links",
         crossings.read, 0),
    REAL("crossings_write", "flits times links",
         crossings.write, 0),
    REAL("crossings_writeback", "flits times links",
         crossings.writeback, 0),
    REAL("energy_core_uj", "microjoules",
         energy.core, 3),
    REAL("energy_l1_uj", "microjoules", energy.l1, 3),
    REAL("energy_shared_uj", "microjoules",
         energy.shared, 3),
    REAL("energy_l2_uj", "microjoules", energy.l2, 3),
    REAL("energy_network_uj", "microjoules",
         energy.network, 3),
    REAL("energy_memory_uj", "microjoules",
         energy.memory, 3),
};
// clang-format on
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

const struct estimate_column *estimate_column(size_t i)
{
    return i < COLUMNS ? &columns[i] : NULL;
}

const struct estimate_column *estimate_column_find(const char *name)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].name, name) == 0)
            return &columns[i];
    return NULL;
}

const char *estimate_column_name(const struct estimate_column *c)
{
    return c->name;
}

const char *estimate_column_unit(const struct estimate_column *c)
{
    return c->unit;
}

enum estimate_column_type estimate_column_type(const struct estimate_column *c)
{
    return c->type;
}

static const void *field(const struct estimate_column *c,
                         const struct estimate_point *p)
{
    return (const char *)p + c->offset;
}

static uint64_t whole(const struct estimate_column *c,
                      const struct estimate_point *p)
{
    if (c->bytes == sizeof(int))
        return (uint64_t) * (const int *)field(c, p);
    return *(const uint64_t *)field(c, p);
}

const char *estimate_column_string(const struct estimate_column *c,
                                   const struct estimate_point *p)
{
    if (c->type != ESTIMATE_COLUMN_TEXT)
        return NULL;
    return *(const char *const *)field(c, p);
}

double estimate_column_value(const struct estimate_column *c,
                             const struct estimate_point *p)
{
    switch (c->type) {
    case ESTIMATE_COLUMN_WHOLE:
        return (double)whole(c, p);
    case ESTIMATE_COLUMN_FLAG:
        return *(const bool *)field(c, p);
    case ESTIMATE_COLUMN_REAL:
        return *(const double *)field(c, p);
    default:
        return NAN;
    }
}

/* Without a minus before what rounds to zero. */
static size_t real_text(char *out, size_t size, double value, int decimals)
{
    if (!isfinite(value))
        return (size_t)snprintf(out, size, "%s", "");
    double least = 0.5 * pow(10, -decimals);
    if (value < 0 && value >= -least) {
        char rounded[32];
        snprintf(rounded, sizeof(rounded), "%.*f", decimals, value);
        if (strspn(rounded + 1, "0.") == strlen(rounded + 1))
            value = 0;
    }
    return (size_t)snprintf(out, size, "%.*f", decimals, value);
}

size_t estimate_column_text(char *out, size_t size,
                            const struct estimate_column *c,
                            const struct estimate_point *p)
{
    switch (c->type) {
    case ESTIMATE_COLUMN_TEXT:
        return (size_t)snprintf(out, size, "%s", estimate_column_string(c, p));
    case ESTIMATE_COLUMN_WHOLE:
        return (size_t)snprintf(out, size, "%" PRIu64, whole(c, p));
    case ESTIMATE_COLUMN_FLAG:
        return (size_t)snprintf(out, size, "%d",
                                estimate_column_value(c, p) != 0);
    default:
        return real_text(out, size, estimate_column_value(c, p), c->decimals);
    }
}
