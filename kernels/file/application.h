/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applications: the sequence of launches a kernel file spells out (FORMAT.md,
 * "Applications"), one after another. */
#ifndef KERNELS_FILE_APPLICATION_H
#define KERNELS_FILE_APPLICATION_H

#include "kernels/file/config_file.h"
#include "kernels/file/expr.h"
#include "kernels/form/load_options.h"

#define APPLICATION_LAUNCHES 65536 /* at most */

/* One launch, while the file is being read. */
struct application_launch {
    const config_setting_t *kernel; /* its group in `kernels` */
    /* Buffers, `launch`, the counters of the repeats it stands in,
     * arguments. */
    const struct named_value *named;
    size_t named_count;
    struct launch changes; /* grid, block, shared memory */
};

/* Whether the file describes an application rather than a kernel. */
bool application_is(const struct config_file *f);

/* Call `launch` for every launch in order, as long as it returns true. */
bool application_read(const struct config_file *f,
                      const struct named_value *buffer, size_t buffers,
                      bool (*launch)(void *user,
                                     const struct application_launch *l),
                      void *user);

#endif
