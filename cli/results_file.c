/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/results_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct estimate_point, member)

enum kind { TEXT, WHOLE, FLAG, REAL };

/* Columns that pages show. */
static const struct field {
    const char *name;
    enum kind kind;
    size_t offset;
} fields[] = {
    {"kernel", TEXT, AT(kernel)},
    {"gpu", TEXT, AT(gpu)},
    {"tb", WHOLE, AT(tb)},
    {"sched", TEXT, AT(sched)},
    {"tb_sched", TEXT, AT(tb_sched)},
    {"l1_policy", TEXT, AT(l1_policy)},
    {"mode", TEXT, AT(mode)},
    {"limiter", TEXT, AT(limiter)},
    {"cycles", REAL, AT(cycles)},
    {"cycles_lo", REAL, AT(cycles_lo)},
    {"cycles_hi", REAL, AT(cycles_hi)},
    {"ipc", REAL, AT(ipc)},
    {"warp_insts", REAL, AT(warp_insts)},
    {"thread_insts", REAL, AT(thread_insts)},
    {"time_us", REAL, AT(time_us)},
    {"occupancy", REAL, AT(occupancy)},
    {"stall_issued", REAL, AT(stall.issued)},
    {"stall_idle", REAL, AT(stall.idle)},
    {"stall_sb_mem", REAL, AT(stall.sb_mem)},
    {"stall_sb_alu", REAL, AT(stall.sb_alu)},
    {"stall_pipe_mem", REAL, AT(stall.pipe_mem)},
    {"stall_pipe_alu", REAL, AT(stall.pipe_alu)},
    {"l1_miss", REAL, AT(l1_miss)},
    {"l2_miss", REAL, AT(l2_miss)},
    {"dram_gbps", REAL, AT(dram_gbps)},
    {"energy_uj", REAL, AT(energy_uj)},
    {"sampled", FLAG, AT(sampled)},
    {"partial", FLAG, AT(partial)},
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static void set_field(struct estimate_point *p, const struct field *f,
                      const char *text)
{
    char *at = (char *)p + f->offset, *end;
    double number = strtod(text, &end);
    if (end == text)
        number = NAN;
    if (f->kind == TEXT)
        *(const char **)at = text;
    else if (f->kind == REAL)
        *(double *)at = number;
    else if (f->kind == FLAG)
        *(bool *)at = number > 0;
    else
        *(int *)at = number > 0 && number < INT_MAX ? (int)number : 0;
}

static bool read_points(struct results_file *r, struct estimate_error *e)
{
    const struct table_file *t = &r->table;
    r->points = t->rows - 1;
    r->point = calloc(r->points, sizeof(*r->point));
    if (r->point == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; i < FIELDS; i++) {
        int column = table_file_column(t, fields[i].name);
        for (size_t row = 1; row < t->rows; row++)
            set_field(&r->point[row - 1], &fields[i],
                      table_file_cell(t, row, column));
    }
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

bool is_results_file(const char *path)
{
    return ends_with(path, ".json") || ends_with(path, ".jsonl") ||
           ends_with(path, ".csv");
}

bool is_store_file(const char *path)
{
    return ends_with(path, ".db");
}

bool fail_store(const char *path, struct estimate_error *e)
{
    return fail(e, ESTIMATE_BAD_INPUT,
                "%s: found a store, which keeps samples and not what was "
                "asked: estimate INPUT --store %s -o FILE.json writes the "
                "results, without new samples",
                path, path);
}

bool results_file_read(struct results_file *out, const char *path,
                       struct estimate_error *e)
{
    static const char *const needed[] = {"kernel", "gpu", "tb", "sched",
                                         "cycles"};
    *out = (struct results_file){.points = 0};
    if (!table_file_read(&out->table, path, e))
        return false;
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        if (table_file_column(&out->table, needed[i]) < 0)
            return fail(e, ESTIMATE_BAD_INPUT,
                        "%s: no column %s, expected results as --format json, "
                        "jsonl or csv writes them",
                        path, needed[i]);
    return read_points(out, e);
}

void results_file_free(struct results_file *r)
{
    table_file_free(&r->table);
    free(r->point);
}
