/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/machines.h"

#include <stddef.h>
#include <string.h>

const struct machine machines[] = {
    {"paws", "m2090-gsim", "m2090", "lrr gto paws tlrr tlgto tlpaws"},
    {"perfsat", "m2090", "m2090-gsim", "gto"},
    {"kaws", "titanx-gsim", "titanx", "lrr gto kaws"},
    {"cawa", "gtx480-gsim", "gtx480", "lrr gto tlrr gcaws cawa"},
    {"ikra", "ikra", NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

const struct machine *machine_of(const char *paper)
{
    for (const struct machine *m = machines; m->paper != NULL; m++)
        if (strcmp(m->paper, paper) == 0)
            return m;
    return NULL;
}
