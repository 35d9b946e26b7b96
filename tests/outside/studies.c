/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies: sweeps, calibration, detail. */
#include "check.h"

#include <estimate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void sweep(void)
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

void cancelled(void)
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
void calibrate(const char *folder)
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

void detail(void)
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
