/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/store_file.h"

#include <stdio.h>
#include <string.h>

#define VERSION_BYTES 64

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE IF NOT EXISTS samples (key INTEGER PRIMARY KEY, "
    "outcome BLOB);"
    "CREATE TABLE IF NOT EXISTS studies (plan INTEGER, number INTEGER, "
    "name TEXT, shard INTEGER, shards INTEGER, done INTEGER, "
    "PRIMARY KEY (plan, number));";

static int on_version(void *user, int columns, char **value, char **name)
{
    (void)columns, (void)name;
    snprintf(user, VERSION_BYTES, "%s", value[0] != NULL ? value[0] : "");
    return 0;
}

/* Whether the file is this version's: a new one is made so. */
static bool check_version(sqlite3 *db, const char *path, struct error *e)
{
    static const char ask[] = "SELECT value FROM about WHERE name = 'version'";
    static const char tell[] = "INSERT OR IGNORE INTO about VALUES "
                               "('version', '" ESTIMATE_VERSION "')";
    char version[VERSION_BYTES] = "";
    bool ok = sqlite3_exec(db, ask, on_version, version, NULL) == SQLITE_OK;
    if (ok && version[0] == '\0')
        ok = sqlite3_exec(db, tell, NULL, NULL, NULL) == SQLITE_OK &&
             sqlite3_exec(db, ask, on_version, version, NULL) == SQLITE_OK;
    if (!ok)
        return database_failed(db, path, e);
    if (strcmp(version, ESTIMATE_VERSION) == 0)
        return true;
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: a store of version %s, this is %s", path, version,
                     ESTIMATE_VERSION);
}

sqlite3 *store_file_open(const char *path, struct error *e)
{
    sqlite3 *db = database_open(path, schema, e);
    if (db == NULL || check_version(db, path, e))
        return db;
    sqlite3_close(db);
    return NULL;
}
