/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page of all figures: what each shows, the picture, and what became of the
 * claims about it. */
#ifndef PAPER_REPRO_DRAW_INDEX_H
#define PAPER_REPRO_DRAW_INDEX_H

#include "base/error.h"

#include <stdbool.h>

/* Write FOLDER/README.md, from FOLDER/claims.csv. */
bool draw_index(const char *folder, struct error *e);

#endif
