/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists, GPUs and kernels of others. */
#include "check.h"

#include <estimate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void lists(void)
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

void slips(void)
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

void machines(void)
{
    struct estimate_error e;
    struct estimate_gpu *g = estimate_gpu_load("v100", &e);
    NEED(g != NULL);
    struct estimate_gpu *other = estimate_gpu_copy(g, &e);
    NEED(other != NULL);
    keys_of(other);
    struct estimate_measured of = estimate_gpu_measured(other);
    CHECK(of.kernels >= of.held && of.held > 0);
    CHECK(1 - of.less_pct / 100 < 1 + of.more_pct / 100);
    CHECK(estimate_gpu_hash(g) == estimate_gpu_hash(other));
    CHECK(estimate_gpu_set_text(other, "l1.mshr", "48", &e));
    CHECK(estimate_gpu_measured(other).kernels == 0);
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

void ptx(void)
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

void execution(void)
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
