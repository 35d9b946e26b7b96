/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/choose.h"

#include "cli/options.h"
#include "cli/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was asked for of one kind. */
struct choices {
    enum estimate_policy_kind kind;
    char (*label)[LABEL_MAX];
    size_t count, capacity;
};

static const char *const option_of[] = {
    [ESTIMATE_WARP] = "sched",
    [ESTIMATE_BLOCK] = "tb-sched",
    [ESTIMATE_L1] = "l1-policy",
};

static bool append(struct choices *list, const char label[LABEL_MAX],
                   struct estimate_error *e)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 8;
        void *grown =
            realloc(list->label, list->capacity * sizeof(*list->label));
        if (grown == NULL)
            return fail_no_memory(e);
        list->label = grown;
    }
    memcpy(list->label[list->count++], label, LABEL_MAX);
    return true;
}

static bool add(struct choices *list, const char *text,
                struct estimate_error *e)
{
    char label[LABEL_MAX];
    if (!estimate_policy_label(label, sizeof(label), NULL, list->kind, text, e))
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->label[i], label) == 0)
            return fail(e, ESTIMATE_USAGE, "--%s: '%s' is named twice",
                        option_of[list->kind], text);
    return append(list, label, e);
}

static bool add_all(struct choices *list, struct estimate_error *e)
{
    const struct estimate_policy *p;
    for (size_t i = 0; (p = estimate_policy(NULL, list->kind, i)); i++)
        if (!add(list, estimate_policy_name(p), e))
            return false;
    return true;
}

/* A comma list; NULL is the default. */
static bool choices_parse(struct choices *list, const char *text,
                          struct estimate_error *e)
{
    char entry[VALUE_MAX];
    const char *p = text != NULL ? text : estimate_policy_default(list->kind);
    while (list_next(&p, entry))
        if (strcmp(entry, "all") == 0 ? !add_all(list, e)
                                      : !add(list, entry, e))
            return false;
    return true;
}

/* Whether a label is of the policy `name`, with whatever parameters. */
static bool is_of(const char *label, const char *name)
{
    size_t length = strcspn(label, ":");
    return length == strlen(name) && strncmp(label, name, length) == 0;
}

/* Which of the L1 policies asked for the scheduler w brings: its index, -1 when
 * it brings none, -2 with e set when it brings one that was left out. */
static int brought_l1(const char *w, const struct choices *l1,
                      struct estimate_error *e)
{
    const char *brought = estimate_scheduler_l1(NULL, w);
    if (brought == NULL)
        return -1;
    for (size_t i = 0; i < l1->count; i++)
        if (is_of(l1->label[i], brought))
            return (int)i;
    fail(e, ESTIMATE_USAGE,
         "--l1-policy: %.*s brings %s, which is not among those given",
         (int)strcspn(w, ":"), w, brought);
    return -2;
}

static void append_set(struct policy_list *out, const char *w, const char *b,
                       const char *l1)
{
    struct chosen *set = &out->set[out->count++];
    snprintf(set->sched, LABEL_MAX, "%s", w);
    snprintf(set->tb_sched, LABEL_MAX, "%s", b);
    snprintf(set->l1_policy, LABEL_MAX, "%s", l1);
}

/* Append w under each of its L1 policies that is `at`, the crossing's place. */
static bool cross_one(struct policy_list *out, const char *w, const char *b,
                      const struct choices *l1, size_t at,
                      struct estimate_error *e)
{
    int brought = brought_l1(w, l1, e);
    if (brought == -2)
        return false;
    if (brought < 0 || (size_t)brought == at)
        append_set(out, w, b, l1->label[at]);
    return true;
}

/* No L1 policy was asked for: each scheduler has the one it brings. */
static void add_with_own_l1(struct policy_list *out, const char *w,
                            const char *b, const char *otherwise)
{
    const char *own = estimate_scheduler_l1(NULL, w);
    append_set(out, w, b, own != NULL ? own : otherwise);
}

static bool cross(struct policy_list *out, const struct choices *w,
                  const struct choices *b, const struct choices *l1,
                  bool l1_given, struct estimate_error *e)
{
    /* One more: a sweep may add the default point. */
    out->set = calloc(w->count * b->count * l1->count + 1, sizeof(*out->set));
    if (out->set == NULL)
        return fail_no_memory(e);
    out->block_count = b->count;
    out->l1_count = l1->count;
    for (size_t j = 0; j < b->count; j++)
        for (size_t k = 0; k < l1->count; k++)
            for (size_t i = 0; i < w->count; i++)
                if (!l1_given)
                    add_with_own_l1(out, w->label[i], b->label[j],
                                    l1->label[k]);
                else if (!cross_one(out, w->label[i], b->label[j], l1, k, e))
                    return false;
    return true;
}

bool policy_list_create(struct policy_list *out, const struct options *o,
                        struct estimate_error *e)
{
    struct choices w = {.kind = ESTIMATE_WARP};
    struct choices b = {.kind = ESTIMATE_BLOCK}, l1 = {.kind = ESTIMATE_L1};
    *out = (struct policy_list){0};
    bool ok = choices_parse(&w, o->sched, e) &&
              choices_parse(&b, o->tb_sched, e) &&
              choices_parse(&l1, o->l1_policy, e) &&
              cross(out, &w, &b, &l1, options_given(o, "l1-policy"), e);
    free(w.label);
    free(b.label);
    free(l1.label);
    return ok;
}

void policy_list_free(struct policy_list *list)
{
    free(list->set);
}

struct chosen chosen_default(void)
{
    struct chosen c;
    snprintf(c.sched, LABEL_MAX, "%s", estimate_policy_default(ESTIMATE_WARP));
    snprintf(c.tb_sched, LABEL_MAX, "%s",
             estimate_policy_default(ESTIMATE_BLOCK));
    snprintf(c.l1_policy, LABEL_MAX, "%s",
             estimate_policy_default(ESTIMATE_L1));
    return c;
}

bool chosen_equal(const struct chosen *a, const struct chosen *b)
{
    return strcmp(a->sched, b->sched) == 0 &&
           strcmp(a->tb_sched, b->tb_sched) == 0 &&
           strcmp(a->l1_policy, b->l1_policy) == 0;
}
