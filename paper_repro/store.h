/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results on disk, in an SQLite file: each is there for good once store_put
 * has returned, so that work which was interrupted goes on where it stopped.
 * Any number of threads may use a store, and any number of processes a file. */
#ifndef PAPER_REPRO_STORE_H
#define PAPER_REPRO_STORE_H

#include "base/error.h"

#include <stddef.h>

/* What a result is made of, bytes that the store does not look into. */
enum { STORE_PARTS = 7 };
struct store_part {
    void *bytes;
    size_t size;
};

struct store;

/* Open the file, made if need be with its folder's last part. NULL with e. */
struct store *store_open(const char *path, struct error *e);
void store_close(struct store *s);

/* The parts of `key`, allocated (NULL where empty), the caller's. False when
 * there is none or it cannot be read. */
bool store_get(struct store *s, const char *key,
               struct store_part part[STORE_PARTS]);
bool store_put(struct store *s, const char *key,
               const struct store_part part[STORE_PARTS], struct error *e);

#endif
