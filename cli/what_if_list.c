/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/what_if_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MORE 1.25 /* how much more of a resource of the GPU is tried */
#define ROOM 64   /* changes; more than there are rows and schedulers */

/* A key of the GPU that is tried: more of it, or less of a latency. */
static const struct hardware {
    const char *key, *what;
    enum change_kind kind;
    bool less;
} hardware[] = {
    {"sms", "SMs", CHANGE_EXTENT, false},
    {"clock.core_mhz", "core clock", CHANGE_EXTENT, false},
    {"dram.gbps", "DRAM bandwidth", CHANGE_TRAFFIC, false},
    {"dram.latency", "DRAM latency", CHANGE_SERVICE, true},
    {"l2.size_kb", "L2 size", CHANGE_TRAFFIC, false},
    {"l2.latency", "L2 latency", CHANGE_SERVICE, true},
    {"l2.port_bytes", "L2 port width", CHANGE_TRAFFIC, false},
    {"l1.size_kb", "L1 size", CHANGE_SERVICE, false},
    {"l1.mshr", "L1 MSHRs", CHANGE_SERVICE, false},
    {"l1.latency", "L1 latency", CHANGE_SERVICE, true},
    {"icnt.flit_bytes", "interconnect width", CHANGE_TRAFFIC, false},
    {"unit.sp", "SP pipelines", CHANGE_SERVICE, false},
    {"unit.sfu", "SFU pipelines", CHANGE_SERVICE, false},
};
#define HARDWARE (sizeof(hardware) / sizeof(hardware[0]))

static struct what_if *add(struct what_if_list *l, enum change_kind kind,
                           const char *key, int tb)
{
    static const char *const whose[CHANGE_KINDS] = {
        "hardware", "hardware", "hardware", "launch", "scheduler"};
    if (l->count == ROOM)
        return NULL;
    struct what_if *w = &l->item[l->count++];
    *w = (struct what_if){.kind = kind,
                          .key = key,
                          .whose = whose[kind],
                          .pct = NAN,
                          .lo = NAN,
                          .hi = NAN,
                          .confirmed = NAN,
                          .tb = tb};
    return w;
}

/* ---- the GPU ------------------------------------------------------------- */

/* A value that the key's type and range allow, the old one when none is. */
static double changed(const struct estimate_key *k, double old, double times)
{
    double value = old * times;
    if (estimate_key_type(k) == ESTIMATE_KEY_WHOLE)
        value = times > 1 ? ceil(value) : floor(value);
    value = fmin(value, estimate_key_max(k));
    return fmax(value, estimate_key_min(k));
}

/* The GPU with that much more or less; NULL where no such GPU is. */
static struct estimate_gpu *changed_gpu(const struct estimate_gpu *g,
                                        const struct estimate_key *k,
                                        double value)
{
    struct estimate_gpu *copy = estimate_gpu_copy(g, NULL);
    if (copy != NULL && value != estimate_gpu_get(g, k) &&
        estimate_gpu_set(copy, k, value, NULL) &&
        estimate_gpu_check(copy, NULL))
        return copy;
    estimate_gpu_free(copy);
    return NULL;
}

/* Not every size can be had: twice or half as much where a quarter cannot. */
static void add_hardware(struct what_if_list *l, const struct plan_case *c,
                         const struct hardware *h)
{
    const struct estimate_key *k = estimate_key_find(h->key, NULL);
    double old = estimate_gpu_get(c->variant->gpu, k), value = old;
    struct estimate_gpu *g = NULL;
    for (int i = 0; i < 2 && g == NULL; i++) {
        double times = i == 0 ? MORE : 2;
        value = changed(k, old, h->less ? 1 / times : times);
        g = changed_gpu(c->variant->gpu, k, value);
    }
    struct what_if *w = g != NULL ? add(l, h->kind, h->key, c->tb[0]) : NULL;
    if (w == NULL) {
        estimate_gpu_free(g);
        return;
    }
    bool counts = strstr(h->what, estimate_key_unit(k)) != NULL;
    w->gpu = g;
    estimate_key_text(k, value, w->value, sizeof(w->value));
    snprintf(w->change, CHANGE_MAX, "%s %g -> %g%s%s", h->what, old, value,
             counts ? "" : " ", counts ? "" : estimate_key_unit(k));
}

/* ---- the point ----------------------------------------------------------- */

static void add_blocks(struct what_if_list *l, const struct plan_case *c,
                       int by)
{
    int tb = c->tb[0] + by;
    struct what_if *w =
        tb >= 1 && tb <= c->tb_limit ? add(l, CHANGE_LAUNCH, "tb", tb) : NULL;
    if (w == NULL)
        return;
    snprintf(w->value, sizeof(w->value), "%d", tb);
    snprintf(w->change, CHANGE_MAX, "resident blocks %d -> %d", c->tb[0], tb);
}

static void add_schedulers(struct what_if_list *l, const struct plan *p)
{
    const struct plan_case *c = &p->at[0];
    const struct estimate_policy *s;
    for (size_t i = 0; (s = estimate_policy(NULL, ESTIMATE_WARP, i)); i++) {
        const char *name = estimate_policy_name(s);
        if (strcmp(name, p->policies.set[0].sched) == 0)
            continue;
        struct what_if *w = add(l, CHANGE_SCHEDULER, "sched", c->tb[0]);
        if (w == NULL)
            return;
        w->sched = name;
        snprintf(w->value, sizeof(w->value), "%s", name);
        snprintf(w->change, CHANGE_MAX, "scheduler %s -> %s",
                 p->policies.set[0].sched, name);
    }
}

/* ---- the launch ---------------------------------------------------------- */

static int blocks_with(const struct plan_case *c, uint32_t threads,
                       uint32_t registers, uint32_t shared)
{
    struct estimate_occupancy fit;
    estimate_block_occupancy(&fit, sizeof(fit), c->variant->gpu, threads,
                             registers, shared);
    return fit.blocks;
}

uint32_t fewer_registers(const struct plan_case *c)
{
    const struct estimate_launch_info *l = estimate_kernel_launch(c->kernel, 0);
    for (uint32_t n = l->registers; n-- > 1;)
        if (blocks_with(c, l->threads_per_block, n, l->shared_bytes) >
            c->tb_limit)
            return n;
    return 0;
}

uint32_t fewer_shared_bytes(const struct plan_case *c)
{
    const struct estimate_launch_info *l = estimate_kernel_launch(c->kernel, 0);
    for (uint32_t n = l->shared_bytes; n-- > 1;)
        if (blocks_with(c, l->threads_per_block, l->registers, n) > c->tb_limit)
            return n;
    return 0;
}

/* The only input again, launched otherwise, at as many blocks as fit then. */
static bool add_launch(struct what_if_list *l, const struct plan_case *c,
                       const struct options *o,
                       const struct estimate_launch *launch, const char *key,
                       const char *text)
{
    struct estimate_launch with = *launch;
    with.arch = o->launch.arch;
    struct estimate_input *in = estimate_input_load(o->input[0], &with, NULL);
    int tb = in == NULL ? 0
                        : estimate_max_blocks(estimate_input_kernel(in, 0),
                                              c->variant->gpu, NULL);
    struct what_if *w = tb > 0 ? add(l, CHANGE_LAUNCH, key, tb) : NULL;
    if (w == NULL) {
        estimate_input_free(in);
        return false;
    }
    w->input = in;
    snprintf(w->change, CHANGE_MAX, "%s", text);
    return true;
}

static void add_resources(struct what_if_list *l, const struct plan_case *c,
                          const struct options *o)
{
    const struct estimate_launch_info *now =
        estimate_kernel_launch(c->kernel, 0);
    uint32_t registers = fewer_registers(c), shared = fewer_shared_bytes(c);
    struct estimate_launch with = o->launch;
    char text[CHANGE_MAX];
    if (registers > 0) {
        with.registers = registers;
        snprintf(text, sizeof(text), "registers %u -> %u", now->registers,
                 registers);
        if (add_launch(l, c, o, &with, "regs", text))
            snprintf(l->item[l->count - 1].value, 32, "%u", registers);
    }
    with = o->launch;
    if (shared > 0) {
        with.shared_bytes = shared;
        snprintf(text, sizeof(text), "shared memory %u -> %u bytes",
                 now->shared_bytes, shared);
        if (add_launch(l, c, o, &with, "shared", text))
            snprintf(l->item[l->count - 1].value, 32, "%u", shared);
    }
}

/* Threads are only cut into other blocks where these are one-dimensional and
 * share nothing: nothing else tells that a kernel may be launched so. */
static void add_block_size(struct what_if_list *l, const struct plan_case *c,
                           const struct options *o, bool doubled)
{
    const struct estimate_launch_info *now =
        estimate_kernel_launch(c->kernel, 0);
    enum estimate_input_kind kind;
    struct estimate_launch with = o->launch;
    uint32_t block = doubled ? 2 * now->block.x : now->block.x / 2;
    uint32_t grid = doubled ? (now->grid.x + 1) / 2 : 2 * now->grid.x;
    char text[CHANGE_MAX];
    if (!estimate_input_kind(&kind, o->input[0], NULL) ||
        kind == ESTIMATE_TRACE || now->block.y > 1 || now->block.z > 1 ||
        now->grid.y > 1 || now->grid.z > 1 || now->shared_bytes > 0 ||
        block < 32 || block > 1024 || grid < 1)
        return;
    with.block = (struct estimate_dim){block, 1, 1};
    with.grid = (struct estimate_dim){grid, 1, 1};
    snprintf(text, sizeof(text), "block size %u -> %u", now->block.x, block);
    if (add_launch(l, c, o, &with, "block", text))
        snprintf(l->item[l->count - 1].value, 32, "%u", block);
}

bool what_if_collect(struct what_if_list *out, const struct plan *p,
                     const struct options *o, struct estimate_error *e)
{
    const struct plan_case *c = &p->at[0];
    *out = (struct what_if_list){.item = calloc(ROOM, sizeof(*out->item))};
    if (out->item == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; i < HARDWARE; i++)
        add_hardware(out, c, &hardware[i]);
    add_blocks(out, c, -1);
    add_blocks(out, c, 1);
    add_schedulers(out, p);
    if (estimate_kernel_info(c->kernel)->application || o->inputs != 1)
        return true;
    add_resources(out, c, o);
    add_block_size(out, c, o, false);
    add_block_size(out, c, o, true);
    return true;
}
