/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of a program that was built without MPI. */
#include "cli/deal.h"

void deal_start(int *argc, char ***argv)
{
    (void)argc, (void)argv;
}

void deal_end(int status)
{
    (void)status;
}

bool deal_is_worker(void)
{
    return false;
}

bool deal_run(const struct plan *p, const struct options *o,
              struct estimate_error *e)
{
    (void)p, (void)o, (void)e;
    return true;
}
