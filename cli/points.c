/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/points.h"

#include "cli/launch_choice.h"
#include "cli/launch_sweep.h"
#include "cli/variants.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POINTS_WITHOUT_ASKING 1000000 /* more need --yes */
#define DEFAULTS_MAX          32      /* inputs where none is named */

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
                        uint64_t inputs, uint64_t gpus,
                        struct estimate_error *e)
{
    uint64_t n = plan_count(o, inputs, gpus, p->policies.count);
    if (n <= POINTS_WITHOUT_ASKING || o->yes)
        return true;
    if (n == UINT64_MAX)
        return fail(e, ESTIMATE_USAGE,
                    "more design points than can be counted: more than a "
                    "million need --yes");
    return fail(e, ESTIMATE_USAGE,
                "%llu design points: more than a million need --yes",
                (unsigned long long)n);
}

/* ---- kernels ------------------------------------------------------------ */

static const char *command_name(const void *table, size_t i)
{
    return ((const struct command_info *)table)[i + 1].name;
}

static bool is_bundled(const char *input)
{
    const char *name;
    for (size_t i = 0; (name = estimate_bundled_kernel(i)) != NULL; i++)
        if (strcmp(name, input) == 0)
            return true;
    return false;
}

/* A mistyped command looks like an input that does not exist. */
static bool check_command(const struct options *o, struct estimate_error *e)
{
    const char *first = o->inputs > 0 ? o->input[0] : "";
    if (o->command != COMMAND_ESTIMATE || is_bundled(first) ||
        access(first, F_OK) == 0)
        return true;
    const char *near =
        nearest_row(first, command_info, COMMANDS - 1, command_name);
    if (near == NULL)
        return true;
    return fail(e, ESTIMATE_USAGE, "unknown command '%s', did you mean '%s'?",
                first, near);
}

/* ---- cases -------------------------------------------------------------- */

static const struct sweep *tb_sweep(const struct options *o)
{
    for (size_t i = 0; i < o->sweeps; i++)
        if (sweep_is_tb(&o->sweep[i]))
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

static bool occupancies(struct plan *p, struct estimate_error *e)
{
    size_t total = 0;
    for (size_t i = 0; i < p->cases; i++) {
        struct plan_case *c = &p->at[i];
        c->number = i;
        c->kernel = p->kernel[i / p->variants];
        c->launched = &p->launched[i / p->variants];
        c->stands = &p->stands[i / p->variants];
        c->variant = &p->variant[i % p->variants];
        c->tb_limit = estimate_max_blocks(c->kernel, c->variant->gpu, e);
        if (c->tb_limit == 0)
            return false;
        total += (size_t)c->tb_limit + 1;
    }
    p->tb = calloc(total, sizeof(*p->tb));
    return p->tb != NULL || fail_no_memory(e);
}

/* `cut` collects what the note on block counts beyond occupancy says. */
static void fill_case(struct plan *p, struct plan_case *c, int *tb,
                      const struct options *o, bool *cut)
{
    int count = list_tbs(tb, tb_sweep(o), c->tb_limit, cut);
    c->shown_tbs = count;
    bool compares = count * p->shown_policies > 1;
    if (compares && o->run.mode != ESTIMATE_DETAILED &&
        tb[count - 1] != c->tb_limit)
        tb[count++] = c->tb_limit;
    c->tb = tb;
    c->tb_count = count;
    p->shown_points += (size_t)(c->shown_tbs * p->shown_policies);
}

/* Where an assembler or we counted the registers, who did is told with what
 * they limit. */
static const struct estimate_launch_info *
limiting_registers(const struct plan_case *c)
{
    struct estimate_occupancy fit;
    estimate_occupancy(&fit, sizeof(fit), c->kernel, c->variant->gpu);
    return strcmp(fit.limit, "registers") == 0 ? case_registers(c) : NULL;
}

static void note_cut(FILE *notes, const struct plan *p,
                     const struct plan_case *c, bool first)
{
    fprintf(notes, "%s%s %d",
            first ? "tb is cut to the occupancy limit: " : ", ", case_kernel(c),
            c->tb_limit);
    if (p->variants > 1)
        fprintf(notes, " on %s", case_gpu(c));
    const struct estimate_launch_info *told = limiting_registers(c);
    if (told != NULL)
        fprintf(notes, " (%u registers: %s)", told->registers,
                told->registers_from);
}

/* The case before is of another variant of the same GPU. */
static bool varies_before(const struct plan *p, size_t i)
{
    const struct plan_case *a = &p->at[i], *b = i > 0 ? a - 1 : NULL;
    return b != NULL && a->kernel == b->kernel &&
           strcmp(case_gpu(a), case_gpu(b)) == 0;
}

/* Variants of one GPU that cut a kernel alike are told once. */
static bool cut_like_before(const struct plan *p, size_t i)
{
    return varies_before(p, i) && p->at[i].tb_limit == p->at[i - 1].tb_limit;
}

#define CUTS_NAMED 20 /* kernels the note names; the rest are counted */

/* notes NULL: of other designs it was told. */
static void fill_cases(struct plan *p, const struct options *o, FILE *notes)
{
    int *tb = p->tb;
    size_t cuts = 0;
    for (size_t i = 0; i < p->cases; i++) {
        bool cut;
        fill_case(p, &p->at[i], tb, o, &cut);
        tb += p->at[i].tb_limit + 1;
        if (notes != NULL && cut && !cut_like_before(p, i) &&
            cuts++ < CUTS_NAMED)
            note_cut(notes, p, &p->at[i], cuts == 1);
    }
    if (cuts > CUTS_NAMED)
        fprintf(notes, " and %zu more", cuts - CUTS_NAMED);
    if (cuts > 0)
        fputc('\n', notes);
}

static bool has_matrix(const struct estimate_kernel *k)
{
    const struct estimate_launch_info *l;
    for (size_t i = 0; (l = estimate_kernel_launch(k, i)) != NULL; i++)
        if (l->matrix)
            return true;
    return false;
}

/* Matrix instructions on a GPU that has no units for them: no such one runs
 * them. Variants of a GPU are told once. */
static void note_matrix(FILE *notes, const struct plan *p)
{
    const struct estimate_key *tensor = estimate_key_find("unit.tensor", NULL);
    for (size_t i = 0; i < p->cases; i++) {
        const struct plan_case *c = &p->at[i];
        if (!varies_before(p, i) &&
            estimate_gpu_get(c->variant->gpu, tensor) == 0 &&
            has_matrix(c->kernel))
            fprintf(notes,
                    "%s has matrix instructions, and %s no tensor units: its "
                    "other pipelines take them, as they would on no real one\n",
                    case_kernel(c), case_gpu(c));
    }
}

/* What an application takes is said. */
static void note_applications(FILE *notes, const struct plan *p,
                              const struct options *o)
{
    if (!o->verbose || o->run.mode != ESTIMATE_HYBRID)
        return;
    for (size_t i = 0; i < p->kernels; i++) {
        const struct estimate_kernel_info *k =
            estimate_kernel_info(p->kernel[i]);
        if (k->application)
            fprintf(notes,
                    "%s is an application of %zu launches: a point runs all of "
                    "them in full detail, or those that are alike once where "
                    "they take more than 10 M warp instructions\n",
                    k->name, k->launches);
    }
}

/* Find the default policies among those asked for, or add them where points are
 * compared. */
static void place_default(struct plan *p, const struct options *o)
{
    const struct chosen wanted = chosen_default();
    struct policy_list *list = &p->policies;
    p->shown_policies = (int)list->count;
    p->default_policy = -1;
    for (size_t i = 0; i < list->count; i++)
        if (chosen_equal(&list->set[i], &wanted))
            p->default_policy = (int)i;
    bool compares = list->count > 1 || tb_sweep(o) != NULL;
    if (p->default_policy < 0 && compares && o->run.mode != ESTIMATE_DETAILED) {
        p->default_policy = (int)list->count;
        list->set[list->count++] = wanted;
    }
}

static bool build_cases(struct plan *p, const struct options *o, FILE *notes,
                        struct estimate_error *e)
{
    p->cases = p->kernels * p->variants;
    p->at = calloc(p->cases, sizeof(*p->at));
    if (p->at == NULL)
        return fail_no_memory(e);
    if (!occupancies(p, e))
        return false;
    fill_cases(p, o, notes);
    return true;
}

/* ---- the whole plan ------------------------------------------------------ */

static size_t default_inputs(const char **out, size_t room)
{
    size_t count = 0;
    while (count < room && (out[count] = estimate_default_kernel(count)))
        count++;
    return count;
}

/* Of --sched where it is not given: what all GPUs' files name, if they do. */
static const char *default_scheduler(const struct options *o,
                                     const struct gpu_list *gpus)
{
    const char *named =
        gpus->count > 0 ? estimate_gpu_scheduler(gpus->gpu[0]) : "";
    for (size_t i = 1; i < gpus->count; i++)
        if (strcmp(estimate_gpu_scheduler(gpus->gpu[i]), named) != 0)
            return o->sched;
    return options_given(o, "sched") || named[0] == '\0' ? o->sched : named;
}

static bool make_policies(struct plan *p, const struct options *o,
                          const struct gpu_list *gpus, struct estimate_error *e)
{
    struct options with = *o;
    with.sched = default_scheduler(o, gpus);
    return policy_list_create(&p->policies, &with, e);
}

static bool first_variants(struct plan *p, const struct options *o,
                           uint64_t at_once, FILE *notes,
                           struct estimate_error *e)
{
    variants_begin(p, o);
    p->at_once = p->designs / 2 > at_once ? at_once : p->designs;
    return variants_take(p, o, p->at_once, notes, e) && variants_any(p, e);
}

/* Where the plan does not hold all designs, those left out are told with the
 * last. */
static bool tell_skipped(const struct plan *p, FILE *notes,
                         struct estimate_error *e)
{
    if (!variants_any(p, e))
        return false;
    if (p->next == p->designs)
        variants_note_skipped(p, notes);
    return true;
}

/* Leave those out that no kernel fits on; while none is left, on to the next.
 */
static bool keep_fit(struct plan *p, const struct options *o, FILE *notes,
                     struct estimate_error *e)
{
    variants_skip_unfit(p, o, notes);
    while (p->variants == 0 && p->next < p->designs) {
        if (!variants_take(p, o, p->at_once, notes, e))
            return false;
        variants_skip_unfit(p, o, notes);
    }
    return true;
}

static bool first_cases(struct plan *p, const struct options *o, FILE *notes,
                        struct estimate_error *e)
{
    place_default(p, o);
    if (!keep_fit(p, o, notes, e))
        return false;
    if (!tell_skipped(p, notes, e) || !build_cases(p, o, notes, e))
        return false;
    note_applications(notes, p, o);
    note_matrix(notes, p);
    return true;
}

/* Cheap checks come first: names and the number of points are settled before
 * an input that may be large is read. */
static bool load_and_build(struct plan *p, const struct options *o,
                           uint64_t at_once, FILE *notes,
                           struct estimate_error *e)
{
    struct gpu_list *gpus = &p->gpus;
    const char *defaults[DEFAULTS_MAX];
    size_t count = o->inputs;
    const char *const *input = o->input;
    if (count == 0) {
        count = default_inputs(defaults, DEFAULTS_MAX);
        input = defaults;
    }
    return check_command(o, e) && launch_choice_check(o, e) &&
           gpus_load(gpus, o, notes, e) && make_policies(p, o, gpus, e) &&
           check_count(o, p, count, gpus->count, e) &&
           first_variants(p, o, at_once, notes, e) &&
           options_check_inputs(o, input, count, e) &&
           launches_load(p, input, count, o, notes, e) &&
           launch_choice(p, o, notes, e) &&
           check_count(o, p, p->kernels / launch_combinations(o), gpus->count,
                       e) &&
           first_cases(p, o, notes, e);
}

bool plan_create_part(struct plan *p, const struct options *o, uint64_t at_once,
                      struct estimate_error *e)
{
    *p = (struct plan){0};
    size_t size;
    FILE *notes = open_memstream(&p->notes, &size);
    if (notes == NULL)
        return fail_no_memory(e);
    bool ok = load_and_build(p, o, at_once, notes, e);
    fclose(notes);
    return ok;
}

bool plan_create(struct plan *p, const struct options *o,
                 struct estimate_error *e)
{
    return plan_create_part(p, o, UINT64_MAX, e);
}

bool plan_next(struct plan *p, const struct options *o,
               struct estimate_error *e)
{
    size_t size;
    free(p->notes);
    free(p->at);
    free(p->tb);
    p->notes = NULL;
    p->at = NULL;
    p->tb = NULL;
    p->cases = p->shown_points = 0;
    FILE *notes = open_memstream(&p->notes, &size);
    if (notes == NULL)
        return fail_no_memory(e);
    bool ok =
        variants_take(p, o, p->at_once, notes, e) && keep_fit(p, o, notes, e);
    ok = ok && build_cases(p, o, NULL, e) && tell_skipped(p, notes, e);
    fclose(notes);
    return ok;
}

void plan_rewind(struct plan *p)
{
    p->next = 0;
    p->skipped.count = 0;
}

static struct estimate_study *create_study(const struct plan *p,
                                           struct estimate_error *e)
{
    const struct policy_list *list = &p->policies;
    struct estimate_policies *named = calloc(list->count, sizeof(*named));
    if (named == NULL) {
        fail_no_memory(e);
        return NULL;
    }
    for (size_t i = 0; i < list->count; i++)
        named[i] =
            (struct estimate_policies){.sched = list->set[i].sched,
                                       .tb_sched = list->set[i].tb_sched,
                                       .l1_policy = list->set[i].l1_policy};
    struct estimate_study *s =
        estimate_study_create(NULL, named, list->count, e);
    free(named);
    return s;
}

struct estimate_study *plan_study(const struct plan *p,
                                  struct estimate_error *e)
{
    struct estimate_study *s = create_study(p, e);
    bool ok = s != NULL;
    if (ok && p->default_policy >= 0)
        ok = estimate_study_reference(s, (size_t)p->default_policy, e);
    for (size_t i = 0; ok && i < p->cases; i++) {
        const struct plan_case *c = &p->at[i];
        ok = estimate_study_add(s, c->kernel, c->variant->gpu, c->tb,
                                (size_t)c->tb_count, e);
    }
    if (ok)
        return s;
    estimate_study_free(s);
    return NULL;
}

void plan_free(struct plan *p)
{
    for (size_t i = 0; i < p->inputs; i++)
        estimate_input_free(p->input[i]);
    free(p->input);
    free(p->kernel);
    free(p->launched);
    free(p->stands);
    free(p->taken);
    policy_list_free(&p->policies);
    variants_free(p);
    gpus_free(&p->gpus);
    free(p->at);
    free(p->tb);
    free(p->notes);
}
