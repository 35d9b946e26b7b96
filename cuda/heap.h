/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * malloc() and free() in kernels: PTX that a module calls without having it. */
#ifndef CUDA_HEAP_H
#define CUDA_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a module's text declares malloc() or free() as defined elsewhere. */
bool heap_is_used(const char *text);

/* The text with both behind it and a heap that `bytes` bytes fit in, with what
 * each allocation takes beside what was asked for. The caller's to free, NULL:
 * no memory. *size, of the text, becomes the result's. */
char *heap_add(const char *text, size_t *size, uint64_t bytes);

#endif
