/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text and charts as parts of a page. */
#ifndef CLI_HTML_TEXT_H
#define CLI_HTML_TEXT_H

#include "chart/chart.h"

#define HTML_TEXT_MAX 2048 /* bytes of a paragraph, enough for any */

/* Escaped, and with signs where a terminal has +- and ->. */
void html_text(FILE *f, const char *text);
/* Of a class, "" for none. */
void html_paragraph(FILE *f, const char *class_name, const char *text);
/* Begins a section, which a link to #id finds. */
void html_section(FILE *f, const char *id, const char *title);
/* Scrolls by itself where the screen is narrower. */
void html_chart(FILE *f, const struct chart *c);

#endif
