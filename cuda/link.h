/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX of several objects as one module, as a device linker makes one of their
 * machine code: what one declares as external is another's, of what several
 * define (.weak, .common) the first is taken, and names that an object has for
 * itself are made different. Lines of sources stay, what else there is for
 * debuggers does not. */
#ifndef CUDA_LINK_H
#define CUDA_LINK_H

#include <stddef.h>

/* The text of all, NUL-terminated and to be freed, its size in *size; version
 * and target are those of the first. NULL: no memory. */
char *link_texts(char *const *text, size_t texts, size_t *size);

#endif
