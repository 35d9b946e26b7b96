/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/launch_kinds.h"

#include "calib/constants.h"
#include "kernels/form/kernel.h"
#include "model/block_insts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool count_insts(struct launch_kinds *out, const struct kernel_list *a,
                        uint64_t seed, struct error *e)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct kernel *k = a->kernel[i];
        struct block_insts of;
        size_t same = 0;
        while (a->kernel[same]->hash != k->hash)
            same++;
        if (same == i && !block_insts_count(&of, k, seed, e))
            return false;
        out->insts[i] =
            same == i ? of.mean * (double)k->blocks : out->insts[same];
        out->all += out->insts[i];
    }
    return true;
}

/* "k" of "k#2", a later launch of a kernel. */
static size_t name_length(const char *name)
{
    return strcspn(name, "#");
}

static bool is_near(double a, double b)
{
    return fabs(log(a / b)) <= LAUNCHES_ALIKE;
}

static bool is_alike(const struct kernel *a, double a_insts,
                     const struct kernel *b, double b_insts)
{
    size_t n = name_length(a->name);
    return n == name_length(b->name) && strncmp(a->name, b->name, n) == 0 &&
           a->threads_per_block == b->threads_per_block &&
           a->regs_per_thread == b->regs_per_thread &&
           a->shared_bytes == b->shared_bytes &&
           is_near((double)a->blocks, (double)b->blocks) &&
           is_near(a_insts, b_insts);
}

/* first[i]: the first launch that launch i is like, and that is like none. */
static void find_first(size_t *first, const struct kernel_list *a,
                       const double *insts)
{
    for (size_t i = 0; i < a->count; i++) {
        size_t j = i > 0 ? 1 : 0;
        while (j < i && (first[j] != j || !is_alike(a->kernel[j], insts[j],
                                                    a->kernel[i], insts[i])))
            j++;
        first[i] = j;
    }
}

/* The kind whose first launch is launch i. */
static struct launch_kind kind_from(size_t i, const size_t *first, size_t count,
                                    const double *insts)
{
    struct launch_kind out = {.stands = i};
    size_t launches = 0, seen = 0;
    for (size_t j = i; j < count; j++)
        launches += first[j] == i;
    for (size_t j = i; j < count; j++) {
        if (first[j] != i)
            continue;
        if (seen++ == launches / 2)
            out.stands = j;
        out.times += insts[j];
    }
    out.times /= insts[out.stands];
    return out;
}

bool launch_kinds_of(struct launch_kinds *out, const struct kernel_list *a,
                     uint64_t seed, struct error *e)
{
    size_t *first = calloc(a->count, sizeof(*first));
    *out = (struct launch_kinds){.insts = calloc(a->count, sizeof(*out->insts)),
                                 .kind = calloc(a->count, sizeof(*out->kind))};
    bool ok = (first != NULL && out->insts != NULL && out->kind != NULL) ||
              error_no_memory(e);
    ok = ok && count_insts(out, a, seed, e);
    if (ok)
        find_first(first, a, out->insts);
    for (size_t i = 0; ok && i < a->count; i++)
        if (first[i] == i)
            out->kind[out->count++] = kind_from(i, first, a->count, out->insts);
    free(first);
    return ok;
}

void launch_kinds_free(struct launch_kinds *k)
{
    free(k->insts);
    free(k->kind);
}
