/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/points.h"

#include "cli/variants.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POINTS_WITHOUT_ASKING 1000000 /* more need --yes */

uint64_t plan_count(const struct options *o, uint64_t inputs, uint64_t gpus,
                    uint64_t policies)
{
    uint64_t n = saturating_product(inputs, gpus);
    n = saturating_product(n, policies);
    for (size_t i = 0; i < o->sweeps; i++)
        n = saturating_product(n, o->sweep[i].count);
    return n;
}

static bool check_count(const struct options *o, const struct plan *p,
                        uint64_t inputs, uint64_t gpus, struct error *e)
{
    uint64_t n = plan_count(o, inputs, gpus, p->policies.count);
    if (n <= POINTS_WITHOUT_ASKING || o->yes)
        return true;
    return error_set(e, STATUS_USAGE,
                     "%s%llu design points: more than a million need --yes",
                     n == UINT64_MAX ? "at least " : "", (unsigned long long)n);
}

/* ---- kernels ------------------------------------------------------------ */

static const char *command_name(const void *table, size_t i)
{
    return ((const struct command_info *)table)[i + 1].name;
}

static bool is_bundled(const char *input)
{
    size_t count;
    const char *const *names = kernel_bundled_names(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], input) == 0)
            return true;
    return false;
}

/* A mistyped command looks like an input that does not exist. */
static bool check_command(const struct options *o, struct error *e)
{
    const char *first = o->inputs > 0 ? o->input[0] : "";
    if (o->command != COMMAND_ESTIMATE || is_bundled(first) ||
        access(first, F_OK) == 0)
        return true;
    const char *near =
        nearest_name(first, command_info, COMMANDS - 1, command_name);
    if (near == NULL)
        return true;
    return error_set(e, STATUS_USAGE,
                     "unknown command '%s', did you mean '%s'?", first, near);
}

/* An application is one subject, other kernels are one each. */
static bool add_subjects(struct plan *p, const struct kernel_list *list,
                         struct error *e)
{
    bool whole = list->application != NULL;
    size_t more = whole ? 1 : list->count;
    struct subject *grown =
        realloc(p->subject, (p->subjects + more) * sizeof(*grown));
    if (grown == NULL)
        return error_no_memory(e);
    p->subject = grown;
    for (size_t i = 0; i < more; i++)
        p->subject[p->subjects++] =
            (struct subject){list->kernel[i], whole ? list : NULL};
    return true;
}

static int oldest_arch(const struct plan *p)
{
    int oldest = 0;
    for (size_t i = 0; i < p->variants; i++) {
        int arch = p->variant[i].gpu.arch;
        if (i == 0 || arch < oldest)
            oldest = arch;
    }
    return oldest;
}

static bool load_kernels(struct plan *p, const char *const *input, size_t count,
                         const struct options *o, FILE *notes, struct error *e)
{
    struct load_options load = o->load;
    load.ptx.arch = oldest_arch(p);
    p->input = calloc(count, sizeof(*p->input));
    if (p->input == NULL)
        return error_no_memory(e);
    for (; p->inputs < count; p->inputs++) {
        struct kernel_list *list = &p->input[p->inputs];
        if (!kernel_load(list, input[p->inputs], &load, e))
            return false;
        for (size_t i = 0; i < list->count; i++)
            if (list->kernel[i]->note != NULL)
                fprintf(notes, "%s\n", list->kernel[i]->note);
    }
    for (size_t i = 0; i < count; i++)
        if (!add_subjects(p, &p->input[i], e))
            return false;
    return true;
}

/* ---- studies ------------------------------------------------------------ */

static const struct sweep *tb_sweep(const struct options *o)
{
    for (size_t i = 0; i < o->sweeps; i++)
        if (o->sweep[i].key == NULL)
            return &o->sweep[i];
    return NULL;
}

/* The block counts asked for, each cut to `limit`, none twice. Room in `out`
 * for limit + 1. Returns how many; *cut: some were beyond the limit. */
static int list_tbs(int *out, const struct sweep *s, int limit, bool *cut)
{
    int n = 0;
    *cut = false;
    if (s == NULL) {
        out[n++] = limit;
        return n;
    }
    for (uint64_t i = 0; i < s->count; i++) {
        double tb = sweep_value(s, i);
        *cut = tb > limit;
        int value = *cut ? limit : (int)tb;
        if (n == 0 || out[n - 1] != value)
            out[n++] = value;
        if (*cut)
            break;
    }
    return n;
}

static bool occupancies(struct plan *p, struct error *e)
{
    size_t total = 0;
    for (size_t i = 0; i < p->studies; i++) {
        struct study *s = &p->study[i];
        struct study_view *v = &p->view[i];
        const struct subject *subject = &p->subject[i / p->variants];
        const struct kernel *unfit;
        v->variant = &p->variant[i % p->variants];
        s->kernel = subject->kernel;
        s->application = subject->application;
        s->gpu = &v->variant->gpu;
        v->tb_limit = study_tb_limit(s, &unfit);
        if (v->tb_limit == 0)
            return occupancy_none_fits(s->gpu, unfit, e);
        total += (size_t)v->tb_limit + 1;
    }
    p->tb = calloc(total, sizeof(*p->tb));
    if (p->tb == NULL)
        error_no_memory(e);
    return p->tb != NULL;
}

/* `cut` collects what the note on block counts beyond occupancy says. */
static void fill_study(struct plan *p, size_t i, int *tb,
                       const struct options *o, bool *cut)
{
    struct study *s = &p->study[i];
    struct study_view *v = &p->view[i];
    int count = list_tbs(tb, tb_sweep(o), v->tb_limit, cut);
    v->shown_tbs = count;
    bool compares = count * p->shown_policies > 1;
    if (compares && o->mode != MODE_DETAILED && tb[count - 1] != v->tb_limit)
        tb[count++] = v->tb_limit;
    s->tb = tb;
    s->tb_count = count;
    s->policies = p->policies.set;
    s->policy_count = (int)p->policies.count;
    s->reference = p->default_policy >= 0 ? p->default_policy : 0;
    p->shown_points += (size_t)(v->shown_tbs * p->shown_policies);
}

static void note_cut(FILE *notes, const struct plan *p, size_t i, bool first)
{
    const struct study *s = &p->study[i];
    fprintf(notes, "%s%s %d",
            first ? "tb is cut to the occupancy limit: " : ", ", study_name(s),
            p->view[i].tb_limit);
    if (p->variants > 1)
        fprintf(notes, " on %s", s->gpu->name);
    if (s->application == NULL && s->kernel->regs_from[0] != '\0')
        fprintf(notes, " (%u registers: %s)", s->kernel->regs_per_thread,
                s->kernel->regs_from);
}

/* Variants of one GPU that cut a kernel alike are told once. */
static bool cut_like_before(const struct plan *p, size_t i)
{
    const struct study *a = &p->study[i], *b = i > 0 ? a - 1 : NULL;
    return b != NULL && a->kernel == b->kernel &&
           strcmp(a->gpu->name, b->gpu->name) == 0 &&
           p->view[i].tb_limit == p->view[i - 1].tb_limit;
}

#define CUTS_NAMED 20 /* kernels the note names; the rest are counted */

static void fill_studies(struct plan *p, const struct options *o, FILE *notes)
{
    int *tb = p->tb;
    size_t cuts = 0;
    for (size_t i = 0; i < p->studies; i++) {
        bool cut;
        fill_study(p, i, tb, o, &cut);
        tb += p->view[i].tb_limit + 1;
        if (cut && !cut_like_before(p, i) && cuts++ < CUTS_NAMED)
            note_cut(notes, p, i, cuts == 1);
    }
    if (cuts > CUTS_NAMED)
        fprintf(notes, " and %zu more", cuts - CUTS_NAMED);
    if (cuts > 0)
        fputc('\n', notes);
}

/* Hybrid mode does not sample applications: what takes long is said. */
static void note_applications(FILE *notes, const struct plan *p,
                              const struct options *o)
{
    if (!o->verbose || o->mode != MODE_HYBRID)
        return;
    for (size_t i = 0; i < p->subjects; i++) {
        const struct kernel_list *a = p->subject[i].application;
        if (a != NULL)
            fprintf(notes,
                    "%s is an application of %zu launches: every point is run "
                    "in full detail\n",
                    a->application, a->count);
    }
}

/* Find the default policies among those asked for, or add them where points are
 * compared. */
static void place_default(struct plan *p, const struct options *o)
{
    const struct policy_set wanted = policy_set_default();
    struct policy_list *list = &p->policies;
    p->shown_policies = (int)list->count;
    p->default_policy = -1;
    for (size_t i = 0; i < list->count; i++)
        if (policy_set_equal(&list->set[i], &wanted))
            p->default_policy = (int)i;
    bool compares = list->count > 1 || tb_sweep(o) != NULL;
    if (p->default_policy < 0 && compares && o->mode != MODE_DETAILED) {
        p->default_policy = (int)list->count;
        list->set[list->count++] = wanted;
    }
}

static bool build_studies(struct plan *p, const struct options *o, FILE *notes,
                          struct error *e)
{
    p->studies = p->subjects * p->variants;
    p->study = calloc(p->studies, sizeof(*p->study));
    p->view = calloc(p->studies, sizeof(*p->view));
    if (p->study == NULL || p->view == NULL)
        return error_no_memory(e);
    place_default(p, o);
    if (!occupancies(p, e))
        return false;
    fill_studies(p, o, notes);
    note_applications(notes, p, o);
    return true;
}

/* Cheap checks come first: names and the number of points are settled before
 * an input that may be large is read. */
static bool load_and_build(struct plan *p, const struct options *o,
                           struct gpu **gpus, FILE *notes, struct error *e)
{
    size_t count = o->inputs, gpu_count;
    const char *const *input = o->input;
    if (count == 0)
        input = kernel_default_names(&count);
    return check_command(o, e) && policy_list_create(&p->policies, o, e) &&
           gpus_load(gpus, &gpu_count, o, notes, e) &&
           check_count(o, p, count, gpu_count, e) &&
           variants_create(p, o, *gpus, gpu_count, e) &&
           load_kernels(p, input, count, o, notes, e) &&
           check_count(o, p, p->subjects, gpu_count, e) &&
           build_studies(p, o, notes, e);
}

bool plan_create(struct plan *p, const struct options *o, struct error *e)
{
    *p = (struct plan){0};
    struct gpu *gpus = NULL;
    size_t size;
    FILE *notes = open_memstream(&p->notes, &size);
    if (notes == NULL)
        return error_no_memory(e);
    bool ok = load_and_build(p, o, &gpus, notes, e);
    free(gpus);
    fclose(notes);
    return ok;
}

void plan_free(struct plan *p)
{
    for (size_t i = 0; i < p->inputs; i++)
        kernel_list_free(&p->input[i]);
    free(p->input);
    free(p->subject);
    policy_list_free(&p->policies);
    free(p->variant);
    free(p->study);
    free(p->view);
    free(p->tb);
    free(p->notes);
}
