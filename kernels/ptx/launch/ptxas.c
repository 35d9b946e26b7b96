/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/ptxas.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MAX 20
#define OUTPUT_MAX  (1u << 20)
#define POLL_MS     50
#define REGS_MAX    255 /* of a thread */

extern char **environ;

/* ---- finding it --------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
           access(path, X_OK) == 0;
}

static bool find_in(char out[PTXAS_PATH_MAX], const char *folders)
{
    while (folders != NULL && *folders != '\0') {
        int length = (int)strcspn(folders, ":");
        if (length > 0 && length < PTXAS_PATH_MAX - 8) {
            snprintf(out, PTXAS_PATH_MAX, "%.*s/ptxas", length, folders);
            if (is_program(out))
                return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

bool ptxas_find(char out[PTXAS_PATH_MAX], const char *wanted,
                const char *folders)
{
    if (wanted != NULL) {
        snprintf(out, PTXAS_PATH_MAX, "%s", wanted);
        return wanted[0] != '\0' && strcmp(wanted, "none") != 0;
    }
    if (find_in(out, folders))
        return true;
    snprintf(out, PTXAS_PATH_MAX, "/usr/local/cuda/bin/ptxas");
    return is_program(out);
}

/* ---- what it says ------------------------------------------------------- */

/* Behind `before` in a line, up to `end`. */
static bool take_between(char *out, size_t room, const char *line,
                         const char *before, char end)
{
    const char *at = strstr(line, before);
    if (at == NULL || at > line + strcspn(line, "\n"))
        return false;
    at += strlen(before);
    size_t n = 0;
    while (at[n] != '\0' && at[n] != '\n' && at[n] != end)
        n++;
    if (at[n] != end || n == 0 || n >= room)
        return false;
    memcpy(out, at, n);
    out[n] = '\0';
    return true;
}

bool ptxas_parse(uint32_t *registers, char target[32], const char *output,
                 const char *entry)
{
    bool inside = false;
    size_t length = strlen(entry);
    char number[8];
    for (const char *line = output; *line != '\0';) {
        static const char begins[] = "Compiling entry function '";
        const char *at = strstr(line, begins);
        size_t rest = strcspn(line, "\n");
        if (at != NULL && at < line + rest) {
            at += sizeof(begins) - 1;
            inside = strncmp(at, entry, length) == 0 && at[length] == '\'' &&
                     take_between(target, 32, at + length, "for '", '\'');
        } else if (inside &&
                   take_between(number, sizeof(number), line, "Used ", ' ')) {
            *registers = (uint32_t)strtoul(number, NULL, 10);
            return *registers >= 1 && *registers <= REGS_MAX;
        }
        line += rest + (line[rest] == '\n');
    }
    return false;
}

/* ---- running it --------------------------------------------------------- */

struct child {
    pid_t pid;
    int output; /* to read from */
    double deadline_s;
    const struct stop *stop;
};

static bool is_late(const struct child *c)
{
    return stop_clock() > c->deadline_s || stop_due(c->stop);
}

static int spawn(struct child *c, const char *program, char *const *argument)
{
    int pipes[2];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t own;
    if (pipe(pipes) != 0)
        return errno;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&own);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipes[1], 1);
    posix_spawn_file_actions_adddup2(&files, pipes[1], 2);
    posix_spawn_file_actions_addclose(&files, pipes[0]);
    posix_spawn_file_actions_addclose(&files, pipes[1]);
    posix_spawnattr_setflags(&own, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawn(&c->pid, program, &files, &own, argument, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&own);
    close(pipes[1]);
    c->output = pipes[0];
    if (failed != 0)
        close(pipes[0]);
    return failed;
}

/* Read to the end, keeping what there is room for; false when late. */
static bool drain(const struct child *c, char *out)
{
    size_t size = 0;
    char rest[4096];
    for (;;) {
        struct pollfd p = {.fd = c->output, .events = POLLIN};
        int ready = poll(&p, 1, POLL_MS);
        if (is_late(c))
            return false;
        if (ready <= 0)
            continue;
        ssize_t n = read(c->output, rest, sizeof(rest));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        size_t kept = OUTPUT_MAX - 1 - size;
        kept = (size_t)n < kept ? (size_t)n : kept;
        memcpy(out + size, rest, kept);
        size += kept;
    }
    out[size] = '\0';
    return true;
}

/* Its end; it and what it started are killed when late. */
static bool reap(const struct child *c, bool in_time, int *status)
{
    pid_t ended;
    while (in_time && (ended = waitpid(c->pid, status, WNOHANG)) != c->pid) {
        if (ended < 0 && errno != EINTR)
            return false;
        in_time = !is_late(c);
        poll(NULL, 0, 1);
    }
    if (in_time)
        return true;
    kill(-c->pid, SIGKILL);
    while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
        ;
    return false;
}

/* The first line of what it wrote on why it failed. */
static bool fail(char why[PTXAS_WHY_MAX], const char *program,
                 const char *output, int status)
{
    const char *line = strstr(output, "error ");
    if (line == NULL)
        line = strstr(output, "fatal");
    while (line != NULL && line > output && line[-1] != '\n')
        line--;
    if (line != NULL)
        snprintf(why, PTXAS_WHY_MAX, "%s: %.*s", program,
                 (int)strcspn(line, "\n"), line);
    else if (WIFEXITED(status))
        snprintf(why, PTXAS_WHY_MAX, "%s: exit status %d", program,
                 WEXITSTATUS(status));
    else
        snprintf(why, PTXAS_WHY_MAX, "%s: ended by signal %d", program,
                 WTERMSIG(status));
    return false;
}

/* Run it with these arguments; what it writes in `output`, OUTPUT_MAX bytes. */
static bool run(const char *program, char *const *argument,
                const struct stop *stop, char *output, char why[PTXAS_WHY_MAX])
{
    struct child c = {.deadline_s = stop_clock() + SECONDS_MAX, .stop = stop};
    int status = 0, failed = spawn(&c, program, argument);
    if (failed != 0) {
        snprintf(why, PTXAS_WHY_MAX, "%s: %s", program, strerror(failed));
        return false;
    }
    bool in_time = reap(&c, drain(&c, output), &status);
    close(c.output);
    if (!in_time) {
        snprintf(why, PTXAS_WHY_MAX, "%s: took too long", program);
        return false;
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           fail(why, program, output, status);
}

/* ---- a kernel ----------------------------------------------------------- */

/* Assemble for a target, "": the one ptxas takes by default. */
static bool assemble_for(const struct ptxas_request *r, const char *target,
                         char *output, char why[PTXAS_WHY_MAX])
{
    char arch[64], entry[1024], path[PTXAS_PATH_MAX + 2];
    snprintf(path, sizeof(path), "%s%s", r->path[0] == '-' ? "./" : "",
             r->path); /* else taken for options */
    snprintf(arch, sizeof(arch), "--gpu-name=%s", target);
    snprintf(entry, sizeof(entry), "--entry=%s", r->entry);
    char *argument[] = {"ptxas", "-v", "-o", "/dev/null",
                        entry,   path, arch, NULL};
    if (target[0] == '\0')
        argument[6] = NULL;
    return run(r->program, argument, r->stop, output, why);
}

/* The target of the GPU's own architecture, when that runs the text. */
static bool own_target(char out[32], const struct ptxas_request *r)
{
    int named = 0;
    sscanf(r->target, "sm_%d", &named);
    snprintf(out, 32, "sm_%d", r->arch);
    return r->arch > named;
}

static bool assemble(const struct ptxas_request *r, char *output,
                     char why[PTXAS_WHY_MAX])
{
    char own[32];
    const char *target[] = {own_target(own, r) ? own : r->target, r->target,
                            ""};
    for (size_t i = 0;; i++) {
        if (assemble_for(r, target[i], output, why))
            return true;
        if (target[i][0] == '\0' || strstr(output, "gpu-name") == NULL)
            return false;
    }
}

bool ptxas_registers(uint32_t *registers, char target[32],
                     const struct ptxas_request *r, char why[PTXAS_WHY_MAX])
{
    char *output = calloc(1, OUTPUT_MAX);
    if (output == NULL) {
        snprintf(why, PTXAS_WHY_MAX, "%s: out of memory", r->program);
        return false;
    }
    bool ok = assemble(r, output, why);
    if (ok && !ptxas_parse(registers, target, output, r->entry)) {
        snprintf(why, PTXAS_WHY_MAX, "%s: found no registers in what it writes",
                 r->program);
        ok = false;
    }
    free(output);
    return ok;
}
