/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* A C++ name as the source has it, without what it stands in and its types:
 * "add" of "_ZN4math3addEPf", also where nvcc tells the object first; other
 * names as they are. */
void short_name(char *out, size_t size, const char *name);

#endif
