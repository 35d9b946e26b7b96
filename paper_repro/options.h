/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line of the program, and its commands. */
#ifndef PAPER_REPRO_OPTIONS_H
#define PAPER_REPRO_OPTIONS_H

#include "paper_repro/lab.h"

/* Where results of parts of the grids, and of whole ones, are kept. */
#define OPTIONS_PARTS "paper_repro/results"
#define OPTIONS_WHOLE OPTIONS_PARTS "/full"

struct options {
    struct lab_options lab;
    const char *command;
    const char *folder;  /* where results are written; NULL: only printed */
    const char *reading; /* the only one to judge under; NULL: each */
    char **wanted; /* papers, claims and what else has a name; none: all */
    int wanted_count;
};

/* False with e (STATUS_USAGE). Moves words of argv, which stays the owner of
 * all strings. */
bool options_parse(struct options *o, int argc, char **argv, struct error *e);
/* Whether a paper or what has this name in it is asked for. */
bool options_want(const struct options *o, const char *paper, const char *name);
/* folder/name; "" when o->folder is NULL. */
#define PATH_BYTES 512
void options_path(char out[PATH_BYTES], const struct options *o,
                  const char *name);

/* A command gets its points with lab_gather. False with e: it could not be
 * done, or a run failed. */
typedef bool paper_command(const struct options *o, struct lab *l,
                           struct error *e);
paper_command claims_command;   /* judge.c: claims.csv, claims.txt */
paper_command figures_command;  /* draw.c: figures/, README.md */
paper_command readings_command; /* causes.c: readings.csv; causes */
paper_command windows_command;  /* windows.c: windows.csv */

#endif
