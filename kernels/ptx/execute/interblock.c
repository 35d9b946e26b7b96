/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/interblock.h"

#include <stdio.h>

static const char *const found[] = {
    [INTERBLOCK_LOAD] = "found that it reads what another block writes",
    [INTERBLOCK_STORE] = "found that it writes what another block reads",
    [INTERBLOCK_WAIT] =
        "found a loop that waits here for another block's store",
    [INTERBLOCK_PATH] = "found that its result decides the way in line",
    [INTERBLOCK_ADDRESS] = "found that its result decides the address in line",
};

void ptx_interblock_say(char out[PTX_INTERBLOCK_CHARS],
                        const struct ptx_interblock *a,
                        const struct ptx_module *m)
{
    char line[16] = "";
    out[0] = '\0';
    if (a->kind == INTERBLOCK_NONE)
        return;
    if (a->use != NULL)
        snprintf(line, sizeof(line), " %u", a->use->inst->line);
    snprintf(out, PTX_INTERBLOCK_CHARS, "%s:%u:%u: %s: %s%s; %s", m->path,
             a->op->inst->line, a->op->inst->column,
             a->op->inst->form->mnemonic, found[a->kind], line,
             a->waits ? "a block waits for it, so each is executed after those "
                        "before it"
                      : "blocks are executed each by itself and do not see it "
                        "(--exec-all: each after those before it)");
}
