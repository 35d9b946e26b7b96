/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a page looks, and what it does: sort its table of points. */
#ifndef CLI_HTML_STYLE_H
#define CLI_HTML_STYLE_H

extern const char html_style[], html_script[];

/* Classes "h0" (the best) to "h6" of cells by how far they are from the best.
 */
#define HTML_HEAT_CLASSES 7

#endif
