/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain.h"

#include "cli/what_if_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double gpu_value(const struct plan_case *c, const char *key)
{
    return estimate_gpu_get(c->variant->gpu, estimate_key_find(key, NULL));
}

/* ---- resources ----------------------------------------------------------- */

static int by_share(const void *a, const void *b)
{
    const struct estimate_use *x = a, *y = b;
    return (x->share < y->share) - (x->share > y->share);
}

static void look_at_uses(struct explanation *x)
{
    struct estimate_use u;
    for (size_t i = 0;
         i < USES_MAX &&
         estimate_point_use(&u, sizeof(u), x->point, x->at->variant->gpu, i);
         i++) {
        x->use[x->uses++] = u;
        x->fact[FACT_ISSUE + i] = u.share;
        x->fact[FACT_HIGHEST] = fmax(x->fact[FACT_HIGHEST], u.share);
    }
    qsort(x->use, x->uses, sizeof(*x->use), by_share);
}

static void look_at_occupancy(struct explanation *x)
{
    const struct plan_case *c = x->at;
    const struct estimate_launch_info *l = estimate_kernel_launch(c->kernel, 0);
    estimate_occupancy(&x->fit, sizeof(x->fit), c->kernel, c->variant->gpu);
    int warps_per_block = ((int)l->threads_per_block + 31) / 32;
    x->warps = c->tb[0] * warps_per_block;
    x->warps_most = (int)gpu_value(c, "sm.max_warps");
    if (strcmp(x->fit.limit, "registers") == 0)
        x->fewer_registers = fewer_registers(c);
    if (strcmp(x->fit.limit, "shared memory") == 0)
        x->fewer_shared = fewer_shared_bytes(c);
    x->fact[FACT_OCCUPANCY] = (double)x->warps / x->warps_most;
    x->fact[FACT_BLOCKS] = (double)l->blocks / gpu_value(c, "sms");
    x->fact[FACT_WAVES] = x->fact[FACT_BLOCKS] / c->tb[0];
}

static void look_at_slots(struct explanation *x)
{
    const struct estimate_point *p = x->point;
    x->fact[FACT_IDLE] = p->stall.idle;
    x->fact[FACT_SB_MEM] = p->stall.sb_mem;
    x->fact[FACT_SB_ALU] = p->stall.sb_alu;
    x->fact[FACT_L1_MISS] = p->l1_miss;
    x->fact[FACT_L2_MISS] = p->l2_miss;
}

/* ---- code ---------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct source_line *x = a, *y = b;
    if (x->line != y->line)
        return (x->line > y->line) - (x->line < y->line);
    return (x->address > y->address) - (x->address < y->address);
}

static int by_weight(const void *a, const void *b)
{
    const struct source_line *x = a, *y = b;
    if (x->share != y->share)
        return (x->share < y->share) - (x->share > y->share);
    return by_place(a, b);
}

/* An instruction has its part of its phase by the cycles that it adds. */
static struct source_line line_of(const struct explanation *x, size_t phase,
                                  const struct estimate_instruction *i)
{
    const struct estimate_phase *p = estimate_code_phase(x->code, phase);
    bool load = strcmp(i->class_name, "load") == 0;
    return (struct source_line){
        .line = i->line,
        .address = i->line == 0 ? i->address : 0,
        .instructions = 1,
        .loads = load,
        .share =
            p->cycles > 0 ? x->phase_share[phase] * i->cycles / p->cycles : 0};
}

/* Lines that stand several times become one. */
static void join_lines(struct explanation *x)
{
    size_t n = 0;
    qsort(x->line, x->lines, sizeof(*x->line), by_place);
    for (size_t i = 0; i < x->lines; i++) {
        struct source_line *at = n > 0 ? &x->line[n - 1] : NULL;
        if (at == NULL || by_place(at, &x->line[i]) != 0) {
            x->line[n++] = x->line[i];
            continue;
        }
        at->instructions++;
        at->loads += x->line[i].loads;
        at->share += x->line[i].share;
    }
    x->lines = n;
    qsort(x->line, x->lines, sizeof(*x->line), by_weight);
}

static bool list_lines(struct explanation *x, struct estimate_error *e)
{
    const struct estimate_phase *p;
    size_t count = 0;
    for (size_t i = 0; i < x->phases; i++)
        count += estimate_code_phase(x->code, i)->count;
    x->line = calloc(count + 1, sizeof(*x->line));
    if (x->line == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; (p = estimate_code_phase(x->code, i)) != NULL; i++)
        for (uint32_t n = 0; n < p->count; n++)
            x->line[x->lines++] =
                line_of(x, i, estimate_code_instruction(x->code, p->first + n));
    join_lines(x);
    return true;
}

static bool look_at_code(struct explanation *x, struct estimate_error *e)
{
    const struct plan_case *c = x->at;
    x->code = estimate_code_create(c->kernel, 0, e);
    if (x->code == NULL)
        return false;
    while (estimate_code_phase(x->code, x->phases) != NULL)
        x->phases++;
    x->phase_share = calloc(x->phases + 1, sizeof(*x->phase_share));
    if (x->phase_share == NULL)
        return fail_no_memory(e);
    if (!estimate_phase_shares(x->phase_share, x->phases, c->kernel, 0,
                               c->variant->gpu, c->tb[0], e))
        return false;
    for (size_t i = 1; i < x->phases; i++)
        if (x->phase_share[i] > x->phase_share[x->heaviest])
            x->heaviest = i;
    return list_lines(x, e);
}

/* ---- advice -------------------------------------------------------------- */

/* Less than so many percent are nothing, as changes are shown. */
#define GAIN_PCT 0.5

static bool gains(const struct what_if *w)
{
    return w != NULL && !w->tie && w->pct <= -GAIN_PCT;
}

/* The rule is about what limits the point. */
static bool of_limiter(const struct explanation *x, const struct rule *r)
{
    for (int i = 0; i < CONDITIONS_MAX; i++)
        if (r->when[i].sign == '>' && r->when[i].fact < FACT_HIGHEST &&
            x->fact[r->when[i].fact] == x->fact[FACT_HIGHEST])
            return true;
    return false;
}

/* What is low comes first. */
static double place_of_advice(const struct explanation *x, const struct rule *r)
{
    const struct what_if *w = explanation_change(x, r->what_if);
    return of_limiter(x, r) ? -INFINITY : gains(w) ? w->pct : w == NULL ? 0 : 1;
}

static void list_advice(struct explanation *x)
{
    const struct rule *r;
    while (x->advices < ADVICE_MAX &&
           (r = rule_holding(x->fact, x->advices)) != NULL) {
        size_t at = x->advices++;
        for (; at > 0 &&
               place_of_advice(x, r) < place_of_advice(x, x->advice[at - 1]);
             at--)
            x->advice[at] = x->advice[at - 1];
        x->advice[at] = r;
    }
}

void explanation_advice(char *out, size_t size, const struct explanation *x,
                        size_t i)
{
    const struct rule *r = x->advice[i];
    const struct what_if *w = explanation_change(x, r->what_if);
    if (w == NULL || isnan(w->pct))
        snprintf(out, size, "%s", r->text);
    else
        snprintf(out, size, "%s (%s%s: %+.1f %%%s)", r->text,
                 gains(w) || w->tie ? "" : "Nothing is gained by ", w->change,
                 w->pct, w->tie ? ", a tie" : "");
}

/* ---- all of it ----------------------------------------------------------- */

bool explanation_create(struct explanation *x, const struct plan *p,
                        const struct options *o,
                        const struct estimate_results *results,
                        struct estimate_error *e)
{
    *x = (struct explanation){.options = o,
                              .plan = p,
                              .at = &p->at[0],
                              .results = results,
                              .point = estimate_result(results, 0, 0, 0)};
    look_at_uses(x);
    look_at_occupancy(x);
    look_at_slots(x);
    if (!look_at_code(x, e) || !what_if_run(&x->what_if, p, o, o->confirm, e))
        return false;
    list_advice(x);
    return true;
}

void explanation_free(struct explanation *x)
{
    what_if_free(&x->what_if);
    estimate_code_free(x->code);
    free(x->phase_share);
    free(x->line);
}

size_t explanation_changes(const struct explanation *x)
{
    size_t top = (size_t)x->options->top;
    return top > 0 && top < x->what_if.count ? top : x->what_if.count;
}

const struct what_if *explanation_change(const struct explanation *x,
                                         const char *key)
{
    for (size_t i = 0; key != NULL && i < x->what_if.count; i++)
        if (strcmp(x->what_if.item[i].key, key) == 0)
            return &x->what_if.item[i];
    return NULL;
}

bool explanation_stall(struct stall_row *out, const struct estimate_point *p,
                       size_t i)
{
    const struct stall_row rows[] = {
        {"issued", "an instruction issued", p->stall.issued},
        {"sb_mem", "waiting for memory", p->stall.sb_mem},
        {"sb_alu", "waiting for arithmetic", p->stall.sb_alu},
        {"pipe_mem", "memory pipeline full", p->stall.pipe_mem},
        {"pipe_alu", "other pipeline full", p->stall.pipe_alu},
        {"idle", "no instruction there", p->stall.idle},
    };
    if (i >= sizeof(rows) / sizeof(rows[0]))
        return false;
    *out = rows[i];
    return true;
}
