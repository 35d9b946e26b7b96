/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of one kernel on one GPU, which most sections of a page show
 * together. */
#ifndef CLI_HTML_GROUP_H
#define CLI_HTML_GROUP_H

#include "cli/figures.h"
#include "cli/out_html.h"

#define HTML_AXIS_MAX 256 /* block counts, policies */

/* Neighbours among the page's points. */
struct html_group {
    const struct html_page *page;
    size_t first, end;
    const struct estimate_point *best; /* NULL: none is finished */
    struct unit unit;
};

/* The group whose first point is `first`. */
struct html_group html_group_at(const struct html_page *p, size_t first);
const struct estimate_point *html_group_point(const struct html_group *g,
                                              size_t i);
size_t html_group_count(const struct html_group *g);

/* Whether a point's interval and the best's overlap: at the same number of
 * blocks those of the paired differences, which are narrower. */
bool html_group_ties(const struct html_group *g,
                     const struct estimate_point *p);

/* Distinct block counts ascending, and policies in the order of points. */
struct html_axes {
    int tb[HTML_AXIS_MAX];
    const struct estimate_point *policy[HTML_AXIS_MAX];
    size_t tbs, policies;
};
void html_group_axes(struct html_axes *x, const struct html_group *g);
/* NULL where there is no such point. */
const struct estimate_point *
html_group_find(const struct html_group *g, int tb,
                const struct estimate_point *policy);

/* "lud on m2090", "gto" or "gto/rr/lru", "2.41 M +-4 %". */
void html_group_text(char *out, size_t size, const struct html_group *g);
void html_policy_text(char *out, size_t size, const struct estimate_point *p);
void html_group_cycles_text(char *out, size_t size, const struct html_group *g,
                            const struct estimate_point *p);

#endif
