/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a page's data: those of CSV, of results or of the file that
 * results were read from. */
#ifndef CLI_HTML_COLUMNS_H
#define CLI_HTML_COLUMNS_H

#include "cli/columns.h"
#include "cli/out_html.h"

enum html_column_of {
    HTML_OF_POINT,
    HTML_SWEPT,
    HTML_LAUNCHES,
    HTML_TIMES,
    HTML_COST,
    HTML_FRONT,
    HTML_OF_FILE
};

struct html_column {
    enum html_column_of of;
    const char *name;
    const struct estimate_column *column; /* of a point */
    size_t number;                        /* of a swept key, of the file's */
    bool text;                            /* else numbers, or empty */
    bool swept;                           /* tells designs apart */
    bool same;                            /* all points have one value */
};

struct html_columns {
    struct html_column *at;
    size_t count;
};

/* False when memory is out. html_columns_free() in either case. */
bool html_columns_create(struct html_columns *out, const struct html_page *p);
void html_columns_free(struct html_columns *c);
/* NULL: there is none of that name. */
const struct html_column *html_columns_find(const struct html_columns *c,
                                            const char *name);

/* The value of a point, empty where it is not known; `buffer` may hold it. */
const char *html_column_text(char buffer[COLUMN_VALUE_MAX],
                             const struct html_column *c,
                             const struct html_page *p, size_t point);

#endif
