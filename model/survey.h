/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking a sample of a kernel's blocks: all warps of each, singly for the
 * averages and in groups of neighbours for what blocks have to do with each
 * other. */
#ifndef MODEL_SURVEY_H
#define MODEL_SURVEY_H

#include "model/constants.h"
#include "model/crowd.h"
#include "model/neighbours.h"
#include "model/placement.h"
#include "model/walk.h"

/* Of a block of a group. */
struct logged {
    size_t first, count; /* in the address log */
    int64_t distance;    /* from the centre, in blocks or rows */
};

/* A block that was walked. */
struct walked {
    double weight, path; /* of its slowest warp, loads served by DRAM */
};

#define WALKED (GROUPS * NEIGHBOURS + SINGLES + 2)

struct survey {
    struct walk_sums sums;
    struct walker *walker; /* [warps_per_block] */
    void *stream;
    struct error *error;
    uint64_t steps;
    int64_t row; /* blocks of a row of the grid, also where it was found */
    /* First touches and logged addresses within the steps of a block that is
     * broken off. */
    size_t begun, begun_log;
    /* Weighted sums over the blocks walked; paths by where loads are served. */
    double weight, paths[MEMORY_LEVELS], barriers;
    struct walked walked[WALKED];
    int walks;
    double groups;                      /* and sums over groups */
    double wide_touches, wide_in_order; /* of lines that distant blocks touch,
                                         * too; by the same accesses */
    double sharing[SHARING_SUMS];       /* of lines */
    const struct crowd *crowd;
    struct alike *alike; /* [inst_count], of a phase by its first instruction */
    struct placement placement;
};

/* k, g, the kernel's crowd and e outlive the survey. False with e set on
 * failure; survey_free() in either case. */
bool survey_run(struct survey *v, const struct kernel *k, const struct gpu *g,
                const struct timing *timing, const struct crowd *crowd,
                uint64_t seed, struct error *e);
void survey_free(struct survey *v);

#endif
