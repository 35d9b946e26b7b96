/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/database.h"

/* How long to wait for another process that writes, in milliseconds. */
#define BUSY_MS 60000

bool database_failed(sqlite3 *db, const char *path, struct error *e)
{
    int code = sqlite3_errcode(db);
    bool unsound = code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
    return error_set(e, unsound ? STATUS_BAD_INPUT : STATUS_FAILED, "%s: %s",
                     path, sqlite3_errmsg(db));
}

sqlite3 *database_open(const char *path, const char *schema, struct error *e)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_busy_timeout(db, BUSY_MS) == SQLITE_OK &&
        sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK)
        return db;
    database_failed(db, path, e);
    sqlite3_close(db);
    return NULL;
}
