/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/paws.h"

#include "kernels/form/phases.h"
#include "kernels/load.h"
#include "paper_repro/machines.h"
#include "paper_repro/tables.h"

#include <math.h>
#include <stdlib.h>

#define DISTANCE 512

/* Something about a kernel's code. */
typedef double code_number(const struct kernel *k);

static bool number_of(double *out, const char *name, code_number *number,
                      struct error *e)
{
    struct kernel_list list;
    struct load_options load = load_options_default();
    if (!kernel_load(&list, name, &load, e))
        return false;
    *out = number(list.kernel[0]);
    kernel_list_free(&list);
    return true;
}

/* The same of its phases by dependence alone. */
static bool number_by_dependence(double *out, const char *name,
                                 code_number *number, struct error *e)
{
    struct kernel_list list;
    struct load_options load = load_options_default();
    if (!kernel_load(&list, name, &load, e))
        return false;
    struct kernel k = *list.kernel[0];
    k.phase = phases_by_dependence(&k, &k.phase_count, e);
    if (k.phase != NULL)
        *out = number(&k);
    free(k.phase);
    kernel_list_free(&list);
    return k.phase != NULL;
}

static double phase_count(const struct kernel *k)
{
    return k->phase_count;
}

static double longest(const struct kernel *k)
{
    double best = 0;
    for (uint32_t i = 0; i < k->phase_count; i++)
        best = fmax(best, k->phase[i].length);
    return best;
}

static double shortest(const struct kernel *k)
{
    double best = INFINITY;
    for (uint32_t i = 0; i < k->phase_count; i++)
        best = fmin(best, k->phase[i].length);
    return best;
}

static double mean_length(const struct kernel *k)
{
    double sum = 0;
    for (uint32_t i = 0; i < k->phase_count; i++)
        sum += k->phase[i].length;
    return sum / k->phase_count;
}

static double last_length(const struct kernel *k)
{
    return k->phase[k->phase_count - 1].length;
}

static double first_is_shortest(const struct kernel *k)
{
    return k->phase[0].length == shortest(k);
}

static double inst_count(const struct kernel *k)
{
    return k->inst_count;
}

static double first_length(const struct kernel *k)
{
    return k->phase[0].length;
}

static double covered_phases(const struct kernel *k)
{
    double covered = 0;
    for (uint32_t i = 0; i < k->phase_count; i++)
        covered += k->phase[i].length <= DISTANCE;
    return covered;
}

static double covered_insts(const struct kernel *k)
{
    double covered = 0;
    for (uint32_t i = 0; i < k->inst_count; i++)
        covered += k->inst[i].phase_distance <= DISTANCE;
    return covered;
}

/* ---- Table II --------------------------------------------------------------
 */

enum column { PHASES, LONGEST, SHORTEST };

/* Values by the text of Sec. IV-B1; noted are those where no basic block starts
 * a phase, which the text has not and the table has. */
static bool add_column(struct finding *f, enum column column, struct error *e)
{
    static code_number *const number[] = {phase_count, longest, shortest};
    int equal = 0;
    for (size_t i = 0; i < paws_table2_rows; i++) {
        const struct paws_row *row = &paws_table2[i];
        const uint32_t paper[] = {row->phases, row->longest, row->shortest};
        double ours, alone;
        if (!number_of(&ours, row->kernel, number[column], e) ||
            !number_by_dependence(&alone, row->kernel, number[column], e))
            return false;
        finding_add(f, ours, paper[column], "%s", row->kernel);
        finding_note(f, "%s%s %g", i > 0 ? ", " : "by dependence alone ",
                     row->kernel, alone);
        equal += alone == paper[column];
    }
    finding_note(f, ": %d of %zu", equal, paws_table2_rows);
    return true;
}

#define MEASURE(name, body)                                                    \
    bool name(struct finding *f, const struct claim *c, const struct view *v,  \
              struct error *e)                                                 \
    {                                                                          \
        (void)c;                                                               \
        (void)v;                                                               \
        return body;                                                           \
    }
MEASURE(measure_phases, add_column(f, PHASES, e))
MEASURE(measure_longest, add_column(f, LONGEST, e))
MEASURE(measure_shortest, add_column(f, SHORTEST, e))

bool measure_blocks(struct finding *f, const struct claim *c,
                    const struct view *v, struct error *e)
{
    (void)c;
    struct gpu g;
    if (!gpu_load(&g, v->gpu, NULL, 0, e))
        return false;
    for (size_t i = 0; i < paws_table2_rows; i++) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        if (!kernel_load(&list, paws_table2[i].kernel, &load, e))
            return false;
        finding_add(f, occupancy_blocks(&g, list.kernel[0], NULL),
                    paws_table2[i].blocks_per_core, "%s",
                    paws_table2[i].kernel);
        kernel_list_free(&list);
    }
    return true;
}

static bool sum_of(double *sum, code_number *number, struct error *e)
{
    *sum = 0;
    for (size_t i = 0; i < paws_table2_rows; i++) {
        double one;
        if (!number_of(&one, paws_table2[i].kernel, number, e))
            return false;
        *sum += one;
    }
    return true;
}

/* "A phase distance of 512 covers more than 98% of all kernels": of all their
 * phases. No share of the code can be meant: by Table II the longest phases of
 * CFD and DXTC alone reach 1120 cycles past 512, and all its code is less than
 * 21000 (phases times the longest; CFD's by its average). Of its phases they
 * are 2 of 111. The share of instructions is noted as well. */
bool measure_cover(struct finding *f, const struct claim *c,
                   const struct view *v, struct error *e)
{
    (void)v;
    double phases, covered, insts, near;
    if (!sum_of(&phases, phase_count, e) ||
        !sum_of(&covered, covered_phases, e) ||
        !sum_of(&insts, inst_count, e) || !sum_of(&near, covered_insts, e))
        return false;
    finding_add(f, 100 * covered / phases, c->number, "percent of %g phases",
                phases);
    finding_note(f, "%.1f %% of %g instructions", 100 * near / insts, insts);
    return true;
}

/* ---- single kernels --------------------------------------------------------
 */

/* A value for each of c->kernels, the paper's from c->numbers. */
static bool add_kernels(struct finding *f, const struct claim *c,
                        code_number *number, struct error *e)
{
    const char *kernels = c->kernels, *numbers = c->numbers;
    char kernel[64], paper[32];
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        double ours, theirs = c->number;
        if (!number_of(&ours, kernel, number, e))
            return false;
        if (numbers != NULL && next_word(paper, sizeof(paper), &numbers))
            theirs = strtod(paper, NULL);
        finding_add(f, ours, theirs, "%s", kernel);
    }
    return true;
}

/* The same, and noted what it is by dependence alone. */
static bool add_phases(struct finding *f, const struct claim *c,
                       code_number *number, struct error *e)
{
    const char *kernels = c->kernels;
    char kernel[64];
    for (int i = 0; next_word(kernel, sizeof(kernel), &kernels); i++) {
        double alone = 0;
        if (!number_by_dependence(&alone, kernel, number, e))
            return false;
        finding_note(f, "%s%s %g", i > 0 ? ", " : "by dependence alone ",
                     kernel, alone);
    }
    return add_kernels(f, c, number, e);
}

MEASURE(measure_code, add_kernels(f, c, inst_count, e))
MEASURE(measure_mean_length, add_phases(f, c, mean_length, e))
MEASURE(measure_last_phase, add_phases(f, c, last_length, e))
MEASURE(measure_first_shortest, add_phases(f, c, first_is_shortest, e))

bool measure_vector_add(struct finding *f, const struct claim *c,
                        const struct view *v, struct error *e)
{
    (void)v;
    bool first = c->kernels[0] == '1';
    double cycles;
    if (!number_of(&cycles, "vector-add", first ? first_length : last_length,
                   e))
        return false;
    finding_add(f, cycles, c->number, "phase %s", c->kernels);
    return true;
}
