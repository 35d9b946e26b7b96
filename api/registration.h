/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that a program brings: what is the same for all kinds. */
#ifndef API_REGISTRATION_H
#define API_REGISTRATION_H

#include "api/handles.h"

#include <stdalign.h>

/* What a policy calls itself, as the program has it. */
struct policy_naming {
    const char *name, *summary, *paper;
    const struct estimate_param *param; /* [params] */
    size_t params;
};

/* Register a policy, which `info` begins and calloc() made, under its name, of
 * which it keeps a copy. The context owns it from then on, also after a
 * failure. */
bool context_add(struct estimate_context *c, enum policy_kind kind,
                 struct policy_info *info, const struct policy_naming *naming,
                 struct error *e);

/* A state as the engines see it; the program's own bytes follow. */
struct own_state {
    const void *adapter;
    alignas(max_align_t) unsigned char own[];
};

#endif
