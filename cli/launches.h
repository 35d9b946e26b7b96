/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launches of a program that was run, and what they are estimated to take:
 * a group holds those of one kernel under one geometry. Of a group some
 * launches were kept, each for those that behave like it; what a launch takes
 * is what the kept one takes, by the instructions of both. */
#ifndef CLI_LAUNCHES_H
#define CLI_LAUNCHES_H

#include "cli/points.h"

/* A launch that was kept. */
struct kept_launch {
    char *file;      /* its launch file, which the plan has as input i */
    double executed; /* warp instructions when it was */
    double share;    /* of those of the launches it stands for: their number,
                      * weighted by instructions */
};

struct launch_group {
    char *kernel;
    struct estimate_dim grid, block;
    uint64_t shared_bytes;
    uint64_t launches;
    struct kept_launch *kept;
    size_t kept_count;
};

struct launch_list {
    struct launch_group *group; /* in the order of their first launches */
    size_t groups, launches, kept;
};

/* Read what the runtime told of the launches in FOLDER/launches.tsv. */
bool launch_list_read(struct launch_list *out, const char *folder,
                      struct estimate_error *e);
void launch_list_free(struct launch_list *l);

/* The list with the results of the plan whose inputs are the files of all kept
 * launches in order. */
struct launch_report {
    const struct options *options;
    const struct launch_list *list;
    const struct plan *plan;
    const struct estimate_results *results;
    double whole; /* cycles of all groups at their first points */
};

/* A group at one of its points, all launches together. */
struct group_point {
    const struct estimate_point *point; /* of the first kept launch: names */
    double cycles, cycles_lo, cycles_hi, time_us, warp_insts, thread_insts;
};

/* False: there is no such point, or it was not finished. */
bool group_point(struct group_point *out, const struct launch_report *r,
                 size_t group, size_t tb, size_t policy);
/* The number of block counts of a group; of them the last is what fits. */
size_t group_tbs(const struct launch_report *r, size_t group);
/* Set r->whole. */
void launch_report_sum(struct launch_report *r);

#endif
