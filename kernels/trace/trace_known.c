/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_known.h"

#include <stdlib.h>
#include <string.h>

#define KNOWN_LINES 2048 /* a power of two */

/* Pieces of the text that tell its place. */
#define PIECE_BYTES ((size_t)8)
#define LEAST_BYTES (2 * PIECE_BYTES)

bool trace_known_init(struct trace_known *k)
{
    k->line = calloc(KNOWN_LINES, sizeof(*k->line));
    return k->line != NULL;
}

void trace_known_free(struct trace_known *k)
{
    free(k->line);
}

static size_t length_of(struct span line)
{
    return (size_t)(line.end - line.at);
}

static uint64_t piece(const char *at)
{
    uint64_t word;

    memcpy(&word, at, PIECE_BYTES);
    return word;
}

/* The PC at the beginning and the last addresses at the end tell lines apart,
 * mostly. */
static size_t number_of_place(struct span line)
{
    uint64_t hash = trace_hash_add(length_of(line), piece(line.at));

    hash = trace_hash_add(hash, piece(line.end - 2 * PIECE_BYTES));
    hash = trace_hash_add(hash, piece(line.end - PIECE_BYTES));
    return hash % KNOWN_LINES;
}

struct known_line *trace_known_place(const struct trace_known *k,
                                     struct span line)
{
    size_t length = length_of(line);

    if (length < LEAST_BYTES || length > KNOWN_BYTES)
        return NULL;
    return &k->line[number_of_place(line)];
}

bool trace_known_holds(const struct known_line *place, struct span line)
{
    return place != NULL && place->length == length_of(line) &&
           memcmp(place->text, line.at, place->length) == 0;
}

void trace_known_keep(struct known_line *place, struct span line,
                      uint32_t entry, const struct step *step)
{
    if (place == NULL)
        return;
    place->entry = entry;
    place->step = *step;
    place->length = (uint32_t)length_of(line);
    memcpy(place->text, line.at, place->length);
}
