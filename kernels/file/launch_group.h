/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The group `launch` of a kernel in a kernel file. */
#ifndef KERNELS_FILE_LAUNCH_GROUP_H
#define KERNELS_FILE_LAUNCH_GROUP_H

#include "kernels/file/config_file.h"
#include "kernels/form/load_options.h"

struct launch_group {
    const struct config_file *file;
    config_setting_t *kernel;     /* the group it stands in */
    const struct launch *changes; /* by the launch of an application, or NULL */
    const struct launch *options; /* of the user; they come last */
};

/* Fill the launch of k. *local_bytes of a thread keeps its value when the group
 * does not say. False with the file's error set. */
bool launch_group_read(const struct launch_group *g, struct kernel *k,
                       uint32_t *local_bytes);

/* Line of a kernel's group: 1 for the root, which has none. */
unsigned kernel_group_line(const config_setting_t *group);

#endif
