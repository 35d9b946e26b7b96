/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An SQLite file as it is used here: with a rollback journal, since write-ahead
 * logs fail on network file systems, and with patience for other processes that
 * write to it. */
#ifndef BASE_DATABASE_H
#define BASE_DATABASE_H

#include "base/error.h"

#include <sqlite3.h>

/* Open the file, made if need be, and run the statements of `schema` on it,
 * which change nothing where they were run before. NULL with e:
 * STATUS_BAD_INPUT for a file that is no sound database, else STATUS_FAILED. */
sqlite3 *database_open(const char *path, const char *schema, struct error *e);

/* Fill e with what went wrong last, and return false. */
bool database_failed(sqlite3 *db, const char *path, struct error *e);

#endif
