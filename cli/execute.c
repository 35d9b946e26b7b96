/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate execute: run a PTX kernel over its whole grid, or the launches of a
 * launch file, and write what the buffers then hold. */
#include "cli/commands.h"
#include "cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK     (1u << 20) /* bytes written at a time */
#define NAME_SIZE 128        /* of a buffer */

/* A buffer to be written, of --dump NAME=FILE. */
struct dump {
    char name[NAME_SIZE];
    const char *path;
    uint64_t bytes;
};

static bool find_dump(struct dump *out, const struct estimate_execution *x,
                      const char *text, struct estimate_error *e)
{
    size_t length = strcspn(text, "=");
    snprintf(out->name, NAME_SIZE, "%.*s", (int)length, text);
    out->path = text + length + 1;
    return estimate_execution_buffer(x, out->name, &out->bytes) ||
           fail(e, ESTIMATE_BAD_INPUT,
                "--dump %s: found no buffer '%s', expected one that an --arg "
                "or the launch file names",
                text, out->name);
}

static bool write_bytes(struct estimate_execution *x, const struct dump *d,
                        FILE *f, struct estimate_error *e)
{
    uint8_t *chunk = malloc(CHUNK);
    bool ok = chunk != NULL || fail_no_memory(e);
    for (uint64_t at = 0; ok && at < d->bytes; at += CHUNK) {
        uint64_t n = d->bytes - at < CHUNK ? d->bytes - at : CHUNK;
        ok = estimate_execution_read(x, d->name, at, chunk, n, e);
        if (ok && fwrite(chunk, 1, n, f) != n)
            break;
    }
    free(chunk);
    return ok;
}

static bool write_dump(struct estimate_execution *x, const struct dump *d,
                       struct estimate_error *e)
{
    FILE *f = fopen(d->path, "wb");
    if (f == NULL)
        return fail(e, ESTIMATE_FAILED, "%s: %s", d->path, strerror(errno));
    bool ok = write_bytes(x, d, f, e), failed = ferror(f) != 0;
    if (fclose(f) != 0 || failed)
        return fail(e, ESTIMATE_FAILED, "%s: write failed", d->path);
    return ok;
}

/* Names are looked up before anything is run. */
static bool execute(struct estimate_execution *x, const struct options *o,
                    struct estimate_error *e)
{
    struct dump dump[DUMPS_MAX];
    for (size_t i = 0; i < o->dumps; i++)
        if (!find_dump(&dump[i], x, o->dump[i], e))
            return false;
    const struct estimate_executed *done = estimate_execution_run(x, e);
    if (done == NULL)
        return false;
    for (size_t i = 0; i < o->dumps; i++)
        if (!write_dump(x, &dump[i], e))
            return false;
    printf("%s: %" PRIu64 " blocks, %" PRIu64 " warp instructions, %" PRIu64
           " lane instructions\n",
           done->name, done->blocks, done->warp_insts, done->thread_insts);
    return true;
}

int run_execute(const struct options *o, struct estimate_error *e)
{
    if (o->inputs != 1) {
        fail(e, ESTIMATE_USAGE,
             "execute: found %zu inputs, expected one PTX or launch file",
             o->inputs);
        return ESTIMATE_USAGE;
    }
    struct estimate_execution *x =
        estimate_execution_open(o->input[0], &o->launch, e);
    bool ok = x != NULL && execute(x, o, e);
    estimate_execution_close(x);
    return ok ? ESTIMATE_OK : e->status;
}
