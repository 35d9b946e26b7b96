/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of kernels as people know them. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define NAME_BYTES 1024 /* a longer name is cut */

/* "scale(int, float const*)" of "_Z5scaleiPKf", by the demangler of the C++
 * runtime; names that are not C++'s, and all where `mangled`, as they are. */
void name_text(char *out, size_t size, const char *name, bool mangled);

/* At most `width` bytes of it, the end of a longer one replaced by "..". */
void name_cut(char *out, size_t size, const char *name, int width);

#endif
