/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What came of the claims, as CSV and as text: a row each, in the order of
 * all_claims. Rows of claims that were not judged again stay as the file has
 * them. */
#ifndef PAPER_REPRO_LEDGER_H
#define PAPER_REPRO_LEDGER_H

#include "paper_repro/claim.h"
#include "paper_repro/options.h"

#include <stdio.h>

enum ledger_column {
    COLUMN_ID,
    COLUMN_KIND,
    COLUMN_WHAT,
    COLUMN_PAPER,
    COLUMN_OURS,
    COLUMN_RATIO, /* ours over the paper's: of a claim of several values, of the
                   * one that is furthest off */
    COLUMN_VERDICT,
    COLUMN_CLOSE, /* whether it holds at 1.5 */
    COLUMN_WINDOW,
    COLUMN_MACHINE,
    COLUMN_SECOND, /* machine */
    COLUMN_SECOND_OURS,
    COLUMN_SECOND_VERDICT,
    COLUMN_ESTIMATE, /* of claims about cycles: by estimates of whole grids */
    COLUMN_ESTIMATE_VERDICT,
    COLUMN_CAUSE,
    COLUMN_REASON, /* of INPUT and CANNOT; notes */
    COLUMNS
};

/* How a cause begins that no experiment has shown. */
#define NOT_KNOWN "not known"

struct ledger;

/* Empty rows of all claims, or NULL when memory is out. */
struct ledger *ledger_create(void);
void ledger_free(struct ledger *g);

/* claims.csv of the options' folder; and with it claims.txt. */
bool ledger_read(struct ledger *g, const struct options *o, struct error *e);
bool ledger_write(const struct ledger *g, const struct options *o,
                  struct error *e);

/* Take the rows of a file that ledger_write_csv has written; one that does not
 * exist is empty. */
bool ledger_read_csv(struct ledger *g, const char *path, struct error *e);
bool ledger_write_csv(const struct ledger *g, const char *path,
                      struct error *e);
/* For people: rows with a verdict, or only those of findings set since, and
 * their totals. */
void ledger_print(const struct ledger *g, FILE *f, bool set_alone);

/* What stands in a column of a claim's row, "" where nothing does. */
const char *ledger_get(const struct ledger *g, const char *id,
                       enum ledger_column column);
bool ledger_set(struct ledger *g, const char *id, enum ledger_column column,
                const char *text);

/* Set what a finding decides: of the claim itself, or two columns, ours and
 * the verdict. */
bool ledger_set_finding(struct ledger *g, const struct claim *c,
                        const struct finding *f);
bool ledger_set_beside(struct ledger *g, const struct claim *c,
                       const struct finding *f, enum ledger_column ours);

/* A finding's values as text: "9 of 11: bp-k1 gto over lrr +11.0 %, ...". Marks
 * "!" those that do not count and "=" those that are even. */
void finding_text(char *out, size_t size, const struct claim *c,
                  const struct finding *f);

#endif
