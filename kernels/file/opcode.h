/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operations of kernel files (FORMAT.md, "Program"). */
#ifndef KERNELS_FILE_OPCODE_H
#define KERNELS_FILE_OPCODE_H

#include "kernels/form/kernel.h"

enum destination {
    DEST_NONE,
    DEST_GENERAL,
    DEST_PREDICATE,
    DEST_OPTIONAL /* general, may be left out */
};

struct opcode {
    const char *name;
    enum op_class op;
    enum mem_space space; /* SPACE_NONE: takes no address */
    enum destination destination;
    int sources; /* registers at most, behind the address if there is one */
};

extern const struct opcode opcodes[];
extern const size_t opcode_count;

#endif
