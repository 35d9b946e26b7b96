/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page's table of what would change a point's time, with a bar and the
 * interval beside each number. */
#ifndef CLI_HTML_WHAT_IF_H
#define CLI_HTML_WHAT_IF_H

#include "cli/what_if.h"

/* The changes that gain most; of those that gain next to nothing a few. */
void html_what_if(FILE *f, const struct what_if_list *l);

#endif
