/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an entry may come to execute: itself and every function that is named in
 * what it may execute, or whose address a variable holds. */
#ifndef KERNELS_PTX_PARSE_REACH_H
#define KERNELS_PTX_PARSE_REACH_H

#include "kernels/ptx/parse/ptx.h"

/* The first function that `entry` reaches with instructions in it that are not
 * supported, PTX_NONE when there is none. False: no memory. */
bool ptx_find_missing(const struct ptx_module *m, uint32_t entry,
                      uint32_t *out);

#endif
