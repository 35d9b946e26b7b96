/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a runtime library does: kernels over memory of the program's own. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "check.h"

#include <estimate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define COUNT 640

static char *read_text(const char *path, size_t *size)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    *size = f != NULL && text != NULL ? fread(text, 1, (1 << 16) - 1, f) : 0;
    if (f != NULL)
        fclose(f);
    return text;
}

static float *map_arrays(void)
{
    void *at = (void *)(uintptr_t)ESTIMATE_DEVICE_FIRST;
    void *got = mmap(at, 3 * ESTIMATE_DEVICE_ALIGN, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return got == at ? at : NULL;
}

/* c = a + b; what is kept of the launch gives the same. */
static void launch(struct estimate_device *d, struct estimate_function *f,
                   float *array, const char *folder)
{
    struct estimate_error e;
    int n = COUNT;
    float *a = array, *b = a + ESTIMATE_DEVICE_ALIGN / sizeof(*a),
          *c = b + ESTIMATE_DEVICE_ALIGN / sizeof(*a);
    const void *const value[] = {&n, &a, &b, &c};
    const struct estimate_call call = {
        .grid = {10, 1, 1}, .block = {64, 1, 1}, .value = value};
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 2;
    }
    struct estimate_snapshot *s = estimate_snapshot_take(d, &e);
    NEED(s != NULL);
    CHECK(estimate_function_set(f, &call, &e));
    const struct estimate_executed *x = estimate_function_run(f, &e);
    NEED(x != NULL);
    CHECK(x->blocks == 10 && c[COUNT - 1] == COUNT + 1);
    CHECK(estimate_device_use(d, a) == ESTIMATE_READ);
    CHECK(estimate_device_use(d, c) == ESTIMATE_WRITTEN);
    CHECK(estimate_snapshot_write(s, f, folder, "kept", &e));
    estimate_snapshot_free(s);
    CHECK(estimate_device_remove(d, b));
    CHECK(estimate_function_run(f, &e) == NULL);
    CHECK(e.status == ESTIMATE_BAD_INPUT && strstr(e.text, "lane 0") != NULL);
}

static void run_kept(const char *folder)
{
    struct estimate_error e = {0, ""};
    char path[4096];
    snprintf(path, sizeof(path), "%s/kept.launch", folder);
    struct estimate_execution *x = estimate_execution_open(path, NULL, &e);
    float sum = 0;
    NEED(x != NULL);
    CHECK(estimate_execution_run(x, &e) != NULL);
    CHECK(estimate_execution_read(x, "b2", 4 * (COUNT - 1), &sum, sizeof(sum),
                                  &e));
    CHECK(sum == COUNT + 1);
    estimate_execution_close(x);
}

static void names(void)
{
    static const char *const rows[][2] = {
        {"saxpy", "saxpy"},
        {"_Z4vaddiPKfS0_Pf", "vadd"},
        {"_ZN4math3addEPf", "add"},
        {"_Z6reduceIfLi256EEvPT_", "reduce"},
        {"_Z", "_Z"},
        {"_Z99short", "_Z99short"},
        {"__nv_static_34__b2bca8fa_14_apart_there_cu_weight__Z8of_therePii",
         "of_there"},
        {"__nv_static_34__short", "__nv_static_34__short"},
    };
    char name[32];
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        estimate_short_name(name, sizeof(name), rows[i][0]);
        CHECK(strcmp(name, rows[i][1]) == 0);
    }
}

void devices(const char *folder)
{
    struct estimate_error e = {0, ""};
    size_t size;
    char *text = read_text("kernels/bundled/ptx/vectoradd.ptx", &size);
    struct estimate_device *d = estimate_device_create(&e);
    float *array = map_arrays();
    names();
    NEED(d != NULL && array != NULL && text != NULL);
    CHECK(!estimate_device_add(d, text, 1, &e));
    for (int i = 0; i < 3; i++)
        CHECK(estimate_device_add(
            d, array + (size_t)i * ESTIMATE_DEVICE_ALIGN / sizeof(*array),
            COUNT * sizeof(*array), &e));
    CHECK(estimate_module_load(d, "nothing", 7, "text", &e) == NULL);
    struct estimate_module *m = estimate_module_load(d, text, size, "text", &e);
    NEED(m != NULL);
    CHECK(estimate_module_bytes(m) == 0);
    CHECK(estimate_module_function(m, "vectorad", &e) == NULL);
    struct estimate_function *f = estimate_module_function(m, "vectoradd", &e);
    NEED(f != NULL);
    CHECK(estimate_module_function(m, "vectoradd", &e) == f);
    CHECK(estimate_function_info(f)->parameters == 4);
    launch(d, f, array, folder);
    run_kept(folder);
    estimate_device_free(d);
    free(text);
}
