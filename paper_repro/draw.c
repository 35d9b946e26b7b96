/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/draw.h"

#include "paper_repro/draw_index.h"
#include "paper_repro/machines.h"
#include "paper_repro/options.h"

#include <string.h>
#include <sys/stat.h>

const struct figures all_figures[] = {
    {"paws", paws_figures}, {"perfsat", perfsat_figures},
    {"kaws", kaws_figures}, {"cawa", cawa_figures},
    {"ikra", ikra_figures}, {NULL, NULL},
};

struct drawing {
    const struct options *options;
    struct lab *lab;
    int drawn, failed; /* figures; those with a run that failed */
};

enum file { CSV, PICTURE };

/* A figure and what it is written from. */
struct sheet {
    const struct figure *figure;
    const struct figure_data *data;
    const struct view *view;
};

static bool write_file(const char *path, enum file what, const struct sheet *s,
                       struct error *e)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return error_set(e, STATUS_FAILED, "%s: cannot be written", path);
    bool ok = true;
    if (what == CSV)
        figure_write_csv(out, s->figure, s->data, s->view);
    else if (figure_is_table(s->figure))
        ok = figure_write_table(out, s->figure, s->data);
    else
        ok = figure_write_svg(out, s->figure, s->data, s->view);
    bool written = !ferror(out);
    written = fclose(out) == 0 && written;
    if (!ok)
        return error_no_memory(e);
    return written ||
           error_set(e, STATUS_FAILED, "%s: cannot be written", path);
}

/* "fig9a.csv" of paws as "FOLDER/figures/paws_fig9a.csv"; "" without a folder.
 */
static void path_of(char out[PATH_BYTES], const struct options *o,
                    const char *paper, const char *id, const char *type)
{
    char name[64], folder[PATH_BYTES];
    options_path(folder, o, "figures");
    if (folder[0] != '\0')
        mkdir(folder, 0777);
    snprintf(name, sizeof(name), "figures/%s_%s.%s", paper, id, type);
    options_path(out, o, name);
}

static bool write_figure(const struct drawing *d, const char *paper,
                         const struct sheet *s, struct error *e)
{
    char csv[PATH_BYTES], picture[PATH_BYTES];
    path_of(csv, d->options, paper, s->figure->id, "csv");
    path_of(picture, d->options, paper, s->figure->id,
            figure_is_table(s->figure) ? "md" : "svg");
    if (csv[0] != '\0')
        return write_file(csv, CSV, s, e) && write_file(picture, PICTURE, s, e);
    printf("%s\n", s->figure->title);
    figure_write_csv(stdout, s->figure, s->data, s->view);
    return true;
}

/* What is only listened to is not written. */
static bool draw_figure(struct drawing *d, const char *paper,
                        const struct figure *f, struct error *e)
{
    const struct view v = {.lab = d->lab, .gpu = machine_of(paper)->gpu};
    struct figure_data *data = figure_data_create();
    struct error why;
    if (data == NULL)
        return error_no_memory(e);
    bool filled = figure_fill(data, f, &v, &why), ok = true;
    d->drawn++;
    if (!lab_listening(d->lab) && !filled) {
        fprintf(stderr, "paper: %s %s: %s\n", paper, f->id, why.text);
        d->failed++;
    } else if (!lab_listening(d->lab)) {
        ok = write_figure(d, paper, &(struct sheet){f, data, &v}, e);
    }
    figure_data_free(data);
    return ok;
}

static bool draw_all(void *user, struct error *e)
{
    struct drawing *d = user;
    for (const struct figures *p = all_figures; p->paper != NULL; p++)
        for (const struct figure *f = p->figure; f->id != NULL; f++) {
            char name[64];
            snprintf(name, sizeof(name), "%s_%s", p->paper, f->id);
            if (options_want(d->options, p->paper, name) &&
                !draw_figure(d, p->paper, f, e))
                return false;
        }
    return true;
}

bool figures_command(const struct options *o, struct lab *l, struct error *e)
{
    struct drawing d = {.options = o, .lab = l};
    if (!lab_gather(l, draw_all, &d, e))
        return false;
    if (d.drawn == 0)
        return error_set(e, STATUS_USAGE, "no such paper or figure");
    if (o->folder != NULL && !draw_index(o->folder, e))
        return false;
    return d.failed == 0 ||
           error_set(e, STATUS_FAILED, "runs of %d figures failed", d.failed);
}
