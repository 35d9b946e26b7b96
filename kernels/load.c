/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/load.h"

#include "base/bundled.h"
#include "base/ending.h"
#include "kernels/file/kernel_file.h"
#include "kernels/ptx/launch/launch_kernel.h"
#include "kernels/ptx/launch/launch_read.h"
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/trace/trace.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define ENDINGS_MAX 4

struct front_end {
    enum input_kind kind;
    const char *ending[ENDINGS_MAX]; /* of its files' names, up to a NULL */
    const char *expected;            /* its inputs, as messages list them */
    bool folders;                    /* it takes folders too */
    /* Whether `name` is one of its bundled inputs. NULL: it has none. */
    bool (*bundled)(const char *name);
    /* Load a bundled input or an existing file. False with e set; what is in
     * the list then is freed by the caller. */
    bool (*load)(struct kernel_list *out, const char *input,
                 const struct load_options *options, struct error *e);
};

static const struct front_end front_ends[] = {
    {.kind = INPUT_KERNEL,
     .ending = {".kernel"},
     .expected = ".kernel",
     .bundled = kernel_file_is_bundled,
     .load = kernel_file_read},
    {.kind = INPUT_PTX,
     .ending = {".ptx"},
     .expected = ".ptx",
     .load = ptx_kernel_load},
    {.kind = INPUT_LAUNCH,
     .ending = {".launch"},
     .expected = ".launch",
     .bundled = launch_file_is_bundled,
     .load = launch_kernel_load},
    {.kind = INPUT_TRACE,
     .ending = {".traceg", ".traceg.xz", ".g"},
     .expected = ".traceg, .traceg.xz, kernelslist.g or a folder",
     .folders = true,
     .load = trace_load},
};
#define FRONT_ENDS (sizeof(front_ends) / sizeof(front_ends[0]))

const char *const *kernel_bundled_names(size_t *count)
{
    *count = bundled_input_count;
    return bundled_input_names;
}

const char *const *kernel_default_names(size_t *count)
{
    *count = bundled_default_count;
    return bundled_default_names;
}

static const struct front_end *of_bundled(const char *name)
{
    for (size_t i = 0; i < FRONT_ENDS; i++)
        if (front_ends[i].bundled != NULL && front_ends[i].bundled(name))
            return &front_ends[i];
    return NULL;
}

static const struct front_end *of_name(const char *path)
{
    for (size_t i = 0; i < FRONT_ENDS; i++)
        for (size_t n = 0; front_ends[i].ending[n] != NULL; n++)
            if (ends_with(path, front_ends[i].ending[n]))
                return &front_ends[i];
    return NULL;
}

static const struct front_end *of_folders(void)
{
    for (size_t i = 0; i < FRONT_ENDS; i++)
        if (front_ends[i].folders)
            return &front_ends[i];
    return NULL;
}

static const char *bundled_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

#define PART_LEAST 4 /* letters of a name that say which */

/* One that is nearly so called, or has it in its name; NULL: none. */
static const char *meant(const char *input)
{
    const char *near = nearest_name(input, bundled_input_names,
                                    bundled_input_count, bundled_name);
    for (size_t i = 0; near == NULL && i < bundled_input_count; i++)
        if (strlen(input) >= PART_LEAST &&
            strstr(bundled_input_names[i], input) != NULL)
            near = bundled_input_names[i];
    return near;
}

static bool no_such_input(const char *input, struct error *e)
{
    if (of_name(input) != NULL || strchr(input, '/') != NULL)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: no such file, expected a kernel file, trace or "
                         "folder",
                         input);
    const char *near = meant(input);
    return error_set(e, STATUS_USAGE,
                     "found '%s', expected a bundled kernel (estimate list "
                     "kernels) or a file%s%s%s",
                     input, near != NULL ? ", did you mean '" : "",
                     near != NULL ? near : "", near != NULL ? "'?" : "");
}

static bool unknown_kind(const char *input, struct error *e)
{
    char expected[200] = "";
    size_t length = 0;
    for (size_t i = 0; i < FRONT_ENDS && length < sizeof(expected); i++)
        length +=
            (size_t)snprintf(expected + length, sizeof(expected) - length,
                             "%s%s", i > 0 ? ", " : "", front_ends[i].expected);
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: found an unknown kind of file, expected %s", input,
                     expected);
}

static const struct front_end *front_end_of(const char *input, struct error *e)
{
    const struct front_end *f = of_bundled(input);
    struct stat file;
    if (f != NULL)
        return f;
    if (stat(input, &file) != 0) {
        no_such_input(input, e);
        return NULL;
    }
    f = S_ISDIR(file.st_mode) ? of_folders() : of_name(input);
    if (f == NULL)
        unknown_kind(input, e);
    return f;
}

bool kernel_input_kind(enum input_kind *out, const char *input, struct error *e)
{
    const struct front_end *f = front_end_of(input, e);
    if (f != NULL)
        *out = f->kind;
    return f != NULL;
}

bool kernel_load(struct kernel_list *out, const char *input,
                 const struct load_options *options, struct error *e)
{
    const struct load_options none = {0};
    const struct front_end *f = front_end_of(input, e);
    *out = (struct kernel_list){0};
    bool ok =
        f != NULL && f->load(out, input, options != NULL ? options : &none, e);
    for (size_t i = 0; ok && i < out->count; i++) {
        out->kernel[i]->stop = options != NULL ? options->stop : NULL;
        ok = phases_analyse(out->kernel[i], 0, e);
    }
    if (!ok)
        kernel_list_free(out);
    return ok;
}
