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
struct estimate_input *load(const char *input, uint32_t grid)
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
