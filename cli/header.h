/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a case is about: the launch and what limits its resident blocks. */
#ifndef CLI_HEADER_H
#define CLI_HEADER_H

#include "cli/points.h"

/* "8192 blocks of 128 threads, ~32 registers, 2048 bytes shared; 6 fit on an SM
 * (registers)". A tilde: the number of registers is a guess. */
void case_facts(char *out, size_t size, const struct plan_case *c);

/* "~32", or empty when the kernel does not say. */
void registers_text(char *out, size_t size,
                    const struct estimate_launch_info *l);

#endif
