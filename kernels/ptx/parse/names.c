/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/parse/names.h"

#include "base/arrays.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 1024

static size_t hash(uint32_t scope, const char *text, size_t length)
{
    uint64_t h = hash_bytes(HASH_START ^ scope, text, length);
    return (size_t)(h ^ h >> 29);
}

bool ptx_names_open(struct ptx_names *n)
{
    *n = (struct ptx_names){.slots = SLOTS_FIRST};
    n->slot = calloc(n->slots, sizeof(*n->slot));
    return n->slot != NULL && ptx_scope_add(n, 0) == SCOPE_MODULE;
}

void ptx_names_close(struct ptx_names *n)
{
    free(n->name);
    free(n->slot);
    free(n->parent);
    *n = (struct ptx_names){0};
}

uint32_t ptx_scope_add(struct ptx_names *n, uint32_t parent)
{
    if (!array_room(&n->parent, n->scopes, 1))
        return UINT32_MAX;
    n->parent[n->scopes] = parent;
    return (uint32_t)n->scopes++;
}

/* The slot that holds the name, or the empty one where it would go. */
static uint32_t *slot_of(const struct ptx_names *n, uint32_t scope,
                         const char *text, size_t length)
{
    for (size_t i = hash(scope, text, length);; i++) {
        uint32_t *slot = &n->slot[i & (n->slots - 1)];
        const struct ptx_name *name = *slot != 0 ? &n->name[*slot - 1] : NULL;
        if (name == NULL || (name->scope == scope && name->length == length &&
                             memcmp(name->text, text, length) == 0))
            return slot;
    }
}

struct ptx_name *ptx_name_in(const struct ptx_names *n, uint32_t scope,
                             const char *text, size_t length)
{
    uint32_t slot = *slot_of(n, scope, text, length);
    return slot != 0 ? &n->name[slot - 1] : NULL;
}

struct ptx_name *ptx_name_find(const struct ptx_names *n, uint32_t scope,
                               const char *text, size_t length)
{
    for (;; scope = n->parent[scope]) {
        struct ptx_name *found = ptx_name_in(n, scope, text, length);
        if (found != NULL || scope == SCOPE_MODULE)
            return found;
    }
}

static bool grow_table(struct ptx_names *n)
{
    uint32_t *old = n->slot;
    uint32_t *slot = calloc(2 * n->slots, sizeof(*slot));
    if (slot == NULL)
        return false;
    n->slot = slot;
    n->slots *= 2;
    free(old);
    for (size_t i = 0; i < n->count; i++) {
        const struct ptx_name *name = &n->name[i];
        *slot_of(n, name->scope, name->text, name->length) = (uint32_t)i + 1;
    }
    return true;
}

bool ptx_name_add(struct ptx_names *n, const struct ptx_name *name)
{
    if ((2 * n->count >= n->slots && !grow_table(n)) ||
        !array_room(&n->name, n->count, 1))
        return false;
    n->name[n->count++] = *name;
    *slot_of(n, name->scope, name->text, name->length) = (uint32_t)n->count;
    return true;
}
