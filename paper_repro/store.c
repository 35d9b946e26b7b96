/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/store.h"

#include "base/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct store {
    sqlite3 *db;
    sqlite3_stmt *get, *put;
};

static bool make_folder(const char *path, struct error *e)
{
    char folder[512];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path)
        return true;
    snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    return error_set(e, STATUS_FAILED, "%s: %s", folder, strerror(errno));
}

static bool prepare(struct store *s, const char *path, struct error *e)
{
    static const char *const table =
        "CREATE TABLE IF NOT EXISTS records (key TEXT PRIMARY KEY, a BLOB, "
        "b BLOB, c BLOB, d BLOB, e BLOB, f BLOB, g BLOB)";
    static const char *const get =
        "SELECT a, b, c, d, e, f, g FROM records WHERE key = ?";
    static const char *const put =
        "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    s->db = database_open(path, table, e);
    if (s->db == NULL)
        return false;
    return (sqlite3_prepare_v2(s->db, get, -1, &s->get, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(s->db, put, -1, &s->put, NULL) == SQLITE_OK) ||
           database_failed(s->db, path, e);
}

struct store *store_open(const char *path, struct error *e)
{
    struct store *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        error_no_memory(e);
        return NULL;
    }
    if (!make_folder(path, e) || !prepare(s, path, e)) {
        store_close(s);
        return NULL;
    }
    return s;
}

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    sqlite3_finalize(s->get);
    sqlite3_finalize(s->put);
    sqlite3_close(s->db);
    free(s);
}

static void free_parts(struct store_part part[STORE_PARTS])
{
    for (int i = 0; i < STORE_PARTS; i++)
        free(part[i].bytes);
}

/* The row that s->get stands on. */
static bool copy_row(struct store *s, struct store_part part[STORE_PARTS])
{
    memset(part, 0, STORE_PARTS * sizeof(part[0]));
    for (int i = 0; i < STORE_PARTS; i++) {
        const void *bytes = sqlite3_column_blob(s->get, i);
        size_t size = (size_t)sqlite3_column_bytes(s->get, i);
        if (size == 0)
            continue;
        part[i] = (struct store_part){malloc(size), size};
        if (part[i].bytes == NULL) {
            free_parts(part);
            return false;
        }
        memcpy(part[i].bytes, bytes, size);
    }
    return true;
}

bool store_get(struct store *s, const char *key,
               struct store_part part[STORE_PARTS])
{
    bool found = false;
#pragma omp critical(paper_store)
    {
        sqlite3_bind_text(s->get, 1, key, -1, SQLITE_STATIC);
        found = sqlite3_step(s->get) == SQLITE_ROW && copy_row(s, part);
        sqlite3_reset(s->get);
    }
    return found;
}

bool store_put(struct store *s, const char *key,
               const struct store_part part[STORE_PARTS], struct error *e)
{
    bool ok;
#pragma omp critical(paper_store)
    {
        sqlite3_bind_text(s->put, 1, key, -1, SQLITE_STATIC);
        for (int i = 0; i < STORE_PARTS; i++)
            sqlite3_bind_blob64(s->put, i + 2, part[i].bytes, part[i].size,
                                SQLITE_STATIC);
        ok = sqlite3_step(s->put) == SQLITE_DONE;
        if (!ok)
            error_set(e, STATUS_FAILED, "store: %s", sqlite3_errmsg(s->db));
        sqlite3_reset(s->put);
    }
    return ok;
}
