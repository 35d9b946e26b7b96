/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORE "build/paper/points.db"

static bool set_threads(struct options *o, const char *text, struct error *e)
{
    o->lab.threads = atoi(text);
    return o->lab.threads > 0 ||
           error_set(e, STATUS_USAGE, "-j %s: expected a number above 0", text);
}

/* Option argv[*i], and its value if it takes one. */
static bool take_option(struct options *o, char **argv, int argc, int *i,
                        struct error *e)
{
    const char *a = argv[*i];
    if (strcmp(a, "--quick") == 0 || strcmp(a, "--full") == 0) {
        o->lab.window = a[2] == 'f' ? WINDOW_FULL : WINDOW_QUICK;
        return true;
    }
    if (strcmp(a, "--beside") == 0) {
        o->lab.beside = true;
        return true;
    }
    if (strncmp(a, "-j", 2) == 0 && a[2] != '\0')
        return set_threads(o, a + 2, e);
    bool valued = strcmp(a, "-j") == 0 || strcmp(a, "--store") == 0 ||
                  strcmp(a, "--out") == 0 || strcmp(a, "--reading") == 0;
    if (!valued || *i + 1 == argc)
        return error_set(e, STATUS_USAGE, "%s: %s", a,
                         valued ? "expected a value" : "no such option");
    const char *value = argv[++*i];
    if (a[1] == 'j')
        return set_threads(o, value, e);
    if (a[2] == 's')
        o->lab.store = value;
    else if (a[2] == 'r')
        o->reading = value;
    else
        o->folder = value;
    return true;
}

bool options_parse(struct options *o, int argc, char **argv, struct error *e)
{
    *o = (struct options){.lab = {.window = WINDOW_QUICK, .store = STORE},
                          .wanted = argv};
    o->lab.progress = isatty(STDERR_FILENO);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            if (!take_option(o, argv, argc, &i, e))
                return false;
        } else if (o->command == NULL) {
            o->command = argv[i];
        } else {
            argv[o->wanted_count++] = argv[i];
        }
    }
    if (o->folder == NULL)
        o->folder =
            o->lab.window == WINDOW_FULL ? OPTIONS_WHOLE : OPTIONS_PARTS;
    else if (strcmp(o->folder, "-") == 0)
        o->folder = NULL;
    return o->command != NULL ||
           error_set(e, STATUS_USAGE, "expected a command");
}

bool options_want(const struct options *o, const char *paper, const char *name)
{
    for (int i = 0; i < o->wanted_count; i++)
        if (strcmp(o->wanted[i], paper) == 0 || strcmp(o->wanted[i], name) == 0)
            return true;
    return o->wanted_count == 0;
}

void options_path(char out[PATH_BYTES], const struct options *o,
                  const char *name)
{
    out[0] = '\0';
    if (o->folder == NULL)
        return;
    mkdir(o->folder, 0777);
    snprintf(out, PATH_BYTES, "%s/%s", o->folder, name);
}
