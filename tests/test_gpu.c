/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bundled.h"
#include "configs/gpu.h"
#include "configs/gpu_files.h"
#include "tests/gpu_named.h"

#include <check.h>
#include <libconfig.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t key_size(const struct gpu_key *k)
{
    return k->type == GPU_REAL ? sizeof(double) : sizeof(int);
}

/* ---- the table ---------------------------------------------------------- */

START_TEST(rows_are_sound)
{
    for (size_t i = 0; i < gpu_key_count; i++) {
        const struct gpu_key *k = &gpu_keys[i];
        ck_assert_msg(k->help[0] != '\0', "%s", k->key);
        ck_assert_msg(k->min <= k->fallback && k->fallback <= k->max, "%s",
                      k->key);
        ck_assert_ptr_eq(gpu_key_find(k->key), k);
        ck_assert_msg(k->source == NULL || k->source[0] != '\0', "%s", k->key);
        int names = 0;
        while (k->type == GPU_ENUM && k->names[names] != NULL)
            names++;
        ck_assert_msg(k->type != GPU_ENUM || names == k->max + 1, "%s", k->key);
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(gpu_keys[j].offset + key_size(&gpu_keys[j]) <=
                                  k->offset ||
                              k->offset + key_size(k) <= gpu_keys[j].offset,
                          "%s and %s share memory", gpu_keys[j].key, k->key);
    }
}
END_TEST

/* Behind what says what it is only alignment may be without a key. */
START_TEST(rows_cover_the_struct)
{
    static char covered[sizeof(struct gpu)];
    memset(covered, 1, offsetof(struct gpu, arch));
    for (size_t i = 0; i < gpu_key_count; i++)
        memset(covered + gpu_keys[i].offset, 1, key_size(&gpu_keys[i]));
    size_t holes = 0;
    for (size_t i = 0; i < sizeof(covered); i++) {
        if (covered[i])
            continue;
        holes++;
        size_t next = i;
        while (next < sizeof(covered) && !covered[next])
            next++;
        ck_assert_msg(next - i <= sizeof(int) && next % _Alignof(double) == 0,
                      "no key for the bytes at %zu", i);
    }
    /* A lost int can hide in a hole, a lost pair cannot; count them. */
    ck_assert_uint_le(holes, 8 * sizeof(int));
}
END_TEST

/* What may be missing at the end of a file has been printed before the end. */
START_TEST(the_last_key_must_be_stated)
{
    ck_assert_ptr_null(gpu_keys[gpu_key_count - 1].source);
}
END_TEST

START_TEST(keys_round_trip_alone)
{
    struct gpu before, after;
    gpu_defaults(&before);
    for (size_t i = 0; i < gpu_key_count; i++) {
        const double ends[] = {gpu_keys[i].min, gpu_keys[i].max};
        for (int end = 0; end < 2; end++) {
            after = before;
            ck_assert(gpu_key_set(&after, &gpu_keys[i], ends[end], NULL));
            ck_assert_double_eq(gpu_key_get(&after, &gpu_keys[i]), ends[end]);
            gpu_key_set(&after, &gpu_keys[i], gpu_keys[i].fallback, NULL);
            ck_assert_mem_eq(&after, &before, sizeof(after));
        }
    }
}
END_TEST

START_TEST(bad_values_are_refused)
{
    struct gpu g, before;
    gpu_defaults(&g);
    before = g;
    for (size_t i = 0; i < gpu_key_count; i++) {
        const struct gpu_key *k = &gpu_keys[i];
        const double bad[] = {k->min - 1, k->max + 1, NAN, INFINITY,
                              k->min + 0.5};
        int count = k->type == GPU_REAL ? 4 : 5;
        for (int b = 0; b < count; b++) {
            struct error e = {0};
            ck_assert_msg(!gpu_key_set(&g, k, bad[b], &e), "%s = %g", k->key,
                          bad[b]);
            ck_assert_int_eq(e.status, STATUS_USAGE);
            ck_assert_ptr_nonnull(strstr(e.text, k->key));
        }
    }
    ck_assert_mem_eq(&g, &before, sizeof(g));
}
END_TEST

START_TEST(hash_sees_every_key_and_no_name)
{
    struct gpu a = gpu_named("m2090");
    for (size_t i = 0; i < gpu_key_count; i++) {
        struct gpu b = a;
        const struct gpu_key *k = &gpu_keys[i];
        double other = gpu_key_get(&a, k) == k->min ? k->max : k->min;
        ck_assert(gpu_key_set(&b, k, other, NULL));
        ck_assert_msg(gpu_hash(&a) != gpu_hash(&b), "%s", k->key);
    }
    struct gpu b = a;
    strcpy(b.name, "other");
    strcpy(b.summary, "other");
    ck_assert_uint_eq(gpu_hash(&a), gpu_hash(&b));
}
END_TEST

/* ---- keys as text ------------------------------------------------------- */

/* Every value of bundled GPUs, and the ends of ranges. */
START_TEST(text_round_trips)
{
    struct gpu a = gpu_named("ikra"), b = gpu_named("v100");
    for (size_t i = 0; i < gpu_key_count; i++) {
        const struct gpu_key *k = &gpu_keys[i];
        const double values[] = {gpu_key_get(&a, k), gpu_key_get(&b, k), k->min,
                                 k->max};
        for (int v = 0; v < 4; v++) {
            struct gpu from = a, to = b;
            struct error e = {0};
            char text[GPU_VALUE_BYTES];
            ck_assert(gpu_key_set(&from, k, values[v], NULL));
            ck_assert(gpu_get(&from, k->key, text, sizeof(text), &e));
            ck_assert_msg(gpu_set(&to, k->key, text, &e), "%s", e.text);
            ck_assert_double_eq(gpu_key_get(&to, k), values[v]);
        }
    }
}
END_TEST

static const struct {
    const char *key, *text, *part;
} bad_value[] = {
    {"l1.sizekb", "48", "unknown key 'l1.sizekb', did you mean 'l1.size_kb'?"},
    {"something else", "48", "unknown key 'something else'"},
    {"l1.size_kb", "48k", "l1.size_kb is '48k': expected 0.125..4096 KiB"},
    {"l1.size_kb", "", "expected 0.125..4096 KiB"},
    {"l1.size_kb", "5000", "expected 0.125..4096 KiB"},
    {"l1.size_kb", "nan", "expected 0.125..4096 KiB"},
    {"sms", "2.5", "sms = 2.5: expected an integer SMs"},
    {"sm.sub_core", "1", "sm.sub_core is '1': expected true or false"},
    {"coherence", "0", "coherence is '0': expected \"gpu\", \"denovo\""},
};

START_TEST(bad_texts_are_refused)
{
    struct gpu g = gpu_named("m2090"), before = g;
    struct error e = {0};
    ck_assert(!gpu_set(&g, bad_value[_i].key, bad_value[_i].text, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert_msg(strstr(e.text, bad_value[_i].part) != NULL,
                  "'%s' not in '%s'", bad_value[_i].part, e.text);
    ck_assert_mem_eq(&g, &before, sizeof(g));
}
END_TEST

/* ---- files -------------------------------------------------------------- */

/* Every key of g as libconfig text, one setting a line. */
static void write_text(FILE *f, const struct gpu *g)
{
    fprintf(f, "name = \"%s\";\nsummary = \"%s\";\n", g->name, g->summary);
    const char *group = "";
    size_t length = 0;
    for (size_t i = 0; i < gpu_key_count; i++) {
        const struct gpu_key *k = &gpu_keys[i];
        const char *dot = strchr(k->key, '.');
        size_t own = dot != NULL ? (size_t)(dot - k->key) : 0;
        if (own != length || strncmp(group, k->key, own) != 0) {
            fprintf(f, "%s", length > 0 ? "};\n" : "");
            if (own > 0)
                fprintf(f, "%.*s = {\n", (int)own, k->key);
        }
        group = k->key;
        length = own;
        double value = gpu_key_get(g, k);
        fprintf(f, "%s = ", dot != NULL ? dot + 1 : k->key);
        if (k->type == GPU_ENUM)
            fprintf(f, "\"%s\";\n", k->names[(int)value]);
        else if (k->type == GPU_BOOL)
            fprintf(f, "%s;\n", value != 0 ? "true" : "false");
        else
            fprintf(f, k->type == GPU_INT ? "%.0f;\n" : "%.17e;\n", value);
    }
}

START_TEST(files_round_trip)
{
    size_t count;
    const char *const *names = gpu_bundled_names(&count);
    for (size_t i = 0; i < count; i++) {
        struct gpu g = gpu_named(names[i]), back;
        char folder[] = "/tmp/test_gpu_XXXXXX", path[64];
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof(path), "%s/x.cfg", folder);
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        write_text(f, &g);
        fclose(f);
        struct error e = {0};
        bool good = gpu_load(&back, path, NULL, 0, &e);
        remove(path);
        remove(folder);
        ck_assert_msg(good, "%s", e.text);
        ck_assert_uint_eq(gpu_hash(&g), gpu_hash(&back));
        ck_assert_str_eq(g.name, back.name);
        ck_assert_str_eq(g.summary, back.summary);
    }
}
END_TEST

static const struct {
    const char *text;
    const char *part[2]; /* of the message */
} bad_text[] = {
    {"arch = 20;\nsmss = 15;", {"x.cfg:2: ", "did you mean 'sms'?"}},
    {"l1 = {\n\n size_kbb = 16; };", {"x.cfg:3: ", "'l1.size_kb'?"}},
    {"l11 = { size_kb = 16; };", {"x.cfg:1: ", "'l1.size_kb'?"}},
    {"sm = { integer = { a = 1; }; };", {"x.cfg:1: ", "'sm.integer'"}},
    {"qqqqqqqqqqqq = 1;", {"x.cfg:1: ", "'qqqqqqqqqqqq'"}},
    {"l1 = {};", {"x.cfg:1: ", "'l1'"}},
    {"sms = 0;", {"x.cfg:1: ", "expected 1..1024 SMs"}},
    {"sms = 1.5;", {"x.cfg:1: ", "expected an integer"}},
    {"sms = \"many\";", {"x.cfg:1: ", "is a string, expected a number"}},
    {"sms = true;", {"x.cfg:1: ", "is true or false, expected a number"}},
    {"sms = { x = 1; };", {"x.cfg:1: ", "is a group, expected a number"}},
    {"sms = [1, 2];", {"x.cfg:1: ", "is a list, expected a number"}},
    {"sm = { sub_core = 1; };", {"x.cfg:1: ", "expected true or false"}},
    {"l1 = { write_policy = \"bak\"; };",
     {"'bak'", "expected \"through\", \"update\", \"back\""}},
    {"coherence = 1;", {"is an integer", "expected \"gpu\", \"denovo\""}},
    {"name = 5;", {"x.cfg:1: ", "name is an integer, expected a string"}},
    {"\nsms = = 3;", {"x.cfg:2: ", "syntax error"}},
    {"sms = 3;\nsms = 4;", {"x.cfg:2: ", "duplicate"}},
    {"base = \"m2090\"; l1 = { size_kb = 17.25; };",
     {"x.cfg: ", "l1.size_kb is 17.25"}},
    {"", {"x.cfg: no key 'arch' (and 1", "such as base = \"m2090\""}},
    {"# nothing\n", {"x.cfg: no key 'arch' (and 1", "expected every key"}},
    {"arch = 20; sms = 15;", {"x.cfg: no key 'clock.core_mhz' (and 1", ""}},
    {"\nbase = 5;", {"x.cfg:2: base is an integer, expected a string", ""}},
    {"\nbase = \"m209\";", {"x.cfg:2: base: ", "did you mean 'm2090'?"}},
    {"base = \"/nowhere/y.cfg\";", {"x.cfg:1: base: /nowhere/y.cfg: ", ""}},
    {"base = \"m2090\"; l1 = { base = \"v100\"; };", {"x.cfg:1: ", "l1.base"}},
};

START_TEST(bad_files_are_explained)
{
    struct gpu g;
    struct error e = {0};
    ck_assert(!gpu_parse(&g, bad_text[_i].text, "x.cfg", &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    for (int p = 0; p < 2; p++)
        ck_assert_msg(strstr(e.text, bad_text[_i].part[p]) != NULL,
                      "'%s' not in '%s'", bad_text[_i].part[p], e.text);
}
END_TEST

START_TEST(names_and_paths)
{
    struct gpu g;
    struct error e = {0};
    ck_assert(!gpu_load(&g, "m209", NULL, 0, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(e.text, "'m2090'"));
    ck_assert(!gpu_load(&g, "something else", NULL, 0, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert(!gpu_load(&g, "/nowhere/x.cfg", NULL, 0, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "/nowhere/x.cfg"));
    ck_assert(!gpu_load(&g, "/tmp/", NULL, 0, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert(gpu_parse(&g, "base = \"m2090\";", "/some/where/mine.cfg", &e));
    ck_assert_str_eq(g.name, "mine");
}
END_TEST

/* ---- files based on others ---------------------------------------------- */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static bool load_file(struct gpu *g, const char *folder, const char *name,
                      struct error *e)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return gpu_load(g, path, NULL, 0, e);
}

static const struct {
    const char *name, *text;
} chain[] = {
    {"near.cfg", "l1 = { mshr = 7; };\nbase = \"v100\"; summary = \"s\";"},
    {"sub/far.cfg", "name = \"other\"; base = \"../near.cfg\"; sms = 40;"},
    {"a.cfg", "\nbase = \"./b.cfg\";"},
    {"b.cfg", "sms = 3;\n\nbase = \"sub/../a.cfg\";"},
    {"self.cfg", "base = \"self.cfg\";"},
    {"wrong.cfg", "base = \"m2090\";\nsmss = 3;"},
    {"on_wrong.cfg", "base = \"wrong.cfg\";"},
    {"part.cfg", "sms = 3;"},
    {"seen.cfg", "base = \"v100\"; measured = { kernels = 20; held = 19; "
                 "less_pct = 10.5; more_pct = -2; };"},
    {"on_seen.cfg", "base = \"seen.cfg\"; sms = 9;"},
    {"odd.cfg", "base = \"v100\";\nmeasured = { kernel = 20; };"},
    {"less.cfg", "base = \"v100\"; measured = { less_pct = 101; };"},
    {"all.cfg", "base = \"v100\"; measured = { kernels = 2; held = 3; };"},
    {"on_part.cfg", "base = \"part.cfg\"; arch = 70;"},
};
#define CHAIN (sizeof(chain) / sizeof(chain[0]))

static const struct {
    const char *name, *part;
} chain_errors[] = {
    {"a.cfg", "b.cfg:3: base: "},
    {"a.cfg", "a.cfg leads back to itself"},
    {"self.cfg", "self.cfg:1: base: "},
    {"on_wrong.cfg", "/wrong.cfg:2: unknown key 'smss'"},
    {"on_part.cfg", "on_part.cfg: no key 'clock.core_mhz'"},
    {"odd.cfg", "odd.cfg:2: unknown setting 'measured.kernel'"},
    {"less.cfg",
     "less.cfg:1: measured.less_pct: expected a number, -1e+06..100"},
    {"all.cfg", "all.cfg: measured: expected all of kernels, held"},
};

static void check_chain(const char *folder)
{
    struct gpu g, v = gpu_named("v100");
    struct error e = {0};
    ck_assert_msg(load_file(&g, folder, "near.cfg", &e), "%s", e.text);
    ck_assert_str_eq(g.name, "near");
    ck_assert_str_eq(g.summary, "s");
    v.l1.mshr = 7;
    ck_assert_uint_eq(gpu_hash(&g), gpu_hash(&v));
    ck_assert_msg(load_file(&g, folder, "sub/far.cfg", &e), "%s", e.text);
    ck_assert_str_eq(g.name, "other");
    ck_assert_str_eq(g.summary, "");
    v.sms = 40;
    ck_assert_uint_eq(gpu_hash(&g), gpu_hash(&v));
    /* what was measured on a GPU says nothing of one that is based on it */
    ck_assert_msg(load_file(&g, folder, "seen.cfg", &e), "%s", e.text);
    ck_assert_double_eq(g.measured.kernels, 20);
    ck_assert_double_eq(g.measured.held, 19);
    ck_assert_double_eq(g.measured.less_pct, 10.5);
    ck_assert_double_eq(g.measured.more_pct, -2);
    ck_assert_msg(load_file(&g, folder, "on_seen.cfg", &e), "%s", e.text);
    ck_assert_double_eq(g.measured.kernels, 0);
    for (size_t i = 0; i < sizeof(chain_errors) / sizeof(*chain_errors); i++) {
        ck_assert(!load_file(&g, folder, chain_errors[i].name, &e));
        ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
        ck_assert_msg(strstr(e.text, chain_errors[i].part) != NULL,
                      "'%s' not in '%s'", chain_errors[i].part, e.text);
    }
}

START_TEST(files_based_on_others)
{
    char folder[] = "/tmp/test_gpu_XXXXXX", path[128];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/sub", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    for (size_t i = 0; i < CHAIN; i++)
        write_file(folder, chain[i].name, chain[i].text);
    check_chain(folder);
    for (size_t i = 0; i < CHAIN; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, chain[i].name);
        remove(path);
    }
    snprintf(path, sizeof(path), "%s/sub", folder);
    remove(path);
    remove(folder);
}
END_TEST

static char *whole_text(const struct gpu *g, size_t *size)
{
    char *text;
    FILE *f = open_memstream(&text, size);
    ck_assert_ptr_nonnull(f);
    write_text(f, g);
    fclose(f);
    return text;
}

/* What is left of a printed configuration is refused or the same GPU, wherever
 * it was cut off. */
START_TEST(cut_off_files_are_refused)
{
    static const char *const names[] = {"ikra", "v100", "m2090"};
    struct gpu g = gpu_named(names[_i]), back;
    size_t size, refused = 0;
    char *text = whole_text(&g, &size);
    for (size_t cut = size; cut-- > 0;) {
        struct error e = {0};
        text[cut] = '\0';
        if (gpu_parse(&back, text, "x.cfg", &e)) {
            ck_assert_uint_eq(gpu_hash(&g), gpu_hash(&back));
            ck_assert_str_eq(g.name, back.name);
            continue;
        }
        ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
        refused++;
    }
    ck_assert_uint_ge(refused, size - 10);
    free(text);
}
END_TEST

/* ---- what spans keys ---------------------------------------------------- */

static const struct {
    const char *key;
    double value;
    const char *part;
} inconsistent[] = {
    {"sm.schedulers", 5, "sm.max_warps is 48"},
    {"l1.size_kb", 16.25, "l1.size_kb is 16.25: expected a multiple of 0.5"},
    {"l1.line_bytes", 96, "powers of two"},
    {"l1.sector_bytes", 256, "l1.sector_bytes is 256"},
    {"l2.banks", 8, "l2.banks is 8"},
    {"l2.ways", 7, "l2.size_kb is 768"},
    {"l2.line_bytes", 64, "l2.line_bytes is 64"},
    {"dram.channels", 5, "l2.banks is 12"},
    {"dram.banks", 6, "dram.banks is 6"},
    {"dram.row_bytes", 4000, "dram.row_bytes is 4000"},
    {"dram.interleave_bytes", 64, "dram.interleave_bytes is 64"},
    {"icache.ways", 3, "icache.size_kb is 2"},
    {"collector.mem", 0, "collector.generic is 0"},
    {"unit.dp", 2, "collector.dp is 0"},
    {"unit.tensor", 2, "collector.tensor is 0"},
};

START_TEST(inconsistencies_are_found)
{
    struct gpu g = gpu_named("m2090");
    struct error e = {0};
    ck_assert(gpu_key_set(&g, gpu_key_find(inconsistent[_i].key),
                          inconsistent[_i].value, NULL));
    ck_assert(!gpu_validate(&g, &e));
    ck_assert_msg(strstr(e.text, inconsistent[_i].part) != NULL,
                  "'%s' not in '%s'", inconsistent[_i].part, e.text);
}
END_TEST

/* A file over another one that says another bandwidth, and what its clock is
 * then: that of the base in proportion, or the one it states. */
static const struct {
    const char *text;
    double gbps, dram_mhz;
} bandwidths[] = {
    {"base = \"v100\"; dram = { gbps = 449.0; };", 449, 438.5},
    {"base = \"v100\"; dram = { gbps = 1796.0; };", 1796, 1754},
    {"base = \"v100\"; dram = { gbps = 449.0; }; clock = { dram_mhz = 700.0; "
     "};",
     449, 700},
    {"base = \"v100\"; clock = { dram_mhz = 700.0; };", 898, 700},
    {"base = \"v100\"; sms = 40;", 898, 877},
};

START_TEST(the_clock_of_memory_goes_with_its_bandwidth)
{
    struct gpu g;
    struct error e = {0};
    ck_assert_msg(gpu_parse(&g, bandwidths[_i].text, "x.cfg", &e), "%s",
                  e.text);
    ck_assert_double_eq(g.dram.gbps, bandwidths[_i].gbps);
    ck_assert_double_eq_tol(g.clock.dram_mhz, bandwidths[_i].dram_mhz, 1e-9);
}
END_TEST

START_TEST(near_is_not_further_than_far)
{
    static const char *const of[] = {"l2", "remote", "memory"};
    char near[32], far[32];
    struct gpu g = gpu_named("ikra");
    struct error e = {0};
    snprintf(near, sizeof(near), "mesh.%s_near", of[_i]);
    snprintf(far, sizeof(far), "mesh.%s_far", of[_i]);
    const struct gpu_key *n = gpu_key_find(near), *f = gpu_key_find(far);
    ck_assert(gpu_key_set(&g, n, gpu_key_get(&g, f), &e));
    ck_assert(gpu_validate(&g, &e));
    ck_assert(gpu_key_set(&g, n, gpu_key_get(&g, f) + 1, &e));
    ck_assert(!gpu_validate(&g, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert(strstr(e.text, near) != NULL && strstr(e.text, far) != NULL);
}
END_TEST

START_TEST(sub_cores_need_equal_shares)
{
    struct gpu g = gpu_named("v100");
    struct error e = {0};
    g.unit.dp = 2;
    ck_assert(!gpu_validate(&g, &e));
    ck_assert_ptr_nonnull(strstr(e.text, "unit.dp is 2"));
    g.sm.sub_core = 0;
    ck_assert(gpu_validate(&g, &e));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu");
    TCase *c = tcase_create("all");
    tcase_add_test(c, rows_are_sound);
    tcase_add_test(c, rows_cover_the_struct);
    tcase_add_test(c, the_last_key_must_be_stated);
    tcase_add_test(c, keys_round_trip_alone);
    tcase_add_test(c, bad_values_are_refused);
    tcase_add_test(c, hash_sees_every_key_and_no_name);
    tcase_add_test(c, text_round_trips);
    tcase_add_loop_test(c, bad_texts_are_refused, 0,
                        sizeof(bad_value) / sizeof(bad_value[0]));
    tcase_add_test(c, files_round_trip);
    tcase_add_loop_test(c, bad_files_are_explained, 0,
                        sizeof(bad_text) / sizeof(bad_text[0]));
    tcase_add_test(c, names_and_paths);
    tcase_add_test(c, files_based_on_others);
    tcase_add_loop_test(c, cut_off_files_are_refused, 0, 3);
    tcase_add_loop_test(c, inconsistencies_are_found, 0,
                        sizeof(inconsistent) / sizeof(inconsistent[0]));
    tcase_add_loop_test(c, the_clock_of_memory_goes_with_its_bandwidth, 0,
                        sizeof(bandwidths) / sizeof(bandwidths[0]));
    tcase_add_loop_test(c, near_is_not_further_than_far, 0, 3);
    tcase_add_test(c, sub_cores_need_equal_shares);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
