/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests look at in an SVG text: whether it is well formed, and where its
 * labels lie. */
#ifndef TESTS_SVG_TEXT_H
#define TESTS_SVG_TEXT_H

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A label as a box turned around its anchor. */
struct svg_box_of_text {
    double corner[4][2];
    char text[64];
};

/* The end of the tag that begins at `tag`, past attributes in quotes; NULL when
 * it is no tag. */
static inline const char *svg_tag_end(const char *tag)
{
    char quote = 0;
    for (const char *c = tag + 1; *c != '\0'; c++) {
        if (quote != 0)
            quote = *c == quote ? 0 : quote;
        else if (*c == '\'' || *c == '"')
            quote = *c;
        else if (*c == '>')
            return c;
        if (*c == '<')
            return NULL;
    }
    return NULL;
}

/* Every reference between from and to ends, and has a known name. */
static inline bool svg_references_fine(const char *from, const char *to)
{
    static const char *const name[] = {"&lt;",  "&gt;",   "&amp;",
                                       "&#39;", "&quot;", NULL};
    for (; from < to; from++) {
        int i = 0;
        if (*from != '&')
            continue;
        while (name[i] != NULL && strncmp(from, name[i], strlen(name[i])) != 0)
            i++;
        if (name[i] == NULL)
            return false;
    }
    return true;
}

/* One root; tags closed in order; attributes quoted; nothing else that XML
 * forbids. */
static inline bool svg_well_formed(const char *text)
{
    const char *open[16];
    int depth = 0, roots = 0;
    for (const char *c = text; *c != '\0';) {
        if (*c != '<') {
            if ((unsigned char)*c < ' ' && *c != '\n')
                return false;
            c++;
            continue;
        }
        const char *end = svg_tag_end(c);
        if (end == NULL || !svg_references_fine(c, end))
            return false;
        if (c[1] == '/') {
            size_t n = (size_t)(end - c) - 2;
            if (depth == 0 || strncmp(open[--depth], c + 2, n) != 0 ||
                isalnum((unsigned char)open[depth][n]))
                return false;
        } else {
            roots += depth == 0;
            if (end[-1] != '/' && depth < 16)
                open[depth++] = c + 1;
        }
        c = end + 1;
    }
    return depth == 0 && roots == 1 &&
           svg_references_fine(text, text + strlen(text));
}

static inline size_t svg_count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

static inline double svg_attribute(const char *tag, const char *name, double no)
{
    char key[32];
    const char *end = svg_tag_end(tag);
    snprintf(key, sizeof(key), " %s='", name);
    const char *at = strstr(tag, key);
    return at != NULL && at < end ? strtod(at + strlen(key), NULL) : no;
}

/* Characters of 0.55 font sizes, which is what DejaVu Sans takes on average. */
static inline void svg_box_of(struct svg_box_of_text *b, const char *tag)
{
    const char *end = svg_tag_end(tag), *turn = strstr(tag, "rotate(");
    if (end == NULL)
        return;
    size_t n = strcspn(end + 1, "<");
    double size = strstr(tag, "'title'") && strstr(tag, "'title'") < end ? 15
                  : strstr(tag, "'note'") && strstr(tag, "'note'") < end ? 11.5
                                                                         : 13;
    double x = svg_attribute(tag, "x", 0), y = svg_attribute(tag, "y", 0);
    double width = 0.55 * size * (double)n, left = 0;
    const char *anchor = strstr(tag, "text-anchor='");
    left = anchor[13] == 'm' ? -width / 2 : anchor[13] == 'e' ? -width : 0;
    double angle = turn != NULL && turn < end ? strtod(turn + 7, NULL) : 0;
    double c = cos(angle * acos(-1) / 180), s = sin(angle * acos(-1) / 180);
    for (int i = 0; i < 4; i++) {
        double dx = left + (i == 1 || i == 2 ? width : 0);
        double dy = (i < 2 ? -0.75 : 0.2) * size;
        b->corner[i][0] = x + dx * c - dy * s;
        b->corner[i][1] = y + dx * s + dy * c;
    }
    snprintf(b->text, sizeof(b->text), "%.*s", (int)n, end + 1);
}

static inline size_t svg_labels(struct svg_box_of_text *box, size_t most,
                                const char *text)
{
    size_t n = 0;
    for (; n < most && (text = strstr(text, "<text ")) != NULL; text++)
        svg_box_of(&box[n++], text);
    return n;
}

/* A line along one of a's sides has all of a on one side and b on the other. */
static inline bool svg_side_parts(const struct svg_box_of_text *a,
                                  const struct svg_box_of_text *b)
{
    for (int i = 0; i < 2; i++) {
        double nx = a->corner[i + 1][0] - a->corner[i][0];
        double ny = a->corner[i + 1][1] - a->corner[i][1];
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int k = 0; k < 4; k++) {
            double pa = a->corner[k][0] * nx + a->corner[k][1] * ny;
            double pb = b->corner[k][0] * nx + b->corner[k][1] * ny;
            low[0] = fmin(low[0], pa), high[0] = fmax(high[0], pa);
            low[1] = fmin(low[1], pb), high[1] = fmax(high[1], pb);
        }
        if (high[0] <= low[1] || high[1] <= low[0])
            return true;
    }
    return false;
}

static inline bool svg_overlap(const struct svg_box_of_text *a,
                               const struct svg_box_of_text *b)
{
    return !svg_side_parts(a, b) && !svg_side_parts(b, a);
}

#endif
