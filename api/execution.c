/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "kernels/ptx/launch/launch_kernel.h"
#include "kernels/ptx/launch/launch_read.h"
#include "kernels/ptx/launch/launch_run.h"

#include <stdlib.h>
#include <string.h>

struct estimate_execution {
    struct ptx_module module;
    struct ptx_session session;
    struct launch_file file; /* where there is one */
    bool has_file;
    struct estimate_executed executed;
};

static bool open_ptx(struct estimate_execution *x, const char *input,
                     const struct load_options *o, struct error *e)
{
    struct ptx_request request = ptx_request_of(o);
    request.code_only = false;
    if (!ptx_read(&x->module, input, e))
        return false;
    if (!ptx_session_open(&x->session, &x->module, &request, e)) {
        ptx_module_free(&x->module);
        return false;
    }
    x->executed.name = x->module.function[x->session.launch.entry].name;
    return true;
}

static bool open_launches(struct estimate_execution *x, const char *input,
                          const struct load_options *o, struct error *e)
{
    if (!launch_file_check_options(input, o, e) ||
        !launch_input_read(&x->file, &x->module, input, e))
        return false;
    if (!launch_file_open(&x->session, &x->file, &x->module, o->seed, e)) {
        ptx_module_free(&x->module);
        launch_file_free(&x->file);
        return false;
    }
    x->has_file = true;
    x->executed.name = x->file.name;
    return true;
}

struct estimate_execution *
estimate_execution_open(const char *input, const struct estimate_launch *launch,
                        struct estimate_error *out)
{
    struct error e;
    struct stop stop;
    struct load_options o;
    struct estimate_execution *x = calloc(1, sizeof(*x));
    if (x == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    if (load_options_of(&o, &stop, launch, &e) &&
        (launch_input_is(input) ? open_launches(x, input, &o, &e)
                                : open_ptx(x, input, &o, &e)))
        return x;
    tell(out, &e);
    free(x);
    return NULL;
}

void estimate_execution_close(struct estimate_execution *x)
{
    if (x == NULL)
        return;
    ptx_session_close(&x->session);
    ptx_module_free(&x->module);
    if (x->has_file)
        launch_file_free(&x->file);
    free(x);
}

const struct estimate_executed *
estimate_execution_run(struct estimate_execution *x, struct estimate_error *out)
{
    struct error e;
    struct ptx_totals t;
    if (x->has_file ? !launch_file_run(&x->session, &x->file, &t, &e)
                    : !ptx_session_run(&x->session, &t, &e)) {
        tell(out, &e);
        return NULL;
    }
    x->executed.blocks = t.blocks;
    x->executed.warp_insts = t.warp_steps;
    x->executed.thread_insts = t.lane_steps;
    return &x->executed;
}

bool estimate_execution_buffer(const struct estimate_execution *x,
                               const char *name, uint64_t *bytes)
{
    const struct ptx_buffer *b = ptx_memory_named(&x->session.memory, name);
    if (b != NULL && bytes != NULL)
        *bytes = b->bytes;
    return b != NULL;
}

bool estimate_execution_read(struct estimate_execution *x, const char *name,
                             uint64_t from, void *out, size_t count,
                             struct estimate_error *error)
{
    struct error e;
    struct ptx_memory *m = &x->session.memory;
    const struct ptx_buffer *b = ptx_memory_named(m, name);
    if (b == NULL || from > b->bytes || count > b->bytes - from) {
        error_set(&e, STATUS_USAGE, "bytes %llu to %llu of buffer '%s': %s",
                  (unsigned long long)from, (unsigned long long)from + count,
                  name, b == NULL ? "found none" : "beyond its end");
        return tell(error, &e);
    }
    return ptx_memory_read(m, (size_t)(b - m->buffer), from, out, count) ||
           tell_no_memory(error);
}
