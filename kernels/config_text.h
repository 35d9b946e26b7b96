/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What libconfig does not tell of a text: where a string stands in it, and
 * numbers that it would cut to 32 bits without a word. */
#ifndef KERNELS_CONFIG_TEXT_H
#define KERNELS_CONFIG_TEXT_H

#include "kernels/source_text.h"

/* Walk a libconfig text. Reports @include (files are self-contained), strings
 * without end and whole numbers that need a longer type than they are written
 * in. *program becomes
 * the inside of the string behind the top-level name `program`, or stays empty.
 * A text that is no valid libconfig is left to libconfig to report. */
bool config_text_scan(const struct source_text *source, struct word *program,
                      struct error *e);

#endif
