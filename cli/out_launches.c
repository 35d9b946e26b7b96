/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the launches of a program take: a table with a row a kernel, CSV and
 * JSON with a row for every point of a group of launches. */
#include "cli/formats.h"

#include <inttypes.h>
#include <string.h>

/* "8x8", "782": sides of 1 at the end are left out. */
static void put_dim(char *out, size_t size, struct estimate_dim d)
{
    if (d.z > 1)
        snprintf(out, size, "%ux%ux%u", d.x, d.y, d.z);
    else if (d.y > 1)
        snprintf(out, size, "%ux%u", d.x, d.y);
    else
        snprintf(out, size, "%u", d.x);
}

/* ---- CSV and JSON -------------------------------------------------------- */

typedef void put_point(FILE *f, const struct launch_report *r, size_t group,
                       const struct group_point *p, bool first);

static void put_all(FILE *f, const struct launch_report *r, put_point *put)
{
    struct group_point p;
    bool first = true;
    for (size_t g = 0; g < r->list->groups; g++)
        for (int q = 0; q < r->plan->shown_policies; q++)
            for (size_t tb = 0; tb < group_tbs(r, g); tb++)
                if (group_point(&p, r, g, tb, (size_t)q)) {
                    put(f, r, g, &p, first);
                    first = false;
                }
}

static double share_of(const struct launch_report *r,
                       const struct group_point *p)
{
    return r->whole > 0 ? p->cycles / r->whole : 0;
}

static void put_csv_row(FILE *f, const struct launch_report *r, size_t group,
                        const struct group_point *p, bool first)
{
    const struct launch_group *g = &r->list->group[group];
    char grid[64], block[64];
    (void)first;
    put_dim(grid, sizeof(grid), g->grid);
    put_dim(block, sizeof(block), g->block);
    put_csv_text(f, g->kernel);
    fprintf(f, ",%" PRIu64 ",%s,%s,%d,", g->launches, grid, block,
            p->point->tb);
    put_csv_text(f, p->point->sched);
    fprintf(f, ",%.1f,%.1f,%.1f,%.3f,%.4f,%zu,%.0f,%.0f,", p->cycles,
            p->cycles_lo, p->cycles_hi, p->time_us, share_of(r, p),
            g->kept_count, p->warp_insts, p->thread_insts);
    put_csv_text(f, p->point->gpu);
    fputc('\n', f);
}

void write_launches_csv(FILE *f, const struct launch_report *r)
{
    fputs("kernel,launches,grid,block,tb,sched,cycles,cycles_lo,cycles_hi,"
          "time_us,share,estimated,warp_insts,thread_insts,gpu\n",
          f);
    put_all(f, r, put_csv_row);
}

static void put_json_row(FILE *f, const struct launch_report *r, size_t group,
                         const struct group_point *p, bool first)
{
    const struct launch_group *g = &r->list->group[group];
    fprintf(f, "%s\n    {\"kernel\": ", first ? "" : ",");
    put_json_text(f, g->kernel);
    fprintf(f,
            ", \"launches\": %" PRIu64 ", \"grid\": [%u, %u, %u], "
            "\"block\": [%u, %u, %u], \"tb\": %d, \"sched\": ",
            g->launches, g->grid.x, g->grid.y, g->grid.z, g->block.x,
            g->block.y, g->block.z, p->point->tb);
    put_json_text(f, p->point->sched);
    fprintf(f,
            ", \"cycles\": %.1f, \"cycles_lo\": %.1f, \"cycles_hi\": %.1f, "
            "\"time_us\": %.3f, \"share\": %.4f, \"estimated\": %zu, "
            "\"warp_insts\": %.0f, \"thread_insts\": %.0f, \"gpu\": ",
            p->cycles, p->cycles_lo, p->cycles_hi, p->time_us, share_of(r, p),
            g->kept_count, p->warp_insts, p->thread_insts);
    put_json_text(f, p->point->gpu);
    fputc('}', f);
}

void write_launches_json(FILE *f, const struct launch_report *r)
{
    fprintf(f, "{\n  \"schema_version\": 1,\n  \"version\": ");
    put_json_text(f, estimate_version());
    fprintf(f, ",\n  \"launches\": [");
    put_all(f, r, put_json_row);
    fprintf(f, "\n  ]\n}\n");
}

/* ---- the table ----------------------------------------------------------- */

#define NAME_WIDTH 24
#define TIE        0.01 /* a smaller gain is none */

/* All groups of one kernel. */
struct kernel_sum {
    uint64_t launches;
    double cycles, lo, hi, time_us;
    const struct estimate_point *best; /* of the heaviest group */
    double best_gain, heaviest;
};

static bool is_first(const struct launch_list *l, size_t group)
{
    for (size_t i = 0; i < group; i++)
        if (strcmp(l->group[i].kernel, l->group[group].kernel) == 0)
            return false;
    return true;
}

/* The point of a group with the fewest cycles. */
static void find_best(struct kernel_sum *s, const struct launch_report *r,
                      size_t group, double cycles)
{
    struct group_point p;
    double fewest = cycles;
    if (cycles <= s->heaviest)
        return;
    s->heaviest = cycles;
    s->best = NULL;
    for (int q = 0; q < r->plan->shown_policies; q++)
        for (size_t tb = 0; tb < group_tbs(r, group); tb++)
            if (group_point(&p, r, group, tb, (size_t)q) && p.cycles < fewest) {
                fewest = p.cycles;
                s->best = p.point;
            }
    s->best_gain = 1 - fewest / cycles;
}

static void sum_kernel(struct kernel_sum *s, const struct launch_report *r,
                       const char *kernel)
{
    *s = (struct kernel_sum){0};
    for (size_t i = 0; i < r->list->groups; i++) {
        const struct launch_group *g = &r->list->group[i];
        struct group_point p;
        if (strcmp(g->kernel, kernel) != 0)
            continue;
        s->launches += g->launches;
        if (!group_point(&p, r, i, group_tbs(r, i) - 1, 0))
            continue;
        s->cycles += p.cycles;
        s->lo += p.cycles_lo;
        s->hi += p.cycles_hi;
        s->time_us += p.time_us;
        find_best(s, r, i, p.cycles);
    }
}

static void put_time(FILE *f, double us)
{
    if (us < 1e3)
        fprintf(f, " %6.4g us", us);
    else if (us < 1e6)
        fprintf(f, " %6.4g ms", us / 1e3);
    else
        fprintf(f, " %6.4g s ", us / 1e6);
}

/* Cycles, with the half-width of their interval unless it is nothing. */
static void put_cycles(FILE *f, const struct kernel_sum *s)
{
    double half = s->cycles > 0 ? 50 * (s->hi - s->lo) / s->cycles : 0;
    fprintf(f, s->cycles < 1e10 ? " %11.0f" : " %11.4g", s->cycles);
    if (half >= 0.5)
        fprintf(f, " +-%2.0f %%", half);
    else
        fprintf(f, "%7s", "");
}

static void put_row(FILE *f, const char *name, const struct kernel_sum *s,
                    double share)
{
    fprintf(f, "%-*.*s %8" PRIu64, NAME_WIDTH, NAME_WIDTH, name, s->launches);
    put_cycles(f, s);
    put_time(f, s->time_us);
    fprintf(f, " %5.1f %%\n", 100 * share);
}

static void put_best(FILE *f, const char *name, const struct kernel_sum *s)
{
    if (s->best != NULL && s->best_gain >= TIE)
        fprintf(f, "%s: %.1f %% fewer cycles at tb=%d %s\n", name,
                100 * s->best_gain, s->best->tb, s->best->sched);
}

/* Kernels by weight; each is taken once. */
static void put_kernels(FILE *f, const struct launch_report *r,
                        struct kernel_sum *total)
{
    const struct launch_list *l = r->list;
    double below = -1;
    size_t last = l->groups;
    for (;;) {
        size_t next = l->groups;
        struct kernel_sum best = {.cycles = -1};
        for (size_t i = 0; i < l->groups; i++) {
            struct kernel_sum s;
            if (!is_first(l, i))
                continue;
            sum_kernel(&s, r, l->group[i].kernel);
            bool after = below < 0 || s.cycles < below ||
                         (s.cycles == below && i > last);
            if (after && s.cycles > best.cycles) {
                best = s;
                next = i;
            }
        }
        if (next == l->groups)
            return;
        char name[256];
        estimate_short_name(name, sizeof(name), l->group[next].kernel);
        put_row(f, name, &best, r->whole > 0 ? best.cycles / r->whole : 0);
        put_best(f, name, &best);
        total->launches += best.launches;
        total->cycles += best.cycles;
        total->lo += best.lo;
        total->hi += best.hi;
        total->time_us += best.time_us;
        below = best.cycles;
        last = next;
    }
}

void write_launches_table(FILE *f, const struct launch_report *r)
{
    struct kernel_sum total = {0};
    const struct estimate_point *p = estimate_result(r->results, 0, 0, 0);
    fprintf(f, "on %s, %s, as many blocks as fit\n", r->options->gpu,
            p != NULL ? p->sched : r->options->sched);
    fprintf(f, "%-*s %8s %11s %16s %7s\n", NAME_WIDTH, "kernel", "launches",
            "cycles", "time", "share");
    put_kernels(f, r, &total);
    put_row(f, "total", &total, 1);
    if (r->list->kept < r->list->launches)
        fprintf(f,
                "%zu of %zu launches estimated, the others by their "
                "instructions\n",
                r->list->kept, r->list->launches);
}
