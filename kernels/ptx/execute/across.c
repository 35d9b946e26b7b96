/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/across.h"

#include <stdio.h>

static const char *const found[] = {
    [ACROSS_LOAD] = "found that it reads what another block writes",
    [ACROSS_STORE] = "found that it writes what another block reads",
    [ACROSS_WAIT] = "found a loop that waits here for another block's store",
    [ACROSS_PATH] = "found that its result decides the way in line",
    [ACROSS_ADDRESS] = "found that its result decides the address in line",
};

void ptx_across_say(char out[PTX_ACROSS_CHARS], const struct ptx_across *a,
                    const struct ptx_module *m)
{
    char line[16] = "";
    out[0] = '\0';
    if (a->kind == ACROSS_NONE)
        return;
    if (a->use != NULL)
        snprintf(line, sizeof(line), " %u", a->use->inst->line);
    snprintf(out, PTX_ACROSS_CHARS,
             "%s:%u:%u: %s: %s%s; blocks are executed each by itself and do "
             "not see it (--exec-all: each after those before it)",
             m->path, a->op->inst->line, a->op->inst->column,
             a->op->inst->form->mnemonic, found[a->kind], line);
}
