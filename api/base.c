/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "base/version.h"

#include <stdio.h>
#include <string.h>

bool tell(struct estimate_error *out, const struct error *e)
{
    if (out != NULL) {
        out->status = (int)e->status;
        snprintf(out->text, sizeof(out->text), "%s", e->text);
    }
    return false;
}

bool tell_no_memory(struct estimate_error *out)
{
    struct error e;
    error_no_memory(&e);
    return tell(out, &e);
}

bool take_struct(void *known, size_t known_size, const void *given,
                 struct error *e)
{
    size_t size;
    memcpy(&size, given, sizeof(size));
    if (size < sizeof(size))
        return error_set(e, STATUS_USAGE,
                         "a struct was handed in without its *_init()");
    memcpy(known, given, size < known_size ? size : known_size);
    return true;
}

void give_struct(void *out, size_t out_size, const void *known,
                 size_t known_size)
{
    memcpy(out, known, out_size < known_size ? out_size : known_size);
}

const char *estimate_version(void)
{
    return build_version;
}

const char *estimate_revision(void)
{
    return build_revision;
}

double estimate_clock(void)
{
    return stop_clock();
}

static const char *name_at(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

const char *estimate_nearest(const char *name, const char *const *names,
                             size_t count)
{
    return nearest_name(name, names, count, name_at);
}
