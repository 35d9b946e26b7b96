/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cuda_source.h"

#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes instructions know their lines in the source. */
#define LINES "-lineinfo"

extern char **environ;

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* ---- the compiler -------------------------------------------------------- */

/* ESTIMATE_NVCC, else the first nvcc of PATH, else the usual place. */
static bool find_nvcc(char out[PATH_BYTES])
{
    const char *wanted = getenv("ESTIMATE_NVCC"), *path = getenv("PATH");
    if (wanted != NULL && wanted[0] != '\0') {
        snprintf(out, PATH_BYTES, "%s", wanted);
        return true;
    }
    while (path != NULL && *path != '\0') {
        int length = (int)strcspn(path, ":");
        snprintf(out, PATH_BYTES, "%.*s/nvcc", length, path);
        if (length > 0 && access(out, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    snprintf(out, PATH_BYTES, "/usr/local/cuda/bin/nvcc");
    return access(out, X_OK) == 0;
}

/* "-arch=sm_80" for the first GPU of --gpu; empty: it is not given. */
static bool arch_text(char out[32], const struct options *o,
                      struct estimate_error *e)
{
    char name[PATH_BYTES];
    out[0] = '\0';
    if (!options_given(o, "gpu"))
        return true;
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(o->gpu, ","), o->gpu);
    if (strcmp(name, "all") == 0)
        return true;
    struct estimate_gpu *g = estimate_gpu_load(name, e);
    if (g == NULL)
        return false;
    snprintf(out, 32, "-arch=sm_%.0f",
             estimate_gpu_get(g, estimate_key_find("arch", NULL)));
    estimate_gpu_free(g);
    return true;
}

/* Run it with both outputs to `log`; its exit status, -1: it did not run. */
static int run_nvcc(char *const argument[], const char *log)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (posix_spawn(&pid, argument[0], &files, NULL, argument, environ) == 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first line of `log` with "error" in it, else the first one. */
static void first_error(char *out, size_t size, const char *log)
{
    char line[400];
    FILE *f = fopen(log, "r");
    snprintf(out, size, "it said nothing");
    for (int n = 0; f != NULL && fgets(line, sizeof(line), f) != NULL; n++) {
        line[strcspn(line, "\n")] = '\0';
        bool is_error = strstr(line, "error") != NULL;
        if (n == 0 || is_error)
            snprintf(out, size, "%s", line);
        if (is_error)
            break;
    }
    if (f != NULL)
        fclose(f);
}

/* ---- what is kept -------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t h, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Of the source (FNV-1a); *whole: it includes no files of its own. */
static bool hash_source(uint64_t *h, bool *whole, const char *path,
                        struct estimate_error *e)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    *whole = true;
    if (f == NULL)
        return fail(e, ESTIMATE_BAD_INPUT, "%s: %s", path, strerror(errno));
    while ((n = getline(&line, &room, f)) > 0) {
        const char *at = line + strspn(line, " \t");
        *h = hash_bytes(*h, line, (size_t)n);
        if (*at == '#' && strstr(at, "include") != NULL &&
            strchr(at, '"') != NULL)
            *whole = false;
    }
    free(line);
    fclose(f);
    return true;
}

static bool cache_folder(char out[PATH_BYTES], struct estimate_error *e)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char above[PATH_BYTES - 16];
    if (cache != NULL && cache[0] == '/')
        snprintf(above, sizeof(above), "%s", cache);
    else
        snprintf(above, sizeof(above), "%s/.cache", home != NULL ? home : "");
    mkdir(above, 0777);
    snprintf(out, PATH_BYTES, "%s/estimate", above);
    return mkdir(out, 0777) == 0 || errno == EEXIST ||
           fail(e, ESTIMATE_FAILED, "%s: %s", out, strerror(errno));
}

/* ---- a source ------------------------------------------------------------ */

struct source {
    const char *path;
    char nvcc[PATH_BYTES], arch[32];
    char ptx[PATH_BYTES + 64]; /* where its PTX is kept */
};

/* For an architecture that nvcc no longer knows it is compiled as nvcc does by
 * itself: for the oldest that it does. */
static bool compile(struct source *s, struct estimate_error *e)
{
    char made[PATH_BYTES + 96], log[PATH_BYTES + 128], why[420];
    char option[] = "-ptx", lines[] = LINES, out[] = "-o";
    char *path = (char *)s->path, *arch = s->arch;
    snprintf(made, sizeof(made), "%s.%ld", s->ptx, (long)getpid());
    snprintf(log, sizeof(log), "%s.log", made);
    char *argument[] = {
        s->nvcc, option, lines, path, out, made, arch[0] != '\0' ? arch : NULL,
        NULL};
    snprintf(why, sizeof(why), "nvcc -ptx " LINES " %.300s%s%s", s->path,
             arch[0] != '\0' ? " " : "", arch);
    print_lines("note", why);
    int status = run_nvcc(argument, log);
    first_error(why, sizeof(why), log);
    unlink(log);
    if (status == 0 && rename(made, s->ptx) == 0)
        return true;
    unlink(made);
    if (status < 0)
        return fail(e, ESTIMATE_FAILED, "%s: cannot be run", s->nvcc);
    if (arch[0] != '\0' && strstr(why, "Unsupported gpu architecture")) {
        arch[0] = '\0';
        return compile(s, e);
    }
    return fail(e, ESTIMATE_BAD_INPUT, "%s: nvcc: %s", s->path, why);
}

static bool replace_source(struct options *o, size_t input,
                           struct estimate_error *e)
{
    struct source s = {.path = o->input[input]};
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    char folder[PATH_BYTES];
    bool whole;
    if (!hash_source(&h, &whole, s.path, e))
        return false;
    if (!find_nvcc(s.nvcc))
        return fail(e, ESTIMATE_FAILED,
                    "%s: expected nvcc in PATH or in ESTIMATE_NVCC", s.path);
    if (!arch_text(s.arch, o, e) || !cache_folder(folder, e))
        return false;
    h = hash_bytes(h, s.arch, strlen(s.arch) + 1);
    h = hash_bytes(h, s.nvcc, strlen(s.nvcc) + 1);
    h = hash_bytes(h, LINES, strlen(LINES));
    snprintf(s.ptx, sizeof(s.ptx), "%s/cu-%016" PRIx64 ".ptx", folder, h);
    if ((!whole || access(s.ptx, R_OK) != 0) && !compile(&s, e))
        return false;
    o->compiled[input] = strdup(s.ptx);
    if (o->compiled[input] == NULL)
        return fail_no_memory(e);
    o->source[input] = s.path;
    o->input[input] = o->compiled[input];
    return true;
}

bool cuda_sources_compile(struct options *o, struct estimate_error *e)
{
    if (o->command == COMMAND_RUN)
        return true;
    o->compiled = calloc(o->inputs + 1, sizeof(*o->compiled));
    o->source = calloc(o->inputs + 1, sizeof(*o->source));
    if (o->compiled == NULL || o->source == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; i < o->inputs; i++)
        if (ends_with(o->input[i], ".cu") && !replace_source(o, i, e))
            return false;
    return true;
}

void cuda_sources_name(const struct options *o, struct estimate_error *e)
{
    char text[sizeof(e->text)];
    for (size_t i = 0; o->compiled != NULL && i < o->inputs; i++) {
        const char *ptx = o->compiled[i];
        size_t n = ptx != NULL ? strlen(ptx) : 0;
        if (n == 0 || strncmp(e->text, ptx, n) != 0 ||
            strncmp(e->text + n, ": ", 2) != 0)
            continue;
        snprintf(text, sizeof(text), "%.200s%.300s", o->source[i], e->text + n);
        memcpy(e->text, text, sizeof(text));
        return;
    }
}
