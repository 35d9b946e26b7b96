/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/shares.h"

#include "calib/store_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool run_sql(sqlite3 *db, const char *path, const char *statements,
                    struct error *e)
{
    return sqlite3_exec(db, statements, NULL, NULL, NULL) == SQLITE_OK ||
           database_failed(db, path, e);
}

/* Returns what a query of one number says. */
static bool ask_number(sqlite3 *db, const char *path, const char *query,
                       int *out, struct error *e)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(db, query, -1, &s, NULL) == SQLITE_OK &&
              sqlite3_step(s) == SQLITE_ROW;
    if (ok)
        *out = sqlite3_column_int(s, 0);
    else
        database_failed(db, path, e);
    sqlite3_finalize(s);
    return ok;
}

/* ---- notes -------------------------------------------------------------- */

static bool note_share(sqlite3_stmt *s, uint64_t plan, size_t shards,
                       const struct share *share)
{
    sqlite3_bind_int64(s, 1, (sqlite3_int64)plan);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)share->number);
    sqlite3_bind_text(s, 3, share->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 4, (sqlite3_int64)share->shard);
    sqlite3_bind_int64(s, 5, (sqlite3_int64)shards);
    sqlite3_bind_int(s, 6, share->done);
    bool ok = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return ok;
}

static bool note_all(sqlite3 *db, uint64_t plan, size_t shards,
                     const struct share *share, size_t count)
{
    static const char put[] =
        "INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (plan, number) DO UPDATE SET "
        "shard = excluded.shard, shards = excluded.shards, "
        "done = max(done, excluded.done)";
    sqlite3_stmt *s = NULL;
    bool ok =
        sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, put, -1, &s, NULL) == SQLITE_OK;
    for (size_t i = 0; ok && i < count; i++)
        ok = note_share(s, plan, shards, &share[i]);
    sqlite3_finalize(s);
    return ok && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

bool shares_note(const char *store, uint64_t plan, size_t shards,
                 const struct share *share, size_t count, struct error *e)
{
    sqlite3 *db = store_file_open(store, e);
    if (db == NULL)
        return false;
    bool ok = note_all(db, plan, shards, share, count) ||
              database_failed(db, store, e);
    sqlite3_close(db);
    return ok;
}

/* ---- merging ------------------------------------------------------------ */

/* Whether both have shards, and none of one run. */
static bool differ(sqlite3 *db, const char *path, bool *out, struct error *e)
{
    static const char query[] =
        "SELECT EXISTS (SELECT 1 FROM main.studies) AND "
        "EXISTS (SELECT 1 FROM one.studies) AND NOT EXISTS (SELECT 1 FROM "
        "main.studies a JOIN one.studies b ON a.plan = b.plan)";
    int answer;
    if (!ask_number(db, path, query, &answer, e))
        return false;
    *out = answer != 0;
    return true;
}

static bool copy_attached(sqlite3 *db, const char *path, const char *first,
                          struct error *e)
{
    bool other;
    if (!differ(db, path, &other, e))
        return false;
    if (other)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: its shards are of another configuration than "
                         "those of %s",
                         path, first);
    return run_sql(db, path,
                   "BEGIN IMMEDIATE;"
                   "INSERT OR IGNORE INTO main.samples "
                   "SELECT * FROM one.samples;"
                   "INSERT INTO main.studies SELECT * FROM one.studies "
                   "WHERE true ON CONFLICT (plan, number) DO UPDATE SET "
                   "done = max(done, excluded.done);"
                   "COMMIT",
                   e);
}

/* A missing file must not be made. */
static bool check_store(const char *path, struct error *e)
{
    if (access(path, R_OK) != 0)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    sqlite3 *db = store_file_open(path, e);
    sqlite3_close(db);
    return db != NULL;
}

static bool copy_store(sqlite3 *db, const char *path, const char *first,
                       struct error *e)
{
    sqlite3_stmt *s = NULL;
    if (!check_store(path, e))
        return false;
    bool ok =
        sqlite3_prepare_v2(db, "ATTACH ? AS one", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_DONE;
    if (!ok)
        database_failed(db, path, e);
    sqlite3_finalize(s);
    return ok && copy_attached(db, path, first, e) &&
           run_sql(db, path, "DETACH one", e);
}

static bool tell_missing(sqlite3 *db, const char *path, share_missing *missing,
                         void *user, struct error *e)
{
    static const char query[] = "SELECT name, shard, shards FROM studies "
                                "WHERE NOT done ORDER BY plan, number";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, query, -1, &s, NULL) != SQLITE_OK)
        return database_failed(db, path, e);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        missing(user, (const char *)sqlite3_column_text(s, 0),
                (size_t)sqlite3_column_int64(s, 1),
                (size_t)sqlite3_column_int64(s, 2));
    sqlite3_finalize(s);
    return code == SQLITE_DONE || database_failed(db, path, e);
}

static bool merge_into(const char *path, const char *const *from, size_t count,
                       share_missing *missing, void *user, struct error *e)
{
    sqlite3 *db = store_file_open(path, e);
    if (db == NULL)
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = copy_store(db, from[i], from[0], e);
    ok = ok && tell_missing(db, path, missing, user, e);
    sqlite3_close(db);
    return ok;
}

/* An empty file beside `to`, of the usual mode. */
static bool make_temporary(char *path, size_t size, const char *to,
                           struct error *e)
{
    snprintf(path, size, "%s.XXXXXX", to);
    int fd = mkstemp(path);
    if (fd < 0)
        return error_set(e, STATUS_FAILED, "%s: %s", to, strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    close(fd);
    return true;
}

bool shares_merge(const char *const *from, size_t count, const char *to,
                  share_missing *missing, void *user, struct error *e)
{
    char path[4096];
    if (strlen(to) + sizeof(".XXXXXX") > sizeof(path))
        return error_set(e, STATUS_USAGE, "%s: the name is too long", to);
    if (!make_temporary(path, sizeof(path), to, e))
        return false;
    if (merge_into(path, from, count, missing, user, e)) {
        if (rename(path, to) == 0)
            return true;
        error_set(e, STATUS_FAILED, "%s: %s", to, strerror(errno));
    }
    remove(path);
    return false;
}
