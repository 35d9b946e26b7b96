/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/lab.h"
#include "kernels/load.h"

#include "model/model.h"
#include "sampler/policy/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_SIZE 256

struct memo {
    char key[KEY_SIZE];
    struct sampler_run run;
    struct memo *next;
};

struct lab {
    bool full;
    struct memo *memo;
};

/* What is run of a point. */
struct part {
    struct gpu gpu;
    int first, launches;
    uint64_t blocks; /* of each launch, 0 = all */
};

struct lab *lab_create(bool full)
{
    struct lab *l = calloc(1, sizeof(*l));
    if (l != NULL)
        l->full = full;
    return l;
}

void lab_free(struct lab *l)
{
    while (l != NULL && l->memo != NULL) {
        struct memo *next = l->memo->next;
        free(l->memo);
        l->memo = next;
    }
    free(l);
}

/* Field `n` of "a/b/c" into out, `fallback` when it is missing or empty. */
static void policy_field(char *out, size_t size, const char *text, int n,
                         const char *fallback)
{
    for (; n > 0 && text != NULL; n--) {
        text = strchr(text, '/');
        text = text != NULL ? text + 1 : NULL;
    }
    size_t length = text != NULL ? strcspn(text, "/") : 0;
    if (length == 0)
        snprintf(out, size, "%s", fallback);
    else
        snprintf(out, size, "%.*s", (int)length, text);
}

static bool parse_policies(struct policy_set *out, const char *text,
                           struct error *e)
{
    char warp[64], block[64], l1[64];
    policy_field(warp, sizeof(warp), text, 0, "lrr");
    policy_field(block, sizeof(block), text, 1, "rr");
    policy_field(l1, sizeof(l1), text, 2, "lru");
    return policy_set_parse(out, NULL, warp, block, l1, e);
}

static bool load_gpu(struct gpu *g, const struct point *p, struct error *e)
{
    if (!gpu_load(g, p->gpu, NULL, 0, e))
        return false;
    if (p->key == NULL)
        return true;
    const struct gpu_key *key = gpu_key_find(p->key);
    if (key == NULL)
        return error_set(e, STATUS_USAGE, "%s: no such GPU key", p->key);
    return gpu_key_set(g, key, p->value, e) && gpu_validate(g, e);
}

/* Warp instructions of a launch; below 0 with e. */
static double launch_insts(const struct kernel *k, const struct gpu *g,
                           struct error *e)
{
    struct profile *p = profile_create(k, g, 1, e);
    if (p == NULL)
        return -1;
    double insts = profile_warp_insts(p);
    profile_free(p);
    return insts;
}

/* Of `share` blocks at most `most`: full waves and the grid's own last, uneven
 * one, in which schedulers differ most; one wave when there is no room. */
static double window_blocks(double share, double wave, double most)
{
    if (share <= most)
        return share;
    double rest = fmod(share, wave);
    double blocks = rest + wave * floor((most - rest) / wave);
    return fmax(blocks, wave);
}

/* A window of at most QUICK_INSTS of launch k, which takes `insts`: on the
 * whole GPU where the fewest waves fit, else on a slice. */
static void take_window(struct part *part, const struct kernel *k, double insts)
{
    struct gpu whole = part->gpu;
    double blocks = (double)k->blocks, share = blocks;
    double cheap = floor(QUICK_INSTS / insts * blocks);
    double wave = (double)occupancy_blocks(&whole, k, NULL) * whole.sms;
    double fewest = fmin(QUICK_FEWEST_WAVES * wave, blocks);
    if (cheap < fewest && whole.sms > QUICK_SMS) {
        gpu_slice(&part->gpu, &whole, QUICK_SMS);
        double sliced = (double)QUICK_SMS / whole.sms;
        wave *= sliced;
        share = ceil(share * sliced);
    }
    double most = fmin(QUICK_WAVES * wave, fmax(wave, cheap));
    part->blocks = (uint64_t)window_blocks(share, wave, most);
    part->launches = 1;
}

/* The first launches up to QUICK_INSTS, or of the heaviest one a window when it
 * takes more. */
static bool choose_part(struct part *part, const struct kernel_list *list,
                        struct error *e)
{
    double sum = 0, insts = 0, heaviest = 0;
    int fit = 0;
    for (int i = 0; i < (int)list->count; i++) {
        const struct kernel *k = list->kernel[i];
        if (i == 0 || k->blocks != list->kernel[i - 1]->blocks ||
            strcmp(k->name, list->kernel[i - 1]->name) != 0)
            insts = launch_insts(k, &part->gpu, e);
        if (insts < 0)
            return false;
        sum += insts;
        fit = i == 0 || sum <= QUICK_INSTS ? i + 1 : fit;
        if (insts > heaviest) {
            heaviest = insts;
            part->first = i;
        }
    }
    if (list->count == 1 || heaviest > QUICK_INSTS) {
        take_window(part, list->kernel[part->first], heaviest);
    } else {
        part->first = 0;
        part->launches = fit;
    }
    return true;
}

static bool simulate(struct sampler_run *out, const struct lab *l,
                     const struct point *p, struct error *e)
{
    struct policy_set policies;
    struct part part;
    struct kernel_list list;
    struct load_options load = load_options_default();
    if (!parse_policies(&policies, p->policies, e) ||
        !load_gpu(&part.gpu, p, e) || !kernel_load(&list, p->kernel, &load, e))
        return false;
    part.blocks = 0;
    part.first = 0;
    part.launches = (int)list.count;
    if (p->launches > 0 && p->launches < part.launches)
        part.launches = p->launches;
    bool all = l->full || p->launches > 0 || part.gpu.icnt.mesh;
    bool ok = all || choose_part(&part, &list, e);
    struct sampler_options o = {.block_count = part.blocks,
                                .criticality = p->criticality};
    ok = ok && sampler_simulate(
                   out,
                   &(struct sampler_job){.kernel = list.kernel + part.first,
                                         .kernels = part.launches,
                                         .gpu = &part.gpu,
                                         .policies = &policies,
                                         .options = &o},
                   e);
    kernel_list_free(&list);
    return ok;
}

const struct sampler_run *lab_run(struct lab *l, const struct point *p,
                                  struct error *e)
{
    char key[KEY_SIZE];
    snprintf(key, sizeof(key), "%s %s %s %s=%g %d %d", p->kernel, p->gpu,
             p->policies, p->key != NULL ? p->key : "", p->value, p->launches,
             p->criticality);
    for (const struct memo *m = l->memo; m != NULL; m = m->next)
        if (strcmp(m->key, key) == 0)
            return &m->run;
    struct memo *m = calloc(1, sizeof(*m));
    if (m == NULL) {
        error_no_memory(e);
        return NULL;
    }
    if (!simulate(&m->run, l, p, e)) {
        free(m);
        return NULL;
    }
    memcpy(m->key, key, sizeof(key));
    m->next = l->memo;
    l->memo = m;
    return &m->run;
}
