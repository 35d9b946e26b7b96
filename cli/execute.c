/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate execute: run a PTX kernel over its whole grid, or the launches of a
 * launch file, and write what the buffers then hold. */
#include "cli/commands.h"
#include "cli/options.h"
#include "kernels/ptx/launch/launch_kernel.h"
#include "kernels/ptx/launch/launch_read.h"
#include "kernels/ptx/launch/launch_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK (1u << 20) /* bytes written at a time */

static const struct ptx_buffer *dumped(const struct ptx_session *s,
                                       const char *dump, struct error *e)
{
    char name[128];
    size_t length = strcspn(dump, "=");
    snprintf(name, sizeof(name), "%.*s", (int)length, dump);
    const struct ptx_buffer *b = ptx_memory_named(&s->memory, name);
    if (b == NULL)
        error_set(e, STATUS_BAD_INPUT,
                  "--dump %s: found no buffer '%s', expected one that an --arg "
                  "names",
                  dump, name);
    return b;
}

static bool write_bytes(struct ptx_session *s, const struct ptx_buffer *b,
                        FILE *f, struct error *e)
{
    size_t index = (size_t)(b - s->memory.buffer);
    uint8_t *chunk = malloc(CHUNK);
    bool ok = chunk != NULL;
    for (uint64_t at = 0; ok && at < b->bytes; at += CHUNK) {
        uint64_t n = b->bytes - at < CHUNK ? b->bytes - at : CHUNK;
        ok = ptx_memory_read(&s->memory, index, at, chunk, n);
        if (ok && fwrite(chunk, 1, n, f) != n)
            break;
    }
    free(chunk);
    return ok || error_no_memory(e);
}

static bool dump(struct ptx_session *s, const char *text, struct error *e)
{
    const char *path = strchr(text, '=') + 1;
    const struct ptx_buffer *b = dumped(s, text, e);
    if (b == NULL)
        return false;
    FILE *f = fopen(path, "wb");
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    bool ok = write_bytes(s, b, f, e), failed = ferror(f) != 0;
    if (fclose(f) != 0 || failed)
        return error_set(e, STATUS_FAILED, "%s: write failed", path);
    return ok;
}

static bool check_dumps(const struct ptx_session *s, const struct options *o,
                        struct error *e)
{
    for (size_t i = 0; i < o->dumps; i++)
        if (dumped(s, o->dump[i], e) == NULL)
            return false;
    return true;
}

static bool finish(struct ptx_session *s, const struct options *o,
                   const char *name, const struct ptx_totals *t,
                   struct error *e)
{
    for (size_t i = 0; i < o->dumps; i++)
        if (!dump(s, o->dump[i], e))
            return false;
    printf("%s: %llu blocks, %llu warp instructions, %llu lane instructions\n",
           name, (unsigned long long)t->blocks,
           (unsigned long long)t->warp_steps,
           (unsigned long long)t->lane_steps);
    return true;
}

static bool run_kernel(const struct options *o, struct error *e)
{
    struct ptx_module m;
    struct ptx_session s;
    struct ptx_totals t;
    const struct ptx_request request = {.entry = o->load.ptx.entry,
                                        .grid = o->load.launch.grid,
                                        .block = o->load.launch.block,
                                        .dynamic_shared_bytes =
                                            o->load.launch.shared_bytes,
                                        .arg = o->load.ptx.arg,
                                        .args = o->load.ptx.args,
                                        .seed = o->seed};
    if (!ptx_read(&m, o->input[0], e))
        return false;
    bool ok = ptx_session_open(&s, &m, &request, e);
    if (ok) {
        ok = check_dumps(&s, o, e) && ptx_session_run(&s, &t, e) &&
             finish(&s, o, m.function[s.launch.entry].name, &t, e);
        ptx_session_close(&s);
    }
    ptx_module_free(&m);
    return ok;
}

static bool run_launches(const struct options *o, struct error *e)
{
    struct launch_file f;
    struct ptx_module m;
    struct ptx_session s;
    struct ptx_totals t;
    if (!launch_file_check_options(o->input[0], &o->load, e) ||
        !launch_input_read(&f, &m, o->input[0], e))
        return false;
    bool ok = launch_file_open(&s, &f, &m, o->seed, e);
    if (ok) {
        ok = check_dumps(&s, o, e) && launch_file_run(&s, &f, &t, e) &&
             finish(&s, o, f.name, &t, e);
        ptx_session_close(&s);
    }
    ptx_module_free(&m);
    launch_file_free(&f);
    return ok;
}

int run_execute(const struct options *o, struct error *e)
{
    bool ok;
    if (o->inputs != 1)
        ok = error_set(e, STATUS_USAGE,
                       "execute: found %zu inputs, expected one PTX or launch "
                       "file",
                       o->inputs);
    else if (launch_input_is(o->input[0]))
        ok = run_launches(o, e);
    else
        ok = run_kernel(o, e);
    return ok ? STATUS_OK : (int)e->status;
}
