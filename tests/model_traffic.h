/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that the interval model moves to and from DRAM and asks of the L2, of
 * kernels in the text of kernel files. */
#ifndef TESTS_MODEL_TRAFFIC_H
#define TESTS_MODEL_TRAFFIC_H

#include "configs/gpu.h"
#include "model/demand.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "tests/kernel_text.h"

#include <math.h>

#define MB 1e6

static inline struct gpu machine(const char *name)
{
    struct gpu g;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(gpu_load(&g, name, NULL, 0, &e), "%s", e.text);
    return g;
}

static inline struct kernel *
kernel_with(const char *launch, const char *buffers, const char *program)
{
    char text[4096];
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text),
             "launch: { registers = 16; %s };\nbuffers: { %s };\n"
             "program = \"\n%s\n\";\n",
             launch, buffers, program);
    struct kernel *k =
        kernel_file_parse(text, strlen(text), "test.kernel", NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    return k;
}

struct traffic {
    double dram, l2; /* bytes */
    double l1_miss;  /* share of loaded sectors */
    double alone;    /* cycles of a warp when nothing else holds it up ... */
    double from_l2;  /* ... and if all its loads were served there */
    double mshr;     /* cycles that a warp takes MSHRs, of all of them */
    double l2_miss;  /* share of the bytes asked of the L2 */
    double requests, answers; /* cycles that a warp takes the network */
    double slices;            /* ... and the slices, as often as there are SMs
                               * for one of them */
    double crowding;          /* of slices (placement.h) */
    double sent; /* cycles in which a warp sends what it does at a time, in
                  * all phases */
};

static inline struct traffic traffic_of(const struct kernel *k,
                                        const struct gpu *g, int blocks,
                                        const char *scheduler)
{
    struct model_params params;
    struct policy_set set;
    struct result r;
    struct demand d;
    struct error e = {STATUS_OK, ""};
    struct profile *p = profile_create(k, g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    ck_assert(policy_set_parse(&set, NULL, scheduler, NULL, NULL, &e));
    model_params_default(&params);
    model_estimate(&r, p, g, &set, blocks, &params);
    double warps = blocks * p->warps_per_block;
    demand_of(&d, p, g,
              &(struct sharing){.warps = warps,
                                .live = warps,
                                .oldest = warps,
                                .blocks = blocks,
                                .active_sms = fmin(g->sms, p->blocks),
                                .aligned = strcmp(scheduler, "lrr") == 0,
                                .interference = 1,
                                .latency = 1,
                                .bandwidth = 1,
                                .stores_left = NAN});
    struct traffic t = {
        .dram = r.dram_gbps * r.time_us * 1e3,
        .l2 = d.l2_bytes * p->blocks * p->warps_per_block,
        .l1_miss = r.l1_miss,
        .alone = d.unloaded,
        .from_l2 = p->unloaded[LEVEL_L2],
        .mshr = d.use[RES_MSHR] * g->l1.mshr,
        .requests = d.use[RES_REQUESTS],
        .answers = d.use[RES_ANSWERS],
        .slices = d.use[RES_L2],
        .crowding = p->placement.slice,
        .l2_miss = d.l2_miss_bytes / d.l2_bytes,
    };
    for (int i = 0; i < d.phase_count; i++)
        t.sent += d.phase_sent[i];
    profile_free(p);
    return t;
}

/* The same of a kernel of kernel_with(). */
static inline struct traffic traffic(struct kernel *k, const struct gpu *g,
                                     int blocks, const char *scheduler)
{
    struct traffic t = traffic_of(k, g, blocks, scheduler);
    kernel_free(k);
    return t;
}

static inline void assert_near(double got, double want, double share)
{
    ck_assert_msg(fabs(got - want) <= share * want,
                  "%.3f MB is not within %.1f %% of %.3f MB", got / MB,
                  100 * share, want / MB);
}

#endif
