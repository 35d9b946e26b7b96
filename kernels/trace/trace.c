/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files a trace consists of. */
#include "kernels/trace/trace.h"

#include "base/ending.h"
#include "kernels/trace/trace_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_NAME "kernelslist.g"

struct loader {
    struct kernel_list *out;
    const struct load_options *options;
    struct trace_spool *spool;
    struct error *e;
};

/* A kernel that is launched again is told apart by "#2", "#3", ... */
static bool number_name(const struct kernel_list *list, struct kernel *k)
{
    size_t n = strlen(k->name), again = 1;
    char *numbered;

    for (size_t i = 0; i < list->count; i++) {
        const char *other = list->kernel[i]->name;

        again += strncmp(other, k->name, n) == 0 &&
                 (other[n] == '\0' || other[n] == '#');
    }
    if (again == 1)
        return true;
    numbered = malloc(n + 24);
    if (numbered == NULL)
        return false;
    snprintf(numbered, n + 24, "%s#%zu", k->name, again);
    free(k->name);
    k->name = numbered;
    return true;
}

static bool add_kernel(struct loader *l, const char *path)
{
    struct kernel *k = trace_parse(path, l->options, l->spool, l->e);
    struct kernel **grown;

    if (k == NULL)
        return false;
    grown =
        realloc(l->out->kernel, (l->out->count + 1) * sizeof(struct kernel *));
    if (grown != NULL)
        l->out->kernel = grown;
    if (grown == NULL || !number_name(l->out, k)) {
        kernel_free(k);
        return error_no_memory(l->e);
    }
    l->out->kernel[l->out->count++] = k;
    return true;
}

/* "folder/name" for a folder that ends at `end`, with `ending` behind. */
static char *join(const char *folder, size_t folder_length, const char *name,
                  size_t name_length, const char *ending)
{
    size_t size = folder_length + name_length + strlen(ending) + 2;
    char *path = malloc(size);

    if (path != NULL)
        snprintf(path, size, "%.*s%s%.*s%s", (int)folder_length, folder,
                 folder_length > 0 ? "/" : "", (int)name_length, name, ending);
    return path;
}

/* The file of a line of a kernel list: it lies beside the list, and may have
 * been compressed since the list was written. */
static bool add_listed(struct loader *l, const struct trace_text *list,
                       struct span line)
{
    const char *slash = strrchr(list->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - list->path) : 0;
    size_t length = (size_t)(line.end - line.at);
    char *path = join(list->path, folder, line.at, length, "");
    bool ok;

    if (path != NULL && access(path, F_OK) != 0) {
        char *packed = join(list->path, folder, line.at, length, ".xz");

        if (packed != NULL && access(packed, F_OK) == 0) {
            free(path);
            path = packed;
        } else {
            free(packed);
        }
    }
    if (path == NULL)
        return error_no_memory(l->e);
    if (access(path, F_OK) != 0)
        ok = trace_fail(list, l->e, "no file %s", path);
    else
        ok = add_kernel(l, path);
    free(path);
    return ok;
}

static bool list_line(struct loader *l, const struct trace_text *list,
                      struct span line)
{
    char shown[SHOWN_SIZE];

    if (span_empty(&line) || span_starts(line, "Memcpy"))
        return true;
    if (span_starts(line, "kernel"))
        return add_listed(l, list, line);
    return trace_fail(
        list, l->e, "found \"%s\", expected a kernel's trace or a Memcpy line",
        trace_show(shown, line));
}

static bool load_list(struct loader *l, const char *path)
{
    struct trace_text list;
    struct span line;
    enum trace_line got;
    bool ok = true;

    if (!trace_text_open(&list, path, l->e))
        return false;
    while (ok && (got = trace_text_line(&list, &line, l->e)) != TRACE_END)
        ok = got == TRACE_LINE && list_line(l, &list, line);
    if (ok && l->out->count == 0)
        ok = trace_fail(&list, l->e, "no kernel in the list");
    trace_text_close(&list);
    return ok;
}

static bool load_folder(struct loader *l, const char *path)
{
    size_t length = strlen(path);
    char *list;
    bool ok;

    while (length > 1 && path[length - 1] == '/')
        length--;
    list = join(path, length, LIST_NAME, strlen(LIST_NAME), "");
    if (list == NULL)
        return error_no_memory(l->e);
    if (access(list, F_OK) != 0)
        ok = error_set(l->e, STATUS_BAD_INPUT,
                       "%s: folder without a " LIST_NAME, path);
    else
        ok = load_list(l, list);
    free(list);
    return ok;
}

bool trace_load(struct kernel_list *out, const char *path,
                const struct load_options *o, struct error *e)
{
    struct loader l = {.out = out, .options = o, .e = e};
    struct stat file;
    bool ok;

    *out = (struct kernel_list){0};
    l.spool = trace_spool_new(e);
    if (l.spool == NULL)
        return false;
    if (stat(path, &file) == 0 && S_ISDIR(file.st_mode))
        ok = load_folder(&l, path);
    else if (ends_with(path, ".g"))
        ok = load_list(&l, path);
    else
        ok = add_kernel(&l, path);
    trace_spool_seal(l.spool);
    trace_spool_release(l.spool);
    if (!ok)
        kernel_list_free(out);
    return ok;
}
