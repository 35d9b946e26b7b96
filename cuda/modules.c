/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/modules.h"

#include "cuda/fatbin.h"
#include "cuda/heap.h"
#include "cuda/say.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more element behind `count`. */
static bool grow(void *array, size_t count, size_t size)
{
    void *old, *grown;
    memcpy(&old, array, sizeof(old));
    grown = realloc(old, (count + 1) * size);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof(grown));
    return true;
}

struct fat_binary *modules_add(struct modules *m, const void *image)
{
    struct fat_binary *b = calloc(1, sizeof(*b));
    if (b == NULL || !grow(&m->binary, m->binaries, sizeof(*m->binary))) {
        free(b);
        return NULL;
    }
    b->image = image;
    m->binary[m->binaries++] = b;
    return b;
}

bool modules_add_kernel(struct modules *m, struct fat_binary *from,
                        const void *host, const char *name)
{
    struct registered_kernel *k = calloc(1, sizeof(*k));
    if (k == NULL || !grow(&m->kernel, m->kernels, sizeof(*m->kernel))) {
        free(k);
        return false;
    }
    *k = (struct registered_kernel){.host = host, .name = name, .from = from};
    m->kernel[m->kernels++] = k;
    return true;
}

bool modules_add_variable(struct modules *m,
                          const struct registered_variable *v)
{
    if (!grow(&m->variable, m->variables, sizeof(*m->variable)))
        return false;
    m->variable[m->variables++] = *v;
    return true;
}

/* Its variables get memory of the device. */
static bool place(struct machine *machine, struct estimate_module *m,
                  struct estimate_error *e)
{
    uint64_t bytes = estimate_module_bytes(m);
    void *at = arena_take(&machine->arena, bytes, MEMORY_DEVICE);
    if (at == NULL) {
        e->status = ESTIMATE_FAILED;
        strcpy(e->text, "out of memory");
        return false;
    }
    if (!estimate_device_add(machine->device, at, bytes, e))
        return false;
    estimate_device_written(machine->device, at, bytes);
    return estimate_module_place(m, at, e);
}

/* Its PTX, with what it calls and does not have. */
static char *text_of(const struct machine *machine, const struct fat_binary *b,
                     size_t *size, struct estimate_error *e)
{
    char *text = fatbin_ptx(b->image, (unsigned)machine_arch(machine), size, e);
    if (text == NULL || !heap_is_used(text))
        return text;
    char *whole = heap_add(text, size, machine->heap_bytes);
    free(text);
    if (whole == NULL) {
        e->status = ESTIMATE_FAILED;
        strcpy(e->text, "out of memory");
    }
    return whole;
}

static struct estimate_module *module_of(struct machine *machine,
                                         struct fat_binary *b)
{
    struct estimate_error e;
    size_t size;
    if (b->module != NULL)
        return b->module;
    char *text = text_of(machine, b, &size, &e);
    if (text != NULL)
        b->module = estimate_module_load(machine->device, text, size,
                                         "the program's PTX", &e);
    free(text);
    if (b->module == NULL || !place(machine, b->module, &e))
        end_program(e.status, "%s", e.text);
    return b->module;
}

struct registered_kernel *
modules_kernel(struct modules *m, struct machine *machine, const void *host)
{
    struct estimate_error e;
    size_t i = 0;
    while (i < m->kernels && m->kernel[i]->host != host)
        i++;
    if (i == m->kernels)
        return NULL;
    struct registered_kernel *k = m->kernel[i];
    if (k->function == NULL)
        k->function =
            estimate_module_function(module_of(machine, k->from), k->name, &e);
    if (k->function == NULL)
        end_program(e.status, "%s: %s", k->name, e.text);
    return k;
}

void *modules_variable(struct modules *m, struct machine *machine,
                       const void *host, uint64_t *bytes)
{
    for (size_t i = 0; i < m->variables; i++) {
        struct registered_variable *v = &m->variable[i];
        if (v->host == host || (v->managed != NULL && *v->managed == host))
            return estimate_module_variable(module_of(machine, v->from),
                                            v->name, bytes);
    }
    return NULL;
}

void modules_read_managed(struct modules *m, struct machine *machine,
                          struct fat_binary *b)
{
    uint64_t bytes;
    for (size_t i = 0; i < m->variables; i++)
        if (m->variable[i].managed != NULL && m->variable[i].from == b)
            *m->variable[i].managed = estimate_module_variable(
                module_of(machine, b), m->variable[i].name, &bytes);
}
