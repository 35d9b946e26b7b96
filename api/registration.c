/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/registration.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 1;
}

static size_t text_size(const struct policy_naming *n)
{
    size_t size = bytes_of(n->name) + bytes_of(n->summary) + bytes_of(n->paper);
    for (size_t i = 0; i < n->params; i++)
        size += bytes_of(n->param[i].name) + bytes_of(n->param[i].help);
    return size;
}

/* Copy a text to *end, which moves on; NULL is empty. */
static const char *keep(char **end, const char *text)
{
    const char *kept = *end;
    memcpy(*end, text != NULL ? text : "", bytes_of(text));
    *end += bytes_of(text);
    return kept;
}

static void keep_info(struct policy_info *info, char *text,
                      const struct policy_naming *n)
{
    info->name = keep(&text, n->name);
    info->summary = keep(&text, n->summary);
    info->paper = keep(&text, n->paper);
    for (size_t i = 0; i < n->params; i++) {
        const struct estimate_param *p = &n->param[i];
        info->param[i] = (struct policy_param){.name = keep(&text, p->name),
                                               .fallback = p->fallback,
                                               .min = p->min,
                                               .max = p->max,
                                               .help = keep(&text, p->help)};
    }
}

/* Hand a block of memory over to the context; without room for it, free it. */
static bool own(struct estimate_context *c, void *memory)
{
    void **grown = realloc(c->policy, (c->policies + 1) * sizeof(*grown));
    if (grown == NULL) {
        free(memory);
        return false;
    }
    c->policy = grown;
    c->policy[c->policies++] = memory;
    return true;
}

bool context_add(struct estimate_context *c, enum policy_kind kind,
                 struct policy_info *info, const struct policy_naming *naming,
                 struct error *e)
{
    if (!own(c, info))
        return error_no_memory(e);
    if (naming->params > ESTIMATE_PARAMS)
        return error_set(e, STATUS_USAGE,
                         "a policy has %zu parameters, expected at most %d",
                         naming->params, ESTIMATE_PARAMS);
    char *text = malloc(text_size(naming));
    if (text == NULL || !own(c, text))
        return error_no_memory(e);
    keep_info(info, text, naming);
    return policy_register(&c->registry, kind, info, e);
}
