/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/async.h"

void ptx_async_note(struct ptx_block *b, struct ptx_async *a)
{
    if (a->count == 0)
        a->count = ++b->signals;
    a->made++;
    b->event.signal = a->count;
}

void ptx_async_commit(struct ptx_async *a)
{
    a->group[a->groups++ % PTX_GROUPS_KEPT] = a->made;
}

static void wait_for(struct ptx_block *b, const struct ptx_async *a,
                     uint32_t operations)
{
    b->event.await = operations > 0 ? a->count : 0;
    b->event.await_count = operations;
}

void ptx_async_wait_all(struct ptx_block *b, const struct ptx_async *a)
{
    wait_for(b, a, a->made);
}

void ptx_async_wait(struct ptx_block *b, const struct ptx_async *a,
                    uint64_t but)
{
    uint64_t kept = but < PTX_GROUPS_KEPT ? but : PTX_GROUPS_KEPT - 1;
    wait_for(b, a,
             but < a->groups
                 ? a->group[(a->groups - 1 - kept) % PTX_GROUPS_KEPT]
                 : 0);
}
