/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A CSV file with any number of lines for each claim, in the order of
 * all_claims. Lines of claims that were not looked at again stay as the file
 * has them. */
#ifndef PAPER_REPRO_SHEET_H
#define PAPER_REPRO_SHEET_H

#include "paper_repro/claim.h"

struct sheet;

/* head: the names of the columns, of which the first is the claim's id. NULL
 * when memory is out. */
struct sheet *sheet_create(const char *head);
void sheet_free(struct sheet *s);

/* Take a file's lines; one that does not exist is empty. */
bool sheet_read(struct sheet *s, const char *path, struct error *e);
bool sheet_write(const struct sheet *s, const char *path, struct error *e);

/* Forget a claim's lines, those alone that begin with `count` cells (none: all
 * of them); whether there is one; add one, of its id and the cells. False when
 * memory is out. */
bool sheet_drop(struct sheet *s, const char *id, const char *const *cell,
                int count);
bool sheet_has(struct sheet *s, const char *id, const char *const *cell,
               int count);
bool sheet_add(struct sheet *s, const char *id, const char *const *cell,
               int count);

#endif
