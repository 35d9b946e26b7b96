/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program that repeats the papers. */
#include "paper_repro/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: paper COMMAND [OPTION...] [PAPER...] [NAME...]\n"
    "Papers: paws, perfsat, kaws, cawa, ikra. Names are those of claims "
    "and figures.\nFiles keep the rows of what is not asked for.\n"
    "  claims        judge the claims: claims.csv, claims.txt\n"
    "  figures       draw the figures: figures/, README.md\n"
    "  readings      those that do not hold under each reading: readings.csv\n"
    "  windows       some in quick windows and in full: windows.csv\n"
    "  --quick       windows of the grids (default)\n"
    "  --full        the grids in full\n"
    "  --beside      claims also on the second machine and by estimates, "
    "figures\n                with intervals from half windows\n"
    "  --reading NAME  readings: under this one alone\n"
    "  -j N          threads (one a core)\n"
    "  --store FILE  results kept (build/paper/points.db)\n"
    "  --out FOLDER  where to write (paper_repro/results, of --full its folder "
    "full);\n                -: print alone\n";

static const struct {
    const char *name;
    paper_command *run;
} commands[] = {
    {"claims", claims_command},
    {"figures", figures_command},
    {"readings", readings_command},
    {"windows", windows_command},
};

static void tell_cost(const struct lab *l)
{
    double seconds;
    size_t points = lab_cost(l, &seconds);
    fprintf(stderr, "paper: %zu points, %.1f minutes of one core\n", points,
            seconds / 60);
}

static bool run_command(const struct options *o, struct error *e)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].name, o->command) != 0)
            continue;
        struct lab *l = lab_create(&o->lab, e);
        bool ok = l != NULL && commands[i].run(o, l, e);
        if (ok)
            tell_cost(l);
        lab_free(l);
        return ok;
    }
    return error_set(e, STATUS_USAGE, "%s: no such command", o->command);
}

int main(int argc, char **argv)
{
    struct options o;
    struct error e;
    if (options_parse(&o, argc, argv, &e) && run_command(&o, &e))
        return EXIT_SUCCESS;
    fprintf(stderr, "paper: %s\n%s", e.text,
            e.status == STATUS_USAGE ? usage : "");
    return (int)e.status;
}
