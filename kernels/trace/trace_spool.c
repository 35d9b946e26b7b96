/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/trace/trace_spool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool open_file(struct trace_spool *s)
{
    const char *directory = getenv("TMPDIR");
    char path[sizeof(s->directory) + 32];

    if (directory == NULL || *directory == '\0' ||
        strlen(directory) >= sizeof(s->directory))
        directory = "/tmp";
    snprintf(s->directory, sizeof(s->directory), "%s", directory);
    snprintf(path, sizeof(path), "%s/estimate-XXXXXX", directory);
    s->fd = mkstemp(path);
    if (s->fd < 0)
        return false;
    unlink(path);
    fcntl(s->fd, F_SETFD, FD_CLOEXEC);
    return true;
}

struct trace_spool *trace_spool_new(struct error *e)
{
    struct trace_spool *s = calloc(1, sizeof(*s));
    uint8_t *buffer = malloc(SPOOL_BUFFER);

    if (s != NULL && buffer != NULL && open_file(s)) {
        s->users = 1;
        s->buffer = buffer;
        return s;
    }
    if (s == NULL || buffer == NULL)
        error_no_memory(e);
    else
        error_set(e, STATUS_FAILED,
                  "cannot make a temporary file for the trace in %s: %s "
                  "(TMPDIR chooses the folder)",
                  s->directory, strerror(errno));
    free(buffer);
    free(s);
    return NULL;
}

void trace_spool_release(struct trace_spool *s)
{
    if (s == NULL || --s->users > 0)
        return;
    close(s->fd);
    free(s->buffer);
    free(s);
}

static void write_out(struct trace_spool *s)
{
    uint32_t done = 0;

    while (done < s->used && s->failure == 0) {
        ssize_t n = write(s->fd, s->buffer + done, s->used - done);

        if (n >= 0)
            done += (uint32_t)n;
        else if (errno != EINTR)
            s->failure = errno;
    }
    s->flushed += s->used;
    s->used = 0;
}

uint8_t *trace_spool_reserve(struct trace_spool *s, uint32_t bytes)
{
    assert(bytes <= SPOOL_BUFFER);
    if (s->used + bytes > SPOOL_BUFFER)
        write_out(s);
    return s->buffer + s->used;
}

void trace_spool_advance(struct trace_spool *s, uint32_t bytes)
{
    s->used += bytes;
}

void trace_spool_put(struct trace_spool *s, const void *bytes, uint32_t n)
{
    memcpy(trace_spool_reserve(s, n), bytes, n);
    trace_spool_advance(s, n);
}

uint64_t trace_spool_offset(const struct trace_spool *s)
{
    return s->flushed + s->used;
}

bool trace_spool_flush(struct trace_spool *s, struct error *e)
{
    write_out(s);
    if (s->failure == 0)
        return true;
    return error_set(e, STATUS_FAILED,
                     "cannot write the trace's temporary file in %s: %s "
                     "(TMPDIR chooses the folder)",
                     s->directory, strerror(s->failure));
}

void trace_spool_seal(struct trace_spool *s)
{
    free(s->buffer);
    s->buffer = NULL;
}

bool trace_spool_read(const struct trace_spool *s, uint64_t offset, void *out,
                      uint32_t n)
{
    uint8_t *to = out;

    while (n > 0) {
        ssize_t got = pread(s->fd, to, n, (off_t)offset);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            to += got;
            offset += (uint64_t)got;
            n -= (uint32_t)got;
        }
    }
    return true;
}
