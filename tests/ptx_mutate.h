/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that are nearly PTX. */
#ifndef TESTS_PTX_MUTATE_H
#define TESTS_PTX_MUTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Numbers of a fixed sequence (Knuth, MMIX). */
static inline size_t draw_below(uint64_t *state, size_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(*state >> 33) % below;
}

static inline bool is_word(char c)
{
    return c != '\0' && strchr(" \t\n,;()[]{}", c) == NULL;
}

/* The first and last character of some word. */
static inline void pick_word(uint64_t *state, const char *text, size_t size,
                             size_t *first, size_t *end)
{
    *first = draw_below(state, size);
    while (*first > 0 && !is_word(text[*first]))
        --*first;
    *end = *first + 1;
    while (*first > 0 && is_word(text[*first - 1]))
        --*first;
    while (*end < size && is_word(text[*end]))
        ++*end;
}

/* Put another word of the text, or none, in the place of one; size bytes and a
 * NUL in room for `room`. Returns the new size. */
static inline size_t change_word(uint64_t *state, char *text, size_t size,
                                 size_t room)
{
    char word[64];
    size_t first, end, from, to;
    pick_word(state, text, size, &first, &end);
    pick_word(state, text, size, &from, &to);
    size_t length = draw_below(state, 4) == 0 ? 0 : to - from;
    if (length > sizeof(word) || size + length >= room)
        return size;
    memcpy(word, text + from, length);
    memmove(text + first + length, text + end, size - end + 1);
    memcpy(text + first, word, length);
    return size - (end - first) + length;
}

#endif
