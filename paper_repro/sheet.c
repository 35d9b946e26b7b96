/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/sheet.h"

#include "paper_repro/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sheet {
    const char *head;
    size_t claims;
    struct lines {
        const char *id;
        char *text; /* whole lines; NULL: none */
    } lines[];
};

struct sheet *sheet_create(const char *head)
{
    size_t claims = 0;
    for (int p = 0; p < CLAIM_PAPERS; p++)
        claims += all_claims[p]->count;
    struct sheet *s = calloc(1, sizeof(*s) + claims * sizeof(s->lines[0]));
    if (s == NULL)
        return NULL;
    s->head = head;
    for (int p = 0; p < CLAIM_PAPERS; p++)
        for (size_t i = 0; i < all_claims[p]->count; i++)
            s->lines[s->claims++].id = all_claims[p]->claim[i].id;
    return s;
}

void sheet_free(struct sheet *s)
{
    for (size_t i = 0; s != NULL && i < s->claims; i++)
        free(s->lines[i].text);
    free(s);
}

static struct lines *lines_of(struct sheet *s, const char *id, size_t length)
{
    for (size_t i = 0; i < s->claims; i++)
        if (strlen(s->lines[i].id) == length &&
            memcmp(s->lines[i].id, id, length) == 0)
            return &s->lines[i];
    return NULL;
}

static bool append(struct lines *l, const char *what)
{
    size_t used = l->text != NULL ? strlen(l->text) : 0;
    char *text = realloc(l->text, used + strlen(what) + 1);
    if (text == NULL)
        return false;
    memcpy(text + used, what, strlen(what) + 1);
    l->text = text;
    return true;
}

bool sheet_read(struct sheet *s, const char *path, struct error *e)
{
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return true;
    char line[CSV_LINE];
    bool ok = true;
    while (ok && fgets(line, sizeof(line), f) != NULL) {
        struct lines *l = lines_of(s, line, strcspn(line, ","));
        ok = l == NULL || append(l, line);
    }
    fclose(f);
    return ok || error_no_memory(e);
}

bool sheet_write(const struct sheet *s, const char *path, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    fprintf(f, "%s\n", s->head);
    for (size_t i = 0; i < s->claims; i++)
        if (s->lines[i].text != NULL)
            fputs(s->lines[i].text, f);
    return fclose(f) == 0 ||
           error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

/* A claim's id and cells as a line has them, allocated; NULL: no memory. */
static char *format_cells(const char *id, const char *const *cell, int count)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    fputs(id, f);
    for (int i = 0; i < count; i++) {
        fputc(',', f);
        csv_write(f, cell[i]);
    }
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

/* The first line of `text` that begins with these cells. */
static char *find_line(char *text, const char *cells)
{
    size_t length = strlen(cells);
    while (text != NULL && *text != '\0') {
        if (strncmp(text, cells, length) == 0 &&
            strchr(",\n", text[length]) != NULL)
            return text;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return NULL;
}

bool sheet_drop(struct sheet *s, const char *id, const char *const *cell,
                int count)
{
    struct lines *l = lines_of(s, id, strlen(id));
    char *cells = format_cells(id, cell, count), *line;
    if (cells == NULL)
        return false;
    while ((line = find_line(l->text, cells)) != NULL) {
        size_t length = strcspn(line, "\n") + 1;
        memmove(line, line + length, strlen(line + length) + 1);
    }
    free(cells);
    return true;
}

bool sheet_has(struct sheet *s, const char *id, const char *const *cell,
               int count)
{
    char *cells = format_cells(id, cell, count);
    bool has = cells != NULL &&
               find_line(lines_of(s, id, strlen(id))->text, cells) != NULL;
    free(cells);
    return has;
}

bool sheet_add(struct sheet *s, const char *id, const char *const *cell,
               int count)
{
    struct lines *l = lines_of(s, id, strlen(id));
    char *cells = format_cells(id, cell, count);
    bool ok = cells != NULL && append(l, cells) && append(l, "\n");
    free(cells);
    return ok;
}
