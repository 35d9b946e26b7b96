/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of somebody else's, as far as it can be: it knows <estimate.h> and
 * the library, and does with them what the program does. Run from the folder of
 * the sources, whose PTX it loads. */
#include "check.h"

#include <estimate.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

bool holds(bool what, const char *file, int line, const char *text)
{
    passed += what;
    failed += !what;
    if (!what)
        printf("%s:%d: not so: %s\n", file, line, text);
    return what;
}

/* A grid small enough to be run in detail. */
static struct estimate_input *load(const char *input, uint32_t grid)
{
    struct estimate_error e = {0, ""};
    struct estimate_launch l;
    estimate_launch_init(&l, sizeof(l));
    l.grid.x = grid;
    struct estimate_input *in = estimate_input_load(input, &l, &e);
    if (in == NULL)
        printf("%s: %s\n", input, e.text);
    return in;
}

/* ---- lists -------------------------------------------------------------- */

static size_t count_names(const char *(*name)(size_t), const char *wanted)
{
    size_t n = 0, found = 0;
    for (; name(n) != NULL; n++)
        found += strcmp(name(n), wanted) == 0;
    CHECK(found == 1);
    return n;
}

static size_t count_policies(enum estimate_policy_kind kind, const char *wanted)
{
    const struct estimate_policy *p;
    size_t n = 0, found = 0;
    for (; (p = estimate_policy(NULL, kind, n)) != NULL; n++) {
        found += strcmp(estimate_policy_name(p), wanted) == 0;
        CHECK(estimate_policy_summary(p)[0] != '\0');
        CHECK(estimate_policy_paper(p)[0] != '\0');
    }
    CHECK(found == 1);
    CHECK(strcmp(estimate_policy_default(kind), wanted) == 0);
    return n;
}

/* A parameter at its default is not told. */
static void labels(void)
{
    struct estimate_param queue;
    const struct estimate_policy *p;
    char text[64], label[64];
    for (size_t i = 0; (p = estimate_policy(NULL, ESTIMATE_WARP, i)); i++) {
        if (!estimate_policy_param(&queue, sizeof(queue), p, 0))
            continue;
        snprintf(text, sizeof(text), "%s:%.0f", estimate_policy_name(p),
                 queue.fallback);
        CHECK(estimate_policy_label(label, sizeof(label), NULL, ESTIMATE_WARP,
                                    text, NULL));
        CHECK(strcmp(label, estimate_policy_name(p)) == 0);
    }
}

static void lists(void)
{
    CHECK(count_names(estimate_bundled_kernel, "lud") > 20);
    CHECK(count_names(estimate_default_kernel, "lud") == 14);
    CHECK(count_names(estimate_bundled_gpu, "v100") >= 8);
    CHECK(count_policies(ESTIMATE_WARP, "gto") >= 16);
    CHECK(count_policies(ESTIMATE_BLOCK, "rr") >= 8);
    CHECK(count_policies(ESTIMATE_L1, "lru") >= 4);
    labels();
    CHECK(strcmp(estimate_scheduler_l1(NULL, "cawa"), "cacp") == 0);
    CHECK(estimate_scheduler_l1(NULL, "gto") == NULL);
}

static void slips(void)
{
    struct estimate_error e;
    char label[64];
    CHECK(estimate_input_load("ludd", NULL, &e) == NULL);
    CHECK(e.status == ESTIMATE_USAGE && strstr(e.text, "'lud'") != NULL);
    CHECK(estimate_gpu_load("v10", &e) == NULL);
    CHECK(e.status == ESTIMATE_USAGE && strstr(e.text, "'v100'") != NULL);
    CHECK(estimate_key_find("l1.siz_kb", &e) == NULL);
    CHECK(e.status == ESTIMATE_USAGE && strstr(e.text, "l1.size_kb") != NULL);
    CHECK(!estimate_policy_label(label, sizeof(label), NULL, ESTIMATE_WARP,
                                 "gtoo", &e));
    CHECK(e.status == ESTIMATE_USAGE && strstr(e.text, "'gto'") != NULL);
    CHECK(estimate_input_load("no/such.kernel", NULL, NULL) == NULL);
    const struct estimate_launch never = {0};
    CHECK(estimate_input_load("lud", &never, &e) == NULL);
    CHECK(e.status == ESTIMATE_USAGE && strstr(e.text, "_init") != NULL);
}

/* ---- GPUs and their keys --------------------------------------------------
 */

static void keys_of(struct estimate_gpu *g)
{
    const struct estimate_key *k;
    for (size_t i = 0; (k = estimate_key(i)) != NULL; i++) {
        double value = estimate_gpu_get(g, k);
        CHECK(estimate_key_find(estimate_key_name(k), NULL) == k);
        CHECK(value >= estimate_key_min(k) && value <= estimate_key_max(k));
        CHECK(estimate_key_help(k)[0] != '\0');
        CHECK(estimate_gpu_set(g, k, value, NULL));
    }
}

/* Twice the bandwidth is twice the clock, unless that was set: before or after.
 */
static void bandwidth_of(const struct estimate_gpu *g)
{
    const struct estimate_key *gbps = estimate_key_find("dram.gbps", NULL);
    const struct estimate_key *clock =
        estimate_key_find("clock.dram_mhz", NULL);
    double twice = 2 * estimate_gpu_get(g, gbps);
    double before = estimate_gpu_get(g, clock);
    for (int set = 0; set < 3; set++) {
        struct estimate_gpu *other = estimate_gpu_copy(g, NULL);
        NEED(other != NULL);
        CHECK(set != 1 || estimate_gpu_set(other, clock, 500, NULL));
        CHECK(estimate_gpu_set(other, gbps, twice, NULL));
        CHECK(set != 2 || estimate_gpu_set(other, clock, 500, NULL));
        double now = estimate_gpu_get(other, clock);
        CHECK(set == 0 ? fabs(now / (2 * before) - 1) < 1e-12 : now == 500);
        estimate_gpu_free(other);
    }
}

static void machines(void)
{
    struct estimate_error e;
    struct estimate_gpu *g = estimate_gpu_load("v100", &e);
    NEED(g != NULL);
    struct estimate_gpu *other = estimate_gpu_copy(g, &e);
    NEED(other != NULL);
    keys_of(other);
    CHECK(estimate_gpu_hash(g) == estimate_gpu_hash(other));
    CHECK(estimate_gpu_set_text(other, "l1.mshr", "48", &e));
    CHECK(estimate_gpu_set_text(other, "coherence", "denovo", &e));
    CHECK(!estimate_gpu_set_text(other, "coherence", "mesi", &e));
    CHECK(e.status == ESTIMATE_USAGE);
    CHECK(!estimate_gpu_set_text(other, "l1.mshr", "-1", &e));
    const struct estimate_key *mshr = estimate_key_find("l1.mshr", &e);
    CHECK(estimate_gpu_get(other, mshr) == 48);
    CHECK(estimate_gpu_hash(g) != estimate_gpu_hash(other));
    bandwidth_of(g);
    char *config = estimate_gpu_config(other, &e);
    NEED(config != NULL);
    CHECK(strstr(config, "mshr = 48;") != NULL);
    CHECK(strstr(config, "coherence = \"denovo\";") != NULL);
    free(config);
    estimate_gpu_free(other);
    estimate_gpu_free(g);
}

/* ---- PTX under a launch ----------------------------------------------------
 */

static const char *const vector[] = {
    "640", "buf:640:f32:iota:a", "buf:640:f32:iota:b", "buf:640:f32:zero:c"};

static void vector_launch(struct estimate_launch *l)
{
    estimate_launch_init(l, sizeof(*l));
    l->grid.x = 10;
    l->block.x = 64;
    l->registers = 12;
    l->entry = "vectoradd";
    l->arg = vector;
    l->args = 4;
}

static void code(const struct estimate_kernel *k)
{
    struct estimate_code *c = estimate_code_create(k, 0, NULL);
    NEED(c != NULL);
    const struct estimate_phase *p;
    uint32_t instructions = 0, loads = 0;
    for (size_t i = 0; (p = estimate_code_phase(c, i)) != NULL; i++) {
        CHECK(p->first == instructions);
        instructions += p->count;
        loads += p->loads;
    }
    CHECK(instructions == estimate_kernel_launch(k, 0)->instructions);
    CHECK(loads == 2);
    CHECK(estimate_code_instruction(c, instructions) == NULL);
    CHECK(strcmp(estimate_code_instruction(c, instructions - 1)->class_name,
                 "exit") == 0);
    estimate_code_free(c);
    CHECK(estimate_code_create(k, 1, NULL) == NULL);
}

static void ptx(void)
{
    struct estimate_error e = {0, ""};
    struct estimate_launch l;
    vector_launch(&l);
    struct estimate_input *in =
        estimate_input_load("kernels/bundled/ptx/vectoradd.ptx", &l, &e);
    NEED(in != NULL);
    CHECK(estimate_input_kernels(in) == 1);
    const struct estimate_kernel *k = estimate_input_kernel(in, 0);
    CHECK(strcmp(estimate_kernel_info(k)->name, "vectoradd") == 0);
    const struct estimate_launch_info *i = estimate_kernel_launch(k, 0);
    CHECK(i->blocks == 10 && i->threads_per_block == 64 && i->registers == 12);
    CHECK(estimate_kernel_launch(k, 1) == NULL);
    code(k);
    estimate_input_free(in);
    l.entry = "vectorad";
    CHECK(estimate_input_load("kernels/bundled/ptx/vectoradd.ptx", &l, &e) ==
          NULL);
    CHECK(e.status == ESTIMATE_BAD_INPUT);
}

static void execution(void)
{
    struct estimate_launch l;
    vector_launch(&l);
    struct estimate_execution *x =
        estimate_execution_open("kernels/bundled/ptx/vectoradd.ptx", &l, NULL);
    NEED(x != NULL);
    uint64_t bytes = 0;
    CHECK(estimate_execution_buffer(x, "c", &bytes) && bytes == 4 * 640);
    CHECK(!estimate_execution_buffer(x, "d", NULL));
    const struct estimate_executed *done = estimate_execution_run(x, NULL);
    NEED(done != NULL);
    CHECK(done->blocks == 10);
    float c[2];
    CHECK(estimate_execution_read(x, "c", 4 * 638, c, sizeof(c), NULL));
    CHECK(c[0] == 2 * 638 && c[1] == 2 * 639);
    CHECK(!estimate_execution_read(x, "c", 4 * 639, c, sizeof(c), NULL));
    estimate_execution_close(x);
}

/* ---- studies ---------------------------------------------------------------
 */

struct told {
    int calls, done, total;
    bool back; /* done went back */
    int stop_after;
    volatile int stop;
};

static void progress(void *user, int done, int total)
{
    struct told *t = user;
    t->calls++;
    t->back |= done < t->done;
    t->done = done;
    t->total = total;
    if (t->stop_after > 0 && done >= t->stop_after)
        t->stop = 1;
}

static void same_by_column(const struct estimate_point *p)
{
    char text[64];
    const struct estimate_column *c = estimate_column_find("cycles");
    CHECK(estimate_column_value(c, p) == p->cycles);
    CHECK(estimate_column_text(text, sizeof(text), c, p) < sizeof(text));
    CHECK(fabs(strtod(text, NULL) - p->cycles) <= 0.05);
    c = estimate_column_find("sched");
    CHECK(strcmp(estimate_column_string(c, p), p->sched) == 0);
    CHECK(isnan(estimate_column_value(c, p)));
    c = estimate_column_find("seed");
    CHECK(estimate_column_value(c, p) == 1);
    CHECK(estimate_column_find("cycle") == NULL);
}

static void sweep(void)
{
    static const struct estimate_policies p[] = {{.sched = "lrr"},
                                                 {.sched = "gto"}};
    static const int tb[] = {1, 2, 4};
    struct estimate_input *in = load("lud", 64);
    struct estimate_gpu *g = estimate_gpu_load("m2090", NULL);
    struct estimate_study *s = estimate_study_create(NULL, p, 2, NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    const struct estimate_kernel *k = estimate_input_kernel(in, 0);
    NEED(estimate_study_add(s, k, g, tb, 3, NULL));
    CHECK(!estimate_study_add(s, k, g, (int[]){2, 1}, 2, NULL));
    CHECK(!estimate_study_add(s, k, g, (int[]){99}, 1, NULL));
    struct told told = {0};
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    CHECK(o.seed == 1 && o.mode == ESTIMATE_HYBRID && o.error_pct == 5);
    o.budget_insts = 200000;
    o.use_cache = false;
    o.progress = progress;
    o.user = &told;
    struct estimate_results *r = estimate_run(s, &o, NULL);
    NEED(r != NULL);
    CHECK(told.calls > 0 && told.done == told.total && !told.back);
    for (size_t i = 0; i < 6; i++) {
        const struct estimate_point *point =
            estimate_result(r, 0, i / 2, i % 2);
        CHECK(point->tb == tb[i / 2]);
        CHECK(strcmp(point->sched, p[i % 2].sched) == 0);
        CHECK(point->cycles_lo <= point->cycles);
        CHECK(point->cycles_hi >= point->cycles);
        CHECK((point->delta.pct == 0) == (i % 2 == 0));
        same_by_column(point);
    }
    CHECK(estimate_result(r, 0, 3, 0) == NULL);
    CHECK(estimate_result(r, 1, 0, 0) == NULL);
    CHECK(estimate_result(r, 0, 0, 2) == NULL);
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

static void cancelled(void)
{
    struct estimate_input *in = load("kmeans", 400);
    struct estimate_gpu *g = estimate_gpu_load("m2090", NULL);
    struct estimate_study *s = estimate_study_create(NULL, NULL, 0, NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    for (int tb = 1; tb <= 4; tb++)
        NEED(estimate_study_add(s, estimate_input_kernel(in, 0), g, &tb, 1,
                                NULL));
    struct told told = {.stop_after = 1};
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.mode = ESTIMATE_DETAILED;
    o.threads = 1;
    o.progress = progress;
    o.user = &told;
    o.cancel = &told.stop;
    struct estimate_results *r = estimate_run(s, &o, NULL);
    NEED(r != NULL);
    int whole = 0, partial = 0;
    for (size_t i = 0; i < 4; i++)
        if (estimate_result(r, i, 0, 0)->partial)
            partial++;
        else
            whole++;
    CHECK(whole == 1 && partial == 3);
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

/* Fit anew, with a report, into a folder of kept samples that the next run
 * reads.
 */
static void calibrate(const char *folder)
{
    struct estimate_input *in = load("lud", 1920);
    struct estimate_gpu *g = estimate_gpu_load("v100", NULL);
    struct estimate_study *s = estimate_study_create(NULL, NULL, 0, NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    NEED(estimate_study_add(s, estimate_input_kernel(in, 0), g,
                            (int[]){1, 2, 3, 4}, 4, NULL));
    struct told told = {0};
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.budget_insts = 200000;
    o.cache_dir = folder;
    o.refresh = true;
    o.progress = progress;
    o.user = &told;
    struct estimate_results *fresh = estimate_run(s, &o, NULL);
    NEED(fresh != NULL);
    const struct estimate_fit *f = estimate_result_fit(fresh, 0);
    CHECK(f->samples > 0 && f->sample_insts > 0 && told.calls > 0);
    CHECK(f->full_insts > (double)f->sample_insts);
    o.refresh = false;
    told = (struct told){0};
    struct estimate_results *kept = estimate_run(s, &o, NULL);
    NEED(kept != NULL);
    CHECK(told.calls == 0);
    for (size_t tb = 0; tb < 4; tb++)
        CHECK(estimate_result(kept, 0, tb, 0)->cycles ==
              estimate_result(fresh, 0, tb, 0)->cycles);
    estimate_results_free(kept);
    estimate_results_free(fresh);
    estimate_study_free(s);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

static void detail(void)
{
    struct estimate_input *in = load("nn", 40);
    struct estimate_gpu *g = estimate_gpu_load("m2090", NULL);
    struct estimate_study *s = estimate_study_create(
        NULL, &(struct estimate_policies){.tb_sched = "perfsat"}, 1, NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    NEED(estimate_study_add(s, estimate_input_kernel(in, 0), g, NULL, 0, NULL));
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.mode = ESTIMATE_DETAILED;
    o.accounts = true;
    struct estimate_results *r = estimate_run(s, &o, NULL);
    NEED(r != NULL);
    const struct estimate_point *p = estimate_result(r, 0, 0, 0);
    CHECK(strcmp(p->mode, "detailed") == 0 && p->sampled && !p->partial);
    CHECK(p->cycles_lo == p->cycles && p->cycles_hi == p->cycles);
    CHECK(fabs(p->stall.issued + p->stall.idle + p->stall.sb_mem +
               p->stall.sb_alu + p->stall.pipe_mem + p->stall.pipe_alu - 1) <
          1e-9);
    CHECK(fabs(p->served.l1 + p->served.remote + p->served.l2 +
               p->served.memory - 1) < 1e-9);
    const struct estimate_column *c;
    size_t columns = 0;
    for (; (c = estimate_column(columns)) != NULL; columns++) {
        char text[64];
        CHECK(estimate_column_text(text, sizeof(text), c, p) > 0);
        CHECK(estimate_column_find(estimate_column_name(c)) == c);
    }
    CHECK(columns == 45);
    CHECK(estimate_result_account(r, 0, 0, 0) != NULL);
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

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

static void schedulers(void)
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

static void other_kinds(void)
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

/* ---- threads ----------------------------------------------------------------
 */

struct shared {
    const struct estimate_study *study;
    double cycles;
};

static void *run_model(void *argument)
{
    struct shared *s = argument;
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.use_cache = false;
    o.budget_insts = 50000;
    struct estimate_results *r = estimate_run(s->study, &o, NULL);
    s->cycles = r != NULL ? estimate_result(r, 0, 0, 0)->cycles : NAN;
    estimate_results_free(r);
    return NULL;
}

/* One study, kernel and GPU used by several threads at once. */
static void threads(void)
{
    struct estimate_input *in = load("nn", 40);
    struct estimate_gpu *g = estimate_gpu_load("m2090", NULL);
    struct estimate_study *s = estimate_study_create(NULL, NULL, 0, NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    NEED(estimate_study_add(s, estimate_input_kernel(in, 0), g, NULL, 0, NULL));
    struct shared shared[3];
    pthread_t thread[3];
    for (int i = 0; i < 3; i++) {
        shared[i].study = s;
        NEED(pthread_create(&thread[i], NULL, run_model, &shared[i]) == 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        CHECK(shared[i].cycles > 0 && shared[i].cycles == shared[0].cycles);
    }
    estimate_study_free(s);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

/* ---- the program's own sweep -----------------------------------------------
 */

static void print_row(const struct estimate_point *p)
{
    const struct estimate_column *c;
    for (size_t i = 0; (c = estimate_column(i)) != NULL; i++) {
        char text[64];
        estimate_column_text(text, sizeof(text), c, p);
        printf("%s%s", i > 0 ? "," : "", text);
    }
    printf("\n");
}

/* The rows of `estimate --sched lrr,gto --sweep tb=1..LIMIT lud`. */
static void print_sweep(void)
{
    static const struct estimate_policies p[] = {{.sched = "lrr"},
                                                 {.sched = "gto"}};
    int tb[32], count = 0;
    struct estimate_input *in = load("lud", 64);
    struct estimate_gpu *g = estimate_gpu_load("m2090", NULL);
    struct estimate_study *s = estimate_study_create(NULL, p, 2, NULL);
    NEED(in != NULL && g != NULL && s != NULL);
    const struct estimate_kernel *k = estimate_input_kernel(in, 0);
    while (count < estimate_max_blocks(k, g, NULL))
        tb[count] = count + 1, count++;
    NEED(estimate_study_reference(s, 1, NULL));
    NEED(estimate_study_add(s, k, g, tb, (size_t)count, NULL));
    struct estimate_results *r = estimate_run(s, NULL, NULL);
    NEED(r != NULL);
    for (int i = 0; i < 2 * count; i++)
        print_row(estimate_result(r, 0, (size_t)i / 2, (size_t)i % 2));
    estimate_results_free(r);
    estimate_study_free(s);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[2], "sweep") == 0) {
        print_sweep();
        return failed > 0;
    }
    lists();
    slips();
    machines();
    ptx();
    execution();
    devices(argc > 1 ? argv[1] : ".");
    sweep();
    cancelled();
    calibrate(argc > 1 ? argv[1] : ".");
    detail();
    schedulers();
    other_kinds();
    threads();
    printf("outside: %d passed, %d failed\n", passed, failed);
    return failed > 0;
}
