/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From what the user named to kernels with phases, whatever the front end. */
#include "kernels/form/kernel.h"

#include "base/bundled.h"
#include "kernels/file/kernel_file.h"
#include "kernels/ptx/launch/launch_kernel.h"
#include "kernels/ptx/launch/launch_read.h"
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* paws Table II, in its order. */
static const char *const paws_names[] = {
    "bp-k1", "bp-k2", "bt-k1", "bt-k2", "heartwall", "kmeans",    "lud",
    "srad",  "cfd",   "dwt",   "dxtc",  "fwt",       "histogram", "montecarlo"};

const char *const *kernel_paws_names(size_t *count)
{
    *count = sizeof(paws_names) / sizeof(paws_names[0]);
    return paws_names;
}

const char *const *kernel_bundled_names(size_t *count)
{
    *count = bundled_input_count;
    return bundled_input_names;
}

uint32_t kernel_full_mask(const struct kernel *k, uint32_t warp)
{
    uint32_t before = warp * WARP_LANES;
    if (before >= k->threads_per_block)
        return 0;
    uint32_t lanes = k->threads_per_block - before;
    return lanes >= WARP_LANES ? UINT32_MAX : ((uint32_t)1 << lanes) - 1;
}

bool kernel_streams_check(const struct kernel *k, struct error *e)
{
    return k->ops->check == NULL || k->ops->check(k, e);
}

void kernel_free(struct kernel *k)
{
    if (k == NULL)
        return;
    if (k->ops != NULL && k->source != NULL)
        k->ops->destroy(k);
    free(k->name);
    free(k->summary);
    free(k->path);
    free(k->note);
    free(k->inst);
    free(k->phase);
    free(k->buffer);
    free(k);
}

void kernel_list_free(struct kernel_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        kernel_free(list->kernel[i]);
    free(list->kernel);
    free(list->application);
    *list = (struct kernel_list){0};
}

/* ---- what an input is --------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static const struct bundled_file *find_bundled(const char *name)
{
    for (size_t i = 0; i < bundled_kernel_count; i++)
        if (strcmp(bundled_kernels[i].name, name) == 0)
            return &bundled_kernels[i];
    return NULL;
}

static bool is_trace(const char *path, const struct stat *file)
{
    return S_ISDIR(file->st_mode) || ends_with(path, ".traceg") ||
           ends_with(path, ".traceg.xz") || ends_with(path, ".g");
}

static bool looks_like_path(const char *input)
{
    static const char *const ends[] = {".kernel", ".ptx",       ".launch",
                                       ".traceg", ".traceg.xz", ".g"};
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (ends_with(input, ends[i]))
            return true;
    return strchr(input, '/') != NULL;
}

static const char *bundled_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

static bool no_such_input(const char *input, struct error *e)
{
    if (looks_like_path(input))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: no such file, expected a kernel file, trace or "
                         "folder",
                         input);
    const char *near = nearest_name(input, bundled_input_names,
                                    bundled_input_count, bundled_name);
    return error_set(e, STATUS_USAGE,
                     "found '%s', expected a bundled kernel or a file%s%s%s",
                     input, near != NULL ? " (did you mean '" : "",
                     near != NULL ? near : "", near != NULL ? "'?)" : "");
}

/* ---- loading ------------------------------------------------------------ */

static bool load_any(struct kernel_list *out, const char *input,
                     const struct launch_options *o, struct error *e)
{
    struct stat file;
    const struct bundled_file *b = find_bundled(input);
    if (b != NULL)
        return kernel_file_load(out, b->text, b->size, b->path, o, e);
    if (launch_input_is(input) &&
        (!ends_with(input, ".launch") || stat(input, &file) == 0))
        return launch_kernel_load(out, input, o, e);
    if (stat(input, &file) != 0)
        return no_such_input(input, e);
    if (is_trace(input, &file))
        return trace_load(out, input, o, e);
    if (ends_with(input, ".kernel"))
        return kernel_file_read(out, input, o, e);
    if (ends_with(input, ".ptx"))
        return ptx_kernel_load(out, input, o, e);
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: found an unknown kind of file, expected .kernel, "
                     ".ptx, .launch, .traceg, .traceg.xz, kernelslist.g or a "
                     "folder",
                     input);
}

bool kernel_load(struct kernel_list *out, const char *input,
                 const struct launch_options *options, struct error *e)
{
    struct launch_options none = {0};
    *out = (struct kernel_list){0};
    bool ok = load_any(out, input, options != NULL ? options : &none, e);
    for (size_t i = 0; ok && i < out->count; i++) {
        out->kernel[i]->stop = options != NULL ? options->stop : NULL;
        ok = phases_analyse(out->kernel[i], 0, e);
    }
    if (!ok)
        kernel_list_free(out);
    return ok;
}
