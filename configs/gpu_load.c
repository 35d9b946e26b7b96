/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPUs by name or file. A file that says `base = "..."` is laid over another
 * one, which it differs from in what it says. */
#include "base/bundled.h"
#include "base/ending.h"
#include "configs/gpu_files.h"
#include "configs/gpu_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_LAYERS 16 /* of files each based on the next */

/* A text on the way from the file that was asked for to the one that is based
 * on none. */
struct layer {
    const char *path, *text;
    const char *base; /* NULL: none */
    int line;         /* where it says so */
    const struct layer *above;
};

const char *const *gpu_bundled_names(size_t *count)
{
    *count = bundled_gpu_count;
    return bundled_gpu_names;
}

static const char *bundled_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

static bool unknown_gpu(const char *name, struct error *e)
{
    const char *near =
        nearest_name(name, bundled_gpu_names, bundled_gpu_count, bundled_name);
    if (near != NULL)
        return error_set(e, STATUS_USAGE,
                         "unknown GPU '%s', did you mean '%s'?", name, near);
    return error_set(e, STATUS_USAGE,
                     "unknown GPU '%s', expected a bundled one (estimate list "
                     "gpus) or a configuration file",
                     name);
}

static bool is_path(const char *text)
{
    return strchr(text, '/') != NULL || ends_with(text, ".cfg") ||
           ends_with(text, ".config");
}

static bool is_import(const char *path)
{
    return ends_with(path, ".config");
}

static bool is_folder(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

static const struct bundled_file *bundled(const char *name)
{
    for (size_t i = 0; i < bundled_gpu_count; i++)
        if (strcmp(bundled_gpus[i].name, name) == 0)
            return &bundled_gpus[i];
    return NULL;
}

/* ---- what is missing ---------------------------------------------------- */

/* Every key of g is said or may be left out. */
static bool check_complete(const struct gpu *g, const char *path,
                           struct error *e)
{
    const char *first = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < gpu_key_count; i++)
        if (!gpu_key_is_set(g, &gpu_keys[i]) && missing++ == 0)
            first = gpu_keys[i].key;
    if (missing == 0)
        return true;
    char others[48] = "";
    if (missing > 1)
        snprintf(others, sizeof(others), " (and %zu others)", missing - 1);
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: no key '%s'%s, expected every key or a GPU that this "
                     "one is like, such as base = \"m2090\";",
                     path, first, others);
}

/* ---- layers ------------------------------------------------------------- */

static bool bad_base(const struct layer *l, const struct error *why,
                     struct error *e)
{
    enum status status =
        why->status == STATUS_FAILED ? STATUS_FAILED : STATUS_BAD_INPUT;
    return error_set(e, status, "%s:%d: base: %s", l->path, l->line, why->text);
}

/* Whether the file at `path` is l or above it. */
static bool leads_back(const struct layer *l, const char *path)
{
    struct stat here, there;
    if (stat(path, &here) != 0)
        return false;
    for (; l != NULL; l = l->above)
        if (stat(l->path, &there) == 0 && here.st_dev == there.st_dev &&
            here.st_ino == there.st_ino)
            return true;
    return false;
}

static bool too_deep(const struct layer *l)
{
    int n = 1;
    while ((l = l->above) != NULL)
        n++;
    return n >= MAX_LAYERS;
}

static bool read_layer(struct gpu *g, struct layer *l, struct error *e);

static bool read_base_file(struct gpu *g, const struct layer *l,
                           const char *path, struct error *e)
{
    struct error why;
    if (leads_back(l, path)) {
        error_set(&why, STATUS_BAD_INPUT, "%s leads back to itself", path);
        return bad_base(l, &why, e);
    }
    if (is_import(path))
        return gpu_import_gpgpusim(g, path, NULL, 0, e);
    char *text = gpu_read_text(path, &why);
    struct layer below = {.path = path, .text = text, .above = l};
    bool good = text != NULL ? read_layer(g, &below, e) : bad_base(l, &why, e);
    free(text);
    return good;
}

static bool read_base(struct gpu *g, const struct layer *l, struct error *e)
{
    const struct bundled_file *file = bundled(l->base);
    struct error why;
    if (too_deep(l)) {
        error_set(&why, STATUS_BAD_INPUT,
                  "expected at most %d files, each "
                  "based on the next",
                  MAX_LAYERS);
        return bad_base(l, &why, e);
    }
    if (file != NULL) {
        struct layer below = {
            .path = file->path, .text = file->text, .above = l};
        return read_layer(g, &below, e);
    }
    if (!is_path(l->base)) {
        unknown_gpu(l->base, &why);
        return bad_base(l, &why, e);
    }
    char *path = gpu_path_beside(l->path, l->base);
    bool good =
        path != NULL ? read_base_file(g, l, path, e) : error_no_memory(e);
    free(path);
    return good;
}

/* The file's name without folder and extension. */
static void name_from_path(struct gpu *g, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    int length = (int)strcspn(base, ".");
    snprintf(g->name, sizeof(g->name), "%.*s", length, base);
}

/* Keys of the base hold unless l says otherwise; its name and summary, and what
 * was measured on it, do not. */
static bool lay_over(struct gpu *g, const config_t *config,
                     const struct layer *l, struct error *e)
{
    double gbps = g->dram.gbps;
    g->name[0] = g->summary[0] = '\0';
    g->measured = (struct gpu_measured){0};
    if (!gpu_settings_apply(g, config, l->path, e))
        return false;
    if (l->base != NULL && g->dram.gbps != gbps &&
        !gpu_settings_state(config, "clock.dram_mhz"))
        gpu_follow_bandwidth(g, gbps);
    if (g->name[0] == '\0')
        name_from_path(g, l->path);
    return true;
}

static bool read_layer(struct gpu *g, struct layer *l, struct error *e)
{
    config_t config;
    config_init(&config);
    bool good = gpu_settings_parse(&config, l->text, l->path, e) &&
                gpu_settings_base(&config, l->path, &l->base, &l->line, e) &&
                (l->base == NULL || read_base(g, l, e)) &&
                lay_over(g, &config, l, e);
    config_destroy(&config);
    return good;
}

/* ---- a GPU -------------------------------------------------------------- */

bool gpu_parse(struct gpu *g, const char *text, const char *path,
               struct error *e)
{
    struct layer l = {.path = path, .text = text};
    struct error why;
    gpu_blank(g);
    if (!read_layer(g, &l, e) || !check_complete(g, path, e))
        return false;
    return gpu_validate(g, &why) ||
           error_set(e, STATUS_BAD_INPUT, "%s: %s", path, why.text);
}

/* Its gpgpusim.config. */
static bool load_folder(struct gpu *g, const char *path, char *ignored,
                        size_t ignored_size, struct error *e)
{
    static const char file[] = "/gpgpusim.config";
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *config = malloc(length + sizeof(file));
    if (config == NULL)
        return error_no_memory(e);
    snprintf(config, length + sizeof(file), "%.*s%s", (int)length, path, file);
    bool good = gpu_import_gpgpusim(g, config, ignored, ignored_size, e);
    free(config);
    return good;
}

bool gpu_load(struct gpu *g, const char *name_or_path, char *ignored,
              size_t ignored_size, struct error *e)
{
    const struct bundled_file *file = bundled(name_or_path);
    if (ignored != NULL && ignored_size > 0)
        ignored[0] = '\0';
    if (file != NULL)
        return gpu_parse(g, file->text, file->path, e);
    if (is_folder(name_or_path))
        return load_folder(g, name_or_path, ignored, ignored_size, e);
    if (!is_path(name_or_path))
        return unknown_gpu(name_or_path, e);
    if (is_import(name_or_path))
        return gpu_import_gpgpusim(g, name_or_path, ignored, ignored_size, e);
    char *text = gpu_read_text(name_or_path, e);
    bool good = text != NULL && gpu_parse(g, text, name_or_path, e);
    free(text);
    return good;
}
