/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/grid.h"

#include <string.h>

#define GAP       2  /* blanks between columns */
#define LABEL_MIN 16 /* a broken label is no narrower */
#define PART_MAX  96 /* columns of one part */
#define JOINT     " = "
#define JOINT_LEN 3

static void read_cell(struct cell *out, const struct grid *g, size_t row,
                      size_t column)
{
    out->text[0] = '\0';
    out->style = STYLE_PLAIN;
    g->cell(out, g->of, row, column);
}

static bool is_left(const struct grid *g, size_t column)
{
    return column < 32 && (g->left >> column & 1) != 0;
}

static int column_width(const struct grid *g, size_t column)
{
    struct cell c;
    int width = 0;
    for (size_t row = 0; row < g->rows; row++) {
        read_cell(&c, g, row, column);
        int n = (int)strlen(c.text);
        width = n > width ? n : width;
    }
    return width;
}

/* Columns first..end-1 next to the labels, and how wide each is. */
struct part {
    size_t first, end;
    int label, width[PART_MAX]; /* of column first + i */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* As many columns as there is room for, at least one; the label gets what they
 * leave of what it needs, so it is broken before columns are. */
static void plan_part(struct part *part, const struct grid *g,
                      const struct page *p, size_t first, int label)
{
    int used = 0, room = p->width - least(label, LABEL_MIN);
    *part = (struct part){.first = first, .end = first};
    while (part->end < g->columns && part->end - first < PART_MAX) {
        int width = column_width(g, part->end);
        if (part->end > first && used + GAP + width > room && !p->markdown)
            break;
        part->width[part->end++ - first] = width;
        used += GAP + width;
    }
    int left = p->width - used;
    part->label = least(label, left > LABEL_MIN ? left : LABEL_MIN);
}

/* Where the last `joint` begins that a line of `width` has room for, 0: none.
 */
static int last_joint(const char *text, const char *joint, int width)
{
    int last = 0;
    for (const char *at = strstr(text + 1, joint); at != NULL;
         at = strstr(at + 1, joint))
        if (at - text <= width)
            last = (int)(at - text);
    return last;
}

/* The bytes of a label that go on its next line. */
static int label_piece(const char *text, int width)
{
    int length = (int)strlen(text), last = last_joint(text, JOINT, width);
    if (length <= width)
        return length;
    if (last == 0)
        last = last_joint(text, " ", width);
    return last > 0 ? last : width;
}

static void put_styled(const struct page *p, const struct cell *c, int width,
                       bool left)
{
    int pad = width - (int)strlen(c->text);
    fprintf(p->f, "%*s%s%s%s%*s", left || pad < 0 ? 0 : pad, "",
            page_style(p, c->style), c->text, page_plain(p, c->style),
            left && pad > 0 ? pad : 0, "");
}

static void put_row(const struct page *p, const struct grid *g,
                    const struct part *part, size_t row)
{
    struct cell label, c;
    read_cell(&label, g, row, 0);
    int n = label_piece(label.text, part->label);
    fprintf(p->f, "%-*.*s", part->label, n, label.text);
    for (size_t i = part->first; i < part->end; i++) {
        read_cell(&c, g, row, i);
        bool left = is_left(g, i);
        bool last = i + 1 == part->end;
        fprintf(p->f, "%*s", GAP, "");
        put_styled(p, &c, left && last ? 0 : part->width[i - part->first],
                   left);
    }
    fputc('\n', p->f);
    for (const char *at = label.text + n; *at != '\0'; at += n) {
        if (strncmp(at, JOINT, JOINT_LEN) != 0)
            at += strspn(at, " ");
        n = label_piece(at, part->label - 1);
        fprintf(p->f, " %.*s\n", n, at);
    }
}

static void put_markdown(const struct page *p, const struct grid *g)
{
    struct cell c;
    for (size_t row = 0; row < g->rows; row++) {
        for (size_t i = 0; i < g->columns; i++) {
            read_cell(&c, g, row, i);
            fputs("| ", p->f);
            for (const char *at = c.text; *at != '\0'; at++)
                fprintf(p->f, *at == '|' || *at == '*' ? "\\%c" : "%c", *at);
            fputc(' ', p->f);
        }
        fputs("|\n", p->f);
        for (size_t i = 0; row == 0 && i < g->columns; i++)
            fputs(is_left(g, i) ? "| :-- " : "| --: ", p->f);
        fputs(row == 0 ? "|\n" : "", p->f);
    }
    fputc('\n', p->f);
}

bool grid_fits(const struct grid *g, const struct page *p)
{
    int used = column_width(g, 0);
    for (size_t i = 1; i < g->columns; i++)
        used += GAP + column_width(g, i);
    return p->markdown || used <= p->width;
}

void grid_put(const struct grid *g, const struct page *p)
{
    if (p->markdown) {
        put_markdown(p, g);
        return;
    }
    int label = column_width(g, 0);
    struct part part = {.end = 1};
    do {
        plan_part(&part, g, p, part.end, label);
        for (size_t row = 0; row < g->rows; row++)
            put_row(p, g, &part, row);
    } while (part.end < g->columns);
}
