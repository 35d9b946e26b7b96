/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies of one's own. */
#include "check.h"

#include <estimate.h>
#include <stdlib.h>
#include <string.h>

/* ---- a scheduler of its own -------------------------------------------------
 */

/* Round-robin over the slots, as the built-in lrr. */
struct rounds {
    int next;
};

static int rounds_pick(void *state, const struct estimate_warps *warps,
                       uint64_t ready, uint64_t cycle)
{
    struct rounds *r = state;
    (void)cycle;
    int slot = r->next;
    while ((ready >> slot & 1) == 0)
        slot = (slot + 1) % 64;
    r->next = (slot + 1) % 64;
    return slot < warps->slots ? slot : -1;
}

/* The same warp as long as it can issue, then the oldest, as the built-in gto.
 */
struct greedy {
    const int *none; /* what user points to */
    int last;
};

static void greedy_init(void *state,
                        const struct estimate_scheduler_start *start)
{
    struct greedy *g = state;
    g->none = start->user;
    g->last = *g->none;
}

static int greedy_pick(void *state, const struct estimate_warps *warps,
                       uint64_t ready, uint64_t cycle)
{
    struct greedy *g = state;
    int oldest = -1;
    (void)cycle;
    if (g->last != *g->none && (ready >> g->last & 1) != 0)
        return g->last;
    for (int slot = 0; slot < warps->slots; slot++)
        if ((ready >> slot & 1) != 0 &&
            (oldest < 0 || warps->age[slot] < warps->age[oldest]))
            oldest = slot;
    g->last = oldest;
    return oldest;
}

static void greedy_event(void *state, const struct estimate_warps *warps,
                         const struct estimate_warp_event *event)
{
    struct greedy *g = state;
    (void)warps;
    if (event->warp == g->last)
        g->last = *g->none;
}

static bool add_schedulers(struct estimate_context *c)
{
    static int none = -1;
    struct estimate_scheduler s;
    estimate_scheduler_init(&s, sizeof(s));
    s.name = "rounds";
    s.summary = "round-robin from outside";
    s.family = ESTIMATE_ROUND_ROBIN;
    s.state_size = sizeof(struct rounds);
    s.pick = rounds_pick;
    bool ok = estimate_scheduler_register(c, &s, NULL);
    CHECK(!estimate_scheduler_register(c, &s, NULL)); /* the name is taken */
    estimate_scheduler_init(&s, sizeof(s));
    s.name = "greedy";
    s.family = ESTIMATE_GREEDY;
    s.user = &none;
    s.state_size = sizeof(struct greedy);
    s.events = ESTIMATE_EVENT_WARP_LAUNCH;
    s.init = greedy_init;
    s.pick = greedy_pick;
    s.event = greedy_event;
    ok &= estimate_scheduler_register(c, &s, NULL);
    s.name = "nothing";
    s.pick = NULL;
    CHECK(!estimate_scheduler_register(c, &s, NULL));
    return ok;
}

void schedulers(void)
{
    static const struct estimate_policies p[] = {{.sched = "lrr"},
                                                 {.sched = "rounds"},
                                                 {.sched = "gto"},
                                                 {.sched = "greedy"}};
    struct estimate_error e;
    struct estimate_context *c = estimate_context_create(NULL);
    NEED(c != NULL && add_schedulers(c));
    CHECK(estimate_study_create(NULL, p, 4, &e) == NULL);
    CHECK(e.status == ESTIMATE_USAGE && strstr(e.text, "rounds") != NULL);
    struct estimate_study *s = estimate_study_create(c, p, 4, NULL);
    struct estimate_input *in = load("kmeans", 60);
    struct estimate_gpu *g = estimate_gpu_load("v100", NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    NEED(estimate_study_add(s, estimate_input_kernel(in, 0), g, NULL, 0, NULL));
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.mode = ESTIMATE_DETAILED;
    struct estimate_results *r = estimate_run(s, &o, NULL);
    NEED(r != NULL);
    double cycles[4];
    for (size_t i = 0; i < 4; i++)
        cycles[i] = estimate_result(r, 0, 0, i)->cycles;
    CHECK(cycles[0] == cycles[1]);
    CHECK(cycles[2] == cycles[3]);
    CHECK(cycles[0] != cycles[2]);
    CHECK(strcmp(estimate_result(r, 0, 0, 1)->sched, "rounds") == 0);
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_context_free(c);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

/* ---- the other kinds --------------------------------------------------------
 */

/* Blocks in grid order, one after another, as the built-in rr. */
struct in_order {
    uint64_t next;
    int ends; /* ends of blocks that were told */
};

static void in_order_start(void *state, const struct estimate_grid *grid)
{
    struct in_order *s = state;
    s->next = 0;
    *(int *)grid->user += 1;
}

static int64_t in_order_next(void *state, const struct estimate_grid *grid,
                             int sm)
{
    struct in_order *s = state;
    (void)sm;
    return s->next < grid->blocks ? (int64_t)s->next++ : -1;
}

static void in_order_event(void *state, const struct estimate_grid *grid,
                           const struct estimate_block_event *event)
{
    struct in_order *s = state;
    int *sm = (int *)(s + 1) + event->sm; /* the SM's own bytes */
    (void)grid;
    *sm += event->type == ESTIMATE_BLOCK_START;
    s->ends += event->type == ESTIMATE_BLOCK_END;
}

/* Half of what fits, as the sweep's tb says of the built-in one. */
static int half_limit(void *state, const struct estimate_grid *grid, int sm)
{
    (void)state;
    (void)sm;
    return grid->max_blocks / 2;
}

/* Least recently used, by a stamp on every way. */
struct stamps {
    uint64_t now;
    int ways;
};

static void stamps_init(void *state, const struct estimate_l1_start *start)
{
    ((struct stamps *)state)->ways = start->ways;
}

static uint64_t *stamp(struct stamps *s, int set, int way)
{
    return (uint64_t *)(s + 1) + (size_t)set * (size_t)s->ways + way;
}

static void stamps_use(void *state, int set, int way,
                       const struct estimate_l1_access *a)
{
    struct stamps *s = state;
    (void)a;
    *stamp(s, set, way) = ++s->now;
}

static int stamps_victim(void *state, int set, const uint8_t *locked,
                         const struct estimate_l1_access *a)
{
    struct stamps *s = state;
    int oldest = -1;
    (void)a;
    for (int way = 0; way < s->ways; way++)
        if (!locked[way] &&
            (oldest < 0 || *stamp(s, set, way) < *stamp(s, set, oldest)))
            oldest = way;
    return oldest;
}

static bool add_others(struct estimate_context *c, int *starts)
{
    struct estimate_block_scheduler b;
    estimate_block_scheduler_init(&b, sizeof(b));
    b.name = "in-order";
    b.user = starts;
    b.state_size = sizeof(struct in_order);
    b.sm_state_size = sizeof(int);
    b.kernel_start = in_order_start;
    b.next = in_order_next;
    b.event = in_order_event;
    bool ok = estimate_block_scheduler_register(c, &b, NULL);
    estimate_block_scheduler_init(&b, sizeof(b));
    b.name = "half";
    b.limit = half_limit;
    ok &= estimate_block_scheduler_register(c, &b, NULL);
    struct estimate_l1_policy l1;
    estimate_l1_policy_init(&l1, sizeof(l1));
    l1.name = "stamps";
    CHECK(!estimate_l1_policy_register(c, &l1, NULL)); /* no victim */
    l1.state_size = sizeof(struct stamps);
    l1.way_state_size = sizeof(uint64_t);
    l1.init = stamps_init;
    l1.hit = l1.fill = stamps_use;
    l1.victim = stamps_victim;
    return ok & estimate_l1_policy_register(c, &l1, NULL);
}

void other_kinds(void)
{
    static const struct estimate_policies p[] = {{.tb_sched = "rr"},
                                                 {.tb_sched = "in-order"},
                                                 {.tb_sched = "half"},
                                                 {.l1_policy = "stamps"}};
    int starts = 0;
    struct estimate_context *c = estimate_context_create(NULL);
    NEED(c != NULL && add_others(c, &starts));
    struct estimate_study *s = estimate_study_create(c, p, 4, NULL);
    struct estimate_input *in = load("kmeans", 90);
    struct estimate_gpu *g = estimate_gpu_load("m2090", NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    NEED(estimate_gpu_set_text(g, "l1.caches_global", "true", NULL));
    NEED(estimate_study_add(s, estimate_input_kernel(in, 0), g, (int[]){2, 4},
                            2, NULL));
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.mode = ESTIMATE_DETAILED;
    o.threads = 1;
    struct estimate_results *r = estimate_run(s, &o, NULL);
    NEED(r != NULL);
    for (size_t tb = 0; tb < 2; tb++) {
        double cycles = estimate_result(r, 0, tb, 0)->cycles;
        CHECK(estimate_result(r, 0, tb, 1)->cycles == cycles);
        CHECK(estimate_result(r, 0, tb, 2)->cycles != cycles);
        CHECK(estimate_result(r, 0, tb, 3)->cycles == cycles);
    }
    CHECK(estimate_result(r, 0, 1, 2)->cycles ==
          estimate_result(r, 0, 0, 0)->cycles);
    CHECK(starts == 2);
    CHECK(strcmp(estimate_result(r, 0, 0, 3)->l1_policy, "stamps") == 0);
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_context_free(c);
    estimate_gpu_free(g);
    estimate_input_free(in);
}
