/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of a store: an SQLite database of tables
 *
 * about    the version that made it, as text
 * samples  a key and what came of the sample, see calib/store.h
 * studies  of runs that several processes share, see calib/shares.h */
#ifndef CALIB_STORE_FILE_H
#define CALIB_STORE_FILE_H

#include "base/database.h"

/* Open it, made if need be. NULL with e: STATUS_BAD_INPUT for one that is no
 * store or another version's. */
sqlite3 *store_file_open(const char *path, struct error *e);

#endif
