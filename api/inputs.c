/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "base/short_name.h"
#include "calib/calib.h"
#include "kernels/load.h"
#include "kernels/ptx/launch/ptxas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct estimate_launch default_launch = {
    .size = sizeof(default_launch), .shared_bytes = -1, .seed = 1};

void estimate_launch_init(struct estimate_launch *l, size_t size)
{
    give_struct(l, size, &default_launch, sizeof(default_launch));
    l->size = size;
}

static struct dim3 dim_of(struct estimate_dim d)
{
    bool given = d.x > 0;
    return (struct dim3){d.x, given && d.y == 0 ? 1 : d.y,
                         given && d.z == 0 ? 1 : d.z};
}

static struct estimate_dim public_dim(struct dim3 d)
{
    return (struct estimate_dim){d.x, d.y, d.z};
}

bool load_options_of(struct load_options *out, struct stop *stop,
                     const struct estimate_launch *launch, struct error *e)
{
    struct estimate_launch l = default_launch;
    if (launch != NULL && !take_struct(&l, sizeof(l), launch, e))
        return false;
    *stop = (struct stop){l.cancel, l.deadline_s};
    *out = load_options_default();
    out->launch = (struct launch){
        .grid = dim_of(l.grid),
        .block = dim_of(l.block),
        .regs_per_thread = l.registers,
        .shared_bytes = l.shared_bytes > 0 ? (uint32_t)l.shared_bytes : 0,
        .shared_given = l.shared_bytes >= 0};
    out->trace.unknown_op = l.unknown_op;
    out->ptx = (struct ptx_options){.entry = l.entry,
                                    .cluster = dim_of(l.cluster),
                                    .arg = l.arg,
                                    .args = l.args,
                                    .symbol = l.symbol,
                                    .symbols = l.symbols,
                                    .ptxas = l.ptxas,
                                    .arch = l.arch,
                                    .exec_all = l.exec_all};
    out->seed = l.seed;
    out->stop = stop;
    out->code_only = l.code_only;
    return true;
}

const char *estimate_bundled_kernel(size_t i)
{
    size_t count;
    const char *const *names = kernel_bundled_names(&count);
    return i < count ? names[i] : NULL;
}

const char *estimate_default_kernel(size_t i)
{
    size_t count;
    const char *const *names = kernel_default_names(&count);
    return i < count ? names[i] : NULL;
}

void estimate_short_name(char *out, size_t size, const char *name)
{
    short_name(out, size, name);
}

bool estimate_input_kind(enum estimate_input_kind *out, const char *input,
                         struct estimate_error *error)
{
    static const enum estimate_input_kind kinds[] = {
        [INPUT_KERNEL] = ESTIMATE_KERNEL_FILE,
        [INPUT_PTX] = ESTIMATE_PTX,
        [INPUT_LAUNCH] = ESTIMATE_LAUNCH_FILE,
        [INPUT_TRACE] = ESTIMATE_TRACE};
    _Static_assert(sizeof(kinds) / sizeof(kinds[0]) == INPUT_KINDS,
                   "every kind of input has its name");
    struct error e;
    enum input_kind kind;
    if (!kernel_input_kind(&kind, input, &e))
        return tell(error, &e);
    *out = kinds[kind];
    return true;
}

static bool has_matrix(const struct kernel *k)
{
    uint32_t i = 0;
    while (i < k->inst_count && k->inst[i].op != OP_TENSOR)
        i++;
    return i < k->inst_count;
}

static struct estimate_launch_info launch_info(const struct kernel *k)
{
    return (struct estimate_launch_info){
        .name = k->name,
        .summary = k->summary,
        .note = k->note,
        .grid = public_dim(k->grid),
        .block = public_dim(k->block),
        .blocks = k->blocks,
        .threads_per_block = k->threads_per_block,
        .registers = k->regs_per_thread,
        .shared_bytes = k->shared_bytes,
        .registers_from = k->regs_from,
        .instructions = k->inst_count,
        .phases = k->phase_count,
        .matrix = has_matrix(k),
    };
}

/* Launch i of the list, or all of them where they are an application. */
static struct estimate_kernel kernel_at(const struct estimate_input *in,
                                        size_t i)
{
    const struct kernel_list *list = &in->list;
    bool whole = list->application != NULL;
    struct estimate_kernel k = {.first = list->kernel[i],
                                .application = whole ? list : NULL,
                                .launch = &in->launch[i]};
    const struct study study = {.kernel = k.first,
                                .application = k.application};
    k.info = (struct estimate_kernel_info){.name = study_name(&study),
                                           .launches = whole ? list->count : 1,
                                           .application = whole,
                                           .hash = study_hash(&study)};
    return k;
}

static bool describe(struct estimate_input *in, struct error *e)
{
    in->kernels = in->list.application != NULL ? 1 : in->list.count;
    in->launch = calloc(in->list.count, sizeof(*in->launch));
    in->kernel = calloc(in->kernels, sizeof(*in->kernel));
    if (in->launch == NULL || in->kernel == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < in->list.count; i++)
        in->launch[i] = launch_info(in->list.kernel[i]);
    for (size_t i = 0; i < in->kernels; i++)
        in->kernel[i] = kernel_at(in, i);
    return true;
}

struct estimate_input *estimate_input_load(const char *input,
                                           const struct estimate_launch *launch,
                                           struct estimate_error *out)
{
    struct error e;
    struct load_options options;
    struct estimate_input *in = calloc(1, sizeof(*in));
    if (in == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    if (load_options_of(&options, &in->stop, launch, &e) &&
        kernel_load(&in->list, input, &options, &e) && describe(in, &e))
        return in;
    tell(out, &e);
    estimate_input_free(in);
    return NULL;
}

void estimate_input_free(struct estimate_input *in)
{
    if (in == NULL)
        return;
    kernel_list_free(&in->list);
    free(in->launch);
    free(in->kernel);
    free(in);
}

size_t estimate_input_kernels(const struct estimate_input *in)
{
    return in->kernels;
}

const struct estimate_kernel *
estimate_input_kernel(const struct estimate_input *in, size_t i)
{
    return i < in->kernels ? &in->kernel[i] : NULL;
}

const struct estimate_kernel_info *
estimate_kernel_info(const struct estimate_kernel *k)
{
    return &k->info;
}

const struct estimate_launch_info *
estimate_kernel_launch(const struct estimate_kernel *k, size_t i)
{
    return i < k->info.launches ? &k->launch[i] : NULL;
}

bool estimate_ptxas_find(char *out, size_t size, const char *wanted,
                         const char *folders)
{
    char path[PTXAS_PATH_MAX];
    if (!ptxas_find(path, wanted, folders) || strlen(path) >= size)
        return false;
    snprintf(out, size, "%s", path);
    return true;
}
