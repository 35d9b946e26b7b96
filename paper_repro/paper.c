/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Judges the papers' claims, and writes what came of them. */
#include "paper_repro/ledger.h"
#include "paper_repro/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORE  "build/paper/points.db"
#define FOLDER "paper_repro/results"

static const char usage[] =
    "usage: paper claims [OPTION...] [PAPER...] [ID...]\n"
    "Judges the claims of the papers (paws, perfsat, kaws, cawa, ikra) or "
    "those\nnamed, and writes claims.csv and claims.txt; rows not judged "
    "stay as they were.\n"
    "  --quick       windows of the grids (default)\n"
    "  --full        the grids in full\n"
    "  -j N          threads (one a core)\n"
    "  --store FILE  results kept (" STORE ")\n"
    "  --out FOLDER  where to write (" FOLDER "); - : print alone\n";

struct options {
    struct lab_options lab;
    const char *command, *folder;
    char **wanted; /* papers and ids; none: all */
    int wanted_count;
};

static bool take_option(struct options *o, char **argv, int argc, int *i)
{
    const char *a = argv[*i];
    if (strcmp(a, "--quick") == 0 || strcmp(a, "--full") == 0) {
        o->lab.window = a[2] == 'f' ? WINDOW_FULL : WINDOW_QUICK;
        return true;
    }
    if (strncmp(a, "-j", 2) == 0 && a[2] != '\0') {
        o->lab.threads = atoi(a + 2);
        return o->lab.threads > 0;
    }
    if (*i + 1 == argc)
        return false;
    const char *value = argv[++*i];
    if (strcmp(a, "-j") == 0)
        o->lab.threads = atoi(value);
    else if (strcmp(a, "--store") == 0)
        o->lab.store = value;
    else if (strcmp(a, "--out") == 0)
        o->folder = value;
    else
        return false;
    return strcmp(a, "-j") != 0 || o->lab.threads > 0;
}

static bool known(const char *name)
{
    for (int p = 0; p < CLAIM_PAPERS; p++) {
        if (strcmp(all_claims[p]->paper, name) == 0)
            return true;
        for (size_t i = 0; i < all_claims[p]->count; i++)
            if (strcmp(all_claims[p]->claim[i].id, name) == 0)
                return true;
    }
    return false;
}

/* Names are gathered at argv's start. */
static bool parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){.lab = {.window = WINDOW_QUICK, .store = STORE},
                          .folder = FOLDER,
                          .wanted = argv};
    o->lab.progress = isatty(STDERR_FILENO);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            if (!take_option(o, argv, argc, &i))
                return false;
        } else if (o->command == NULL) {
            o->command = argv[i];
        } else if (known(argv[i])) {
            argv[o->wanted_count++] = argv[i];
        } else {
            fprintf(stderr, "paper: %s: no such paper or claim\n", argv[i]);
            return false;
        }
    }
    return o->command != NULL && strcmp(o->command, "claims") == 0;
}

static bool wanted(const struct options *o, const char *paper, const char *id)
{
    for (int i = 0; i < o->wanted_count; i++)
        if (strcmp(o->wanted[i], paper) == 0 || strcmp(o->wanted[i], id) == 0)
            return true;
    return o->wanted_count == 0;
}

struct judging {
    const struct options *options;
    struct lab *lab;
    struct ledger *ledger;
    int failed; /* claims with a run that failed */
};

/* On the paper's machine or the second one. */
static bool judge_on(struct judging *j, const struct claim *c, const char *gpu,
                     bool second, struct error *e)
{
    const struct view v = {.lab = j->lab, .gpu = gpu};
    struct finding f;
    bool ran = claim_judge(&f, c, &v);
    if (lab_listening(j->lab))
        return true;
    j->failed += !ran;
    const char *machine = c->gpu != NULL ? c->gpu : gpu;
    if (!ledger_set_finding(j->ledger, c, &f, second) ||
        !ledger_set(j->ledger, c->id, second ? COLUMN_SECOND : COLUMN_MACHINE,
                    machine) ||
        !ledger_set(j->ledger, c->id, COLUMN_WINDOW,
                    window_names[lab_window(j->lab)]))
        return error_no_memory(e);
    return true;
}

static bool judge_all(void *user, struct error *e)
{
    struct judging *j = user;
    bool ok = true;
    for (int p = 0; ok && p < CLAIM_PAPERS; p++) {
        const struct claims *s = all_claims[p];
        const struct machine *m = machine_of(s->paper);
        for (size_t i = 0; ok && i < s->count; i++) {
            const struct claim *c = &s->claim[i];
            if (!wanted(j->options, s->paper, c->id))
                continue;
            bool other = m->second != NULL && c->gpu == NULL &&
                         c->cannot == NULL && c->input == NULL;
            ok = judge_on(j, c, m->gpu, false, e) &&
                 (!other || judge_on(j, c, m->second, true, e));
        }
    }
    return ok;
}

static bool write_text(const struct ledger *g, const char *path,
                       struct error *e)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: cannot be written", path);
    ledger_print(g, f);
    return fclose(f) == 0 ||
           error_set(e, STATUS_FAILED, "%s: cannot be written", path);
}

static bool judge_and_write(struct judging *j, const char *folder,
                            struct error *e)
{
    char csv[512], text[512];
    snprintf(csv, sizeof(csv), "%s/claims.csv", folder);
    snprintf(text, sizeof(text), "%s/claims.txt", folder);
    bool print = strcmp(folder, "-") == 0;
    mkdir(folder, 0777);
    if (!print && !ledger_read_csv(j->ledger, csv, e))
        return false;
    if (!lab_gather(j->lab, judge_all, j, e))
        return false;
    ledger_print(j->ledger, stdout);
    return print || (ledger_write_csv(j->ledger, csv, e) &&
                     write_text(j->ledger, text, e));
}

int main(int argc, char **argv)
{
    struct options o;
    struct error e = {.text = "out of memory"};
    if (!parse(&o, argc, argv)) {
        fputs(usage, stderr);
        return STATUS_USAGE;
    }
    struct judging j = {.options = &o, .ledger = ledger_create()};
    j.lab = j.ledger != NULL ? lab_create(&o.lab, &e) : NULL;
    bool ok = j.lab != NULL && judge_and_write(&j, o.folder, &e);
    if (!ok)
        fprintf(stderr, "paper: %s\n", e.text);
    lab_free(j.lab);
    ledger_free(j.ledger);
    return ok && j.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
