/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where memory lies in the streams of kernel files and PTX: global buffers from
 * GLOBAL_BASE on, each warp's local memory at LOCAL_BASE + warp of the grid *
 * its bytes for 32 lanes, the next lane's word beside a lane's. */
#ifndef KERNELS_FORM_MEMORY_MAP_H
#define KERNELS_FORM_MEMORY_MAP_H

#include <stdint.h>

#define GLOBAL_BASE  ((int64_t)1 << 32)
#define GLOBAL_LIMIT ((int64_t)1 << 40) /* bytes of all buffers together */
#define LOCAL_BASE   ((int64_t)1 << 44)
#define LOCAL_SPAN   ((int64_t)1 << 44) /* grids with more wrap around */

#endif
