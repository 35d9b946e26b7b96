/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of words with spaces between them. */
#ifndef PAPER_REPRO_WORDS_H
#define PAPER_REPRO_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The next word of *list into out, which it is cut to; false at its end. */
bool next_word(char *out, size_t size, const char **list);

#endif
