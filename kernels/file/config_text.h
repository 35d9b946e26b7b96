/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What libconfig does not tell of a text: where a string stands in it, and
 * numbers that it would cut to 32 bits without a word. */
#ifndef KERNELS_FILE_CONFIG_TEXT_H
#define KERNELS_FILE_CONFIG_TEXT_H

#include "kernels/file/source_text.h"

/* The insides of the strings behind the names `program`, in order: of the file
 * itself, or of the kernels in its group `kernels`. */
struct program_texts {
    struct word *text;
    size_t count;
};

/* Walk a libconfig text. Reports @include (files are self-contained), strings
 * without end and whole numbers that need a longer type than they are written
 * in. The caller frees out->text, in any case. A text that is no valid
 * libconfig is left to libconfig to report. */
bool config_text_scan(const struct source_text *source,
                      struct program_texts *out, struct error *e);

#endif
