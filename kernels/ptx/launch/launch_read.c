/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch_read.h"

#include "base/bundled.h"
#include "base/ending.h"
#include "kernels/ptx/launch/launch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct bundled_file *find_example(const char *name)
{
    for (size_t i = 0; i < bundled_example_count; i++)
        if (strcmp(bundled_examples[i].name, name) == 0)
            return &bundled_examples[i];
    return NULL;
}

static const struct bundled_file *find_module(const char *path)
{
    for (size_t i = 0; i < bundled_module_count; i++)
        if (strcmp(bundled_modules[i].path, path) == 0)
            return &bundled_modules[i];
    return NULL;
}

bool launch_file_is_bundled(const char *name)
{
    return find_example(name) != NULL;
}

bool launch_input_is(const char *input)
{
    return launch_file_is_bundled(input) || ends_with(input, ".launch");
}

static bool read_bundled(struct launch_file *file, struct ptx_module *m,
                         const struct bundled_file *b, struct error *e)
{
    if (!launch_file_parse(file, b->text, b->size, b->path, e))
        return false;
    const struct bundled_file *ptx = find_module(file->module);
    assert(ptx != NULL);
    if (ptx_parse(m, ptx->text, ptx->size, ptx->path, e))
        return true;
    launch_file_free(file);
    return false;
}

static bool read_file(struct launch_file *file, struct ptx_module *m,
                      const char *path, struct error *e)
{
    size_t size;
    char *text = ptx_read_text(path, &size, "a launch file", e);
    bool ok = text != NULL && launch_file_parse(file, text, size, path, e);
    free(text);
    if (!ok || ptx_read(m, file->module, e))
        return ok;
    launch_file_free(file);
    return false;
}

bool launch_input_read(struct launch_file *file, struct ptx_module *m,
                       const char *input, struct error *e)
{
    const struct bundled_file *b = find_example(input);
    return b != NULL ? read_bundled(file, m, b, e)
                     : read_file(file, m, input, e);
}
