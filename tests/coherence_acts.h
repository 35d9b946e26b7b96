/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applications of launches in each of which one SM does one thing. Under
 * `reset` block b of a grid of as many blocks as SMs runs on SM b, so what each
 * SM does is written out by `if block == ...`; every warp accesses a line. */
#ifndef TESTS_COHERENCE_ACTS_H
#define TESTS_COHERENCE_ACTS_H

#include "configs/gpu.h"
#include "sampler/policy/registry.h"
#include "sampler/sampler.h"
#include "tests/kernel_text.h"

#include <check.h>

/* Kernels that one SM runs alone, on line `line` of x: on `count` words of it
 * from `first` on; "ready" on y. */
#define KERNEL(name, what)                                                     \
    name ": { launch: { grid = SMS; block = 32; registers = 8; }; program = "  \
         "\"if block == sm\n" what "\nendif\nexit\"; };\n"
#define AT  "[x + 128*line + 4*(first + lane % count)]"
#define ALL "[x + 128*line + 4*lane]"
#define KERNELS                                                                \
    "buffers: { x = { bytes = 65536; }; y = { bytes = 65536; }; };\n"          \
    "kernels: {\n" KERNEL("store", "stg.4 " AT ", r1")                         \
        KERNEL("load", "ldg.4 r1, " AT) KERNEL("add", "red.4 " AT ", r1")      \
            KERNEL("ready", "ldg.4 r1, [y + 4*lane]") KERNEL(                  \
                "twice", "ldg.4 r1, " AT "\nfadd r2, r1\nldg.4 r3, " ALL)      \
                KERNEL("both", "ldg.4 r1, " AT "\nldg.4 r3, " ALL) "};\n"

/* One step: "store", "load" or "add" by an SM to a line, or "store FIRST COUNT"
 * and so on to words of it. "twice" loads words and, when they are there, all;
 * "both" does not wait. */
struct act {
    const char *kernel;
    int sm, line;
};

static inline struct gpu machine(int sms)
{
    struct gpu g;
    struct error e;
    ck_assert_msg(gpu_load(&g, "ikra", NULL, 0, &e), "%s", e.text);
    g.sms = sms;
    g.icache.perfect = 1;
    g.coherence = COHERENCE_DENOVO;
    return g;
}

static inline struct policy_set policies(const char *block)
{
    struct policy_set p;
    struct error e;
    ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, "gto", &e));
    ck_assert(choice_parse(&p.block, NULL, POLICY_BLOCK, block, &e));
    ck_assert(choice_parse(&p.l1, NULL, POLICY_L1, "lru", &e));
    return p;
}

/* Ends of blocks that took the longest: launches by their one active block. */
struct spans {
    uint64_t longest[16];
    int sms, blocks;
};

static inline bool note_span(void *user, const struct sampler_block *b)
{
    struct spans *s = user;
    uint64_t *longest = &s->longest[s->blocks++ / s->sms];
    uint64_t span = b->end - b->start;
    *longest = span > *longest ? span : *longest;
    return true;
}

static inline struct kernel_list load_text(const char *text)
{
    struct kernel_list l;
    struct error e;
    ck_assert_msg(kernel_file_load(&l, text, strlen(text), "t", NULL, &e), "%s",
                  e.text);
    return l;
}

static inline struct sampler_counts run_text(const char *text,
                                             const struct gpu *g,
                                             const char *block,
                                             struct spans *spans)
{
    struct kernel_list l = load_text(text);
    struct policy_set p = policies(block);
    struct sampler_run run;
    struct error e;
    struct sampler_options o = {.block_done = spans != NULL ? note_span : NULL,
                                .user = spans};
    ck_assert_msg(
        sampler_simulate(&run,
                         &(struct sampler_job){.kernel = l.kernel,
                                               .kernels = (int)l.count,
                                               .gpu = g,
                                               .policies = &p,
                                               .options = &o},
                         &e),
        "%s", e.text);
    kernel_list_free(&l);
    return run.counts;
}

static inline char *put(char *at, const char *text, int sms)
{
    for (const char *c = text; *c != '\0'; c++)
        if (strncmp(c, "SMS", 3) == 0) {
            at += sprintf(at, "%d", sms);
            c += 2;
        } else {
            *at++ = *c;
        }
    *at = '\0';
    return at;
}

/* The application of the first `count` acts, as text. */
static inline const char *acts_text(const struct act *act, int count,
                                    const struct gpu *g)
{
    static char text[TEXT_MAX];
    char *at = put(text, KERNELS, g->sms);
    at += sprintf(at, "application = (");
    for (int i = 0; i < count; i++) {
        char name[16];
        int first = 0, words = 32;
        ck_assert_int_ge(
            sscanf(act[i].kernel, "%15s %d %d", name, &first, &words), 1);
        at += sprintf(at,
                      "%s{ kernel = \"%s\"; arguments: { sm = %d; line = %d; "
                      "first = %d; count = %d; }; }",
                      i > 0 ? ", " : " ", name, act[i].sm, act[i].line, first,
                      words);
    }
    sprintf(at, " );");
    return text;
}

static inline struct kernel_list load_acts(const struct act *act, int count,
                                           const struct gpu *g)
{
    return load_text(acts_text(act, count, g));
}

/* The counts after the first `count` acts. */
static inline struct sampler_counts run_acts(const struct act *act, int count,
                                             const struct gpu *g,
                                             struct spans *spans)
{
    if (spans != NULL)
        *spans = (struct spans){.sms = g->sms};
    return run_text(acts_text(act, count, g), g, "reset", spans);
}

enum answer { L1, REMOTE, L2, MEMORY };

static inline void served(const struct sampler_counts *c, uint64_t out[4])
{
    out[L1] = c->served_l1;
    out[REMOTE] = c->served_remote;
    out[L2] = c->served_l2;
    out[MEMORY] = c->served_memory;
}

/* What answered each of the acts: the difference its launch makes. */
static inline void expect(const struct gpu *g, const struct act *act,
                          const enum answer *by, int count)
{
    uint64_t before[4] = {0}, after[4];
    for (int i = 0; i < count; i++) {
        struct sampler_counts c = run_acts(act, i + 1, g, NULL);
        served(&c, after);
        for (int s = 0; s < 4; s++) {
            ck_assert_msg(after[s] - before[s] == (s == (int)by[i]),
                          "act %d (%s by SM %d): class %d grows by %d", i,
                          act[i].kernel, act[i].sm, s,
                          (int)(after[s] - before[s]));
            before[s] = after[s];
        }
    }
}

#define EXPECT(g, acts, ...)                                                   \
    expect(g, acts, (const enum answer[]){__VA_ARGS__},                        \
           (int)(sizeof(acts) / sizeof((acts)[0])))

#endif
