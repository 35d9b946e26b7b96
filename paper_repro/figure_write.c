/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figure.h"

#include "paper_repro/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---------------------------------------------------------------- */

static void write_field(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\n") != NULL;
    if (quote)
        fputc('"', out);
    for (; *text != '\0'; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    fputs(quote ? "\"," : ",", out);
}

static void write_number(FILE *out, double v)
{
    if (!isnan(v))
        fprintf(out, "%.6g", v);
    fputc(',', out);
}

static const char *unit_of(const struct figure *f, const struct figure_value *v)
{
    const char *unit = v->unit != NULL ? v->unit : f->panel[v->panel].unit;
    return unit != NULL ? unit : "";
}

static const char *gpu_of(const struct figure *f, const struct figure_value *v,
                          const struct view *view)
{
    return v->gpu != NULL ? v->gpu : f->gpu != NULL ? f->gpu : view->gpu;
}

static const char *window_of(const struct view *v)
{
    return window_names[v->window != WINDOW_UNSET ? v->window
                                                  : lab_window(v->lab)];
}

void figure_write_csv(FILE *out, const struct figure *f,
                      const struct figure_data *d, const struct view *v)
{
    fputs("panel,subject,series,tb,cycle,ours,ours_lo,ours_hi,paper,unit,"
          "window,machine\n",
          out);
    for (size_t i = 0; i < figure_values(d); i++) {
        const struct figure_value *row = figure_value_at(d, i);
        const char *panel = f->panel[row->panel].title;
        write_field(out, panel != NULL ? panel : "");
        write_field(out, row->subject);
        write_field(out, row->series);
        write_number(out, row->tb);
        write_number(out, row->cycle);
        write_number(out, row->ours);
        write_number(out, row->low);
        write_number(out, row->high);
        write_number(out, row->paper);
        write_field(out, unit_of(f, row));
        fprintf(out, "%s,%s\n", window_of(v), gpu_of(f, row, v));
    }
}

/* ---- names in order of appearance --------------------------------------- */

typedef const char *name_of(const struct figure_value *v);

static const char *subject_of(const struct figure_value *v)
{
    return v->subject;
}

static const char *series_of(const struct figure_value *v)
{
    return v->series;
}

/* The index of `name` among the `count` in names, or count. */
static size_t index_of(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* The names that a panel's values have (panel < 0: all values). */
static size_t list_names(const char **names, const struct figure_data *d,
                         int panel, name_of *name)
{
    size_t count = 0;
    for (size_t i = 0; i < figure_values(d); i++) {
        const struct figure_value *v = figure_value_at(d, i);
        if (panel >= 0 && v->panel != panel)
            continue;
        if (index_of(names, count, name(v)) == count)
            names[count++] = name(v);
    }
    return count;
}

/* ---- SVG ---------------------------------------------------------------- */

/* A panel of a chart, with what it points to. */
struct drawn {
    const char **subject, **series;
    struct chart_value *value;
};

static bool alloc_drawn(struct drawn *a, size_t values)
{
    size_t n = values > 0 ? values : 1;
    a->subject = malloc(n * sizeof(*a->subject));
    a->series = malloc(n * sizeof(*a->series));
    a->value = malloc(n * sizeof(*a->value));
    return a->subject != NULL && a->series != NULL && a->value != NULL;
}

static void free_drawn(struct drawn *a)
{
    free(a->subject);
    free(a->series);
    free(a->value);
}

static size_t place_values(const struct drawn *a, size_t subjects,
                           size_t serieses, const struct figure_data *d,
                           int panel)
{
    size_t n = 0;
    for (size_t i = 0; i < figure_values(d); i++) {
        const struct figure_value *v = figure_value_at(d, i);
        if (v->panel != panel)
            continue;
        struct chart_value c =
            chart_bar(index_of(a->series, serieses, v->series),
                      index_of(a->subject, subjects, v->subject), v->ours);
        c.x = isnan(v->tb) ? v->cycle : v->tb;
        c.low = v->low;
        c.high = v->high;
        c.mark = v->paper;
        a->value[n++] = c;
    }
    return n;
}

static struct chart_panel chart_panel_of(const struct figure *f, int i,
                                         struct drawn *a,
                                         const struct figure_data *d)
{
    const struct figure_panel *p = &f->panel[i];
    size_t subjects = list_names(a->subject, d, i, subject_of);
    size_t serieses = list_names(a->series, d, i, series_of);
    return (struct chart_panel){
        .kind = p->kind,
        .title = p->title,
        .x = {.title = p->x},
        .y = {.title = p->y, .unit = p->unit, .origin = p->origin},
        .subject = a->subject,
        .subjects = subjects,
        .series = a->series,
        .serieses = serieses,
        .value = a->value,
        .values = place_values(a, subjects, serieses, d, i),
        .ramp = p->ramp,
        .height = p->height,
    };
}

/* The machines of the values, each once. */
static void name_machines(char *out, size_t size, const struct figure *f,
                          const struct figure_data *d, const struct view *v)
{
    enum { MOST = 4 };
    const char *name[MOST];
    size_t count = 0, used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < figure_values(d) && count < MOST; i++) {
        const char *gpu = gpu_of(f, figure_value_at(d, i), v);
        if (index_of(name, count, gpu) < count || used >= size)
            continue;
        name[count++] = gpu;
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 count > 1 ? ", " : "", gpu);
    }
}

static void write_note(char *out, size_t size, const struct figure *f,
                       const struct figure_data *d, const struct view *v)
{
    bool bars = false;
    char machines[128];
    for (size_t i = 0; i < figure_values(d); i++)
        bars |= isfinite(figure_value_at(d, i)->low);
    const char *window = window_of(v);
    name_machines(machines, sizeof(machines), f, d, v);
    snprintf(out, size, "Machine: %s; %s.%s", machines,
             strcmp(window, "full") == 0 ? "whole grids" : "parts of the grids",
             !bars ? ""
             : v->window == WINDOW_UNSET && lab_beside(v->lab)
                 ? " Whiskers: of means a 90 % interval by bootstrap over the "
                   "kernels, of single values what half the part gives."
                 : " Whiskers: of means a 90 % interval by bootstrap over the "
                   "kernels.");
}

bool figure_write_svg(FILE *out, const struct figure *f,
                      const struct figure_data *d, const struct view *v)
{
    struct chart_panel panel[FIGURE_PANELS];
    struct drawn drawn[FIGURE_PANELS] = {{NULL, NULL, NULL}};
    size_t panels = 0;
    char note[512];
    bool ok = true;
    write_note(note, sizeof(note), f, d, v);
    for (; panels < FIGURE_PANELS && f->panel[panels].y != NULL; panels++) {
        ok = ok && alloc_drawn(&drawn[panels], figure_values(d));
        if (ok)
            panel[panels] = chart_panel_of(f, (int)panels, &drawn[panels], d);
    }
    if (ok)
        chart_write(out, &(struct chart){.title = f->title,
                                         .description = f->what,
                                         .note = note,
                                         .mark = "paper",
                                         .panel = panel,
                                         .panels = panels,
                                         .columns = (size_t)f->columns});
    for (size_t i = 0; i < panels; i++)
        free_drawn(&drawn[i]);
    return ok;
}

/* ---- table -------------------------------------------------------------- */

static const struct figure_value *find(const struct figure_data *d,
                                       const char *subject, const char *series)
{
    for (size_t i = 0; i < figure_values(d); i++) {
        const struct figure_value *v = figure_value_at(d, i);
        if (strcmp(v->subject, subject) == 0 && strcmp(v->series, series) == 0)
            return v;
    }
    return NULL;
}

/* Whole numbers from a thousand on. */
static void write_plain(FILE *out, double v)
{
    fprintf(out, fabs(v) >= 1000 ? "%.0f" : "%.4g", v);
}

static void write_cell(FILE *out, const struct figure_value *v)
{
    fputc(' ', out);
    if (v != NULL && isnan(v->ours))
        fputc('-', out);
    else if (v != NULL)
        write_plain(out, v->ours);
    if (v != NULL && !isnan(v->paper)) {
        bool same =
            v->ours == v->paper || fabs(v->ours / v->paper - 1) <= RULE_TIE;
        const char *bold = same ? "" : "**";
        fprintf(out, " (%s", bold);
        write_plain(out, v->paper);
        fprintf(out, "%s)", bold);
    }
    fputs(" |", out);
}

static void write_table(FILE *out, const struct figure *f,
                        const struct figure_data *d, const struct drawn *a)
{
    size_t subjects = list_names(a->subject, d, -1, subject_of);
    size_t serieses = list_names(a->series, d, -1, series_of);
    fprintf(out,
            "%s. Ours, in brackets the paper's, bold where they differ by more "
            "than "
            "%g %%.\n\n| |",
            f->title, 100 * RULE_TIE);
    for (size_t s = 0; s < serieses; s++)
        fprintf(out, " %s |", a->series[s]);
    fputs("\n|---|", out);
    for (size_t s = 0; s < serieses; s++)
        fputs("---|", out);
    for (size_t i = 0; i < subjects; i++) {
        fprintf(out, "\n| %s |", a->subject[i]);
        for (size_t s = 0; s < serieses; s++)
            write_cell(out, find(d, a->subject[i], a->series[s]));
    }
    fputc('\n', out);
}

bool figure_write_table(FILE *out, const struct figure *f,
                        const struct figure_data *d)
{
    struct drawn a;
    bool ok = alloc_drawn(&a, figure_values(d));
    if (ok)
        write_table(out, f, d, &a);
    free_drawn(&a);
    return ok;
}
