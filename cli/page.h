/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where text for people goes: how wide it may be, whether it may have colours,
 * and whether it is Markdown. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

enum color_mode { COLOR_AUTO, COLOR_NEVER, COLOR_ALWAYS };

enum style { STYLE_PLAIN, STYLE_BEST, STYLE_TIE, STYLE_PARTIAL };

struct page {
    FILE *f;
    int width; /* columns that a line may have */
    bool color, markdown;
};

/* COLUMNS where it is set, else the terminal's columns, else 80. Colours on
 * a terminal, unless NO_COLOR is set to anything (no-color.org) or `mode` says
 * otherwise. */
struct page page_open(FILE *f, enum color_mode mode, bool markdown);

/* What switches the terminal to a style, and back; empty without colours. */
const char *page_style(const struct page *p, enum style style);
const char *page_plain(const struct page *p, enum style style);

/* A paragraph: broken at blanks so that no line is wider than the page, lines
 * after the first indented by `indent`. In Markdown a list's item. */
void page_put(const struct page *p, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The line above a table. */
void page_heading(const struct page *p, const char *text);

#endif
