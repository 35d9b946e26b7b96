/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A memory from which no answer comes. */
#ifndef TESTS_QUIET_MEMORY_H
#define TESTS_QUIET_MEMORY_H

#include "sampler/memory/memory.h"

#include <check.h>

static inline bool no_reply(void *user, const struct request *r, uint64_t now)
{
    (void)user, (void)r, (void)now;
    ck_abort_msg("an answer came");
    return true;
}

static inline void ignore_room(void *user, int sm)
{
    (void)user, (void)sm;
}

static inline void open_memory(struct memory *m, const struct gpu *g)
{
    const struct memory_callbacks up = {.reply = no_reply, .room = ignore_room};
    ck_assert(memory_init(m, g, &up));
}

#endif
