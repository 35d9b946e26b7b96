/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/against.h"

#include "cli/interrupt.h"
#include "cli/measured.h"
#include "cli/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(const struct against *a, size_t row, const char *what,
                  const char *found, struct estimate_error *e)
{
    return fail(e, ESTIMATE_BAD_INPUT, "%s:%d: %s '%s'", a->file.path,
                a->file.line[a->row[row].line + 1], what, found);
}

static bool not_loaded(const struct against *a, size_t row,
                       const struct estimate_error *why,
                       struct estimate_error *e)
{
    return fail(e, ESTIMATE_BAD_INPUT, "%s:%d: %s", a->file.path,
                a->file.line[a->row[row].line + 1], why->text);
}

/* ---- rows -----------------------------------------------------------------
 */

static const char *text_of(const struct against *a, size_t row,
                           const char *column)
{
    return table_file_cell(&a->file, row + 1,
                           table_file_column(&a->file, column));
}

static bool read_row(struct against *a, size_t i, struct estimate_error *e)
{
    struct against_row *r = &a->row[i];
    const char *cycles = text_of(a, i, "cycles"), *tb = text_of(a, i, "tb");
    uint64_t blocks = 0;
    *r = (struct against_row){.line = i,
                              .kernel = text_of(a, i, "kernel"),
                              .gpu = text_of(a, i, "gpu"),
                              .grid = text_of(a, i, "grid"),
                              .block = text_of(a, i, "block"),
                              .sched = text_of(a, i, "sched")};
    r->gpu = r->gpu[0] != '\0' ? r->gpu : a->options->gpu;
    r->sched = r->sched[0] != '\0' ? r->sched : a->options->sched;
    if (r->kernel[0] == '\0')
        return wrong(a, i, "expected a kernel, found", r->kernel, e);
    if (!parse_real(cycles, &r->cycles) || !(r->cycles > 0))
        return wrong(a, i, "expected cycles above 0, found", cycles, e);
    if (tb[0] != '\0' && !parse_u64(tb, 1, 1024, &blocks))
        return wrong(a, i, "expected a number of resident blocks, found", tb,
                     e);
    r->tb = (int)blocks;
    return true;
}

static bool make_rows(struct against *a, size_t rows, struct estimate_error *e)
{
    a->rows = rows;
    a->row = calloc(a->rows, sizeof(*a->row));
    a->at = calloc(a->rows, sizeof(*a->at));
    a->gpu = calloc(a->rows, sizeof(*a->gpu));
    a->gpu_name = calloc(a->rows, sizeof(*a->gpu_name));
    a->policy = calloc(a->rows, sizeof(*a->policy));
    return (a->row != NULL && a->at != NULL && a->gpu != NULL &&
            a->gpu_name != NULL && a->policy != NULL) ||
           fail_no_memory(e);
}

static bool read_rows(struct against *a, struct estimate_error *e)
{
    static const char *const needed[] = {"kernel", "cycles"};
    if (a->options->inputs > 0)
        return fail(e, ESTIMATE_USAGE,
                    "calibrate --against: takes no INPUT, found '%s'; %s names "
                    "its kernels",
                    a->options->input[0], a->file.path);
    for (int i = 0; i < 2; i++)
        if (table_file_column(&a->file, needed[i]) < 0)
            return fail(e, ESTIMATE_BAD_INPUT,
                        "%s:1: there is no column '%s' (columns: kernel, gpu, "
                        "grid, block, tb, sched, cycles)",
                        a->file.path, needed[i]);
    if (!make_rows(a, a->file.rows - 1, e))
        return false;
    for (size_t i = 0; i < a->rows; i++)
        if (!read_row(a, i, e))
            return false;
    return true;
}

/* ---- launches of a profiler -------------------------------------------------
 */

/* The name of every INPUT's kernel, the caller's to free with its strings. */
static char **input_kernels(const struct options *o, struct estimate_error *e)
{
    char **name = calloc(o->inputs + 1, sizeof(*name));
    bool ok = name != NULL || fail_no_memory(e);
    for (size_t i = 0; ok && i < o->inputs; i++) {
        struct estimate_input *in =
            estimate_input_load(o->input[i], &o->launch, e);
        ok = in != NULL;
        if (ok)
            name[i] = strdup(
                estimate_kernel_launch(estimate_input_kernel(in, 0), 0)->name);
        ok = ok && (name[i] != NULL || fail_no_memory(e));
        estimate_input_free(in);
    }
    if (ok)
        return name;
    for (size_t i = 0; name != NULL && i < o->inputs; i++)
        free(name[i]);
    free(name);
    return NULL;
}

/* Rows of the launches whose kernel some INPUT has. */
static bool match(struct against *a, const struct measured *m, size_t count,
                  char *const *name, struct estimate_error *e)
{
    const struct options *o = a->options;
    const struct measured *other = NULL;
    size_t others = 0;
    a->rows = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < o->inputs && !measured_same_name(m[i].name, name[k]))
            k++;
        if (k < o->inputs) {
            a->row[a->rows++] = (struct against_row){.kernel = o->input[k],
                                                     .gpu = o->gpu,
                                                     .grid = m[i].grid,
                                                     .block = m[i].block,
                                                     .sched = o->sched,
                                                     .line = m[i].row - 1,
                                                     .cycles = m[i].cycles};
            continue;
        }
        others += m[i].launches;
        other = other != NULL ? other : &m[i];
    }
    if (a->rows == 0)
        return fail(e, ESTIMATE_BAD_INPUT,
                    "%s: expected an INPUT with one of its kernels, such as "
                    "%s",
                    a->file.path, m[0].name);
    if (others > 0)
        fprintf(stderr,
                "estimate: note: %zu launches of kernels that no INPUT has are "
                "left out, such as %s\n",
                others, other->name);
    return true;
}

static bool read_launches(struct against *a, struct estimate_error *e)
{
    struct measured *m = NULL;
    size_t count;
    char **name = NULL;
    bool ok = measured_read(&m, &count, &a->file, e) && make_rows(a, count, e);
    if (ok)
        name = input_kernels(a->options, e);
    ok = ok && name != NULL && match(a, m, count, name, e);
    for (size_t i = 0; name != NULL && i < a->options->inputs; i++)
        free(name[i]);
    free(name);
    free(m);
    return ok;
}

/* ---- GPUs, policies, kernels ----------------------------------------------
 */

static bool find_gpu(struct against *a, size_t row, size_t *out,
                     struct estimate_error *e)
{
    struct estimate_error why;
    const char *name = a->row[row].gpu;
    for (*out = 0; *out < a->gpus; ++*out)
        if (strcmp(a->gpu_name[*out], name) == 0)
            return true;
    a->gpu[a->gpus] = estimate_gpu_load(name, &why);
    if (a->gpu[a->gpus] == NULL)
        return not_loaded(a, row, &why, e);
    a->gpu_name[a->gpus++] = name;
    return true;
}

static bool find_policy(struct against *a, size_t row, struct estimate_error *e)
{
    struct against_row *r = &a->row[row];
    struct estimate_error why;
    size_t i = 0;
    while (i < a->policies && strcmp(a->policy[i].sched, r->sched) != 0)
        i++;
    r->policy_index = (int)i;
    if (i < a->policies)
        return true;
    a->policy[a->policies++].sched = r->sched;
    struct estimate_study *s =
        estimate_study_create(NULL, &a->policy[i], 1, &why);
    estimate_study_free(s);
    return s != NULL || not_loaded(a, row, &why, e);
}

/* "X", "X,Y,Z", "XxYxZ" or "(X, Y, Z)"; empty: as the kernel has it. */
static bool parse_size(struct estimate_dim *out, const char *text)
{
    uint32_t n[3] = {1, 1, 1};
    text += text[0] == '(';
    for (int i = 0; text[0] != '\0'; i++) {
        char *end;
        unsigned long value = strtoul(text, &end, 10);
        if (i == 3 || end == text || value < 1 || value > INT32_MAX ||
            (*end != '\0' && strchr(",x)", *end) == NULL))
            return false;
        n[i] = (uint32_t)value;
        text = *end != '\0' ? end + 1 : end;
        *out = (struct estimate_dim){n[0], n[1], n[2]};
    }
    return true;
}

static bool load_case(struct against *a, size_t row, struct against_case *c,
                      struct estimate_error *e)
{
    const struct against_row *r = &a->row[row];
    struct estimate_launch launch = a->options->launch;
    struct estimate_error why;
    if (!parse_size(&launch.grid, r->grid))
        return wrong(a, row, "expected a grid X or X,Y,Z, found", r->grid, e);
    if (!parse_size(&launch.block, r->block))
        return wrong(a, row, "expected a block X or X,Y,Z, found", r->block, e);
    if (!find_gpu(a, row, &c->gpu, e))
        return false;
    launch.arch =
        (int)estimate_gpu_get(a->gpu[c->gpu], estimate_key_find("arch", NULL));
    c->row = row;
    c->input = estimate_input_load(r->kernel, &launch, &why);
    if (c->input == NULL)
        return not_loaded(a, row, &why, e);
    a->cases++;
    return true;
}

static bool same_case(const struct against_row *a, const struct against_row *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->gpu, b->gpu) == 0 &&
           strcmp(a->grid, b->grid) == 0 && strcmp(a->block, b->block) == 0;
}

static bool find_case(struct against *a, size_t row, struct estimate_error *e)
{
    size_t i = 0;
    while (i < a->cases && !same_case(&a->row[a->at[i].row], &a->row[row]))
        i++;
    a->row[row].which = i;
    return i < a->cases || load_case(a, row, &a->at[i], e);
}

/* The block counts of a case's rows, each once and ascending. */
static bool list_blocks(struct against *a, size_t which,
                        struct estimate_error *e)
{
    struct against_case *c = &a->at[which];
    int most = estimate_max_blocks(estimate_input_kernel(c->input, 0),
                                   a->gpu[c->gpu], e);
    if (most == 0)
        return false;
    c->tb = calloc((size_t)most + 1, sizeof(*c->tb));
    bool *wanted = calloc((size_t)most + 1, sizeof(*wanted));
    for (size_t i = 0; wanted != NULL && i < a->rows; i++) {
        struct against_row *r = &a->row[i];
        if (r->which != which)
            continue;
        r->tb = r->tb == 0 || r->tb > most ? most : r->tb;
        wanted[r->tb] = true;
    }
    for (int tb = 1; wanted != NULL && c->tb != NULL && tb <= most; tb++)
        if (wanted[tb])
            c->tb[c->tb_count++] = tb;
    free(wanted);
    return c->tb_count > 0 || fail_no_memory(e);
}

static void index_blocks(struct against *a)
{
    for (size_t i = 0; i < a->rows; i++) {
        const struct against_case *c = &a->at[a->row[i].which];
        while (c->tb[a->row[i].tb_index] != a->row[i].tb)
            a->row[i].tb_index++;
    }
}

bool against_load(struct against *a, const struct options *o,
                  struct estimate_error *e)
{
    *a = (struct against){.options = o};
    if (o->fit != NULL)
        a->profiles = estimate_profiles_create(e);
    if ((o->fit != NULL && a->profiles == NULL) ||
        !table_file_read(&a->file, o->against, e) ||
        !(measured_is(&a->file) ? read_launches(a, e) : read_rows(a, e)))
        return false;
    for (size_t i = 0; i < a->rows; i++) {
        if (!find_policy(a, i, e) || !find_case(a, i, e))
            return false;
    }
    for (size_t i = 0; i < a->cases; i++)
        if (!list_blocks(a, i, e))
            return false;
    index_blocks(a);
    return true;
}

void against_free(struct against *a)
{
    for (size_t i = 0; i < a->cases; i++) {
        estimate_input_free(a->at[i].input);
        free(a->at[i].tb);
    }
    for (size_t i = 0; i < a->gpus; i++)
        estimate_gpu_free(a->gpu[i]);
    free(a->row);
    free(a->at);
    free(a->gpu);
    free(a->gpu_name);
    free(a->policy);
    estimate_profiles_free(a->profiles);
    table_file_free(&a->file);
}

/* ---- the same points here --------------------------------------------------
 */

static struct estimate_study *study_of(const struct against *a,
                                       struct estimate_error *e)
{
    struct estimate_study *s =
        estimate_study_create(NULL, a->policy, a->policies, e);
    for (size_t i = 0; s != NULL && i < a->cases; i++) {
        const struct against_case *c = &a->at[i];
        if (estimate_study_add(s, estimate_input_kernel(c->input, 0),
                               a->gpu[c->gpu], c->tb, c->tb_count, e))
            continue;
        estimate_study_free(s);
        s = NULL;
    }
    return s;
}

static bool take_cycles(double *cycles, const struct against *a,
                        const struct estimate_results *r,
                        struct estimate_error *e)
{
    for (size_t i = 0; i < a->rows; i++) {
        const struct against_row *row = &a->row[i];
        const struct estimate_point *p = estimate_result(
            r, row->which, (size_t)row->tb_index, (size_t)row->policy_index);
        cycles[i] = p->cycles;
        if (p->partial || !(p->cycles > 0))
            return fail(e, ESTIMATE_STOPPED, "stopped before %s was estimated",
                        row->kernel);
    }
    return true;
}

bool against_estimate(double *cycles, const struct against *a,
                      enum estimate_mode mode, struct estimate_error *e)
{
    struct estimate_study *s = study_of(a, e);
    if (s == NULL)
        return false;
    struct estimate_options o = a->options->run;
    o.mode = mode;
    o.threads = (int)a->options->threads;
    o.use_cache = !a->options->no_cache;
    o.cancel = interrupt_flag();
    o.profiles = mode == ESTIMATE_MODEL ? a->profiles : NULL;
    struct estimate_results *r = estimate_run(s, &o, e);
    bool ok = r != NULL && take_cycles(cycles, a, r, e);
    estimate_results_free(r);
    estimate_study_free(s);
    return ok;
}
