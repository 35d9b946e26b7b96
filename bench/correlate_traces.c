/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_traces.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define PATH_SIZE 1024

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

void trace_path(char *out, size_t size, const char *folder, const char *work,
                const struct reference_point *p)
{
    snprintf(out, size, "%s/real/%s", folder, p->trace);
    if (!exists(out))
        snprintf(out, size, "%s/grid%d/sm%d/%s", work, p->grid, p->arch,
                 p->trace);
}

/* The generator's last file of a trace is COUNT. */
static bool is_complete(const char *trace)
{
    char path[PATH_SIZE + 16], list[PATH_SIZE + 16];
    snprintf(path, sizeof(path), "%s/COUNT", trace);
    snprintf(list, sizeof(list), "%s/kernelslist.g", trace);
    return exists(path) || (strstr(trace, "/real/") != NULL && exists(list));
}

/* Run argv with nothing on standard output; whether it succeeded. */
static bool run(char *const *argv)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool ok = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
                                               "/dev/null", 1, 0) == 0 &&
              posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool generate(const char *folder, const char *work,
                     const struct reference_point *p)
{
    char script[PATH_SIZE], out[PATH_SIZE], grid[16], arch[16], trace[40];
    char *argv[] = {(char[]){"python3"},
                    script,
                    out,
                    (char[]){"--grid"},
                    grid,
                    (char[]){"--archs"},
                    arch,
                    (char[]){"--only"},
                    trace,
                    NULL};
    snprintf(script, sizeof(script), "%s/make_traces.py", folder);
    snprintf(out, sizeof(out), "%s/grid%d", work, p->grid);
    snprintf(grid, sizeof(grid), "%d", p->grid);
    snprintf(arch, sizeof(arch), "%d", p->arch);
    snprintf(trace, sizeof(trace), "%s", p->trace);
    return run(argv);
}

static bool same_trace(const struct reference_point *a,
                       const struct reference_point *b)
{
    return a->grid == b->grid && a->arch == b->arch &&
           strcmp(a->trace, b->trace) == 0;
}

/* The first point of each trace that is not there. */
static bool is_wanted(const struct reference *r, size_t i, const char *folder,
                      const char *work)
{
    char path[PATH_SIZE];
    for (size_t j = 0; j < i; j++)
        if (same_trace(&r->point[i], &r->point[j]))
            return false;
    trace_path(path, sizeof(path), folder, work, &r->point[i]);
    return !is_complete(path);
}

bool traces_generate(const struct reference *r, const char *folder,
                     const char *work, struct error *e)
{
    const struct reference_point *failed = NULL;
    bool *wanted = calloc(r->count + 1, sizeof(*wanted));
    if (wanted == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < r->count; i++)
        wanted[i] = is_wanted(r, i, folder, work);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < r->count; i++)
        if (wanted[i] && !generate(folder, work, &r->point[i])) {
#pragma omp critical
            failed = &r->point[i];
        }
    free(wanted);
    return failed == NULL ||
           error_set(e, STATUS_FAILED,
                     "python3 %s/make_traces.py: trace %s of %d blocks for "
                     "sm%d could not be written under %s",
                     folder, failed->trace, failed->grid, failed->arch, work);
}

bool trace_request(struct run_request *out, const struct reference_point *p,
                   const char *folder, const char *work, struct error *e)
{
    *out = (struct run_request){.block_limit = reference_blocks(p)};
    trace_path(out->trace, sizeof(out->trace), folder, work, p);
    snprintf(out->gpu, sizeof(out->gpu), "%s/configs/%s/gpgpusim.config",
             folder, p->config);
    return reference_scheduler(out->scheduler, sizeof(out->scheduler),
                               p->scheduler, e);
}
