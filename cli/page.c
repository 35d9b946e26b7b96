/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/page.h"

#include "cli/values.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_DEFAULT 80
#define COLUMNS_MIN     40 /* less cannot hold a row of a table */
#define COLUMNS_MAX     10000
#define TEXT_MAX        4096 /* bytes of a paragraph */

static int columns_of(FILE *f)
{
    const char *told = getenv("COLUMNS");
    struct winsize w;
    uint64_t columns = COLUMNS_DEFAULT;
    if (told == NULL || !parse_u64(told, 1, COLUMNS_MAX, &columns)) {
        int fd = fileno(f);
        if (fd >= 0 && ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
            columns = w.ws_col;
    }
    return columns < COLUMNS_MIN ? COLUMNS_MIN : (int)columns;
}

static bool colors_of(FILE *f, enum color_mode mode)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    return (none == NULL || none[0] == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0) && fileno(f) >= 0 &&
           isatty(fileno(f)) == 1;
}

struct page page_open(FILE *f, enum color_mode mode, bool markdown)
{
    return (struct page){.f = f,
                         .width = columns_of(f),
                         .color = !markdown && colors_of(f, mode),
                         .markdown = markdown};
}

/* Bold green, green, yellow: told apart by brightness as well. */
static const char *const codes[] = {
    [STYLE_PLAIN] = "",
    [STYLE_BEST] = "\033[1;32m",
    [STYLE_TIE] = "\033[32m",
    [STYLE_PARTIAL] = "\033[33m",
};

const char *page_style(const struct page *p, enum style style)
{
    return p->color ? codes[style] : "";
}

const char *page_plain(const struct page *p, enum style style)
{
    return p->color && style != STYLE_PLAIN ? "\033[0m" : "";
}

/* The bytes of `text` that go on a line of `room`: up to its last blank, all
 * where there is none. */
static size_t line_length(const char *text, size_t room)
{
    size_t length = strlen(text);
    if (length <= room)
        return length;
    for (size_t n = room + 1; n-- > 0;)
        if (text[n] == ' ')
            return n;
    return strcspn(text, " ");
}

void page_put(const struct page *p, int indent, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (p->markdown) {
        fprintf(p->f, "- %s\n", text);
        return;
    }
    int used = 0;
    for (const char *at = text; *at != '\0';) {
        size_t n = line_length(at, (size_t)(p->width - used));
        fprintf(p->f, "%*s%.*s\n", used, "", (int)n, at);
        at += n;
        at += strspn(at, " ");
        used = indent;
    }
}

void page_heading(const struct page *p, const char *text)
{
    if (p->markdown)
        fprintf(p->f, "### %s\n\n", text);
    else
        page_put(p, 2, "%s", text);
}
