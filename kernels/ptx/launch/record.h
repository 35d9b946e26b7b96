/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches over memory of the caller's own, kept as launch files: what the
 * memory held before, and of that what the launch touched. */
#ifndef KERNELS_PTX_LAUNCH_RECORD_H
#define KERNELS_PTX_LAUNCH_RECORD_H

#include "kernels/ptx/launch/launch.h"

/* What the caller's buffers of a memory hold. */
struct ptx_snapshot;

/* A copy of all of them. NULL with e set: no memory. */
struct ptx_snapshot *ptx_snapshot_take(struct ptx_memory *m, struct error *e);
void ptx_snapshot_free(struct ptx_snapshot *s);

/* Where a launch is kept: FOLDER/NAME.launch, and its bytes in files beside it
 * whose names begin with NAME. */
struct ptx_record {
    const char *folder, *name;
    const char *ptx; /* the file of the PTX text, in the folder */
};

/* Write the session's launch and what the buffers held that it used (their
 * `use` is not 0). False with e set. */
bool ptx_snapshot_write(const struct ptx_snapshot *s,
                        const struct ptx_session *launched,
                        const struct ptx_record *r, struct error *e);

#endif
