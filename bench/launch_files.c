/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of measured launches (launches.h) as what `calibrate --against`
 * reads:
 *
 *     launch_files TABLE PTX GPU FOLDER
 *
 * writes FOLDER/KERNEL.launch for each, with the module in the folder PTX, and
 * FOLDER/points.csv with their cycles on GPU. */
#include "bench/launches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_buffer(const char *arg)
{
    return strncmp(arg, "buf:", 4) == 0 || strncmp(arg, "tex:", 4) == 0;
}

/* Bytes of the buffer's text but for the name at its end that an argument
 * "@NAME" has; *name is that, or NULL. */
static int named(const struct prepared_launch *l, const char *arg,
                 const char **name)
{
    const char *last = strrchr(arg, ':');
    *name = NULL;
    for (size_t i = 0; i < l->options.ptx.args; i++)
        if (l->arg[i][0] == '@' && strcmp(l->arg[i] + 1, last + 1) == 0)
            *name = last + 1;
    return *name != NULL ? (int)(last - arg) : (int)strlen(arg);
}

static void put_buffers(FILE *f, const struct prepared_launch *l)
{
    const char *name;
    fputs("buffers: {\n", f);
    for (size_t i = 0; i < l->options.ptx.args; i++) {
        if (!is_buffer(l->arg[i]))
            continue;
        int length = named(l, l->arg[i], &name);
        if (name != NULL)
            fprintf(f, "    %s = \"%.*s\";\n", name, length, l->arg[i]);
        else
            fprintf(f, "    a%zu = \"%s\";\n", i, l->arg[i]);
    }
    fputs("};\n", f);
}

static void put_arguments(FILE *f, const struct prepared_launch *l)
{
    const char *name;
    fputs("      args = (", f);
    for (size_t i = 0; i < l->options.ptx.args; i++) {
        const char *arg = l->arg[i];
        fputs(i > 0 ? ", " : "", f);
        if (arg[0] == '@')
            fprintf(f, "\"%s\"", arg + 1);
        else if (!is_buffer(arg))
            fputs(arg, f);
        else if (named(l, arg, &name), name != NULL)
            fprintf(f, "\"%s\"", name);
        else
            fprintf(f, "\"a%zu\"", i);
    }
    fputs("); }\n", f);
}

static void put_launch(FILE *f, const char *kernel,
                       const struct prepared_launch *l)
{
    const struct launch *o = &l->options.launch;
    fprintf(f, "name = \"%s\";\nptx = \"%s\";\n", kernel, l->file);
    put_buffers(f, l);
    fprintf(
        f,
        "launches = (\n"
        "    { entry = \"%s\"; grid = [%u, %u, %u]; block = [%u, %u, %u];\n",
        l->entry, o->grid.x, o->grid.y, o->grid.z, o->block.x, o->block.y,
        o->block.z);
    if (o->shared_given)
        fprintf(f, "      shared = %u;\n", o->shared_bytes);
    put_arguments(f, l);
    fputs(");\n", f);
}

static FILE *open_in(const char *folder, const char *name, const char *ending,
                     struct error *e)
{
    char path[LAUNCH_PATH];
    snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    return f;
}

static bool close_file(FILE *f, struct error *e)
{
    return fclose(f) == 0 ||
           error_set(e, STATUS_FAILED, "a file could not be written");
}

static bool write_launch(const struct measured_launch *m, const char *ptx,
                         const char *folder, struct error *e)
{
    struct prepared_launch *l = calloc(1, sizeof(*l));
    bool ok = l != NULL || error_no_memory(e);
    FILE *f = ok && launch_prepare(l, m, ptx, folder, e)
                  ? open_in(folder, m->kernel, ".launch", e)
                  : NULL;
    if (f != NULL)
        put_launch(f, m->kernel, l);
    ok = f != NULL && close_file(f, e);
    free(l);
    return ok;
}

static bool write_all(char *const *argv, struct error *e)
{
    struct measured_launch *m = NULL;
    size_t count = 0;
    if (!launches_load(&m, &count, argv[0], e))
        return false;
    FILE *points = open_in(argv[3], "points", ".csv", e);
    if (points != NULL)
        fputs("kernel,gpu,cycles\n", points);
    bool ok = points != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        fprintf(points, "./%s.launch,%s,%.17g\n", m[i].kernel, argv[2],
                m[i].cycles);
        ok = write_launch(&m[i], argv[1], argv[3], e);
    }
    ok = points != NULL && close_file(points, e) && ok;
    free(m);
    return ok;
}

int main(int argc, char **argv)
{
    struct error e;
    if (argc != 5) {
        fprintf(stderr, "launch_files: expected TABLE PTX GPU FOLDER\n");
        return STATUS_USAGE;
    }
    if (write_all(argv + 1, &e))
        return EXIT_SUCCESS;
    fprintf(stderr, "launch_files: %s\n", e.text);
    return (int)e.status;
}
