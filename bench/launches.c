/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/launches.h"

#include "bench/correlate_csv.h"
#include "kernels/ptx/launch/launch.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define FIELD(m, type)                                                         \
    {                                                                          \
#m, type, offsetof(struct measured_launch, m),                         \
            sizeof(((struct measured_launch *)0)->m)                           \
    }
static const struct csv_field fields[] = {
    FIELD(kernel, CSV_TEXT),
    FIELD(entry_prefix, CSV_TEXT),
    FIELD(grid, CSV_TEXT),
    FIELD(block, CSV_TEXT),
    FIELD(args, CSV_TEXT_OR_NONE),
    FIELD(cycles, CSV_REAL),
    FIELD(dram_read_sectors, CSV_MAY_LACK),
    FIELD(dram_write_sectors, CSV_MAY_LACK),
    FIELD(l2_read_hit, CSV_MAY_LACK),
    FIELD(l2_read_miss, CSV_MAY_LACK),
    FIELD(l2_write_hit, CSV_MAY_LACK),
};

bool launches_load(struct measured_launch **out, size_t *count,
                   const char *path, struct error *e)
{
    void *rows;
    if (!csv_load(&rows, count, sizeof(**out), path, fields, COUNT(fields), e))
        return false;
    *out = rows;
    return true;
}

/* ---- the entry ---------------------------------------------------------- */

/* The first entry in `text` that begins with prefix; false when there is none.
 */
static bool find_entry(char *entry, size_t size, const char *text,
                       const char *prefix)
{
    for (const char *at = text; (at = strstr(at, ".entry")) != NULL;) {
        at += strlen(".entry");
        at += strspn(at, " \t\n");
        size_t n = strcspn(at, " \t\n({");
        if (strncmp(at, prefix, strlen(prefix)) == 0 && n < size) {
            memcpy(entry, at, n);
            entry[n] = '\0';
            return true;
        }
    }
    return false;
}

static bool find_file(struct prepared_launch *out, const char *prefix,
                      const char *folder, struct error *e)
{
    char pattern[LAUNCH_PATH];
    glob_t files = {0};
    bool found = false;
    snprintf(pattern, sizeof(pattern), "%s/*.ptx", folder);
    glob(pattern, 0, NULL, &files);
    for (size_t i = 0; !found && i < files.gl_pathc; i++) {
        size_t size;
        char *text = ptx_read_text(files.gl_pathv[i], &size, "a PTX text", e);
        found = text != NULL &&
                find_entry(out->entry, sizeof(out->entry), text, prefix);
        snprintf(out->file, sizeof(out->file), "%s", files.gl_pathv[i]);
        free(text);
    }
    globfree(&files);
    return found || error_set(e, STATUS_BAD_INPUT,
                              "%s: found no .ptx file with an entry %s...",
                              folder, prefix);
}

/* ---- arguments ---------------------------------------------------------- */

/* The neighbour before (iN, jW) or after (iS, jE) each row or column of an
 * image of `count`, itself at the edge. */
static bool write_neighbours(const char *path, const char *name, long count,
                             struct error *e)
{
    long step = strpbrk(name, "NW") != NULL ? -1 : 1;
    FILE *f = fopen(path, "wb");
    bool ok = f != NULL;
    for (long i = 0; ok && i < count; i++) {
        long to = i + step;
        int32_t value = (int32_t)(to < 0 || to == count ? i : to);
        ok = fwrite(&value, sizeof(value), 1, f) == 1;
    }
    ok = (f == NULL || fclose(f) == 0) && ok;
    return ok || error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

/* "buf:COUNT:s32:file:NAME" with the path of the file that is written. */
static bool set_file_argument(char *out, const char *arg, const char *name,
                              const char *work, struct error *e)
{
    char path[LAUNCH_PATH];
    int head = (int)(name - arg);
    snprintf(path, sizeof(path), "%s/%s", work, name);
    if (snprintf(out, LAUNCH_PATH, "%.*s%s", head, arg, path) >= LAUNCH_PATH)
        return error_set(e, STATUS_BAD_INPUT, "%s: too long", path);
    return write_neighbours(path, name, strtol(arg + strlen("buf:"), NULL, 10),
                            e);
}

static bool set_argument(char *out, const char *arg, const char *work,
                         struct error *e)
{
    const char *file = strstr(arg, ":file:");
    if (file != NULL)
        return set_file_argument(out, arg, file + strlen(":file:"), work, e);
    snprintf(out, LAUNCH_PATH, "%s", arg);
    return true;
}

static bool set_arguments(struct prepared_launch *out, const char *args,
                          const char *work, struct error *e)
{
    char text[sizeof(((struct measured_launch *)0)->args)], *rest;
    size_t n = 0;
    snprintf(text, sizeof(text), "%s", args);
    for (char *a = strtok_r(text, " ", &rest); a != NULL && n < LAUNCH_ARGS;
         a = strtok_r(NULL, " ", &rest), n++) {
        if (!set_argument(out->arg[n], a, work, e))
            return false;
        out->args[n] = out->arg[n];
    }
    out->options.ptx.arg = out->args;
    out->options.ptx.args = n;
    return true;
}

/* ---- the launch --------------------------------------------------------- */

static bool set_sides(struct dim3 *out, const char *text, struct error *e)
{
    struct dim3 d = {0, 1, 1};
    int used = 0, n = sscanf(text, "%ux%ux%u%n", &d.x, &d.y, &d.z, &used);
    if (n < 1 || d.x == 0 || d.y == 0 || d.z == 0 ||
        (n == 3 && text[used] != '\0'))
        return error_set(e, STATUS_BAD_INPUT,
                         "found '%s', expected sides such as 8x66", text);
    *out = d;
    return true;
}

/* Dynamic shared memory that host code asks for, which no PTX text says. */
static uint32_t dynamic_shared(const char *kernel)
{
    static const struct {
        const char *kernel;
        uint32_t bytes;
    } known[] = {
        /* CUDA samples fastWalshTransform: 2^11 floats */
        {"fwtBatch1", 2048 * sizeof(float)},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i].kernel, kernel) == 0)
            return known[i].bytes;
    return 0;
}

bool launch_prepare(struct prepared_launch *out,
                    const struct measured_launch *l, const char *folder,
                    const char *work, struct error *e)
{
    struct load_options *o = &out->options;
    *o = load_options_default();
    o->ptx.entry = out->entry;
    o->launch.shared_bytes = dynamic_shared(l->kernel);
    o->launch.shared_given = o->launch.shared_bytes > 0;
    return find_file(out, l->entry_prefix, folder, e) &&
           set_sides(&o->launch.grid, l->grid, e) &&
           set_sides(&o->launch.block, l->block, e) &&
           set_arguments(out, l->args, work, e);
}
