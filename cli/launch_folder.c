/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/launch_folder.h"

#include "cli/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OTHERS "others" /* launches that were not asked for */

/* ---- removing ------------------------------------------------------------ */

/* Whether it is gone. */
static bool remove_folder(const char *folder)
{
    char path[2 * sizeof(((struct launch_folder *)NULL)->path)];
    DIR *d = opendir(folder);
    const struct dirent *entry;
    while (d != NULL && (entry = readdir(d)) != NULL) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (d != NULL)
        closedir(d);
    return rmdir(folder) == 0 || errno == ENOENT;
}

static bool clear(const struct launch_folder *f, const struct options *o)
{
    char others[sizeof(f->path) + sizeof(OTHERS) + 1];
    snprintf(others, sizeof(others), "%s/" OTHERS, f->path);
    return remove_folder(others) &&
           (o->record != NULL || remove_folder(f->path));
}

#define TRIES  100
#define TRY_NS 20000000 /* between two */

/* A program whose command was killed may still be writing when it is killed in
 * its turn. */
static void clear_at_last(const struct launch_folder *f,
                          const struct options *o)
{
    const struct timespec pause = {.tv_nsec = TRY_NS};
    for (int i = 0; i < TRIES && !clear(f, o); i++)
        nanosleep(&pause, NULL);
}

/* ---- the process that removes ---------------------------------------------
 */

#define FILES_MAX 1024

/* Nothing of the command but the end of its life concerns it: no signal to its
 * group, no file that it has open. */
static void keep_apart(int alive)
{
    static const int asks_to_end[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    setsid();
    for (size_t i = 0; i < sizeof(asks_to_end) / sizeof(asks_to_end[0]); i++)
        signal(asks_to_end[i], SIG_IGN);
    for (int file = 0; file < FILES_MAX; file++)
        if (file != alive)
            close(file);
}

_Noreturn static void wait_and_clear(int alive, const struct launch_folder *f,
                                     const struct options *o)
{
    char none;
    keep_apart(alive);
    while (read(alive, &none, 1) < 0 && errno == EINTR)
        continue;
    clear_at_last(f, o);
    _exit(0);
}

static bool start_remover(struct launch_folder *f, const struct options *o,
                          struct estimate_error *e)
{
    int end[2];
    if (pipe(end) != 0)
        return fail(e, ESTIMATE_FAILED, "%s: %s", f->path, strerror(errno));
    f->remover = fork();
    if (f->remover == 0) {
        close(end[1]);
        wait_and_clear(end[0], f, o);
    }
    close(end[0]);
    f->alive = end[1];
    fcntl(f->alive, F_SETFD, FD_CLOEXEC);
    if (f->remover > 0)
        return true;
    clear(f, o);
    close(f->alive);
    return fail(e, ESTIMATE_FAILED, "%s: %s", f->path, strerror(errno));
}

/* ---- the folder ------------------------------------------------------------
 */

static bool make(struct launch_folder *f, const struct options *o,
                 struct estimate_error *e)
{
    const char *place = getenv("TMPDIR");
    if (o->record != NULL) {
        snprintf(f->path, sizeof(f->path), "%s", o->record);
        return mkdir(f->path, 0777) == 0 || errno == EEXIST ||
               fail(e, ESTIMATE_FAILED, "%s: %s", f->path, strerror(errno));
    }
    snprintf(f->path, sizeof(f->path), "%.3000s/estimate-run-XXXXXX",
             place != NULL && place[0] != '\0' ? place : "/tmp");
    return mkdtemp(f->path) != NULL ||
           fail(e, ESTIMATE_FAILED, "%s: %s", f->path, strerror(errno));
}

bool launch_folder_open(struct launch_folder *f, const struct options *o,
                        struct estimate_error *e)
{
    return make(f, o, e) && start_remover(f, o, e);
}

void launch_folder_close(struct launch_folder *f)
{
    close(f->alive);
    while (waitpid(f->remover, NULL, 0) < 0 && errno == EINTR)
        continue;
}
