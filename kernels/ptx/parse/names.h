/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in nested scopes, each with a kind and a number. */
#ifndef KERNELS_PTX_PARSE_NAMES_H
#define KERNELS_PTX_PARSE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCOPE_MODULE 0 /* the outermost */

struct ptx_name {
    const char *text; /* in the PTX text */
    uint32_t length, scope;
    uint32_t kind, index;
    uint32_t count; /* of registers %r<count>, 0: the name itself */
};

struct ptx_names {
    struct ptx_name *name;
    size_t count;
    uint32_t *slot; /* hash table of indices + 1 */
    size_t slots;
    uint32_t *parent; /* of a scope */
    size_t scopes;
};

bool ptx_names_open(struct ptx_names *n);
void ptx_names_close(struct ptx_names *n);

/* A new scope inside `parent`; PTX_NONE: no memory. */
uint32_t ptx_scope_add(struct ptx_names *n, uint32_t parent);

/* The name as declared in `scope` itself, or NULL. */
struct ptx_name *ptx_name_in(const struct ptx_names *n, uint32_t scope,
                             const char *text, size_t length);
/* ... in it or in what it stands in. */
struct ptx_name *ptx_name_find(const struct ptx_names *n, uint32_t scope,
                               const char *text, size_t length);
/* Add one that is not in its scope yet; false: no memory. */
bool ptx_name_add(struct ptx_names *n, const struct ptx_name *name);

#endif
