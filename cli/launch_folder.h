/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder that a program's launches are kept in. Launches take as much room
 * as the program's memory, so nothing of what was not asked for may be left,
 * however the command ends: a process of its own waits for that and removes
 * it. */
#ifndef CLI_LAUNCH_FOLDER_H
#define CLI_LAUNCH_FOLDER_H

#include "cli/options.h"

#include <stdbool.h>
#include <sys/types.h>

struct launch_folder {
    char path[4096];
    pid_t remover;
    int alive; /* open as long as the command lives */
};

/* That of --record, or one of its own. False with e set. */
bool launch_folder_open(struct launch_folder *f, const struct options *o,
                        struct estimate_error *e);
/* A folder of its own is removed; of --record's what only the program's events
 * asked for. */
void launch_folder_close(struct launch_folder *f);

#endif
