/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an option to a key. */
#include "configs/gpgpusim/gpgpusim.h"

bool import_set(struct import *im, const struct sim_option *o, const char *key,
                double value, struct error *e)
{
    struct error why;
    if (gpu_key_set(im->g, gpu_key_find(key), value, &why))
        return true;
    if (o == NULL)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", im->path, why.text);
    return error_set(e, STATUS_BAD_INPUT, "%s:%d: -%s gives %s", o->file,
                     o->line, o->name, why.text);
}

bool import_number(struct import *im, const char *name, double fallback,
                   double *value, struct error *e)
{
    const struct sim_option *o = sim_options_find(&im->options, name);
    *value = fallback;
    return o == NULL || sim_option_numbers(o, ',', 1, 1, value, NULL, e);
}

const struct sim_option *import_required(struct import *im, const char *name,
                                         struct error *e)
{
    const struct sim_option *o = sim_options_find(&im->options, name);
    if (o == NULL)
        error_set(e, STATUS_BAD_INPUT, "%s: no option -%s, expected one",
                  im->path, name);
    return o;
}
