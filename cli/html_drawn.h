/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which groups of a page are drawn: of thousands nobody looks at each, and the
 * page would take tens of megabytes. */
#ifndef CLI_HTML_DRAWN_H
#define CLI_HTML_DRAWN_H

#include "cli/out_html.h"

/* Chosen: what can be scrolled through. */
#define HTML_GROUPS_DRAWN 24

struct html_drawn {
    bool *begins; /* [points]: a group that is drawn begins there */
    size_t groups, drawn;
};

/* All of up to HTML_GROUPS_DRAWN groups; of more of each kernel the same
 * number, those that take the fewest cycles. False when out of memory. */
bool html_drawn_create(struct html_drawn *d, const struct html_page *p);
void html_drawn_free(struct html_drawn *d);

/* That others are left out, where some are. */
void html_drawn_note(FILE *f, const struct html_drawn *d);

#endif
