/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct format formats[] = {
    {"table", ".txt", write_table, write_launches_table, NULL, NULL},
    {"csv", ".csv", write_csv, write_launches_csv, NULL, write_csv_part},
    {"json", ".json", write_json, write_launches_json, NULL, NULL},
    {"jsonl", ".jsonl", write_jsonl, NULL, write_jsonl_point, write_jsonl_part},
    {"html", ".html", write_html, NULL, NULL, NULL},
    {"markdown", ".md", write_markdown, NULL, NULL, NULL},
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static const char *format_name(const void *table, size_t i)
{
    return ((const struct format *)table)[i].name;
}

const struct format *format_by_name(const char *name, struct estimate_error *e)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    const char *near = nearest_row(name, formats, FORMATS, format_name);
    if (near != NULL)
        fail(e, ESTIMATE_USAGE, "--format %s: did you mean '%s'?", name, near);
    else
        fail(e, ESTIMATE_USAGE,
             "--format %s: expected table, csv, json, jsonl, html or markdown",
             name);
    return NULL;
}

const struct format *format_by_extension(const char *path,
                                         struct estimate_error *e)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    for (size_t i = 0; dot != NULL && i < FORMATS; i++)
        if (strcmp(formats[i].extension, dot) == 0)
            return &formats[i];
    fail(e, ESTIMATE_USAGE,
         "--output %s: the name must end in .txt, .csv, .json, .jsonl, "
         ".html or .md",
         path);
    return NULL;
}

bool check_formats(const struct options *o,
                   bool (*is_written)(const struct format *f),
                   const char *command, const char *expected,
                   struct estimate_error *e)
{
    const struct format *other = is_written(o->format) ? NULL : o->format;
    for (size_t i = 0; i < o->outputs && other == NULL; i++)
        if (!is_written(o->output[i].format))
            other = o->output[i].format;
    return other == NULL ||
           fail(e, ESTIMATE_USAGE, "%s: expected the format %s, found %s",
                command, expected, other->name);
}

static bool is_special(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

static bool failed(const char *path, struct estimate_error *e)
{
    return fail(e, ESTIMATE_FAILED, "%s: %s", path, strerror(errno));
}

bool check_writable(const char *path, struct estimate_error *e)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL)
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path);
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return failed(path, e);
    }
    if (access(is_special(path) ? path : folder, W_OK) != 0)
        return failed(path, e);
    return true;
}

/* Write and close; false when any of it failed. */
static bool write_and_close(FILE *f, const struct format *format,
                            const struct written *w)
{
    if (f == NULL)
        return false;
    w->write(f, format, w->what);
    bool ok = fflush(f) == 0 && !ferror(f);
    return fclose(f) == 0 && ok;
}

static bool is_made(const struct written *w)
{
    return w->failure == NULL || w->failure->status == ESTIMATE_OK;
}

static bool not_written(const char *path, const struct written *w,
                        struct estimate_error *e)
{
    if (is_made(w))
        return failed(path, e);
    *e = *w->failure;
    return false;
}

static bool write_direct(const char *path, const struct format *format,
                         const struct written *w, struct estimate_error *e)
{
    FILE *f = fopen(path, "w");
    return (write_and_close(f, format, w) && is_made(w)) ||
           not_written(path, w, e);
}

/* mkstemp() makes files for the owner alone: give them the usual mode. */
static void widen_mode(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
}

static bool write_temporary(char *path, const struct format *format,
                            const struct written *w)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return false;
    widen_mode(fd);
    FILE *f = fdopen(fd, "w");
    if (f == NULL)
        close(fd);
    return write_and_close(f, format, w);
}

/* False with errno set and nothing left behind. */
static bool replace(const char *path, char *temporary,
                    const struct format *format, const struct written *w)
{
    if (write_temporary(temporary, format, w) && is_made(w) &&
        rename(temporary, path) == 0)
        return true;
    int reason = errno;
    unlink(temporary);
    errno = reason;
    return false;
}

bool write_file(const char *path, const struct format *format,
                const struct written *w, struct estimate_error *e)
{
    if (is_special(path))
        return write_direct(path, format, w, e);
    if (w->interrupted && access(path, F_OK) == 0) {
        fprintf(stderr, "estimate: note: %s: kept as it was\n", path);
        return true;
    }
    size_t size = strlen(path) + sizeof(".XXXXXX");
    char *temporary = malloc(size);
    if (temporary == NULL)
        return fail(e, ESTIMATE_FAILED, "out of memory");
    snprintf(temporary, size, "%s.XXXXXX", path);
    bool ok = replace(path, temporary, format, w) || not_written(path, w, e);
    free(temporary);
    return ok;
}

bool write_outputs(const struct options *o, const struct written *w,
                   struct estimate_error *e)
{
    struct estimate_error failure;
    bool ok = true;
    for (size_t i = 0; i < o->outputs; i++) {
        if (write_file(o->output[i].path, o->output[i].format, w, &failure))
            continue;
        if (!ok)
            fprintf(stderr, "estimate: %s\n", e->text);
        *e = failure;
        ok = false;
    }
    return ok;
}
