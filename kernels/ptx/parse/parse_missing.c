/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What PTX has and this program has not: to be named for what it is. */
#include "kernels/ptx/parse/parse.h"

#include <stdio.h>

struct missing {
    const char *name; /* how a mnemonic or, with its dot, a modifier begins */
    const char *what;
};

static const struct missing missing[] = {
    {"tcgen05", "instructions of tensor memory"},

    {"clusterlaunchcontrol", "clusters of blocks"},
    {".im2col", "tensor copies that unfold images"},
    {".tile::", "tensor copies of scattered rows"},
    {"tensormap", "changes of tensor maps"},
    {".ue8m0", "8-bit floating point"},
    {".e2m1", "4-bit floating point"},
    {".e2m3", "6-bit floating point"},
    {".e3m2", "6-bit floating point"},
    {".u4", "4-bit numbers"},
    {".s4", "4-bit numbers"},
    {".b1", "1-bit numbers"},
    {".sp", "sparse matrices"},
    {".b128", "numbers of 128 bits"},
    {".2dms", "textures of several samples"},
    {".a2dms", "textures of several samples"},
    {".channel_", "queries of a texture's format"},
    {".p", "formatted surface stores"},
    {"sured", "reductions on surfaces"},
    {"istypep", "tests of a handle's kind"},
    {"vmad", "video multiplications"},
};

static const char *find(const struct ptx_token *t)
{
    bool modifier = t->kind == TOKEN_DOT;
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
        const char *name = missing[i].name;
        if ((name[0] == '.') != modifier)
            continue;
        name += modifier;
        size_t length = strlen(name);
        bool exact = length <= 2;
        if (t->length >= length && memcmp(t->text, name, length) == 0 &&
            (!exact || t->length == length))
            return missing[i].what;
    }
    return NULL;
}

bool parse_is_missing(const struct ptx_token *t)
{
    return find(t) != NULL;
}

bool parse_unknown(const struct parser *p, const struct ptx_token *t,
                   const char *expected, size_t more)
{
    const char *what = find(t);
    char others[48] = "", text[200];
    if (more > 0)
        snprintf(others, sizeof(others), " (and %zu more that are not)", more);
    if (what == NULL)
        snprintf(text, sizeof(text), "%s%s", expected, others);
    else
        snprintf(text, sizeof(text), "no %s: not supported%s", what, others);
    return ptx_expected(&p->lexer, t, text);
}
